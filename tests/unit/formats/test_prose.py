"""A short, undivided document becomes a note; everything else stays whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tacit.formats import found, native, prose
from tacit.formats.found import FoundDocument, FoundNote, Passed
from tacit.formats.prose import Manner
from tacit.note.model import Kind, Layer, Level, Note, Status, Strength

MANNER = Manner("serena")


def note(text: str, path: str = "x.md", manner: Manner = MANNER) -> FoundNote:
    """The note that a text becomes."""
    item = prose.read(path, text.encode(), manner)
    assert isinstance(item, FoundNote)
    return item


def document(content: bytes, path: str = "x.md") -> FoundDocument:
    """The document that a file becomes."""
    item = prose.read(path, content, MANNER)
    assert isinstance(item, FoundDocument)
    return item


def test_short_text_is_a_note() -> None:
    """O-02: title, moment and one-liner come from the text; the text itself is kept word for word."""
    made = note("# Releases\n\n- **Tag** on main. Then push.\n- Never on Friday\n", "release_notes.md").note

    assert (made.title, made.when_to_load) == ("Releases", ("Releases",))
    assert made.one_liner == "Tag on main."
    assert made.decision == "- **Tag** on main. Then push.\n- Never on Friday"
    assert (made.layer, made.strength, made.source) == (Layer.DECLARATIVE, Strength.HYPOTHESIS, "import")


def test_front_matter_says_what_the_note_is() -> None:
    """Keys of others name title, summary and kind, and are kept."""
    item = note("---\nname: CI rule\ndescription: Run it once: not twice #13\ntype: project\n---\n\nBody.\n")

    assert (item.note.title, item.note.one_liner) == ("CI rule", "Run it once: not twice #13")
    assert (item.note.kind, item.note.level) == (Kind.BUSINESS, Level.FACT)
    assert item.extra == {"name": "CI rule", "description": "Run it once: not twice #13", "type": "project"}


def test_keys_that_are_ours_are_kept_under_another_name() -> None:
    """What a source calls `status` is not our status."""
    item = note("---\nstatus: draft\ntags: [a, b]\nglobs:\n  - '*.ts'\n  - \"*.tsx\"\n---\nBody", manner=MANNER)

    assert item.extra == {"original_status": "draft", "globs": ["*.ts", "*.tsx"]}
    assert item.note.tags == ("a", "b")
    assert item.note.when_to_load == ("x", "*.ts, *.tsx")


@pytest.mark.parametrize(("word", "status"), [("Deprecated", Status.ARCHIVE), ("draft", Status.ACTIVE)])
def test_what_is_over_elsewhere_is_archived_here(word: str, status: Status) -> None:
    """O-02: a rule that its source calls deprecated is kept, and not recalled as if it held."""
    assert note(f"---\nstatus: {word}\n---\nUse tabs.").note.status is status


def test_tags_of_others() -> None:
    """Tags come as a list or with commas; those that no note can have are kept as they are."""
    assert note("---\ntags: a, b\n---\nBody").note.tags == ("a", "b")
    assert note(f"---\ntags: {'x' * 80}\n---\nBody").extra == {"original_tags": "x" * 80}


def test_rules_are_bound_to_files() -> None:
    """The files of a Cursor rule say when it matters."""
    rule = note("---\ndescription:\nglobs: src/**/*.ts\nalwaysApply: false\n---\nUse types.", "ts.mdc")

    assert rule.note.when_to_load == ("ts", "src/**/*.ts")
    assert rule.note.one_liner == "Use types."


def test_heading_that_is_not_the_title_is_kept() -> None:
    """No line is lost because two names were given."""
    assert note("---\ntitle: One\n---\n# Two\n\nBody").extra["heading"] == "Two"


def test_how_to_is_procedural() -> None:
    """Guides and checklists belong to L2."""
    assert note("Do this.", "release_checklist.md").note.layer is Layer.PROCEDURAL
    assert note("做这个。", "发布流程.md").note.layer is Layer.PROCEDURAL
    assert note("---\ntype: guide\n---\nDo this.").note.layer is Layer.PROCEDURAL


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\n## B\n\ntext\n",
        "```\nopen",
        "```\n" + "x\n" * 60 + "```\n",
        "long " * 1000,
        "# Only a heading\n",
        f"---\nname: {'x' * 5000}\n---\nBody",
    ],
    ids=["sections", "open fence", "long code", "long", "heading", "long keys"],
)
def test_other_shapes_stay_whole(text: str) -> None:
    """O-02: a document is not chopped."""
    item = document(text.encode(), "deep/x.md")

    assert (item.target, item.content) == ("details/serena/deep/x.md", text.encode())


def test_other_encodings_become_utf8() -> None:
    """A document that stays whole is kept as text that Tacit reads."""
    text = "# 甲\n\n## 乙\n\n数据库连接池大小为二十，不要改动。\n"

    assert document(text.encode("gb18030")).content == text.encode()


@pytest.mark.parametrize(("content", "reason"), [(b"\x00\x01", "binary"), (b" \r\n\t", "empty"), (b"", "empty")])
def test_nothing_to_take(content: bytes, reason: str) -> None:
    """What is no text, or says nothing, is passed over."""
    assert prose.read("x.md", content, MANNER) == Passed("x.md", reason)


@pytest.mark.parametrize(
    "front",
    ["a: 1\na: 2", "text: |\n  block", "- item", "a: b\n   odd: c", "a: {b: c}\nz: &x y"],
)
def test_front_matter_that_is_not_ordinary(front: str) -> None:
    """What the loose reading does not know is read as YAML, and what that refuses is text."""
    keys, body = prose.divided(f"---\n{front}\n---\nBody")

    assert keys == {"text": "block\n"} if "block" in front else body.endswith("Body")


def test_front_matter_read_loosely() -> None:
    """Comments are passed over, quotes taken off, lists of both kinds read."""
    keys, body = prose.divided('---\n# note\n\na: \'x\'\nb: "it\'s"\nc:\n- 1\nd: "x" or "y"\n---\n\nBody')

    assert keys == {"a": "x", "b": "it's", "c": ["1"], "d": '"x" or "y"'}
    assert body == "\nBody"
    assert prose.divided("---\nnot closed") == ({}, "---\nnot closed")


def test_nested_values_become_text() -> None:
    """A value that no key of a note can hold is kept as JSON."""
    assert prose.divided("---\na:\n  b: c\n---\n")[0] == {"a": '{"b": "c"}'}


def test_names_that_every_disk_can_hold() -> None:
    """A path is made portable, and ends as a document does."""
    assert prose.portable("a:b/c?.mdc") == "a-b/c-.md"
    assert prose.portable(".cursorrules") == "cursorrules.md"
    assert prose.portable("../x.yaml") == "_/x.md"


def test_words_of_a_name() -> None:
    """A file's name is a title if there is no other."""
    assert prose.stem_of("a/code_style-guide.md") == "code style guide"
    assert prose.stem_of(".cursorrules") == "cursorrules"
    assert prose.stem_of("_.md") == "_.md"


def test_first_sentence_without_letters() -> None:
    """Where no line says anything the text stands for itself."""
    assert prose.first_sentence("---\n***") == "--- ***"
    assert prose.first_sentence("[Docs](https://x.y) are here。第二句") == "Docs are here。"


def test_a_note_is_composed_with_its_keys_and_sections() -> None:
    """Other keys and sections are read back from the file, and keys no YAML holds get another name."""
    made = note("Body.").note
    content = found.compose(native.parse(native.compose(_named(made))).note, {"a b:c": "1", "l": ["x"]}, "## More\n\nt")
    document = native.parse(content)

    assert found.split(document) == ({"a_b_c": "1", "l": ["x"]}, "## More\n\nt")
    assert found.compose(_named(made), {}) == native.compose(_named(made))


def test_a_line_that_only_begins_with_dashes_closes_nothing() -> None:
    """The keys of a note are split off where its front matter ends, and not at dashes inside a value."""
    lines = native.compose(_named(note("Body.").note)).replace(b"---\n\n", b"more: [a,\n---b, c]\n---\n\n", 1)

    assert found.split(native.parse(lines)) == ({"more": ["a", "---b", "c"]}, "")


def _named(made: Note) -> Note:
    return replace(made, id="MEM-1")
