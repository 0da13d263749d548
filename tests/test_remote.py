"""The crew on other machines, with a cluster that is a few lines of this file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from arena import lodging, remote
from arena.crew import Finished, Lost, PlayersGone
from arena.events import Event, Notice
from arena.lodging import Arrival, Batch, Machine
from arena.match import Match
from arena.remote import RemoteCrew

HERE = Arrival(Machine("m", 1.0, "basic"), {"notices": []}, "3", "place")


class FakeFuture:
    """A call that a worker was given; a test answers it."""

    def __init__(self, key: str, address: str, function: Any, arguments: tuple[Any, ...]) -> None:
        self.key, self.address, self.function, self.arguments = key, address, function, arguments
        self.answered: Any = None
        self.callbacks: list[Callable[[Any], None]] = []

    @property
    def matches(self) -> tuple[Match, ...]:
        """Return the batch."""
        matches: tuple[Match, ...] = self.arguments[1]
        return matches

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        """Note who wants to know."""
        self.callbacks.append(callback)

    def result(self, timeout: float) -> Any:
        """Return or raise the answer."""
        if isinstance(self.answered, BaseException):
            raise self.answered
        return self.answered

    def release(self) -> None:
        """Do nothing."""

    def answer(self, answer: Any) -> None:
        """Finish the call."""
        self.answered = answer
        for callback in self.callbacks:
            callback(self)

    def play(self, number: int = 1000, lasted: int = 100_000) -> None:
        """Answer with the first so many matches as played."""
        self.answer(Batch(tuple((lasted, match.id.encode()) for match in self.matches[:number])))


class FakeLink:
    """A cluster whose workers do what the test says."""

    def __init__(self, **threads: int) -> None:
        self.address, self.run = "tcp://here", "run"
        self.threads: dict[str, int] | Exception = threads
        self.arrivals: Mapping[str, Arrival] = dict.fromkeys(threads, HERE)
        self.calls: list[FakeFuture] = []
        self.told: list[Any] = []
        self.is_open = True

    def workers(self) -> dict[str, int]:
        """Return who is there."""
        if isinstance(self.threads, Exception):
            raise self.threads
        return dict(self.threads)

    def submit(self, address: str, function: Any, *arguments: Any) -> Any:
        """Note a call; goodbyes are answered at once."""
        future = FakeFuture(str(len(self.calls)), address, function, arguments)
        if function is lodging.leave:
            future.answered = {"bot": b"its stderr"}
        else:
            self.calls.append(future)
        return future

    def tell_all(self, function: Any) -> None:
        """Note what all are told."""
        self.told.append(function)

    def settle(self, threads: Mapping[str, int]) -> dict[str, Arrival]:
        """Take everybody in but `bad`."""
        return {one: Arrival(problems=("no",)) if one == "bad" else HERE for one in threads}

    def close(self) -> None:
        """Do nothing."""


class Scene:
    """A crew with its fake cluster and what it told."""

    def __init__(self, folder: Path, **threads: int) -> None:
        self.link = FakeLink(**threads)
        self.notices: list[str] = []
        self.logs = folder / "logs"
        self.crew = RemoteCrew(self.link, self.logs, self._tell)
        self._matches = map(_match, range(1 << 20))

    def _tell(self, event: Event) -> None:
        assert isinstance(event, Notice)
        self.notices.append(event.text)

    def give(self, number: int | None = None) -> list[FakeFuture]:
        """Give so many matches, or as many as there is room for; return the new calls."""
        before = len(self.link.calls)
        for _ in range(self.crew.room() if number is None else number):
            self.crew.give(next(self._matches))
        self.crew.wait(0)
        return self.link.calls[before:]

    def hear(self, done: Callable[[list[Finished | Lost]], bool]) -> list[Finished | Lost]:
        """Wait for news until they are as expected; other threads have a part in it."""
        news: list[Finished | Lost] = []
        for _ in range(600):
            news += self.crew.wait(0.1)
            if done(news):
                return news
        raise AssertionError(f"it never came: {news}")

    def some(self, number: int) -> list[Finished | Lost]:
        """Wait for so many news."""
        return self.hear(lambda news: len(news) >= number)


def _match(number: int) -> Match:
    return Match(f"m{number}", "b", 1, "rain", {}, 1, ("a", "b"))


@pytest.fixture
def scene(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Scene]:
    """Give a crew on one worker `w`, or on those that the test names."""
    made = Scene(tmp_path, **getattr(request, "param", {"w": 1}))
    yield made
    made.crew.abort()


def test_batches_grow_to_half_a_second(scene: Scene) -> None:
    """At first one match at a time; then as many together as take half a second, one batch ahead."""
    first = scene.give()
    assert [len(call.matches) for call in first] == [1, 1]
    first[0].play(lasted=50_000)
    (news,) = scene.some(1)
    assert isinstance(news, Finished)
    assert (news.match.id, news.line, news.lasted) == ("m0", b"m0", 50_000)
    calls = scene.give()
    assert sum(len(call.matches) for call in calls) == 19
    assert max(len(call.matches) for call in calls) == 10
    assert scene.crew.room() == 0


def test_slow_matches_do_not_wait(scene: Scene) -> None:
    """Where a match takes seconds a worker gets one at a time."""
    for call in scene.give():
        call.play(lasted=5_000_000)
    scene.some(2)
    assert [len(call.matches) for call in scene.give()] == [1]


def test_a_lost_workers_matches_come_back(scene: Scene) -> None:
    """What it had is lost, and played alone next time, so that a deadly one becomes known."""
    scene.give(1)[0].play(lasted=100_000)
    scene.some(1)
    calls = scene.give()
    had = {match.id for call in calls for match in call.matches}
    assert max(len(call.matches) for call in calls) == 5
    scene.link.threads = {"v": 1}
    lost = scene.some(len(had))
    assert {one.match.id for one in lost} == had
    assert not any(one.begun for one in lost if isinstance(one, Lost))
    assert any("w is gone" in text for text in scene.notices)
    calls[0].play()  # too late: nobody hears it
    scene.hear(lambda news: "v joined" in scene.notices)
    for one in lost:
        scene.crew.give(one.match)
    assert scene.crew.wait(0) == []
    again = [call for call in scene.link.calls if call.address == "v"]
    first = {match.id for match in calls[0].matches}
    assert {call.matches[0].id for call in again if len(call.matches) == 1} >= first
    scene.link.threads = {}
    lost = scene.some(len(had))
    assert [one.begun for one in lost if isinstance(one, Lost)].count(True) <= 1


def test_a_single_match_that_takes_a_worker_along_is_named(scene: Scene) -> None:
    """The one match that a lost worker was playing may be the cause; what waited behind it is not."""
    scene.give()
    scene.link.threads = {}
    first, second = scene.some(2)
    assert isinstance(first, Lost)
    assert isinstance(second, Lost)
    assert (first.begun, second.begun) == (True, False)


def test_what_is_withdrawn_comes_back(scene: Scene) -> None:
    """The workers are told; matches of a batch that were not begun come as lost."""
    for call in scene.give():
        call.play()
    scene.some(2)
    (call, *_) = scene.give(5)
    scene.crew.withdraw()
    scene.hear(lambda news: lodging.withdraw in scene.link.told)
    call.play(2)
    news = scene.some(5)
    assert [type(one) for one in news] == [Finished, Finished, Lost, Lost, Lost]
    assert not any(one.begun for one in news if isinstance(one, Lost))


def test_a_lost_scheduler_ends_the_run(scene: Scene) -> None:
    """What had been finished is heard first, then there is nobody any more."""
    calls = scene.give()
    calls[0].play()
    assert len(scene.some(1)) == 1
    scene.link.is_open = False
    calls[1].answer(ConnectionError("broken pipe"))
    with pytest.raises(PlayersGone, match=r"scheduler at tcp://here is gone \(broken pipe\)"):
        scene.some(100)


def test_a_scheduler_that_does_not_answer_is_lost(scene: Scene) -> None:
    """Where nobody can be asked who is there, the cluster is gone."""
    scene.link.threads = OSError("no route")
    with pytest.raises(PlayersGone, match="no route"):
        scene.some(100)


def test_without_workers_a_run_waits_and_then_ends(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster may come back; one that does not is left."""
    scene.link.threads = {}
    scene.hear(lambda news: any("waiting for others" in text for text in scene.notices))
    assert scene.crew.room() == 0
    monkeypatch.setattr(remote, "PATIENCE", 0)
    with pytest.raises(PlayersGone, match="no worker was left"):
        scene.some(100)


def test_who_joins_and_cannot_play_is_told(scene: Scene) -> None:
    """It gets no matches, and the run goes on with the others."""
    scene.link.threads = {"w": 1, "bad": 1}
    scene.hear(lambda news: "bad joined and cannot play: no" in scene.notices)
    assert {call.address for call in scene.give()} == {"w"}


def test_a_restarted_worker_is_asked_in_again(scene: Scene) -> None:
    """One that has forgotten the run at the same address loses its matches and joins anew."""
    calls = scene.give()
    calls[0].answer(None)
    assert len(scene.some(2)) == 2
    scene.hear(lambda news: "w joined" in scene.notices)
    assert {call.address for call in scene.give()} == {"w"}


@pytest.mark.parametrize("scene", [{"w": 1, "many": 3}], indirect=True)
def test_work_goes_where_it_is_done_first(scene: Scene) -> None:
    """A worker with more threads gets more; at the end stderr is kept."""
    calls = scene.give()
    assert sorted(call.address for call in calls) == ["many"] * 6 + ["w"] * 2
    assert len(scene.crew.playing()) == scene.crew.size == 4
    for call in calls:
        call.play()
    scene.some(8)
    scene.crew.close()
    assert (scene.logs / "bot.stderr").read_bytes() == b"its stderr" * 2
