"""The record whose appearance is the commit: what changes, from which bytes to which."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.log import Addition

if TYPE_CHECKING:
    from pathlib import Path

NAME = "journal.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Change:
    """One file of a transaction: fingerprints before and after, None where there is no file.

    `staged` names the file in the transaction's directory that holds the new bytes before, and the old bytes after
    the change. A `derived` file can be made again from the notes: it is not synced, and its old bytes are not kept.
    """

    path: str
    old: str | None
    new: str | None
    staged: str
    note_id: str = ""
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Journal:
    """A committed transaction."""

    operation_id: str
    operation: str
    number: int
    ts: str
    changes: tuple[Change, ...]
    destroyed: tuple[str, ...]
    audit: Addition
    undoes: str = ""

    @property
    def directory_name(self) -> str:
        """The name of the transaction's directory; names sort in the order of the commits."""
        return directory_name(self.number, self.operation_id)

    def encode(self) -> bytes:
        """Return the bytes of the record; the first line is the fingerprint of the rest."""
        body = json.dumps({"version": _VERSION, **asdict(self)}, ensure_ascii=False).encode()
        return fsio.digest(body).encode() + b"\n" + body


def directory_name(number: int, operation_id: str) -> str:
    """Return the name of the directory of a transaction."""
    return f"tx-{number:010d}-{operation_id}"


def read(directory: Path) -> Journal | None:
    """Return the journal in a transaction's directory; None if there is none or its bytes are damaged."""
    content = fsio.read(directory / NAME)
    if content is None:
        return None
    head, _, body = content.partition(b"\n")
    if head.decode("ascii", "replace") != fsio.digest(body):
        return None
    members = json.loads(body)
    if members.pop("version") != _VERSION:
        return None
    members["changes"] = tuple(Change(**change) for change in members["changes"])
    members["destroyed"] = tuple(members["destroyed"])
    members["audit"] = Addition(**members["audit"])
    return Journal(**members)
