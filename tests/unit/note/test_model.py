"""The values that a note consists of."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from tacit.errors import FieldRefused, IdRefused
from tacit.note.model import Kind, Layer, Note, Status, Summary, check_id, from_plain, is_core_id, is_note_id


@pytest.mark.parametrize("text", ["MEM-a", "MEM-7f3k2p9q", "MEM-A_b-9", "MEM-" + "x" * 60])
def test_ids_of_the_right_shape_are_ids(text: str) -> None:
    """N-03: MEM- and a short part of letters, digits, - and _."""
    assert is_note_id(text)
    assert check_id(text) == text


@pytest.mark.parametrize(
    "text",
    ["", "MEM-", "mem-a", "MEM--a", "MEM-_a", "MEM-a/b", "MEM-..", "MEM-a\n", "MEM-ä", "CORE-a", "MEM-" + "x" * 61],
)
def test_other_texts_are_no_ids(text: str) -> None:
    """X-04: nothing that could lead out of the bank passes for an id."""
    assert not is_note_id(text)
    with pytest.raises(IdRefused, match="is no note id"):
        check_id(text)


@pytest.mark.parametrize(
    ("text", "legal"),
    [("CORE-values", True), ("CORE-价值", True), ("CORE-a b", False), ("CORE-a/b", False), ("CORE-", False)],
)
def test_core_ids_are_made_of_file_names(text: str, legal: bool) -> None:  # noqa: FBT001 - a case
    """L-01: a core document's id is CORE- and the name of its file."""
    assert is_core_id(text) is legal


@pytest.mark.parametrize("name", ["L2", "l2", "procedural", "Procedural", "L2_procedural"])
def test_a_layer_has_several_names(name: str) -> None:
    """Z-01: the short form, the word and the folder all name a layer."""
    assert Layer.named(name) is Layer.PROCEDURAL


def test_an_unknown_layer_is_no_layer() -> None:
    """Anything else is a ValueError."""
    with pytest.raises(ValueError, match="L9"):
        Layer.named("L9")


def test_layers_know_their_folders() -> None:
    """B-02: the folder of each layer."""
    assert [layer.folder for layer in Layer] == [
        "L0_core",
        "L1_declarative",
        "L2_procedural",
        "L3_episodic",
        "L4_working",
    ]


def test_a_note_cannot_be_changed() -> None:
    """Notes are values: a change makes a new one."""
    note = Note(id="MEM-a", title="t")
    with pytest.raises(FrozenInstanceError):
        note.title = "u"  # type: ignore[misc]  # wrong on purpose


def test_plain_values_become_a_note_or_summary() -> None:
    """Words become members of their enumeration, lists become tuples, text stays text."""
    plain = {"id": "MEM-a", "title": "t", "kind": "tech", "layer": "L2", "tags": ["x"], "one_liner": "o"}
    summary = from_plain(Summary, plain)
    assert summary == Summary(id="MEM-a", title="t", kind=Kind.TECH, layer=Layer.PROCEDURAL, tags=("x",), one_liner="o")
    assert from_plain(Note, {**plain, "status": "archive", "fact": "f"}).status is Status.ARCHIVE


def test_a_word_that_is_none_of_its_enumeration_is_refused() -> None:
    """N-02: the error names the field."""
    with pytest.raises(FieldRefused, match="kind"):
        from_plain(Note, {"id": "MEM-a", "title": "t", "kind": "opinion"})
