"""Commands that deal with other memories: bring one in, write this one out, mount one, share with a team."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit import link
from tacit.audit.record import Channel
from tacit.bank import By, models
from tacit.bank.exporting import FORMATS
from tacit.bank.wiring import BANK_DIRECTORY
from tacit.cli import completing, terminal
from tacit.cli.frame import COMMAND, NamedPath, bank_command
from tacit.formats.recognise import READERS
from tacit.messages import say
from tacit.store.layout import SHARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.bank.exporting import Export
    from tacit.bank.importing import Imported
    from tacit.bank.intake import Plan
    from tacit.bank.sharing import ShareStatus
    from tacit.cli.frame import Frame

_SHOWN = 20
_MANY = 100


@bank_command("import", example="tacit import ../old-project/memory-bank")
@click.argument("path", type=NamedPath(path_type=Path))
@click.option("--format", "wish", type=click.Choice(sorted(READERS)), help="What PATH is, where Tacit does not tell.")
@click.option("--dry-run", is_flag=True, help="Show the plan and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def import_command(frame: Frame, path: Path, wish: str | None, *, dry_run: bool, yes: bool) -> None:
    """Bring another memory in: a LingXi, layered or memory bank, AGENTS.md, Cursor rules and others, or plain Markdown.

    PATH is its folder, its file, or the project that holds it. Short texts become notes, long ones documents below
    details/. What is here already is skipped, what holds a secret refused, and what meets another note is asked about.
    One `tacit undo` takes all of it back.
    """
    bank = frame.open(to_write=True)
    importer = bank.importer
    asks = terminal.is_there() and not (yes or dry_run)
    by = By(Channel.TERMINAL) if asks else COMMAND
    with frame.out.progress() as progress:
        plan = importer.plan(path, wish or "", by=by, progress=progress)
    _show_plan(frame, plan)
    if dry_run:
        _give_imported(frame, plan, None, say("import.planned"))
        return
    if asks and (plan.notes or plan.documents or plan.questions):
        frame.ask("import", say("import.ask"))
    done = importer.carry_out(plan, path, wish or "", by=by)
    count = len(done.plan.notes) + len(done.plan.documents)
    if count >= _MANY:
        with frame.out.progress() as progress:  # so that the next question need not wait for it
            bank.recaller.reindexer.catch_up(force=True, progress=progress)
    lines = [say("import.made", count=count, operation=done.operation_id)] if done.operation_id else []
    lines += [say("import.asked", count=len(done.proposals))] if done.proposals else []
    if count and models.installed():
        link.follow(str(bank.root))
        lines.append(say("import.vectors"))
    _give_imported(frame, done.plan, done, *(lines or [say("import.nothing")]))


def _show_plan(frame: Frame, plan: Plan) -> None:
    """Print the plan for people: counts first, then what is refused and why."""
    frame.out.styled(say("import.format", format=plan.format, found=plan.found))
    counts = {name: len(getattr(plan, name)) for name in ("notes", "documents", "skipped", "refused")}
    frame.out.styled(say("import.counts", **counts))
    for key, items in (
        ("import.ask_counts", plan.questions),
        ("import.quarantined", plan.quarantined),
        ("import.left_out", plan.left_out),
    ):
        if items:
            frame.out.styled(say(key, count=len(items)))
    for item, reason in plan.refused[:_SHOWN]:
        frame.out.styled(f"  - {item}: {reason}", fg="yellow")
    if len(plan.refused) > _SHOWN:
        frame.out.styled(f"  {say('import.more', count=len(plan.refused) - _SHOWN)}")


def _give_imported(frame: Frame, plan: Plan, done: Imported | None, *lines: str) -> None:
    document: dict[str, object] = {
        "format": plan.format,
        "found": plan.found,
        "imported": len(plan.notes) + len(plan.documents) if done else 0,
        "skipped": len(plan.skipped),
        "refused": _items(plan.refused),
        "questions": len(plan.questions),
        "applied": done is not None,
        "operation_id": done.operation_id if done else "",
        "notes": [
            {"item": each.path, "id": each.note.id if each.note else "", "file": each.file} for each in plan.notes
        ],
        "documents": [{"item": each.path, "file": each.file} for each in plan.documents],
        "proposals": list(done.proposals) if done else [],
        "known": _items(plan.skipped),
        "left_out": _items(plan.left_out),
        "quarantined": plan.quarantined,
    }
    frame.out.give(document, *lines)


def _items(found: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"item": item, "reason": reason} for item, reason in found]


@bank_command("export", example="tacit export lingxi .cursor/.lingxi/memory")
@click.argument("name", metavar="FORMAT", type=click.Choice(FORMATS))
@click.argument("folder", metavar="DIR", type=NamedPath(path_type=Path, file_okay=False))
@click.option("--personal", is_flag=True, help="Include notes for yourself alone.")
@click.option("--local", is_flag=True, help="Include notes with status local.")
@click.option("--overwrite", is_flag=True, help="Replace files in DIR that differ.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def export_command(
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
    _give_exported(frame, export, folder, dry_run=dry_run)


def _give_exported(frame: Frame, export: Export, folder: Path, *, dry_run: bool) -> None:
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


@bank_command("mount", example="tacit mount ../platform/.memory")
@click.argument("path", required=False, type=NamedPath(path_type=Path))
@click.option("--format", "wish", type=click.Choice(sorted(READERS)), help="What PATH is, where Tacit does not tell.")
@click.option("--remove", is_flag=True, help="Unmount PATH.")
@click.option("--list", "lists", is_flag=True, help="List what is mounted.")
def mount_command(frame: Frame, path: Path | None, wish: str | None, *, remove: bool, lists: bool) -> None:
    """Let another memory take part in recall where it is; it is read, never written, and nothing of it is copied.

    PATH may be a bank of Tacit's or any format that `tacit import` reads. Mounts belong to this machine. Without PATH
    they are listed.
    """
    if path is None or lists:
        _list_mounts(frame)
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


def _list_mounts(frame: Frame) -> None:
    mounts = frame.open().mounts.listed()
    if not mounts:
        frame.out.give({"mounts": []}, say("empty.mounts"))
        return
    members = [{"path": each.path, "format": each.format, "there": each.is_there} for each in mounts]
    rows = [[each.format, each.path if each.is_there else say("mount.gone", path=each.path)] for each in mounts]
    frame.out.table({"mounts": members}, ("Format", "Path"), rows)


@click.group("share", epilog="Example: tacit share add https://git.example.com/team/memory.git")
def share_command() -> None:
    """Mount team notes from another repository, pull what the team wrote, give notes to it."""


@bank_command("add", of=share_command, example="tacit share add https://git.example.com/team/memory.git")
@click.argument("url")
def add(frame: Frame, url: str) -> None:
    """Mount the repository at URL as a git submodule at share/; its notes take part in recall."""
    bank = frame.open(to_write=True)
    status = bank.share.add(url, by=COMMAND)
    frame.out.give(_document(status), say("share.added"), *_lines(status))
    if not status.notes and (bank.root / SHARE / BANK_DIRECTORY).is_dir():
        frame.out.warn(say("share.bank_inside"))


@bank_command("update", of=share_command, example="tacit share update")
def update(frame: Frame) -> None:
    """Pull what the team wrote, look at it with the guards, and tell what is new."""
    done = frame.open(to_write=True).share.update(by=COMMAND)
    counts = {"added": len(done.added), "changed": len(done.changed), "removed": len(done.removed)}
    members = {name: list(getattr(done, name)) for name in counts}
    frame.out.give({**members, **_document(done.now)}, say("share.updated", **counts), *_lines(done.now))


@bank_command("status", of=share_command, example="tacit share status")
def status(frame: Frame) -> None:
    """Show what is mounted, which notes the project overrides, and which are kept from agents."""
    found = frame.open().share.status()
    frame.out.give(_document(found), *_lines(found))


@bank_command("export", of=share_command, example="tacit share export --dry-run")
@click.argument("ids", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Tell what would be written, and write nothing.")
def export(frame: Frame, ids: tuple[str, ...], *, dry_run: bool) -> None:
    """Write the team's notes that hold in other projects to share/: all that qualify, or those of IDS that do.

    A note qualifies with audience team, portability cross-project, status active, and either validated or enforced, or
    of kind pattern, decision, reference or tech. One that the team has in other words is replaced only if it is named.
    Commit and push share/ with git afterwards.
    """
    done = frame.open(to_write=not dry_run).share.export(ids, dry_run=dry_run, by=COMMAND)
    lines = [say("share.exported", written=len(done.written), same=len(done.same), left=len(done.left_out))]
    left = [{"id": note_id, "why": why} for note_id, why in done.left_out.items()]
    usual = () if ids else ("audience", "portability", "status", "strength")
    lines += [say("share.left_out", **each) for each in left if not each["why"].startswith(usual)]
    members = {**asdict(done), "left_out": left}
    frame.out.give(members, *lines)


@bank_command("override", of=share_command, example="tacit share override MEM-7k3f9x2q")
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
