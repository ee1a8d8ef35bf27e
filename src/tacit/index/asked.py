"""A question about a write, as a server of many banks keeps it until a person has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

WAITING = "waiting"
APPLIED, DECLINED, VOID, EXPIRED = "applied", "declined", "void", "expired"


class HeldByAnother(Exception):
    """Somebody else is answering this question at this moment."""


class Question(NamedTuple):
    """What a new question brings: `content` is the proposal's file, which `digest` vouches for.

    `alike` is the same for questions that ask the same, `candidate` for payloads that say the same.
    """

    proposal: str
    content: bytes
    digest: str
    alike: str
    conversation: str
    candidate: str
    commit: str
    expires: str


class Asked(NamedTuple):
    """A question with its fate. The content is gone once it is answered; a patch stays if the answer was yes."""

    proposal: str
    content: bytes | None
    digest: str
    commit: str
    asked_by: str
    asked: datetime
    expires: str
    status: str
    answered_by: str
    answered: datetime | None
    option: str
    channel: str
    branch: str
    result: str
    patch: bytes | None
    successor: str


class Settled(NamedTuple):
    """How a question was answered: what came of it, by which option and channel, and where the change is."""

    status: str
    option: str = ""
    channel: str = ""
    branch: str = ""
    result: str = ""
    patch: bytes | None = None
