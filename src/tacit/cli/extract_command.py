"""tacit extract: what is worth keeping of a conversation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.audit.record import Channel
from tacit.bank.values import Context
from tacit.cli import choosing, telling, terminal
from tacit.cli.frame import bank_command
from tacit.errors import PayloadRefused, TacitError
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.bank.extracting import Extraction
    from tacit.bank.values import Outcome
    from tacit.capture.recognise import Candidate
    from tacit.cli.frame import Frame

_MAX_BYTES = 64 * 1024 * 1024
_CONVERSATION = "extract"  # so that what was declined here is not asked here again


@bank_command("extract", example="tacit extract session.jsonl --dry-run")
@click.argument("file", metavar="[FILE|-]", required=False)
@click.option("--dry-run", is_flag=True, help="Show what was found, and keep nothing.")
@click.option("--yes", is_flag=True, help="Ask nothing: all that was found waits for `tacit review`.")
def command(frame: Frame, file: str | None, *, dry_run: bool, yes: bool) -> None:
    """Find what is worth keeping in FILE, a transcript, or in the last conversation that was recorded here.

    Read are session files of Claude Code, Codex, Gemini CLI, OpenCode (`opencode export`) and others that keep JSON,
    Cursor's exports, and plain text with speakers. Only your own turns count. On a terminal you choose what to keep;
    elsewhere each candidate waits as a proposal for `tacit review`.
    """
    bank = frame.open(to_write=not dry_run)
    found = bank.extract_last() if file is None else bank.extract(_read(file))
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
        places = choosing.several(screen, [(each.point, _source(each)) for each in found.candidates])
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


def _read(file: str) -> str:
    """Return the text of a file or of standard input; raise PayloadRefused if it cannot be read or is too large."""
    try:
        content = sys.stdin.buffer.read(_MAX_BYTES + 1) if file == "-" else fsio.read(Path(file), limit=_MAX_BYTES)
    except (OSError, TacitError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PayloadRefused(field=file, reason=f"cannot be read ({reason})", fix="name a transcript") from None
    if content is None:
        raise PayloadRefused(field=file, reason="is not there", fix="name a transcript, or - for standard input")
    if len(content) > _MAX_BYTES:
        raise PayloadRefused(field=file, reason=f"has more than {_MAX_BYTES} bytes", fix="hand in a shorter one")
    return content.decode("utf-8-sig", "replace")
