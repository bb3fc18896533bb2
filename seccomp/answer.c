/*
 * action, errnoRet and errno of an entry, and the same three of the profile's
 * default, as one return value of a filter.
 */
#include "answer.h"

#include <errno.h>
#include <linux/seccomp.h>

#include "words.h"

enum { ERRNO_MAX = 4095 };

void answer_read_action(struct reader *reader, const struct spot *spot,
			struct json_object *value, void *into)
{
	struct answer *answer = into;

	if (!words_action(json_object_get_string(value), &answer->action)) {
		reader_unknown(reader, spot, "action", value);
		return;
	}
	answer->has_action = true;
	if (answer->action == SECCOMP_RET_USER_NOTIF ||
	    answer->action == SECCOMP_RET_TRACE)
		problems_add(reader->problems, spot,
			     "%s needs a supervising process, which cordon "
			     "does not give it",
			     json_object_get_string(value));
}

void answer_read_number(struct reader *reader, const struct spot *spot,
			struct json_object *value, void *into)
{
	struct answer *answer = into;
	uint64_t number;

	if (!reader_number(reader, spot, value, ERRNO_MAX, &number))
		return;
	answer->number = (uint32_t)number;
	answer->has_number = true;
}

void answer_read_errno(struct reader *reader, const struct spot *spot,
		       struct json_object *value, void *into)
{
	struct answer *answer = into;

	if (words_errno(json_object_get_string(value), &answer->named))
		answer->has_name = true;
	else
		reader_unknown(reader, spot, "errno", value);
}

/* EPERM is what libseccomp's users mean by an ERRNO without a number. */
uint32_t answer_whole(struct reader *reader, const struct spot *spot,
		      const struct answer *answer)
{
	if (!answer->has_number && !answer->has_name)
		return answer->action == SECCOMP_RET_ERRNO
			       ? answer->action | EPERM
			       : answer->action;
	if (answer->has_action && answer->action != SECCOMP_RET_ERRNO)
		problems_add(reader->problems, spot,
			     "only SCMP_ACT_ERRNO has an errno");
	if (answer->has_number && answer->has_name &&
	    answer->number != answer->named)
		problems_add(reader->problems, spot,
			     "errno by name (%u) and by number (%u) differ",
			     answer->named, answer->number);
	return answer->action |
	       (answer->has_number ? answer->number : answer->named);
}
