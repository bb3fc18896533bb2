/*
 * The caller's terminal, lent to the command.
 */
#ifndef CORDON_WATCH_TERMINAL_H
#define CORDON_WATCH_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct terminal {
	int flags[3];  /* of descriptors 0 to 2, which the command shares */
	int fd;	       /* -1: the session has no terminal */
	pid_t ours;    /* the supervisor's process group */
	bool is_asked; /* the command is to have it when we are foreground */
	bool is_lent;
	bool was_lent;
	bool has_inner;
	struct termios outer; /* modes as they were when it was lent */
	struct termios inner; /* modes as a stopped command left them */
};

/* Finds the terminal of the session. Owned: terminal_close. */
void terminal_open(struct terminal *terminal);
void terminal_close(struct terminal *terminal);

/* Whether the supervisor's own group is the foreground group. */
bool terminal_is_ours(const struct terminal *terminal);

/* Before init, whose process ids are the command's, makes the command's group
 * foreground: notes the modes and puts back those of a stopped command. */
void terminal_lend(struct terminal *terminal);

/* We may have been stopped and continued: who has it now is not ours to say. */
void terminal_lose(struct terminal *terminal);

/* The command stopped. */
void terminal_leave(struct terminal *terminal);

/* Another member of the supervisor's group wants it; modes stay. Returns false
 * when it was not lent. */
bool terminal_reclaim(struct terminal *terminal);

/* The sandbox is empty, or, with `left_over`, all of it that can die is dead:
 * foreground group, flow and modes as they were. */
void terminal_restore(struct terminal *terminal, bool left_over);

#endif
