#!/usr/bin/python3
"""bwrap_seen.py OUTSIDE DIRECTORY...: what a process finds in its sandbox, a line
each, so that two sandboxes can be compared. OUTSIDE are the namespaces of the
caller, as readlink shows them; of each DIRECTORY the whole tree is told."""
import os
import stat
import sys

FLAGS = {"ro", "rw", "nosuid", "nodev", "noexec", "nosymfollow"}
SPACES = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time"]


def status(name):
    with open("/proc/self/status", encoding="utf-8") as lines:
        return next(line.split(":", 1)[1].split() for line in lines
                    if line.startswith(name + ":"))


def tell_process():
    print("ids", os.getresuid(), os.getresgid(), sorted(os.getgroups()))
    print("umask %o" % os.umask(0))
    print("cwd", os.getcwd())
    for entry in sorted(os.environ.items()):
        print("env %s=%s" % entry)
    if not os.path.exists("/proc/self/status"):
        return
    for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs",
                 "Seccomp", "SigIgn", "SigBlk"]:
        print(name, *status(name))
    print("pid", os.getpid() if os.getpid() < 10 else "many",
          "session", os.getsid(0) if os.getsid(0) < 10 else "many")


def tell_spaces(outside):
    for name in SPACES:
        try:
            link = os.readlink("/proc/self/ns/" + name)
        except OSError:
            continue
        print("space", name, "shared" if link in outside else "new")


def tell_fds():
    fds = []
    for fd in range(3, 300):
        try:
            os.fstat(fd)
            fds.append(fd)
        except OSError:
            pass
    print("fds", fds)


def tell_mounts():
    try:
        with open("/proc/self/mountinfo", encoding="utf-8") as lines:
            rows = [line.split() for line in lines]
    except OSError:
        return
    said = []
    for row in rows:
        flags = sorted(FLAGS & set(row[5].split(",")))
        said.append("mount %s %s %s" % (row[4], row[row.index("-") + 1],
                                        ",".join(flags)))
    print("\n".join(sorted(said)))


def tell_tree(path):
    try:
        st = os.lstat(path)
    except OSError as error:
        print("tree", path, error.strerror)
        return
    more = ""
    if stat.S_ISLNK(st.st_mode):
        more = os.readlink(path)
    elif stat.S_ISREG(st.st_mode):
        more = st.st_size
    print("tree", path, stat.filemode(st.st_mode), st.st_uid, st.st_gid, more)
    if stat.S_ISDIR(st.st_mode):
        try:
            names = sorted(os.listdir(path))
        except OSError as error:
            print("tree", path, error.strerror)
            return
        for name in names:
            tell_tree(os.path.join(path, name))


def main():
    tell_fds()
    tell_process()
    tell_spaces(sys.argv[1].split())
    tell_mounts()
    for path in sys.argv[2:]:
        tell_tree(path)


main()
