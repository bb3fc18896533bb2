/*
 * cordon check.
 */
#include "inspect/inspect.h"

int check_main(const char *launcher, char **words)
{
	(void)launcher;
	(void)words;
	return INSPECT_BROKEN;
}
