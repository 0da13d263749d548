"""Plays what is missing of a tournament: gives matches to a crew, writes each result down, and tells.

All state that matters is the journal's. What is here can be lost at any moment: a run that begins again
reads the journal and goes on. The loop neither plays nor draws; it decides what is played next, what is
played again, and when it is enough.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arena import events, journal
from arena.config import Config
from arena.crew import Crew, Finished, Lost, PlayersGone
from arena.events import Reason
from arena.feed import Feed, Gate
from arena.journal import Journal
from arena.ledger import Ledger
from arena.match import FaultKind, Match, Result
from arena.schedule import Block, Plan, Stage
from arena.signals import Signals, Wish

if TYPE_CHECKING:
    from arena.standings import Standings

_log = logging.getLogger(__name__)

SECOND = 1_000_000
SHOW = SECOND // 4  # between two looks at the progress
TABLE = 2 * SECOND  # between two tables, and more where they are dear:
DEAR = 25  # a table may take this part of the time that it is shown
PUBLISH = 5 * SECOND  # between two writes of the standings' files
MOST_VOIDS = 6  # in a row, before the machine or the arena is taken for broken
MOST_DEATHS = 2  # workers that one match may take along
FAILED_STARTS = 3  # of a bot in a row, which its table then takes for broken


class Tournament:
    """One run of a tournament, from what the ledger has to the end or a stop."""

    def __init__(
        self,
        config: Config,
        plan: Plan,
        ledger: Ledger,
        journal: Journal,
        open_crew: Callable[[], Crew],
        signals: Signals,
        *,
        now: Callable[[], int],
        tell: Callable[[events.Event], None],
        standings: Callable[[], Standings],
        publish: Callable[[Standings], object],
        rule: Callable[[], str | None] | None = None,
    ) -> None:
        """Take all that a run needs.

        `open_crew` is called before the first match is given, and not at all where there is none.
        `standings` works the table out of the ledger, `publish` writes it to its files. `rule` looks at the
        ledger and says why it is enough, or None.
        """
        self._config = config
        self._plan = plan
        self._ledger = ledger
        self._journal = journal
        self._open_crew = open_crew
        self._crew: Crew | None = None
        self._signals = signals
        self._now = now
        self._tell = tell
        self._standings = standings
        self._publish = publish
        self._rule = rule
        self._feed = Feed((), ledger.is_settled, self._gate, 0)
        self._earlier = ledger.last_round
        self._began = now()
        self._before = ledger.done
        self._planned = plan.matches
        self._given = 0  # matches that the crew has
        self._closing = False  # no more is handed out
        self._end: tuple[Reason, str] | None = None
        self._final_round: int | None = None  # a rule may hold: rounds up to this one are completed first
        self._deaths: Counter[str] = Counter()
        self._voids = 0  # in a row
        self._starts: Counter[str] = Counter()  # failed ones in a row, by bot
        self._paces: deque[tuple[int, int]] = deque([(self._began, 0)], maxlen=60)
        self._next_show = self._began
        self._next_rule = self._began
        self._next_table = self._began + SECOND
        self._next_publish = self._began + PUBLISH
        self._table_games = -1

    def run(self) -> events.End:
        """Play; when this returns, every finished match is in the journal and durable.

        FolderError where the journal cannot be written; PlayersDie where nobody can play.
        """
        try:
            if self._rule is not None and self._ledger.done:
                self._consider(self._rule)
            for stage in self._plan.stages(self._ledger.finished):
                self._play(stage)
                if self._end is not None:
                    break
            if self._crew is not None and self._signals.wish is not Wish.NOW:
                self._crew.close()
        except BaseException:
            if self._crew is not None:
                self._crew.abort()
            raise
        self._journal.close()
        reason, text = self._end or (Reason.FINISHED, "all games are played")
        if self._crew is not None:
            _log.info("%s; %d matches are done", text, self._ledger.done)
        return events.End(
            reason,
            text,
            played=self._ledger.done - self._before,
            done=self._ledger.done,
            games=self._games(),
            void=self._ledger.given_up,
            seconds=round((self._now() - self._began) / SECOND, 3),
            output=str(self._config.output),
        )

    # Handing out

    def _play(self, stage: Stage) -> None:
        self._feed = Feed(stage, self._ledger.is_settled, self._gate, self._earlier)
        self._planned = self._plan.matches
        while True:
            self._fill()
            if not self._given:
                if self._closing or self._feed.is_over:
                    return
                if self._feed.is_held:
                    if self._decide():
                        return
                    continue
            assert self._crew is not None
            try:
                heard = self._crew.wait(self._timeout(), self._signals.fileno())
            except PlayersGone as error:
                self._end = (Reason.GONE, str(error))
                return
            self._given -= len(heard)
            self._write([news for news in heard if isinstance(news, Finished)])
            for news in heard:
                if isinstance(news, Lost):
                    self._replay(news)
            self._journal.sync()
            if self._signals.wish is not Wish.NONE and self._obey(self._crew):
                return
            self._look(self._crew)

    def _fill(self) -> None:
        """Hand out while there is something and somebody to take it."""
        room = 1 if self._crew is None else self._crew.room()
        while room > 0 and not self._closing:
            match = self._feed.take()
            if match is None:
                return
            if self._crew is None:
                self._crew = self._open_crew()
                self._signals.playing = True
                self._began = self._now()
                room = self._crew.room()
            self._crew.give(match)
            self._given += 1
            room -= 1

    def _gate(self, block: Block) -> Gate:
        """Say whether a new block may begin."""
        rules = self._config.stop
        if self._end is not None:
            return Gate.SHUT
        if rules.games is not None and self._ledger.done + self._feed.outstanding >= rules.games:
            self._end = (Reason.RULE, f"{rules.games} games are played")
            return Gate.SHUT
        if rules.time is not None and self._now() - self._began >= rules.time:
            self._end = (Reason.RULE, f"the time of {rules.time / SECOND:g} s is over")
            return Gate.SHUT
        if self._final_round is not None and block.round > self._final_round:
            return Gate.HELD
        return Gate.OPEN

    def _consider(self, rule: Callable[[], str | None]) -> None:
        """Begin no new round where a rule seems to hold, so that it can be judged on complete ones."""
        if self._final_round is None and rule():
            self._final_round = max(self._earlier, self._feed.round)

    def _decide(self) -> bool:
        """Judge the rule on complete rounds alone, and go on where it does not hold after all."""
        assert self._rule is not None
        reason = self._rule()
        self._final_round = None
        if reason:
            self._end = (Reason.RULE, reason)
        return reason is not None

    def _obey(self, crew: Crew) -> bool:
        """Do what a signal asked for; tell whether that is to leave at once."""
        self._signals.drain()
        if self._end is None or self._end[0] is not Reason.SIGNAL:
            self._end = (Reason.SIGNAL, f"stopped by {self._signals.name}")
        if self._signals.wish is Wish.NOW:
            crew.abort()
            return True
        if not self._closing:
            self._close(crew)
            self._tell(events.Notice("stopping: running games end first; again to stop at once"))
        return False

    def _close(self, crew: Crew) -> None:
        self._closing = True
        crew.withdraw()

    # Writing down

    def _write(self, finished: list[Finished]) -> None:
        """Append finished matches to the journal, those that came together in one step, and count them."""
        heads = [(done, journal.head(done.line)) for done in finished]
        good = [done for done, head in heads if not head["void"]]
        if good:
            lines = b"".join([done.line for done in good])
            self._journal.append(lines, max([done.lasted for done in good]))
        for done, head in heads:
            if head["void"]:
                self._write_void(done.match, done.line, done.lasted)
            else:
                self._count(done, head)

    def _count(self, done: Finished, head: dict[str, Any]) -> None:
        """Count a match that is in the journal, and tell of it."""
        self._voids = 0
        self._settle(head)
        faults = tuple(
            events.BotFault(fault["seat"], head["bots"][fault["seat"]], fault["kind"], fault["text"])
            for fault in head["faults"]
        )
        self._tell(
            events.Game(
                head["id"],
                head["block"],
                head["round"],
                tuple(head["bots"]),
                tuple(head["ranks"]),
                tuple(head["scores"]),
                faults,
                done.lasted,
                self._ledger.done,
                self._games(),
            )
        )
        self._watch_starts(head["bots"], faults)

    def _write_void(self, match: Match, line: bytes, lasted: int) -> None:
        """Record a match that came to nothing, and play it again unless it was the last try."""
        record = journal.decode(line)
        if self._ledger.is_last_try(match) or self._deaths[match.id] >= MOST_DEATHS:
            record["final"] = True
            line = journal.encode(record)
        self._journal.append(line, lasted)
        final = bool(record.get("final"))
        self._tell(events.Void(match.id, match.bots, record["text"], final))
        _log.warning("match %s is void: %s", match.id, record["text"])
        if final:
            self._settle(record)
        else:
            self._ledger.count(record)
            self._feed.put_back(match)
        self._voids += 1
        if self._voids >= MOST_VOIDS and self._end is None:
            self._end = (
                Reason.ERROR,
                f"{self._voids} games in a row came to nothing by no bot's fault; the last: {record['text']}",
            )
            assert self._crew is not None
            self._close(self._crew)

    def _settle(self, head: dict[str, Any]) -> None:
        self._ledger.count(head)
        self._feed.settle()

    def _replay(self, lost: Lost) -> None:
        """Hand a lost match out again, unless it takes every worker along."""
        if not lost.begun:
            self._feed.put_back(lost.match)
            return
        self._deaths[lost.match.id] += 1
        if self._deaths[lost.match.id] < MOST_DEATHS:
            self._tell(events.Notice(f"{lost.text}; game {lost.match.id} is played again"))
            self._feed.put_back(lost.match)
        else:
            text = f"whoever played it died, {MOST_DEATHS} times; the last: {lost.text}"
            void = Result(lost.match, {}, void=True, text=text)
            self._write_void(lost.match, journal.encode(void.dump()), journal.SLOW)

    def _watch_starts(self, bots: list[str], faults: tuple[events.BotFault, ...]) -> None:
        """Tell once of a bot that does not start any more: its games are forfeited from now on."""
        if not faults and not self._starts:
            return
        failed = {fault.bot for fault in faults if fault.kind == FaultKind.STARTUP}
        for bot in set(bots) - failed:
            self._starts.pop(bot, None)
        for bot in failed:
            self._starts[bot] += 1
            if self._starts[bot] == FAILED_STARTS:
                self._tell(events.Notice(f"{bot} failed to start {FAILED_STARTS} times in a row"))

    # Telling

    def _games(self) -> int:
        """Return how many matches there are in all, as far as is known."""
        games = max(self._planned, self._ledger.done)
        if self._config.stop.games is not None:
            size = self._plan.maker.size
            games = min(games, max(-(-self._config.stop.games // size) * size, self._ledger.done))
        return games

    def _timeout(self) -> float:
        due = self._journal.due()
        soonest = min(self._next_show, due) if due is not None else self._next_show
        return max(0.0, (soonest - self._now()) / SECOND)

    def _look(self, crew: Crew) -> None:
        """Tell the progress, ask the rule, and every few seconds tell the table."""
        at = self._now()
        if at < self._next_show:
            return
        self._next_show = at + SHOW
        self._tell(self._progress(at, crew.playing()))
        if self._rule is not None and at >= self._next_rule:
            self._consider(self._rule)
            self._next_rule = at + max(SHOW, (self._now() - at) * DEAR)
        if at >= self._next_table and self._table_games != self._ledger.done:
            self._table_games = self._ledger.done
            before = self._now()
            table = self._standings()
            self._tell(events.Table(table))
            self._next_table = at + max(TABLE, (self._now() - before) * DEAR)
            if at >= self._next_publish:
                self._publish(table)
                self._next_publish = at + PUBLISH

    def _progress(self, at: int, playing: list[Match]) -> events.Progress:
        played = self._ledger.done - self._before
        if at - self._paces[-1][0] >= SECOND:
            self._paces.append((at, played))
        since, then = self._paces[0]
        rate = (played - then) / max(at - since, 1) * SECOND
        left = (self._games() - self._ledger.done) / rate if rate > 0 else None
        return events.Progress(
            self._ledger.done,
            self._games(),
            round(rate, 3),
            None if left is None else round(left, 1),
            tuple(match.bots for match in playing),
        )
