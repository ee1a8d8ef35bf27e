"""Blocks are found, told apart and put back byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.entry import blocks
from tacit.errors import MarkersBroken

OLD = "# Title\n\n<!-- USER_BLOCK_START -->\r\nmine  \r\n<!-- USER_BLOCK_END -->\ntail"
PIECES = st.sampled_from(
    [
        "text\n",
        "  \r\n",
        "see <!-- MACHINE_BLOCK_START --> inside a line\n",
        "<!-- USER_BLOCK_START -->\nmine\n<!-- USER_BLOCK_END -->\n",
        "<!-- MACHINE_BLOCK_START name=a version=1 hash=00 -->\nx\r\n<!-- MACHINE_BLOCK_END -->\r\n",
        "<!-- MACHINE_BLOCK_START -->\n<!-- MACHINE_BLOCK_END -->\n",
    ]
)


@given(st.lists(PIECES, max_size=6, unique=True).map("".join))
def test_a_document_comes_back_byte_for_byte(text: str) -> None:
    """E-02: parsing and rendering is the identity, whatever stands between the markers."""
    assert blocks.parse(text, "MEMORY.md").render() == text


def test_an_edit_of_a_machine_block_is_noticed() -> None:
    """E-02: the hash in the marker tells whether somebody changed the block; line endings do not count."""
    text = blocks.machine_block("routing", "- a\n", version=1).render()

    same = blocks.parse(text, "").machine("routing")
    edited = blocks.parse(text.replace("- a", "- b"), "").machine("routing")
    windows = blocks.parse(text.replace("\n", "\r\n"), "").machine("routing")

    assert [each is not None and each.is_changed for each in (same, edited, windows)] == [False, True, False]


def test_a_new_block_goes_behind_the_named_ones_and_leaves_the_rest() -> None:
    """E-02: adding a block moves and changes nothing else."""
    document = blocks.parse(OLD, "")
    grown = document.with_block(blocks.machine_block("a", "A\n", version=1))
    more = grown.with_block(blocks.machine_block("b", "B\n", version=1), after=("a",))

    assert grown.render().startswith(OLD + "\n\n<!-- MACHINE_BLOCK_START name=a ")
    assert [part.name for part in more.parts if part.kind == blocks.MACHINE] == ["a", "b"]
    assert [block.text for block in more.users()] == ["mine  \r\n"]
    assert more.with_block(blocks.machine_block("a", "C\n", version=1)).machine("a") == blocks.machine_block(
        "a", "C\n", version=1
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<!-- USER_BLOCK_START -->\nx\n", 1),
        ("x\n<!-- USER_BLOCK_END -->\n", 2),
        ("<!-- USER_BLOCK_START -->\n<!-- MACHINE_BLOCK_START -->\n<!-- MACHINE_BLOCK_END -->\n", 2),
        ("<!-- USER_BLOCK_START -->\n<!-- MACHINE_BLOCK_END -->\n", 2),
        (blocks.machine_block("a", "", version=1).render() * 2, 1),
    ],
)
def test_broken_markers_are_refused_with_their_line(text: str, line: int) -> None:
    """E-03: a marker without its partner, inside another block or twice stops everything, and its line is named."""
    with pytest.raises(MarkersBroken) as caught:
        blocks.parse(text, "MEMORY.md")

    assert (caught.value.details["file"], caught.value.details["line"]) == ("MEMORY.md", line)


def test_without_markers_every_other_line_stays() -> None:
    """E-05: a repair drops marker lines and nothing else."""
    assert blocks.without_markers(f"a\n<!-- USER_BLOCK_END -->\nb\n{OLD}") == "a\nb\n# Title\n\nmine  \r\ntail"


def test_a_declined_update_is_remembered_in_the_marker() -> None:
    """E-02: what was turned down once is known by its hash, and a later one takes its place."""
    block = blocks.machine_block("a", "A\n", version=1)
    once = blocks.declined(block, "B\n")
    twice = blocks.declined(once, "C\n")

    assert once.kept == blocks.fingerprint("B\n")
    assert twice.kept == blocks.fingerprint("C\n")
    assert twice.start.count("kept=") == 1
    assert blocks.Block(blocks.MACHINE, "x", "<!-- MACHINE_BLOCK_START -->\n").version == 0


def test_a_marker_before_a_lone_carriage_return_is_one() -> None:
    """E-02: what becomes a marker once a line end follows it is taken for one before."""
    with pytest.raises(MarkersBroken):
        blocks.parse("mine\n<!-- USER_BLOCK_END -->\r", "MEMORY.md")
    assert blocks.without_markers("mine\n<!-- USER_BLOCK_END -->\r") == "mine\n"


@pytest.mark.parametrize("run", [" ", "\t", "a", "<!-- ", "<!-- MACHINE_BLOCK_START --> x", "kept="])
def test_long_runs_are_looked_at_once(run: str) -> None:
    """X-05: a document of one thing again and again is read in a moment and not in hours."""
    text = run * 200_000
    assert blocks.parse(text, "MEMORY.md").render() == text
    marker = f"<!-- MACHINE_BLOCK_START {run * 200_000} -->\n"
    block = blocks.Block(blocks.MACHINE, "", marker, "")
    assert (block.name, blocks.declined(block, "").text) == ("", "")
