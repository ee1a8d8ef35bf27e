"""Memories that others export as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.formats import json_memory
from tacit.formats.found import Passed

if TYPE_CHECKING:
    from collections.abc import Sequence

GRAPH = [
    {
        "type": "entity",
        "name": "Billing",
        "entityType": "service",
        "observations": ["Runs on port 8080", {"by": "me"}, ""],
    },
    {"type": "entity", "name": "Empty " * 30, "entityType": "", "observations": []},
    {"type": "relation", "from": "Billing", "to": "Ledger", "relationType": "writes to"},
    {"type": "relation", "from": "Nobody", "to": "Ledger", "relationType": "reads"},
]


def lines(values: Sequence[object]) -> bytes:
    """The values, one a line."""
    return "\n".join(json.dumps(value) for value in values).encode()


@pytest.mark.parametrize(
    "content",
    [
        lines(GRAPH),
        json.dumps(GRAPH).encode(),
        json.dumps({"entities": GRAPH[:2], "relations": GRAPH[2:]}).encode(),
    ],
    ids=["lines", "array", "object"],
)
def test_entities_are_notes(content: bytes) -> None:
    """O-02: what is known of a thing, and how it stands to others, is one note; loose relations are a document."""
    assert json_memory.kind_of(content) == "mcp-memory"
    found = json_memory.read({"memory.json": content}, "mcp-memory")

    note = found.notes[0].note
    assert (note.title, note.when_to_load, note.one_liner) == ("Billing", ("Billing",), "Runs on port 8080")
    assert note.decision == '- Runs on port 8080\n- {"by": "me"}\n- Billing writes to Ledger'
    assert found.notes[0].extra == {"entity_type": "service"}
    assert found.notes[1].extra == {"name": "Empty " * 30}
    assert found.documents[0].content == b"# Relations\n\n- Nobody reads Ledger\n"


def test_memories_of_mem0() -> None:
    """O-02: each memory of an export is a note, with all else that is known of it."""
    content = json.dumps(
        {
            "results": [
                {"id": "1", "memory": "Prefers tabs.", "metadata": {"a": 1}, "user_id": "u", "score": None},
                "Uses vim.",
                {"other": 1},
                3,
            ]
        }
    ).encode()
    found = json_memory.read({"export.json": content}, "mem0")

    assert json_memory.kind_of(content) == "mem0"
    assert [each.note.title for each in found.notes] == ["Prefers tabs.", "Uses vim."]
    assert found.notes[0].extra == {"mem0_id": "1", "mem0_metadata": '{"a": 1}', "mem0_user_id": "u"}
    assert found.passed == [Passed("export.json#3", "json"), Passed("export.json#4", "json")]


def test_one_memory_alone() -> None:
    """A single object is a memory as well."""
    assert json_memory.read({"m.json": b'{"text": "Use uv."}'}, "mem0").notes[0].note.decision == "Use uv."


def test_long_memories_are_documents() -> None:
    """What is too long or divided stays whole."""
    content = json.dumps([{"memory": "# A\n\nb\n\n# C"}, {"memory": "long " * 2000}]).encode()
    found = json_memory.read({"m.json": content}, "mem0")

    assert [each.content[:8] for each in found.documents] == [b"# # A\n\n#", b"# long l"]


def test_half_a_character_is_replaced() -> None:
    """Programs that cut texts by their own count leave halves of pairs; the other memories are read all the same."""
    found = json_memory.read(
        {"m.json": b'[{"memory": "Cut \\ud83d here."}, {"memory": "Whole \\ud83d\\ude00."}]'}, "mem0"
    )

    assert [each.note.decision for each in found.notes] == ["Cut ? here.", "Whole \U0001f600."]


@pytest.mark.parametrize("relations", [b"5", b"{}", b"null", b'"x"'])
def test_relations_that_are_no_list_are_none(relations: bytes) -> None:
    """What stands in the place of relations and is no list says nothing."""
    content = b'{"entities": [{"name": "uv", "observations": ["fast"]}], "relations": ' + relations + b"}"

    assert [each.note.title for each in json_memory.read({"m.json": content}, "mcp-memory").notes] == ["uv"]


def test_a_broken_line_is_refused_alone() -> None:
    """O-02: what one line lacks costs the others nothing; a separator inside a text ends no line."""
    content = lines(GRAPH[:1]) + b'\n{"name": "Cut", "obs\n' + lines(GRAPH[2:3])
    found = json_memory.read({"memory.json": content}, "mcp-memory")

    assert json_memory.kind_of(content) == "mcp-memory"
    assert found.passed == [Passed("memory.json#2", "json")]
    assert "Billing writes to Ledger" in found.notes[0].note.decision
    twice = 2 * '{"memory": "Use\u2028tabs."}\n'
    assert len(json_memory.read({"m.jsonl": twice.encode()}, "mem0").notes) == 2


@pytest.mark.parametrize("content", [b"{", b"3", b"\x00", b"[3]", b"{}", b'[\n"a",\n"b"\n'])
def test_other_json_is_none(content: bytes) -> None:
    """Not every JSON file is a memory."""
    assert json_memory.kind_of(content) == ""


@pytest.mark.parametrize("content", [b"{", b"3", b"\x00"])
def test_what_is_no_json_is_passed_over(content: bytes) -> None:
    """Where there is nothing to read, that is said."""
    assert json_memory.read({"m.json": content}, "mem0").passed == [Passed("m.json", "json")]
