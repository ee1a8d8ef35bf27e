"""tacit index: the state of the search index, and making it anew."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tacit.bank import extras
from tacit.cli import telling
from tacit.cli.frame import COMMAND, bank_command
from tacit.errors import DatabaseUnusable
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@click.group("index", epilog="Example: tacit index status")
def command() -> None:
    """Show the state of the search index, or make it anew; it can be deleted at any time."""


@bank_command("status", of=command, example="tacit index status")
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
        "backend": state.backend,
        "missing": dict(state.missing),
    }
    lines = [say("index.documents", count=state.documents), say(f"index.backend.{state.backend}")]
    lines += [say("recall.mode", mode=telling.mode(state.mode))]
    for model in {**state.vectors, **state.missing}:
        made, missing = state.vectors.get(model, 0), state.missing.get(model, 0)
        key = "index.vectors.following" if missing else "index.vectors"
        lines.append(say(key, model=model, made=made, missing=missing))
    lines += [*state.unusable.values(), *state.damage]
    if state.unusable and not extras.is_here("semantic"):
        lines.append(say("model.extra", how=extras.how("semantic")))
    frame.out.give(document, *lines)


@bank_command("rebuild", of=command, example="tacit index rebuild")
@click.option(
    "--backend",
    type=click.Choice(["sqlite", "postgres"]),
    help="Keep it there from now on: in a file, or in the database that TACIT_POSTGRES_URL names.",
)
def rebuild(frame: Frame, backend: str | None) -> None:
    """Delete the index and make it anew from the files, with the vectors of every model."""
    bank = frame.open(to_write=backend is not None)
    if backend is not None:
        if backend == "postgres" and not os.environ.get("TACIT_POSTGRES_URL"):
            raise DatabaseUnusable(reason="TACIT_POSTGRES_URL is not set")
        bank.set_setting("index.backend", backend, by=COMMAND)
    with frame.out.progress() as progress:
        bank.rebuild_index(progress=progress)
    state = bank.index_status()
    frame.out.give(
        {"documents": state.documents, "vectors": dict(state.vectors)}, say("index.documents", count=state.documents)
    )
