"""The bank of one MCP connection: which it is, in which role it is used, and on which thread."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, cast

from mcp.server.mcpserver.exceptions import ToolError

from tacit.bank.talks import told
from tacit.errors import BankNotFound, TacitError
from tacit.messages import explain, prefer, say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank import Answer, Bank
    from tacit.bank.roles import Role

    # Runs an act with a bank on the one thread that uses it.
    Runner = Callable[[Callable[[Bank | None], object]], Future[object]]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Door:
    """What the tools of one connection work with; `language` is the user's wish, if they have one."""

    place: Path
    role: Role
    run: Runner
    language: str = ""
    # Whether the user may answer through the client's form.
    asks: bool = True

    def told(self, done: Answer) -> str:
        """Return in a sentence what an answer led to."""
        return told(done)

    def unanswered(self, *, in_chat: bool) -> str:
        """Return how a question that nobody answered comes to its answer."""
        return say("mcp.ask" if in_chat else "mcp.ask_review")

    def surer(self, proposal_id: str) -> str:
        """Return that a form is not enough for an answer."""
        return say("mcp.surer", id=proposal_id)

    async def __call__(self, act: Callable[[Bank], T]) -> T:
        """Return what an act says, done on the bank's own thread; an error becomes a sentence for the agent.

        What the caller says after that is in the user's language too.
        """
        language = self.language

        def done(bank: Bank | None) -> T:
            nonlocal language
            if bank is None:
                raise BankNotFound(place=self.place)
            language = language or bank.settings.text("language")
            prefer(language)
            try:
                return act(bank)
            finally:
                prefer("auto")

        try:
            result = await asyncio.wrap_future(self.run(done))
        except TacitError as error:
            raise ToolError(" ".join((*explain(error, language or "auto"), f"({error.code})"))) from None
        prefer(language)
        return cast("T", result)


class OwnBank:
    """A bank opened when it is first needed, for a process that serves one connection by itself."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._bank: Bank | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="tacit-bank")

    def run(self, act: Callable[[Bank | None], object]) -> Future[object]:
        """Run an act with the bank, None where there is none."""
        return self._worker.submit(lambda: act(self._opened()))

    def _opened(self) -> Bank | None:
        from tacit.bank import Bank, wiring

        if self._bank is None:
            try:
                self._bank = Bank.open(wiring.of_workspace(self._place))
            except BankNotFound:
                return None
            self._bank.recaller.stay()
        return self._bank
