"""Machine and user blocks of a document: found by their markers, told apart by their hashes, put back byte for byte."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import sha256

from tacit.errors import MarkersBroken

MACHINE, USER = "MACHINE", "USER"
# Each begins where nothing like its first characters stands before: a long run of these is looked at once.
_MARKER = re.compile(r"(?m:^)[ \t]*<!--[ \t]*(MACHINE|USER)_BLOCK_(START|END)\b([^\r\n]*?)-->[ \t]*\r?(?:\n|\Z)")
_ATTRIBUTE = re.compile(r"(?<![a-z_])([a-z_]+)=(\S+)")
_KEPT = re.compile(r"(?<![ \t])[ \t]*kept=\S+")
_HASH_CHARS = 16


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document: a block with its markers, or (with an empty kind) the text between blocks."""

    kind: str
    text: str
    start: str = ""
    end: str = ""

    @property
    def name(self) -> str:
        """The name in the start marker; blocks that another tool made may have none."""
        return self._attribute("name")

    @property
    def version(self) -> int:
        """The version of the template that made the block; 0 for blocks of another tool."""
        word = self._attribute("version")
        return int(word) if word.isdecimal() else 0

    @property
    def kept(self) -> str:
        """The hash of the update that a person turned down for this block."""
        return self._attribute("kept")

    @property
    def is_changed(self) -> bool:
        """Whether somebody changed a machine block since Tacit wrote it; without a hash nobody can tell."""
        return self.kind == MACHINE and self._attribute("hash") != fingerprint(self.text)

    def _attribute(self, name: str) -> str:
        return next((value for key, value in _pairs(self.start) if key == name), "")

    def render(self) -> str:
        """Return the stretch as it stands in the document."""
        return f"{self.start}{self.text}{self.end}"


@dataclass(frozen=True, slots=True)
class Document:
    """A document as its stretches, in order; rendering them gives its bytes back."""

    parts: tuple[Block, ...]

    def render(self) -> str:
        """Return the whole text."""
        return "".join(part.render() for part in self.parts)

    def machine(self, name: str) -> Block | None:
        """Return the machine block of that name, if there is one."""
        return next((part for part in self.parts if part.kind == MACHINE and part.name == name), None)

    def users(self) -> list[Block]:
        """Return the user blocks, in order."""
        return [part for part in self.parts if part.kind == USER]

    def with_block(self, new: Block, *, after: tuple[str, ...] = ()) -> Document:
        """Return the document with a block put in place of its namesake, else behind the last of the named blocks.

        Where none of those is there it goes to the end of the document.
        """
        places = [place for place, part in enumerate(self.parts) if part.kind == new.kind and part.name == new.name]
        if places:
            at = places[0]
            return Document((*self.parts[:at], new, *self.parts[at + 1 :]))
        behind = [place for place, part in enumerate(self.parts) if part.kind == MACHINE and part.name in after]
        at = behind[-1] + 1 if behind else len(self.parts)
        before = "".join(part.render() for part in self.parts[:at])
        newline = "\r\n" if new.end.endswith("\r\n") else "\n"
        missing = 0 if not before or before.endswith(2 * newline) else 1 if before.endswith("\n") else 2
        return Document((*self.parts[:at], Block("", missing * newline), new, *self.parts[at:]))

    def behind(self, name: str, new: Block) -> Document:
        """Return the document with a block right behind the machine block of that name."""
        at = next(place for place, part in enumerate(self.parts) if part.kind == MACHINE and part.name == name) + 1
        return Document((*self.parts[:at], Block("", new.end.removeprefix(new.end.rstrip())), new, *self.parts[at:]))


def parse(text: str, file: str) -> Document:
    """Return the stretches of a document; raise MarkersBroken if a marker has no partner or stands inside a block."""
    parts: list[Block] = []
    opening: re.Match[str] | None = None
    done = 0
    for marker in _MARKER.finditer(text):
        kind, edge, _ = marker.groups()
        line = text.count("\n", 0, marker.start()) + 1
        if edge == "START":
            if opening is not None:
                raise MarkersBroken(file=file, line=line, reason=f"{kind}_BLOCK_START stands inside another block")
            parts.append(Block("", text[done : marker.start()]))
            opening = marker
        else:
            if opening is None or opening[1] != kind:
                raise MarkersBroken(file=file, line=line, reason=f"{kind}_BLOCK_END has no start")
            parts.append(Block(kind, text[opening.end() : marker.start()], opening[0], marker[0]))
            opening = None
        done = marker.end()
    if opening is not None:
        line = text.count("\n", 0, opening.start()) + 1
        raise MarkersBroken(file=file, line=line, reason=f"{opening[1]}_BLOCK_START has no end")
    parts.append(Block("", text[done:]))
    document = Document(tuple(part for part in parts if part.kind or part.text))
    names = [part.name for part in document.parts if part.kind == MACHINE and part.name]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise MarkersBroken(file=file, line=1, reason=f"two machine blocks are called {twice}")
    return document


def without_markers(text: str) -> str:
    """Return a document without any marker line; everything else stays, for a repair."""
    done, kept = 0, []
    for marker in _MARKER.finditer(text):
        kept.append(text[done : marker.start()])
        done = marker.end()
    return "".join([*kept, text[done:]])


def machine_block(name: str, text: str, *, version: int, newline: str = "\n") -> Block:
    """Return a machine block that bears the hash of its text, with the line ends of its document."""
    start = f"<!-- MACHINE_BLOCK_START name={name} version={version} hash={fingerprint(text)} -->{newline}"
    return Block(MACHINE, text.replace("\n", newline), start, f"<!-- MACHINE_BLOCK_END -->{newline}")


def user_block(name: str, text: str) -> Block:
    """Return a user block, with the line ends of its text."""
    newline = "\r\n" if text.endswith("\r\n") else "\n"
    return Block(USER, text, f"<!-- USER_BLOCK_START name={name} -->{newline}", f"<!-- USER_BLOCK_END -->{newline}")


def declined(block: Block, offered: str) -> Block:
    """Return a block whose marker remembers which update was turned down, so that it is not offered again."""
    plain = _KEPT.sub("", block.start)
    return replace(block, start=plain.replace("-->", f"kept={fingerprint(offered)} -->", 1))


def fingerprint(text: str) -> str:
    """Return the hash by which blocks are compared; line endings do not count."""
    return sha256(text.replace("\r\n", "\n").encode()).hexdigest()[:_HASH_CHARS]


def _pairs(marker: str) -> list[tuple[str, str]]:
    return _ATTRIBUTE.findall(marker)
