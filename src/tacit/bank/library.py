"""The documents of a bank that are no notes: list, read and write them, guarded and in one transaction."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tacit import fsio, guards
from tacit.audit.record import Event
from tacit.bank import guarding
from tacit.bank.values import Committed
from tacit.entry import blocks, details
from tacit.entry.routing import Page
from tacit.errors import FieldRefused, GuardRefused, MarkersBroken, NoteNotUtf8, TacitError
from tacit.formats import core_document
from tacit.project.survey import is_secret
from tacit.store.layout import DETAILS, ENTRY
from tacit.text import is_writable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tacit.bank.values import By
    from tacit.guards import Finding
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

_ROUTER = "router"
# Below the size from which on the guards look at nothing more.
_PIECE_CHARS = 60_000


def files(store: Store) -> list[str]:
    """Return the Markdown files below details/, by their names; links and secrets are left out."""
    folder = store.layout.root / DETAILS
    found = [
        path.relative_to(store.layout.root).as_posix()
        for path in sorted(folder.rglob("*.md"))
        if path.is_file() and not path.is_symlink()
    ]
    readable = [file for file in found if is_writable(file) and not is_secret_detail(file)]
    return [file for file in readable if not any(part.startswith(".") for part in file.split("/"))]


def is_secret_detail(file: str) -> bool:
    """Whether a detail holds secrets by its name without `.md`; nobody reads it, indexes it or writes it."""
    folder, _, name = file.rpartition("/")
    stem = name.removesuffix(".md")
    # Of `secrets.md` only `secrets` is left; with any ending it is a name like `secrets.txt`.
    return folder.split("/")[0] == DETAILS and is_secret(stem if "." in stem else f"{stem}.txt")


def nameless(store: Store) -> list[str]:
    """Return what lies below details/ under a name that is no UTF-8, and so is read by nobody."""
    root = store.layout.root
    found = (path.relative_to(root).as_posix() for path in sorted((root / DETAILS).rglob("*.md")))
    return [file for file in found if not is_writable(file)]


def text(store: Store, file: str) -> str:
    """Return a document as text, empty if there is none; raise what `decoded` raises.

    Raise FieldRefused for one that holds secrets by its name.
    """
    _refuse_secret(file)
    return decoded(store.read(file), file)


def decoded(content: bytes | None, file: str) -> str:
    """Return the bytes of a document as text; raise NoteNotUtf8 for what is none, NoteConflicted in a git merge."""
    try:
        said = (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        line = (content or b"")[: error.start].count(b"\n") + 1
        raise NoteNotUtf8(file=file, line=line, offset=error.start) from None
    core_document.refuse_conflict(core_document.unify_line_ends(said), file)
    return said


def page(store: Store, file: str) -> Page | None:
    """Return a document with the time of its last change; None if it is gone or cannot be read."""
    if not is_writable(file):
        return None
    try:
        said = text(store, file)
        changed = (store.layout.root / file).stat().st_mtime
    except (OSError, TacitError):
        return None
    return Page(file, said, datetime.fromtimestamp(changed, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def pages(store: Store) -> list[Page]:
    """Return all documents below details/ that can be read, but for the archive."""
    kept = [file for file in files(store) if not file.startswith(f"{DETAILS}/archive/")]
    return [found for file in kept if (found := page(store, file)) is not None]


def unread(store: Store) -> list[tuple[str, OSError | TacitError]]:
    """Return each document, the entry document too, that cannot be handed over, and why."""
    found: list[tuple[str, OSError | TacitError]] = []
    for file in (ENTRY, *files(store)):
        try:
            text(store, file)
        except (OSError, TacitError) as error:
            found.append((file, error))
    return found


def insist(file: str, said: str) -> list[Finding]:
    """Raise GuardRefused if a text holds what a memory must not keep; return what a person should be asked about.

    The place is named, never the value.
    """
    doubts = []
    for start, piece in pieces(said):
        for found in guards.inspect({file: piece}):
            finding = replace(found, line=found.line + start)
            if guarding.is_refused(finding):
                raise GuardRefused(place=guarding.place(finding), kind=guarding.kind(finding))
            doubts.append(finding)
    return doubts


def put(transaction: Transaction, texts: Mapping[str, str], by: By, *, operation: str, reason: str = "") -> None:
    """Add documents to a transaction, with a line in the log for each; what is there already is left out."""
    for file, said in texts.items():
        insist(file, said)
        content = said.encode()
        if transaction.read(file) == content:
            continue
        transaction.put(file, content)
        transaction.record(by.record(Event.DOCUMENT_WRITTEN, operation, file=file, reason=reason))


def write(
    store: Store, make: Callable[[Callable[[str], str]], Mapping[str, str]], by: By, *, operation: str, reason: str = ""
) -> Committed:
    """Write the documents that `make` returns, with the routers of their folders, in one transaction.

    What they are made from is read by the function that `make` is given, while nobody else writes. Raise FieldRefused
    for a name that would keep a document from being read.
    """
    with store.writing(operation) as transaction:
        texts = make(lambda file: decoded(transaction.read(file), file))
        for file in texts:
            _refuse_secret(file)
        put(transaction, {**texts, **routers(store, texts)}, by, operation=operation, reason=reason)
        changed = tuple(transaction.pending)
        if changed:
            transaction.commit()
    return Committed(transaction.operation_id if changed else "", changed)


def routers(store: Store, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the index.md of each folder below details/ that holds more than eight files once these are written.

    A router that a person changed, or whose markers are broken, stays as it is.
    """
    there = dict.fromkeys(files(store), "") | dict(texts)
    folders = {file.rpartition("/")[0] for file in texts if file.count("/") > 1}
    made: dict[str, str] = {}
    for folder in sorted(folders):
        index = f"{folder}/index.md"
        inside = sorted(file for file in there if file.rpartition("/")[0] == folder and file != index)
        if len(inside) <= details.MOST_FILES:
            continue
        titled = [(file, details.heading(there[file] or text(store, file), file)) for file in inside]
        current = texts.get(index) or text(store, index)
        try:
            document = blocks.parse(current or f"# {folder.rpartition('/')[2].capitalize()}\n\n", index)
        except MarkersBroken:
            continue
        block = document.machine(_ROUTER)
        if block is None or not block.is_changed:
            new = blocks.machine_block(_ROUTER, details.router(folder, titled), version=1)
            made[index] = document.with_block(new).render()
    return {file: said for file, said in made.items() if said != text(store, file)}


def digest(store: Store, file: str) -> str | None:
    """Return the fingerprint of a document, None if there is none."""
    content = store.read(file)
    return None if content is None else fsio.digest(content)


def pieces(said: str) -> list[tuple[int, str]]:
    """Return a long text in pieces at line ends, each with the number of lines before it."""
    found: list[tuple[int, str]] = []
    lines: list[str] = []
    size = start = 0
    for number, line in enumerate(said.splitlines(keepends=True)):
        if lines and size + len(line) > _PIECE_CHARS:
            found.append((start, "".join(lines)))
            lines, size, start = [], 0, number
        lines.append(line)
        size += len(line)
    return [*found, (start, "".join(lines))]


def _refuse_secret(file: str) -> None:
    if is_secret_detail(file):
        raise FieldRefused(field=file, reason="by its name it holds secrets, and is never read; take another name")
