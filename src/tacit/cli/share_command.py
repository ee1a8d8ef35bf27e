"""tacit share: team notes from another repository."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.bank.sharing import ShareStatus
    from tacit.cli.frame import Frame


@click.group("share", epilog="Example: tacit share add https://git.example.com/team/memory.git")
def command() -> None:
    """Mount team notes from another repository, pull what the team wrote, give notes to it."""


@bank_command("add", of=command, example="tacit share add https://git.example.com/team/memory.git")
@click.argument("url")
def add(frame: Frame, url: str) -> None:
    """Mount the repository at URL as a git submodule at share/; its notes take part in recall."""
    status = frame.open(to_write=True).share.add(url, by=COMMAND)
    frame.out.give(_document(status), say("share.added"), *_lines(status))


@bank_command("update", of=command, example="tacit share update")
def update(frame: Frame) -> None:
    """Pull what the team wrote, look at it with the guards, and tell what is new."""
    done = frame.open(to_write=True).share.update(by=COMMAND)
    counts = {"added": len(done.added), "changed": len(done.changed), "removed": len(done.removed)}
    members = {name: list(getattr(done, name)) for name in counts}
    frame.out.give({**members, **_document(done.now)}, say("share.updated", **counts), *_lines(done.now))


@bank_command("status", of=command, example="tacit share status")
def status(frame: Frame) -> None:
    """Show what is mounted, which notes the project overrides, and which are kept from agents."""
    found = frame.open().share.status()
    frame.out.give(_document(found), *_lines(found))


@bank_command("export", of=command, example="tacit share export --dry-run")
@click.argument("ids", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Tell what would be written, and write nothing.")
def export(frame: Frame, ids: tuple[str, ...], *, dry_run: bool) -> None:
    """Write the team's notes that hold in other projects to share/: all that qualify, or those of IDS that do.

    A note qualifies with audience team, portability cross-project, status active, and either validated or enforced, or
    of kind pattern, decision, reference or tech. Commit and push share/ with git afterwards.
    """
    done = frame.open(to_write=not dry_run).share.export(ids, dry_run=dry_run, by=COMMAND)
    lines = [say("share.exported", written=len(done.written), same=len(done.same), left=len(done.left_out))]
    if ids:
        lines += [say("share.left_out", id=note_id, why=why) for note_id, why in done.left_out.items()]
    members = {**asdict(done), "left_out": [{"id": note_id, "why": why} for note_id, why in done.left_out.items()]}
    frame.out.give(members, *lines)


@bank_command("override", of=command, example="tacit share override MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def override(frame: Frame, note_id: str) -> None:
    """Copy a team note into the project under the same id; the project's text wins from now on."""
    done = frame.open(to_write=True).share.override(note_id, by=COMMAND)
    frame.out.give({"id": note_id, "file": done.files[0]}, say("share.overridden", id=note_id, file=done.files[0]))


def _document(found: ShareStatus) -> dict[str, object]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(found).items()}


def _lines(found: ShareStatus) -> list[str]:
    lines = [say("share.status", url=found.url, notes=found.notes)]
    lines += [say("share.overrides", id=each) for each in found.overridden]
    lines += [say("share.quarantined", file=each) for each in (*found.quarantined, *found.broken)]
    return lines
