"""A layered memory's YAML becomes notes, and notes its YAML."""

from __future__ import annotations

import json

import pytest

from tacit.formats import layered
from tacit.formats.episode import Episode
from tacit.formats.found import Found, FoundDocument, Passed
from tacit.note.model import Kind, Layer, Note, Origin, Status


def read(files: dict[str, str | bytes]) -> Found:
    """What a memory of these files holds."""
    return layered.read(
        {path: each if isinstance(each, bytes) else each.encode() for path, each in files.items()}, "layered"
    )


def test_yaml_is_a_note() -> None:
    """O-01: fields under our names or those of others, the summary from the list of the layer, the rest as keys."""
    found = read(
        {
            "L2_procedural/deploy.yaml": (
                "id: deploy\nname: Deploys\ntype: pattern\ntags: [a, b]\nconfidence: 0.9\n"
                "when:\n  - Releasing\ncontent: |\n  Tag it.\n  Push it.\nsteps:\n  - run: make\n"
            ),
            "L2_procedural/index.json": json.dumps({"memories": [{"id": "deploy", "summary": "Tag, then push"}]}),
        }
    )
    (item,) = found.notes
    note = item.note

    assert (note.title, note.kind, note.layer, note.tags) == ("Deploys", Kind.PATTERN, Layer.PROCEDURAL, ("a", "b"))
    assert (note.when_to_load, note.one_liner) == (("Releasing",), "Tag, then push")
    assert note.decision == "Tag it.\nPush it.\n"
    assert item.extra == {"original_id": "deploy", "confidence": "0.9", "steps": '[{"run": "make"}]'}
    assert found.passed == [Passed("L2_procedural/index.json", "derived")]


def test_summaries_are_found_however_they_are_listed() -> None:
    """The list may go by id or by file, nested or not; what is no JSON is passed over."""
    found = read(
        {
            "L1_declarative/a.yaml": "title: A\nsummary: own\n",
            "L1_declarative/b.yml": "fact: It is so. Really.\n",
            "L1_declarative/c.yaml": "title: C\nwhen_to_load: one\n",
            "L1_declarative/index.json": json.dumps(
                {"x": [{"file": "L1/a.yaml", "summary": "listed"}, 1], "c": {"summary": "see"}}
            ),
            "L3_episodic/index.json": "{",
        }
    )

    assert [each.note.one_liner for each in found.notes] == ["own", "It is so.", "see"]
    assert found.notes[0].extra == {"index_summary": "listed"}
    assert found.notes[1].note.title == "b"
    assert found.notes[2].note.when_to_load == ("one",)


def test_values_that_are_not_ours() -> None:
    """What is no legal value is kept under another name, and nothing claims to be confirmed."""
    (item,) = read({"L1_declarative/a.yaml": "kind: wish\ndecision: [a]\nconfirmed: yes\nstatus:\n"}).notes

    assert item.extra == {"original_kind": "wish", "original_decision": ["a"]}
    assert item.note.confirmed == ""


def test_what_is_over_elsewhere_is_archived_here() -> None:
    """O-01: a memory that its source calls superseded is kept, and not recalled as if it held."""
    (item,) = read({"L1_declarative/a.yaml": "title: A\nstatus: superseded\n"}).notes
    assert (item.note.status, item.extra) == (Status.ARCHIVE, {"original_status": "superseded"})


@pytest.mark.parametrize(
    "text",
    [
        "- a list\n",
        "decision: |\n  # A heading\n",
        "decision: |\n  ```\n  open\n",
        "a: &x 1\nb: *x\n",
        "a: [\n",
        "1: {[a]: b}\n",
        f"a: {'[' * 50}{']' * 50}\n",
        'a: "\\UFFFFFFFF"\n',
    ],
    ids=["list", "heading", "fence", "alias", "broken", "odd key", "deep", "no character"],
)
def test_other_yaml_stays_whole(text: str) -> None:
    """O-02: what does not fit a note is kept as a document, every line of it."""
    (item,) = read({"L1_declarative/a.yaml": text}).documents

    assert item.target == "details/layered/L1_declarative/a.md"
    assert text.rstrip() in item.content.decode()


def test_fence_is_longer_than_those_inside() -> None:
    """A document in a fence may hold fences."""
    (item,) = read({"L1_declarative/a.yaml": "- |\n  ````\n  x\n  ````\n"}).documents

    assert "`````yaml" in item.content.decode()


def test_core_and_other_files() -> None:
    """Core documents keep their layer, Markdown is read as such, and what is not memory stays behind."""
    found = read(
        {
            "L0_core/identity.yaml": "name: x\n",
            "L0_core/values.md": "# Values\n",
            "L1_declarative/plain.md": "Just text.",
            "L3_episodic/old.yaml": "title: Old\n",
            "L4_working/t.json": "{}",
            "staging/x.yaml": "a: b",
            ".trash/x.yaml": "a: b",
            "memory.lock": "ON",
            "L1_declarative/empty.yaml": "\n",
            "L1_declarative/b.png": b"\x00",
        }
    )

    assert [each.target for each in found.documents] == [
        "L0_core/identity.md",
        "L0_core/values.md",
        "details/layered/L3_episodic/old.md",
    ]
    assert found.documents[0].content == b"# identity\n\n```yaml\nname: x\n```\n"
    assert [each.note.title for each in found.notes] == ["plain"]
    assert {each.path: each.reason for each in found.passed} == {
        "L4_working/t.json": "working",
        "staging/x.yaml": "staging",
        ".trash/x.yaml": "trash",
        "memory.lock": "state",
        "L1_declarative/empty.yaml": "empty",
        "L1_declarative/b.png": "binary",
    }


def test_written_notes_are_read_back() -> None:
    """O-01: writing, reading and writing again gives the same bytes, and the same notes."""
    note = Note(
        id="MEM-a",
        title="no: yes",
        layer=Layer.PROCEDURAL,
        tags=("12", "no"),
        when_to_load=("one", "two"),
        one_liner="- do it",
        decision="  indented\n\ttab \n\nend",
        evidence="> quote",
        origin=Origin.IMPORT,
    )
    small = Note(id="MEM-b", title="b", when_to_load=("x",), one_liner="y", origin=Origin.IMPORT)
    episode = Episode(id="EP-1", title="Task", summary="Done", started="2026-01-01", body="# Task\n\ntext\n")
    files = layered.write(
        [(note, {"owner": "me"}, "## More\n\ntext"), (small, {}, "")], {"me.md": b"# Me\n"}, [episode]
    )

    found = layered.read(files, "layered")
    notes = [(each.note, each.extra, each.tail) for each in found.notes]

    assert {each.note.id: each.note for each in found.notes} == {"MEM-a": note, "MEM-b": small}
    assert layered.write(notes, {"me.md": b"# Me\n"}, [episode]) == files
    assert FoundDocument("L0_core/me.md", "L0_core/me.md", b"# Me\n") in found.documents
    assert [each.target for each in found.documents if "EP-" in each.target] == ["L3_episodic/EP-1.md"]


def test_episode_without_a_title() -> None:
    """An episode is named by its id if it has no other name."""
    (item,) = read({"L3_episodic/EP-1.yaml": "id: EP-1\n"}).documents

    assert b"title: EP-1" in item.content
