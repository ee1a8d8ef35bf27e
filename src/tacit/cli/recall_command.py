"""tacit recall: what would be said to an agent for a prompt."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli import telling
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("recall", example='tacit recall "add a package for retries" --explain')
@click.argument("prompt", nargs=-1, required=True)
@click.option("--phase", type=click.Choice(["pre", "post"]), default="pre", show_default=True, help="Before or after.")
@click.option("--session", default="", help="Say a note only once in this session.")
@click.option("--turn", "turns", multiple=True, help="What was said before, oldest first; may be given twice.")
@click.option("--explain", is_flag=True, help="Show what was considered, with all scores, and why it was left out.")
def command(
    frame: Frame, prompt: tuple[str, ...], phase: str, session: str, turns: tuple[str, ...], *, explain: bool
) -> None:
    """Give the nought to two notes worth saying for PROMPT, as an agent would get them; silence is an answer."""
    recall = frame.open().recall(" ".join(prompt), phase, session, turns=turns, explain=explain)
    document: dict[str, object] = {
        "abstained": recall.abstained,
        "reason": recall.reason,
        "notes": [asdict(hit) for hit in recall.notes],
        "injection": recall.injection,
    }
    if explain:
        document |= {"considered": [asdict(hit) for hit in recall.considered], "mode": recall.mode}
        frame.out.styled(say("recall.mode", mode=telling.mode(recall.mode)))
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
