"""Team notes from another repository: mounted as a git submodule at share/, pulled, guarded, and given to."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import guarding, layered, skeleton, wiring
from tacit.bank.values import By
from tacit.errors import NoteNotFound, ShareRefused, TacitError
from tacit.formats import index_table, native
from tacit.formats.found import layer_of
from tacit.note.model import Audience, Kind, Layer, Portability, Status, Strength
from tacit.project import git
from tacit.store.layout import INDEX, NOTE_LAYERS, SHARE, Layout, is_note
from tacit.store.scan import scan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tacit.bank.part import Whole
    from tacit.bank.values import Committed
    from tacit.formats.native import Document
    from tacit.note.model import Summary
    from tacit.store.scan import Scan
    from tacit.store.store import Store

# Kinds that are worth sharing however often they were confirmed.
_WORTH_SHARING = frozenset({Kind.PATTERN, Kind.DECISION, Kind.REFERENCE, Kind.TECH})
_SETTLED = frozenset({Strength.VALIDATED, Strength.ENFORCED})
# Addresses that make git run a program, or that would be read as an option.
_DANGEROUS_URL = re.compile(r"^-|^ext::|^fd::", re.IGNORECASE)
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*://|^[^/]+:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ShareStatus:
    """What is mounted: where it comes from, at which commit, and which of its notes take part."""

    url: str
    commit: str
    notes: int
    overridden: tuple[str, ...] = ()
    quarantined: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Updated:
    """What a pull brought, by file below share/, and how everything stands now."""

    before: str
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    now: ShareStatus


@dataclass(frozen=True, slots=True)
class Exported:
    """Which notes were written to share/, which stood there already, and why others were left out."""

    written: tuple[str, ...]
    same: tuple[str, ...]
    left_out: dict[str, str]
    operation_id: str = ""


class Share:
    """The share of one bank."""

    def __init__(self, bank: Whole, store: Store) -> None:
        self._bank = bank
        self._store = store
        self._place = bank.root / SHARE

    @property
    def is_there(self) -> bool:
        """Whether something is mounted that can be read."""
        return self._place.is_dir() and not self._place.is_symlink() and any(self._place.iterdir())

    @property
    def _is_repository(self) -> bool:
        """Whether git works there in the share alone, and not in the project around it."""
        return (self._place / ".git").exists()

    def add(self, url: str, *, by: By | None = None) -> ShareStatus:
        """Mount a repository of team notes; git stages the submodule, and the user commits it."""
        self._bank.must_be_writable("share")
        if _DANGEROUS_URL.search(url) or not url.strip():
            raise ShareRefused(reason=f"{url[:80]!r} is no address of a repository", fix="Give an https, ssh or path")
        top = self._top()
        if self._place.exists() or self._place.is_symlink():
            raise ShareRefused(reason="share/ is there already", fix="Use `tacit share update`, or remove it with git")
        where = self._place.relative_to(top).as_posix()
        done = git.told(top, *_protocols(url), "submodule", "add", "--", url, where)
        if done.code:
            git.run(top, "rm", "-r", "-f", "-q", "--cached", "--", where)
            # Git leaves a clone that it could not check out, as of a repository without a commit.
            if (self._place / ".git").is_file() and (kept := git.directory(self._place)):
                fsio.remove_tree(kept)
            fsio.remove_tree(self._place)
            raise ShareRefused(
                reason=_without_login(f"git could not fetch {url}: {done.last_line}"),
                fix="Check the address, access, and that a first commit is on the repository's main branch",
            )
        self._record("share add", url, by)
        return self.status()

    def update(self, *, by: By | None = None) -> Updated:
        """Pull what the team wrote, by fast-forward alone; what is there stays if the remote cannot be reached."""
        self._bank.must_be_writable("share")
        top = self._top()
        if not self.is_there:  # a clone without --recurse-submodules has the empty folder
            where = self._place.relative_to(top).as_posix()
            url = self._url()
            done = git.told(top, *_protocols(url), "submodule", "update", "--init", "--", where)
            if done.code and self._is_repository:  # its remote has no more what the project names; nothing is here yet
                done = git.told(self._place, "checkout", "--quiet", "--force", "--detach", self._remote_branch())
            if done.code or not self.is_there:
                raise ShareRefused(
                    reason=f"there is no share that could be fetched: {done.last_line}".rstrip(": "),
                    fix="Mount one with `tacit share add URL`",
                )
        if not self._is_repository:
            raise ShareRefused(
                reason="share/ is no repository of its own", fix="Pull it the way it came, or mount it as a submodule"
            )
        before, old = self._commit(), self._scan()
        protocols = _protocols(self._url())
        fetched = git.told(self._place, *protocols, "fetch", "--quiet", "--prune", "origin")
        if fetched.code:
            raise ShareRefused(
                reason=f"the remote cannot be reached: {fetched.last_line}",
                fix="What was pulled before goes on working; try again when you are online, or check the address",
            )
        git.told(self._place, *protocols, "remote", "set-head", "origin", "--auto")  # the team may have renamed it
        merged = git.told(self._place, "merge", "--quiet", "--ff-only", self._remote_branch())
        if merged.code:
            raise ShareRefused(
                reason=f"share/ has what its remote has not, or no more: {merged.last_line}",
                fix="Commit and push it, or discard it in share/ with git, then update again",
            )
        new = self._scan()
        self._record("share update", f"{before[:12]} → {self._commit()[:12]}", by)
        both = old.seen.keys() & new.seen.keys()
        return Updated(
            before,
            tuple(sorted(new.seen.keys() - old.seen.keys())),
            tuple(sorted(file for file in both if old.seen[file].digest != new.seen[file].digest)),
            tuple(sorted(old.seen.keys() - new.seen.keys())),
            self.status(),
        )

    def status(self) -> ShareStatus:
        """Return what is mounted, which notes the project overrides, and which a guard keeps from agents."""
        self._bank.may_read("share")
        if not self.is_there:
            raise ShareRefused(reason="nothing is mounted at share/", fix="Mount team notes with `tacit share add URL`")
        found = self._scan()
        own = set(self._store.look().winners())
        return ShareStatus(
            self._url(),
            self._commit(),
            len(found.seen),
            tuple(sorted({seen.id for seen in found.seen.values()} & own)),
            tuple(sorted(file for file in found.seen if self._is_objected(file))),
            tuple(sorted(found.broken)),
        )

    def export(self, ids: Sequence[str] = (), *, dry_run: bool = False, by: By | None = None) -> Exported:
        """Write what is the team's and holds in other projects to share/, as one transaction; the user pushes it.

        Without `ids` the rule chooses, and what the team has under the same id in other words stays as it is. A note
        that is named still has to be the team's: personal ones never go.
        """
        self._bank.must_be_writable("share")
        if not self.is_there:
            raise ShareRefused(reason="nothing is mounted at share/", fix="Mount team notes with `tacit share add URL`")
        now = self._store.look()
        winners = now.winners()
        for note_id in ids:
            if note_id not in winners:
                raise NoteNotFound(id=note_id, nearest="")
        summaries = [now.seen[file].summary() for note_id, file in sorted(winners.items()) if is_note(file)]
        wanted = [each for each in summaries if not ids or each.id in ids]
        left = {each.id: why for each in wanted if (why := why_not(each))}
        chosen = [each for each in wanted if each.id not in left]
        theirs = self._scan().winners()
        written: list[str] = []
        same: list[str] = []
        with self._store.writing("share") as transaction:
            for each in chosen:
                # Long pieces go along in their places: the team has none of this bank's blobs.
                note = native.parse(self._store.read(each.file) or b"", each.file)
                content = layered.expanded(self._store, note).render()
                file = f"{SHARE}/{theirs.get(each.id, each.file)}"
                if guarding.objections(content.decode("utf-8", "replace")):
                    left[each.id] = "guard"
                elif b"mem://blobs/" in content:
                    left[each.id] = "too long"
                elif transaction.read(file) == content:
                    same.append(each.id)
                elif each.id in theirs and each.id not in ids:
                    left[each.id] = "the team's differs"
                else:
                    written.append(each.id)
                    transaction.put(file, content)
            if written and not dry_run:
                transaction.put(f"{SHARE}/{INDEX}", self._index_with([each for each in chosen if each.id in written]))
                attributes = f"{SHARE}/.gitattributes"  # by these git merges the exports of two people
                transaction.put(attributes, transaction.read(attributes) or skeleton.ATTRIBUTES.encode())
                transaction.record(
                    Record(
                        event=Event.SHARE_CHANGED,
                        operation="share export",
                        file=SHARE,
                        reason=f"{len(written)} notes",
                        channel=(by or By()).channel,
                    )
                )
                transaction.commit()
        return Exported(tuple(written), tuple(same), left, "" if dry_run or not written else transaction.operation_id)

    def override(self, note_id: str, *, by: By | None = None) -> Committed:
        """Copy a team note into the project under the same id, so that the project's own text wins from now on."""
        from tacit.bank.values import Committed

        self._bank.must_be_writable("share")
        found = self._scan()
        file = found.winners().get(note_id)
        if file is None or not is_note(file):
            raise NoteNotFound(id=note_id, nearest="")
        content = fsio.read(self._place / file) or b""
        guarding.insist({file: content.decode("utf-8", "replace")})
        with self._store.writing("share") as transaction:
            if note_id in self._store.notes_in(transaction).winners():
                raise ShareRefused(reason=f"the project has {note_id} already", fix=f"Edit it: `tacit edit {note_id}`")
            transaction.put(file, content, note_id=note_id)
            transaction.record(
                Record(
                    event=Event.NOTE_CREATED,
                    operation="override",
                    note_id=note_id,
                    file=file,
                    reason="overrides the team's note",
                    source=native.parse(content, file).note.source,
                    channel=(by or By()).channel,
                )
            )
            transaction.commit()
        return Committed(transaction.operation_id, (file,), (note_id,))

    def find(self, note_id: str) -> Document | None:
        """Return a note of the team's; None if there is none."""
        file = self._scan().winners().get(note_id)
        if file is None or not is_note(file):
            return None
        return native.parse(fsio.read(self._place / file) or b"", f"{SHARE}/{file}")

    def _scan(self) -> Scan:
        return mounted(self._bank.root)

    def _index_with(self, added: Sequence[Summary]) -> bytes:
        """Return share's own INDEX.md with the notes that are being added."""
        known = {each.id: each for each in self._scan().summaries()} | {each.id: each for each in added}
        return index_table.render(known.values())

    def _is_objected(self, file: str) -> bool:
        try:
            content = fsio.read(self._place / file) or b""
        except (TacitError, OSError):
            return True
        return bool(guarding.objections(content.decode("utf-8", "replace")))

    def _top(self) -> Path:
        answer = git.run(self._bank.root, "rev-parse", "--show-toplevel")
        if answer is None:
            raise ShareRefused(
                reason="the project is not in git",
                fix="Team notes are a submodule: run `git init` first",
            )
        top = next((place for place in (self._bank.root, *self._bank.root.parents) if (place / ".git").exists()), None)
        assert top is not None  # noqa: S101  git has just said that there is one
        return top

    def _url(self) -> str:
        there = git.run(self._place, "remote", "get-url", "origin") if self._is_repository else None
        if there is None:
            top = self._top()
            where = self._place.relative_to(top).as_posix()
            there = git.run(top, "config", "--file", ".gitmodules", "--get", f"submodule.{where}.url")
        return (there or b"").decode("utf-8", "replace").strip()

    def _commit(self) -> str:
        found = git.run(self._place, "rev-parse", "HEAD") if self._is_repository else None
        return (found or b"").decode("ascii", "replace").strip()

    def _remote_branch(self) -> str:
        answer = git.run(self._place, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
        return (answer or b"origin/main").decode("utf-8", "replace").strip()

    def _record(self, operation: str, reason: str, by: By | None) -> None:
        with self._store.writing("share") as transaction:
            transaction.record(
                Record(
                    event=Event.SHARE_CHANGED,
                    operation=operation,
                    file=SHARE,
                    reason=_without_login(reason)[:200],
                    channel=(by or By()).channel,
                )
            )
            transaction.commit()


def mounted(root: Path) -> Scan:
    """Return what a bank's share/ holds; nothing where none is mounted, or where it is a link."""
    place = root / SHARE
    return scan(Layout(place if place.is_dir() and not place.is_symlink() else place / "nothing"))


def around(root: Path) -> dict[str, Layer]:
    """Return id and layer of the notes beside a bank's own that its pointers may lead to as well.

    They are the user's own, those of banks further up, and before these the team's.
    """
    found: dict[str, Layer] = {}
    for look in (
        *(partial(scan, Layout(place)) for place in (wiring.personal(), *wiring.above(root))),
        partial(mounted, root),
    ):
        with suppress(TacitError, OSError):
            layers = {note_id: layer_of(file) for note_id, file in look().winners().items()}
            found |= {note_id: layer for note_id, layer in layers.items() if layer in NOTE_LAYERS}
    return found


def why_not(note: Summary) -> str:
    """Return why a note is not for the team; nothing if it is."""
    if note.audience is not Audience.TEAM:
        return f"audience {note.audience}"
    if note.portability is not Portability.CROSS_PROJECT:
        return f"portability {note.portability}"
    if note.status is not Status.ACTIVE:
        return f"status {note.status}"
    if note.strength not in _SETTLED and note.kind not in _WORTH_SHARING:
        return f"strength {note.strength}"
    return ""


def _protocols(url: str) -> list[str]:
    """Return what lets git fetch from a path that the user named; nothing else is opened up."""
    return [] if _SCHEME.search(url) and not url.startswith("file:") else ["-c", "protocol.file.allow=always"]


def _without_login(text: str) -> str:
    """Return an address without name and password."""
    return re.sub(r"(?<=://)[^/@\s]*@", "", text)
