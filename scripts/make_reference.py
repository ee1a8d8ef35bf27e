"""Write the reference from the code: commands, settings, errors, events and the numbers of recall.

python scripts/make_reference.py     write what is out of date, and say what that was
"""
# ruff: noqa: INP001  a script, not a package

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import click

from tacit import errors
from tacit.audit.record import ASSURANCE, Channel, Event
from tacit.cli.app import app
from tacit.index import calibration
from tacit.index.embed.catalogue import CATALOGUE
from tacit.recall import rank
from tacit.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
COLUMNS = 100
MADE = "<!-- made by scripts/make_reference.py: {part} -->"
END = "<!-- end -->"
PLAIN_RULES = {"per_path": "How many notes each path gives.", "limit": "How many notes are said at most."}


def pages() -> dict[str, str]:
    """Return path → text of every file that is made, wholly or in part, from the code."""
    scripting = (ROOT / "docs/scripting.md").read_text(encoding="utf-8")
    for part, table in {"errors": error_table(), "events": event_table(), "channels": channel_table()}.items():
        scripting = with_part(scripting, part, table)
    recall = (ROOT / "docs/design/002-recall.md").read_text(encoding="utf-8")
    for part, table in {"rules": rule_table(), "pairs": pair_table()}.items():
        recall = with_part(recall, part, table)
    return {
        "docs/design/002-recall.md": recall,
        "docs/reference/commands.md": commands_page(),
        "docs/reference/settings.md": settings_page(),
        "docs/scripting.md": scripting,
    }


def with_part(text: str, part: str, table: str) -> str:
    """Return `text` with what stands between the marks of `part` replaced."""
    head, mark, rest = text.partition(MADE.format(part=part))
    _, end, tail = rest.partition(END)
    if not mark or not end:
        message = f"the marks of {part!r} are missing"
        raise ValueError(message)
    return f"{head}{mark}\n{table}{end}{tail}"


def commands() -> Iterator[tuple[str, str]]:
    """Yield the words of each command, and what `--help` says about it."""
    top = click.Context(app, info_name="tacit", terminal_width=COLUMNS, **app.context_settings)
    yield "tacit", app.get_help(top)
    for name in app.list_commands(top):
        command = app.get_command(top, name)
        if command is not None:
            yield from _below(command, name, top)


def _below(command: click.Command, name: str, above: click.Context) -> Iterator[tuple[str, str]]:
    # As when it runs: a command's own settings decide which words ask for its help.
    context = click.Context(command, info_name=name, parent=above, **command.context_settings)
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            inner = command.get_command(context, word)
            if inner is not None:
                yield from _below(inner, word, context)


def commands_page() -> str:
    """Return docs/reference/commands.md."""
    lines = [
        "# Commands",
        "",
        MADE.format(part="from `--help`; edits here are lost"),
        "",
        "What `--help` says. Exit codes, error codes and JSON shapes are in [scripting](../scripting.md), the settings",
        "in [settings](settings.md).",
    ]
    for words, text in commands():
        plain = "\n".join(line.rstrip() for line in text.split("\n"))
        lines += ["", f"## {words}", "", "```text", plain, "```"]
    return "\n".join(lines) + "\n"


def settings_page() -> str:
    """Return docs/reference/settings.md."""
    lines = [
        "# Settings",
        "",
        MADE.format(part="from tacit.settings; edits here are lost"),
        "",
        "They stand in the bank's `tacit.toml`, so they are shared by git. `tacit config` shows them,",
        "`tacit config NAME VALUE` changes one and leaves comments and order alone. A dot in a name is a table:",
        "`trash.retention_days` is `retention_days` below `[trash]`. A wrong value counts as the default and is",
        "reported by `tacit check`. `format` is the bank's format number; only Tacit changes it.",
        "",
        "| name | default | allowed | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for setting in SETTINGS:
        allowed = ", ".join(f"`{choice}`" for choice in setting.choices) or f"{setting.lowest} to {setting.highest}"
        lines.append(f"| `{setting.name}` | `{setting.default}` | {allowed} | {setting.meaning} |")
    return "\n".join(lines) + "\n"


def error_classes(of: type[errors.TacitError] = errors.TacitError) -> list[type[errors.TacitError]]:
    """Return the errors that are raised, in the order of the tree; those that only group others are left out."""
    below = [each for child in of.__subclasses__() for each in error_classes(child)]
    return ([of] if "code" in vars(of) and of is not errors.TacitError else []) + below


def error_table() -> str:
    """Return the table of the errors: code, exit code, sentence and hint."""
    rows = [
        f"| `{each.code}` | {each.exit_code} | {_shown(each.template)} | {_shown(each.hint)} |"
        for each in sorted(error_classes(), key=lambda error: (error.exit_code, error.code))
    ]
    return "\n".join(["| code | exit | sentence | next step |", "| --- | --- | --- | --- |", *rows]) + "\n"


def event_table() -> str:
    """Return the list of the events of the log."""
    return "".join(f"- `{event}`\n" for event in Event)


def channel_table() -> str:
    """Return the table of the channels and how much each proves."""
    rows = ["| channel | assurance |", "| --- | --- |", *(f"| `{each}` | `{ASSURANCE[each]}` |" for each in Channel)]
    return "\n".join(rows) + "\n"


def rule_table() -> str:
    """Return the numbers by which recall decides, whatever the models, each with the comment beside it."""
    rules = rank.Rules()
    rows = [
        f"| `{name}` | {value} | {meaning} |"
        for (name, value), meaning in zip(rules._asdict().items(), _comments(rank.Rules), strict=True)
    ]
    return "\n".join(["| number | value | meaning |", "| --- | --- | --- |", *rows]) + "\n"


def pair_table() -> str:
    """Return who reads each pair of scripts with the recommended models, and what is enough there."""
    rows = ["| prompt | note | models and their shares | weight of meaning | floor of clearness | floor of coverage |"]
    rows.append("| --- | --- | --- | --- | --- | --- |")
    scripts = {"latin": "Latin", "cjk": "Chinese"}
    for name, pair in calibration.readings(list(CATALOGUE.values())).items():
        prompt, note = (scripts[each] for each in name.split("-"))
        models = ", ".join(f"{reading.model} {reading.share}" for reading in pair.readings)
        floor = f"{pair.floor} + {pair.handicap}" if pair.handicap else str(pair.floor)
        rows.append(f"| {prompt} | {note} | {models} | {pair.weight} | {floor} | {pair.coverage_floor} |")
    return "\n".join(rows) + "\n"


def _comments(of: type) -> Iterator[str]:
    """Yield what stands above each field of a class as a comment; the name, said in words, where nothing does."""
    lines = inspect.getsource(of).splitlines()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            above = lines[node.lineno - 2].strip()
            yield above.removeprefix("# ") if above.startswith("# ") else PLAIN_RULES[node.target.id]


def _shown(template: str) -> str:
    """Return a template as a table cell, its fields in plain braces."""
    text = "".join(literal + (f"{{{field}}}" if field else "") for literal, field, _, _ in Formatter().parse(template))
    return text.replace("|", "\\|").replace("<", "&lt;")


def main() -> None:
    """Write the pages that differ from what the code says."""
    for name, text in pages().items():
        path = ROOT / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"wrote {name}\n")


if __name__ == "__main__":
    main()
