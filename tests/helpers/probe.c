/*
 * probe WHAT [ARG...]: makes one attempt and prints "ok", or the name of the
 * errno of the call that failed. The exit status is 0 for ok, 1 for a failed
 * attempt and 2 for words that make no sense, so that a test can tell a denial
 * from a mistake of its own.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <linux/nsfs.h>
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000, HANDLE_ROOM = 128 };

static int number(const char *word)
{
	return (int)strtol(word, NULL, 0);
}

/* An address of either family, numeric. The length, or 0. */
static socklen_t parse_address(const char *host, const char *port,
			       struct sockaddr_storage *room)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)room;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)room;

	memset(room, 0, sizeof(*room));
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons((uint16_t)number(port));
		return sizeof(*v4);
	}
	if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons((uint16_t)number(port));
		return sizeof(*v6);
	}
	return 0;
}

static int try_connect(int fd, const void *address, socklen_t length)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };
	int error = 0;
	socklen_t size = sizeof(error);

	if (connect(fd, address, length) == 0)
		return 0;
	if (errno != EINPROGRESS)
		return -1;
	if (poll(&ready, 1, PATIENCE_MS) <= 0) {
		errno = ETIMEDOUT;
		return -1;
	}
	(void)getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
	errno = error;
	return error == 0 ? 0 : -1;
}

/* tcp HOST PORT */
static int probe_tcp(char **words)
{
	struct sockaddr_storage address;
	socklen_t length = parse_address(words[0], words[1], &address);
	int fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK, 0);

	return fd < 0 ? -1 : try_connect(fd, &address, length);
}

/* udp HOST PORT: sends one byte */
static int probe_udp(char **words)
{
	struct sockaddr_storage address;
	socklen_t length = parse_address(words[0], words[1], &address);
	int fd = socket(address.ss_family, SOCK_DGRAM, 0);

	if (fd < 0)
		return -1;
	return sendto(fd, "x", 1, 0, (void *)&address, length) == 1 ? 0 : -1;
}

/* unix PATH, or unix @NAME for an abstract one */
static int probe_unix(char **words)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(words[0]);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd < 0 || length >= sizeof(address.sun_path))
		return -1;
	memcpy(address.sun_path, words[0], length);
	if (words[0][0] == '@')
		address.sun_path[0] = '\0';
	else
		length++;
	return connect(
		fd, (void *)&address,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
}

/* socket FAMILY TYPE PROTOCOL, as numbers */
static int probe_socket(char **words)
{
	return socket(number(words[0]), number(words[1]), number(words[2]));
}

/* openat FD PATH */
static int probe_openat(char **words)
{
	return openat(number(words[0]), words[1], O_RDONLY);
}

static int probe_fchdir(char **words)
{
	return fchdir(number(words[0]));
}

/* handle PATH: by its handle, from the current directory's mount */
static int probe_handle(char **words)
{
	union {
		struct file_handle head;
		char room[sizeof(struct file_handle) + HANDLE_ROOM];
	} handle = { .head.handle_bytes = HANDLE_ROOM };
	int mount, dir = open(".", O_RDONLY | O_DIRECTORY);

	if (dir < 0 ||
	    name_to_handle_at(AT_FDCWD, words[0], &handle.head, &mount, 0) != 0)
		return -1;
	return open_by_handle_at(dir, &handle.head, O_RDONLY);
}

/* ns NAME: the parent or owner of a namespace of ours */
static int probe_ns(char **words)
{
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/self/ns/%s", words[0]);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -1;
	if (ioctl(fd, NS_GET_USERNS) >= 0)
		return ioctl(fd, NS_GET_PARENT);
	return -1;
}

/* sleep: something to be looked at */
static int probe_sleep(char **words)
{
	(void)words;
	(void)puts("sleeping");
	(void)fflush(stdout);
	return pause();
}

static int probe_unshare(char **words)
{
	return unshare(number(words[0]));
}

static int probe_chroot(char **words)
{
	return chroot(words[0]);
}

static int probe_ptrace(char **words)
{
	return (int)ptrace(PTRACE_SEIZE, number(words[0]), NULL, NULL);
}

/* peek PID: one byte of its memory, where another probe has one too */
static int probe_peek(char **words)
{
	static char place;
	char byte;
	struct iovec here = { &byte, 1 }, there = { &place, 1 };

	return process_vm_readv(number(words[0]), &here, 1, &there, 1, 0) == 1
		       ? 0
		       : -1;
}

/* kill PID SIGNAL */
static int probe_kill(char **words)
{
	return kill(number(words[0]), number(words[1]));
}

static int probe_tiocsti(char **words)
{
	return ioctl(number(words[0]), TIOCSTI, "#");
}

static int probe_tiocsctty(char **words)
{
	(void)setsid();
	return ioctl(number(words[0]), TIOCSCTTY, 1);
}

/* key NAME: a key of the session keyring */
static int probe_key(char **words)
{
	return syscall(SYS_request_key, "user", words[0], NULL, 0) < 0 ? -1 : 0;
}

/* addkey NAME: joins a new session keyring with a key, then runs the rest */
static int probe_addkey(char **words)
{
	if (syscall(SYS_keyctl, 1 /* JOIN_SESSION_KEYRING */, NULL) < 0)
		return -1;
	if (syscall(SYS_add_key, "user", words[0], "x", 1, -3) < 0)
		return -1;
	(void)execvp(words[1], words + 1);
	return -1;
}

static int probe_shmget(char **words)
{
	return shmget(number(words[0]), 4096, 0600);
}

static int probe_shmmake(char **words)
{
	return shmget(number(words[0]), 4096, 0600 | IPC_CREAT);
}

static int probe_shmrm(char **words)
{
	return shmctl(shmget(number(words[0]), 0, 0), IPC_RMID, NULL);
}

static int probe_ambient(char **words)
{
	return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number(words[0]), 0,
		     0);
}

static int probe_capset(char **words)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2] = { 0 };

	data[0].effective = data[0].permitted = 1U << number(words[0]);
	return (int)syscall(SYS_capset, &head, data);
}

static int probe_hostname(char **words)
{
	return sethostname(words[0], strlen(words[0]));
}

/* mount SOURCE TARGET TYPE FLAGS [DATA] */
static int probe_mount(char **words)
{
	return mount(words[0], words[1], words[2],
		     (unsigned long)number(words[3]), words[4]);
}

/* umount TARGET FLAGS */
static int probe_umount(char **words)
{
	return umount2(words[0], number(words[1]));
}

/* clone TARGET FLAGS: open_tree of a mount, detached */
static int probe_clone(char **words)
{
	return open_tree(AT_FDCWD, words[0],
			 (unsigned)number(words[1]) | OPEN_TREE_CLONE);
}

/* movemount SOURCE TARGET */
static int probe_movemount(char **words)
{
	return move_mount(AT_FDCWD, words[0], AT_FDCWD, words[1], 0);
}

/* setattr TARGET SET CLEAR, recursively */
static int probe_setattr(char **words)
{
	struct mount_attr attr = {
		.attr_set = (uint64_t)number(words[1]),
		.attr_clr = (uint64_t)number(words[2]),
	};

	return mount_setattr(AT_FDCWD, words[0], AT_RECURSIVE, &attr,
			     sizeof(attr));
}

static int probe_pivot(char **words)
{
	return (int)syscall(SYS_pivot_root, words[0], words[1]);
}

static int probe_fsopen(char **words)
{
	return fsopen(words[0], 0);
}

/* mq NAME */
static int probe_mq(char **words)
{
	return mq_open(words[0], O_RDONLY);
}

static int probe_mqmake(char **words)
{
	return mq_open(words[0], O_RDONLY | O_CREAT, 0600, NULL);
}

static int probe_mqrm(char **words)
{
	return mq_unlink(words[0]);
}

/* write PATH: opens it for writing, and no more */
static int probe_write(char **words)
{
	return open(words[0], O_WRONLY);
}

static const struct {
	const char *name;
	int words;
	int (*run)(char **words);
} probes[] = {
	{ "tcp", 2, probe_tcp },
	{ "udp", 2, probe_udp },
	{ "unix", 1, probe_unix },
	{ "socket", 3, probe_socket },
	{ "openat", 2, probe_openat },
	{ "fchdir", 1, probe_fchdir },
	{ "handle", 1, probe_handle },
	{ "ns", 1, probe_ns },
	{ "unshare", 1, probe_unshare },
	{ "chroot", 1, probe_chroot },
	{ "ptrace", 1, probe_ptrace },
	{ "peek", 1, probe_peek },
	{ "kill", 2, probe_kill },
	{ "tiocsti", 1, probe_tiocsti },
	{ "tiocsctty", 1, probe_tiocsctty },
	{ "key", 1, probe_key },
	{ "addkey", 2, probe_addkey },
	{ "shmget", 1, probe_shmget },
	{ "shmmake", 1, probe_shmmake },
	{ "shmrm", 1, probe_shmrm },
	{ "ambient", 1, probe_ambient },
	{ "capset", 1, probe_capset },
	{ "hostname", 1, probe_hostname },
	{ "mount", 4, probe_mount },
	{ "umount", 2, probe_umount },
	{ "clone", 2, probe_clone },
	{ "movemount", 2, probe_movemount },
	{ "setattr", 3, probe_setattr },
	{ "pivot", 2, probe_pivot },
	{ "fsopen", 1, probe_fsopen },
	{ "mq", 1, probe_mq },
	{ "mqmake", 1, probe_mqmake },
	{ "mqrm", 1, probe_mqrm },
	{ "write", 1, probe_write },
	{ "sleep", 0, probe_sleep },
};

static int tell(int result)
{
	if (result >= 0) {
		(void)puts("ok");
		return 0;
	}
	(void)puts(strerrorname_np(errno));
	return 1;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(probes) / sizeof(*probes);
	     i++) {
		if (strcmp(probes[i].name, argv[1]) == 0 &&
		    argc - 2 >= probes[i].words)
			return tell(probes[i].run(argv + 2));
	}
	(void)fputs("usage: probe WHAT [ARG...]\n", stderr);
	return 2;
}
