"""Requests that wait are let in together: by a question asked after each of them came, and each with its own answer."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from tacit.server.readers import Readers

if TYPE_CHECKING:
    from collections.abc import Sequence


class Keeper:
    """Lets in whoever is in the book when asked; waits for a sign before the first answer."""

    def __init__(self) -> None:
        self.book = {"ann", "bob", "eve"}
        self.asked: list[list[str]] = []
        self.may_answer = threading.Event()
        self.was_asked = threading.Event()

    def admit(self, names: Sequence[str]) -> list[bool]:
        """Say who is in the book now."""
        self.asked.append(list(names))
        self.was_asked.set()
        assert self.may_answer.wait(30)
        if "storm" in names:
            raise OSError(names)
        return [name in self.book for name in names]


def greeted(name: str, known: bool) -> str:  # noqa: FBT001  what the keeper says
    """Greet those who are let in."""
    if name == "mute":
        raise ValueError(name)
    return f"{name}: {'come in' if known else 'no'}"


async def ask(readers: Readers[str, bool, str], *names: str) -> list[str | BaseException]:
    """Ask for several at once."""
    waiting = [readers.read(name, lambda known, name=name: greeted(name, known)) for name in names]  # type: ignore[misc]
    return await asyncio.gather(*waiting, return_exceptions=True)


def test_each_gets_its_own_answer_and_they_are_let_in_together() -> None:
    """Y-03: while one question is under way others gather; then one question is asked for all that fit."""
    keeper = Keeper()
    readers: Readers[str, bool, str] = Readers(keeper.admit)
    threading.Timer(0.3, keeper.may_answer.set).start()
    names = [*("ann", "bob", "mallory") * 4, "eve"]
    found = asyncio.run(ask(readers, *names))
    readers.close()
    assert found == [greeted(name, name in keeper.book) for name in names]
    assert sorted(name for names in keeper.asked for name in names) == sorted(names)
    assert len(keeper.asked) < len(names)


def test_who_comes_after_a_token_was_taken_back_is_not_let_in() -> None:
    """Y-03: a question that was under way lets nobody in who came later."""
    keeper = Keeper()
    readers: Readers[str, bool, str] = Readers(keeper.admit)

    async def come() -> list[list[str | BaseException]]:
        first = asyncio.ensure_future(ask(readers, "ann"))
        await asyncio.to_thread(keeper.was_asked.wait, 30)
        keeper.book.discard("eve")
        later = asyncio.ensure_future(ask(readers, "eve"))
        await asyncio.sleep(0.05)
        keeper.may_answer.set()
        return [await first, await later]

    assert asyncio.run(come()) == [["ann: come in"], ["eve: no"]]
    readers.close()


@pytest.mark.parametrize("names", [("mute", "ann"), ("ann", "mute", "bob")])
def test_a_fault_is_told_to_who_caused_it(names: tuple[str, ...]) -> None:
    """Y-03: one request that fails leaves the others their answers."""
    keeper = Keeper()
    keeper.may_answer.set()
    readers: Readers[str, bool, str] = Readers(keeper.admit)
    found = asyncio.run(ask(readers, *names))
    readers.close()
    assert [isinstance(each, ValueError) for each in found] == [name == "mute" for name in names]


def test_where_the_question_fails_all_who_waited_are_told() -> None:
    """Y-03: while the database is away nobody waits for ever."""
    keeper = Keeper()
    keeper.may_answer.set()
    readers: Readers[str, bool, str] = Readers(keeper.admit)
    (found,) = asyncio.run(ask(readers, "storm"))
    assert isinstance(found, OSError)
    assert asyncio.run(ask(readers, "ann")) == ["ann: come in"]
    readers.close()


def test_one_that_takes_long_does_not_hold_up_the_others() -> None:
    """Y-03: while one request waits for the disk, those that came after it are answered."""
    keeper = Keeper()
    keeper.may_answer.set()
    readers: Readers[str, bool, str] = Readers(keeper.admit)
    has_begun, may_end = threading.Event(), threading.Event()

    def long(known: bool) -> str:  # noqa: FBT001  as above
        has_begun.set()
        assert may_end.wait(30)
        return greeted("ann", known)

    async def come() -> list[str | BaseException]:
        slow = asyncio.ensure_future(readers.read("ann", long))
        await asyncio.to_thread(has_begun.wait, 30)
        quick = await ask(readers, "bob", "eve")
        may_end.set()
        return [*quick, await slow]

    assert asyncio.run(come()) == ["bob: come in", "eve: come in", "ann: come in"]
    readers.close()


def test_what_waits_is_answered_before_the_end() -> None:
    """Y-03: closing brings what is under way to its end."""
    keeper = Keeper()
    keeper.may_answer.set()
    readers: Readers[str, bool, str] = Readers(keeper.admit)

    async def come() -> list[str | BaseException]:
        waiting = asyncio.ensure_future(ask(readers, *["ann"] * 20))
        await asyncio.sleep(0.05)
        await asyncio.to_thread(readers.close)
        return await waiting

    assert asyncio.run(come()) == ["ann: come in"] * 20
