"""When the results are enough: every ± small, or the best bot certain."""

from __future__ import annotations

from arena.config import Stop
from arena.standings import Standings, standings
from arena.stopping import reason
from arena.tally import Entry, Tally


def played(blocks: int, wins: int = 3, bots: tuple[str, ...] = ("a", "b")) -> Standings:
    """Return the table after blocks of which the first bot won some of each four."""
    tally = Tally(bots)
    for block in range(blocks):
        for seat in range(2):
            won = block % 4 < wins
            ranks = (1, 2) if won == (seat == 0) else (2, 1)
            lineup = (bots[0], bots[1]) if seat == 0 else (bots[1], bots[0])
            tally.add(Entry(lineup, ranks, str(block)))
    return standings(tally)


def test_a_small_error_is_enough() -> None:
    """Every ± at the target stops; one above it does not."""
    table = played(100)
    worst = max(bot.error or 0 for bot in table.groups[0].bots)
    assert reason(Stop(error=worst + 0.01), table) == f"every ± is at most {worst + 0.01:g} Elo"
    assert reason(Stop(error=worst - 0.01), table) is None


def test_the_best_must_be_certain() -> None:
    """A clear winner over many blocks is enough; an unclear one is not, nor a clear one over few."""
    assert reason(Stop(best=True), played(100)) == "a is the best (chance of superiority 100.00%)"
    assert reason(Stop(best=True), played(100, wins=2)) is None
    assert reason(Stop(best=True), played(12, wins=4)) is None


def test_bots_that_never_met_are_not_compared() -> None:
    """While a bot has not played, no rule holds."""
    table = played(100, bots=("a", "b", "c"))
    assert reason(Stop(error=10_000, best=True), table) is None


def test_without_rules_nothing_stops() -> None:
    """No rule, no reason."""
    assert reason(Stop(), played(100)) is None
