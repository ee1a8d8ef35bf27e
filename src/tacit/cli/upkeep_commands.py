"""Commands that say how the bank is and whether its promises hold, and look after it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.bank import extras
from tacit.bank.values import Check
from tacit.bank.wiring import home
from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say, translated
from tacit.text import one_line

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("check", example="tacit check --fix")
@click.option("--fix", is_flag=True, help="Heal a stale INDEX.md first.")
@click.option("--staged", is_flag=True, help="Check what git is about to commit, for a pre-commit hook.")
def check_command(frame: Frame, *, fix: bool, staged: bool) -> int:
    """Find what is wrong: broken notes, double ids, a stale INDEX, dangling pointers, a damaged log.

    Exits with 0 only if nothing is. Writes nothing without --fix.
    """
    bank = frame.open(heal=False)
    if fix:
        bank.must_be_writable("check --fix")
        if bank.heal():
            frame.out.warn(say("check.fixed"))
    count, problems = bank.check(staged=staged)
    for problem in problems:
        frame.out.styled(one_line(f"{problem.told} [{problem.code}]"), fg="red")
        frame.out.styled(f"  {problem.hint}")
    ok = not problems
    text = say("check.ok", count=count) if ok else say("check.found", problems=len(problems), count=count)
    frame.out.give({"ok": ok, "problems": [asdict(problem) for problem in problems]}, text)
    return 0 if ok else 1


@bank_command("drift", example="tacit drift --fix")
@click.option("--fix", is_flag=True, help="Make proposals of the fixes that can be made by exchanging words.")
def drift_command(frame: Frame, *, fix: bool) -> None:
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


_MOST_PROPOSALS = 20


@bank_command("govern", example="tacit govern --dry-run")
@click.option("--dry-run", is_flag=True, help="Only say what would be done and proposed.")
@click.option("--skip-govern", is_flag=True, help="Only bring INDEX.md and the notes together.")
def govern_command(frame: Frame, *, dry_run: bool, skip_govern: bool) -> None:
    """Bring INDEX.md in line with the notes, then look for what could be better, and propose it.

    Proposed are merges of notes that say the same, a choice between notes that clash, archiving what was superseded or
    long not recalled, better titles, and repairs of pointers, strength and scope. Nothing of it is done before you
    answer (`tacit review`), and what you declined is not proposed again.
    """
    bank = frame.open(to_write=not dry_run, heal=False, settle=not dry_run)
    with frame.out.progress() as progress:
        report = bank.govern(by=COMMAND, dry_run=dry_run, propose=not skip_govern, progress=progress)
    counts = {"orphans": report.orphan_rows, "unindexed": report.unindexed, "double": report.duplicate_ids}
    lines = [say("govern.index", **{name: len(each) for name, each in counts.items()})]
    lines += [
        say("govern.duplicate", id=each.id, files=each.files, winner=each.winner) for each in report.duplicate_ids
    ]
    if not skip_govern:
        count = len(report.proposals)
        said = "govern.nothing" if not count else "govern.would" if dry_run else "govern.found"
        lines.append(say(said, count=count))
        lines += [
            f"  {each.proposal_id or each.problem:<12}  {each.question.splitlines()[0]}"
            for each in report.proposals[:_MOST_PROPOSALS]
        ]
        if more := report.more + max(0, count - _MOST_PROPOSALS):
            lines.append(say("govern.more", count=more))
    frame.out.give_line({**asdict(report), "dry_run": dry_run}, *lines)


_MOST_NOTES = 10
_DAYS_SHOWN = 14


@bank_command("stats", example="tacit stats --days 30")
@click.option(
    "--days", type=click.IntRange(min=0), default=0, help="Only the last so many days (0: all that is logged)."
)
def stats_command(frame: Frame, days: int) -> None:
    """Show which notes were recalled and which never, how much was handed to agents, and how questions were answered.

    The figures come from a log of recalls on this machine, which holds no words, and from the log of operations.
    """
    found = frame.open(heal=False).stats(days)
    since = say("stats.since", since=found.since) if found.since else ""
    lines = [
        say("stats.notes", notes=found.notes, archived=found.archived, never=len(found.never_recalled)),
        say("stats.recalls", recalls=found.recalls, sessions=found.sessions, silent=found.silent, since=since),
        say("stats.injected", chars=found.injected_chars, tokens=found.injected_tokens),
        say("stats.answers", waiting=found.waiting, **found.answers),
    ]
    frame.out.give(asdict(found), *lines)
    if found.recalled:
        rows = [(str(each.recalls), each.last, each.id, each.title) for each in found.recalled[:_MOST_NOTES]]
        frame.out.rows(("Recalls", "Last", "Note", "Title"), rows)
    if found.never_recalled:
        rows = [("0", "-", each.id, each.title) for each in found.never_recalled[:_MOST_NOTES]]
        frame.out.rows(("Recalls", "Last", "Note", "Title"), rows)
    if found.days:
        frame.out.rows(
            ("Day", "Recalls", "Said", "Characters", "New", "Gone", "Notes"),
            [
                (each.day, *map(str, (each.recalls, each.said, each.chars, each.created, each.removed, each.notes)))
                for each in found.days[-_DAYS_SHOWN:]
            ],
        )


@bank_command("doctor", example="tacit doctor --json")
def doctor_command(frame: Frame) -> int:
    """Look at every promise of the bank, and at the hosts that are wired; say what holds. Changes nothing.

    Each hook of a host is fired once, as the host would, in a way that keeps nothing.
    """
    from tacit.hosts import examine  # dear to load, as its neighbours
    from tacit.hosts.catalogue import HOSTS
    from tacit.hosts.install import Installer

    bank = frame.open(heal=False, settle=False)
    root = bank.root.parent
    hosts = examine.examine(Installer(home(), Path.home(), root), HOSTS.values())
    checks = [*bank.doctor(), *(Check(each.name, each.ok, each.detail) for each in hosts)]
    if any(each.name.startswith("host ") for each in checks) and not extras.is_here("mcp"):
        checks.append(Check("mcp", ok=False, detail=say("doctor.mcp", how=extras.how("mcp"))))
    for check in checks:
        mark, colour = ("ok ", None) if check.ok else ("BAD", "red")
        frame.out.styled(f"{mark}  {check.name}: {translated(check.detail)}", fg=colour)
    bad = sum(not check.ok for check in checks)
    text = say("doctor.bad", bad=bad, count=len(checks)) if bad else say("doctor.ok", count=len(checks))
    document: dict[str, object] = {"ok": not bad, "state": bank.state, "checks": [asdict(check) for check in checks]}
    frame.out.give(document, say("state", state=bank.state), text)
    return 1 if bad else 0
