"""A disk that forgets: the states that a power cut may leave, if only what was synced is certain.

Rules of this disk, weaker than any file system that people use:

* The bytes of a file are certain after fsync of the file. Before, the cut may leave the old bytes, the new ones, none
  of what was added, a half of it, or zeros.
* An entry of a directory (made, removed, renamed, exchanged) is certain after fsync of a directory that it is in.
  Before, each such change may have arrived or not, whatever happened to the others; a rename or an exchange arrives
  as a whole. What lies in a directory that never arrived is gone with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from tests.crash.recorder import Event
    from tests.crash.scratch import Tree

_ROOT = 0
# Up to this many uncertain changes every combination of them is tried, beyond it those of the last ones.
_FEW = 5
_VARIANTS = ("old", "new", "none", "half", "zeros")

Entry = tuple[int, str]
# Of each uncertain change, by its place in the log: whether it arrived.
Arrived = frozenset[int]


@dataclass(slots=True)
class _File:
    certain: bytes
    now: bytes
    # The shortest that the file was since the last sync: what lies below was never touched.
    shortest: int

    def variants(self) -> dict[str, bytes]:
        kept = self.now[: self.shortest]
        half = self.now[: (self.shortest + len(self.now)) // 2]
        zeros = kept + bytes(len(self.now) - self.shortest)
        return dict(zip(_VARIANTS, (self.certain, self.now, kept, half, zeros), strict=True))

    @property
    def dirty(self) -> bool:
        return self.certain != self.now


@dataclass(slots=True)
class _Change:
    """Entries of directories that change in one step."""

    entries: dict[Entry, int | None]
    certain: bool = False


class Disk:
    """Follows recorded events; at every moment it can say what a power cut might leave."""

    def __init__(self, tree: Tree) -> None:
        self._files: dict[int, _File] = {}
        self._settled: dict[Entry, int] = {}
        self._now: dict[Entry, int] = {}
        self._changes: list[_Change] = []
        self._directories = {_ROOT}
        self._open: dict[int, int] = {}
        self._next = 1
        for name in sorted(tree):
            path = name.rstrip("/")
            made = self._make_file(tree[name]) if path == name else self._make_directory()
            self._now[self._entry(path)] = made
        self._settled = dict(self._now)

    def follow(self, event: Event) -> None:
        """Take over one recorded change."""
        if not self._follow_bytes(event):
            self._follow_names(event)

    def _follow_bytes(self, event: Event) -> bool:
        match event:
            case ("open", descriptor, name, new, truncated):
                if new:
                    self._change({self._entry(name): self._make_file(b"")})
                self._open[descriptor] = self._find(name)
                if truncated:
                    self._cut(self._open[descriptor], 0)
            case ("write", descriptor, offset, content):
                file = self._files[self._open[descriptor]]
                file.shortest = min(file.shortest, offset)
                file.now = file.now[:offset].ljust(offset, b"\0") + content + file.now[offset + len(content) :]
            case ("ftruncate", descriptor, size):
                self._cut(self._open[descriptor], size)
            case ("fsync", descriptor):
                self._sync(self._open[descriptor])
            case ("sync",):
                for inode in (*self._files, *self._directories):
                    self._sync(inode)
            case _:
                return False
        return True

    def _follow_names(self, event: Event) -> None:
        match event:
            case ("mkdir", name):
                self._change({self._entry(name): self._make_directory()})
            case ("unlink" | "rmdir", name):
                self._change({self._entry(name): None})
            case ("link", source, target):
                self._change({self._entry(target): self._find(source)})
            case ("rename", source, target):
                self._change({self._entry(source): None, self._entry(target): self._find(source)})
            case ("exchange", first, second):
                self._change({self._entry(first): self._find(second), self._entry(second): self._find(first)})
            case _:
                raise AssertionError(event)

    def states(self, chance: random.Random, most: int) -> Iterator[tuple[str, Tree]]:
        """Yield what a power cut at this moment may leave, with a word on how it came about; not free of repeats.

        If there are more than `most` of them, as many are drawn.
        """
        uncertain = [at for at, change in enumerate(self._changes) if not change.certain]
        choices = sorted(_choices(uncertain, chance), key=sorted)
        plans = [
            (arrived, entries, word, contents)
            for arrived in chance.sample(choices, min(most, len(choices)))
            for entries in [self._entries(arrived)]
            for word, contents in self._contents(entries)
        ]
        for arrived, entries, word, contents in chance.sample(plans, min(most, len(plans))):
            story = f"{len(arrived)} of {len(uncertain)} changes arrived, bytes {word}"
            yield story, self._tree(entries, contents)

    def _contents(self, entries: dict[Entry, int]) -> list[tuple[str, dict[int, bytes]]]:
        """Return what the files that were not synced may hold: all alike, or one of them apart from the others."""
        dirty = [inode for inode in set(entries.values()) if inode in self._files and self._files[inode].dirty]
        if not dirty:
            return [("certain", {})]
        variants = {inode: self._files[inode].variants() for inode in dirty}
        alike = [(word, {inode: variants[inode][word] for inode in dirty}) for word in _VARIANTS]
        fresh = {inode: variants[inode]["new"] for inode in dirty}
        apart = [
            (f"new but for one {word}", {**fresh, inode: variants[inode][word]})
            for inode in sorted(dirty)[-2:]
            for word in ("old", "zeros")
        ]
        return alike + (apart if len(dirty) > 1 else [])

    def _entries(self, arrived: Arrived) -> dict[Entry, int]:
        entries = dict(self._settled)
        for at, change in enumerate(self._changes):
            if change.certain or at in arrived:
                _apply(entries, change.entries)
        return entries

    def _tree(self, entries: dict[Entry, int], contents: dict[int, bytes]) -> Tree:
        below: dict[int, list[tuple[str, int]]] = {}
        for (directory, name), inode in entries.items():
            below.setdefault(directory, []).append((name, inode))
        tree: Tree = {}
        pending = [("", _ROOT)]
        while pending:
            prefix, directory = pending.pop()
            for name, inode in below.get(directory, ()):
                if inode in self._files:
                    tree[prefix + name] = contents[inode] if inode in contents else self._files[inode].now
                else:
                    tree[f"{prefix}{name}/"] = b""
                    pending.append((f"{prefix}{name}/", inode))
        return tree

    def _change(self, entries: dict[Entry, int | None]) -> None:
        _apply(self._now, entries)
        self._changes.append(_Change(entries))

    def _sync(self, inode: int) -> None:
        if inode in self._files:
            file = self._files[inode]
            file.certain, file.shortest = file.now, len(file.now)
            return
        for change in self._changes:
            change.certain = change.certain or any(directory == inode for directory, _ in change.entries)
        while self._changes and self._changes[0].certain:
            _apply(self._settled, self._changes.pop(0).entries)

    def _cut(self, inode: int, size: int) -> None:
        file = self._files[inode]
        file.now = file.now[:size].ljust(size, b"\0")
        file.shortest = min(file.shortest, size)

    def _make_file(self, content: bytes) -> int:
        self._next += 1
        self._files[self._next] = _File(content, content, len(content))
        return self._next

    def _make_directory(self) -> int:
        self._next += 1
        self._directories.add(self._next)
        return self._next

    def _entry(self, path: str) -> Entry:
        parent, _, name = path.rpartition("/")
        return (self._find(parent or "."), name)

    def _find(self, path: str) -> int:
        inode = _ROOT
        for part in path.split("/") if path != "." else ():
            inode = self._now[inode, part]
        return inode


def _apply(entries: dict[Entry, int], change: dict[Entry, int | None]) -> None:
    for entry, inode in change.items():
        if inode is None:
            entries.pop(entry, None)
        else:
            entries[entry] = inode


def _choices(uncertain: list[int], chance: random.Random) -> set[Arrived]:
    """Return which of the uncertain changes may have arrived: every prefix, and every combination of a few."""
    chosen = {frozenset(uncertain[:length]) for length in range(len(uncertain) + 1)}
    older, last = uncertain[:-_FEW], uncertain[-_FEW:]
    for length in range(len(last) + 1):
        for some in combinations(last, length):
            chosen |= {frozenset(some), frozenset((*older, *some))}
    for _ in range(8 if older else 0):
        chosen.add(frozenset(at for at in uncertain if chance.random() < 0.5))
    return chosen
