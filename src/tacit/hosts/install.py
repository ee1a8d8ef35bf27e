"""Carry out a plan: all of its files change, or none does."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tacit import __version__, fsio
from tacit.errors import ChangedMeanwhile
from tacit.hosts import launcher, plan, record
from tacit.hosts.plan import Change
from tacit.hosts.record import Record
from tacit.hosts.wiring import Place, Scope

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.hosts.plan import Plan
    from tacit.hosts.wiring import Host


class Installer:
    """Installs hosts for one user: `own` is Tacit's directory of theirs, `home` where hosts keep what is theirs."""

    def __init__(self, own: Path, home: Path, root: Path) -> None:
        self.own = own
        self._home = home
        self._root = root

    def place(self, scope: Scope, *, is_mcp_hook: bool = False) -> Place:
        """Return where and how to install."""
        return Place(
            scope=scope,
            root=self._root,
            home=self._home,
            hook=launcher.hook_word(self.own),
            server=launcher.server_words(self.own, is_shared=scope is Scope.PROJECT),
            user_server=launcher.server_words(self.own, is_shared=False),
            is_mcp_hook=is_mcp_hook,
        )

    def record_of(self, host: Host, scope: Scope) -> Record | None:
        """Return what was installed, if anything was."""
        return record.read(record.path(self.own, host.id, scope, self._root))

    def plan_install(self, host: Host, scope: Scope, *, is_mcp_hook: bool = False) -> Plan:
        """Plan to install a host, or to bring an installation up to date."""
        head = Record(host.id, scope, self._root, __version__, is_mcp_hook)
        parts = host.parts(self.place(scope, is_mcp_hook=is_mcp_hook))
        return plan.to_install(head, self.record_of(host, scope), parts, self._others(head))

    def plan_uninstall(self, host: Host, scope: Scope) -> Plan:
        """Plan to take a host's installation out, by its record or, where that is lost, by what it would say."""
        found = self.record_of(host, scope)
        if found is None or not found.files:  # in a clone, somebody else's installation put in what is there
            found = plan.guessed(Record(host.id, scope, self._root), host.parts(self.place(scope)))
        claimed = frozenset(kept.file for each in self._others(found) for kept in each.files)
        return plan.to_uninstall(found, claimed)

    def _others(self, than: Record) -> list[Record]:
        """Return the installations besides one."""
        file = record.path(self.own, than.host, than.scope, than.root)
        return [
            each for each in record.every(self.own) if record.path(self.own, each.host, each.scope, each.root) != file
        ]

    def apply_install(self, made: Plan) -> int:
        """Carry out an installation, its record before the first file; return how many files of our own it wrote."""
        kept = made.record
        if kept is None:
            return 0
        script = launcher.path(self.own)
        current, wanted = fsio.read(script), launcher.script(self.own).encode()
        ours = [] if current == wanted else [Change(script, current, wanted, 0o755)]
        kept.directories += [each for each in _missing(made.changes) if each not in kept.directories]
        file = record.path(self.own, kept.host, kept.scope, kept.root)
        content = record.written(kept)
        before = fsio.read(file)
        if before != content:
            ours.append(Change(file, before, content, 0o600))
        _change([*ours, *made.changes])
        for directory in reversed(kept.directories):  # of an older installation, if nothing is left in it
            fsio.remove_empty_directory(directory)
        return len(ours)

    def apply_uninstall(self, host: Host, scope: Scope, made: Plan) -> None:
        """Take out what was planned, the record, with the last record the script, and directories made for it all."""
        file, script = record.path(self.own, host.id, scope, self._root), launcher.path(self.own)
        found = record.read(file)
        gone = [script] if not self._others(Record(host.id, scope, self._root)) else []
        gone += [file] if found is not None else []
        ours = [Change(each, content, None) for each in gone if (content := fsio.read(each)) is not None]
        _change([*made.changes, *ours])
        directories = {*(found.directories if found else ()), *(each.parent for each in gone), self.own}
        if found is None or not found.files:  # in a clone git made those of what goes
            base = self.place(scope).pick("", "")
            directories |= {each for change in made.changes for each in change.file.parents if base in each.parents}
        for directory in sorted(directories, key=lambda each: len(each.parts), reverse=True):
            fsio.remove_empty_directory(directory)


def _missing(changes: list[Change]) -> list[Path]:
    """Return the directories that have to be made, each before those below it."""
    found: list[Path] = []
    for change in changes:
        if change.after is not None:
            above = [each for each in reversed(change.file.parents) if not each.exists() and each not in found]
            found += above
    return found


def _change(changes: list[Change]) -> None:
    """Change all files or none: what was done is taken back if one of them refuses."""
    modes = {}
    for change in changes:
        if fsio.read(change.file) != change.before:
            raise ChangedMeanwhile(file=str(change.file), kept="")
        fsio.refuse_read_only(change.file.parent)
        modes[change.file] = change.mode if change.before is None else change.file.stat().st_mode & 0o7777
    made = _missing(changes)
    try:
        for change in changes:
            _write(change.file, change.after, modes[change.file])
    except BaseException:
        for change in changes:
            with suppress(OSError):  # the others go back even if one cannot
                if fsio.read(change.file) != change.before:
                    _write(change.file, change.before, modes[change.file])
        for directory in reversed(made):
            fsio.remove_empty_directory(directory)
        raise


def _write(file: Path, content: bytes | None, mode: int) -> None:
    if content is None:
        fsio.remove(file)
        return
    fsio.make_directory(file.parent)
    fsio.replace(file, content, mode=mode)
