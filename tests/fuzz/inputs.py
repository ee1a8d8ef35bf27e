"""Inputs that hypothesis makes up for a target: seeds with pieces changed, soups of its words, JSON, long repeats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.fuzz.target import MAX_INPUT_BYTES

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from tests.fuzz.target import Target

# What formats and terminals give a meaning to, each likely enough to meet the others.
SPICE = (
    *":#-\"'[]{},|>&*!%@`?\\=~<./_()+$^;",
    *[
        "\n",
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "  ",
        ": ",
        " #",
        "- ",
        "---",
        "...",
        "```",
        "~~~",
        "<<",
        "''",
        '""',
        "\n\n",
    ],
    *[
        "\0",
        "\x1b[2J",
        "\x85",
        "\u2028",
        "\ufeff",
        "\u202e",
        "\u200b",
        "\udcff",
        "\ufffd",
        "é",
        "记忆",
        "🧠",
        "０",
        "²",
    ],
    *[
        "null",
        "true",
        "NaN",
        "1e999",
        "-1",
        "0",
        "9" * 20,
        "9" * 5000,
        "a",
        "A",
        "../",
        "/etc/passwd",
        "mem://",
        "MEM-",
    ],
)


def inputs(target: Target) -> SearchStrategy[bytes]:
    """Return a strategy of bytes for one target."""
    pieces = st.sampled_from([*SPICE, *target.words])
    soup = st.lists(pieces, max_size=30).map(_bytes_of)
    drawn = [
        st.sampled_from(target.seeds),
        _edited(target, pieces),
        soup,
        st.binary(max_size=200),
        st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.builds(_repeated, soup, pieces, st.integers(1, 20_000), soup),
    ]
    if target.is_json:
        drawn += [_json(target).map(_dumped), st.lists(_json(target).map(_dumped), max_size=5).map(b"\n".join)]
    return st.one_of(drawn)


def _edited(target: Target, pieces: SearchStrategy[str]) -> SearchStrategy[bytes]:
    """Return seeds in which a few stretches made way for pieces or for stretches of other seeds."""
    put = pieces.map(_encoded) | st.binary(max_size=6) | st.sampled_from(target.seeds).map(lambda seed: seed[:200])
    edit = st.tuples(st.floats(0, 1), st.integers(0, 40), put)

    def edited(seed: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
        for share, length, new in edits:
            at = int(share * len(seed))
            seed = seed[:at] + new + seed[at + length :]
        return seed

    return st.builds(edited, st.sampled_from(target.seeds), st.lists(edit, min_size=1, max_size=5))


def _json(target: Target) -> SearchStrategy[Any]:
    words = st.sampled_from([*target.words, "", "x"])
    texts = words | st.text(max_size=20) | st.sampled_from(SPICE)
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | texts
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=6), max_leaves=20
    )


def _dumped(value: object) -> bytes:
    return json.dumps(value).encode()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _bytes_of(pieces: list[str]) -> bytes:
    return b"".join(map(_encoded, pieces))


def _repeated(before: bytes, piece: str, count: int, after: bytes) -> bytes:
    once = _encoded(piece)
    return before + once * min(count, MAX_INPUT_BYTES // len(once)) + after
