"""The run's loop, with players that do as they are told: what is played, again, and when it is enough."""

from __future__ import annotations

import dataclasses
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena import events, journal
from arena.config import Config, Schedule, Stop, from_values
from arena.crew import Crew, Finished, Lost
from arena.events import Reason
from arena.folder import Folder, FolderError
from arena.journal import Journal
from arena.ledger import Ledger
from arena.match import Fault, FaultKind, Match, Result
from arena.schedule import make_plan
from arena.signals import Signals, Wish
from arena.standings import standings
from arena.tournament import Tournament

Play = Callable[[Match], Finished | Lost]


def line(match: Match, lasted: int = 1000, **more: Any) -> Finished:
    """Return a finished match that the bot with the lesser name won."""
    ranks = tuple(1 + sorted(match.bots).index(bot) for bot in match.bots)
    scores = tuple(10 - rank for rank in ranks)
    result = Result(match, {"seed": match.seed}, ranks=ranks, scores=scores, cpu=(0.0,) * len(ranks))
    return Finished(
        match, journal.encode({**result.dump(), "fingerprint": match.id.encode().hex(), **more}), lasted
    )


def void(match: Match) -> Finished:
    """Return a match that came to nothing."""
    return Finished(match, journal.encode(Result(match, {}, void=True, text="a bug").dump()), 1000)


class Time:
    """A clock that goes on by some time with each look."""

    def __init__(self, step: int = 1000) -> None:
        self.micros = 0
        self.step = step

    def __call__(self) -> int:
        self.micros += self.step
        return self.micros


class ScriptedCrew:
    """Players in memory: `size` matches at once, each ended by a function when it is waited for."""

    def __init__(self, play: Play, size: int = 3) -> None:
        self.size = size
        self._play = play
        self._matches: list[Match] = []
        self._withdrawn: list[Match] = []
        self.given: list[Match] = []
        self.ended = ""

    def room(self) -> int:
        return self.size - len(self._matches)

    def give(self, match: Match) -> None:
        assert self.room() > 0
        assert not self.ended
        self._matches.append(match)
        self.given.append(match)

    def wait(self, timeout: float | None, wake: int = -1) -> list[Finished | Lost]:
        back = [Lost(match, "taken back", begun=False) for match in self._withdrawn]
        self._withdrawn.clear()
        if not self._matches:
            return list(back)
        # The newest first: results never come in the order in which matches were given.
        return [*back, self._play(self._matches.pop())]

    def playing(self) -> list[Match]:
        return self._matches[:1]

    def withdraw(self) -> None:
        self._withdrawn += self._matches[1:]
        del self._matches[1:]

    def close(self) -> None:
        assert not self._matches
        self.ended = "closed"

    def abort(self) -> None:
        self.ended = "aborted"


@dataclasses.dataclass
class Ran:
    """What came of a run."""

    end: events.End
    told: list[events.Event]
    crew: ScriptedCrew
    ledger: Ledger

    def of(self, kind: type[Any]) -> list[Any]:
        """Return the events of one kind."""
        return [event for event in self.told if isinstance(event, kind)]


class Stage:
    """Runs tournaments on one folder, as often as a test likes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.signals = Signals()
        self.crew: ScriptedCrew | None = None

    def config(self, bots: str = "abc", rounds: int = 4, **more: Any) -> Config:
        """Return a tournament of bots that have one letter each."""
        values = {"game": "rain", "bots": [{"name": bot, "command": "true"} for bot in bots]}
        made = from_values({**values, "schedule": {"rounds": rounds}}, self.path)
        return dataclasses.replace(made, output=self.path / "out", **more)

    def run(
        self, config: Config, play: Play = line, size: int = 3, rule: Any = None, step: int = 1000
    ) -> Ran:
        """Run a tournament with players that end each match as `play` says."""
        told: list[events.Event] = []
        folder = Folder(config.output)
        folder.hold("now")
        plan = make_plan(config)
        ledger = Ledger(config, adaptive=plan.adaptive)
        self.crew = crew = ScriptedCrew(play, size)
        clock = Time(step)
        try:
            with Journal(folder, clock) as book, self.signals:
                for head in book.recover():
                    ledger.recall(head)

                def open_crew() -> Crew:
                    book.begin({"format": 1})
                    return crew

                end = Tournament(
                    config,
                    plan,
                    ledger,
                    book,
                    open_crew,
                    self.signals,
                    now=clock,
                    tell=told.append,
                    standings=lambda: standings(ledger.tally),
                    publish=lambda table: None,
                    rule=None if rule is None else lambda: rule(ledger),
                ).run()
        finally:
            folder.release()
        return Ran(end, told, crew, ledger)

    def ids(self) -> list[str]:
        """Return the ids in the journal, without void records."""
        return [head["id"] for head in journal.heads(self.path / "out") if not head["void"]]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A place for runs."""
    return Stage(tmp_path)


def planned(config: Config) -> list[Match]:
    """Return all matches of a plan that needs no results."""
    return [m for part in make_plan(config).stages({}) for block in part for m in block.matches]


def test_everything_planned_is_played_once(stage: Stage) -> None:
    """All matches are given in the plan's order, and each is in the journal once."""
    config = stage.config()
    ran = stage.run(config)
    assert [match.id for match in ran.crew.given] == [match.id for match in planned(config)]
    assert sorted(stage.ids()) == sorted(match.id for match in planned(config))
    assert (ran.end.reason, ran.end.played, ran.end.done, ran.end.games) == (Reason.FINISHED, 24, 24, 24)
    assert ran.crew.ended == "closed"
    assert [event.done for event in ran.of(events.Game)] == list(range(1, 25))


def test_a_finished_tournament_needs_no_players(stage: Stage) -> None:
    """Run again, nothing is opened, given or written."""
    config = stage.config()
    stage.run(config)
    before = (stage.path / "out" / journal.NAME).read_bytes()
    ran = stage.run(config)
    assert (ran.crew.given, ran.crew.ended) == ([], "")
    assert (ran.end.reason, ran.end.played, ran.end.done) == (Reason.FINISHED, 0, 24)
    assert (stage.path / "out" / journal.NAME).read_bytes() == before


def test_more_rounds_and_bots_extend(stage: Stage) -> None:
    """Only what is missing is played when rounds or bots are added."""
    stage.run(stage.config(rounds=2))
    done = set(stage.ids())
    longer = stage.config(rounds=3)
    ran = stage.run(longer)
    assert {match.round for match in ran.crew.given} == {3}
    wider = stage.config("abcd", rounds=3)
    ran = stage.run(wider)
    assert all("d" in match.bots for match in ran.crew.given)
    assert len(stage.ids()) == len(set(stage.ids())) == len(planned(wider))
    assert done <= set(stage.ids())


def test_swiss_goes_on_from_the_same_pairings(stage: Stage) -> None:
    """A Swiss tournament that is cut anywhere ends with the same matches as one that is not."""
    schedule = Schedule(
        from_values(
            {
                "game": "rain",
                "bots": [{"name": "a", "command": "x"}, {"name": "b", "command": "x"}],
                "schedule": {"format": "swiss"},
            },
            stage.path,
        ).schedule.format,
        rounds=4,
    )
    config = stage.config("abcdef", schedule=schedule)
    whole = stage.run(config)
    path = stage.path / "out" / journal.NAME
    lines = path.read_bytes().splitlines(keepends=True)
    assert whole.end.done == len(lines) - 1 == 24
    for kept in (1, 4, 9, 17, 24):
        path.write_bytes(b"".join(lines[:kept]))
        again = stage.run(config)
        assert sorted(path.read_bytes().splitlines()) == sorted(b"".join(lines).splitlines())
        assert again.end.done == 24


def test_a_void_match_is_played_again_twice(stage: Stage) -> None:
    """A match that stays void has three void records, the last of them final, and counts for nobody."""
    config = stage.config("ab", rounds=5)
    bad = planned(config)[3]
    ran = stage.run(config, lambda match: void(match) if match.id == bad.id else line(match))
    assert [match.id for match in ran.crew.given].count(bad.id) == 3
    records = [head for head in journal.heads(stage.path / "out") if head["id"] == bad.id]
    assert [record.get("final", False) for record in records] == [False, False, True]
    assert [event.final for event in ran.of(events.Void)] == [False, False, True]
    assert (ran.end.done, ran.end.void, ran.ledger.tally.games) == (10, 1, 9)
    again = stage.run(config)
    assert (again.crew.given, again.end.void) == ([], 1)


def test_a_void_match_that_succeeds_counts(stage: Stage) -> None:
    """Void once, then played: one result, nothing given up; tries are remembered over runs."""
    config = stage.config("ab", rounds=5)
    bad = planned(config)[3]
    tries: Counter[str] = Counter()

    def once(match: Match) -> Finished:
        tries[match.id] += 1
        return void(match) if match.id == bad.id and tries[match.id] == 1 else line(match)

    ran = stage.run(config, once)
    assert (ran.end.done, ran.end.void, tries[bad.id]) == (10, 0, 2)
    assert len(stage.ids()) == 10


def test_tries_are_counted_over_runs(stage: Stage) -> None:
    """A match that was void twice before a kill has one try left after it."""
    config = stage.config("ab", rounds=5)
    bad = planned(config)[0]
    stage.run(config, lambda match: void(match) if match.id == bad.id else line(match))
    path = stage.path / "out" / journal.NAME
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(one for one in lines if b'"final":true' not in one))
    ran = stage.run(config, void)
    assert [match.id for match in ran.crew.given] == [bad.id]
    assert ran.end.void == 1


def test_many_void_matches_in_a_row_end_the_run(stage: Stage) -> None:
    """Where nothing can be played, the run stops instead of giving everything up."""
    ran = stage.run(stage.config(rounds=100), void)
    assert ran.end.reason is Reason.ERROR
    assert "6 games in a row came to nothing" in ran.end.text
    assert "a bug" in ran.end.text
    assert ran.end.void <= 2
    ran = stage.run(stage.config(rounds=100))
    assert ran.end.reason is Reason.FINISHED


def test_a_match_whose_player_died_is_played_again(stage: Stage) -> None:
    """Lost once, a match is given again; what only waited is given again without a word."""
    config = stage.config("ab", rounds=5)
    lost = {planned(config)[2].id: True, planned(config)[5].id: False}

    def play(match: Match) -> Finished | Lost:
        if match.id in lost:
            return Lost(match, "worker 0 was killed by SIGKILL", begun=lost.pop(match.id))
        return line(match)

    ran = stage.run(config, play)
    assert len(stage.ids()) == len(set(stage.ids())) == 10
    (notice,) = ran.of(events.Notice)
    assert notice.text.startswith("worker 0 was killed by SIGKILL; game 2-")


def test_a_match_that_kills_every_player_is_given_up(stage: Stage) -> None:
    """The second death makes it void for good, with the reason."""
    config = stage.config("ab", rounds=5)
    bad = planned(config)[0].id
    ran = stage.run(
        config, lambda match: Lost(match, "it died", begun=True) if match.id == bad else line(match)
    )
    assert [match.id for match in ran.crew.given].count(bad) == 2
    (record,) = [head for head in journal.heads(stage.path / "out") if head["id"] == bad]
    assert (record["void"], record["final"]) == (True, True)
    assert "2 times; the last: it died" in record["text"]
    assert ran.end.void == 1


@pytest.mark.parametrize(("games", "expected"), [(1, 2), (2, 2), (7, 8), (1000, 24)])
def test_stopping_after_games_completes_blocks(stage: Stage, games: int, expected: int) -> None:
    """So many games, rounded up to whole blocks; the reason is told; run again, nothing happens."""
    config = stage.config(stop=Stop(games=games))
    ran = stage.run(config)
    blocks = Counter(head["block"] for head in journal.heads(stage.path / "out"))
    assert set(blocks.values()) == {2}
    assert ran.end.done == ran.end.games == expected
    assert ran.end.reason is (Reason.RULE if expected < 24 else Reason.FINISHED)
    again = stage.run(config)
    assert (again.crew.given, again.end.reason, again.end.text) == ([], ran.end.reason, ran.end.text)


def test_stopping_completes_blocks_that_an_earlier_run_began(stage: Stage) -> None:
    """A block that a killed run left unfinished is completed although the rule holds already."""
    config = stage.config()
    stage.run(config)
    path = stage.path / "out" / journal.NAME
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:10]))  # the order of results leaves several blocks open
    stage.run(dataclasses.replace(config, stop=Stop(games=1)))
    blocks = Counter(head["block"] for head in journal.heads(stage.path / "out"))
    assert set(blocks.values()) == {2}
    assert len(stage.ids()) < 24


def test_stopping_after_time_completes_blocks(stage: Stage) -> None:
    """When the time is over no block begins, and those that began are completed."""
    ran = stage.run(stage.config(rounds=1000, stop=Stop(time=200_000)))
    assert ran.end.reason is Reason.RULE
    assert ran.end.text == "the time of 0.2 s is over"
    blocks = Counter(head["block"] for head in journal.heads(stage.path / "out"))
    assert set(blocks.values()) == {2}
    assert 0 < ran.end.done < 6000


def test_a_rule_on_results_stops_at_complete_rounds(stage: Stage) -> None:
    """Once a rule holds, rounds that began are completed, and the rule is asked again before it counts."""
    config = stage.config(rounds=1000)
    asked: list[int] = []

    def rule(ledger: Ledger) -> str | None:
        asked.append(ledger.done)
        return "it is enough" if ledger.done >= 50 else None

    ran = stage.run(config, rule=rule)
    assert (ran.end.reason, ran.end.text) == (Reason.RULE, "it is enough")
    rounds = Counter(head["round"] for head in journal.heads(stage.path / "out"))
    assert set(rounds.values()) == {6}
    assert 50 <= ran.end.done < 1000
    assert asked[-1] == ran.end.done
    again = stage.run(config, rule=rule)
    assert (again.crew.given, again.end.text) == ([], "it is enough")


def test_a_rule_that_does_not_last_is_no_reason(stage: Stage) -> None:
    """A rule that held for a moment but not on complete rounds does not stop the run."""
    config = stage.config(rounds=60)
    ran = stage.run(config, rule=lambda ledger: "now" if ledger.done % 6 else None)
    assert (ran.end.reason, ran.end.done) == (Reason.FINISHED, 360)


def test_a_plan_of_millions_begins_at_once(stage: Stage) -> None:
    """Matches are made when they are given: a huge plan costs what its first blocks cost."""
    config = stage.config("abcdefghij", rounds=1_000_000, stop=Stop(games=10))
    ran = stage.run(config)
    assert ran.end.done == 10


def test_a_first_interrupt_lets_matches_end(stage: Stage) -> None:
    """After Ctrl-C what runs is recorded, what waits is not played, and the next run goes on."""
    config = stage.config()

    def play(match: Match) -> Finished:
        assert stage.crew is not None
        if len(stage.crew.given) > 6 and stage.signals.wish is Wish.NONE:
            signal.raise_signal(signal.SIGINT)
        return line(match)

    ran = stage.run(config, play)
    assert ran.end.reason is Reason.SIGNAL
    assert ran.end.text == "stopped by SIGINT"
    assert ran.crew.ended == "closed"
    assert ran.end.done == len(stage.ids()) == 6
    stage.signals = Signals()
    assert stage.run(config).end.done == 24


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_termination_ends_matches_at_once(stage: Stage, number: signal.Signals) -> None:
    """SIGTERM and SIGHUP do not wait for matches; what was finished is kept."""

    def play(match: Match) -> Finished:
        assert stage.crew is not None
        if len(stage.crew.given) > 6:
            signal.raise_signal(number)
        return line(match)

    ran = stage.run(stage.config(), play)
    assert (ran.end.reason, ran.crew.ended) == (Reason.SIGNAL, "aborted")
    assert ran.end.text == f"stopped by {number.name}"
    assert ran.end.done == len(stage.ids())


def test_a_second_interrupt_ends_matches_at_once(stage: Stage) -> None:
    """Ctrl-C twice aborts."""

    def play(match: Match) -> Finished:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        return line(match)

    ran = stage.run(stage.config(), play)
    assert (stage.signals.wish, ran.crew.ended, ran.end.done) == (Wish.NOW, "aborted", 1)


def test_a_journal_that_fails_ends_the_run(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk takes no more, the players are ended, the error goes up, and a later run goes on."""
    config = stage.config()
    real = Journal.append
    left = 5

    def append(self: Journal, data: bytes, lasted: int = 0) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise FolderError("cannot write games.jsonl: No space left on device")
        real(self, data, lasted)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "append", append)
        with pytest.raises(FolderError, match="No space left"):
            stage.run(config)
    assert stage.crew is not None
    assert stage.crew.ended == "aborted"
    assert len(stage.ids()) == 5
    assert stage.run(config).end.done == 24


def test_a_bot_that_does_not_start_is_told_once(stage: Stage) -> None:
    """Three failed starts in a row are told, and nothing more after that."""
    fault = Fault(0, FaultKind.STARTUP, 0, "no program").dump()

    def play(match: Match) -> Finished:
        seat = match.bots.index("a") if "a" in match.bots else -1
        return line(match, faults=[{**fault, "seat": seat}] if seat >= 0 else [])

    ran = stage.run(stage.config(), play)
    assert [notice.text for notice in ran.of(events.Notice)] == ["a failed to start 3 times in a row"]
    faults = [fault for game in ran.of(events.Game) for fault in game.faults]
    assert {(fault.bot, fault.kind) for fault in faults} == {("a", "startup")}


def test_progress_and_tables_are_told(stage: Stage) -> None:
    """Progress says what is left; tables come every few seconds and never cost more than their share."""
    ran = stage.run(stage.config(rounds=30), step=20_000)
    shown = ran.of(events.Progress)
    assert shown
    assert all(one.games == 180 and one.rate > 0 and one.left is not None for one in shown[1:])
    assert shown[-1].playing
    assert len(ran.of(events.Table)) >= 2


def test_every_event_has_a_stable_json_form(stage: Stage) -> None:
    """Each kind of event has its name and keys."""
    ran = stage.run(stage.config(rounds=30), step=20_000)
    dumped = [events.dump(event) for event in ran.told]
    keys = {one["event"]: set(one) - {"event"} for one in dumped}
    assert keys["game"] == {
        "id", "block", "round", "bots", "ranks", "scores", "faults", "micros", "done", "games",
    }  # fmt: skip
    assert keys["progress"] == {"done", "games", "rate", "left", "playing"}
    assert keys["standings"] == {"standings"}
    assert set(events.dump(ran.end)) == {
        "event", "reason", "text", "played", "done", "games", "void", "seconds", "output",
    }  # fmt: skip
