"""Commands that remember: what a person says, what an agent proposes, what a conversation holds."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.audit.record import Channel
from tacit.bank.values import Context
from tacit.capture import remark
from tacit.cli import telling, terminal
from tacit.cli.frame import bank_command
from tacit.errors import Declined, GuardRefused, PayloadRefused, TacitError
from tacit.messages import say
from tacit.note.model import Kind, Scope, Strength, Timing

if TYPE_CHECKING:
    from enum import StrEnum

    from tacit.bank import Bank
    from tacit.bank.extracting import Extraction
    from tacit.bank.values import Answer, Outcome
    from tacit.capture.recognise import Candidate
    from tacit.cli.frame import Frame

_REFUSED_EXIT = 3
# Option → field of the payload, for those that are handed on as they are.
_FIELDS = {
    "kind": "kind",
    "layer": "layer",
    "title": "title",
    "when": "when_to_load",
    "one_liner": "one_liner",
    "tags": "tags",
    "timing": "timing",
    "strength": "strength",
    "scope": "scope",
    "signals": "signals",
    "counter_signals": "counter_signals",
    "evidence": "evidence",
    "pointers": "pointers",
}


def _choice(of: type[StrEnum]) -> click.Choice[str]:
    return click.Choice([str(value) for value in of])


@bank_command("remember", example='tacit remember "When adding a package, use pnpm instead of npm"')
@click.argument("text", nargs=-1)
@click.option("--scene", default="", help="In which situation it holds.")
@click.option("--choice", default="", help="What was chosen.")
@click.option("--not", "rejected", multiple=True, help="What was not chosen; may be given several times.")
@click.option("--kind", type=_choice(Kind))
@click.option("--layer", type=click.Choice(["L1", "L2"]))
@click.option("--team", "apply", flag_value="team", help="It is for the whole team.")
@click.option("--personal", "apply", flag_value="personal", help="It is for you alone.")
@click.option("--title", help="A short name.")
@click.option("--when", multiple=True, help="When it matters; may be given up to three times.")
@click.option("--one-liner", help="What to do then, in one sentence.")
@click.option("--tag", "tags", multiple=True, help="May be given several times.")
@click.option("--timing", type=_choice(Timing))
@click.option("--strength", type=_choice(Strength))
@click.option("--scope", type=_choice(Scope))
@click.option("--signals", multiple=True, help="How to recognise the situation; may be given several times.")
@click.option("--counter-signals", multiple=True, help="When it does not hold; may be given several times.")
@click.option("--evidence", help="Where it comes from.")
@click.option("--pointer", "pointers", multiple=True, help="Where to read on; may be given several times.")
@click.option("--explain", is_flag=True, help="Show neighbours, scores and rules of the decision.")
def remember_command(
    frame: Frame,
    text: tuple[str, ...],
    scene: str,
    choice: str,
    rejected: tuple[str, ...],
    *,
    explain: bool,
    **options: str | tuple[str, ...] | None,
) -> int:
    """Remember TEXT: a new note is written at once, what meets another note is asked.

    Without TEXT and --choice you are asked on your terminal for situation, choice and alternatives.
    """
    bank = frame.open(to_write=True)
    if not "".join(text).strip() and not choice:
        scene, choice, rejected = _asked(scene, rejected)
    payload = remark.payload(" ".join(text), scene=scene, choice=choice, rejected=rejected)
    payload |= {field: _plain(options[name]) for name, field in _FIELDS.items() if options[name]}
    if options["apply"]:
        payload["apply"] = options["apply"]
    outcome = bank.remember(payload, Context(channel=Channel.COMMAND, accepted=_accepted(frame, bank, payload)))
    frame.out.styled(telling.outcome_sentence(outcome))
    if explain:
        for line in telling.explained(outcome):
            frame.out.styled(f"  {line}")
    answer = _answered(bank, outcome) if outcome.proposal_id and terminal.is_there() else None
    if answer is not None:
        frame.out.styled(telling.answer_sentence(answer))
        if answer.status == "applied":
            outcome = replace(outcome, written=True, note_id=answer.note_id, operation_id=answer.operation_id)
    given = None if answer is None else telling.answer_document(answer)
    frame.out.give({"results": [telling.outcome_document(outcome)], "answer": given})
    return _REFUSED_EXIT if outcome.decision == "refused" else 0


def _asked(scene: str, rejected: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """Ask on the terminal for what the command line does not say."""
    if not terminal.is_there():
        message = "TEXT or --choice must be given where there is no terminal to ask on."
        raise click.UsageError(message)
    with terminal.opened("remember") as screen:
        scene = scene or screen.line(f"{say('remember.scene')} ").strip()
        choice = screen.line(f"{say('remember.choice')} ").strip()
        if not choice:
            raise Declined(act="remember")
        others = rejected or tuple(screen.line(f"{say('remember.rejected')} ").replace("；", ";").split(";"))
    return scene, choice, tuple(each.strip() for each in others if each.strip())


def _plain(value: str | tuple[str, ...] | None) -> object:
    return list(value) if isinstance(value, tuple) else value


def _accepted(frame: Frame, bank: Bank, payload: dict[str, object]) -> bool:
    """Ask about what a guard doubts; what it refuses, and doubts without a terminal, the pipeline turns away."""
    try:
        doubts = bank.doubts({name: json.dumps(value, ensure_ascii=False) for name, value in payload.items()})
    except GuardRefused:
        return False
    doubts = tuple(each for each in doubts if each.guard != "instruction")  # that is asked as a proposal
    if not doubts or not terminal.is_there():
        return False
    frame.settle_doubts("remember", doubts)
    return True


def _answered(bank: Bank, outcome: Outcome) -> Answer | None:
    """Ask the question right here; None if it is left for `tacit review`."""
    pending = next(each for each in bank.pending() if each.proposal_id == outcome.proposal_id)
    try:
        with terminal.opened("remember") as screen:
            return telling.ask(screen, bank, pending)
    except telling.Left:
        return None


_MAX_PAYLOAD_BYTES = 1_000_000
_FIX = "hand in a JSON array of payloads, or one payload, in a file or on standard input (-)"


@bank_command("propose", example="tacit propose payloads.json --explain")
@click.argument("file", metavar="FILE|-")
@click.option("--explain", is_flag=True, help="Show neighbours, scores and rules of each decision.")
@click.option("--dry-run", is_flag=True, help="Decide, and write nothing: no note, no proposal, no line in the log.")
@click.option("--conversation", default="", metavar="ID", help="The conversation that the words are from.")
@click.option("--generation", default="", metavar="ID", help="The turn of the agent, for the log.")
def propose_command(
    frame: Frame, file: str, conversation: str, generation: str, *, explain: bool, dry_run: bool
) -> None:
    """Propose what an agent would have remembered: a JSON array of payloads, or one, from FILE or standard input.

    Each payload is compared with the notes and decided: written only if your own words leave no doubt, kept as a
    proposal for `tacit review`, recognised as a duplicate, or turned away with a reason. Nothing in a payload counts as
    your consent.
    """
    given = _payloads(_read_payloads(file), _named(file))
    bank = frame.open(to_write=not dry_run)
    context = Context(conversation, generation, Channel.COMMAND)
    outcomes = bank.propose(given, context, dry_run=dry_run)
    for outcome in outcomes:
        number = say("outcome.number", number=outcome.payload + 1) if len(given) > 1 else ""
        frame.out.styled(number + telling.outcome_sentence(outcome))
        if explain:
            for line in telling.explained(outcome):
                frame.out.styled(f"  {line}")
    frame.out.give({"results": [telling.outcome_document(outcome) for outcome in outcomes]})


def _named(file: str) -> str:
    return "standard input" if file == "-" else file


def _read_payloads(file: str) -> bytes:
    """Return what a file or standard input holds; raise PayloadRefused if it cannot be read or is too large."""
    try:
        if file == "-":
            content = sys.stdin.buffer.read(_MAX_PAYLOAD_BYTES + 1)
        else:
            with open(file, "rb") as stream:  # noqa: PTH123  a pipe may stand there as well
                content = stream.read(_MAX_PAYLOAD_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PayloadRefused(field=_named(file), reason=f"cannot be read ({reason})", fix=_FIX) from None
    if len(content) > _MAX_PAYLOAD_BYTES:
        raise PayloadRefused(
            field=_named(file), reason=f"has more than {_MAX_PAYLOAD_BYTES} bytes", fix="send fewer at once"
        )
    return content


def _payloads(content: bytes, place: str) -> list[object]:
    try:
        given = json.loads(content)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise PayloadRefused(field=place, reason="is no JSON" + where, fix=_FIX) from None
    if isinstance(given, dict):
        return [given]
    if not isinstance(given, list):
        raise PayloadRefused(field=place, reason="is neither an array nor an object", fix=_FIX)
    return given


_MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024
_CONVERSATION = "extract"  # so that what was declined here is not asked here again


@bank_command("extract", example="tacit extract session.jsonl --dry-run")
@click.argument("file", metavar="[FILE|-]", required=False)
@click.option("--dry-run", is_flag=True, help="Show what was found, and keep nothing.")
@click.option("--yes", is_flag=True, help="Ask nothing: all that was found waits for `tacit review`.")
def extract_command(frame: Frame, file: str | None, *, dry_run: bool, yes: bool) -> None:
    """Find what is worth keeping in FILE, a transcript, or in the last conversation that was recorded here.

    Read are session files of Claude Code, Codex, Gemini CLI, OpenCode (`opencode export`) and others that keep JSON,
    Cursor's exports, and plain text with speakers. Only your own turns count. On a terminal you choose what to keep;
    elsewhere each candidate waits as a proposal for `tacit review`.
    """
    bank = frame.open(to_write=not dry_run)
    found = bank.extract_last() if file is None else bank.extract(_read_transcript(file))
    outcomes: list[Outcome] = []
    if not found.candidates and found.turns == 0 and file is None:
        frame.out.styled(say("extract.empty"))
    elif dry_run or not found.candidates:
        _show(frame, found)
    elif terminal.is_there() and not yes:
        chosen = _chosen(found)
        outcomes = bank.keep(chosen, Context(_CONVERSATION, channel=Channel.TERMINAL), by_hand=True) if chosen else []
    else:
        outcomes = bank.keep(found.candidates, Context(_CONVERSATION, channel=Channel.COMMAND))
    for outcome in outcomes:
        frame.out.styled(telling.outcome_sentence(outcome))
    if found.withheld:
        frame.out.warn(say("extract.withheld", count=found.withheld))
    document: dict[str, object] = {
        "turns": found.turns,
        "read_as": found.shape,
        "recognised_by": found.by,
        "withheld": found.withheld,
        "candidates": [_document(each) for each in found.candidates],
        "results": [telling.outcome_document(each) for each in outcomes],
    }
    frame.out.give(document)


def _show(frame: Frame, found: Extraction) -> None:
    for number, each in enumerate(found.candidates, 1):
        frame.out.styled(f"{number:>3}  {each.point}", bold=True)
        frame.out.styled(_source(each))


def _chosen(found: Extraction) -> list[Candidate]:
    with terminal.opened("extract") as screen:
        screen.show(say("extract.title", turns=found.turns))
        places = terminal.choose_several(screen, [(each.point, _source(each)) for each in found.candidates])
    return [found.candidates[place] for place in places]


def _source(each: Candidate) -> str:
    return say("extract.from", turn=each.turn, sentence=each.sentence, content=each.content, rule=each.rule)


def _document(each: Candidate) -> dict[str, object]:
    return {
        "turn": each.turn,
        "sentence": each.sentence,
        "content": str(each.content),
        "rule": each.rule,
        "payload": each.payload(),
    }


def _read_transcript(file: str) -> str:
    """Return the text of a file or of standard input; raise PayloadRefused if it cannot be read or is too large."""
    try:
        content = (
            sys.stdin.buffer.read(_MAX_TRANSCRIPT_BYTES + 1)
            if file == "-"
            else fsio.read(Path(file), limit=_MAX_TRANSCRIPT_BYTES)
        )
    except (OSError, TacitError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PayloadRefused(field=file, reason=f"cannot be read ({reason})", fix="name a transcript") from None
    if content is None:
        raise PayloadRefused(field=file, reason="is not there", fix="name a transcript, or - for standard input")
    if len(content) > _MAX_TRANSCRIPT_BYTES:
        raise PayloadRefused(
            field=file, reason=f"has more than {_MAX_TRANSCRIPT_BYTES} bytes", fix="hand in a shorter one"
        )
    return content.decode("utf-8-sig", "replace")
