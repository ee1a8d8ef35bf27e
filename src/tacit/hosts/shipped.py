"""The skills, commands, agents and the rule that we ship, as files for a host."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from tacit.hosts.wiring import Own
from tacit.text import COMMAND, WITH_COMMAND

_KIT = Path(__file__).parent / "kit"
_FRONT = re.compile(r"---\n(.*?)\n---\n(.*)", re.DOTALL)
# Hosts have an /init of their own, which a skill of that name would hide; a plugin's names cannot meet others.
INSTALLED_AS = {"init": "memory-init"}
# Skills that a person calls by name; where a host's skills are no commands, these become commands too.
COMMANDS = ("remember", "extract", "init", "memory-govern", "memory-bank-refresh")
AGENTS = ("tacit-reader", "tacit-writer")


@cache
def text(name: str) -> str:
    """Return one file of the kit."""
    return (_KIT / name).read_text(encoding="utf-8")


@cache
def skill_names() -> tuple[str, ...]:
    """Return the names of the skills."""
    return tuple(sorted(path.parent.name for path in _KIT.glob("skills/*/SKILL.md")))


def skills(folder: Path) -> list[Own]:
    """Return the skills for a folder of skills."""
    found = []
    for name in skill_names():
        installed = INSTALLED_AS.get(name, name)
        renamed = text(f"skills/{name}/SKILL.md").replace(f"name: {name}\n", f"name: {installed}\n", 1)
        found.append(Own(folder / installed / "SKILL.md", renamed))
    return found


def commands(folder: Path, form: str) -> list[Own]:
    """Return the commands as Markdown (`md`) or as TOML (`toml`): each hands what is typed to the skill."""
    found = []
    for name in COMMANDS:
        installed = INSTALLED_AS.get(name, name)
        found.append(Own(folder / f"{installed}.{form}", command(name, installed, form)))
    return found


def command(name: str, skill: str, form: str) -> str:
    """Return the text of one command."""
    about = front(text(f"skills/{name}/SKILL.md"))["description"].partition(". ")[0].rstrip(".") + "."
    typed = "{{args}}" if form == "toml" else "$ARGUMENTS"
    body = f"{COMMAND}{skill}`. {WITH_COMMAND} {typed}"
    if form == "toml":
        return f"description = {json.dumps(about, ensure_ascii=False)}\nprompt = {json.dumps(body)}\n"
    return f"---\ndescription: {json.dumps(about, ensure_ascii=False)}\n---\n\n{body}\n"


def agents(folder: Path, host: str) -> list[Own]:
    """Return the reader and the writer in the host's own form."""
    ending = ".agent.md" if host == "copilot" else ".md"
    found = []
    for name in AGENTS:
        written = text(f"agents/{name}.md")
        if host == "opencode":  # it takes the name from the file, and wants to know that this is no main agent
            written = written.replace(f"name: {name}\n", "mode: subagent\n", 1)
        found.append(Own(folder / f"{name}{ending}", written))
    return found


def front(markdown: str) -> dict[str, str]:
    """Return the plain lines of a file's front matter."""
    found = _FRONT.match(markdown)
    lines = found[1].split("\n") if found else []
    return {key.strip(): value.strip().strip('"') for key, _, value in (line.partition(":") for line in lines)}
