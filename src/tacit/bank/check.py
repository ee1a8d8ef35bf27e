"""All that is wrong in a bank: in its files, or in what git is about to commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import guarding, proposals
from tacit.bank.values import Problem
from tacit.errors import BankNotFound, InputRefused, PointerDangling, PointerRefused, StoreUnwritable, TacitError
from tacit.messages import explain, say
from tacit.note.model import Layer
from tacit.note.pointer import BLOB, IN_TEXT, Pointer
from tacit.project import git
from tacit.store import trash
from tacit.store.layout import INDEX, Layout, is_portable
from tacit.store.scan import Scan, refresh, strays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tacit.settings import Settings
    from tacit.store.store import Store

# How often writers may come in between before the bank is judged as it was seen.
_TRIES = 10


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
    problems += [_problem(error, proposals.file_of(str(error.details["id"]))) for error in proposals.damaged(store)]
    problems += surroundings.problems(store, now, settings)
    if 1 < store.log.next_number() <= trash.last_number(store.layout):
        text = "the log ends before the last operation that the trash knows."
        problems.append(Problem("audit.damaged", ".local/audit", 0, text, "See SECURITY.md."))
    problems += [
        Problem("audit.damaged", f".local/audit/{damage.file}", damage.line, damage.reason, "See SECURITY.md.")
        for damage in store.log.verify()[1]
    ]
    return len(now.seen), problems


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
    problems = [_problem(error, file) for file, error in sorted(now.broken.items())]
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
        if not is_portable(file)
    ]
    winners = now.winners()
    for file in sorted(now.seen):
        text = (read(file) or b"").decode("utf-8", "replace")
        if "mem://" in text:
            problems += _pointers(file, text, winners, layout)
        problems += [
            Problem(
                "guard.found", file, each.line, say("check.guard", kind=guarding.kind(each)), say("check.guard.hint")
            )
            for each in guarding.objections(text)
        ]
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
    ]


def _stale(hint: str) -> Problem:
    return Problem("index.stale", INDEX, 0, "INDEX.md does not say what the notes say.", hint)


def _problem(error: TacitError, file: str, line: int = 0) -> Problem:
    message, hint = explain(error)
    place = error.details.get("line")
    return Problem(error.code, file, place if isinstance(place, int) else line, message, hint)
