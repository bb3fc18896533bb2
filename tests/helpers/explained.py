#!/usr/bin/python3
"""Does the kernel do what `cordon explain` says? A tree and rules made from a
seed; every path is explained, tried inside by this same program, and compared.

    explained.py CORDON DIR SEED      in the empty directory DIR
    explained.py --try < PATHS        inside: one JSON object of results
"""
import errno
import json
import os
import random
import shlex
import socket
import subprocess
import sys
import time

ATTEMPTS = ("read", "write", "create_in", "create", "connect", "rename")
PATHS, RULES = 500, 50
# refused answers of which the words are tried, and of which others are
MENDED, UNMENDED = 12, 6


# of /dev all is known but what terminals say
DEV = ["/dev", "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
       "/dev/urandom", "/dev/shm", "/dev/shm/missing", "/dev/missing",
       "/dev/null/missing"]
DEPENDS = ["/dev/tty", "/dev/fd", "/dev/stdin", "/dev/ptmx"]


def result(attempt):
    try:
        attempt()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "ok"


def opened(path, flags):
    """ETXTBSY comes before all that a mount says, while anybody on the machine
    runs the file: a moment later nobody does."""
    for patience in range(200):
        try:
            os.close(os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC))
            return
        except OSError as error:
            if error.errno != errno.ETXTBSY or patience == 199:
                raise
        time.sleep(0.01)


def create(directory):
    name = os.path.join(directory, ".created")
    opened(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.unlink(name)


def connect(path):
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(path)


def rename(path):
    os.rename(path, path + ".moved")
    os.rename(path + ".moved", path)


def try_path(path):
    results = {
        "read": result(lambda: opened(path, os.O_RDONLY)),
        "write": result(lambda: opened(path, os.O_WRONLY)),
        "create": result(lambda: create(os.path.dirname(path))),
        "connect": result(lambda: connect(path)),
        "rename": result(lambda: rename(path)),
    }
    if os.path.isdir(path):
        results["create_in"] = result(lambda: create(path))
    return results


class Tree:
    """Directories, files, links and sockets below one directory."""

    def __init__(self, top, random_):
        self.random = random_
        self.top = top
        self.dirs, self.files, self.links = [top], [], []
        self.modes, self.sockets = [], []
        os.mkdir(top)
        # each kind of root has a place, and the overlay a directory in it
        for name in ("d0", "d1", "d2", "d3", "d1/lower"):
            path = os.path.join(top, name)
            os.mkdir(path)
            self.dirs.append(path)
        while len(self.paths()) < PATHS:
            self.add(len(self.paths()))
        self.add_socket(os.path.join(top, "d0", "s"))
        self.missing = [os.path.join(d, "missing")
                        for d in random_.sample(self.dirs, 40)]
        # modes last: what nobody may enter has things in it, too; the deepest
        # first, as the ordinary user cannot reach into what is shut
        for path, mode in reversed(self.modes):
            os.chmod(path, mode)

    def paths(self):
        return self.dirs + self.files + self.links

    def add(self, number):
        near = [d for d in self.dirs if d.count("/") < self.top.count("/") + 5]
        parent = self.random.choice(near)
        kind = self.random.choices("dflsL", (30, 50, 10, 2, 3))[0]
        path = os.path.join(parent, kind + str(number))
        if kind == "d":
            os.mkdir(path)
            self.dirs.append(path)
            if number > 60 and self.random.random() < 0.08:
                self.modes.append((path, self.random.choice(
                    (0o555, 0o311, 0, 0o644, 0o1777))))
        elif kind == "f":
            with open(path, "w") as file:
                file.write(path)
            self.files.append(path)
            if self.random.random() < 0.15:
                self.modes.append((path, self.random.choice(
                    (0o400, 0o200, 0, 0o755, 0o4711))))
        elif kind == "s":
            self.add_socket(path)
        else:
            self.add_link(path, kind)

    def add_socket(self, path):
        end = socket.socket(socket.AF_UNIX)
        end.bind(path)
        end.listen()
        self.sockets.append(end)
        self.files.append(path)

    def add_link(self, path, kind):
        target = self.random.choice(self.paths())
        if kind == "L":
            target = self.random.choice(("nowhere", path, "../..", "/tmp"))
        elif self.random.random() < 0.5:
            target = os.path.relpath(target, os.path.dirname(path))
        os.symlink(target, path)
        self.links.append(path)

    def undo_modes(self):
        for path, _ in self.modes:
            os.chmod(path, 0o700)


def choose_rules(tree, profile):
    """Words of about RULES rules, one a place."""
    random_ = tree.random
    shut = {path for path, _ in tree.modes}

    def plain(path):
        return not any(path == s or path.startswith(s + "/") for s in shut)

    dirs = [d for d in tree.dirs[1:] if plain(d) and
            os.path.basename(d) != "lower"]
    files = [f for f in tree.files if plain(f) and
             os.path.basename(f).startswith("f")]
    top = [d for d in dirs if os.path.dirname(d) == tree.top]
    places = top + random_.sample([d for d in dirs if d not in top],
                                  min(30, len(dirs) - len(top)))
    words, masked = [], []
    for place in places[:34]:
        kind = random_.choices(
            ("write", "read", "overlay", "mask", "protect", "tmpfs"),
            (8, 4, 3, 2, 3, 2) if place not in top else (6, 2, 2, 0, 0, 1))[0]
        words.append((kind, place))
    # every tree shows each kind of root
    for number, kind in enumerate(("write", "overlay", "read")):
        words[number] = (kind, top[number])
    for place in random_.sample(files, 10):
        words.append((random_.choice(("mask", "protect", "read")), place))
    for place in random_.sample([f for f in files if
                                 ("mask", f) not in words and
                                 ("protect", f) not in words and
                                 ("read", f) not in words], 3):
        masked.append(place)
    with open(profile, "w") as file:
        file.writelines("mask %s\n" % place for place in masked)
    words += [("unmask", place) for place in masked[:2]]
    for number, source in enumerate(random_.sample(top, min(3, len(top)))):
        words.append((random_.choice(("read", "write")),
                      "%s:/other/%d" % (source, number)))
    return words


def more_rules(tree, words, count):
    """Read roots of files that no word names yet: a tree accepts most."""
    named = {place for _, place in words}
    shut = [path for path, _ in tree.modes]
    free = [f for f in tree.files if f not in named and
            os.path.basename(f).startswith("f") and
            not any(f == s or f.startswith(s + "/") for s in shut)]
    return [("read", f) for f in tree.random.sample(free, count)]


def run(words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, check=False, **more)


def spoken(words):
    return [w for kind, place in words for w in ("--" + kind, place)]


def settle(cordon, words, fixed):
    """Rules that contradict the tree are refused, all at once; without them
    the rest must be accepted."""
    while True:
        options = fixed + spoken(words)
        said = subprocess.run([cordon, "show"] + options, check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        if said.returncode == 0:
            return words
        kept = [w for w in words
                if "--%s %s: " % w not in said.stderr]
        if kept == words:
            sys.exit("refused for another reason:\n" + said.stderr)
        print("refused, left out: %d" % (len(words) - len(kept)))
        words = kept


def compare(answers, tried):
    wrong, seen = [], {}
    for path, results in tried.items():
        answer = answers.get(path, {})
        for attempt in ATTEMPTS:
            said = answer.get(attempt, "nothing")
            did = results.get(attempt, "nothing")
            seen[attempt, did] = seen.get((attempt, did), 0) + 1
            if path in DEPENDS and said in ("depends", "nothing"):
                continue
            if said != did:
                wrong.append("%s %s: explained %s, got %s (%s, %s)" % (
                    attempt, path, said, did, answer.get("kind"),
                    answer.get("rule", {}).get("words")))
    return wrong, seen


def check_seen(seen):
    """A comparison of refusals only would prove nothing."""
    for need in (("read", "ok"), ("read", "EACCES"), ("read", "ENOENT"),
                 ("write", "ok"), ("write", "EROFS"), ("create", "ok"),
                 ("create", "EROFS"), ("create_in", "ok"),
                 ("create_in", "EROFS"), ("rename", "ok"), ("rename", "EBUSY"),
                 ("rename", "EXDEV"), ("connect", "ok")):
        if not seen.get(need):
            sys.exit("the tree shows no %s that gives %s: %s" %
                     (need + (seen,)))


class Box:
    """A sandbox of some words, in which paths are tried."""

    def __init__(self, cordon, fixed, words):
        self.cordon, self.fixed, self.words = cordon, fixed, words

    def run(self, verb, paths, **more):
        return run([self.cordon] + verb + self.fixed + spoken(self.words) +
                   ["--"] + paths, **more)

    def explain(self, paths):
        said = self.run(["explain", "--json"], paths)
        if said.returncode != 0:
            sys.exit("explain ended with %d" % said.returncode)
        return {a["path"]: a for a in json.loads(said.stdout)["answers"]}

    def tried(self, paths):
        """None where it is refused."""
        me = os.path.realpath(__file__)
        done = self.run([], ["/usr/bin/python3", me, "--try"],
                        input=json.dumps(paths).encode(),
                        stderr=subprocess.DEVNULL)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def changed(self, mend):
        """The same with the words of an answer."""
        said = shlex.split(mend)
        words = list(self.words)
        if said[:2] == ["leave", "out"]:
            words.remove((said[2][2:], said[3]))
            return Box(self.cordon, self.fixed, words)
        if said[2:5] == ["in", "place", "of"]:
            words.remove((said[5][2:], said[6]))
        words.append((said[0][2:], said[1]))
        return Box(self.cordon, self.fixed, words)


def is_better(before, after):
    """Something is open that was not, and nothing is shut that was open."""
    return (any(before[a] != "ok" and after.get(a) == "ok" for a in before
                if a != "rename") and
            all(before[a] != "ok" or after.get(a) == "ok" for a in before))


def check_mends(box, tree, answers, tried):
    """What would open it opens it; and where nothing is said to, the plain
    words do not."""
    random_ = tree.random
    refused = [p for p in answers if p in tried and
               any(r != "ok" for r in tried[p].values())]
    sorts = {}
    for path in refused:
        if "to_open" in answers[path]:
            said = shlex.split(answers[path]["to_open"])
            sort = (said[0], *said[2:3], answers[path]["kind"])
            sorts.setdefault(sort, []).append(path)
    sample = [random_.choice(sorts[sort]) for sort in sorted(sorts)]
    mended = [p for paths in sorts.values() for p in paths]
    sample += random_.sample(mended, min(MENDED, len(mended)))
    for path in sample:
        mend = answers[path]["to_open"]
        after = box.changed(mend).tried([path])
        if after is None or not is_better(tried[path], after[path]):
            sys.exit("%s: %r opens nothing: %s, then %s" % (
                path, mend, tried[path], after))
    shut = [p for p in refused if "to_open" not in answers[p] and
            p.startswith(tree.top + "/") and answers[p]["kind"] != "masked"]
    for path in random_.sample(shut, min(UNMENDED, len(shut))):
        for word in ("--read", "--write"):
            after = box.changed(word + " " + shlex.quote(path)).tried([path])
            if after is not None and is_better(tried[path], after[path]):
                sys.exit("%s: %s would open it: %s, then %s" % (
                    path, word, tried[path], after))
    print("words tried: %d, of %s" % (len(sample), sorted(sorts)))
    if len(sorts) < 5 or not shut:
        sys.exit("too few words to prove anything")


def check_tree(cordon, directory, tree):
    profile = os.path.join(directory, "profile")
    me = os.path.realpath(__file__)
    # the interpreter's place may be no part of @system's defaults
    fixed = ["--profile", profile, "--read", me, "--cwd", "/"]
    words = settle(cordon, choose_rules(tree, profile), fixed)
    while len(words) < RULES:
        words = settle(cordon, words + more_rules(tree, words,
                                                  RULES - len(words)), fixed)
    box = Box(cordon, fixed, words)
    paths = tree.paths() + tree.missing
    paths += ["/other", "/etc/passwd", "/etc/hosts", "/usr/bin/env", "/",
              "/run", "/tmp", "/var/tmp", "/root"]
    paths += DEV + DEPENDS
    for top in ("/other/0", "/other/1", "/other/2"):
        for kind, place in words:
            if place.endswith(":" + top):
                source = place[:-len(top) - 1]
                paths += [top + p[len(source):] for p in tree.paths()
                          if p == source or p.startswith(source + "/")][:40]
    answers = box.explain(paths)
    tried = box.tried(paths)
    if tried is None:
        sys.exit("the run was refused")
    wrong, seen = compare(answers, tried)
    print("%d paths, %d rules" % (len(paths), len(words)))
    print("\n".join(wrong[:20]))
    if wrong:
        sys.exit("%d answers differ" % len(wrong))
    if len(set(paths)) < PATHS or len(set(words)) < RULES:
        sys.exit("too few to prove anything")
    check_seen(seen)
    check_mends(box, tree, answers, tried)


def main(cordon, directory, seed):
    print("seed %s" % seed)
    tree = Tree(os.path.join(directory, "t"), random.Random(int(seed)))
    try:
        check_tree(cordon, directory, tree)
    finally:
        tree.undo_modes()


if __name__ == "__main__":
    if sys.argv[1] == "--try":
        json.dump({p: try_path(p) for p in json.load(sys.stdin)}, sys.stdout)
    else:
        main(*sys.argv[1:])
