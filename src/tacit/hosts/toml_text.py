"""Put tables at the end of a TOML file and take them out again, leaving every other byte alone."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

import tomlkit

from tacit.hosts.jsonc import BrokenText, Taken
from tacit.hosts.wiring import Put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.hosts.record import Spliced
    from tacit.hosts.wiring import Piece

_LINE = re.compile(r"line (\d+)")


def put_in(document: Spliced, pieces: Sequence[Piece]) -> list[Put]:
    """Put in what is missing of the pieces, each a table, and return that; raise BrokenText or Taken."""
    puts = []
    for piece in pieces:
        there = _find(_parsed(document.text), piece.path)
        if there == piece.value:
            continue
        if there is not None:
            raise Taken(0, ".".join(piece.path))
        before = document.text
        document.put(len(before), _lead(before) + table(piece, _newline(before)))
        try:
            _parsed(document.text)
        except BrokenText:  # an inline table, which cannot grow
            line = next((number for number, each in enumerate(before.split("\n"), 1) if piece.path[0] in each), 1)
            raise BrokenText(line, f"`{piece.path[0]}` is written so that no table can be added to it") from None
        puts.append(Put(piece, len(piece.path)))
    return puts


def take_out(document: Spliced, puts: Sequence[Put]) -> list[Put]:
    """Take out the tables that were put in; return those that are no longer as they were."""
    changed = []
    for put in puts:
        piece = put.piece
        there = _find(_parsed(document.text), piece.path)
        if there is None:
            continue
        if there != piece.value:
            changed.append(put)
            continue
        written = table(piece, _newline(document.text))
        at = document.text.find(written)
        if at >= 0:
            newline = _newline(document.text)
            begin = at - len(newline) if document.text[:at].endswith(newline * 2) else at
            document.put(begin, "", until=at + len(written))
        else:  # somebody laid it out anew
            whole = tomlkit.parse(document.text)
            above: Any = whole
            for key in piece.path[:-1]:
                above = above[key]
            del above[piece.path[-1]]
            document.put(0, tomlkit.dumps(whole), until=len(document.text))
    return changed


def table(piece: Piece, newline: str = "\n") -> str:
    """Return a piece as a table."""
    lines = [f"[{'.'.join(piece.path)}]", *(f"{key} = {_rendered(value)}" for key, value in piece.value.items()), ""]
    return newline.join(lines)


def find(text: str, path: Sequence[str]) -> Any:  # noqa: ANN401  any TOML
    """Return what stands at a path; None if it leads nowhere."""
    return _find(_parsed(text), path)


def holds(text: str, piece: Piece) -> bool:
    """Whether a piece stands in a text, be it changed by the user."""
    return find(text, piece.path) is not None


def _rendered(value: object) -> str:
    return tomlkit.item(value).as_string()


def _lead(text: str) -> str:
    """Return what parts a new table from the text before it."""
    newline = _newline(text)
    return "" if not text.strip() else newline if text.endswith("\n") else newline * 2


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:  # a number that is too long is no TOMLDecodeError
        line = _LINE.search(str(error))
        raise BrokenText(int(line[1]) if line else 0, str(error).partition(" (at")[0].lower()) from None


def _find(document: Any, path: Sequence[str]) -> Any:  # noqa: ANN401  any TOML
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document
