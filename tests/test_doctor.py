"""Facts about arena/doctor.py and `arena doctor`."""

from __future__ import annotations

import dataclasses
import json

import pytest
from click.testing import CliRunner

from arena import doctor
from arena.commands.doctor import doctor as command
from arena.doctor import Delay, Diagnosis
from arena.driver import now


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    """This machine, measured shortly."""
    return doctor.examine(None, now, trips=20)


def test_every_tier_is_tried(found: Diagnosis) -> None:
    """Each tier works or has a reason, and the best that works is used."""
    assert [state.tier for state in found.tiers] == ["bwrap", "landlock", "basic"]
    assert all(state.works != bool(state.reason) for state in found.tiers)
    assert found.chosen == next(state.tier for state in found.tiers if state.works)


def test_delays_are_in_order(found: Diagnosis) -> None:
    """The median is at most the 99th percentile, and that at most the longest."""
    for delay in (found.at_rest, found.busy):
        assert 0 < delay.median <= delay.p99 <= delay.longest


@pytest.mark.parametrize(
    ("p99", "limit"), [(10, 1000), (101, 2000), (300, 5000), (5000, 50_000), (60_000, 1_000_000)]
)
def test_fair_limit_is_ten_delays_in_round_numbers(p99: int, limit: int) -> None:
    """The machine takes at most a tenth of an action's time."""
    assert doctor.fair_limit(Delay(1, p99, p99)) == limit


def test_too_few_descriptors_are_a_warning(found: Diagnosis) -> None:
    """Limits are held against what the workers need, and the remedy is named."""
    poor = dataclasses.replace(found, descriptors=100, workers=4)
    assert any("ulimit -n" in warning for warning in poor.warnings)


def test_json_is_all_of_stdout(found: Diagnosis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs get one object, people a page."""
    monkeypatch.setattr(doctor, "examine", lambda workers, now: found)
    told = CliRunner().invoke(command, ["--json"])
    assert json.loads(told.stdout)["chosen"] == found.chosen
    shown = CliRunner().invoke(command)
    assert "the smallest fair time" in shown.stdout
