"""A look at every promise of a bank, which changes nothing and says what it looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import check, mounting, wiring
from tacit.bank.values import Check
from tacit.errors import InputRefused, StoreUnwritable, TacitError
from tacit.messages import say
from tacit.project import git
from tacit.store import trash, watch
from tacit.store.layout import FORMAT_VERSION, INDEX, PRIVATE, STATE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tacit.bank.recalling import Recaller
    from tacit.bank.values import Problem
    from tacit.settings import Settings
    from tacit.store.store import Store

_PRIVATE = (STATE, *(f"{name}/x" for name in PRIVATE))


def examine(store: Store, settings: Settings, recaller: Recaller) -> list[Check]:
    """Return one result for each promise."""
    count, problems = check.files(store, settings)
    damaged = [problem for problem in problems if problem.code.startswith("audit.")]
    lines = 0 if damaged else store.log.verify()[0]
    unfinished = store.unfinished()
    wrong = [problem for problem in problems if problem.file == INDEX]
    return [
        Check("format", settings.format <= FORMAT_VERSION, f"the bank has format {settings.format}"),
        _links(store),
        Check(
            "notes",
            not problems,
            f"{count} notes are valid, {len(problems)} problems (`tacit check` lists them)",
        ),
        Check("index", not wrong, wrong[0].message if wrong else "INDEX.md says what the notes say"),
        Check(
            "transactions",
            not unfinished,
            "nothing is unfinished"
            if not unfinished
            else f"{len(unfinished)} committed, completed by the next command that writes",
        ),
        _audit(store, damaged, lines),
        _trash(store),
        _recall(recaller),
        *_database(store),
        *_mounts(store),
        _file_system(store.layout.root),
        *_git(store.layout.root),
    ]


def _links(store: Store) -> Check:
    try:
        store.layout.refuse_links()
    except InputRefused as error:
        return Check("paths", ok=False, detail=error.message)
    return Check("paths", ok=True, detail="no directory of the bank leads out of it")


def _audit(store: Store, damaged: Sequence[Problem], lines: int) -> Check:
    """Look at the log; what gave a bank its state stands there, so only a fresh clone has neither."""
    if damaged:
        return Check("audit", ok=False, detail=damaged[0].message)
    if not lines and (store.layout.root / STATE).exists():
        return Check("audit", ok=False, detail="the log is empty: what was done to this bank before is not known")
    return Check("audit", ok=True, detail=f"{lines} lines, the chain of hashes is whole")


def _trash(store: Store) -> Check:
    try:
        operations = list(trash.newest_first(store.layout))
    except StoreUnwritable as error:
        return Check("undo", ok=False, detail=f"the trash cannot be read: {error.details['reason']}")
    purged = {name for kept in operations for name in kept.journal.destroyed}
    missing = sum(
        change.old is not None
        and not change.derived
        and not (kept.directory / change.staged).exists()
        and not {f"{place}/{kept.directory.name}/{change.staged}" for place in (".trash", "staging")} & purged
        for kept in operations
        for change in kept.journal.changes
    )
    detail = f"{len(operations)} operations can be undone" if not missing else f"{missing} old versions are missing"
    return Check("undo", not missing, detail)


def _recall(recaller: Recaller) -> Check:
    mode = recaller.mode()
    wrong = "; ".join(recaller.unusable.values())
    return Check("recall", ok=not wrong, detail=f"answers by {mode}{f' ({wrong})' if wrong else ''}")


def _database(store: Store) -> list[Check]:
    try:
        is_kept = wiring.shared_index(store.layout) is not None
    except TacitError as error:
        return [Check("database", ok=False, detail=error.message)]
    return [Check("database", ok=True, detail="the index is in PostgreSQL, which answers")] if is_kept else []


def _mounts(store: Store) -> list[Check]:
    mounts = mounting.mounted(store)
    gone = [say("mount.gone", path=each.path) for each in mounts if not each.is_there]
    detail = "; ".join(gone) or f"{len(mounts)} mounted memories can be read"
    return [Check("mounts", not gone, detail)] if mounts else []


def _file_system(root: Path) -> Check:
    try:
        fsio.refuse_read_only(root)
    except OSError as error:
        return Check("disk", ok=False, detail=say("doctor.closed", reason=error.strerror))
    kind = watch.kind_of(root)
    if watch.is_remote(kind):
        return Check("disk", ok=False, detail=f"the bank is on a network file system ({kind}): locks may not hold")
    return Check("disk", ok=True, detail=f"local file system{f' ({kind})' if kind else ''}")


def shown_to_git(root: Path) -> list[str]:
    """Return what is private to this machine and not ignored by git; a folder is named by a file `x` in it."""
    return [name for name in _PRIVATE if git.ignores(root, name) is False]


def _git(root: Path) -> list[Check]:
    if git.directory(root) is None:
        return [Check("git", ok=True, detail="the bank is not in a git work tree")]
    shown = shown_to_git(root)
    if shown:
        return [Check("git", ok=False, detail=f"git does not ignore {', '.join(shown)}; see .gitignore of the bank")]
    return [Check("git", ok=True, detail="git ignores what is private to this machine")]
