"""All that is wrong in a bank: in its notes and around them, or in what git is about to commit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.log import Damage
from tacit.bank import guarding, layered, library, proposals, sharing
from tacit.bank.trust import LetPass
from tacit.bank.values import Problem
from tacit.bank.wiring import BANK_DIRECTORY
from tacit.entry import blocks
from tacit.errors import (
    BankNotFound,
    InputRefused,
    PointerDangling,
    PointerRefused,
    PointerStale,
    StoreUnwritable,
    TacitError,
    unwritable,
)
from tacit.formats import native
from tacit.messages import explain, say, translated
from tacit.note import blob
from tacit.note.model import Layer
from tacit.note.pointer import BLOB, IN_TEXT, Pointer
from tacit.project import git, targets
from tacit.store import episodes, trash
from tacit.store.layout import ENTRY, INDEX, SHARE, Layout, is_note, is_portable
from tacit.store.scan import Scan, refresh, strays
from tacit.tasks import working
from tacit.text import is_writable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tacit.guards import Finding
    from tacit.settings import Settings
    from tacit.store.store import Store

# How often writers may come in between before the bank is judged as it was seen.
_TRIES = 10
_LOG = ".local/audit"


def files(store: Store, settings: Settings) -> tuple[int, list[Problem]]:
    """Check the files of a bank, each read anew; nothing is written."""
    for _ in range(_TRIES):
        moment = store.moment()
        found = _files(store, settings)
        if store.moment() == moment:
            return found
    return _files(store, settings)


def _files(store: Store, settings: Settings) -> tuple[int, list[Problem]]:
    now = store.look(fresh=True, keep=False)
    problems = _notes(now, store, lambda file: fsio.read(store.layout.root / file))
    problems += [_problem(error, "tacit.toml") for error in settings.problems]
    problems += _index(store, now)
    problems += [
        _said("layout.stray", name, 0, f"{name} is no note and is not read.", "Move it to details/ or references/.")
        for name in strays(store.layout)
    ]
    problems += _kept_aside(store.layout)
    problems += _around(store, now, settings)
    return len(now.seen), problems + _log(store)


def _log(store: Store) -> list[Problem]:
    """Check the log and what it vouches for; another user may have notes to read, and neither log nor trash."""
    try:
        problems = [
            replace(_problem(error, proposals.file_of(str(error.details["id"]))), hint=say("check.proposal.hint"))
            for error in proposals.damaged(store)
        ]
        damages = store.log.verify()[1]
    except StoreUnwritable as error:
        return [_closed("audit.unreadable", _LOG, "check.log", error)]
    try:
        damages += _lacking(store)
    except StoreUnwritable as error:
        problems.append(_closed("trash.unreadable", ".trash", "check.trash", error))
    return problems + [
        _said("audit.damaged", f"{_LOG}/{each.file}".rstrip("/"), each.line, each.reason, "See SECURITY.md.")
        for each in damages
    ]


def _closed(code: str, file: str, key: str, error: StoreUnwritable) -> Problem:
    return Problem(code, file, 0, say(key, reason=error.details["reason"]), say("check.closed.hint"))


def chain(store: Store) -> tuple[int, list[Damage]]:
    """Return how many lines the log has, and where it is not what was written."""
    count, damages = store.log.verify()
    return count, damages + _lacking(store)


def _lacking(store: Store) -> list[Damage]:
    """Return what the log does not tell of: lines cut off at its end leave no gap once it goes on, the trash does."""
    told = Counter(str(line["operation_id"]) for line in store.log.entries())
    lacking = [
        kept.journal.operation_id
        for kept in trash.newest_first(store.layout)
        if told[kept.journal.operation_id] < kept.journal.audit.content.strip("\n").count("\n") + 1
    ]
    if not lacking:
        return []
    reason = f"lines of {len(lacking)} operations that the trash knows are missing, from {lacking[-1]} on"
    return [Damage("", 0, reason)]


def _index(store: Store, now: Scan) -> list[Problem]:
    """Check that INDEX.md is a file that says what the notes say."""
    try:
        content = store.read(INDEX)
    except (InputRefused, StoreUnwritable) as error:
        return [_problem(type(error)(**{**error.details, "file": INDEX}), INDEX)]
    return [] if content == now.index() else [_stale("Run `tacit check --fix`.")]


def staged(store: Store) -> tuple[int, list[Problem]]:
    """Check the notes as they stand in git's index, for a pre-commit hook."""
    contents = git.staged(store.layout.root)
    if contents is None:
        raise BankNotFound(place=f"{store.layout.root} in git's index (this is no git work tree)")
    now = refresh(Scan(), store.layout, contents)
    problems = _notes(now, store, contents.get)
    if contents and contents.get(INDEX) != now.index():
        problems.append(_stale("Run `tacit check --fix`, then `git add` INDEX.md."))
    return len(now.seen), problems


def _notes(now: Scan, store: Store, read: Callable[[str], bytes | None]) -> list[Problem]:
    problems = [_problem(error, file) for file, error in sorted(now.broken.items()) if is_writable(file)]
    problems += [_nameless(file) for file in sorted(now.broken) if not is_writable(file)]
    problems += [_problem(error, str(error.details["winner"])) for error in now.duplicates()]
    problems += [
        Problem(
            "layout.name",
            file,
            0,
            f"{file} has a name that not every file system can hold; Tacit reads the note and does not change it.",
            "Rename it, to its id and .md for example.",
        )
        for file in sorted({*now.seen, *now.broken})
        if is_writable(file) and not is_portable(file)
    ]
    layout, let_pass = store.layout, LetPass(store)
    winners, around = now.winners(), cache(lambda: sharing.around(layout.root))
    for file in sorted(now.seen):
        content = read(file) or b""
        if b"mem://" in content:
            problems += _pointers(file, content.decode("utf-8", "replace"), winners, around, layout)
        problems += _guarded(let_pass.objections(content), file)
    return problems


def _pointers(
    file: str, text: str, winners: Mapping[str, str], around: Callable[[], Mapping[str, Layer]], layout: Layout
) -> Iterable[Problem]:
    for number, line in enumerate(text.splitlines(), 1):
        for match in IN_TEXT.finditer(line):
            if BLOB.fullmatch(match[0]):
                continue  # looked at together with the blobs
            try:
                pointer = Pointer.parse(match[0])
            except PointerRefused as error:
                yield _problem(error, file, number)
                continue
            # Episodes and tasks are not among the winners: their file bears their id.
            ending = "json" if pointer.layer is Layer.WORKING else "md"
            target = winners.get(pointer.id) or f"{pointer.layer.folder}/{pointer.id}.{ending}"
            is_here = target.startswith(pointer.layer.folder) and (layout.root / target).exists()
            if not is_here and (pointer.id in winners or around().get(pointer.id) is not pointer.layer):
                yield _problem(PointerDangling(pointer=match[0], nearest=""), file, number)


def _kept_aside(layout: Layout) -> list[Problem]:
    if not layout.conflicts.is_dir():
        return []
    return [
        Problem(
            "store.conflict",
            f"conflicts/{path.name}",
            0,
            f"conflicts/{path.name} is a version that met another one; nobody has looked at it yet.",
            "Compare it with the note, take over what is missing, then remove it.",
        )
        for path in sorted(layout.conflicts.iterdir())
        if not path.name.startswith(".")
    ]


def _said(code: str, file: str, line: int, message: str, hint: str) -> Problem:
    return Problem(code, file, line, translated(message), translated(hint))


def _stale(hint: str) -> Problem:
    return _said("index.stale", INDEX, 0, "INDEX.md does not say what the notes say.", hint)


def _problem(error: TacitError, file: str, line: int = 0) -> Problem:
    message, hint = explain(error)
    place = error.details.get("line")
    return Problem(error.code, file, place if isinstance(place, int) else line, message, hint)


def _around(store: Store, now: Scan, settings: Settings) -> list[Problem]:
    """Return what is wrong, reading files and writing nothing."""
    texts = {file: (_text_of(store, file) or b"").decode("utf-8", "replace") for file in sorted(now.seen)}
    return [
        *_core(texts, settings.number("core.budget_chars")),
        *_episodes(store),
        *(_nameless(file) for file in library.nameless(store)),
        *_tasks(store),
        *_documents(store),
        *_shared(store),
        *_blobs(store, texts),
        *_stale_pointers(store, texts),
    ]


def _guarded(found: Iterable[Finding], file: str) -> list[Problem]:
    """Return why a text on disk must not be handed to an agent: the kind and the line of each, never the value."""
    of_order = say("check.order.hint" if is_note(file) else "check.guard.hint")
    hints = {True: say("check.guard.hint"), False: of_order}
    return [
        Problem(
            "guard.found",
            file,
            each.line,
            say("check.guard", kind=translated(guarding.kind(each))),
            hints[guarding.is_refused(each)],
        )
        for each in found
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
    yield from (_problem(wrong, file) if is_writable(file) else _nameless(file) for file, wrong in broken.items())
    if stale:
        text = f"{episodes.INDEX} does not say what the episodes say."
        yield Problem("index.stale", episodes.INDEX, 0, text, "Run `tacit check --fix`.")


def _nameless(file: str) -> Problem:
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
            yield from _guarded(guarding.objections(text), file)


def _shared(store: Store) -> Iterator[Problem]:
    """Check the team's notes, which are kept from agents for the same reasons as the project's own."""
    found = sharing.mounted(store.layout.root)
    yield from (_problem(error, f"{SHARE}/{file}") for file, error in sorted(found.broken.items()))
    let_pass = LetPass(store)
    for file in (f"{SHARE}/{each}" for each in sorted(found.seen)):
        yield from _guarded(let_pass.objections(_text_of(store, file) or b""), file)


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
        content = _text_of(store, file)
        if content is None or fsio.digest(content) != digest:
            yield Problem("blob.changed", file, 0, say("blob.changed"), say("blob.changed.hint"))
        elif digest not in used and not layered.mentions(store, digest):
            yield Problem("blob.unused", file, 0, say("blob.unused"), say("blob.unused.hint"))


def _stale_pointers(store: Store, texts: Mapping[str, str]) -> Iterator[Problem]:
    """Check the pointers into the project, if the bank stands in one."""
    root = store.layout.root
    if root.name != BANK_DIRECTORY:
        return
    project = targets.Project(root.parent, without=BANK_DIRECTORY)
    for file, text in texts.items():
        if not is_note(file) or "pointers" not in text.casefold():
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


def _text_of(store: Store, file: str) -> bytes | None:
    try:
        return fsio.read(store.layout.place(file))
    except (InputRefused, OSError):
        return None
