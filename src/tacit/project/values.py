"""What a look at the user's project found, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one manifest says: `tasks` by tool ("npm" → its scripts), `versions` by subject ("react" → "^18.2.0").

    `is_open` says that it takes in other files, so that a task that is missing here may stand there.
    """

    file: str
    ecosystem: str
    name: str = ""
    description: str = ""
    tasks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    is_lock: bool = False
    is_open: bool = False


@dataclass(frozen=True)
class Survey:
    """The project: its files and folders, its manifests, and the words in each of its sources.

    `bank` is where the bank lies in the project, `bank_files` what it holds, by the same paths.
    `is_whole` is False where it has more files than were looked at; then nothing can be said to be missing.
    """

    name: str
    files: frozenset[str]
    manifests: tuple[Manifest, ...]
    words: Mapping[str, frozenset[str]]
    readme: str = ""
    is_whole: bool = True
    bank: str = ""
    bank_files: frozenset[str] = frozenset()

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that holds a file, at any depth."""
        return frozenset(file[:at] for file in self.files for at in range(len(file)) if file[at] == "/")

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of every source and manifest."""
        return frozenset().union(*self.words.values())

    @cached_property
    def folded(self) -> frozenset[str]:
        """The vocabulary in small letters, with the names of the dependencies and of the files."""
        names = {name for each in self.manifests for full in each.versions for name in (full, full.rpartition("/")[2])}
        stems = {file.rpartition("/")[2].partition(".")[0] for file in self.files}
        return frozenset(word.lower() for word in self.vocabulary | names | stems | {self.name})

    def tasks(self, tool: str) -> dict[str, str]:
        """Return task → the manifest that defines it."""
        return {task: each.file for each in self.manifests for task in each.tasks.get(tool, ())}

    def defines(self, tool: str) -> list[Manifest]:
        """Return the manifests that define tasks of a tool."""
        return [each for each in self.manifests if tool in each.tasks]
