"""tacit doctor: whether the promises hold here."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.bank import extras
from tacit.bank.values import Check
from tacit.bank.wiring import home
from tacit.cli.frame import bank_command
from tacit.hosts import examine
from tacit.hosts.catalogue import HOSTS
from tacit.hosts.install import Installer
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("doctor", example="tacit doctor --json")
def command(frame: Frame) -> int:
    """Look at every promise of the bank, and at the hosts that are wired; say what holds. Changes nothing.

    Each hook of a host is fired once, as the host would, in a way that keeps nothing.
    """
    bank = frame.open(heal=False, settle=False)
    root = bank.root.parent
    hosts = examine.examine(Installer(home(), Path.home(), root), HOSTS.values())
    checks = [*bank.doctor(), *(Check(each.name, each.ok, each.detail) for each in hosts)]
    if any(each.name.startswith("host ") for each in checks) and not extras.is_here("mcp"):
        checks.append(Check("mcp", ok=False, detail=say("doctor.mcp", how=extras.how("mcp"))))
    for check in checks:
        mark, colour = ("ok ", None) if check.ok else ("BAD", "red")
        frame.out.styled(f"{mark}  {check.name}: {check.detail}", fg=colour)
    bad = sum(not check.ok for check in checks)
    text = say("doctor.bad", bad=bad, count=len(checks)) if bad else say("doctor.ok", count=len(checks))
    document: dict[str, object] = {"ok": not bad, "state": bank.state, "checks": [asdict(check) for check in checks]}
    frame.out.give(document, say("state", state=bank.state), text)
    return 1 if bad else 0
