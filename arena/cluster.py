"""A tournament on other machines: a Dask cluster as a site.

Packs the bots once, when a run begins, so that one that changes on disk is never mixed in, and has every
machine take them in; what is wrong is told for all machines together. What happens on the machines is
`lodging`'s, who is given what is `remote`'s. `distributed` is imported only when a cluster is used.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import sys
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena import __version__, events, header, lodging, parcel
from arena.config import Config
from arena.driver import now
from arena.errors import UserError
from arena.lodging import Arrival, Order
from arena.remote import RemoteCrew, first_line
from arena.sandbox import Tier
from arena.site import Tell

if TYPE_CHECKING:
    from distributed import Client, Future

_log = logging.getLogger(__name__)

CONNECT = 10.0  # seconds in which a scheduler is to answer, and a first worker to be there
LOOK = 500_000  # µs between two looks whether those who are asked are still there
ANSWER = 30.0  # seconds for an answer that is ready to come
GOODBYE = 10.0  # seconds to leave in
UNEQUAL = 1.25  # machines that differ by more in speed are told


class Cluster:
    """The machines behind a Dask scheduler, as a site."""

    def __init__(self, address: str) -> None:
        """Take the scheduler's address; nothing is done yet."""
        self.address = address
        self.run = secrets.token_hex(8)
        self.parcels: dict[str, bytes] = {}
        self._client: Client | None = None
        self.arrivals: Mapping[str, Arrival] = {}
        self._numbers = iter(range(1 << 62))
        self._threads: dict[str, dict[str, int]] = {}  # by host and address
        self._lock = threading.Lock()

    @property
    def client(self) -> Client:
        """Return the connection."""
        assert self._client is not None
        return self._client

    @property
    def is_open(self) -> bool:
        """Tell whether the scheduler can be reached."""
        return self._client is not None and self._client.status == "running"

    def prepare(self, config: Config, tell: Tell) -> Mapping[str, Any]:
        """Pack the bots, and have every machine unpack, build and greet them."""
        self._tell = tell
        self._order, files = self._pack(config), header.all_hashes(config)
        self._connect()
        threads = self._look_for_workers()
        tell(events.Notice(f"preparing {len(threads)} workers at {self.address}"))
        self.arrivals = self.settle(threads)
        problems = [
            f"{address}: {text.strip()}"
            for address, arrival in self.arrivals.items()
            for text in arrival.problems
        ]
        if problems:
            count = sum(bool(arrival.problems) for arrival in self.arrivals.values())
            raise UserError(
                "\n".join([f"{count} of {len(threads)} workers cannot play; nothing was played:", *problems])
            )
        self._warn(threads)
        return {
            "isolation": _weakest([arrival.isolation for arrival in self.arrivals.values()]),
            "files": files,
            "parcels": dict(self._order.digests),
        }

    def rehearse(self) -> None:
        """Do nothing: the machines have greeted the bots already."""

    def hire(self, logs: Path, disown: Callable[[], None]) -> RemoteCrew:
        """Open the crew."""
        return RemoteCrew(self, logs, self._tell)

    def close(self) -> None:
        """Leave the cluster; what is still kept there of this run goes soon."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):  # it may be gone in any way that a network knows
                client.close(timeout=GOODBYE)

    def _pack(self, config: Config) -> Order:
        digests: dict[str, str] = {}
        packed: dict[tuple[Any, ...], parcel.Parcel] = {}
        for bot in config.bots:
            if not parcel.travels(bot):
                continue
            key = (bot.folder, bot.files, (bot.command, bot.build) if bot.files else ())
            if key not in packed:
                keeps = {one.keep for one in config.bots if one.keep is not None}
                packed[key] = parcel.pack(bot, {config.output, *keeps})
            digests[bot.name] = packed[key].digest
            self.parcels[packed[key].digest] = packed[key].data
        strangers = {bot.name: tuple(found) for bot in config.bots if (found := parcel.strangers(bot))}
        return Order(self.run, __version__, config, sys.executable, digests, strangers)

    def _connect(self) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise UserError("--cluster needs Dask: pip install 'arena[cluster]'") from None
        # What is worth telling is told by us; Dask's own words would tear the display.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        with warnings.catch_warnings(record=True) as warned:
            try:
                self._client = Client(self.address, timeout=CONNECT, set_as_default=False)
            except (OSError, ValueError, TimeoutError) as error:
                raise UserError(
                    f"there is no Dask scheduler at {self.address} ({first_line(error)}); "
                    "start one with `dask scheduler`"
                ) from None
        for warning in warned:
            _log.warning("%s", warning.message)

    def _look_for_workers(self) -> dict[str, int]:
        with contextlib.suppress(TimeoutError):
            self.client.wait_for_workers(1, timeout=CONNECT)
        threads = self.workers()
        if not threads:
            raise UserError(
                f"the Dask scheduler at {self.address} has no workers; "
                f"start some with `dask worker {self.address} --nworkers auto --nthreads 1`"
            )
        return threads

    def _warn(self, threads: Mapping[str, int]) -> None:
        several = [address for address, number in threads.items() if number > 1]
        if several:
            self._tell(
                events.Notice(
                    f"{', '.join(several)}: several games share one Python process and wait for each other; "
                    "`dask worker … --nworkers auto --nthreads 1` is fairer to bots"
                )
            )
        for notice in sorted({n for one in self.arrivals.values() for n in one.isolation["notices"]}):
            self._tell(events.Notice(notice))
        speeds = [one.machine.speed for one in self.arrivals.values() if one.machine is not None]
        if max(speeds) > UNEQUAL * min(speeds):
            self._tell(
                events.Notice(
                    f"the fastest machine is {max(speeds) / min(speeds):.1f} times as fast as the slowest: "
                    "what a bot can do in its time depends on where it plays"
                )
            )

    # Talking with workers

    def workers(self) -> dict[str, int]:
        """Return how many threads each worker has, by address."""
        return dict(self.client.nthreads())

    def submit(self, address: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have one worker, and no other, call a function."""
        key = f"arena-{self.run}-{next(self._numbers)}"
        return self.client.submit(
            function, *arguments, key=key, workers=[address], allow_other_workers=False, pure=False
        )

    def tell_all(self, function: Callable[[str], None]) -> None:
        """Call a function of the run on all workers, whatever they are doing; who is gone is left out."""
        self.client.run(function, self.run, on_error="ignore")

    def settle(self, threads: Mapping[str, int]) -> dict[str, Arrival]:
        """Have workers take the run in; the parcels go once to each machine that does not have them."""
        with self._lock:  # two that join at the same time may be one machine
            arrivals = self._ask(threads, with_parcels=False)
            lacking: dict[str, str] = {}
            for address, arrival in arrivals.items():
                if arrival.needs:
                    lacking.setdefault(arrival.place, address)
            arrivals |= self._ask({one: threads[one] for one in lacking.values()}, with_parcels=True)
            rest = {address: threads[address] for address, one in arrivals.items() if one.needs}
            ready = {one.place for one in arrivals.values() if one.machine is not None}
            # Where the first of a machine failed, the others of it need not say so again.
            joining = [address for address in rest if arrivals[address].place in ready]
            failed = [address for address in rest if arrivals[address].place not in ready]
            return {
                **{address: one for address, one in arrivals.items() if address not in failed},
                **self._ask({address: rest[address] for address in joining}, with_parcels=False),
            }

    def _ask(self, threads: Mapping[str, int], *, with_parcels: bool) -> dict[str, Arrival]:
        pending = {}
        for address, number in threads.items():
            parcels = None
            if with_parcels:
                # As a value of its own, not an argument: so it does not pass through the scheduler's memory.
                (parcels,) = self.client.scatter([self.parcels], workers=[address], hash=False)
            before = self._offset(address, number)
            pending[address] = self.submit(address, lodging.move_in, self._order, parcels, before)
        arrivals = {}
        pause = threading.Event()
        looked = now()
        while pending:
            for address, future in list(pending.items()):
                if future.done():
                    arrivals[address] = _arrival(future)
                    del pending[address]
            if pending and now() - looked > LOOK:
                looked = now()
                for address in pending.keys() - self.workers().keys():
                    arrivals[address] = Arrival(problems=("it went away",))
                    del pending[address]
            pause.wait(0.02 if pending else 0)
        return arrivals

    def _offset(self, address: str, number: int) -> int:
        """Return how many threads the workers before this one have on its machine."""
        host = address.rpartition(":")[0]
        known = self._threads.setdefault(host, {})
        before = (
            sum(known[one] for one in list(known)[: list(known).index(address)]) if address in known else 0
        )
        if address not in known:
            before = sum(known.values())
            known[address] = number
        return before


def _arrival(future: Future[Any]) -> Arrival:
    """Return what a worker answered; a failure of its own is a problem like any other."""
    try:
        answer = future.result(timeout=ANSWER)
    except ModuleNotFoundError as error:
        return Arrival(problems=(f"{error}: install there what is installed here, arena with its games",))
    except Exception as error:  # anything that can go wrong on a machine that we know nothing of
        return Arrival(problems=(f"{type(error).__name__}: {first_line(error)}",))
    finally:
        future.release()
    assert isinstance(answer, Arrival)
    return answer


def _weakest(isolations: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what can be promised of all machines."""
    order = [tier.value for tier in Tier]
    return {
        "tier": max((one["tier"] for one in isolations), key=order.index),
        "cgroup": all(one["cgroup"] for one in isolations),
        "notices": sorted({notice for one in isolations for notice in one["notices"]}),
    }
