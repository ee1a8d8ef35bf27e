"""tacit search: find notes and sections, with both paths' scores."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("search", example='tacit search "database migrations" -n 5')
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-n", "--number", type=click.IntRange(1, 100), default=10, show_default=True, help="How many at the most."
)
@click.option("--archived", is_flag=True, help="Archived notes too.")
def command(frame: Frame, query: tuple[str, ...], number: int, *, archived: bool) -> None:
    """Find notes and sections of details by their words and their meaning, best first."""
    hits = frame.open().search(" ".join(query), number, archived=archived)
    document: dict[str, object] = {"hits": [asdict(hit) for hit in hits]}
    if not hits:
        frame.out.give(document, say("search.none"))
        return
    rows = [(hit.id, f"{hit.score:.2f}", f"{hit.semantic:.2f}", f"{hit.keyword:.2f}", hit.title) for hit in hits]
    frame.out.table(document, ("Id", "Score", "Meaning", "Words", "Title"), rows)
