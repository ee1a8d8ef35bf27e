"""tacit index: the state of the search index, and making it anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@click.group("index", epilog="Example: tacit index status")
def command() -> None:
    """Show the state of the search index, or make it anew; it can be deleted at any time."""


@bank_command("status", word="index-status", example="tacit index status")
def status(frame: Frame) -> None:
    """Say what the index holds, which models answer, and whether it is sound."""
    bank = frame.open()
    state = bank.index_status()
    document: dict[str, object] = {
        "documents": state.documents,
        "vectors": dict(state.vectors),
        "mode": state.mode,
        "damage": list(state.damage),
        "unusable": dict(state.unusable),
    }
    lines = [say("index.documents", count=state.documents), say("recall.mode", mode=state.mode)]
    lines += [f"  {model}: {count}" for model, count in state.vectors.items()]
    lines += [*state.unusable.values(), *state.damage]
    frame.out.give(document, *lines)


@bank_command("rebuild", word="index-rebuild", example="tacit index rebuild")
def rebuild(frame: Frame) -> None:
    """Delete the index and make it anew from the files, with the vectors of every model."""
    bank = frame.open()
    with frame.out.progress() as progress:
        bank.rebuild_index(progress=progress)
    state = bank.index_status()
    frame.out.give(
        {"documents": state.documents, "vectors": dict(state.vectors)}, say("index.documents", count=state.documents)
    )


command.add_command(status)
command.add_command(rebuild)
