"""All that is wrong around the notes: in the core, the episodes, the tasks, the blobs and the pointers to code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import layered
from tacit.bank.values import Problem
from tacit.errors import InputRefused, PointerDangling, PointerStale, TacitError, unwritable
from tacit.formats import native
from tacit.messages import explain, say
from tacit.note import blob
from tacit.note.model import Layer
from tacit.project import targets
from tacit.store import episodes
from tacit.store.layout import NOTE_LAYERS
from tacit.tasks import working

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
        *_tasks(store),
        *_blobs(store, texts),
        *_stale(store, texts),
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
    yield from (_problem(wrong, file) for file, wrong in broken.items())
    if stale:
        text = f"{episodes.INDEX} does not say what the episodes say."
        yield Problem("index.stale", episodes.INDEX, 0, text, "Run `tacit check --fix`.")


def _tasks(store: Store) -> Iterator[Problem]:
    for path in layered.working_files(store):
        try:
            working.load(fsio.read(path) or b"", path.stem)
        except TacitError as error:
            yield _problem(error, f"{Layer.WORKING.folder}/{path.name}")


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
