/*
 * Known causes by failing call and errno. Only what is likely is said; a row
 * with a file to look at stands before the rows that guess.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/hint.h"
#include "base/io.h"
#include "base/sys.h"

#define SAY(cause, mend) cause, mend, cause ": " mend
#define ALWAYS		 NULL, NULL
#define KNOB(name)	 "/proc/sys/" name
#define FILTERED	 "/proc/self/status", "Seccomp:\t2"
#define NO_IDS		 "/proc/self/uid_map", ""
#define ROOT		 "/proc/self/status", "Uid:\t0\t0\t0\t0"
#define APPARMOR	 KNOB("kernel/apparmor_restrict_unprivileged_userns"), "1"

#define MOUNT_API                                          \
	"fsopen fsconfig fsmount open_tree mount_setattr " \
	"move_mount"
/* What an outer filter denies and the kernel would have allowed. */
#define CALLS MOUNT_API " pivot_root umount2 sethostname keyctl seccomp openat2"

#define SAY_FILTERED                                               \
	SAY("a system call filter around this process forbids "    \
	    "it",                                                  \
	    "docker run --security-opt seccomp=" CORDON_CONTRIBDIR \
	    "/docker-seccomp.json (other containers: cordon "      \
	    "doctor)")
#define SAY_APPARMOR                                           \
	SAY("AppArmor keeps user namespaces from programs "    \
	    "without a profile (Ubuntu)",                      \
	    "sudo install -m 644 " CORDON_CONTRIBDIR           \
	    "/apparmor/cordon /etc/apparmor.d/cordon && sudo " \
	    "apparmor_parser -r /etc/apparmor.d/cordon")
#define SAY_MODULE                                              \
	SAY("a security module (AppArmor, SELinux) forbids it", \
	    "sudo journalctl -k -g 'apparmor|avc' (in Docker: " \
	    "--security-opt apparmor=unconfined)")
#define SAY_OLD                                              \
	SAY("the mount API needs Linux 5.12, and no filter " \
	    "that hides it",                                 \
	    "uname -r; grep Seccomp: /proc/self/status")
#define SAY_MASKED                                              \
	SAY("a new /proc may not show more than the old one, "  \
	    "parts of which are masked",                        \
	    "docker run --security-opt systempaths=unconfined " \
	    "(other containers: cordon doctor)")
#define SAY_NO_PROC \
	SAY("no whole /proc is mounted here", "sudo mount -t proc proc /proc")

/* user.max_NAME_namespaces of this user namespace is 0. */
#define NO_MORE(name)                                                 \
	{                                                             \
		"spaces", "clone3", NULL, ENOSPC,                     \
			KNOB("user/max_" name "_namespaces"), "0",    \
			SAY("user.max_" name "_namespaces is 0 here", \
			    "sudo sysctl -w user.max_" name           \
			    "_namespaces=10000")                      \
	}

static const struct hint hints[] = {
	{ "kernel", "uname", NULL, 0, ALWAYS,
	  SAY("WSL1 translates system calls and has no namespaces",
	      "wsl.exe --set-version DISTRIBUTION 2") },

	{ "spaces", "clone3", NULL, EPERM,
	  KNOB("kernel/unprivileged_userns_clone"), "0",
	  SAY("this kernel keeps user namespaces from ordinary users",
	      "sudo sysctl -w kernel.unprivileged_userns_clone=1") },
	{ "spaces", "clone3", NULL, EPERM, APPARMOR, SAY_APPARMOR },
	{ "spaces", "clone3", NULL, EACCES, APPARMOR, SAY_APPARMOR },
	{ "spaces", "clone3", NULL, EPERM, NO_IDS,
	  SAY("this process's ids have no meaning in its user namespace",
	      "unshare --user --map-root-user cordon run -- COMMAND") },
	{ "spaces", "clone3", NULL, EPERM, FILTERED, SAY_FILTERED },
	{ "spaces", "clone3", NULL, EPERM, ALWAYS,
	  SAY("a process in a chroot makes no user namespace",
	      "from outside: cordon run --root DIRECTORY -- COMMAND") },
	{ "spaces", "clone3", NULL, EACCES, ALWAYS, SAY_MODULE },
	{ "spaces", "clone3", NULL, ENOSYS, FILTERED, SAY_FILTERED },
	{ "spaces", "clone3", NULL, ENOSYS, ALWAYS,
	  SAY("clone3 needs Linux 5.3, and no filter that hides it",
	      "uname -r; grep Seccomp: /proc/self/status") },
	{ "spaces", "clone3", NULL, EINVAL, ALWAYS,
	  SAY("this kernel is built without one of the namespaces, or is "
	      "not Linux (WSL1, gVisor)",
	      "zgrep -E 'CONFIG_(USER|PID|NET|IPC|UTS)_NS' "
	      "/proc/config.gz; wsl.exe --set-version DISTRIBUTION 2") },
	NO_MORE("user"),
	NO_MORE("mnt"),
	NO_MORE("pid"),
	NO_MORE("ipc"),
	NO_MORE("uts"),
	NO_MORE("cgroup"),
	NO_MORE("net"),
	{ "spaces", "clone3", NULL, ENOSPC, ALWAYS,
	  SAY("as many namespaces as a limit allows, here or in an outer "
	      "user namespace, or 32 levels of them",
	      "sudo sysctl -w user.max_user_namespaces=100000; sysctl -a -r "
	      "'^user.max_.*_namespaces'") },
	{ "spaces", "clone3", NULL, EUSERS, ALWAYS,
	  SAY("namespaces are nested 32 levels deep",
	      "readlink /proc/self/ns/user") },
	{ "spaces", "clone3", NULL, EAGAIN, ALWAYS,
	  SAY("as many processes as a limit allows",
	      "ulimit -u \"$(ulimit -H -u)\"") },

	{ "map-uid", "write", NULL, EPERM, APPARMOR, SAY_APPARMOR },
	{ "map-uid", "write", NULL, EACCES, APPARMOR, SAY_APPARMOR },
	{ "map-gid", "write", NULL, EPERM, APPARMOR, SAY_APPARMOR },
	{ "map-gid", "write", NULL, EACCES, APPARMOR, SAY_APPARMOR },
	{ "map-uid", "write", NULL, EPERM, ROOT,
	  SAY("root without the capability CAP_SETFCAP may not map itself",
	      "docker run --cap-add SETFCAP, or as an ordinary user: setpriv "
	      "--reuid 1000 --clear-groups cordon run -- COMMAND") },
	{ "map-uid", "write", NULL, EPERM, ALWAYS, SAY_MODULE },
	{ "map-uid", "write", NULL, EACCES, ALWAYS, SAY_MODULE },
	{ "map-gid", "write", NULL, EPERM, ALWAYS, SAY_MODULE },
	{ "map-gid", "write", NULL, EACCES, ALWAYS, SAY_MODULE },
	{ "map-uid", "write", NULL, EROFS, ALWAYS,
	  SAY("/proc is mounted read-only", "sudo mount -o remount,rw /proc") },
	{ "map-uid", "write", NULL, ENOENT, ALWAYS, SAY_NO_PROC },
	{ "store", "move_mount", NULL, ENOENT, ALWAYS, SAY_NO_PROC },

	{ NULL, "fsmount", "proc", EPERM, ALWAYS, SAY_MASKED },
	{ "overlay", "fsopen", NULL, ENODEV, ALWAYS,
	  SAY("the overlay module is not loaded", "sudo modprobe overlay") },
	{ "overlay", "uname", NULL, ENOSYS, ALWAYS,
	  SAY("overlays need Linux 6.6", "uname -r") },
	{ NULL, "pivot_root", NULL, EINVAL, ALWAYS,
	  SAY("the root file system is the initramfs, which cannot be left",
	      "mount -t tmpfs tmpfs /newroot && cp -ax / /newroot && exec "
	      "switch_root /newroot /sbin/init") },

	{ "keyring", "keyctl", NULL, EDQUOT, ALWAYS,
	  SAY("this user's key quota is used up (keyring_quota)",
	      "sudo sysctl -w kernel.keys.maxkeys=2000 "
	      "kernel.keys.maxbytes=200000") },
	{ "limit", "setrlimit", NULL, EPERM, ALWAYS,
	  SAY("the limit is above the hard limit that is in force",
	      "ulimit -H -a") },
	{ "watch", "seccomp", NULL, EBUSY, ALWAYS,
	  SAY("a program outside listens to system calls already, as a "
	      "container engine can, and only one may",
	      "end it, or leave out --report and --fail-on") },
	{ "watch", "seccomp", NULL, EINVAL, ALWAYS,
	  SAY("watching needs Linux 5.5", "leave out --report and --fail-on") },
	{ NULL, "seccomp", NULL, EINVAL, ALWAYS,
	  SAY("this kernel has no seccomp filters, or the program is not one",
	      "zgrep CONFIG_SECCOMP_FILTER /proc/config.gz") },
	{ NULL, "seccomp", NULL, ENOMEM, ALWAYS,
	  SAY("too many filters are stacked on this process",
	      "grep Seccomp_filters: /proc/self/status") },
	{ NULL, "landlock_create_ruleset", NULL, EOPNOTSUPP, ALWAYS,
	  SAY("Landlock is built in and not started",
	      "add landlock to lsm= of the kernel's command line, or: cordon "
	      "run --net host --allow-abstract -- COMMAND") },
	{ NULL, "landlock_create_ruleset", NULL, 0, ALWAYS,
	  SAY("Landlock scopes need Linux 6.12, and no filter that hides them",
	      "cordon run --net host --allow-abstract -- COMMAND") },
	{ "loopback", "socket", NULL, EAFNOSUPPORT, ALWAYS,
	  SAY("IPv4 is not in this kernel, or kept from this process",
	      "systemctl edit UNIT: RestrictAddressFamilies=AF_UNIX AF_INET "
	      "AF_INET6") },
	{ "cgroup", NULL, NULL, 0, ALWAYS,
	  SAY("no cgroup here is this user's to divide",
	      "systemd-run --user --scope -p Delegate=yes cordon run -- "
	      "COMMAND (root: without --user)") },

	{ NULL, CALLS, NULL, EPERM, FILTERED, SAY_FILTERED },
	{ NULL, CALLS, NULL, ENOSYS, FILTERED, SAY_FILTERED },
	{ NULL, "signal", NULL, 0, FILTERED, SAY_FILTERED },
	{ NULL, MOUNT_API, NULL, ENOSYS, ALWAYS, SAY_OLD },
	{ NULL, CALLS, NULL, EPERM, APPARMOR, SAY_APPARMOR },
	{ NULL, CALLS, NULL, EPERM, ALWAYS, SAY_MODULE },
	{ NULL, CALLS, NULL, EACCES, ALWAYS, SAY_MODULE },
	{ NULL, NULL, NULL, EMFILE, ALWAYS,
	  SAY("as many open files as a limit allows",
	      "ulimit -n \"$(ulimit -H -n)\"") },
	{ NULL, NULL, NULL, ENFILE, ALWAYS,
	  SAY("as many open files as this machine allows",
	      "sudo sysctl -w fs.file-max=1000000") },
	{ NULL, FAULT_REPLACED, NULL, ESTALE, ALWAYS,
	  SAY("somebody renamed it during the start", "run it again") },
	{ "inspect", "execve", NULL, ENOENT, ALWAYS,
	  SAY("the program beside cordon is not installed",
	      "sudo make install") },
};

/* `words` has spaces between them. */
static bool is_one_of(const char *word, const char *words)
{
	size_t length = strlen(word);

	while (*words != '\0') {
		size_t n = strcspn(words, " ");

		if (n == length && memcmp(words, word, n) == 0)
			return true;
		words += n;
		words += *words == ' ';
	}
	return false;
}

static bool has_line(const char *text, const char *line)
{
	size_t length = strlen(line);

	if (length == 0)
		return *text == '\0';
	for (; text != NULL; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, line, length) == 0 &&
		    (text[length] == '\n' || text[length] == '\0'))
			return true;
	}
	return false;
}

static bool file_says(const char *file, const char *line)
{
	char text[4096];
	FD_OWNED int fd = sys_openat(AT_FDCWD, file, O_RDONLY, 0);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (length < 0)
		return false;
	text[length] = '\0';
	return has_line(text, line);
}

static bool fits(const struct hint *hint, const struct fault *fault)
{
	if (hint->error != 0 && hint->error != fault->error)
		return false;
	if (hint->stage != NULL && strcmp(hint->stage, fault->stage) != 0)
		return false;
	if (hint->calls != NULL && strcmp(fault->call, hint->calls) != 0 &&
	    !is_one_of(fault->call, hint->calls))
		return false;
	if (hint->object != NULL && strcmp(hint->object, fault->object) != 0)
		return false;
	return hint->file == NULL || file_says(hint->file, hint->line);
}

const struct hint *hint_find(const struct fault *fault)
{
	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++) {
		if (fits(&hints[i], fault))
			return &hints[i];
	}
	return NULL;
}

const char *hint_for(const struct fault *fault)
{
	const struct hint *hint = hint_find(fault);

	return hint != NULL ? hint->text : NULL;
}
