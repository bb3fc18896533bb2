/*
 * Deadlines count CLOCK_BOOTTIME: a laptop lid must not stretch a time limit.
 * poll() itself counts CLOCK_MONOTONIC, so it is never asked to sleep for more
 * than a minute, and a machine that wakes up is late by at most that.
 */
#include <time.h>

#include "base/sys.h"
#include "watch/deadline.h"

enum { LONGEST_SLEEP_MS = 60 * 1000 };

uint64_t deadline_now(void)
{
	struct timespec now;

	sys_clock(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void deadline_set(struct deadline *deadline, uint64_t from_now_ms)
{
	uint64_t now = deadline_now();

	/* 0 says "none", and a sum that wraps would be in the past */
	deadline->at_ms = from_now_ms < UINT64_MAX - now - 1
				  ? now + from_now_ms + 1
				  : UINT64_MAX;
}

void deadline_clear(struct deadline *deadline)
{
	deadline->at_ms = 0;
}

bool deadline_has_passed(struct deadline *deadline)
{
	if (deadline->at_ms == 0 || deadline_now() < deadline->at_ms)
		return false;
	deadline->at_ms = 0;
	return true;
}

int deadline_poll(const struct deadline *a, const struct deadline *b)
{
	uint64_t first = a->at_ms, now;

	if (first == 0 || (b->at_ms != 0 && b->at_ms < first))
		first = b->at_ms;
	if (first == 0)
		return -1;
	now = deadline_now();
	if (first <= now)
		return 0;
	return first - now < LONGEST_SLEEP_MS ? (int)(first - now)
					      : LONGEST_SLEEP_MS;
}
