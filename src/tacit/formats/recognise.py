"""Which foreign memories lie in a folder, by names first and content where names do not tell; and reading each."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.formats import json_memory, layered, lingxi, memory_bank, prose, tacit_bank
from tacit.formats.decoding import decode
from tacit.formats.found import Found
from tacit.note.model import Kind, Strength

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Reader = Callable[[Mapping[str, bytes], str], Found]

CLINE, CLAUDE, SERENA, PLAIN, BASIC = "cline", "claude-memory", "serena", "markdown", "basic-memory"
AGENTS, CURSOR, COPILOT, RULES = "agents", "cursor-rules", "copilot", "rules"

_TEXT = (".md", ".mdc", ".markdown", ".mdx", ".txt")
_JSON = (".json", ".jsonl", ".ndjson")
_LAYERED = re.compile(r"L[0-4]_[a-z]+/(?:.*\.ya?ml|index\.json)")
_NATIVE = re.compile(r"L[12]_(?:declarative|procedural)/[^/]+\.md")
_AGENTS = re.compile(r"(?:.*/)?(?:agents?|claude|gemini|qwen)(?:\.local|\.override)?\.md")
_CURSOR = re.compile(r".*\.mdc|(?:.*/)?\.cursorrules|(?:.*/)?\.cursor/rules/.*\.md")
_COPILOT = re.compile(r"(?:.*/)?\.github/copilot-instructions\.md|.*\.instructions\.md")
_RULES = re.compile(
    r"(?:.*/)?(?:\.clinerules|\.windsurfrules|\.roorules)(?:/.*)?|(?:.*/)?\.(?:windsurf|roo|clinerules)/rules.*"
)
_PERMALINK = re.compile(r"\A\ufeff?---\s*\n(?:.*\n)*?permalink\s*:", re.MULTILINE)
_MEMORY_NAMES = frozenset({"memory", ".memory", "memories", "memory-bank", "memory_bank"})
_PRIVATE = {tacit_bank.NAME: tacit_bank.PRIVATE}
# Files that lead to others: they stay whole, however short.
_ENTRIES = frozenset({"memory.md", "readme.md", "index.md"})


def _documents(manner: prose.Manner, name: str) -> Reader:
    def read(files: Mapping[str, bytes], folder: str) -> Found:
        found = Found(name)
        own = replace(manner, folder=folder) if name == PLAIN else manner
        for path in sorted(files):
            text = decode(files[path])
            if text and text.strip() and path.rpartition("/")[2].casefold() in _ENTRIES:
                found.add(prose.whole(path, files[path], text, own.folder))
            else:
                found.add(prose.read(path, files[path], own))
        return found

    return read


def _rules(name: str) -> Reader:
    return _documents(prose.Manner(name, Strength.VALIDATED, Kind.PRINCIPLE), name)


def _notes(name: str) -> Reader:
    return _documents(prose.Manner(name), name)


# Format → how it is read; the names are what `--format` takes.
READERS: dict[str, Reader] = {
    tacit_bank.NAME: tacit_bank.read,
    lingxi.NAME: lingxi.read,
    layered.NAME: layered.read,
    memory_bank.NAME: memory_bank.read,
    CLINE: memory_bank.read,
    CLAUDE: _notes(CLAUDE),
    SERENA: _notes(SERENA),
    BASIC: _notes(BASIC),
    AGENTS: _rules(AGENTS),
    CURSOR: _rules(CURSOR),
    COPILOT: _rules(COPILOT),
    RULES: _rules(RULES),
    json_memory.GRAPH: json_memory.read,
    json_memory.MEM0: json_memory.read,
    PLAIN: _notes(PLAIN),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One foreign memory in a source: its format, the folder it begins at, and its files, relative to the source."""

    format: str
    root: str
    files: tuple[str, ...]


def parts(files: Sequence[str], lead: str, content: Callable[[str], bytes]) -> list[Part]:
    """Return the memories among the files of a source; `lead` are the last names of the path to it.

    Whole folders are told first, the outermost winning, then single files; Markdown as such counts only where nothing
    else is found.
    """
    found: list[Part] = []
    left = sorted(files)
    for folder in _folders(left):
        inside = {file: file.removeprefix(folder) for file in left if file.startswith(folder)}
        name = _folder_format(list(inside.values()), f"{lead}/{folder}".rstrip("/"))
        if name:
            # What is private to a machine is not even opened.
            own = [file for file, short in inside.items() if not short.startswith(_PRIVATE.get(name, ()))]
            found.append(Part(name, folder, tuple(own)))
            left = [file for file in left if file not in inside]
    few = len(files) == 1 or not any(file.lower().endswith(_TEXT) for file in files)
    alone: dict[str, list[str]] = {}
    for file in left:
        if name := _file_format(file, lead, content, any_json=few):
            alone.setdefault(name, []).append(file)
    found += [Part(name, "", tuple(several)) for name, several in alone.items()]
    if not found:
        texts = tuple(file for file in left if file.lower().endswith(_TEXT))
        found = [Part(PLAIN, "", texts)] if texts else []
    return found


def read(part: Part, files: Mapping[str, bytes], name: str) -> Found:
    """Return what a part holds, its paths relative to the source; `name` is that of the source."""
    inside = {file.removeprefix(part.root): files[file] for file in part.files if file in files}
    found = READERS[part.format](inside, name if part.format == PLAIN else part.format)
    found.format = part.format
    found.notes = [replace(each, path=f"{part.root}{each.path}") for each in found.notes]
    found.documents = [replace(each, path=f"{part.root}{each.path}") for each in found.documents]
    found.passed = [replace(each, path=f"{part.root}{each.path}") for each in found.passed]
    return found


def _folders(files: Sequence[str]) -> list[str]:
    """Return every folder with a file in it or below it, the outermost first, each with a / at its end."""
    found = {""}
    for file in files:
        steps = file.split("/")[:-1]
        found |= {"/".join(steps[:count]) + "/" for count in range(1, len(steps) + 1)}
    return sorted(found, key=lambda folder: (folder.count("/"), folder))


def _folder_format(inside: list[str], place: str) -> str:
    """Return the format of the memory that a folder is as a whole; empty if it is none."""
    name = place.rpartition("/")[2]
    if "tacit.toml" in inside or any(_NATIVE.fullmatch(file) for file in inside):
        return tacit_bank.NAME
    if any(_LAYERED.fullmatch(file) for file in inside):
        return layered.NAME
    if place.endswith(".lingxi/memory") or ("INDEX.md" in inside and any(f.startswith("notes/") for f in inside)):
        return lingxi.NAME
    if place.endswith(".serena/memories"):
        return SERENA
    stated = sum(file.lower() in memory_bank.STATED for file in inside)
    is_entered = memory_bank.ENTRY in inside
    if is_entered and any(file.startswith("details/") for file in inside):
        return memory_bank.NAME
    if stated > 1 or (name in _MEMORY_NAMES and (stated or memory_bank.is_oldest(inside))):
        return CLINE if stated and not is_entered else memory_bank.NAME
    return CLAUDE if is_entered and name in _MEMORY_NAMES else ""


def _file_format(file: str, lead: str, content: Callable[[str], bytes], *, any_json: bool) -> str:
    """Return the format of a file that is a memory by itself; empty if it is none."""
    place = f"{lead}/{file}".lower()
    for name, pattern in ((AGENTS, _AGENTS), (CURSOR, _CURSOR), (COPILOT, _COPILOT), (RULES, _RULES)):
        if pattern.fullmatch(place):
            return name
    base = file.rpartition("/")[2].lower()
    if base.endswith(_JSON) and (any_json or "mem" in base):
        return json_memory.kind_of(content(file))
    if base.endswith(".md") and _PERMALINK.match((decode(content(file)[:4096]) or "")[:2000]):
        return BASIC
    return ""
