"""What a refresh of the entry document would do: which case it is, each step, and the text that comes out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tacit.entry import blocks, focus, template

if TYPE_CHECKING:
    from collections.abc import Mapping


class Case(StrEnum):
    """What was found: nothing, an older template, an old structure, or a current document."""

    INIT = "init"
    UPGRADE = "upgrade"
    MIGRATE = "migrate"
    REFRESH = "refresh"


class Choice(StrEnum):
    """What becomes of a machine block that a person changed."""

    KEEP = "keep"
    TAKE = "take"
    APPEND = "append"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that would be done: `name` is that of its message, `subject` what it is done to."""

    name: str
    subject: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be done. `asked` are the blocks whose update a person must decide about."""

    case: Case
    steps: tuple[Step, ...]
    text: str
    asked: tuple[str, ...] = ()


def plan(
    current: str, wanted: Mapping[str, str], choices: Mapping[str, Choice], *, title: str, stub: str, file: str
) -> Plan:
    """Return the plan for an entry document; raise MarkersBroken if its markers do not pair up.

    `wanted` is what each machine block should say, `stub` the text of a bank in which nobody wrote yet. A changed
    block without a choice is kept, and asked about again; one that a person chose to keep is not, for the same update.
    """
    if not current.strip() or current == stub:
        return Plan(Case.INIT, (Step("write", file),), _new(wanted, title))
    document = blocks.parse(current, file)
    newline = "\r\n" if "\r\n" in current else "\n"
    steps: list[Step] = []
    asked: list[str] = []
    is_older = False
    for place, name in enumerate(template.BLOCKS):
        text = wanted.get(name) or focus.EMPTY
        new = blocks.machine_block(name, text, version=template.VERSION, newline=newline)
        there = document.machine(name)
        if there is None:
            is_older = True
            document = document.with_block(new, after=template.BLOCKS[:place])
            steps.append(Step("add", name))
            continue
        if name == "focus" or blocks.fingerprint(there.text) == blocks.fingerprint(text):
            continue
        choice = choices.get(name)
        if there.is_changed and there.kept == blocks.fingerprint(text) and choice in (None, Choice.KEEP):
            continue
        is_older = is_older or there.version < template.VERSION
        if not there.is_changed:
            document = document.with_block(new)
            steps.append(Step("update", name))
            continue
        asked.append(name)
        steps.append(Step(str(choice or Choice.KEEP), name))
        if choice is not None:  # silence keeps it for now; only who said so is not asked again
            document = _chosen(document, there, new, choice, text)
    case = Case.UPGRADE if is_older else Case.REFRESH
    return Plan(case, tuple(steps), document.render(), tuple(asked))


def repaired(text: str, *, title: str, wanted: Mapping[str, str]) -> str:
    """Return a document whose broken markers are gone, all of its text in one user block below new machine blocks."""
    kept = blocks.without_markers(text)
    new = blocks.parse(_new(wanted, title), "")
    machine = [part for part in new.parts if part.kind != blocks.USER]
    ending = "" if kept.endswith("\n") or not kept else "\n"
    return "".join(part.render() for part in machine) + blocks.user_block("yours", kept + ending).render()


def _new(wanted: Mapping[str, str], title: str) -> str:
    parts = [
        blocks.machine_block(name, wanted.get(name) or focus.EMPTY, version=template.VERSION)
        for name in template.BLOCKS
    ]
    user = blocks.user_block("yours", template.USER_TEXT)
    return title + "\n".join(part.render() for part in [*parts, user])


def _chosen(
    document: blocks.Document, there: blocks.Block, new: blocks.Block, choice: Choice, offered: str
) -> blocks.Document:
    match choice:
        case Choice.KEEP:
            return document.with_block(blocks.declined(there, offered))
        case Choice.TAKE:
            return document.with_block(new)
        case Choice.APPEND:
            mine = blocks.user_block(f"{there.name}-yours", there.text)
            return document.with_block(new).behind(there.name, mine)
