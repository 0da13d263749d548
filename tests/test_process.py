"""The door to the operating system: what is started, fed, read and ended through it."""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
from pathlib import Path

import pytest

from arena.driver import now
from arena.errand import run
from arena.launch import Launch, MachineError, StartError, describe, environment, plain, rlimits
from arena.match import Bot, Limits
from arena.process import TAIL, Guardian, Process

HERE = Path("/")
PATH = {"PATH": "/usr/bin:/bin"}
SLOW = 60_000  # milliseconds: what a busy machine may need


def shell(text: str, **more: object) -> Launch:
    """Return a launch of a shell's command."""
    return Launch(("/bin/sh", "-c", text), HERE, PATH, **more)  # type: ignore[arg-type]


def line(process: Process) -> bytes:
    """Return what a program says next."""
    poller = select.poll()
    poller.register(process.stdout, select.POLLIN)
    assert poller.poll(SLOW)
    return process.read() or b""


def test_program_is_fed_and_read() -> None:
    """What is written comes in at its stdin, what it prints comes out of its stdout."""
    with Guardian() as guardian:
        process = guardian.start(Launch(("/bin/cat",), HERE, PATH))
        assert process.read() is None
        assert process.write(b"hello\n")
        assert line(process) == b"hello\n"
        process.hang_up()
        assert process.exited(SLOW)
        assert process.status == 0
        assert process.end().status == 0


def test_program_found_in_the_path() -> None:
    """A name without a slash is looked up where the bot's own PATH says."""
    with Guardian() as guardian:
        guardian.start(Launch(("cat",), HERE, PATH)).end()
        with pytest.raises(StartError, match="PATH"):
            guardian.start(Launch(("cat",), HERE, {"PATH": "/nowhere"}))


def test_bot_has_nothing_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither our environment nor our descriptors, terminal or signal settings reach a program."""
    monkeypatch.setenv("SECRET", "sesame")
    kept = os.open("/", os.O_RDONLY)
    os.set_inheritable(kept, True)
    script = (
        "import os,signal,json;"
        "print(json.dumps([sorted(map(int, os.listdir('/proc/self/fd')))[:4],sorted(os.environ),"
        "os.getsid(0)==os.getpid(),int(signal.getsignal(signal.SIGPIPE)),"
        "open('/proc/self/oom_score_adj').read().strip()]))"
    )
    bot = Bot("b", (sys.executable, "-I", "-S", "-c", script), HERE)
    ran = run(plain(bot, Limits()), timeout=SLOW * 1000, now=now)
    os.close(kept)
    # 3 is the folder that is being listed
    assert ran.stdout.startswith(b"[[0, 1, 2, 3], ")
    assert b"SECRET" not in ran.stdout
    assert b'"HOME", "LANG", "PATH"' in ran.stdout
    assert ran.stdout.rstrip().endswith(b'true, 1, "1000"]'), "Python ignores SIGPIPE by itself"


def test_environment_is_the_bots_own() -> None:
    """A bot's settings stand above ours."""
    assert environment(Bot("b", ("x",), HERE, env={"HOME": "/h", "DEPTH": "3"}))["HOME"] == "/h"
    assert environment(Bot("b", ("x",), HERE, env={"DEPTH": "3"}))["DEPTH"] == "3"


def test_limits_hold_from_the_first_instruction() -> None:
    """Limits are set before the program runs, and it cannot raise them."""
    launch = shell("ulimit -n; ulimit -c; ulimit -Hd", rlimits=rlimits(Limits(memory=64 << 20, files=77)))
    assert run(launch, timeout=SLOW * 1000, now=now).stdout.split() == [b"77", b"0", b"65536"]


def test_cores_are_set() -> None:
    """A program runs on the cores that it is given."""
    core = min(os.sched_getaffinity(0))
    launch = shell("grep Cpus_allowed_list /proc/self/status", cpus=frozenset({core}))
    assert run(launch, timeout=SLOW * 1000, now=now).stdout.split()[-1] == str(core).encode()


def test_further_descriptors_have_the_wanted_numbers() -> None:
    """A descriptor of ours appears in the program under the number that was asked for."""
    read, write = os.pipe()
    ran = run(shell("echo told >&9", fds={9: write}), timeout=SLOW * 1000, now=now)
    os.close(write)
    assert ran.status == 0
    assert os.read(read, 10) == b"told\n"
    os.close(read)


def test_writing_never_blocks() -> None:
    """To a program that does not read, what fits is written and the rest is kept for later."""
    with Guardian() as guardian:
        process = guardian.start(shell("sleep 0.2; wc -c"))
        assert not process.write(b"x" * (1 << 20))
        assert not process.flush()
        poller = select.poll()
        poller.register(process.stdin, select.POLLOUT)
        while not process.flush():
            assert poller.poll(SLOW)
        process.hang_up()
        assert line(process).strip() == b"1048576"


def test_closed_stdin_is_no_error() -> None:
    """Writing to a program that closed its stdin, or is gone, raises nothing."""
    with Guardian() as guardian:
        process = guardian.start(shell("exec <&-; echo x; sleep 1000"))
        line(process)
        assert process.write(b"hello\n")
        process.end()


def test_stderr_is_kept_in_its_newest_part() -> None:
    """Of any amount of stderr the end is kept, and the sink gets all of it."""
    got: list[int] = []
    with Guardian() as guardian:
        process = guardian.start(shell("head -c 3000000 /dev/zero | tr '\\0' e >&2; echo end >&2"))
        process.log_to(lambda data: got.append(len(data)))
        poller = select.poll()
        poller.register(process.stderr, select.POLLIN)
        while process.drain(1):
            assert poller.poll(SLOW)
        process.end()
    assert len(process.tail) == TAIL
    assert process.tail.endswith("eend\n")
    assert sum(got) == 3_000_004


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (None, "still running"),
        (3, "exited with status 3"),
        (-11, "killed by SIGSEGV"),
        (139, "SIGSEGV"),
        (127, "cannot run"),
        (-64, "signal 64|SIGRTMAX"),
    ],
)
def test_status_for_people(status: int | None, words: str) -> None:
    """A wait status becomes a clause that names the signal."""
    assert any(word in describe(status) for word in words.split("|"))


def test_how_it_ended_names_the_limit() -> None:
    """A sandbox may relay signals and explain which limit was hit."""
    with Guardian() as guardian:
        launch = shell("exit 137", relays=True, explain=lambda status, stderr: f"limit {status}")
        process = guardian.start(launch)
        assert process.exited(SLOW)
        assert process.how() == "was killed by SIGKILL (limit -9)"
        process.end()


@pytest.mark.parametrize(
    "text",
    [
        "sleep 1001 & exec sleep 1002",
        "setsid sleep 1003 & exec sleep 1004",
        "(setsid sh -c 'setsid sleep 1005 & sleep 1006' &) ; exec sleep 1007",
        "env -i setsid sleep 1008 & exit 0",
        "trap '' TERM INT HUP; sleep 1009",
    ],
)
def test_descendants_end_with_it(text: str) -> None:
    """Whatever a program started, however it was let go, is gone when the program is ended."""
    with Guardian() as guardian:
        process = guardian.start(shell(f"({text}) & echo up; exec sleep 1000"))
        line(process)
        ending = process.end()
        assert ending.left == ()
        assert guardian.descendants() == []


def test_one_programs_end_is_not_anothers() -> None:
    """A daemon of a program that goes on is not swept with another program."""
    with Guardian() as guardian:
        keeper = guardian.start(shell("setsid sleep 1000 & echo $!; wait; sleep 1000"))
        daemon = int(line(keeper))
        other = guardian.start(shell("sleep 1000"))
        os.kill(keeper.pid, signal.SIGSTOP)
        other.end()
        os.kill(daemon, 0)
        keeper.end()
        assert guardian.descendants() == []


def test_what_was_made_for_it_is_removed() -> None:
    """The launch's own cleaning happens once: after the end, and where the start failed."""
    done: list[int] = []
    with Guardian() as guardian:
        process = guardian.start(shell("exit", done=lambda: done.append(1)))
        assert done == []
        process.end()
        process.end()
        assert done == [1]
        with pytest.raises(StartError):
            guardian.start(Launch(("/no",), HERE, PATH, done=lambda: done.append(2)))
        assert done == [1, 2]


def test_start_errors_say_what() -> None:
    """A missing program, a missing folder and a file that is no program are told apart."""
    with Guardian() as guardian:
        with pytest.raises(StartError, match="'/no' could not be executed: No such file"):
            guardian.start(Launch(("/no",), HERE, PATH))
        with pytest.raises(StartError, match="folder '/no'"):
            guardian.start(Launch(("/bin/cat",), Path("/no"), PATH))
        with pytest.raises(StartError, match="Permission denied"):
            guardian.start(Launch(("/etc/passwd",), HERE, PATH))


def test_no_descriptors_left_is_the_machines_fault() -> None:
    """Out of descriptors, nothing is blamed on the program, and none is lost."""
    with Guardian() as guardian:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        before = len(os.listdir("/proc/self/fd"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 2, hard))
        try:
            with pytest.raises(MachineError):
                guardian.start(shell("exit"))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert len(os.listdir("/proc/self/fd")) == before


def test_killed_guardian_is_noticed() -> None:
    """When the bots' parent is killed, the programs go with it and the next start says so."""
    with Guardian() as guardian:
        process = guardian.start(shell("sleep 1000"))
        os.kill(guardian.pid, signal.SIGKILL)
        assert process.exited(SLOW)
        with pytest.raises(MachineError, match="killed"):
            guardian.start(shell("exit"))
        process.end()
        assert not guardian.alive


def test_run_gives_status_and_output() -> None:
    """A program that is run to its end leaves its status and both outputs."""
    ran = run(shell("echo out; echo err >&2; exit 4"), timeout=SLOW * 1000, now=now)
    assert (ran.status, ran.stdout, ran.stderr) == (4, b"out\n", b"err\n")


def test_run_is_bounded_in_time_and_memory() -> None:
    """One that does not end is killed at its time, and of what it printed the newest part is kept."""
    ran = run(shell("yes"), timeout=200_000, now=now, most=1000)
    assert ran.status is None
    assert len(ran.stdout) == 1000


def test_run_does_not_wait_for_heirs() -> None:
    """A program that ended has ended, though a child of it holds its output open."""
    ran = run(shell("sleep 1000 & echo done"), timeout=SLOW * 1000, now=now)
    assert (ran.status, ran.stdout) == (0, b"done\n")
