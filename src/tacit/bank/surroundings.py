"""All that is wrong around the notes: in the core, episodes, tasks, team notes, blobs and pointers to code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import guarding, layered, library
from tacit.bank.values import Problem
from tacit.entry import blocks
from tacit.errors import InputRefused, PointerDangling, PointerStale, TacitError, unwritable
from tacit.formats import native
from tacit.messages import explain, say
from tacit.note import blob
from tacit.note.model import Layer
from tacit.project import targets
from tacit.store import episodes
from tacit.store.layout import ENTRY, NOTE_LAYERS, SHARE, Layout
from tacit.store.scan import scan
from tacit.tasks import working
from tacit.text import is_writable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tacit.settings import Settings
    from tacit.store.scan import Scan
    from tacit.store.store import Store

_BANK_DIRECTORY = ".memory"
_NOTES = tuple(f"{layer.folder}/" for layer in NOTE_LAYERS)


def problems(store: Store, now: Scan, settings: Settings) -> list[Problem]:
    """Return what is wrong, reading files and writing nothing."""
    texts = {file: (_read(store, file) or b"").decode("utf-8", "replace") for file in sorted(now.seen)}
    return [
        *_core(texts, settings.number("core.budget_chars")),
        *_episodes(store),
        *(nameless(file) for file in library.nameless(store)),
        *_tasks(store),
        *_documents(store),
        *_shared(store),
        *_blobs(store, texts),
        *_stale(store, texts),
    ]


def guarded(text: str, file: str) -> list[Problem]:
    """Return why a text on disk must not be handed to an agent: the kind and the line of each, never the value."""
    return [
        Problem("guard.found", file, each.line, say("check.guard", kind=guarding.kind(each)), say("check.guard.hint"))
        for each in guarding.objections(text)
    ]


def _core(texts: Mapping[str, str], budget: int) -> Iterator[Problem]:
    chars = sum(len(text) for file, text in texts.items() if file.startswith(Layer.CORE.folder))
    if chars > budget:
        text = say("core.over_budget", chars=chars, budget=budget)
        yield Problem("core.over_budget", Layer.CORE.folder, 0, text, say("core.over_budget.hint"))


def _episodes(store: Store) -> Iterator[Problem]:
    try:
        _, broken = episodes.read(store.layout)
        stale = episodes.is_stale(store.layout)
    except (InputRefused, OSError) as error:
        yield _problem(unwritable(error) if isinstance(error, OSError) else error, episodes.INDEX)
        return
    yield from (_problem(wrong, file) if is_writable(file) else nameless(file) for file, wrong in broken.items())
    if stale:
        text = f"{episodes.INDEX} does not say what the episodes say."
        yield Problem("index.stale", episodes.INDEX, 0, text, "Run `tacit check --fix`.")


def nameless(file: str) -> Problem:
    """Return what is said of a file whose name is no UTF-8."""
    return Problem("layout.name", file, 0, say("check.nameless", file=file), say("check.nameless.hint"))


def _tasks(store: Store) -> Iterator[Problem]:
    for path in layered.working_files(store):
        try:
            working.load(fsio.read(path) or b"", path.stem)
        except TacitError as error:
            yield _problem(error, f"{Layer.WORKING.folder}/{path.name}")


def _documents(store: Store) -> Iterator[Problem]:
    """Check the entry document and the details: what is no text, in conflict, guarded or has broken blocks."""
    if not (store.layout.root / ENTRY).exists():
        yield Problem("entry.missing", ENTRY, 0, say("entry.missing"), say("entry.missing.hint"))
    for file in (ENTRY, *library.files(store)):
        try:
            text = library.text(store, file)
            if file == ENTRY:
                blocks.parse(text, file)
        except (TacitError, OSError) as error:
            yield _problem(unwritable(error) if isinstance(error, OSError) else error, file)
        else:
            yield from guarded(text, file)


def _shared(store: Store) -> Iterator[Problem]:
    """Check the team's notes, which are kept from agents for the same reasons as the project's own."""
    place = store.layout.root / SHARE
    if not place.is_dir() or place.is_symlink():
        return
    found = scan(Layout(place))
    yield from (_problem(error, f"{SHARE}/{file}") for file, error in sorted(found.broken.items()))
    for file in sorted(found.seen):
        text = (_read(store, f"{SHARE}/{file}") or b"").decode("utf-8", "replace")
        yield from guarded(text, f"{SHARE}/{file}")


def _blobs(store: Store, texts: Mapping[str, str]) -> Iterator[Problem]:
    there = {file.rpartition("/")[2] for file in layered.blob_files(store)}
    used: set[str] = set()
    for file, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1) if "mem://blobs/" in text else ():
            for digest in blob.mentioned(line):
                used.add(digest)
                if digest not in there:
                    yield _problem(PointerDangling(pointer=f"mem://blobs/{digest}", nearest=""), file, number)
    for digest in sorted(there):
        file = blob.file_of(digest)
        content = _read(store, file)
        if content is None or fsio.digest(content) != digest:
            yield Problem("blob.changed", file, 0, say("blob.changed"), say("blob.changed.hint"))
        elif digest not in used and not layered.mentions(store, digest):
            yield Problem("blob.unused", file, 0, say("blob.unused"), say("blob.unused.hint"))


def _stale(store: Store, texts: Mapping[str, str]) -> Iterator[Problem]:
    """Check the pointers into the project, if the bank stands in one."""
    root = store.layout.root
    if root.name != _BANK_DIRECTORY:
        return
    project = targets.Project(root.parent, without=_BANK_DIRECTORY)
    for file, text in texts.items():
        if not file.startswith(_NOTES) or "pointers" not in text.casefold():
            continue
        document = native.parse(text.encode(), file)
        start = next((each.start_line for each in document.sections if each.name.casefold() == "pointers"), 0)
        for target in targets.named(document.note.pointers):
            stale = project.look(target)
            if stale is not None:
                below = enumerate(text.splitlines()[start:], start + 1)
                line = next((number for number, words in below if str(target) in words), start)
                nearest = f"; the nearest is {stale.nearest}" if stale.nearest else ""
                error = PointerStale(target=str(target), reason=stale.reason, nearest=nearest, id=document.note.id)
                yield _problem(error, file, line)


def _read(store: Store, file: str) -> bytes | None:
    try:
        return fsio.read(store.layout.place(file))
    except (InputRefused, OSError):
        return None


def _problem(error: TacitError, file: str, line: int = 0) -> Problem:
    message, hint = explain(error)
    place = error.details.get("line")
    return Problem(error.code, file, place if isinstance(place, int) else line, message, hint)
