"""tacit list: the notes at a glance."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.messages import say
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
def command(frame: Frame, layer: str | None, kind: str | None, status: str | None, tag: str | None) -> None:
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
