/*
 * The words this process was started with, out of the sight of what runs inside.
 */
#ifndef CORDON_WATCH_CMDLINE_H
#define CORDON_WATCH_CMDLINE_H

struct plan;

/* Before the command starts: all but what its exec still reads. Its own words
 * stand last, and it knows them. */
void cmdline_wipe_options(const struct plan *plan);

/* Everything. The environment can wait until the command runs: reading it takes
 * ptrace rights, which nobody inside has over a process that is not dumpable. */
void cmdline_wipe(void);

#endif
