"""A decision that waits for its answer: the exact changes it offers, and the digest that an approval is bound to."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tacit.errors import AnswerRefused, ProposalVoid
from tacit.note import blob

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.formats.native import Document

FORMAT = 1
CONFIRM, CANCEL, NEW_INSTEAD, SHOW_DIFF = "confirm", "cancel", "new_instead", "show_diff"
KEEP_OLD, TAKE_NEW, BOTH = "keep_old", "take_new", "both"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file: the digest of what stands there now (None: nothing), and the text to put there (None: remove it)."""

    file: str
    base: str | None
    content: str | None
    note_id: str

    @classmethod
    def edit(cls, before: Document, after: Document) -> FileChange:
        """Return what makes one text of a note of another, in its file."""
        return replace(cls.removal(before), content=after.render().decode())

    @classmethod
    def removal(cls, document: Document) -> FileChange:
        """Return what takes a note away."""
        return cls(document.note.file, sha256(document.render()).hexdigest(), None, document.note.id)

    @classmethod
    def blobs(cls, texts: Mapping[str, str]) -> tuple[FileChange, ...]:
        """Return what keeps long pieces of a note, by their digests; the base of each is its own, as its name says."""
        return tuple(cls(blob.file_of(digest), digest, text, "") for digest, text in texts.items())


@dataclass(frozen=True, slots=True)
class Change:
    """What one option would do: the operation whose policy holds, its files, and what it supersedes or undoes."""

    operation: str
    files: tuple[FileChange, ...]
    note_id: str = ""
    superseded: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    undoes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A question with everything needed to carry out each of its answers."""

    id: str
    decision: str
    created: str
    expires: str
    nonce: str
    bank: str  # fingerprint of all notes when it was made
    options: Mapping[str, Change | None]
    reasons: tuple[str, ...] = ()
    target: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    neighbours: tuple[Mapping[str, Any], ...] = ()
    scores: Mapping[str, int] = field(default_factory=dict)
    level: str = ""
    completed: tuple[str, ...] = ()
    payload: Mapping[str, Any] | None = None
    conversation_id: str = ""
    generation_id: str = ""
    by_hand: bool = False

    @property
    def digest(self) -> str:
        """What an approval is bound to: the file, and with it every option with its ids, contents, nonce and expiry."""
        return sha256(dump(self)).hexdigest()

    def change(self, option: str) -> Change | None:
        """Return what an option would do, None if it changes no file; raise AnswerRefused if there is none such."""
        if option not in self.options:
            offered = [each for each in (*self.options, SHOW_DIFF) if each != option]
            raise AnswerRefused(option=option, proposal=self.id, options=", ".join(offered))
        return self.options[option]

    @property
    def main(self) -> Change:
        """The change that the question is about: the first option that changes anything."""
        return next(change for change in self.options.values() if change is not None)


def dump(proposal: Proposal) -> bytes:
    """Return the file of a proposal."""
    return json.dumps({"format": FORMAT, **asdict(proposal)}, ensure_ascii=False, indent=1).encode()


def load(content: bytes, proposal_id: str) -> Proposal:
    """Return the proposal in a file; raise ProposalVoid if it is none or bears another id."""
    found: Proposal | None = None
    try:
        members: dict[str, Any] = json.loads(content)
        json.dumps(members, ensure_ascii=False).encode()  # half a surrogate could be read, and never written again
        known = members.pop("format") == FORMAT and members["id"] == proposal_id
        members["options"] = {name: _change(each) for name, each in members["options"].items()}
        for name in ("reasons", "neighbours", "completed"):
            members[name] = tuple(members[name])
        found = Proposal(**members) if known else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        found = None
    if found is None:
        raise ProposalVoid(id=proposal_id, reason="its file is damaged")
    return found


def _change(members: dict[str, Any] | None) -> Change | None:
    if members is None:
        return None
    files = tuple(FileChange(**each) for each in members["files"])
    tuples = {name: tuple(members[name]) for name in ("superseded", "lost")}
    return Change(**{**members, **tuples, "files": files})
