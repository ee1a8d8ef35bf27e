"""The files that a new bank starts with, and the steps that bring one of an older format up to this one."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from tacit import fsio, settings
from tacit.audit.record import Event, Record
from tacit.bank import state as states
from tacit.bank.state import State
from tacit.errors import PathTaken, StateRefused, TacitError, unwritable
from tacit.formats import index_table
from tacit.project import git
from tacit.settings import parse
from tacit.store.layout import ENTRY, FORMAT_VERSION, INDEX, README, SETTINGS, SKELETON, STATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tacit.bank.values import By
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

    Step = Callable[[Transaction], None]

_README = """\
# This is a memory bank

People and their coding agents keep here what they must not forget, as plain Markdown. Read and edit it freely:
the files are the truth, and everything Tacit derives from them can be made again.

- `MEMORY.md` is what an agent reads first. `INDEX.md` lists every note; it is generated, edits in it are lost.
- `L0_core/` holds identity, standing instructions and values: always loaded, written by people alone.
- `L1_declarative/` says what is: conventions, preferences, decisions, facts.
- `L2_procedural/` says how to: workflows, runbooks, patterns, troubleshooting.
- `L3_episodic/` keeps finished tasks, `L4_working/` running ones, `details/` longer documents.
- A note is one file with front matter and fixed sections; `references/note-template.md` shows it.

Rules for notes

1. One note, one point. *When to load* says when it matters, *One-liner* what to do then.
2. Never a password, key, token or personal data of a customer.
3. What is only true for one task is no note: it belongs to the task.
4. An agent proposes, a person decides. Removed notes are in the trash and can be brought back.

`tacit check` says whether everything is in order; `tacit log` and `tacit undo` show and take back what was done.
"""

ENTRY_STUB = """\
# Project memory

What an agent reads first. Keep it short.

- All notes: `INDEX.md`. Always in force: `L0_core/`. Longer documents: `details/`.
"""

_TEMPLATE = """\
---
id: MEM-template
title: A short name for the decision
kind: decision
level: principle
status: active
strength: validated
scope: medium
audience: project
portability: project-only
timing: pre
source: manual
origin: hand
---

## When to load

- when this matters, one to three lines

## One-liner

In one sentence: what to do then.

## Decision

What was decided, and why.

### Signals

How to recognise the situation.

### Alternatives

What was not chosen.

### Counter-signals

When it does not hold.
"""

_IGNORED = """\
# Private to this machine: state, working memory, running transactions, trash and everything derived.
/memory.lock
/L4_working/
/staging/
/.trash/
/.local/
/conflicts/
"""

ATTRIBUTES = """\
# Generated tables: git may join both sides, Tacit heals the rest. Notes keep their bytes on every system.
INDEX.md merge=union -text
L3_episodic/INDEX.md merge=union -text
*.md -text
"""

_FILES = {
    SETTINGS: settings.TEMPLATE.format(format=FORMAT_VERSION),
    README: _README,
    ENTRY: ENTRY_STUB,
    "references/note-template.md": _TEMPLATE,
    ".gitignore": _IGNORED,
    ".gitattributes": ATTRIBUTES,
    STATE: f"{State.ON}\n",
}


def make(store: Store, by: By) -> list[str]:
    """Make what is missing of a bank, in one transaction; return the names of what was made."""
    root = store.layout.root
    try:
        state = states.parse(fsio.read(root / STATE))
        if state is not None and not state.may_write("init"):
            raise StateRefused(state=state, act="init", why="")
        present = fsio.read(root / INDEX)
        if present is not None and not index_table.is_ours(present):
            raise PathTaken(file=INDEX)
        # All is looked at before anything is made.
        store.layout.refuse_links()
        for name in _FILES:
            fsio.read(root / name)
        made = [f"{name}/" for name, mode in SKELETON.items() if fsio.make_directory(root / name, mode=mode)]
        # An earlier init may have died between making a directory and syncing it.
        for directory in (root.parent, root, store.layout.local):
            fsio.sync_directory(directory)
    except OSError as error:
        raise unwritable(error) from error
    with store.writing("init") as transaction:
        for name, text in _FILES.items():
            if transaction.read(name) is None:
                transaction.put(name, text.encode("utf-8"))
                made.append(name)
        if transaction.read(INDEX) is None:
            made.append(INDEX)
        store.derive_index(transaction)
        if transaction.pending:
            transaction.record(
                Record(event=Event.BANK_CREATED, operation="init", source="init", file=SETTINGS, channel=by.channel)
            )
            transaction.commit()
    return made


def hide_state(root: Path) -> None:
    """Let git pass over the state on branches too that have no .gitignore of the bank, by a list of this clone's own.

    Failing to is no failure.
    """
    answer = git.run(root, "rev-parse", "--git-path", "info/exclude")
    if answer is None:
        return
    own = root / os.fsdecode(answer.rstrip(b"\n"))
    line = os.fsencode(re.sub(r"[*?[\\]", r"\\\g<0>", f"/{git.place_of(root)}{STATE}"))
    with suppress(OSError, TacitError):
        fsio.make_directory(own.parent)
        lines = (fsio.read(own) or b"").split(b"\n")
        if line not in lines:
            fsio.add_line(own, (b"\n" if lines[-1] else b"") + line + b"\n")


# From format n to n + 1. Format 1 is the first, so there is no step yet.
STEPS: Mapping[int, Step] = {}


def upgrade(store: Store, found: int, *, steps: Mapping[int, Step] = STEPS, known: int = FORMAT_VERSION) -> list[int]:
    """Carry out the steps from format `found` to `known`; return the formats that were left behind."""
    done = []
    for version in range(found, known):
        with store.writing("upgrade") as transaction:
            text = (transaction.read(SETTINGS) or b"").decode("utf-8")
            if parse(text).format != version:
                continue  # somebody else was faster
            steps[version](transaction)
            text = (transaction.pending.get(SETTINGS) or text.encode()).decode("utf-8")
            transaction.put(SETTINGS, _with_format(text, version + 1).encode("utf-8"))
            transaction.record(
                Record(
                    event=Event.BANK_UPGRADED,
                    operation="upgrade",
                    file=SETTINGS,
                    reason=f"format {version} to {version + 1}",
                )
            )
            transaction.commit()
        done.append(version)
    return done


def _with_format(text: str, version: int) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    document["format"] = version
    return tomlkit.dumps(document)
