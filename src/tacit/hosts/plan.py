"""From what is there and what is wanted to the files that have to change, without changing any."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import HostConfigBroken, HostEntryTaken, StoreUnwritable, SymlinkRefused
from tacit.hosts import jsonc, toml_text
from tacit.hosts.jsonc import BrokenText, parse
from tacit.hosts.record import Kept, Record, Spliced, reverted
from tacit.hosts.wiring import Own, Put, Scope, Shared

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tacit.hosts.wiring import Part, Piece

_MAX_BYTES = 16 * 1024 * 1024
_WRITABLE = 0o222


@dataclass(frozen=True, slots=True)
class Change:
    """A file, its bytes before and after; None where it is not there. `mode` is for a file that is made."""

    file: Path
    before: bytes | None
    after: bytes | None
    mode: int = 0o644

    @property
    def act(self) -> str:
        """What happens to it."""
        return "create" if self.before is None else "remove" if self.after is None else "change"

    def diff(self) -> str:
        """Return what changes, as a unified diff."""
        old, new = ((each or b"").decode("utf-8", "replace").splitlines() for each in (self.before, self.after))
        return "\n".join(difflib.unified_diff(old, new, str(self.file), str(self.file), lineterm="", n=2))


@dataclass(slots=True)
class Plan:
    """What has to change, the record to keep of it (None: none), and what is left because the user changed it."""

    changes: list[Change] = field(default_factory=list)
    record: Record | None = None
    left: list[str] = field(default_factory=list)


def to_install(record: Record, before: Record | None, parts: Sequence[Part], others: Sequence[Record]) -> Plan:
    """Plan an installation; what an earlier one put in and this one does not want goes.

    `record` is empty but for its head, and is filled; what other installations share with this one stands in it too.
    Raises HostConfigBroken, HostEntryTaken, StoreUnwritable.
    """
    plan = Plan(record=record)
    record.directories = list(before.directories) if before else []
    files = {each.file: each for each in before.files} if before else {}
    for part in parts:
        file = resolved(part.file, record)
        other = next((each for each in others if each.of(file)), None)
        kept = files.pop(file, None) or (other.of(file) if other else None)
        made, change = _own(part, file, kept, plan) if isinstance(part, Own) else _shared(part, file, kept, plan)
        record.files += [made] if made else []
        plan.changes += [change] if change else []
        above = [each for each in (other.directories if other else ()) if file.is_relative_to(each)]
        record.directories += [each for each in above if each not in record.directories]
    for kept in files.values():
        if not any(each.of(kept.file) for each in others):
            _undo(plan, kept)
    return plan


def to_uninstall(record: Record, claimed: frozenset[Path]) -> Plan:
    """Plan to take out what a record says; files that another installation claims as its own stay."""
    plan = Plan()
    for kept in record.files:
        if kept.file not in claimed:
            _undo(plan, kept)
    return plan


def guessed(record: Record, parts: Sequence[Part]) -> Record:
    """Return the record that an installation of these parts would have left, for one whose own record is lost.

    Only files that hold something of ours are in it: an empty container in any other is the user's.
    """
    for part in parts:
        file = resolved(part.file, record)
        if isinstance(part, Own):
            record.files.append(Kept(file, "", fsio.digest(part.text.encode()), is_own=True))
        elif puts := _found(part, file):
            record.files.append(Kept(file, "", "", puts=puts))
    return record


def _found(part: Shared, file: Path) -> list[Put]:
    """Return what of a part stands in a file, be it changed; nothing if it is no more than a default."""
    text = _decoded(_read(file), file) or ""
    is_toml = file.suffix == ".toml"
    if not text.strip("\ufeff \t\r\n"):
        return []
    try:
        is_ours = not is_toml and set(parse(text).keys) <= {piece.path[0] for piece in part.pieces}
        pieces = [piece for piece in part.pieces if (toml_text if is_toml else jsonc).holds(text, piece)]
    except BrokenText as error:
        raise HostConfigBroken(file=str(file), line=error.line, reason=error.reason) from None
    if all(piece.is_default for piece in pieces):
        return []
    # where every name is one of ours, the containers of what is there, and what is only a default, are ours too
    return [Put(piece, 1 if is_ours else len(piece.path) + 1) for piece in pieces if is_ours or not piece.is_default]


def resolved(file: Path, record: Record) -> Path:
    """Return where a file really is; a project's link that leads out of it is not followed."""
    real = file.resolve()
    if (
        record.scope is Scope.PROJECT
        and file.is_relative_to(record.root)
        and not real.is_relative_to(record.root.resolve())
    ):
        raise SymlinkRefused(file=str(file))
    return real


def _own(part: Own, file: Path, kept: Kept | None, plan: Plan) -> tuple[Kept | None, Change | None]:
    current, wanted = _read(file), part.text.encode()
    if current == wanted:
        return kept, None  # without a record it is somebody else's, and just the same
    if current is not None and kept is None:
        raise HostEntryTaken(file=str(file), name=file.name)
    if current is not None and kept is not None and fsio.digest(current) != kept.after:
        plan.left.append(str(file))
        return kept, None
    return Kept(file, "", fsio.digest(wanted), is_own=True), Change(file, current, wanted, part.mode)


def _shared(part: Shared, file: Path, kept: Kept | None, plan: Plan) -> tuple[Kept | None, Change | None]:
    current = _read(file)
    there = text = _decoded(current, file)
    pieces, changed = list(part.pieces), list[Put]()
    if kept is not None:
        text, changed = _without(there, kept, file)
        plan.left += [_named(put, file) for put in changed]
        pieces = [each for each in pieces if each.path not in [put.piece.path for put in changed]]
        if all(put.piece in part.pieces for put in kept.puts) and not _put_in(Spliced(there or ""), pieces, file):
            return kept, None
    document = Spliced(text or "")
    puts = _put_in(document, pieces, file)
    if not puts and text == there:
        return kept, None
    after = document.text.encode()
    made = Kept(file, _mark(text), fsio.digest(after), splices=document.splices, puts=[*puts, *changed])
    return made, None if after == current else Change(file, current, after)


def _put_in(document: Spliced, pieces: Sequence[Piece], file: Path) -> list[Put]:
    put_in = toml_text.put_in if file.suffix == ".toml" else jsonc.put_in
    try:
        return put_in(document, pieces)
    except jsonc.Taken as error:
        raise HostEntryTaken(file=str(file), name=error.reason) from None
    except BrokenText as error:
        raise HostConfigBroken(file=str(file), line=error.line, reason=error.reason) from None


def _undo(plan: Plan, kept: Kept) -> None:
    current = _read(kept.file)
    if current is None:
        return
    if kept.is_own:
        if fsio.digest(current) == kept.after:
            plan.changes.append(Change(kept.file, current, None))
        else:
            plan.left.append(str(kept.file))
        return
    text, left = _without(_decoded(current, kept.file), kept, kept.file)
    plan.left += [_named(put, kept.file) for put in left]
    after = None if text is None else text.encode()
    if after != current:
        plan.changes.append(Change(kept.file, current, after))


def _without(text: str | None, kept: Kept, file: Path) -> tuple[str | None, list[Put]]:
    """Return a file's text as if nothing had been put in, None for no file, and what the user changed since."""
    if text is None:
        return None, []
    if fsio.digest(text.encode()) == kept.after:
        back = reverted(text, kept.splices)
        if back is not None and not kept.before:
            return None, []
        if back is not None and fsio.digest(back.encode()) == kept.before:
            return back, []
    document = Spliced(text)
    take_out = toml_text.take_out if file.suffix == ".toml" else jsonc.take_out
    try:
        left = take_out(document, kept.puts)
        if not kept.before and not _is_bare(document):  # what a user has put into our file may need the defaults
            document = Spliced(text)
            left = take_out(document, [put for put in kept.puts if not put.piece.is_default])
    except BrokenText as error:
        raise HostConfigBroken(file=str(file), line=error.line, reason=error.reason) from None
    return (None if _is_bare(document) and not kept.before and document.splices else document.text), left


def _is_bare(document: Spliced) -> bool:
    return document.text.strip("\ufeff \t\r\n") in ("", "{}")


def _read(file: Path) -> bytes | None:
    """Return a file's bytes; refuse one that may not be written, as its owner wishes."""
    content = fsio.read(file, limit=_MAX_BYTES)
    if content is not None and not file.stat().st_mode & _WRITABLE:
        raise StoreUnwritable(file=str(file), reason="the file is read-only")
    return content


def _decoded(content: bytes | None, file: Path) -> str | None:
    try:
        return None if content is None else content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1 if content else 0
        raise HostConfigBroken(file=str(file), line=line, reason="it is not UTF-8") from None


def _named(put: Put, file: Path) -> str:
    return f"{file}: {'.'.join(put.piece.path)}"


def _mark(text: str | None) -> str:
    return "" if text is None else fsio.digest(text.encode())
