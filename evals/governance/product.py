"""The one place where these measurements touch Tacit: a bank that governs writes, and a user who follows a script."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tacit import Bank
from tacit.audit.record import Channel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Payload = dict[str, Any]
# What the user picks who always wants the newer statement; any other waiting decision is confirmed.
TAKES_NEWER = {"veto": "take_new"}


@dataclass(frozen=True)
class Ruling:
    """What became of one payload: the decision, the note that holds it, and the ids of the neighbours it met."""

    decision: str
    note_id: str = ""
    neighbours: tuple[str, ...] = ()
    proposal_id: str = ""


class Governed(Protocol):
    """A bank as the measurements need it."""

    def remember(self, payload: Payload) -> Ruling:
        """Rule on what the user asked to remember."""

    def propose(self, payloads: Sequence[Payload], conversation: str, prompt: str = "") -> list[Ruling]:
        """Rule on payloads of a conversation in which the user typed the prompt."""

    def answer(self, proposal_id: str, option: str) -> str:
        """Answer a waiting question as the user at the terminal; return the id of the note that came of it."""

    def first(self, query: str, *, recalled: bool = False) -> str:
        """Return the one-liner of the note that comes first for a query, or nothing."""


class Product:
    """Tacit's own bank in a folder."""

    def __init__(self, bank: Bank) -> None:
        # The calls below are those of governed writes; they are looked up when they are made.
        self.bank: Any = bank

    def remember(self, payload: Payload) -> Ruling:
        """Rule on what the user asked to remember."""
        return _ruling(self.bank.remember(payload))

    def propose(self, payloads: Sequence[Payload], conversation: str, prompt: str = "") -> list[Ruling]:
        """Rule on payloads of a conversation in which the user typed the prompt."""
        if prompt:
            self.bank.session(conversation).saw_prompt(prompt)
        context = import_module("tacit").Context(conversation_id=conversation)
        return [_ruling(outcome) for outcome in self.bank.propose(list(payloads), context=context)]

    def answer(self, proposal_id: str, option: str) -> str:
        """Answer a waiting question as the user at the terminal; return the id of the note that came of it."""
        return self.bank.answer(proposal_id, option, channel=Channel.TERMINAL).note_id or ""

    def first(self, query: str, *, recalled: bool = False) -> str:
        """Return the one-liner of the note that comes first for a query, or nothing."""
        hits = self.bank.recall(query).notes if recalled else self.bank.search(query, 1)
        return str(self.bank.get(hits[0].id).one_liner) if hits else ""


def settle(bank: Governed, rulings: Sequence[Ruling]) -> None:
    """Answer what waits as the user who always takes the newer statement."""
    for ruling in rulings:
        if ruling.proposal_id:
            bank.answer(ruling.proposal_id, TAKES_NEWER.get(ruling.decision, "confirm"))


@contextmanager
def fresh(like: Path | None = None, *, warm: bool = False) -> Iterator[tuple[Product, Path]]:
    """Hand out an empty bank, or a copy of the one in a folder, and throw it away afterwards.

    A `warm` one has the models of this machine loaded, as the daemon has.
    """
    with tempfile.TemporaryDirectory(prefix="tacit-eval-") as folder:
        root = Path(folder) / ".memory"
        if like is not None:
            shutil.copytree(like, root)
        bank = Bank.init(root) if like is None else Bank.open(root)
        if warm:
            bank.warm()
        yield Product(bank), root


def _ruling(outcome: Any) -> Ruling:  # noqa: ANN401 - the shape is the contract under measurement
    return Ruling(
        decision=str(outcome.decision),
        note_id=outcome.note_id or "",
        neighbours=tuple(neighbour.id for neighbour in outcome.neighbours),
        proposal_id=outcome.proposal_id or "",
    )
