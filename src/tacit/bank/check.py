"""All that is wrong in a bank: in its files, or in what git is about to commit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.log import Damage
from tacit.bank import proposals
from tacit.bank.values import Problem
from tacit.errors import BankNotFound, InputRefused, PointerDangling, PointerRefused, StoreUnwritable, TacitError
from tacit.messages import explain, say
from tacit.note.model import Layer
from tacit.note.pointer import BLOB, IN_TEXT, Pointer
from tacit.project import git
from tacit.store import trash
from tacit.store.layout import INDEX, Layout, is_portable
from tacit.store.scan import Scan, refresh, strays
from tacit.text import is_writable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
    from tacit.bank import surroundings  # brings the guards along, which only a check needs

    now = store.look(fresh=True, keep=False)
    problems = _notes(now, store.layout, lambda file: fsio.read(store.layout.root / file))
    problems += [_problem(error, "tacit.toml") for error in settings.problems]
    problems += _index(store, now)
    problems += [
        Problem("layout.stray", name, 0, f"{name} is no note and is not read.", "Move it to details/ or references/.")
        for name in strays(store.layout)
    ]
    problems += _kept_aside(store.layout)
    problems += surroundings.problems(store, now, settings)
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
        Problem("audit.damaged", f"{_LOG}/{each.file}".rstrip("/"), each.line, each.reason, "See SECURITY.md.")
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
    problems = _notes(now, store.layout, contents.get)
    if contents and contents.get(INDEX) != now.index():
        problems.append(_stale("Run `tacit check --fix`, then `git add` INDEX.md."))
    return len(now.seen), problems


def _notes(now: Scan, layout: Layout, read: Callable[[str], bytes | None]) -> list[Problem]:
    from tacit.bank import surroundings

    problems = [_problem(error, file) for file, error in sorted(now.broken.items()) if is_writable(file)]
    problems += [surroundings.nameless(file) for file in sorted(now.broken) if not is_writable(file)]
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
    winners = now.winners()
    for file in sorted(now.seen):
        text = (read(file) or b"").decode("utf-8", "replace")
        if "mem://" in text:
            problems += _pointers(file, text, winners, layout)
        problems += surroundings.guarded(text, file)
    return problems


def _pointers(file: str, text: str, winners: Mapping[str, str], layout: Layout) -> Iterable[Problem]:
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
            if not target.startswith(pointer.layer.folder) or not (layout.root / target).exists():
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


def _stale(hint: str) -> Problem:
    return Problem("index.stale", INDEX, 0, "INDEX.md does not say what the notes say.", hint)


def _problem(error: TacitError, file: str, line: int = 0) -> Problem:
    message, hint = explain(error)
    place = error.details.get("line")
    return Problem(error.code, file, place if isinstance(place, int) else line, message, hint)
