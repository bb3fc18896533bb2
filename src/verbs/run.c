/*
 * cordon run: the command behind the wall.
 */
#include "policy/options.h"
#include "verbs/prepare.h"
#include "verbs/verbs.h"
#include "watch/watch.h"

int verb_run(char **words)
{
	static struct prepared prepared;
	int code;

	prepare(&prepared, words, USE_RUN);
	code = prepare_refusals(&prepared);
	return code != 0 ? code : watch_run(&prepared.plan);
}
