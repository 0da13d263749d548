"""What signals ask of a run."""

from __future__ import annotations

import select
import signal

import pytest

from arena.errors import Stopped
from arena.signals import Signals, Wish


def readable(signals: Signals) -> bool:
    """Tell whether the descriptor has something."""
    return bool(select.select([signals.fileno()], [], [], 0)[0])


def test_interrupts_ask_softly_first() -> None:
    """Ctrl-C once is a wish to end soon, twice to end now; each makes the descriptor readable."""
    with Signals() as signals:
        signals.playing = True
        assert not readable(signals)
        signal.raise_signal(signal.SIGINT)
        assert (signals.wish, signals.name, readable(signals)) == (Wish.SOON, "SIGINT", True)
        signals.drain()
        assert not readable(signals)
        signal.raise_signal(signal.SIGINT)
        assert signals.wish is Wish.NOW


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_termination_does_not_wait(number: signal.Signals) -> None:
    """SIGTERM and SIGHUP are a wish to end now."""
    with Signals() as signals:
        signals.playing = True
        signal.raise_signal(number)
        assert (signals.wish, signals.name) == (Wish.NOW, number.name)


def test_before_the_first_match_a_signal_ends_everything() -> None:
    """Where nothing is at stake, a signal stops us where we are, with status 3."""
    with Signals(), pytest.raises(Stopped, match="by SIGINT before the first match") as found:
        signal.raise_signal(signal.SIGINT)
    assert found.value.exit_status == 3


def test_what_was_ignored_stays_ignored() -> None:
    """Under nohup SIGHUP means nothing."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Signals() as signals:
            signals.playing = True
            signal.raise_signal(signal.SIGHUP)
            assert signals.wish is Wish.NONE
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_handlers_are_put_back() -> None:
    """After the scope everything is as before."""
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    with Signals():
        pass
    after = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    assert after == before
    assert signal.set_wakeup_fd(-1) == -1
