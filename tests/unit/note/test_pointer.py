"""mem:// pointers."""

from __future__ import annotations

import pytest

from tacit.errors import PointerRefused
from tacit.note import pointer
from tacit.note.model import Layer
from tacit.note.pointer import IN_TEXT, Pointer


@pytest.mark.parametrize(
    ("text", "parsed", "canonical"),
    [
        ("mem://L1/MEM-abc", Pointer(Layer.DECLARATIVE, "MEM-abc"), "mem://L1/MEM-abc"),
        ("mem://declarative/MEM-abc", Pointer(Layer.DECLARATIVE, "MEM-abc"), "mem://L1/MEM-abc"),
        (
            "mem://L2_procedural/MEM-a#decision",
            Pointer(Layer.PROCEDURAL, "MEM-a", "decision"),
            "mem://L2/MEM-a#decision",
        ),
        ("mem://L0/CORE-价值观", Pointer(Layer.CORE, "CORE-价值观"), "mem://L0/CORE-价值观"),
        ("mem://L3/EP-1a", Pointer(Layer.EPISODIC, "EP-1a"), "mem://L3/EP-1a"),
        ("mem://L4/task_1#notes/2", Pointer(Layer.WORKING, "task_1", "notes/2"), "mem://L4/task_1#notes/2"),
    ],
)
def test_a_pointer_reads_and_writes(text: str, parsed: Pointer, canonical: str) -> None:
    """Z-01: layer, id and path; layer names have short forms."""
    assert Pointer.parse(text) == parsed
    assert str(parsed) == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "does not read"),
        ("MEM-abc", "does not read"),
        ("mem://L1", "does not read"),
        ("mem://L1/MEM-abc#", "does not read"),
        ("mem://L1/MEM-abc#a b", "does not read"),
        ("mem://L1/../MEM-abc", "does not read"),
        ("mem://L7/MEM-abc", "no layer"),
        ("mem://L1/EP-1", "no id of layer L1"),
        ("mem://L2/..", "no id of layer L2"),
        ("mem://L0/MEM-abc", "no id of layer L0"),
        ("mem://L3/MEM-abc", "no id of layer L3"),
        ("mem://L4/.hidden", "no id of layer L4"),
    ],
)
def test_what_is_no_pointer_is_refused(text: str, reason: str) -> None:
    """X-04, Z-01: a pointer leads to a note of its layer or is refused with the reason."""
    with pytest.raises(PointerRefused, match=reason):
        Pointer.parse(text)


def test_pointers_are_found_in_running_text() -> None:
    """Z-01: brackets and sentence marks around a pointer are not part of it."""
    text = "See (mem://L1/MEM-a), [x](mem://L2/MEM-b#fact). 另见 mem://L1/MEM-c。"
    assert IN_TEXT.findall(text) == ["mem://L1/MEM-a", "mem://L2/MEM-b#fact", "mem://L1/MEM-c"]


def test_an_id_fits_no_layer_that_does_not_exist() -> None:
    """A layer without a rule for its ids takes none."""
    assert not pointer._fits("L9", "MEM-abc")  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("EP-1a", "mem://L3/EP-1a"),
        ("T-1a", "mem://L4/T-1a"),
        ("MEM-1a", "MEM-1a"),
        ("T-1a.md", "T-1a.md"),
        ("L1_declarative/MEM-1a.md", "L1_declarative/MEM-1a.md"),
    ],
)
def test_an_id_of_a_task_is_an_address(name: str, address: str) -> None:
    """Z-01: what a task prints can be asked for."""
    assert pointer.of_id(name) == address
