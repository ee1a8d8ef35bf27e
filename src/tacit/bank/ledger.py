"""What was imported before: known by content from the notes themselves, from the log and from the documents."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import library, proposals
from tacit.formats.found import IMPORTED, REFERENCES

if TYPE_CHECKING:
    from tacit.store.scan import Scan
    from tacit.store.store import Store

OPERATION = "import"
_STAMP = re.compile(rf"^{IMPORTED}: .*sha256:([0-9a-f]{{64}})".encode(), re.MULTILINE)
_REASON = re.compile(r"from (.*) sha256:([0-9a-f]{64})")
_HEAD_BYTES = 32 * 1024


@dataclass(slots=True)
class Ledger:
    """Digest of an item → where it is; digest of a document → its file; source → the document that came of it."""

    items: dict[str, str] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)


def read(store: Store, now: Scan) -> Ledger:
    """Return what this bank knows of earlier imports; what was undone or deleted since does not count."""
    found = Ledger()
    here: set[str] = set()
    for file, seen in now.seen.items():
        here |= {seen.id, *seen.summary().supersedes}
        stamp = _STAMP.search((fsio.read(store.layout.root / file) or b"")[:_HEAD_BYTES])
        if stamp:
            found.items[stamp[1].decode()] = seen.id
    for file in _documents(store):
        found.documents.setdefault(fsio.digest(fsio.read(store.layout.root / file) or b""), file)
    here |= {each.id for each in proposals.waiting(store)} | proposals.answered(store)
    for line in store.log.entries(mention=b'"operation":"import"'):
        match = _REASON.search(str(line.get("reason", "")))
        name, file = str(line.get("note_id", "")), str(line.get("file", ""))
        if match and name in here:
            found.items[match[2]] = name
        elif match and file and not name and (store.layout.root / file).is_file():
            found.items[match[2]] = file
            found.origins[match[1]] = file
    return found


def line(source: str, digest: str) -> str:
    """Return how the log says where an item came from."""
    return f"from {source[:300]} sha256:{digest}"


def stamp(source: str, digest: str) -> str:
    """Return how an imported note says where it came from."""
    return f"{source} sha256:{digest}"


def _documents(store: Store) -> list[str]:
    root = store.layout.root
    kept = sorted(path for path in (root / REFERENCES).rglob("*") if path.is_file() and not path.is_symlink())
    return [*library.files(store), *(path.relative_to(root).as_posix() for path in kept)]
