"""Which memory it is, by the names of its files."""

from __future__ import annotations

import pytest

from tacit.formats import recognise
from tacit.formats.recognise import Part

JSON = b'[{"memory": "x"}]'
BASIC = b"---\ntitle: A\ntype: note\npermalink: a\n---\n\n- [fact] x\n"


def formats(files: list[str], lead: str = "home/project", content: bytes = b"") -> list[tuple[str, str]]:
    """The formats among these files, with the folders they begin at."""
    return [(part.format, part.root) for part in recognise.parts(files, lead, lambda _: content)]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([".memory/tacit.toml", ".memory/INDEX.md"], [("tacit", ".memory/")]),
        (["L1_declarative/MEM-1.md"], [("tacit", "")]),
        ([".memory/L0_core/a.yaml"], [("layered", ".memory/")]),
        (["L2_procedural/index.json"], [("layered", "")]),
        ([".cursor/.lingxi/memory/notes/MEM-1.md"], [("lingxi", ".cursor/.lingxi/memory/")]),
        (["INDEX.md", "notes/MEM-1.md"], [("lingxi", "")]),
        ([".serena/memories/a.md", ".serena/project.yml"], [("serena", ".serena/memories/")]),
        (["memory-bank/MEMORY.md", "memory-bank/details/tech.md"], [("memory-bank", "memory-bank/")]),
        (["memory-bank/brief.md"], [("memory-bank", "memory-bank/")]),
        (["memory-bank/projectbrief.md"], [("cline", "memory-bank/")]),
        (["docs/projectBrief.md", "docs/progress.md"], [("cline", "docs/")]),
        (["memory-bank/MEMORY.md", "memory-bank/progress.md"], [("memory-bank", "memory-bank/")]),
        ([".claude/memory/MEMORY.md", ".claude/memory/a.md"], [("claude-memory", ".claude/memory/")]),
        (["AGENTS.md", "sub/CLAUDE.md", "src/a.py"], [("agents", "")]),
        ([".cursor/rules/a.mdc", ".cursorrules"], [("cursor-rules", "")]),
        ([".github/copilot-instructions.md"], [("copilot", "")]),
        ([".clinerules/a.md", ".windsurfrules"], [("rules", "")]),
        (["notes/a.md", "b.txt"], [("markdown", "")]),
        (["NOTES.MD", "b.TXT"], [("markdown", "")]),
        (["rules/A.MDC", "b.MD"], [("cursor-rules", "")]),
        (["src/a.py"], []),
    ],
    ids=lambda value: " ".join(value) if value and isinstance(value[0], str) else "",
)
def test_memories_are_told_by_their_names(files: list[str], expected: list[tuple[str, str]]) -> None:
    """O-02: nobody has to name the format."""
    assert formats(files) == expected


def test_the_way_to_a_folder_tells_too() -> None:
    """The folder of a memory may be given itself."""
    assert formats(["a.md"], "project/.serena/memories") == [("serena", "")]
    assert formats(["MEMORY.md", "a.md"], "me/project/.memory") == [("claude-memory", "")]


def test_content_tells_where_names_do_not() -> None:
    """JSON and basic-memory notes are known by what they say."""
    assert formats(["a.json"], content=JSON) == [("mem0", "")]
    assert formats(["a.md", "memory.json"], content=JSON) == [("mem0", "")]
    assert formats(["a.md", "package.json"], content=JSON) == [("markdown", "")]
    assert formats(["A.MD", "package.json"], content=JSON) == [("markdown", "")]
    assert formats(["a.md"], content=BASIC) == [("basic-memory", "")]


def test_several_memories_in_one_project() -> None:
    """A project may hold more than one; what is left over is not taken for memory."""
    assert formats(["AGENTS.md", ".serena/memories/a.md", "README.md"]) == [
        ("serena", ".serena/memories/"),
        ("agents", ""),
    ]


def test_parts_are_read_with_their_paths() -> None:
    """What is found says where it was, relative to the source."""
    files = {
        ".serena/memories/a.md": b"One.",
        ".serena/memories/b.md": b"# A\n\n## B\n\nc",
        ".serena/memories/c.md": b"",
    }
    found = recognise.read(Part("serena", ".serena/memories/", (*files, "gone.md")), files, "project")

    assert [each.path for each in found.notes] == [".serena/memories/a.md"]
    assert [each.target for each in found.documents] == ["details/serena/b.md"]
    assert [each.path for each in found.passed] == [".serena/memories/c.md"]


def test_entries_stay_whole() -> None:
    """What leads to other files is no note, and a plain folder keeps its name."""
    found = recognise.read(
        Part("markdown", "", ("README.md", "a.md")), {"README.md": b"- [a](a.md)", "a.md": b"x"}, "wiki"
    )

    assert [each.target for each in found.documents] == ["details/wiki/README.md"]


def test_endings_are_told_in_any_case() -> None:
    """O-02: a file whose ending is written in capitals is not dropped."""
    (part,) = recognise.parts(["a.md", "B.MD", "c.Txt"], "home/wiki", lambda _: b"")
    assert part.files == ("B.MD", "a.md", "c.Txt")
