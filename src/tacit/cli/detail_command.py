"""tacit detail: write a detail, change a requirement's status, propose a draft."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli import terminal
from tacit.cli.frame import bank_command
from tacit.entry import details
from tacit.errors import FieldRefused
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_OPTIONS = dict.fromkeys(part.option for parts in details.PARTS.values() for part in parts)
_MAX_DRAFT_BYTES = 1024 * 1024


@click.group("detail", epilog="Example: tacit detail status REQ-guest-checkout done")
def command() -> None:
    """Write details (decisions, learnings, requirements, designs), or propose a draft for one."""


@bank_command(
    "add",
    of=command,
    example='tacit detail add learning "Lost orders" --symptom A --cause B --fix C --prevention D',
)
@click.argument("kind", type=click.Choice(list(details.PARTS)))
@click.argument("title")
@click.option("--what", default="", help="What was decided, is required or is to be built.")
@click.option("--why", default="", help="The reason.")
@click.option("--tradeoff", default="", help="What it costs, and what was not chosen.")
@click.option("--range", default="", help="Where it holds, and where not.")
@click.option("--symptom", default="", help="What was seen.")
@click.option("--cause", default="", help="The root cause.")
@click.option("--fix", default="", help="What mended it.")
@click.option("--prevention", default="", help="How it is kept from coming back.")
@click.option("--criteria", default="", help="When the requirement is met.")
def add(frame: Frame, kind: str, title: str, **given: str) -> None:
    """Write a detail with all its parts; missing ones are asked for on a terminal and refused elsewhere.

    A decision needs what, why, tradeoff and range; a learning symptom, cause, fix and prevention; a requirement what
    and criteria; a design what and why.
    """
    bank = frame.open(to_write=True)
    parts = {option: given[option] for option in _OPTIONS}
    if terminal.is_there():
        for part in details.missing(kind, parts):
            question = say("detail.ask.part", part=part.heading, kind=kind)
            parts[part.option] = terminal.line("detail", question)
    by = frame.settle_doubts("detail", bank.doubts({"title": title, **parts}))
    done = bank.entry.add_detail(kind, title, parts, by=by)
    _give(frame, done.files, done.operation_id)


@bank_command("status", of=command, example="tacit detail status REQ-guest-checkout done --why shipped")
@click.argument("requirement")
@click.argument("status", type=click.Choice(details.STATUSES))
@click.option("--why", default="", help="A few words for its history.")
def status(frame: Frame, requirement: str, status: str, why: str) -> None:
    """Change the status of a requirement; its history gets a line."""
    bank = frame.open(to_write=True)
    by = frame.settle_doubts("detail", bank.doubts({"why": why}))
    done = bank.entry.set_status(requirement, status, why=why, by=by)
    _give(frame, done.files, done.operation_id)


@bank_command("propose", of=command, example="tacit detail propose details/tech.md draft.md")
@click.argument("target")
@click.argument("draft", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--replace", is_flag=True, help="The draft is the whole new text, not a section more.")
def propose(frame: Frame, target: str, draft: Path, *, replace: bool) -> None:
    """Keep a DRAFT (a file, or - for standard input) for details/… or MEMORY.md as a proposal to confirm later."""
    bank = frame.open(to_write=True)
    text = _read(draft)
    by = frame.settle_doubts("detail", bank.entry.doubts(target, text))
    made = bank.entry.propose_detail(target, text, replace=replace, by=by)
    frame.out.diff(made.diff)
    options = [{"id": option.id, "label": option.label} for option in made.question.options]
    question = {"question_id": made.question.question_id, "question": made.question.question, "options": options}
    frame.out.give(
        {"proposal_id": made.proposal_id, "target": made.target, "question": question, "diff": made.diff},
        say("detail.proposed", proposal=made.proposal_id, target=made.target),
    )


def _read(draft: Path) -> str:
    try:
        with click.open_file(str(draft), "rb") as source:
            return bytes(source.read(_MAX_DRAFT_BYTES)).decode("utf-8")
    except UnicodeDecodeError:
        raise FieldRefused(field=str(draft), reason="this is not UTF-8 text") from None
    except FileNotFoundError:
        raise FieldRefused(field=str(draft), reason="there is no such file") from None
    except IsADirectoryError:
        raise FieldRefused(field=str(draft), reason="this is a folder, no file") from None


def _give(frame: Frame, files: tuple[str, ...], operation_id: str) -> None:
    told = [say("detail.made", file=file) for file in files if file != "INDEX.md"] or [say("detail.same")]
    frame.out.give({"file": files[0] if files else "", "files": list(files), "operation_id": operation_id}, *told)
