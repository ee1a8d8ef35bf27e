"""The plugin folders and skills: current, and of the shape that hosts demand."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from scripts import make_plugin
from tacit.entry.context import PROTOCOL
from tacit.hosts import shipped
from tacit.note.model import Kind

ROOT = Path(__file__).parents[2]
WANTED = ["extract", "init", "memory-bank-refresh", "memory-govern", "memory-retrieve", "remember", "taste-recognition"]
# The closed set of the Agent Skills format: a strict client skips a skill with any other key.
SKILL_KEYS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
CHINESE = re.compile(r"[\u4e00-\u9fff]")
MOST_SKILL_CHARS = 4_000
MOST_README_WORDS = 40


def front(text: str) -> dict[str, object]:
    """Return the front matter of a Markdown file as YAML reads it."""
    head = text.removeprefix("---\n").partition("\n---\n")[0]
    members: dict[str, object] = yaml.safe_load(head)
    return members


@pytest.mark.parametrize("name", sorted(make_plugin.pages()))
def test_plugin_folder_is_current(name: str) -> None:
    """W-01: the folders hold what the package ships; `python scripts/make_plugin.py` makes it so."""
    assert (ROOT / name).read_text(encoding="utf-8") == make_plugin.pages()[name]


def test_plugin_folder_holds_nothing_else() -> None:
    """No file lies in the folders that is not made."""
    assert make_plugin.stray(make_plugin.pages()) == []


def test_every_skill_is_shipped() -> None:
    """W-03: the seven skills are there, and the commands are among them."""
    assert list(shipped.skill_names()) == WANTED
    assert set(shipped.COMMANDS) < set(WANTED)


@pytest.mark.parametrize("name", WANTED)
def test_skill_is_valid_and_short(name: str) -> None:
    """W-03: a skill is valid in the Agent Skills format, has triggers in both languages, and is soon read."""
    text = shipped.text(f"skills/{name}/SKILL.md")
    head = front(text)
    assert set(head) <= SKILL_KEYS
    assert head["name"] == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 64
    description = str(head["description"])
    assert 0 < len(description) <= 1024
    assert "Use it" in description
    assert CHINESE.search(description)
    assert len(text) <= MOST_SKILL_CHARS


@pytest.mark.parametrize("name", WANTED)
def test_skill_yields_to_an_injected_protocol(name: str) -> None:
    """W-03: a skill says of which protocol it is, and that an injected one wins."""
    text = shipped.text(f"skills/{name}/SKILL.md")
    assert front(text)["metadata"] == {"protocol_version": PROTOCOL}
    assert "the protocol wins" in text


def test_recognition_names_every_kind_and_a_legal_payload() -> None:
    """W-03: the skill lists the nine kinds, and the payload that it shows is one that Tacit takes."""
    from tacit.note.payload import parse

    text = shipped.text("skills/taste-recognition/SKILL.md")
    assert re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE) == [str(kind) for kind in Kind]
    shown = re.search(r"```json\n(.*?)\n```", text, flags=re.DOTALL)
    assert shown is not None
    payload = json.loads(shown[1])
    assert parse(payload).kind is Kind.DECISION
    said = payload["origin"]["text"]
    assert all(0 <= span["start"] < span["end"] <= len(said) for span in payload["origin"]["spans"])


def test_only_tools_that_exist_are_named() -> None:
    """What skills, agents and the rule call a tool or a command exists."""
    from scripts import make_reference

    texts = [shipped.text(f"skills/{name}/SKILL.md") for name in WANTED]
    texts += [shipped.text(f"agents/{name}.md") for name in shipped.AGENTS]
    texts.append(shipped.text("rules/tacit.md"))
    commands = {path.split()[1] for path, _ in make_reference.commands() if " " in path}
    named = {word for text in texts for word in re.findall(r"`tacit ([a-z]+)", text)}
    assert named - commands == set()


@pytest.mark.parametrize("name", shipped.AGENTS)
def test_agent_is_valid(name: str) -> None:
    """W-03: an agent has a name and a description with triggers in both languages."""
    head = front(shipped.text(f"agents/{name}.md"))
    assert set(head) == {"name", "description"}
    assert head["name"] == name
    assert CHINESE.search(str(head["description"]))


@pytest.mark.parametrize("name", shipped.COMMANDS)
def test_command_is_valid_in_both_forms(name: str) -> None:
    """W-03: a command hands what is typed to its skill."""
    toml = tomllib.loads(shipped.command(name, name, "toml"))
    assert set(toml) == {"description", "prompt"}
    assert f"`{name}`" in toml["prompt"]
    assert "{{args}}" in toml["prompt"]
    markdown = shipped.command(name, name, "md")
    assert front(markdown)["description"] == toml["description"]
    assert "$ARGUMENTS" in markdown


def test_plugin_hooks_have_no_time_limits_and_codex_gets_its_own_names() -> None:
    """Hosts disagree on the unit of a time limit; Codex drops what it does not know; Cursor calls the file invalid."""
    pages = make_plugin.pages()
    for name in ("hooks", "codex-hooks", "cursor-hooks"):
        assert "imeout" not in pages[f"plugin/hooks/{name}.json"]
    codex = json.loads(pages["plugin/hooks/codex-hooks.json"])["hooks"]
    assert set(codex) == {"SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop"}
    cursor = json.loads(pages["plugin/hooks/cursor-hooks.json"])["hooks"]
    assert set(cursor) == {"sessionStart", "beforeSubmitPrompt", "postToolUse", "preCompact"}
    assert "plugin/plugin.json" not in pages, "with it, three hosts would pass over the hooks"


def test_plugin_is_described() -> None:
    """The directory of Claude Code wants a description of some length."""
    assert len(make_plugin.pages()["plugin/README.md"].split()) >= MOST_README_WORDS


def test_the_agent_recalls_before_it_asks() -> None:
    """C-03: at a decision a note that covers it is followed; otherwise the answer becomes a payload of its own."""
    skill = (ROOT / "plugin/skills/memory-retrieve/SKILL.md").read_text(encoding="utf-8")
    assert "recall the choice itself" in skill
    assert "`source: choice`" in skill
