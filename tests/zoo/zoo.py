"""A bot that misbehaves on purpose: `zoo.py MODE [WORD]`, where the word only marks its processes.

Apart from its mode it is a good bot: it plays the first of the legal actions that it is told. A mode is a
function that is called at the moments of `Zoo.at`; `mid` is the second action of a game.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from collections.abc import Callable

MODES: dict[str, tuple[str, Callable[[Zoo], None]]] = {}


def mode(moment: str) -> Callable[[Callable[[Zoo], None]], Callable[[Zoo], None]]:
    """Register a mode by its function's name: what happens at which moment."""

    def register(function: Callable[[Zoo], None]) -> Callable[[Zoo], None]:
        MODES[function.__name__] = (moment, function)
        return function

    return register


class Zoo:
    """The good part: reads lines, answers them, and calls the mode at its moment."""

    def __init__(self, name: str) -> None:
        self.moment, self.act = MODES[name]
        self.moves: list[bytes] = []
        self.end = b"\n"
        self.asked = 0

    def say(self, text: bytes) -> None:
        os.write(1, text)

    def answer(self, text: bytes) -> None:
        self.say(text + self.end)

    def move(self) -> bytes:
        return b"move " + self.moves[0]

    def at(self, moment: str) -> bool:
        """Misbehave if this is the moment; a mode that comes back does what is due itself."""
        if moment != self.moment:
            return False
        self.act(self)
        return True

    def run(self) -> None:
        if self.at("start"):
            return
        for line in sys.stdin.buffer:
            word, _, rest = line.strip().partition(b" ")
            if word == b"arena":
                if not self.at("hello"):
                    self.answer(b"ready name=zoo wants=moves")
            elif word == b"start":
                self.asked = 0
                if not self.at("ready"):
                    self.answer(b"ready")
            elif word == b"moves":
                self.moves = rest.split()
            elif word == b"go":
                self.asked += 1
                if not (self.asked == 2 and self.at("mid")) and not self.at("go"):
                    self.answer(self.move())
                self.at("after")
            elif word == b"end":
                self.at("end")
            elif word == b"quit":
                return


def hang() -> None:
    while True:
        time.sleep(1000)


def segfault() -> None:
    ctypes.string_at(0)


# At the start


@mode("start")
def start_exit(zoo: Zoo) -> None:
    sys.stderr.write("no licence found\n")
    sys.exit(3)


@mode("start")
def start_segfault(zoo: Zoo) -> None:
    segfault()


@mode("start")
def start_silent(zoo: Zoo) -> None:
    hang()


@mode("hello")
def start_slow(zoo: Zoo) -> None:
    time.sleep(0.5)
    zoo.answer(b"ready name=zoo wants=moves")


@mode("hello")
def start_banner(zoo: Zoo) -> None:
    zoo.answer(b"Zoo 1.0 (c) nobody")
    zoo.answer(b"ready wants=moves")


@mode("hello")
def start_bom(zoo: Zoo) -> None:
    zoo.answer(b"\xef\xbb\xbfready wants=moves")


@mode("hello")
def start_close_stdout(zoo: Zoo) -> None:
    os.close(1)
    hang()


@mode("ready")
def second_silent(zoo: Zoo) -> None:
    hang()


@mode("hello")
def crlf(zoo: Zoo) -> None:
    zoo.end = b"\r\n"
    zoo.answer(b"ready wants=moves")


@mode("ready")
def early(zoo: Zoo) -> None:
    zoo.say(b"ready\nmove a1\n")


# In the middle: ends and silences


@mode("mid")
def hangs(zoo: Zoo) -> None:
    hang()


@mode("mid")
def exit_0(zoo: Zoo) -> None:
    os._exit(0)


@mode("mid")
def traceback(zoo: Zoo) -> None:
    raise ValueError("the board is \x1b[31mon fire\x1b[0m")


@mode("mid")
def segfaults(zoo: Zoo) -> None:
    segfault()


@mode("mid")
def answer_and_exit(zoo: Zoo) -> None:
    zoo.answer(zoo.move())
    os._exit(0)


@mode("mid")
def close_stdout(zoo: Zoo) -> None:
    os.close(1)
    hang()


@mode("mid")
def close_stdin(zoo: Zoo) -> None:
    os.close(0)
    hang()


@mode("mid")
def stops_itself(zoo: Zoo) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


@mode("mid")
def ignores_signals(zoo: Zoo) -> None:
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    hang()


@mode("mid")
def traps_and_answers(zoo: Zoo) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: zoo.answer(zoo.move()))
    hang()


@mode("mid")
def lone_cr(zoo: Zoo) -> None:
    zoo.say(zoo.move() + b"\r")
    hang()


@mode("mid")
def partial(zoo: Zoo) -> None:
    zoo.say(zoo.move()[:-1])
    hang()


@mode("mid")
def partial_exit(zoo: Zoo) -> None:
    zoo.say(zoo.move()[:-1])
    os._exit(0)


@mode("mid")
def late(zoo: Zoo) -> None:
    time.sleep(1.0)
    zoo.answer(zoo.move())


@mode("end")
def dies_at_end(zoo: Zoo) -> None:
    os._exit(1)


# In the middle: too much


@mode("go")
def byte_by_byte(zoo: Zoo) -> None:
    for byte in zoo.move() + b"\n":
        zoo.say(bytes([byte]))


@mode("mid")
def dribble(zoo: Zoo) -> None:
    while True:
        zoo.say(b"x")
        time.sleep(0.02)


@mode("mid")
def chatter(zoo: Zoo) -> None:
    while True:
        zoo.answer(b"# still thinking")
        time.sleep(0.02)


@mode("mid")
def info(zoo: Zoo) -> None:
    while True:
        zoo.answer(b"info depth 3")
        time.sleep(0.02)


@mode("mid")
def long_line(zoo: Zoo) -> None:
    for _ in range(1600):
        zoo.say(b"x" * 65536)
    hang()


@mode("mid")
def flood(zoo: Zoo) -> None:
    while True:
        zoo.say(b"move\n" * 10000)


@mode("mid")
def remark_flood(zoo: Zoo) -> None:
    while True:
        zoo.say(b"# bla\n" * 10000)


@mode("mid")
def stderr_flood(zoo: Zoo) -> None:
    while True:
        os.write(2, b"e" * 65536)


@mode("after")
def flood_out_of_turn(zoo: Zoo) -> None:
    while True:
        zoo.say(b"# bla\n" * 10000)


@mode("mid")
def stderr_3mb(zoo: Zoo) -> None:
    for _ in range(48):
        os.write(2, b"e" * 65535 + b"\n")
    zoo.answer(zoo.move())


@mode("mid")
def mirror(zoo: Zoo) -> None:
    zoo.answer(b"moves " + b" ".join(zoo.moves))


# In the middle: nonsense


@mode("mid")
def nul(zoo: Zoo) -> None:
    zoo.answer(b"move \0a1")


@mode("mid")
def not_utf8(zoo: Zoo) -> None:
    zoo.answer(b"move \xff\xfe")


@mode("go")
def blanks(zoo: Zoo) -> None:
    zoo.answer(b" \t " + zoo.move() + b"\t ")


@mode("mid")
def unicode_digits(zoo: Zoo) -> None:
    zoo.answer("move y\u0661\u0662".encode())


@mode("mid")
def empty_line(zoo: Zoo) -> None:
    zoo.answer(b"")


@mode("mid")
def two_moves(zoo: Zoo) -> None:
    zoo.say(zoo.move() + b"\n" + zoo.move() + b"\n")


@mode("mid")
def debug_print(zoo: Zoo) -> None:
    zoo.answer(b"best = 17")
    zoo.answer(zoo.move())


@mode("mid")
def ansi(zoo: Zoo) -> None:
    zoo.answer(b"\x1b]0;owned\x07" + zoo.move())


@mode("mid")
def illegal(zoo: Zoo) -> None:
    legal = set(zoo.moves)
    letters = [move[:1] for move in zoo.moves]
    for letter in letters:
        for space in (b"a1", b"b2", b"c1", b"d4", b"e4", b"d1"):
            if letter + space not in legal:
                zoo.answer(b"move " + letter + space)
                return


@mode("mid")
def nonsense(zoo: Zoo) -> None:
    zoo.answer(b"move to-the-left")


# Relatives: whatever is started here carries the word in its command line


def daemon(keep: bool, double: bool = True) -> None:
    """Leave a process behind that sleeps in a session of its own."""
    if os.fork():
        os.wait() if double else None
        return
    os.setsid()
    if double and os.fork():
        os._exit(0)
    if not keep:
        for fd in (0, 1, 2):
            os.close(fd)
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(1000)", *sys.argv[2:]])


@mode("mid")
def daemon_with_pipes(zoo: Zoo) -> None:
    daemon(keep=True)
    zoo.answer(zoo.move())


@mode("mid")
def daemon_without_pipes(zoo: Zoo) -> None:
    daemon(keep=False)
    zoo.answer(zoo.move())


@mode("mid")
def dies_leaving_daemon(zoo: Zoo) -> None:
    daemon(keep=True)
    os._exit(1)


@mode("mid")
def dies_leaving_child(zoo: Zoo) -> None:
    daemon(keep=True, double=False)
    os._exit(0)


@mode("mid")
def wiped_daemon(zoo: Zoo) -> None:
    os.environ.clear()
    daemon(keep=True)
    hang()


@mode("mid")
def child_plays_on(zoo: Zoo) -> None:
    parent = os.getpid()
    if os.fork():
        os._exit(0)
    while os.getppid() == parent:  # a parent that is slow to leave would still be playing
        time.sleep(0.001)
    zoo.answer(zoo.move())


@mode("mid")
def zombies(zoo: Zoo) -> None:
    for _ in range(50):
        if not os.fork():
            os._exit(0)
    zoo.answer(zoo.move())


@mode("mid")
def fork_bomb(zoo: Zoo) -> None:
    for number in range(7):
        if not os.fork() and number % 2:
            os.setsid()
    hang()


@mode("mid")
def hides_behind_child(zoo: Zoo) -> None:
    """Work in a child, as behind a shell script, and wait for it for ever."""
    if not os.fork():
        hang()
    os.wait()


@mode("mid")
def kills_parent(zoo: Zoo) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    hang()


# The machine


@mode("mid")
def memory(zoo: Zoo) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(16 << 20))


@mode("mid")
def leaks_descriptors(zoo: Zoo) -> None:
    try:
        while True:
            os.dup(0)
    except OSError:
        zoo.answer(zoo.move())


@mode("mid")
def opens_terminal(zoo: Zoo) -> None:
    try:
        os.open("/dev/tty", os.O_RDWR)
    except OSError:
        zoo.answer(zoo.move())


@mode("mid")
def dumps_core(zoo: Zoo) -> None:
    if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0):
        zoo.answer(zoo.move())


@mode("mid")
def burns(zoo: Zoo) -> None:
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    zoo.answer(zoo.move())


@mode("mid")
def child_burns(zoo: Zoo) -> None:
    if not os.fork():
        burns(zoo)
        hang()


if __name__ == "__main__":
    Zoo(sys.argv[1]).run()
