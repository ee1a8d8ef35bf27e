"""Attempts to get past the gate by time and by files: proposals, notes, state, settings, environment and acts."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank import Bank, proposals
from tacit.errors import ProposalNotFound, TacitError
from tacit.govern import proposal as kept
from tests.unit.bank.attempts import MORE, World, attempt
from tests.unit.bank.talk import NPM, Talk

if TYPE_CHECKING:
    from collections.abc import Callable

# Time and replays


@attempt("a replayed answer")
def _(world: World) -> object:
    world.answer(world.merge, "confirm", "terminal")
    world.settled()
    return world.answer(world.merge, "confirm", "terminal")


@attempt("an answer after a decline")
def _(world: World) -> object:
    world.answer(world.merge, "cancel", "terminal")
    return world.answer(world.merge, "confirm", "terminal")


@attempt("an answer with the file of an answered proposal put back")
def _(world: World) -> object:
    content = world.file(world.merge).read_bytes()
    world.answer(world.merge, "cancel", "terminal")
    world.file(world.merge).write_bytes(content)
    return world.answer(world.merge, "confirm", "terminal")


@attempt("an answer to an expired proposal")
def _(world: World) -> object:
    world.clock.now = "2026-03-01T00:00:00Z"
    return world.answer(world.merge, "confirm", "terminal")


@attempt("the clock set back after it expired")
def _(world: World) -> object:
    world.clock.now = "2026-03-01T00:00:00Z"
    with pytest.raises(ProposalNotFound):
        world.answer(world.merge, "confirm", "terminal")
    world.clock.now = "2026-01-02T03:04:05Z"
    return world.answer(world.merge, "confirm", "terminal")


@attempt("an approval of what was shown earlier")
def _(world: World) -> object:
    return world.answer(world.merge, "confirm", "terminal", shown=proposals.find(world.bank._store, world.new).digest)


# Files of proposals


def put(**changes: Any) -> Callable[[dict[str, Any]], object]:  # noqa: ANN401  the members of a proposal
    """Set members of a proposal."""
    return lambda members: members.update(changes)


def swap_content(members: dict[str, Any]) -> None:
    """Put another text where the approved one was."""
    files = members["options"]["confirm"]["files"]
    files[0]["content"] = files[0]["content"].replace("pnpm", "curl | sh")


def swap_operation(members: dict[str, Any]) -> None:
    """Call a merge a new note, whose policy may be lower."""
    members["options"]["confirm"]["operation"] = "new"


def swap_target(members: dict[str, Any]) -> None:
    """Remove another note than the one that was shown."""
    members["options"]["confirm"]["files"][-1] |= {"file": "L1_declarative/MEM-other.md", "note_id": "MEM-other"}


def add_file(members: dict[str, Any]) -> None:
    """Let a yes to one thing do another one too."""
    more = {"file": "tacit.toml", "base": None, "content": "format = 1\n", "note_id": ""}
    members["options"]["confirm"]["files"].append(more)


def let_cancel_apply(members: dict[str, Any]) -> None:
    """Let a no do what a yes does."""
    members["options"]["cancel"] = members["options"]["confirm"]


FORGERIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "its content swapped": swap_content,
    "its operation swapped": swap_operation,
    "its target swapped": swap_target,
    "a file added": add_file,
    "its expiry extended": put(expires="2099-01-01T00:00:00Z"),
    "another nonce": put(nonce="x"),
    "another decision": put(decision="new"),
    "another payload": put(payload={}),
    "another bank": put(bank="0" * 64),
    "a digest of its own": put(digest="0" * 64),
    "an approval in it": put(approved=True),
    "a new option": lambda members: members["options"].update(all=members["options"]["confirm"]),
    "a cancel that applies": let_cancel_apply,
    "nothing but white space changed": lambda members: members.pop("format") and members.update(format=1),
}
for name, change in FORGERIES.items():

    @attempt(f"a proposal with {name}")
    def _(world: World, change: Callable[[dict[str, Any]], object] = change) -> object:
        world.forge(world.merge, change)
        return world.answer(world.merge, "cancel" if change is let_cancel_apply else "confirm", "terminal")


@attempt("a proposal copied under another id")
def _(world: World) -> object:
    content = world.file(world.merge).read_text(encoding="utf-8").replace(world.merge, "P-copied")
    world.file("P-copied").write_text(content, encoding="utf-8")
    return world.answer("P-copied", "confirm", "terminal")


@attempt("a proposal over another one")
def _(world: World) -> object:
    content = world.file(world.merge).read_text(encoding="utf-8").replace(world.merge, world.new)
    world.file(world.new).write_text(content, encoding="utf-8")
    return world.answer(world.new, "confirm", "terminal")


@attempt("a proposal of another bank")
def _(world: World) -> object:
    other = Talk(Bank.init(world.place / "foreign" / ".memory"))
    other.written()
    found = other.merge().proposal_id
    shutil.copy(other.bank.root / proposals.file_of(found), world.file(found))
    return world.answer(found, "confirm", "terminal")


@attempt("a proposal made by hand")
def _(world: World) -> object:
    found = proposals.find(world.bank._store, world.delete)
    world.file("P-forged").write_bytes(kept.dump(replace(found, id="P-forged")))
    return world.answer("P-forged", "confirm", "terminal")


for name, content in {
    "empty": b"",
    "no JSON": b"{",
    "nested too deep": b"[" * 200_000,
    "very large": b" " * 3_000_000,
    "half a surrogate": b'{"id": "\\ud800"}',
}.items():

    @attempt(f"a file of a proposal that is {name}")
    def _(world: World, content: bytes = content) -> object:
        world.file(world.merge).write_bytes(content)
        assert world.merge not in [each.proposal_id for each in world.bank.pending()]
        return world.answer(world.merge, "confirm", "terminal")


@attempt("a link in place of a proposal")
def _(world: World) -> object:
    aside = world.place / "aside.json"
    world.file(world.merge).rename(aside)
    world.file(world.merge).symlink_to(aside)
    assert world.merge not in [each.proposal_id for each in world.bank.pending()]
    return world.answer(world.merge, "confirm", "terminal")


@attempt("a fifo in place of a proposal")
def _(world: World) -> object:
    world.file(world.merge).unlink()
    os.mkfifo(world.file(world.merge))
    assert world.merge not in [each.proposal_id for each in world.bank.pending()]
    return world.answer(world.merge, "confirm", "terminal")


@attempt("a folder in place of a proposal")
def _(world: World) -> object:
    world.file(world.merge).unlink()
    world.file(world.merge).mkdir()
    assert world.merge not in [each.proposal_id for each in world.bank.pending()]
    return world.answer(world.merge, "confirm", "terminal")


@attempt("a link in place of the folder of proposals")
def _(world: World) -> object:
    folder = world.bank.root / "staging/proposals"
    aside = world.place / "aside"
    folder.rename(aside)
    folder.symlink_to(aside)
    return world.answer(world.merge, "confirm", "terminal")


@attempt("a link in place of staging")
def _(world: World) -> object:
    aside = world.place / "aside"
    (world.bank.root / "staging").rename(aside)
    (world.bank.root / "staging").symlink_to(aside)
    return world.answer(world.merge, "confirm", "terminal")


@attempt("proposing through a link in place of the folder of proposals")
def _(world: World) -> object:
    folder = world.bank.root / "staging/proposals"
    shutil.rmtree(folder)
    outside = world.place / "outside"
    outside.mkdir()
    folder.symlink_to(outside)
    try:
        return world.agent(**MORE)
    finally:
        assert list(outside.iterdir()) == []


# What even a proposal that the log vouches for may not do

for place in (
    "L0_core/values.md",
    "tacit.toml",
    "memory.lock",
    "MEMORY.md",
    "INDEX.md",
    "details/tech.md",
    "share/x.md",
    "../outside.md",
    "/etc/tacit",
    ".local/audit/audit-000001.ndjson",
    "staging/x",
    "L1_declarative/../tacit.toml",
    "L1_declarative/../../outside.md",
):

    @attempt(f"a vouched proposal that writes {place}")
    def _(world: World, place: str = place) -> object:
        there = world.bank.root / place
        content = there.read_bytes() if there.is_file() else None
        found = proposals.find(world.bank._store, world.new)
        base = None if content is None else sha256(content).hexdigest()
        file = kept.FileChange(place, base, "planted", "MEM-x")
        made = world.made_by_us(
            world.new, payload=None, options={"confirm": kept.Change("archive", (file,)), "cancel": None}
        )
        assert found.id != made
        try:
            return world.answer(made, "confirm", "terminal")
        finally:
            assert (there.read_bytes() if there.is_file() else None) == content or place.startswith(".local")


# The bank changed meanwhile


@attempt("the note was edited by an editor")
def _(world: World) -> object:
    path = world.bank.root / world.bank.locate(world.note)
    path.write_text(path.read_text(encoding="utf-8") + "\nby hand\n", encoding="utf-8")
    world.bank.heal()
    world.settled()
    return world.answer(world.merge, "confirm", "terminal")


@attempt("the note to delete was edited by an editor")
def _(world: World) -> object:
    path = world.bank.root / world.bank.locate(world.note)
    path.write_text(path.read_text(encoding="utf-8") + "\nby hand\n", encoding="utf-8")
    world.bank.heal()
    world.settled()
    return world.answer(world.delete, "confirm", "terminal")


@attempt("the note to archive was replaced by a checkout")
def _(world: World) -> object:
    path = world.bank.root / world.bank.locate(world.note)
    fresh = path.with_name("checkout.tmp")
    fresh.write_text(path.read_text(encoding="utf-8").replace("pnpm", "corepack pnpm"), encoding="utf-8")
    fresh.rename(path)
    world.bank.heal()
    world.settled()
    return world.answer(world.archive, "confirm", "terminal")


@attempt("the note to delete was deleted")
def _(world: World) -> object:
    world.bank.delete(world.note)
    world.settled()
    return world.answer(world.delete, "confirm", "terminal")


@attempt("the note to replace was replaced by another one of that id")
def _(world: World) -> object:
    path = world.bank.root / world.bank.locate(world.note)
    path.write_text(path.read_text(encoding="utf-8").replace(NPM, "use yarn to install packages"), encoding="utf-8")
    world.bank.heal()
    world.settled()
    return world.answer(world.replace, "confirm", "terminal")


# State, settings, environment

for state in ("OFF", "PAUSED", "PADDING", "", "on?"):

    @attempt(f"an answer while the state is {state!r}")
    def _(world: World, state: str = state) -> object:
        (world.bank.root / "memory.lock").write_text(state, encoding="utf-8")
        world.settled()
        return world.answer(world.merge, "confirm", "terminal")


for value in ('"unattended"', '"none"', '""', "0", "false", '"python"', '["unattended"]', "{}"):
    for operation in ("merge", "delete"):

        @attempt(f"gate.{operation} = {value} in tacit.toml")
        def _(world: World, value: str = value, operation: str = operation) -> object:
            path = world.bank.root / "tacit.toml"
            path.write_text(f"{path.read_text(encoding='utf-8')}\n[gate]\n{operation} = {value}\n", encoding="utf-8")
            world.settled()
            return world.reopen().answer(getattr(world, operation), "confirm", "command")


@attempt("gate.delete = elicitation in tacit.toml")
def _(world: World) -> object:
    path = world.bank.root / "tacit.toml"
    path.write_text(f'{path.read_text(encoding="utf-8")}\n[gate]\ndelete = "elicitation"\n', encoding="utf-8")
    world.settled()
    return world.reopen().answer(world.delete, "confirm", "elicitation")


@attempt("a lower gate by set_setting")
def _(world: World) -> object:
    return world.bank.set_setting("gate.merge", "unattended")


for name in ("YES", "CONFIRM", "CHANNEL", "ASSURANCE", "GATE_MERGE", "FORCE", "ROLE", "TRUST", "UNATTENDED", "TTY"):

    @attempt(f"TACIT_{name} in the environment")
    def _(world: World, name: str = name) -> object:
        with pytest.MonkeyPatch.context() as patch:
            for value in ("1", "terminal"):
                patch.setenv(f"TACIT_{name}", value)
                with pytest.raises(TacitError):
                    world.reopen().answer(world.merge, "confirm", "command")
            return world.agent(**MORE)


# Acts

for operation in ("new", "merge", "replace", "import", "init", "", "purge", "trash empty"):
    attempt(f"an act called {operation!r}")(
        lambda world, operation=operation: world.bank.propose_act(operation, world.note)  # type: ignore[misc]
    )
for what in ("tacit.toml", "L0_core/values.md", "../x.md", "MEMORY.md", "INDEX.md"):
    attempt(f"a proposal to delete {what}")(
        lambda world, what=what: world.bank.propose_act("delete", what)  # type: ignore[misc]
    )
