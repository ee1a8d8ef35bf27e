"""tacit read: what the details say to a question."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import bank_command
from tacit.entry.pack import conflict
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame
    from tacit.entry.pack import Pack


@bank_command("read", example='tacit read "how do I run the tests?"')
@click.argument("question", nargs=-1, required=True)
def command(frame: Frame, question: tuple[str, ...]) -> None:
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
