"""tacit drift: where documents and project differ."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("drift", example="tacit drift --fix")
@click.option("--fix", is_flag=True, help="Make proposals of the fixes that can be made by exchanging words.")
def command(frame: Frame, *, fix: bool) -> None:
    """Find where documents and notes differ from the project: commands, versions, paths, variables and names.

    Each difference says whom to trust and what the least fix is; nothing is changed.
    """
    bank = frame.open(to_write=fix)
    found = bank.entry.drift()
    made = bank.entry.propose_fixes(by=COMMAND) if fix else []
    for each in found:
        frame.out.styled(f"{each.file}:{each.line}: {each.description} [{each.type}, {each.severity}]")
        frame.out.styled(f"  {say('drift.fix', fix=each.minimal_fix, source=each.trust_source)}")
    lines = [say("drift.found", count=len(found)) if found else say("drift.none")]
    lines += [say("detail.proposed", proposal=each.proposal_id, target=each.target) for each in made]
    frame.out.give(
        {
            "findings": [asdict(each) for each in found],
            "proposals": [{"proposal_id": each.proposal_id, "target": each.target} for each in made],
        },
        *lines,
    )
