"""Long pieces of a note: taken out into blobs that pointers lead to, and put back byte for byte."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tacit.note.pointer import BLOB

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.note.model import Note

MAX_CODE_LINES = 40
MAX_CODE_CHARS = 2_000
MAX_TEXT_CHARS = 4_000
FOLDER = "references/blobs"
_SECTIONS = ("decision", "signals", "alternatives", "counter_signals", "fact", "principle", "evidence")
# A fenced block from its opening line to its closing one, both included.
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?^ {0,3}\1[`~]*[ \t]*(?=\r?$)", re.MULTILINE | re.DOTALL)


def file_of(digest: str) -> str:
    """Return where a blob is kept, relative to the bank."""
    return f"{FOLDER}/{digest}"


def mentioned(text: str) -> list[str]:
    """Return the fingerprints of the blobs that a text points to."""
    return list(dict.fromkeys(BLOB.findall(text)))


def taken_out(note: Note) -> tuple[Note, dict[str, str]]:
    """Return the note with pointers in place of long code and long texts, and fingerprint → what they lead to."""
    blobs: dict[str, str] = {}

    def keep(piece: str) -> str:
        digest = sha256(piece.encode()).hexdigest()
        blobs[digest] = piece
        return f"mem://blobs/{digest}"

    shorter: dict[str, Any] = {name: _shortened(text, keep) for name in _SECTIONS if (text := getattr(note, name))}
    return (replace(note, **shorter) if blobs else note), blobs


def put_back(text: str, read: Callable[[str], str | None]) -> str:
    """Return a text with the blobs in place of the pointers to them; a pointer that leads nowhere stays."""

    def found(match: re.Match[str]) -> str:
        piece = read(match[1])
        return match[0] if piece is None else piece

    return BLOB.sub(found, text)


def _shortened(text: str, keep: Callable[[str], str]) -> str:
    def take(match: re.Match[str]) -> str:
        return keep(match[0]) if _is_long(match[0]) else match[0]

    if len(_FENCED.sub(lambda match: "" if _is_long(match[0]) else match[0], text)) > MAX_TEXT_CHARS:
        return keep(text)  # long without its code too: one pointer for the whole
    return _FENCED.sub(take, text)


def _is_long(block: str) -> bool:
    code = block.partition("\n")[2].rpartition("\n")[0]  # without the two fences
    return code.count("\n") >= MAX_CODE_LINES or len(code) > MAX_CODE_CHARS
