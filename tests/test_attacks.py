"""Every attack of `tests/attacks/` in every tier, as root where we are root and as an ordinary user."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import sandbox
from arena.driver import now
from arena.sandbox import Isolation, Tier
from tests.attacks.attack import MODES
from tests.attacks.table import EXPECTED, REFUSED, wanted

ROOT = Path(__file__).resolve().parent.parent
TIERS = tuple(Tier)
NOBODY = 65534
SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.fixture(scope="module")
def stage() -> Iterator[Path]:
    """A folder that everybody can read, with the arena's modules and the attacks."""
    folder = Path(tempfile.mkdtemp(prefix="arena-stage-"))
    folder.chmod(0o755)
    (folder / "arena").mkdir()
    for module in (ROOT / "arena").glob("*.py"):
        shutil.copy(module, folder / "arena")
    shutil.copytree(ROOT / "protocol", folder / "protocol", ignore=shutil.ignore_patterns("transcripts"))
    for name in ("attack.py", "stage.py"):
        shutil.copy(ROOT / "tests" / "attacks" / name, folder)
    yield folder
    shutil.rmtree(folder)


def users() -> list[str]:
    """Return as whom attacks are run here: as who we are, and as nobody where we can become that."""
    if os.getuid() == 0:
        return ["root", "nobody"]
    return ["user"]


@pytest.mark.parametrize("user", users())
@pytest.mark.parametrize("tier", TIERS)
def test_every_attack_ends_as_the_table_says(tier: Tier, user: str, stage: Path) -> None:
    """What is promised for a tier holds for every attack, whoever runs the arena."""
    if why_not := sandbox.probe(Isolation(tier), now):
        pytest.skip(f"{tier} does not work on this machine: {why_not}")
    python = sys.executable
    if user == "nobody":
        python = SYSTEM_PYTHON  # the developer's own may lie where nobody can read
        version = [python, "-c", "import sys; print(sys.version_info >= (3, 11))"]
        if not os.path.exists(python) or b"True" not in subprocess.run(version, capture_output=True).stdout:
            pytest.skip("there is no Python 3.11 or later that an ordinary user can run")
    ran = subprocess.run(
        [python, str(stage / "stage.py"), tier.value],
        env={"PYTHONPATH": str(stage), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=180,
        user=NOBODY if user == "nobody" else None,
        group=NOBODY if user == "nobody" else None,
        extra_groups=[] if user == "nobody" else None,
        cwd=stage,
    )
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    number = TIERS.index(tier)
    expected = {
        attack: wanted(attack, number, group=report["group"], root=report["root"]) for attack in EXPECTED
    }
    found = {
        attack: REFUSED if outcome.startswith("refused") else "open"
        for attack, outcome in report["outcomes"].items()
    }
    assert found == expected, report["outcomes"]
    assert (report["journal"] == "a record\n") == (expected["forge_journal"] == REFUSED)


def test_the_table_names_every_attack() -> None:
    """No attack is without an expectation, and no expectation without an attack."""
    assert set(EXPECTED) == set(MODES)


def documented() -> str:
    """Return the table as the documentation shows it."""
    lines = ["| attack | what it tries | bwrap | landlock | basic |", "| --- | --- | --- | --- | --- |"]
    for attack, outcomes in EXPECTED.items():
        tries = (MODES[attack].__doc__ or "").strip().rstrip(".").lower()
        lines.append(f"| `{attack}` | {tries} | " + " | ".join(outcomes) + " |")
    return "\n".join(lines)


def test_the_documentation_shows_the_same_table() -> None:
    """docs/isolation.md promises what is tested, and nothing else."""
    assert documented() in (ROOT / "docs" / "isolation.md").read_text(encoding="utf-8")
