"""Runs every attack in one tier as the user that it is started as, and prints what came of each as JSON.

`python stage.py TIER` with the arena on PYTHONPATH. It needs the standard library and the modules of the
arena that keep to it, so that it also runs as a user who cannot read the developer's virtual environment.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from arena import cgroup
from arena.errand import run
from arena.match import Bot, Limits
from arena.sandbox import Isolation, Tier

HERE = Path(__file__).resolve().parent
LIMITS = Limits(memory=256 << 20, processes=40, files=100, file_size=32 << 20, scratch=64 << 20)


def now() -> int:
    """Return the time in microseconds."""
    return time.monotonic_ns() // 1000


def answer(link: socket.socket) -> None:
    """Answer every datagram."""
    while True:
        try:
            _, sender = link.recvfrom(10)
            link.sendto(b"here", sender)
        except OSError:
            return


def listen(where: Path, name: str) -> tuple[dict[str, Any], list[socket.socket]]:
    """Open what attacks try to reach."""
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    threading.Thread(target=answer, args=(udp,), daemon=True).start()
    unix = socket.socket(socket.AF_UNIX)
    unix.bind(str(where / "socket"))
    unix.listen(8)
    abstract = socket.socket(socket.AF_UNIX)
    abstract.bind("\0" + name)
    abstract.listen(8)
    found = {
        "tcp": tcp.getsockname()[1],
        "udp": udp.getsockname()[1],
        "unix": str(where / "socket"),
        "abstract": name,
    }
    return found, [tcp, udp, unix, abstract]


def alive(word: str) -> list[int]:
    """Return the processes whose command line has a word."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def attempt(isolation: Isolation, bot: Bot) -> str:
    """Run one attack to its end and return what it said."""
    ran = run(isolation.launch(bot, LIMITS), timeout=20_000_000, now=now)
    said = ran.stdout.decode().strip()
    return said or f"refused: it ended with status {ran.status} and said {ran.stderr.decode()[-300:]!r}"


def main() -> None:
    """Run all attacks of one tier."""
    tier = Tier(sys.argv[1])
    os.environ["CANARY"] = "a secret of the user"
    home = Path(tempfile.mkdtemp(prefix="arena-attack-"))
    home.chmod(0o755)
    own, opponent, results, shared = (home / name for name in ("own", "opponent", "results", "shared"))
    for folder in (own, opponent, results, shared):
        folder.mkdir()
    shutil.copy(HERE / "attack.py", own)
    (opponent / "bot.py").write_text("import time\ntime.sleep(600)\n")
    (results / "games.jsonl").write_text("a record\n")
    word = secrets.token_hex(8)
    targets, sockets = listen(home, word)
    victim = subprocess.Popen([sys.executable, str(opponent / "bot.py")], env={"CANARY": "x"})
    targets |= {
        "results": str(results),
        "opponent_file": str(opponent / "bot.py"),
        "shared": str(shared),
        "twin": word,
        "arena": os.getpid(),
        "opponent": victim.pid,
    }
    place, _ = cgroup.find()
    isolation = Isolation(tier, place)
    outcomes = {}
    sys.path.insert(0, str(HERE))
    from attack import MODES

    for mode in MODES:
        command = (os.path.realpath(sys.executable), "attack.py", mode, word)
        bot = Bot("attack", command, own, env={"TARGET": json.dumps(targets)})
        if mode == "leave_file":
            attempt(isolation, bot)
        outcomes[mode] = attempt(isolation, bot)
        # What a bot leaves is seen from outside.
        if left := alive(word):
            outcomes[mode] = f"reached: left processes {left}"
        if mode == "shared_memory" and Path("/dev/shm", word).exists():
            outcomes[mode] = "reached: others see it"
        if mode == "link_in_scratch" and not (results / "games.jsonl").exists():
            outcomes[mode] = "reached: the results were removed through a link"
    report = {
        "outcomes": outcomes,
        "group": place is not None,
        "root": os.getuid() == 0,
        "journal": (results / "games.jsonl").read_text(),
        "scratches": [str(path) for path in Path(tempfile.gettempdir()).glob(f"arena-scratch-*/{word}")],
    }
    victim.kill()
    victim.wait()
    for link in sockets:
        link.close()
    Path("/dev/shm", word).unlink(missing_ok=True)
    shutil.rmtree(home)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
