/*
 * The supervisor as a job of the caller's shell: signals go in, stops come out.
 * The command has a process group of its own, so what a shell does to the
 * supervisor's group has to be done to the command's, and the reverse; but
 * only what a person typed may reach another member of the caller's group.
 */
#include <errno.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "watch/supervise.h"

/* A command that listens reads its signals at once. */
enum { ANSWER_MS = 1000 };

static const struct timespec at_once;

static sigset_t only(int signal)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, signal);
	return set;
}

static void tell_init(const struct watch *watch, enum hello kind, int value)
{
	/* an init that has gone or hangs is found by its pidfd and deadlines */
	(void)handshake_tell(watch->handshake, kind, value);
}

/* The shell says where the command belongs: foreground or background. */
static void resume(struct watch *watch)
{
	struct terminal *terminal = &watch->terminal;

	if (terminal->is_asked && terminal_is_ours(terminal)) {
		terminal_lend(terminal);
		tell_init(watch, HELLO_FOREGROUND, 0);
	} else {
		tell_init(watch, HELLO_SIGNAL_JOB, SIGCONT);
	}
}

/* Stops as any process of the job would, and returns whether it did: the kernel
 * does not stop a group that no shell looks after, nor one that ignores the
 * signal. SIGCONT is blocked, so that it is there to be found. */
static bool stop_here(int signal, bool is_for_group)
{
	sigset_t stop = only(signal), cont = only(SIGCONT);

	(void)sigtimedwait(&cont, NULL, &at_once);
	(void)kill(is_for_group ? 0 : getpid(), signal);
	(void)sigprocmask(SIG_UNBLOCK, &stop, NULL);
	(void)sigprocmask(SIG_BLOCK, &stop, NULL);
	return sigtimedwait(&cont, NULL, &at_once) == SIGCONT;
}

/* In a group that no shell looks after the kernel ignores SIGTSTP and lets
 * terminal access fail. The command's group has init to look after it, so it
 * did stop; what POSIX has for stopped members of such a group is SIGHUP and
 * SIGCONT. One that stopped itself stays. */
static void unstop(struct watch *watch, int signal)
{
	if (signal == SIGTTIN || signal == SIGTTOU)
		tell_init(watch, HELLO_SIGNAL_JOB, SIGHUP);
	if (signal != SIGSTOP)
		resume(watch);
}

void job_stopped(struct watch *watch, int signal, bool is_typed)
{
	struct terminal *terminal = &watch->terminal;
	bool is_asked = watch->is_stop_asked;

	watch->is_stop_asked = false;
	if (signal == SIGTTIN || signal == SIGTTOU) {
		terminal->is_asked = terminal->fd >= 0;
		if (terminal_is_ours(terminal)) {
			resume(watch);
			return;
		}
	}
	/* nobody's terminal and nobody's order: its own business */
	if (!terminal->is_asked && !is_asked)
		return;
	terminal_leave(terminal);
	if (stop_here(signal == SIGSTOP ? SIGTSTP : signal, is_typed))
		resume(watch);
	else
		unstop(watch, signal);
}

/* Another member of our group wants the terminal that the command has: `cordon
 * prog | less' after prog asked for a password. The kernel has stopped all of
 * them, us excepted. */
static bool give_to_group(struct watch *watch)
{
	sigset_t cont = only(SIGCONT);

	if (!terminal_reclaim(&watch->terminal))
		return false;
	(void)kill(0, SIGCONT);
	(void)sigtimedwait(&cont, NULL, &at_once);
	return true;
}

/* Sent by the terminal driver to our whole group, so it is for the whole of the
 * command's. What one process was sent, one process gets. */
static bool is_for_job(const struct signalfd_siginfo *info)
{
	switch (info->ssi_signo) {
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
		return true;
	case SIGINT:
	case SIGQUIT:
	case SIGHUP:
	case SIGWINCH:
		return info->ssi_code == SI_KERNEL;
	default:
		return false;
	}
}

static bool is_ending(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGHUP ||
	       signal == SIGQUIT;
}

void job_signal(struct watch *watch, const struct signalfd_siginfo *info)
{
	int signal = (int)info->ssi_signo;
	bool is_job = is_for_job(info);

	if (signal == SIGCONT) {
		terminal_lose(&watch->terminal);
		resume(watch);
		return;
	}
	if ((signal == SIGTTIN || signal == SIGTTOU) && give_to_group(watch))
		return;
	if (signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)
		watch->is_stop_asked = true;
	if (is_job && (signal == SIGINT || signal == SIGQUIT))
		watch->typed_here = signal;
	watch->outcome.forwarded |= UINT64_C(1) << (signal - 1);
	tell_init(watch, is_job ? HELLO_SIGNAL_JOB : HELLO_SIGNAL, signal);
	if (is_ending(signal)) {
		watch->unanswered = signal;
		deadline_set(&watch->answer, ANSWER_MS);
	}
}

/* A shell ends its loop when a command died of SIGINT, which 130 does not say,
 * and a script ends when it got the signal itself. Inside the terminal sent it
 * to the command's group alone, so the rest of our group has it coming. */
void job_end(const struct watch *watch)
{
	int signal = outcome_signal(&watch->outcome);
	bool is_typed = watch->outcome.usage.is_typed != 0;
	sigset_t set = only(signal);

	if (signal == 0 || (!is_typed && signal != watch->typed_here))
		return;
	/* no core of ours for SIGQUIT */
	(void)prctl(PR_SET_DUMPABLE, 0);
	(void)kill(is_typed ? 0 : getpid(), signal);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}
