"""What is asked all the time and answered in a moment: all requests that wait are let in by one question."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Python runs one thread at a time: with more of them, answers would only overtake each other.
_THREADS = 2
# Two that work at once would only make each other wait, but one that reads a bank for the first time takes long: so
# long a thread waits for its turn.
_PATIENCE_S = 0.02
# So many are let in together; who comes last of them waits for the others.
_MOST = 8

_Key = TypeVar("_Key")
_Pass = TypeVar("_Pass")
_Answer = TypeVar("_Answer")


class _Waiting(NamedTuple, Generic[_Key, _Pass, _Answer]):
    """One request: what it is let in by, what it wants then, and where its answer is waited for."""

    key: _Key
    work: Callable[[_Pass], _Answer]
    way: _Way
    answer: asyncio.Future[_Answer]


class _Way:
    """The way back to one event loop: it is woken once for all answers that have come until it looks."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._told: deque[tuple[asyncio.Future[Any], object, BaseException | None]] = deque()
        self._is_woken = False

    def tell(self, answer: asyncio.Future[Any], found: object, error: BaseException | None = None) -> None:
        """Let an answer be known to who waits for it."""
        self._told.append((answer, found, error))
        if not self._is_woken:
            self._is_woken = True
            with suppress(RuntimeError):  # the loop has ended
                self.loop.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        self._is_woken = False  # before looking: what is told from here on wakes it again
        while self._told:
            answer, found, error = self._told.popleft()
            if answer.done():  # nobody waits any more
                continue
            if error is None:
                answer.set_result(found)
            else:
                answer.set_exception(error)


class Readers(Generic[_Key, _Pass, _Answer]):
    """A few threads. Each takes what waits, asks once what all of it is let in by, and does it when its turn comes.

    The question is asked after every one of these requests came, so that a token that was taken back before lets nobody
    in, however many come at once.
    """

    def __init__(self, admit: Callable[[Sequence[_Key]], Sequence[_Pass]]) -> None:
        self._admit = admit
        self._turn = Lock()
        self._way: _Way | None = None
        self._queue: SimpleQueue[_Waiting[_Key, _Pass, _Answer] | None] = SimpleQueue()
        self._threads = [Thread(target=self._run, name=f"tacit-reads-{at}", daemon=True) for at in range(_THREADS)]
        for each in self._threads:
            each.start()

    async def read(self, key: _Key, work: Callable[[_Pass], _Answer]) -> _Answer:
        """Return what the work makes of what this key lets in to; raises what the question or the work raises."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[_Answer] = loop.create_future()
        way = self._way
        if way is None or way.loop is not loop:
            self._way = way = _Way(loop)
        self._queue.put(_Waiting(key, work, way, answer))
        return await answer

    def close(self) -> None:
        """Answer what waits, and end."""
        for _ in self._threads:
            self._queue.put(None)
        for each in self._threads:
            each.join()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            some = [first, *self._more()]
            try:
                passes = self._admit([each.key for each in some])
            except BaseException as error:  # noqa: BLE001  whoever waits gets it
                for each in some:
                    each.way.tell(each.answer, None, error)
                continue
            is_mine = self._turn.acquire(timeout=_PATIENCE_S)
            try:
                for each, found in zip(some, passes, strict=True):
                    _do(each, found)
            finally:
                if is_mine:
                    self._turn.release()

    def _more(self) -> list[_Waiting[_Key, _Pass, _Answer]]:
        """Return others that wait already."""
        found: list[_Waiting[_Key, _Pass, _Answer]] = []
        with suppress(Empty):
            while len(found) < _MOST - 1:
                each = self._queue.get_nowait()
                if each is None:
                    self._queue.put(None)  # the end comes after these
                    break
                found.append(each)
        return found


def _do(waiting: _Waiting[_Key, _Pass, _Answer], found: _Pass) -> None:
    try:
        answer = waiting.work(found)
    except BaseException as error:  # noqa: BLE001  whoever waits gets it
        waiting.way.tell(waiting.answer, None, error)
    else:
        waiting.way.tell(waiting.answer, answer)
