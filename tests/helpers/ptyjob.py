#!/usr/bin/python3
"""Drives a program on a pseudo-terminal of its own, as a person would.

usage: ptyjob.py [--seconds N] [--size ROWSxCOLS] SCRIPT PROGRAM [ARG...]

SCRIPT is a file of steps, one a line; blank lines and # comments are skipped:

    expect REGEX   wait until the output since the last match has it
    absent REGEX   it has not come since the last match, half a second later
    type TEXT      type it; \\n, \\x03 and the like as in Python
    wait SECONDS
    size ROWSxCOLS the window changes
    modes NAME     remember the terminal's modes
    same NAME      they are as remembered, within two seconds
    differ NAME    they are not, within two seconds
    foreground     the program started here is in the foreground group again
    exists PATH    it does, within two seconds
    hangup         close the terminal
    exit STATUS    wait for the program; STATUS is its code or -SIGNAL

The steps stop at the first that fails, with what the terminal showed; status 1.
The program and everything left in its session are killed at the end.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

NOISE = re.compile(
    r'\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[\[(][0-9;?<>=]*[A-Za-z]|\r')
# What a terminal answers to "who are you", "where is the cursor", "which mode";
# fish 3 and later waits for the first.
ANSWERS = ((b'\x1b[c', b'\x1b[?62;22c'), (b'\x1b[0c', b'\x1b[?62;22c'),
           (b'\x1b[6n', b'\x1b[1;1R'))
ENVIRONMENT = {'TERM': 'xterm', 'PS1': 'OUT> ', 'LC_ALL': 'C.UTF-8',
               'HISTFILE': '', 'LESS': '', 'ENV': '', 'BASH_SILENCE': '1'}


class Failure(Exception):
    """A step did not hold."""


class Job:
    """A program in a new session with a terminal."""

    def __init__(self, argv, size):
        self.shown = ''
        self.seen = 0
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(ENVIRONMENT)
            try:
                os.execvp(argv[0], argv)
            finally:
                os._exit(127)
        self.resize(size)

    def resize(self, size):
        rows, columns = (int(n) for n in size.split('x'))
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack('HHHH', rows, columns, 0, 0))

    def read(self, seconds):
        """Takes in what comes first; False when nothing can come any more."""
        if self.fd < 0 or not select.select([self.fd], [], [], seconds)[0]:
            return self.fd >= 0
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b''
        if not data:
            return False
        for question, answer in ANSWERS:
            if question in data:
                os.write(self.fd, answer)
        self.shown += NOISE.sub('', data.decode('utf-8', 'replace'))
        return True

    def expect(self, pattern, deadline):
        wanted = re.compile(pattern, re.M)
        while True:
            match = wanted.search(self.shown, self.seen)
            if match:
                self.seen = match.end()
                return
            left = deadline - time.monotonic()
            if left <= 0 or not self.read(left):
                raise Failure('never came: ' + pattern)

    def absent(self, pattern, _):
        end = time.monotonic() + 0.5
        while time.monotonic() < end and self.read(end - time.monotonic()):
            pass
        if re.search(pattern, self.shown[self.seen:], re.M):
            raise Failure('came: ' + pattern)

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.read(min(0.1, seconds)):
                time.sleep(min(0.1, seconds))

    def until(self, condition, what):
        end = time.monotonic() + 2
        while not condition():
            if time.monotonic() > end:
                raise Failure(what)
            self.drain(0.05)

    def modes(self):
        return termios.tcgetattr(self.fd)

    def wait(self, deadline):
        while self.status is None:
            pid, raw = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(raw)
            elif time.monotonic() > deadline:
                raise Failure('did not end')
            else:
                self.drain(0.05)
        return self.status

    def hang_up(self):
        if self.fd >= 0:
            os.close(self.fd)
        self.fd = -1

    def members(self):
        """Every process of the session; their pids cannot be used again while
        they are there, and the session keeps its number."""
        found = []
        for name in os.listdir('/proc'):
            if not name.isdigit():
                continue
            try:
                if os.getsid(int(name)) == self.pid:
                    found.append(int(name))
            except OSError:
                pass
        return found

    def close(self):
        for pid in self.members():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        self.hang_up()
        if self.status is None:
            os.waitpid(self.pid, 0)


def step(job, line, remembered, seconds):
    """Does one line of the script."""
    verb, _, rest = line.partition(' ')
    deadline = time.monotonic() + seconds
    if verb in ('expect', 'absent'):
        getattr(job, verb)(rest, deadline)
    elif verb == 'type':
        text = rest.encode('latin-1').decode('unicode_escape')
        os.write(job.fd, text.encode('latin-1'))
    elif verb == 'wait':
        job.drain(float(rest))
    elif verb == 'size':
        job.resize(rest)
    elif verb == 'modes':
        remembered[rest] = job.modes()
    elif verb == 'same':
        job.until(lambda: job.modes() == remembered[rest], 'other modes')
    elif verb == 'differ':
        job.until(lambda: job.modes() != remembered[rest], 'the same modes')
    elif verb == 'foreground':
        job.until(lambda: os.tcgetpgrp(job.fd) == os.getpgid(job.pid),
                  'not the foreground group')
    elif verb == 'exists':
        job.until(lambda: os.path.exists(rest), 'does not exist')
    elif verb == 'hangup':
        job.hang_up()
    elif verb == 'exit':
        status = job.wait(deadline)
        if status != int(rest):
            raise Failure(f'ended with {status}')
    else:
        sys.exit('no such step: ' + line)


def options(words):
    given = {'--seconds': '10', '--size': '24x80'}
    while words and words[0] in given:
        given[words[0]] = words[1]
        words = words[2:]
    if len(words) < 2:
        sys.exit(__doc__)
    return float(given['--seconds']), given['--size'], words


def main():
    seconds, size, words = options(sys.argv[1:])
    with open(words[0], encoding='utf-8') as file:
        lines = [line.rstrip('\n') for line in file]
    job = Job(words[1:], size)
    remembered = {}
    try:
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith('#'):
                continue
            try:
                step(job, line, remembered, seconds)
            except (Failure, OSError) as why:
                print(f'step {number}, {line}: {why}')
                print('the terminal since the last match:')
                print(job.shown[job.seen:])
                print('all of it:')
                print(job.shown)
                return 1
    finally:
        job.close()
    return 0


if __name__ == '__main__':
    sys.exit(main())
