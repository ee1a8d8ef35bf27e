"""Fuzz targets for what comes from other programs: foreign memories, manifests, transcripts, documents of a project."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.capture import recognise as recognition
from tacit.capture import remark, transcript
from tacit.entry import blocks, claims
from tacit.errors import MarkersBroken, TacitError
from tacit.formats import decoding, native, recognise
from tacit.formats.found import composed
from tacit.project import locks, manifests
from tests.fuzz.note_targets import NOTE, NOTE_WORDS
from tests.fuzz.target import Target, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.formats.found import Found

# A folder as one text: each file behind a line with its path.
_FILE_LINE = re.compile(rb"^=== ([^\n]{1,200})\n", re.MULTILINE)


def _folder(given: bytes) -> dict[str, bytes]:
    _, *pairs = _FILE_LINE.split(given)
    named = {text_of(name): content for name, content in zip(pairs[::2], pairs[1::2], strict=True)}
    # What a walk over a folder can give: no empty names, none that leads upwards, no NUL.
    odd = {"", ".", ".."}
    return {name: each for name, each in named.items() if "\0" not in name and not odd & set(name.split("/"))}


def _kept(found: Found) -> None:
    """Every note found is refused or reads back as one; every document has a place inside of the bank."""
    for item in found.notes:
        note = replace(item.note, id=item.note.id or "MEM-fuzz", file="L1_declarative/MEM-fuzz.md")
        with suppress(TacitError):
            native.parse(composed(item, note, "fuzz"), note.file)
    for document in found.documents:
        assert not document.target.startswith("/"), document.target
        assert not {"", ".", ".."} & set(document.target.split("/")), document.target
        assert "\0" not in document.target


def _reading(name: str) -> Callable[[bytes], None]:
    def run(given: bytes) -> None:
        _kept(recognise.READERS[name](_folder(given), "source"))

    return run


def _recognise(given: bytes) -> None:
    files = _folder(given)
    for part in recognise.parts([*files], "project/memory", files.__getitem__):
        _kept(recognise.read(part, files, "source"))


def _decoding(given: bytes) -> None:
    text = decoding.decode(given)
    if text is not None:
        assert "\r" not in text
        assert decoding.decode(text.encode("utf-8", "surrogatepass")) is not None or "\ufeff" in text
    if decoding.is_utf8(given):
        given.decode()


def _transcript(given: bytes) -> None:
    found = transcript.read(text_of(given))
    for each in recognition.candidates(found.turns):
        each.payload()
    for turn in found.turns[:3]:
        if turn.strip():
            remark.payload(turn)


def _blocks(given: bytes) -> None:
    """A document comes back byte for byte; a repair leaves no marker that stands alone."""
    text = text_of(given)
    blocks.parse(blocks.without_markers(text), "MEMORY.md")
    try:
        document = blocks.parse(text, "MEMORY.md")
    except MarkersBroken:
        return
    assert document.render() == text
    for part in document.parts:
        assert part.version >= 0
        assert part.is_changed in (True, False)
    new = blocks.machine_block("fuzz", "text\n", version=2)
    again = blocks.parse(document.with_block(new).render(), "MEMORY.md").machine("fuzz")
    assert again is not None
    assert again.text == "text\n"


def _manifests(given: bytes) -> None:
    text = text_of(given)
    for name in (*_MANIFESTS, *locks.TOOLS):
        manifests.parse(name, text)
        locks.parse(name, text)


def _claims(given: bytes) -> None:
    claims.of(text_of(given), ["python", "node", "react"])


_MANIFESTS = (
    *("package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml", "build.gradle"),
    *("Makefile", "justfile", "Taskfile.yml", "docker-compose.yml", "Dockerfile", "Gemfile", "Rakefile"),
    *("composer.json", "tox.ini", "noxfile.py", "deno.json", "x.csproj", "mix.exs", ".nvmrc", ".tool-versions"),
)
_LINGXI = """=== INDEX.md
| Id | Kind | Title |
| --- | --- | --- |
| MEM-a | decision | t |
=== notes/MEM-a.md
# Use uv

## Meta

- **Id**: MEM-a
- **Kind**: decision
- **Tags**: a, b
- odd line

## When to load

- adding a package

## One-liner (for injection)

Use uv.

## Context / Decision

- **Decision**: uv
- **Signals**: fast
"""
_LAYERED = """=== L1_declarative/MEM-a.yaml
id: MEM-a
title: Use uv
summary: Use uv.
content: |
  uv add
tags: [a]
=== L1_declarative/index.json
{"memories": [{"id": "MEM-a", "summary": "s", "file": "MEM-a.yaml"}]}
=== L0_core/who.yaml
name: x
=== L3_episodic/e.yaml
id: EP-1
title: done
content: x
"""
_BANK = f"=== MEMORY.md\n# Project\n=== details/design/a.md\n# A\n=== details/notes/L1_declarative/MEM-fuzz.md\n{NOTE}"
_GRAPH = """=== memory.json
{"type": "entity", "name": "uv", "entityType": "tool", "observations": ["fast", "locked"]}
{"type": "relation", "from": "uv", "to": "pip", "relationType": "replaces"}
"""
_MEM0 = """=== memories.json
{"results": [{"id": "1", "memory": "Uses uv", "metadata": {"a": 1}}, "plain words"]}
"""
_PROSE = """=== a.md
---
title: Use uv
description: use uv: never pip #1
tags: [a]
---
Use **uv**. Never [pip](x).
=== .cursor/rules/b.mdc
---
globs: "*.py"
alwaysApply: true
---
- one
=== deep/README.md
# Read me
"""
_TACIT = (
    f"=== tacit.toml\nformat = 1\n=== L1_declarative/MEM-fuzz.md\n{NOTE}=== L3_episodic/EP-1.md\n---\nid: EP-1\n---\n"
)
_FOLDER_WORDS = (
    *("=== a.md\n", "=== L1_declarative/b.yaml\n", "=== INDEX.md\n", "=== notes/c.md\n", "=== memory.json\n"),
    *("=== L1_declarative/index.json\n", "=== details/x.md\n", "=== MEMORY.md\n", "=== projectbrief.md\n"),
    *('"observations": [', '"name": "', '"entities": [', '"relations": 5', '"from": ', '"memory": ', '"\\ud800"'),
    *("- **Id**: ", "- **Meta**: x\n", "## Meta\n", "summary: ", "content: ", "permalink: x\n"),
)
_CLAUDE = b"""{"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "From now on: uv."}]}}
{"type": "assistant", "message": {"role": "assistant", "content": "ok"}}
{"type": "event_msg", "payload": {"type": "user_message", "message": "Never use pip."}}
"""
_TALK_WORDS = (
    *("type", "user", "message", "role", "content", "text", "parts", "payload", "event_msg", "user_message", "info"),
    *("messages", "turns", "history", "isMeta", "sender", "human", "User: ", "Assistant: ", "> ", "⏺ ", "## Human"),
    *("<user_query>", "</user_query>", "<system-reminder>", "always use ", "never ", "from now on ", "以后都用"),
)
_ENTRY = b"""# Project

<!-- MACHINE_BLOCK_START name=facts version=1 hash=0123456789abcdef -->
facts
<!-- MACHINE_BLOCK_END -->

<!-- USER_BLOCK_START name=own -->
mine
<!-- USER_BLOCK_END -->
"""
_BLOCK_WORDS = (
    *("<!-- MACHINE_BLOCK_START name=a version=1 hash=x -->\n", "<!-- MACHINE_BLOCK_END -->\n", "-->", "<!--"),
    *("<!-- USER_BLOCK_START name=b -->\n", "<!-- USER_BLOCK_END -->\n", "version=", "kept=", "name=", "hash="),
)
_DOCUMENT = b"""Run `make test` with Python 3.11, see `src/app.py` and [guide](docs/guide.md).

```sh
$ API_KEY=1 npm run build && uv sync
```

| DATABASE_URL | where |
`Main.run()` in `src/main.py`, `snake_case`, React 18 or newer.
"""
_PACKAGE = b'{"name": "x", "scripts": {"test": "a"}, "dependencies": {"a": "^1"}, "engines": {"node": ">=18"}}'
_PROJECT = (
    b'[project]\nname = "x"\nrequires-python = ">=3.11"\ndependencies = ["a>=1"]\n[tool.poetry.scripts]\na = "b"\n'
)

TARGETS = (
    Target("import-lingxi", _reading("lingxi"), (_LINGXI.encode(),), _FOLDER_WORDS),
    Target("import-layered", _reading("layered"), (_LAYERED.encode(),), _FOLDER_WORDS),
    Target("import-memory-bank", _reading("memory-bank"), (_BANK.encode(),), (*_FOLDER_WORDS, *NOTE_WORDS)),
    Target("import-graph", _reading("mcp-memory"), (_GRAPH.encode(),), _FOLDER_WORDS),
    Target("import-mem0", _reading("mem0"), (_MEM0.encode(), _GRAPH.encode()), _FOLDER_WORDS),
    Target("import-prose", _reading("markdown"), (_PROSE.encode(),), (*_FOLDER_WORDS, *NOTE_WORDS)),
    Target("import-rules", _reading("cursor-rules"), (_PROSE.encode(),), (*_FOLDER_WORDS, *NOTE_WORDS)),
    Target("import-tacit", _reading("tacit"), (_TACIT.encode(),), (*_FOLDER_WORDS, *NOTE_WORDS)),
    Target(
        "import-any",
        _recognise,
        tuple(each.encode() for each in (_LINGXI, _LAYERED, _BANK, _GRAPH, _MEM0, _PROSE, _TACIT)),
        _FOLDER_WORDS,
    ),
    Target("decoding", _decoding, ("记忆".encode("gb18030"), "記憶".encode("cp932"), "a\r\nb".encode("utf-16")), ()),
    Target(
        "transcript",
        _transcript,
        (_CLAUDE, b"User: never use pip\nAssistant: ok\n", "> 以后都用 uv\n  对\n⏺ ok\n".encode()),
        _TALK_WORDS,
        is_json=True,
    ),
    Target("entry-blocks", _blocks, (_ENTRY,), _BLOCK_WORDS),
    Target(
        "entry-claims", _claims, (_DOCUMENT,), ("`", "](", "npm run ", "python ", "3.11", "A_B=", "```sh\n", "<!--")
    ),
    Target(
        "manifests",
        _manifests,
        (
            _PACKAGE,
            _PROJECT,
            b"<project><properties><a>1</a></properties></project>",
            b"test: a\n\tx\n",
            b"\n" * 16_000 + b"(- ::",
        ),
        ("dependencies", "scripts", "version", "packages", "[project]\n", "<a>", "FROM ", "module ", "services:\n"),
        is_json=True,
    ),
)
