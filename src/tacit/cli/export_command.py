"""tacit export: the bank in another format, and what that cannot carry."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.bank.exporting import FORMATS
from tacit.cli import terminal
from tacit.cli.frame import bank_command
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.bank.exporting import Export
    from tacit.cli.frame import Frame


@bank_command("export", example="tacit export lingxi .cursor/.lingxi/memory")
@click.argument("name", metavar="FORMAT", type=click.Choice(FORMATS))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--personal", is_flag=True, help="Include notes for yourself alone.")
@click.option("--local", is_flag=True, help="Include notes with status local.")
@click.option("--overwrite", is_flag=True, help="Replace files in DIR that differ.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def command(
    frame: Frame, name: str, folder: Path, *, personal: bool, local: bool, overwrite: bool, dry_run: bool
) -> None:
    """Write the bank to DIR as a LingXi memory, a layered memory or a memory bank; say what the format cannot carry.

    Files in DIR that are none of the export's stay. Personal notes and those with status local are left out.
    """
    bank = frame.open()
    exporter = bank.exporter
    export = exporter.plan(name, folder, personal=personal, local=local)
    if not dry_run:
        if export.differing and not overwrite and terminal.is_there():
            frame.ask("export", say("export.ask", count=len(export.differing), folder=str(folder)))
            overwrite = True
        exporter.write(export, overwrite=overwrite)
    for head, items in ((say("export.cannot", format=name), export.lost), (say("export.left"), export.left_out)):
        if items:
            frame.out.styled(head)
        for item in items:
            frame.out.styled(f"  - {item}")
    _give(frame, export, folder, dry_run=dry_run)


def _give(frame: Frame, export: Export, folder: Path, *, dry_run: bool) -> None:
    count = len(export.files) if dry_run else len(export.written)
    told = say("export.made", folder=str(folder), count=count, notes=export.notes)
    if dry_run:
        told = say("import.planned")
    elif not count:
        told = say("export.same", folder=str(folder))
    frame.out.give(
        {
            "format": export.format,
            "folder": str(export.folder),
            "notes": export.notes,
            "files": sorted(export.files),
            "written": export.written,
            "not_carried": export.lost,
            "left_out": export.left_out,
            "differing": export.differing,
        },
        told,
    )
