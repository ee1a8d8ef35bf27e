"""Banks that stand ready for questions: made of files once, in step with what was pushed, and never answered in."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import TacitError
from tacit.server import writing_bank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from uuid import UUID

    from tacit.bank import Bank
    from tacit.govern.proposal import Proposal

_MOST = 8


class _Bench:
    """A bank for one act at a time, made by the first."""

    def __init__(self, clock: Callable[[], str]) -> None:
        self.lock = Lock()
        self._clock = clock
        self._stack = ExitStack()
        self._bank: Bank | None = None
        self._files: Mapping[str, bytes] = {}
        self._digests: dict[str, str] = {}

    def bank(self, files: Mapping[str, bytes]) -> Bank:
        """Return the bank, with these files."""
        if self._bank is not None and files is self._files:
            return self._bank
        wanted = writing_bank.held(files)
        digests = {file: fsio.digest(content) for file, content in wanted.items()}
        if self._bank is None:
            self._bank = self._stack.enter_context(writing_bank.made_of(wanted, self._clock))
        else:
            changed = {file: wanted[file] for file in digests if self._digests.get(file) != digests[file]}
            writing_bank.follow(self._bank, changed, [file for file in self._digests if file not in digests])
        self._files, self._digests = files, digests
        return self._bank

    def clear(self) -> None:
        """Remove the bank; the next act makes it anew."""
        self._bank = None
        self._stack.close()


class Benches:
    """The banks that were used last, so that neither files nor words are read anew for each request."""

    def __init__(self, clock: Callable[[], str]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._benches: dict[UUID, _Bench] = {}

    @contextmanager
    def use(self, bank: UUID, files: Mapping[str, bytes], waiting: Callable[[], Sequence[Proposal]]) -> Iterator[Bank]:
        """Give a bank that has these files, in which these questions wait and no others; one user at a time.

        `waiting` is asked once the bank is this user's: a question that is put aside here never waits here again.
        """
        with self._lock:
            bench = self._benches.pop(bank, None) or _Bench(self._clock)
            self._benches[bank] = bench  # the last one now
        with bench.lock:
            try:
                found = bench.bank(files)
                writing_bank.wait_alone(found, waiting())
                yield found
            except TacitError:
                raise
            except BaseException:
                bench.clear()  # whatever went wrong in it, the next act gets another one
                raise
        self._make_room()

    def close(self) -> None:
        """Remove all of them."""
        with self._lock:
            for bench in self._benches.values():
                bench.clear()

    def _make_room(self) -> None:
        """Remove those that were not used for longest; one that is in use stays."""
        with self._lock:
            for bank, bench in list(self._benches.items())[:-_MOST]:
                if bench.lock.acquire(blocking=False):
                    del self._benches[bank]
                    bench.clear()
                    bench.lock.release()
