"""Changing a bank: every change is one transaction, and only what it is about changes."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tacit import fsio
from tacit.audit.record import Channel
from tacit.bank import Bank, By, Committed, State, wiring
from tacit.errors import (
    ChangedMeanwhile,
    DuplicateId,
    FieldRefused,
    IdRefused,
    NoteNotFound,
    NoteTooLarge,
    PathTaken,
    SettingRefused,
    StateRefused,
    StoreUnwritable,
)
from tacit.note.model import Layer, Note, Status
from tests.cli.runner import fingerprint, note_text, write
from tests.unit.bank.conftest import Clock, note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


# ── init ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_init_makes_a_bank_that_is_in_order(bank: Bank) -> None:
    """B-02: a new bank is on, empty and without problems."""
    assert bank.state is State.ON
    assert bank.notes() == []
    assert bank.check() == (0, [])
    assert all(check.ok for check in bank.doctor())


def test_init_twice(bank: Bank) -> None:
    """B-05: the second time nothing is made and nothing is logged."""
    lines = len(bank.log())

    again = Bank.init(bank.root)

    assert again.created == []
    assert len(bank.log()) == lines


def test_init_in_a_git_project(tmp_path: Path) -> None:
    """B-01: given the root of a git project, the bank is .memory in it."""
    (tmp_path / "work/.git").mkdir(parents=True)

    assert Bank.init(tmp_path / "work").root == tmp_path / "work/.memory"


def test_init_where_a_file_is(tmp_path: Path) -> None:
    """T-03: a place that cannot be a directory ends in one error."""
    write(tmp_path / "file", "text")

    with pytest.raises(StoreUnwritable, match="nothing was changed"):
        Bank.init(tmp_path / "file")
    with pytest.raises(StoreUnwritable, match="Not a directory"):
        Bank.init(tmp_path / "file/below")


def test_init_leaves_a_foreign_index(tmp_path: Path) -> None:
    """B-05: an INDEX.md that is the user's is never overwritten."""
    write(tmp_path / "m/INDEX.md", "mine")

    with pytest.raises(PathTaken):
        Bank.init(tmp_path / "m")

    assert fingerprint(tmp_path / "m").keys() == {"INDEX.md"}


def test_real_clock_and_ids(tmp_path: Path) -> None:
    """Without a clock and ids given, time is UTC and ids are short, random and never alike."""
    bank = Bank.init(tmp_path / "m")
    (note_id,) = bank.add([note()]).note_ids

    assert wiring.utc_now().endswith("Z")
    assert len(note_id) == len("MEM-") + 8
    assert len({wiring.random_id() for _ in range(1000)}) == 1000


# ── add ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_bulk_add_is_one_operation(bank: Bank) -> None:
    """T-01: many notes are added in one transaction, with one operation id and a log line each."""
    done = bank.add([note(title=f"Note {number}") for number in range(60)])

    assert len(set(done.note_ids)) == len(done.files) == 60
    assert len(bank.notes()) == 60
    lines = [entry for entry in bank.log() if entry.operation_id == done.operation_id]
    assert {entry.note_id for entry in lines} == set(done.note_ids)
    assert bank.check() == (60, [])


def test_bulk_add_is_all_or_nothing(bank: Bank) -> None:
    """T-01: one note that cannot be taken leaves all others out as well."""
    before = fingerprint(bank.root)

    with pytest.raises(FieldRefused):
        bank.add([note("MEM-a"), note("MEM-b", title="two\nlines")])
    with pytest.raises(DuplicateId):
        bank.add([note("MEM-a"), note("MEM-a")])
    with pytest.raises(NoteTooLarge):
        bank.add([note("MEM-a"), Note(id="", title="T", when_to_load=("w",), one_liner="l", decision="x" * 70_000)])

    assert fingerprint(bank.root) == before


def test_adding_nothing_is_fine(bank: Bank) -> None:
    """An empty list is no operation."""
    lines = len(bank.log())

    assert bank.add([]) == Committed("", ())
    assert len(bank.log()) == lines


def test_adding_from_a_generator(bank: Bank) -> None:
    """Whatever can be gone through once will do."""
    once: Any = map(note, ("MEM-a", "MEM-b"))
    assert bank.add(once).note_ids == ("MEM-a", "MEM-b")


def test_layer_by_its_short_name(bank: Bank) -> None:
    """A program may say L1 where the layer is meant; what is no layer of notes is refused."""
    known: list[Any] = ["L1", "L2"]
    unknown: Any = "L7"
    bank.add([note("MEM-a", layer=known[0])])
    assert bank.get("MEM-a").layer is Layer.DECLARATIVE
    assert bank.move("MEM-a", known[1]).files[1] == "L2_procedural/MEM-a.md"
    with pytest.raises(FieldRefused, match="L1 or L2"):
        bank.move("MEM-a", unknown)
    with pytest.raises(FieldRefused, match="L1 or L2"):
        bank.add([note("MEM-b", layer=unknown)])


@pytest.mark.parametrize(
    ("operation", "fields", "refused"),
    [
        ("edit", {"id": "MEM-b"}, "id"),
        ("edit", {"id": None}, "id"),
        ("odd op", {"title": "New"}, "operation"),
        ("edit\n2026-01-01T00:00:00Z  OP-1", {"title": "New"}, "operation"),
        ("", {"title": "New"}, "operation"),
    ],
)
def test_fields_that_cannot_be_set(bank: Bank, operation: str, fields: dict[str, Any], refused: str) -> None:
    """Q-07: a note keeps its id, and what a change is called is one word, so that no line of the log can be forged."""
    bank.add([note("MEM-a")])
    before = fingerprint(bank.root)
    with pytest.raises(FieldRefused, match=f"^{refused}: "):
        bank.set_fields("MEM-a", operation, **fields)
    assert fingerprint(bank.root) == before


@pytest.mark.parametrize("note_id", ["nothing", "MEM-", "MEM-a/b", "MEM-" + "x" * 61, "MEM-ä", "../MEM-a"])
def test_id_of_another_shape_is_refused(bank: Bank, note_id: str) -> None:
    """N-03: an id that is no id never becomes a file."""
    with pytest.raises(IdRefused):
        bank.add([note(note_id)])


@pytest.mark.parametrize("layer", [Layer.CORE, Layer.EPISODIC, Layer.WORKING])
def test_notes_stand_in_l1_or_l2(bank: Bank, layer: Layer) -> None:
    """B-02: core documents are written by people, episodes and tasks by their own acts."""
    with pytest.raises(FieldRefused, match="L1 or L2"):
        bank.add([note("MEM-a", layer=layer)])


def test_id_that_is_taken_is_refused(bank: Bank) -> None:
    """N-03: an id stands once, also when a broken file bears its name."""
    bank.add([note("MEM-a")])
    write(bank.root / "L1_declarative/MEM-broken.md", "no note")

    with pytest.raises(DuplicateId):
        bank.add([note("MEM-a", layer=Layer.PROCEDURAL)])
    with pytest.raises(DuplicateId):
        bank.add([note("MEM-broken")])


def test_new_id_is_never_one_that_is_taken(tmp_path: Path) -> None:
    """N-03: should chance choose an id that exists, it has to choose again."""
    chosen = iter(["op-init", "op-1", "same", "op-2", "same", "same", "other"])
    bank = Bank.init(tmp_path / "m", new_id=lambda: next(chosen))

    first = bank.add([note()])
    second = bank.add([note()])

    assert (first.note_ids, second.note_ids) == (("MEM-same",), ("MEM-other",))


def test_times_that_are_given_are_kept(bank: Bank) -> None:
    """A migrated note keeps its own times."""
    old = "2020-01-01T00:00:00Z"
    bank.add([Note(id="MEM-old", title="Old", when_to_load=("w",), one_liner="l", created=old, updated=old)])

    assert (bank.get("MEM-old").created, bank.get("MEM-old").updated) == (old, old)


def test_who_asked_is_in_the_log(bank: Bank) -> None:
    """A-01: the log says through which door a word came, and in which conversation."""
    bank.add([note("MEM-a")], by=By(Channel.TERMINAL, conversation_id="c" * 500, generation_id="g-1"))

    line = list(bank._store.log.entries())[-1]

    assert (line["channel"], line["assurance"]) == ("terminal", "terminal")
    assert (line["conversation_id"], line["generation_id"]) == ("c" * 200, "g-1")


# ── fields, tags, rewriting ───────────────────────────────────────────────────────────────────────────────────────────

ODD = (
    "\ufeff---\r\n# my comment\r\ntitle: 'Odd'   # why\r\nid: MEM-odd\r\nmy_key: [1, 2]\r\n---\r\n"
    "Intro.\r\n\r\n## One-liner\r\n\r\nDo it.\r\n\r\n## My section\r\n\r\nOwn.\r\n\r\n## When to load\r\n\r\n- w"
)


def test_only_what_changes_is_changed(bank: Bank, clock: Clock) -> None:
    """N-04: line ends, byte order mark, comments, unknown keys and sections and the missing last newline stay."""
    path = write(bank.root / "L1_declarative/odd.md", ODD)
    clock.now = "2026-02-03T00:00:00Z"

    bank.archive("MEM-odd")

    text = path.read_bytes().decode()
    added = ["status: archive\r\n", "updated: 2026-02-03T00:00:00Z\r\n"]
    assert [line for line in text.splitlines(keepends=True) if line not in ODD.splitlines(keepends=True)] == added
    for line in added:
        text = text.replace(line, "")
    assert text == ODD


def test_field_that_has_the_value_already(bank: Bank) -> None:
    """Setting what is set is no operation: no new time, no log line."""
    bank.add([note("MEM-a")])
    bank.archive("MEM-a")
    before = fingerprint(bank.root)

    assert bank.archive("MEM-a").operation_id == ""
    assert bank.set_fields("MEM-a", "set", status=Status.ARCHIVE).files == ()
    assert bank.tag("MEM-a", remove=["absent"]).tags == ()
    assert fingerprint(bank.root) == before


def test_tags(bank: Bank) -> None:
    """Tags keep their order, stand once, and removing goes before adding."""
    bank.add([note("MEM-a", tags=("x", "y"))])

    assert bank.tag("MEM-a", add=["z", "z", "x"], remove=["y"]).tags == ("x", "z")
    assert bank.tag("MEM-a", add=["x"], remove=["x"]).tags == ("z", "x")
    assert bank.tag("MEM-a", remove=["x", "z"]).tags == ()


def test_two_writers_of_tags_lose_none(bank: Bank, reopen: Callable[[], Bank]) -> None:
    """T-02: what another process wrote meanwhile is read again under the lock."""
    bank.add([note("MEM-a")])
    writers = [
        threading.Thread(target=reopen().tag, args=("MEM-a",), kwargs={"add": [f"tag-{number}"]}) for number in range(8)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert sorted(bank.get("MEM-a").tags) == [f"tag-{number}" for number in range(8)]


def test_rewrite(bank: Bank, clock: Clock) -> None:
    """A whole new text is saved with a new time, if it is based on what stands there."""
    path = write(bank.root / "L1_declarative/MEM-a.md", note_text("MEM-a", "Before"))
    base = fsio.digest(path.read_bytes())
    clock.now = "2026-02-03T00:00:00Z"

    done = bank.rewrite("MEM-a", note_text("MEM-a", "After").encode(), base=base)

    assert done.note_ids == ("MEM-a",)
    assert (bank.get("MEM-a").title, bank.get("MEM-a").updated) == ("After", clock.now)
    with pytest.raises(ChangedMeanwhile):
        bank.rewrite("MEM-a", note_text("MEM-a", "Late").encode(), base=base)


def test_rewrite_with_the_same_text(bank: Bank) -> None:
    """Saving what is there is no operation."""
    path = write(bank.root / "L1_declarative/MEM-a.md", note_text("MEM-a"))

    assert bank.rewrite("MEM-a", path.read_bytes(), base=fsio.digest(path.read_bytes())).operation_id == ""


def test_rewrite_keeps_the_id(bank: Bank) -> None:
    """N-03: no edit changes an id."""
    path = write(bank.root / "L1_declarative/MEM-a.md", note_text("MEM-a"))

    with pytest.raises(FieldRefused, match="keeps its id"):
        bank.rewrite("MEM-a", note_text("MEM-b").encode(), base=fsio.digest(path.read_bytes()))


def test_core_documents_are_not_written(bank: Bank) -> None:
    """B-02: what people alone write is refused for every change."""
    write(bank.root / "L0_core/values.md", "# Values\n")
    before = fingerprint(bank.root)

    for change in (
        lambda: bank.archive("CORE-values"),
        lambda: bank.tag("CORE-values", add=["x"]),
        lambda: bank.delete("CORE-values"),
        lambda: bank.move("CORE-values", Layer.PROCEDURAL),
    ):
        with pytest.raises(FieldRefused, match="written by people"):
            change()

    assert fingerprint(bank.root) == before


def test_note_that_vanishes_before_the_lock(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a note that somebody removes between finding and changing it is not found, and not made again."""
    bank.add([note("MEM-a")])
    monkeypatch.setattr(bank, "locate", lambda _: "L1_declarative/MEM-gone.md")

    with pytest.raises(NoteNotFound):
        bank.delete("MEM-gone")


# ── move, delete ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_move(bank: Bank) -> None:
    """A note that moves keeps id and file name, and INDEX.md follows."""
    write(bank.root / "L1_declarative/by-hand.md", note_text("MEM-a"))

    done = bank.move("MEM-a", Layer.PROCEDURAL)

    assert done.files == ("L1_declarative/by-hand.md", "L2_procedural/by-hand.md")
    assert bank.get("MEM-a").layer is Layer.PROCEDURAL
    assert "L2_procedural/by-hand.md" in (bank.root / "INDEX.md").read_text(encoding="utf-8")
    assert bank.trash() == []


def test_move_to_where_it_is(bank: Bank) -> None:
    """Moving a note to its own layer is no operation."""
    bank.add([note("MEM-a")])

    assert bank.move("MEM-a", Layer.DECLARATIVE).operation_id == ""


def test_move_never_overwrites(bank: Bank) -> None:
    """A file that stands in the way stays, and so does the note."""
    write(bank.root / "L1_declarative/same.md", note_text("MEM-a"))
    write(bank.root / "L2_procedural/same.md", note_text("MEM-b"))
    before = fingerprint(bank.root / "L1_declarative") | fingerprint(bank.root / "L2_procedural")

    with pytest.raises(DuplicateId):
        bank.move("MEM-a", Layer.PROCEDURAL)

    assert fingerprint(bank.root / "L1_declarative") | fingerprint(bank.root / "L2_procedural") == before


def test_move_to_no_place_for_notes(bank: Bank) -> None:
    """Notes stand in L1 or L2."""
    bank.add([note("MEM-a")])

    with pytest.raises(FieldRefused, match="L1 or L2"):
        bank.move("MEM-a", Layer.CORE)


# ── state and settings ────────────────────────────────────────────────────────────────────────────────────────────────


def test_set_state(bank: Bank) -> None:
    """K-01: a state is set in every state, logged with its name, and holds at once."""
    for state in (State.OFF, State.PADDING, State.PAUSED, State.ON):
        bank.set_state(state)
        assert bank.state is state

    assert bank.set_state(State.ON).operation_id == ""
    assert [entry.reason for entry in bank.log() if entry.event == "memory_state_changed"] == [
        *("state OFF", "state PADDING", "state PAUSED", "state ON"),
    ]


def test_state_refuses_every_change(bank: Bank) -> None:
    """K-01: a paused bank refuses every change through this API, and says its state."""
    bank.add([note("MEM-a")])
    bank.set_state(State.PAUSED)
    before = fingerprint(bank.root)

    for change in (
        lambda: bank.add([note()]),
        lambda: bank.rewrite("MEM-a", b"", base=""),
        lambda: bank.set_fields("MEM-a", "set", status=Status.LOCAL),
        lambda: bank.tag("MEM-a", add=["x"]),
        lambda: bank.move("MEM-a", Layer.PROCEDURAL),
        lambda: bank.delete("MEM-a"),
        lambda: bank.restore("MEM-a"),
        bank.undo,
        bank.empty_trash,
        lambda: bank.purge("MEM-a"),
        lambda: bank.set_setting("language", "zh"),
        lambda: bank.must_be_writable("anything"),
    ):
        with pytest.raises(StateRefused, match=r"\[memory: PAUSED\]"):
            change()

    assert fingerprint(bank.root) == before


def test_missing_state_is_explained(bank: Bank) -> None:
    """B-06: in a fresh clone the refusal says why the bank is paused."""
    (bank.root / "memory.lock").unlink()

    with pytest.raises(StateRefused, match="as in a fresh clone"):
        bank.add([note()])


def test_off_shows_nothing(bank: Bank) -> None:
    """K-01: a bank that is off shows no note in any way."""
    bank.add([note("MEM-a")])
    bank.set_state(State.OFF)

    for look in (
        bank.notes,
        lambda: bank.get("MEM-a"),
        lambda: bank.text("MEM-a"),
        lambda: bank.body("MEM-a"),
        lambda: bank.resolve("mem://L1/MEM-a"),
        lambda: bank.log("MEM-a", diffs=True),
        bank.trash,
    ):
        with pytest.raises(StateRefused, match=r"\[memory: OFF\]"):
            look()


def test_set_setting(bank: Bank, reopen: Callable[[], Bank]) -> None:
    """A setting is changed in the file, comments stay, and it holds at once and later."""
    write(bank.root / "tacit.toml", "# mine\nformat = 1 # one\n")

    bank.set_setting("trash.retention_days", "7")

    assert bank.settings.number("trash.retention_days") == 7
    assert reopen().settings.number("trash.retention_days") == 7
    text = (bank.root / "tacit.toml").read_text(encoding="utf-8")
    assert text.startswith("# mine\nformat = 1 # one\n")
    assert bank.log()[-1].reason == "trash.retention_days = 7"


def test_refused_setting_changes_nothing(bank: Bank) -> None:
    """A setting that is not allowed leaves the file alone."""
    before = fingerprint(bank.root)

    with pytest.raises(SettingRefused):
        bank.set_setting("language", "fr")

    assert fingerprint(bank.root) == before


def test_two_writers_of_settings_lose_none(bank: Bank, reopen: Callable[[], Bank]) -> None:
    """T-02: settings are read again under the lock, so that two changes both stand."""
    other = reopen()

    other.set_setting("language", "zh")
    bank.set_setting("lock.timeout_s", "3")

    assert bank.settings.text("language") == "zh"
    assert reopen().settings.number("lock.timeout_s") == 3


# ── the disk ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_disk_that_refuses(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-03: a full disk ends in one clear error and an unchanged bank."""
    before = fingerprint(bank.root)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoreUnwritable, match="No space left on device; nothing was changed"):
        bank.add([note()])
    monkeypatch.undo()

    assert fingerprint(bank.root) == before


def test_many_new_notes_are_known_to_the_next_process(bank: Bank) -> None:
    """B-04: after a bulk of new notes the next process finds a fresh cache of what they say."""
    bank.add([note(f"MEM-n{number}") for number in range(100)])

    assert bank.root.joinpath(".local/scan.json").is_file()
    assert len(Bank.open(bank.root).notes()) == 100
