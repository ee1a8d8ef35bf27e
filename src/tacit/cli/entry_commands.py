"""Commands over the entry document and the details: refresh them, set the focus, write, read, tell an agent."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import settings
from tacit.bank import Bank, migrating, wiring
from tacit.cli import terminal
from tacit.cli.frame import COMMAND, NamedPath, bank_command, project_root
from tacit.entry import context, details, template
from tacit.entry.focus import Wish
from tacit.entry.pack import conflict
from tacit.entry.refresh import Choice
from tacit.errors import BankNotFound, FieldRefused
from tacit.messages import explain, language, say
from tacit.store.layout import FORMAT_VERSION

if TYPE_CHECKING:
    from tacit.bank.entry_document import Refreshed
    from tacit.cli.frame import Frame
    from tacit.entry.pack import Pack


@bank_command("refresh", example="tacit refresh --yes")
@click.option("--yes", is_flag=True, help="Do it without asking; blocks that you changed are kept.")
@click.option(
    "--changed",
    type=click.Choice([str(each) for each in Choice]),
    help="What becomes of machine blocks that you changed: keep yours, take the update, or append (both).",
)
@click.option("--repair", is_flag=True, help="Mend broken block markers; all of the text is kept as yours.")
def refresh_command(frame: Frame, *, yes: bool, changed: str | None, repair: bool) -> None:
    """Bring the entry document up to date: make it, add what is missing, move an older memory bank over, or refresh it.

    Prints the plan first; nothing is changed before you say so.
    """
    bank, is_there = _bank_or_new(frame)
    entry = bank.entry
    broken = entry.needs_repair()
    if repair and broken is not None:
        problem = explain(broken)[0]
        by = COMMAND if yes else frame.ask("refresh", say("refresh.ask.repair", problem=problem))
        _give_refreshed(frame, entry.repair(by=by))
        return
    choices = dict.fromkeys(template.BLOCKS, Choice(changed)) if changed else {}
    plan = entry.plan(choices)
    for line in (say(f"refresh.case.{plan.case}"), *(f"  - {step}" for step in plan.plan)):
        frame.out.styled(line)
    by = COMMAND
    if not yes and plan.plan:
        if not terminal.is_there():
            _give_refreshed(frame, plan, waits=True)
            return
        for block in () if changed else plan.asked:
            question = say("refresh.ask.block", block=block)
            choices[block] = Choice(terminal.choose("refresh", question, [str(each) for each in Choice]))
        by = frame.ask("refresh", say("refresh.ask"))
    if not is_there:
        bank = Bank.init(bank.root, by=by)
    _give_refreshed(frame, bank.entry.refresh(choices, by=by))


def _bank_or_new(frame: Frame) -> tuple[Bank, bool]:
    """Return the bank and whether it is there; where there is none, one that would be made and is not on the disk."""
    try:
        return frame.open(to_write=True), True
    except BankNotFound:
        found = settings.parse(settings.TEMPLATE.format(format=FORMAT_VERSION))
        root = wiring.home_for((frame.bank_path or project_root() / wiring.BANK_DIRECTORY).absolute())
        return Bank(wiring.make_store(root, found, clock=None, new_id=None), found), False


def _give_refreshed(frame: Frame, done: Refreshed, *, waits: bool = False) -> None:
    if done.applied:
        told = say("refresh.made", count=len(done.files))
    else:
        told = say("refresh.waits") if waits and done.plan else say("refresh.nothing")
    frame.out.give(
        {"case": done.case, "plan": list(done.plan), "applied": done.applied, "operation_id": done.operation_id}, told
    )


@bank_command("focus", example='tacit focus "Checkout in one page" --next "write the form"')
@click.argument("text", default="")
@click.option("--next", "next_steps", multiple=True, help="A next step; may be given more than once.")
@click.option("--done", multiple=True, help="A finished step, planned or not, by its words or a part of them.")
@click.option("--blocker", "blockers", multiple=True, help="What stands in the way.")
@click.option("--unblock", "unblocked", multiple=True, help="A blocker that is gone, by its words or a part of them.")
def focus_command(
    frame: Frame,
    text: str,
    *,
    next_steps: tuple[str, ...],
    done: tuple[str, ...],
    blockers: tuple[str, ...],
    unblocked: tuple[str, ...],
) -> None:
    """Show the current focus, or set it, its next steps and its blockers, in the entry document.

    Once more than twenty steps are finished, they are moved to details/archive/.
    """
    wish = Wish(text, next_steps, done, blockers, unblocked)
    bank = frame.open(to_write=wish != Wish())
    operation_id = ""
    if wish != Wish():
        by = frame.settle_doubts("focus", bank.doubts(wish.texts()))
        operation_id = bank.entry.set_focus(wish, by=by).operation_id
    seen = bank.entry.focus()
    lines = [say("focus.line", focus=seen.focus) if seen.focus else say("focus.none")]
    lines += [say("focus.next", step=step) for step in seen.next_steps]
    lines += [say("focus.blocker", blocker=blocker) for blocker in seen.blockers]
    if seen.finished:
        lines.append(say("focus.done", count=len(seen.finished)))
    frame.out.give(
        {
            "focus": seen.focus,
            "next_steps": list(seen.next_steps),
            "finished": list(seen.finished),
            "blockers": list(seen.blockers),
            "operation_id": operation_id,
        },
        *lines,
    )


_OPTIONS = dict.fromkeys(part.option for parts in details.PARTS.values() for part in parts)
_MAX_DRAFT_BYTES = 1024 * 1024


@click.group("detail", epilog="Example: tacit detail status REQ-guest-checkout done")
def detail_command() -> None:
    """Write details (decisions, learnings, requirements, designs), or propose a draft for one."""


@bank_command(
    "add",
    of=detail_command,
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
    _give_files(frame, done.files, done.operation_id)


@bank_command("status", of=detail_command, example="tacit detail status REQ-guest-checkout done --why shipped")
@click.argument("requirement")
@click.argument("status", type=click.Choice(details.STATUSES))
@click.option("--why", default="", help="A few words for its history.")
def status(frame: Frame, requirement: str, status: str, why: str) -> None:
    """Change the status of a requirement; its history gets a line."""
    bank = frame.open(to_write=True)
    by = frame.settle_doubts("detail", bank.doubts({"why": why}))
    done = bank.entry.set_status(requirement, status, why=why, by=by)
    _give_files(frame, done.files, done.operation_id)


@bank_command("propose", of=detail_command, example="tacit detail propose details/tech.md draft.md")
@click.argument("target")
@click.argument("draft", type=NamedPath(path_type=Path, allow_dash=True))
@click.option("--replace", is_flag=True, help="The draft is the whole new text, not a section more.")
def propose(frame: Frame, target: str, draft: Path, *, replace: bool) -> None:
    """Keep a DRAFT (a file, or - for standard input) for details/… or MEMORY.md as a proposal to confirm later."""
    bank = frame.open(to_write=True)
    text = _draft(draft)
    by = frame.settle_doubts("detail", bank.entry.doubts(target, text))
    made = bank.entry.propose_detail(target, text, replace=replace, by=by)
    frame.out.diff(made.diff)
    options = [{"id": option.id, "label": option.label} for option in made.question.options]
    question = {"question_id": made.question.question_id, "question": made.question.question, "options": options}
    frame.out.give(
        {"proposal_id": made.proposal_id, "target": made.target, "question": question, "diff": made.diff},
        say("detail.proposed", proposal=made.proposal_id, target=made.target),
    )


def _draft(draft: Path) -> str:
    try:
        with click.open_file(str(draft), "rb") as source:
            return bytes(source.read(_MAX_DRAFT_BYTES)).decode("utf-8")
    except UnicodeDecodeError:
        raise FieldRefused(field=str(draft), reason="this is not UTF-8 text") from None
    except FileNotFoundError:
        raise FieldRefused(field=str(draft), reason="there is no such file") from None
    except IsADirectoryError:
        raise FieldRefused(field=str(draft), reason="this is a folder, no file") from None


def _give_files(frame: Frame, files: tuple[str, ...], operation_id: str) -> None:
    told = [say("detail.made", file=file) for file in files if file != "INDEX.md"] or [say("edit.same")]
    frame.out.give({"file": files[0] if files else "", "files": list(files), "operation_id": operation_id}, *told)


@bank_command("read", example='tacit read "how do I run the tests?"')
@click.argument("question", nargs=-1, required=True)
def read_command(frame: Frame, question: tuple[str, ...]) -> None:
    """Read what the details say to QUESTION: one to three files by the routing rules, with their paths.

    Where evidence is asked for, a conflict is suspected, or it would take more than three files, three hundred lines or
    several folders, a context pack is given instead: a summary and quotes with their places.
    """
    found = frame.open().entry.read(" ".join(question))
    sources = ", ".join(file for file, _ in found.files)
    frame.out.give(
        {
            "mode": found.mode,
            "why": found.why,
            "files": [{"path": file, "lines": lines} for file, lines in found.files],
            "text": found.text,
            "pack": _pack(found.pack),
        },
        found.text,
        *([] if found.pack or not sources else ["", say("read.direct", files=sources)]),
    )


def _pack(pack: Pack | None) -> dict[str, object] | None:
    if pack is None:
        return None
    return {
        "summary": asdict(pack.summary),
        "evidence": [asdict(each) for each in pack.evidence],
        "conflicts": [conflict(each) for each in pack.conflicts],
        "open_questions": list(pack.open_questions),
    }


@bank_command("context", example="tacit context --json")
def context_command(frame: Frame) -> None:
    """Print what an agent is told at the start of a session: state, entry document, core, conventions."""
    try:
        start = frame.open().entry.context()
    except BankNotFound:
        text = context.absent(old=migrating.beside(Path.cwd()), language=language())
        start = context.Start(text, "", context.PROTOCOL, "", is_cut=False)
    frame.out.give(
        {
            "state": start.state,
            "protocol_version": start.protocol_version,
            "fingerprint": start.fingerprint,
            "is_cut": start.is_cut,
            "characters": len(start.text),
            "context": start.text,
        },
        start.text,
    )
