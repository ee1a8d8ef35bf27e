"""Commands that look for notes: by their fields, their ids, their words and their meaning."""

from __future__ import annotations

from dataclasses import asdict
from operator import attrgetter
from typing import TYPE_CHECKING

import click

from tacit.bank.history import as_fields
from tacit.bank.recalling import Recall
from tacit.bank.values import Elsewhere
from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.errors import NoteNotFound, StoreUnwritable, unwritable
from tacit.messages import answered_by, say
from tacit.note import pointer
from tacit.note.model import Kind, Layer, Status

if TYPE_CHECKING:
    from tacit.cli.frame import Frame
    from tacit.note.model import Summary

_SHOWN = ("id", "title", "kind", "layer", "status", "strength", "scope", "audience", "timing", "file", "updated")
_shown = attrgetter(*_SHOWN)


@bank_command("list", example="tacit list --layer L2 --tag release")
@click.option("--layer", type=click.Choice(["L0", "L1", "L2"]), help="Only this layer.")
@click.option("--kind", type=click.Choice([str(kind) for kind in Kind]), help="Only this kind.")
@click.option("--status", type=click.Choice([str(status) for status in Status]), help="Only this status.")
@click.option("--tag", help="Only notes with this tag.")
def list_command(frame: Frame, layer: str | None, kind: str | None, status: str | None, tag: str | None) -> None:
    """List the notes of L0 to L2."""
    bank = frame.open()
    left_out = bank.left_out()
    if left_out:
        files = ", ".join(str(error.details.get("file") or error.details.get("files")) for error in left_out)
        frame.out.warn(say("list.left_out", count=len(left_out), files=files))
    notes = [
        note
        for note in bank.notes()
        if (not layer or note.layer == layer)
        and (not kind or (note.kind == kind and note.layer is not Layer.CORE))
        and (not status or note.status == status)
        and (not tag or tag in note.tags)
    ]
    document: dict[str, object] = {
        "notes": [_row(note) for note in notes],
        "left_out": [{"code": error.code, "message": error.message} for error in left_out],
    }
    if not notes and not (layer or kind or status or tag):
        frame.out.give(document, say("empty.notes"))
        return
    rows = ((note.id, note.layer.value, _kind(note), note.status, note.strength, note.title) for note in notes)
    frame.out.table(document, ("Id", "Layer", "Kind", "Status", "Strength", "Title"), rows)


def _row(note: Summary) -> dict[str, object]:
    members: dict[str, object] = dict(zip(_SHOWN, _shown(note), strict=True))
    members["kind"] = _kind(note)
    members["tags"] = note.tags
    members["one_liner"] = note.one_liner
    return members


def _kind(note: Summary) -> str:
    return "core" if note.layer is Layer.CORE else note.kind


_HEAD = ("kind", "layer", "status", "strength", "scope", "audience", "timing", "source", "origin", "confirmed")


@bank_command("show", example="tacit show mem://L1/MEM-7k3f9x2q#one-liner")
@click.argument("what", shell_complete=completing.note_ids)
def show_command(frame: Frame, what: str) -> None:
    """Show WHAT: a note, episode or task by its id, a note's file by its path, or what a mem:// pointer leads to.

    From MEMORY.md and details/, which are no notes, `tacit read` answers.
    """
    bank = frame.open()
    what = pointer.of_id(what)
    if what.startswith("mem://"):
        text = bank.resolve(what)
        frame.out.give({"pointer": what, "text": text}, text.rstrip("\r\n"))
        return
    try:
        found = Elsewhere(bank.get(what), bank.body(what))
    except NoteNotFound:
        elsewhere = bank.elsewhere(what)
        if elsewhere is None:
            raise
        found = elsewhere
        frame.out.warn(say("show.of_bank" if found.place else "show.of_team", id=found.note.id, bank=found.place))
    note, body = found.note, found.body
    document: dict[str, object] = {**as_fields(note), "body": body}
    frame.out.styled(f"{note.id}  {note.title}", bold=True)
    shown = "  ".join(f"{name}: {document[name]}" for name in _HEAD if document[name])
    frame.out.give(document, shown, note.file, "", body.strip("\r\n"))


@bank_command("search", example='tacit search "database migrations" -n 5')
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-n", "--number", type=click.IntRange(1, 100), default=10, show_default=True, help="How many at the most."
)
@click.option("--archived", is_flag=True, help="Archived notes too.")
def search_command(frame: Frame, query: tuple[str, ...], number: int, *, archived: bool) -> None:
    """Find notes and sections of details by their words and their meaning, best first."""
    hits = frame.open().search(" ".join(query), number, archived=archived)
    document: dict[str, object] = {"hits": [asdict(hit) for hit in hits]}
    if not hits:
        frame.out.give(document, say("search.none"))
        return
    rows = [(hit.id, f"{hit.score:.2f}", f"{hit.semantic:.2f}", f"{hit.keyword:.2f}", hit.title) for hit in hits]
    frame.out.table(document, ("Id", "Score", "Meaning", "Words", "Title"), rows)


@bank_command("recall", example='tacit recall "add a package for retries" --explain')
@click.argument("prompt", nargs=-1, required=True)
@click.option("--phase", type=click.Choice(["pre", "post"]), default="pre", show_default=True, help="Before or after.")
@click.option("--session", default="", help="Say a note only once in this session.")
@click.option("--turn", "turns", multiple=True, help="What was said before, oldest first; may be given twice.")
@click.option("--explain", is_flag=True, help="Show what was considered, with all scores, and why it was left out.")
def recall_command(
    frame: Frame, prompt: tuple[str, ...], phase: str, session: str, turns: tuple[str, ...], *, explain: bool
) -> None:
    """Give up to two notes worth saying for PROMPT, as an agent would get them; silence is an answer."""
    try:
        recall = frame.open().recall(" ".join(prompt), phase, session, turns=turns, explain=explain)
    except (StoreUnwritable, OSError) as error:  # what keeps a bank from being opened is no failure either
        told = unwritable(error) if isinstance(error, OSError) else error
        recall = Recall(abstained=True, reason=f"failed: {told.message}", notes=(), injection="")
    document: dict[str, object] = {
        "abstained": recall.abstained,
        "reason": recall.reason,
        "notes": [asdict(hit) for hit in recall.notes],
        "injection": recall.injection,
    }
    if explain:
        document |= {"considered": [asdict(hit) for hit in recall.considered], "mode": recall.mode}
        frame.out.styled(say("recall.mode", mode=answered_by(recall.mode)))
        if recall.considered:
            rows = [
                (
                    hit.id,
                    f"{hit.score:.2f}",
                    f"{hit.semantic:.2f}",
                    f"{hit.keyword:.2f}",
                    f"{hit.coverage:.2f}",
                    f"{hit.evidence:.2f}",
                    hit.verdict,
                )
                for hit in recall.considered
            ]
            frame.out.rows(("Id", "Score", "Meaning", "Words", "Coverage", "Evidence", "Verdict"), rows)
    frame.out.give(document, recall.injection or say("recall.silent", reason=recall.reason))
