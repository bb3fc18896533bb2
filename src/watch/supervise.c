/*
 * The supervisor: outside the sandbox, with the caller's own rights and nothing
 * more. It makes init, passes on what happens outside, and returns when the
 * sandbox is empty. Nothing is allocated here unless something is to be told,
 * and no exchange with init precedes the command unless someone wants to know.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/sys.h"
#include "engine/engine.h"
#include "plan/plan.h"
#include "watch/init.h"
#include "watch/supervise.h"
#include "watch/tell.h"
#include "watch/watch.h"

/* How long the dead may take to be gone. With init's own patience this is the
 * two seconds after which a hung process is left behind. */
enum { GONE_MS = 1000 };

static bool is_told(const struct plan *plan)
{
	return plan->status_fd >= 0 || plan->verbose;
}

/* What is not here either ends this process by force (a fault of its own) or
 * is its own business: children are seen by pidfd, a closed stream by EPIPE. */
static void forwarded_signals(sigset_t *set)
{
	static const int own[] = { SIGCHLD, SIGPIPE, SIGSEGV, SIGBUS, SIGFPE,
				   SIGILL,  SIGTRAP, SIGSYS,  SIGXFSZ };

	(void)sigfillset(set);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		(void)sigdelset(set, own[i]);
}

/* Nothing but the mask changes, so that the command inherits the caller's
 * dispositions: nohup works by an ignored SIGHUP. Only SIGCHLD must not be
 * ignored, or the kernel throws away how init ended. (POSIX leaves open what a
 * new program makes of an ignored SIGCHLD.) */
static void take_signals(struct watch *watch)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL };
	sigset_t all;

	(void)sigaction(SIGCHLD, &by_default, NULL);
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &watch->mask);
}

static int failed(struct watch *watch, const char *call, int error)
{
	struct fault *fault = &watch->outcome.fault;

	watch->outcome.ending = ENDING_FAULT;
	fault_copy(fault->stage, sizeof(fault->stage), "watch");
	return fault_set(fault, call, "", error);
}

static noreturn void be_init(struct watch *watch, int socket)
{
	struct init_start start = {
		.socket = socket,
		.supervisor = watch->supervisor,
		.tty = watch->terminal.fd,
		.is_foreground = watch->terminal.is_lent,
		.is_told = is_told(watch->plan),
		.limit = watch->end,
		.mask = &watch->mask,
	};

	/* so that the supervisor's death is an end of file here */
	fd_close(&watch->handshake);
	init_main(watch->plan, &start);
}

/* The pidfd of ourselves is opened before init is made: later it could be that
 * of a process which got our number. */
static int make_init(struct watch *watch)
{
	FD_OWNED int socket = -1;
	int pair[2];

	watch->supervisor = sys_pidfd_open(getpid());
	if (watch->supervisor < 0)
		return failed(watch, "pidfd_open", watch->supervisor);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return failed(watch, "socketpair", errno);
	watch->handshake = pair[0];
	socket = pair[1];
	watch->init = engine_clone(watch->plan, &watch->init_fd,
				   &watch->outcome.fault);
	if (watch->init == 0)
		be_init(watch, fd_take(&socket));
	if (watch->init < 0)
		watch->outcome.ending = ENDING_FAULT;
	return watch->init < 0 ? watch->init : 0;
}

static int open_signals(struct watch *watch)
{
	sigset_t set;

	forwarded_signals(&set);
	watch->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return watch->signals < 0 ? failed(watch, "signalfd", errno) : 0;
}

/* From here on init has nothing more to say and is dying or dead; what is left
 * after that cannot die. */
static void expect_end(struct watch *watch)
{
	fd_close(&watch->handshake);
	watch->is_ending = true;
	deadline_set(&watch->end, GONE_MS);
	deadline_clear(&watch->answer);
}

static void kill_init(struct watch *watch)
{
	(void)sys_pidfd_send_signal(watch->init_fd, SIGKILL);
	expect_end(watch);
}

static void heard(struct watch *watch, const struct hello_message *message)
{
	struct outcome *outcome = &watch->outcome;

	switch ((enum hello)message->kind) {
	case HELLO_READY:
		tell_ready(&watch->status, watch->plan, watch->init);
		(void)handshake_tell(watch->handshake, HELLO_GO, 0);
		break;
	case HELLO_EXEC:
		tell_exec(&watch->status, watch->plan, message->value);
		break;
	case HELLO_WATCH:
		/* its descriptors are taken where they arrive */
		outcome->is_unwatched = message->value != 0;
		if (outcome->is_unwatched)
			tell_unwatched(&watch->status, watch->plan,
				       message->value);
		break;
	case HELLO_STOPPED:
		job_stopped(watch, message->value,
			    message->body.usage.is_typed != 0);
		break;
	case HELLO_TIMEOUT:
		outcome->is_timed_out = true;
		break;
	case HELLO_FAULT:
	case HELLO_EXEC_FAILED:
		outcome->ending = message->kind == HELLO_FAULT
					  ? ENDING_FAULT
					  : ENDING_EXEC_FAILED;
		outcome->fault = message->body.fault;
		expect_end(watch);
		break;
	case HELLO_ENDED:
		outcome->ending = ENDING_COMMAND;
		outcome->raw = message->value;
		outcome->usage = message->body.usage;
		outcome->oom_kills = engine_oom_kills(watch->plan);
		expect_end(watch);
		break;
	case HELLO_GO:
	case HELLO_SIGNAL:
	case HELLO_SIGNAL_JOB:
	case HELLO_FOREGROUND:
	case HELLO_KINDS:
		break; /* handshake_receive lets none of these through */
	}
}

static void hear(struct watch *watch)
{
	struct hello_message message;
	int fds[HELLO_FDS];
	int answer = handshake_receive_watch(watch->handshake, &message, fds);

	if (answer > 0 && message.kind == HELLO_WATCH && message.value == 0)
		lookout_take(&watch->lookout, fds, watch->init);
	if (answer > 0) {
		heard(watch, &message);
		return;
	}
	/* init hangs up by dying; anything else is no init of ours any more */
	if (answer == 0)
		fd_close(&watch->handshake);
	else
		kill_init(watch);
}

static void heed(struct watch *watch)
{
	struct signalfd_siginfo info[4];
	ssize_t n = read(watch->signals, info, sizeof(info));

	for (ssize_t i = 0; i < n / (ssize_t)sizeof(*info); i++)
		job_signal(watch, &info[i]);
}

/* Init keeps the time limit. The deadlines here are for an init that hangs, as
 * it does while it builds on a file system that does not answer. */
static void overdue(struct watch *watch)
{
	if (deadline_has_passed(&watch->answer) &&
	    handshake_is_unread(watch->handshake)) {
		watch->outcome.cut_short = watch->unanswered;
		kill_init(watch);
	}
	if (!deadline_has_passed(&watch->end))
		return;
	if (watch->is_ending) {
		watch->is_over = true;
		return;
	}
	watch->outcome.is_timed_out = true;
	kill_init(watch);
}

static void wait_for_end(struct watch *watch)
{
	struct pollfd fds[] = {
		{ .fd = watch->handshake, .events = POLLIN },
		{ .fd = watch->signals, .events = POLLIN },
		{ .fd = watch->init_fd, .events = POLLIN },
		{ .events = POLLIN },
		{ .events = POLLIN },
	};
	struct lookout *lookout = &watch->lookout;

	while (!watch->is_over) {
		fds[0].fd = watch->handshake;
		fds[3].fd = lookout->listener;
		fds[4].fd = lookout->names.fd;
		(void)poll(fds, 5, deadline_poll(&watch->end, &watch->answer));
		/* its last words before its death */
		if (fds[0].revents != 0)
			hear(watch);
		else if (fds[2].revents != 0)
			watch->is_over = true;
		if (fds[1].revents != 0)
			heed(watch);
		if (fds[3].revents != 0)
			lookout_heed(lookout);
		if (fds[4].revents != 0)
			names_answer(&lookout->names, &lookout->denied);
		overdue(watch);
	}
}

/* Those whose parents could die have become init's children. */
static unsigned count_left(pid_t init)
{
	char path[64], list[4096];
	FD_OWNED int fd = -1;
	unsigned count = 0;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", init,
		       init);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, list, sizeof(list));
	for (ssize_t i = 0; i < n; i++)
		count += list[i] == ' ';
	return count != 0 ? count : 1;
}

static void collect(struct watch *watch)
{
	struct outcome *outcome = &watch->outcome;

	if (watch->init <= 0)
		return;
	if (waitpid(watch->init, &outcome->init_status, WNOHANG) == 0)
		outcome->unkillable = count_left(watch->init);
}

static void sum_up(struct watch *watch)
{
	struct lookout *lookout = &watch->lookout;
	struct outcome *outcome = &watch->outcome;

	uint64_t total = 0;

	lookout_finish(lookout);
	for (size_t i = 0; i < DENIED_KINDS; i++)
		total += outcome->denied[i] = lookout->denied.total[i];
	/* what is not known to be good is not said to be */
	outcome->is_failed_on_denied = watch->plan->fail_on_denied &&
				       (total != 0 || lookout->is_blind ||
					lookout->is_deaf);
}

static void supervise(struct watch *watch)
{
	const struct plan *plan = watch->plan;

	tell_notes(&watch->status, plan);
	if (open_signals(watch) != 0) {
		kill_init(watch);
		watch->signals = -1;
	} else if (plan->timeout_ms != 0) {
		deadline_set(&watch->end,
			     plan->timeout_ms + plan->grace_ms + GONE_MS);
	}
	wait_for_end(watch);
}

/* One line for whoever is to hear of it. */
static void dispel(struct watch *watch, const struct watch_doubt *doubt)
{
	const struct plan *plan = watch->plan;
	const char *text;

	if (!outcome_is_failure(&watch->outcome, plan) ||
	    (plan->quiet && plan->status_fd < 0))
		return;
	text = doubt->ask(doubt->argument, outcome_code(&watch->outcome));
	if (text != NULL)
		tell_note(&watch->status, plan, "cause", text);
}

static void close_all(struct watch *watch)
{
	terminal_close(&watch->terminal);
	fd_close(&watch->init_fd);
	fd_close(&watch->handshake);
	fd_close(&watch->signals);
	fd_close(&watch->supervisor);
	lookout_done(&watch->lookout);
	status_done(&watch->status);
}

int watch_run(const struct plan *plan, const struct watch_doubt *doubt)
{
	struct watch watch = {
		.plan = plan,
		.init_fd = -1,
		.handshake = -1,
		.signals = -1,
		.supervisor = -1,
	};

	status_init(&watch.status, plan->status_fd, plan->id);
	lookout_init(&watch.lookout, &watch.status, plan);
	take_signals(&watch);
	terminal_open(&watch.terminal);
	if (watch.terminal.is_asked && terminal_is_ours(&watch.terminal))
		terminal_lend(&watch.terminal);
	if (plan->timeout_ms != 0)
		deadline_set(&watch.end, plan->timeout_ms);
	if (make_init(&watch) == 0)
		supervise(&watch);
	collect(&watch);
	terminal_restore(&watch.terminal, watch.outcome.unkillable != 0);
	sum_up(&watch);
	if (plan->report && outcome_has_run(&watch.outcome))
		denied_report(&watch.lookout.denied);
	if (!plan->report)
		dispel(&watch, doubt);
	tell_end(&watch.status, plan, &watch.outcome);
	job_end(&watch);
	close_all(&watch);
	return outcome_code(&watch.outcome);
}
