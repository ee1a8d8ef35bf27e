"""Commands that change, remove and bring back single notes."""

from __future__ import annotations

import os
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say
from tacit.note.model import Layer
from tacit.project import git

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("tag", example="tacit tag MEM-7k3f9x2q release -old")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
@click.argument("tags", nargs=-1, required=True, type=click.UNPROCESSED)
def tag_command(frame: Frame, note_id: str, tags: tuple[str, ...]) -> None:
    """Add TAGS to a note; a tag with a minus before it is removed."""
    if any(tag.startswith("--") for tag in tags):  # the word itself is not told: it may be a pasted key
        message = "No tag begins with --: a tag alone is added, one with a single minus before it is removed."
        raise click.UsageError(message)
    removed = [tag[1:] for tag in tags if tag.startswith("-")]
    added = [tag for tag in tags if not tag.startswith("-")]
    bank = frame.open(to_write=True)
    frame.settle_doubts("tag", bank.doubts({"tags": "\n".join(added)}))
    note = bank.tag(note_id, add=added, remove=removed, by=COMMAND)
    frame.out.give({"id": note.id, "tags": list(note.tags)}, say("tag.made", id=note.id, tags=", ".join(note.tags)))


# What begins with a minus is a tag to remove, not an option: -h among them.
tag_command.context_settings.update(ignore_unknown_options=True, help_option_names=["--help"])


@bank_command("move", example="tacit move MEM-7k3f9x2q --layer L2")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
@click.option("--layer", type=click.Choice(["L1", "L2"]), required=True)
def move_command(frame: Frame, note_id: str, layer: str) -> None:
    """Move a note to another layer; its id stays."""
    bank = frame.open(to_write=True)
    done = bank.move(note_id, Layer(layer), by=COMMAND)
    note = bank.get(note_id)
    document: dict[str, object] = {"id": note.id, "file": note.file, "operation_id": done.operation_id}
    frame.out.give(document, say("move.made", id=note.id, file=note.file))


@bank_command("confirm", example="tacit confirm MEM-7k3f9x2q")
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=completing.note_ids)
def confirm_command(frame: Frame, ids: tuple[str, ...]) -> None:
    """Vouch for notes as they are now, whoever wrote them; you are asked on the terminal.

    With the setting `trust` at strict, agents hear only what was written or confirmed through Tacit on this machine.
    A confirmation holds for the content: a note that is changed by git or by hand has to be confirmed again. It also
    lets a note pass that is kept from agents because it reads like an order to them, until anything in it changes; the
    question says which ones are.
    """
    bank = frame.open(to_write=True)
    found = {each: "; ".join(bank.objections(each)) for each in ids}
    warnings = [say("confirm.apart", id=each, kinds=kinds) for each, kinds in found.items() if kinds]
    notes = [f"{each}: {bank.get(each).one_liner or bank.get(each).title}" for each in ids]
    shown = "\n".join((*notes, *warnings))
    by = frame.ask("confirm", say("confirm.ask", notes=shown))
    done = bank.confirm(ids, by=by)
    members: dict[str, object] = {"confirmed": list(done.note_ids), "operation_id": done.operation_id}
    frame.out.give(members, say("confirm.done", count=len(done.note_ids)))


@bank_command("archive", example="tacit archive MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def archive_command(frame: Frame, note_id: str) -> None:
    """Archive a note after asking on the terminal: it stays in the bank and is recalled no more.

    Without a terminal it waits as a proposal for `tacit review`.
    """
    bank = frame.open(to_write=True)
    note = bank.get(note_id)
    by = frame.ask_or_propose(bank, "archive", note_id, say("archive.ask", id=note.id, title=note.title))
    done = bank.archive(note_id, by=by)
    document: dict[str, object] = {"id": note.id, "file": note.file, "operation_id": done.operation_id}
    frame.out.give(document, say("archive.made", id=note.id))


@bank_command("delete", example="tacit delete MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def delete_command(frame: Frame, note_id: str) -> None:
    """Move a note to the trash after asking on the terminal; `tacit restore` brings it back.

    Without a terminal it waits as a proposal for `tacit review`.
    """
    bank = frame.open(to_write=True)
    note = bank.get(note_id)
    by = frame.ask_or_propose(bank, "delete", note_id, say("delete.ask", id=note.id, title=note.title))
    done = bank.delete(note_id, by=by)
    document: dict[str, object] = {"id": note.id, "file": note.file, "operation_id": done.operation_id}
    frame.out.give(document, say("delete.made", id=note.id))


@bank_command("restore", example="tacit restore MEM-7k3f9x2q")
@click.argument("what")
def restore_command(frame: Frame, what: str) -> None:
    """Bring back WHAT: a note's id, its path, or the operation that removed it.

    If another file stands in its place or bears its id you are asked on the terminal; without one it waits as a
    proposal.
    """
    bank = frame.open(to_write=True)
    item = next((item for item in bank.trash() if what in (item.note_id, item.file, item.operation_id)), None)
    taken = item is not None and item.taken
    by = COMMAND
    if item is not None and taken:
        by = frame.ask_or_propose(bank, "restore", what, say("restore.ask", file=", ".join(item.standing)))
    done = bank.restore(what, over=taken, by=by)
    document: dict[str, object] = {"id": done.note_ids[0], "file": done.files[0], "operation_id": done.operation_id}
    frame.out.give(document, say("restore.made", id=done.note_ids[0], file=done.files[0]))


@click.group("trash", epilog="Example: tacit trash list")
def trash_command() -> None:
    """List what was removed, or destroy what is older than the retention time."""


@bank_command("list", of=trash_command, example="tacit trash list")
def list_items(frame: Frame) -> None:
    """List the removed notes that `tacit restore` can bring back."""
    items = frame.open().trash()
    document: dict[str, object] = {"items": [asdict(item) for item in items]}
    if not items:
        frame.out.give(document, say("empty.trash"))
        return
    rows = [(item.note_id, item.removed, item.operation_id, item.title) for item in items]
    frame.out.table(document, ("Id", "Removed", "Operation", "Title"), rows)


@bank_command("empty", of=trash_command, example="tacit trash empty --days 90")
@click.option("--days", type=click.IntRange(min=0), help="Spare what is younger (default: trash.retention_days).")
def empty(frame: Frame, days: int | None) -> None:
    """Destroy for good what is older than the retention time, after asking on the terminal."""
    bank = frame.open(to_write=True)
    victims = bank.expired(days=days)
    if not victims:
        kept = bank.settings.number("trash.retention_days") if days is None else days
        frame.out.give({"destroyed": 0}, say("trash.none", days=kept))
        return
    doomed = {kept.journal.operation_id for kept in victims}
    notes = sum(item.operation_id in doomed for item in bank.trash())
    by = frame.ask("trash empty", say("trash.ask", operations=len(victims), notes=notes))
    count = bank.empty_trash(days=days, by=by)
    frame.out.give({"destroyed": count}, say("trash.made", operations=count))


# Tasks and episodes hold more than one note: whoever loses one is told which.
_TASKS = (f"{Layer.WORKING.folder}/", f"{Layer.EPISODIC.folder}/")


@bank_command("purge", example="tacit purge MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def purge_command(frame: Frame, note_id: str) -> None:
    """Destroy every trace of a note in the bank, its trash and its caches, after asking on the terminal.

    Running tasks lose what they have loaded and noted of it and go on; a task or an episode that it came from goes as a
    whole, and so do versions in the trash of other notes that quote it: the question names them. The log keeps a line
    that it happened, without the content. Documents that stay and quote it are named. git's history is not touched: how
    to clean it is told.
    """
    bank = frame.open(to_write=True)
    found = bank.traces(note_id)
    whole = [part for part in found.parts if part.startswith(_TASKS)]
    question = say("purge.ask", id=note_id, parts=len(found.parts))
    if along := [*whole, *found.others]:
        question = f"{say('purge.tasks', files=', '.join(along))} {question}"
    by = frame.ask("purge", question)
    file, destroyed = bank.purge(note_id, by=by)
    inside = git.place_of(bank.root)
    paths = " ".join(f"--path {shlex.quote(f'{inside}{path}')}" for path in found.paths)
    left = [say("purge.left", files=", ".join(found.left))] if found.left else []
    staged = git.run(bank.root, "--literal-pathspecs", "diff", "--cached", "--name-only", "-z", "--", *found.paths)
    if staged:
        names = " ".join(shlex.quote(f":/{os.fsdecode(each)}") for each in staged.split(b"\0")[:-1])
        left.insert(0, say("purge.staged", paths=names))
    document: dict[str, object] = {"id": note_id, "file": file, "destroyed": destroyed}
    frame.out.give(document, say("purge.made", id=note_id), say("purge.git", paths=paths), *left)
