"""tacit mount: another memory that takes part in recall, read where it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli.frame import COMMAND, bank_command
from tacit.formats.recognise import READERS
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("mount", example="tacit mount ../platform/.memory")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--format", "wish", type=click.Choice(sorted(READERS)), help="What PATH is, where Tacit does not tell.")
@click.option("--remove", is_flag=True, help="Unmount PATH.")
@click.option("--list", "lists", is_flag=True, help="List what is mounted.")
def command(frame: Frame, path: Path | None, wish: str | None, *, remove: bool, lists: bool) -> None:
    """Let another memory take part in recall where it is; it is read, never written, and nothing of it is copied.

    PATH may be a bank of Tacit's or any format that `tacit import` reads. Mounts belong to this machine. Without PATH
    they are listed.
    """
    if path is None or lists:
        _list(frame)
        return
    bank = frame.open(to_write=True)
    if remove:
        bank.mounts.remove(path, by=COMMAND)
        frame.out.give({"path": str(path.absolute()), "mounted": False}, say("mount.removed", path=str(path)))
        return
    mount, count, refused = bank.mounts.add(path, wish or "", by=COMMAND)
    frame.out.give(
        {"path": mount.path, "format": mount.format, "documents": count, "mounted": True},
        say("mount.made", path=mount.path, format=mount.format, count=count),
    )
    for item, reason in refused:
        frame.out.warn(f"  - {item}: {reason}")


def _list(frame: Frame) -> None:
    mounts = frame.open().mounts.listed()
    if not mounts:
        frame.out.give({"mounts": []}, say("empty.mounts"))
        return
    members = [{"path": each.path, "format": each.format, "there": each.is_there} for each in mounts]
    rows = [[each.format, each.path if each.is_there else say("mount.gone", path=each.path)] for each in mounts]
    frame.out.table({"mounts": members}, ["FORMAT", "PATH"], rows)
