"""Where everything lives inside a bank, and which paths a transaction may touch."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.errors import BankNotFound, PathRefused, PathTaken, SymlinkRefused
from tacit.note.layer import Layer

if TYPE_CHECKING:
    from pathlib import Path

FORMAT_VERSION = 1

README = "README.md"
ENTRY = "MEMORY.md"
INDEX = "INDEX.md"
STATE = "memory.lock"
SETTINGS = "tacit.toml"
SHARE = "share"
DETAILS = "details"

NOTE_LAYERS = (Layer.DECLARATIVE, Layer.PROCEDURAL)
NOTE_FOLDERS = tuple(layer.folder for layer in NOTE_LAYERS)
# Where notes and documents stand that are listed or found by recall.
READ_FOLDERS = (
    Layer.CORE.folder,
    *NOTE_FOLDERS,
    DETAILS,
    *(f"{SHARE}/{folder}" for folder in NOTE_FOLDERS),
)
_FILES = frozenset({README, ENTRY, INDEX, STATE, SETTINGS, ".gitignore", ".gitattributes"})
_FOLDERS = frozenset({*(layer.folder for layer in Layer), DETAILS, SHARE, "references"})
_HIDDEN_FOLDERS = frozenset({"staging", ".trash", ".local", "conflicts"})
# Private to this machine. That git passes over the last of them says that it does over all.
PRIVATE = (Layer.WORKING.folder, "staging", ".trash", "conflicts", ".local")
_IGNORE = ".gitignore"
# Names that every file system and every log can carry; the last range is what Python makes of bytes that are no UTF-8.
# Compiled when first used: who only reads has no need of it.
_PART = r"[^\x00-\x1f\x7f/\\:*?\"<>|\ud800-\udfff]{1,120}"

# Directories of a bank and their modes, in the order in which init makes them; the last four are private to this
# machine. Other users may list those that every reader looks into, and nothing that lies in them.
SKELETON = dict.fromkeys(
    (
        *(layer.folder for layer in Layer),
        DETAILS,
        "references",
        "staging",
        ".trash",
        ".local",
        ".local/audit",
    ),
    0o755,
) | {".trash": 0o700}


class Layout(NamedTuple):
    """The places of one bank."""

    root: Path

    @property
    def staging(self) -> Path:
        """Bytes of running transactions, one directory each."""
        return self.root / "staging"

    @property
    def trash(self) -> Path:
        """Finished transactions with what they took out, for undo and restore."""
        return self.root / ".trash"

    @property
    def conflicts(self) -> Path:
        """Our version of a file that somebody else saved at the same moment."""
        return self.root / "conflicts"

    @property
    def local(self) -> Path:
        """Derived and private to this machine."""
        return self.root / ".local"

    @property
    def audit(self) -> Path:
        """The segments of the operation log."""
        return self.local / "audit"

    @property
    def search_index(self) -> Path:
        """The search index; its journal files bear its name and an ending."""
        return self.local / "index.db"

    @property
    def index_bank(self) -> Path:
        """What names this bank in a database of many banks, and nobody else knows."""
        return self.local / "index.bank"

    @property
    def scan_cache(self) -> Path:
        """What the last scan of the notes saw."""
        return self.local / "scan.json"

    def place(self, path: str) -> Path:
        """Return where `path`, written with `/` and relative to the bank, is on disk, to be written.

        Raises what `find` raises, and PathRefused for a name that some file system cannot hold.
        """
        if not is_portable(path):
            raise PathRefused(path=path)
        return self.find(path)

    def find(self, path: str) -> Path:
        """Return where `path` is on disk, to be read: somebody else may have given it a name that Tacit never would.

        Raises PathRefused for a path that leaves the bank or that a bank does not hold, SymlinkRefused if a
        directory on the way is a symbolic link, and PathTaken if it is a file.
        """
        parts = path.split("/")
        if "\0" in path or not {"", ".", ".."}.isdisjoint(parts):
            raise PathRefused(path=path)
        if not (parts[0] in _FILES if len(parts) == 1 else parts[0] in _FOLDERS):
            raise PathRefused(path=path)
        where = self.root
        for part in parts[:-1]:
            where = where / part
            _refuse_odd(where)
        return where / parts[-1]

    @property
    def is_there(self) -> bool:
        """Whether this is a bank: not if its directory was moved or removed, or git checked out a branch without it."""
        return (self.root / SETTINGS).exists()

    @property
    def is_hidden(self) -> bool:
        """Whether git passes over the private directories by themselves."""
        return (self.local / _IGNORE).exists()

    def hide(self) -> None:
        """Let git pass over each private directory, on a branch too that has no .gitignore of the bank.

        Failing to is no failure: whoever writes next tries again.
        """
        with suppress(OSError):
            for folder in (self.root / name for name in PRIVATE):
                if folder.is_dir() and not (folder / _IGNORE).exists():
                    fsio.replace(folder / _IGNORE, b"*\n")

    def refuse_links(self) -> None:
        """Raise SymlinkRefused or PathTaken if a link or a file stands for a directory that transactions work in.

        Raises BankNotFound if nothing is there at all: nobody makes it but `init`.
        """
        if not self.root.exists():
            raise BankNotFound(place=self.root)
        for name in (*_FOLDERS, *_HIDDEN_FOLDERS, ".local/audit", ".local/sessions", "staging/proposals"):
            _refuse_odd(f"{self.root}/{name}")


def is_portable(path: str) -> bool:
    """Whether every file system and every log can carry the names in a path."""
    return all(re.fullmatch(_PART, part) for part in path.split("/"))


def is_note(path: str) -> bool:
    """Whether a path inside the bank is that of a note of L1 or L2."""
    return path.startswith(tuple(f"{folder}/" for folder in NOTE_FOLDERS))


def note_path(layer: Layer, note_id: str) -> str:
    """Return the path of a new note's file inside the bank."""
    return f"{layer.folder}/{note_id}.md"


def conflict_name(operation_id: str, path: str) -> str:
    """Return the name, below `conflicts`, of an operation's version of the file at `path`."""
    return f"{operation_id}-{path.replace('/', '-')}"


def _refuse_odd(path: Path | str) -> None:
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISLNK(mode):
        raise SymlinkRefused(file=str(path))
    if not stat.S_ISDIR(mode):
        raise PathTaken(file=str(path))
