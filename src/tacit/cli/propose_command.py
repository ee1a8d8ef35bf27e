"""tacit propose: payloads as an agent sends them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from tacit.audit.record import Channel
from tacit.bank.values import Context
from tacit.cli import telling
from tacit.cli.frame import bank_command
from tacit.errors import PayloadRefused
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

_MAX_BYTES = 1_000_000
_FIX = "hand in a JSON array of payloads, or one payload, in a file or on standard input (-)"


@bank_command("propose", example="tacit propose payloads.json --explain")
@click.argument("file", metavar="FILE|-")
@click.option("--explain", is_flag=True, help="Show neighbours, scores and rules of each decision.")
@click.option("--dry-run", is_flag=True, help="Decide, and write nothing: no note, no proposal, no line in the log.")
@click.option("--conversation", default="", metavar="ID", help="The conversation that the words are from.")
@click.option("--generation", default="", metavar="ID", help="The turn of the agent, for the log.")
def command(frame: Frame, file: str, conversation: str, generation: str, *, explain: bool, dry_run: bool) -> None:
    """Propose what an agent would have remembered: a JSON array of payloads, or one, from FILE or standard input.

    Each payload is compared with the notes and decided: written only if your own words leave no doubt, kept as a
    proposal for `tacit review`, recognised as a duplicate, or turned away with a reason. Nothing in a payload counts as
    your consent.
    """
    given = _payloads(_read(file), _named(file))
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


def _read(file: str) -> bytes:
    """Return what a file or standard input holds; raise PayloadRefused if it cannot be read or is too large."""
    try:
        if file == "-":
            content = sys.stdin.buffer.read(_MAX_BYTES + 1)
        else:
            with open(file, "rb") as stream:  # noqa: PTH123  a pipe may stand there as well
                content = stream.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PayloadRefused(field=_named(file), reason=f"cannot be read ({reason})", fix=_FIX) from None
    if len(content) > _MAX_BYTES:
        raise PayloadRefused(field=_named(file), reason=f"has more than {_MAX_BYTES} bytes", fix="send fewer at once")
    return content


def _payloads(content: bytes, place: str) -> list[object]:
    try:
        given = json.loads(content)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise PayloadRefused(field=place, reason=f"is no JSON{where}", fix=_FIX) from None
    if isinstance(given, dict):
        return [given]
    if not isinstance(given, list):
        raise PayloadRefused(field=place, reason="is neither an array nor an object", fix=_FIX)
    return given
