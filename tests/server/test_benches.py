"""Banks that stand ready on the server: they follow what is pushed, make room, and are left when something is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tacit.bank import Context, wiring
from tacit.errors import PayloadRefused
from tacit.formats import native
from tacit.note.model import Note, from_plain
from tacit.server import writing_bank
from tacit.server.writing_bank import Benches
from tests.unit.bank.talk import payload

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.bank import Bank


@pytest.fixture
def ready() -> Iterator[Benches]:
    """No bank yet."""
    made = Benches(wiring.utc_now)
    yield made
    made.close()


def files(*names: str) -> dict[str, bytes]:
    """The files of some notes."""
    found = {}
    for name in names:
        plain = {"id": f"MEM-{name}", "title": name, "when_to_load": [name], "one_liner": name, "decision": name}
        note = from_plain(Note, plain | {"kind": "decision", "layer": "L1", "tags": []})
        found[f"L1_declarative/MEM-{name}.md"] = native.compose(note)
    return found


def titles(bank: Bank) -> set[str]:
    """What a bank holds, as a scan and as the index knows it."""
    hits = {hit.title for name in ("one", "two", "three") for hit in bank.search(name)}
    notes = {note.title for note in bank.notes()}
    assert hits == notes
    return notes


def test_a_bank_follows_what_was_pushed(ready: Benches) -> None:
    """Y-03: the same bank has the notes of each push, and its settings."""
    number = uuid4()
    with ready.use(number, files("one", "two"), list) as bank:
        assert titles(bank) == {"one", "two"}
        root = bank.root
    settings = {"tacit.toml": b'format = 1\n[gate]\nnew = "terminal"\n'}
    with ready.use(number, files("two", "three") | settings, list) as bank:
        assert titles(bank) == {"two", "three"}
        assert (bank.root, bank.settings.text("gate.new")) == (root, "terminal")
    with ready.use(number, files("two"), list) as bank:
        assert (titles(bank), bank.settings.text("gate.new")) == ({"two"}, "elicitation")


def test_a_question_waits_as_long_as_it_is_told(ready: Benches) -> None:
    """Y-03: a question that was settled elsewhere waits no more, and one that is new waits."""
    number = uuid4()
    with ready.use(number, files("one"), list) as bank:
        ((_, proposal),) = writing_bank.propose(bank, [payload("use pnpm")], Context(), [])
        assert proposal is not None
    with ready.use(number, files("one"), lambda: [proposal]) as bank:
        assert [each.id for each in bank.asked()] == [proposal.id]
    with ready.use(number, files("one"), list) as bank:
        assert bank.asked() == []


def test_old_banks_make_room(ready: Benches, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: so many banks are kept, those used last; nothing of the others is left on the disk."""
    monkeypatch.setattr(writing_bank, "_MOST", 2)
    roots: list[Path] = []
    numbers = [uuid4() for _ in range(3)]
    for number in (*numbers, numbers[1], numbers[0]):
        with ready.use(number, files("one"), list) as bank:
            roots.append(bank.root)
    assert [root.exists() for root in roots] == [False, True, False, True, True]
    assert roots[1] == roots[3]
    ready.close()
    assert not any(root.parent.exists() for root in roots)


def test_one_in_use_stays(ready: Benches, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: a bank is not taken away from whoever uses it."""
    monkeypatch.setattr(writing_bank, "_MOST", 1)
    with ready.use(uuid4(), files("one"), list) as bank:
        for _ in range(2):
            with ready.use(uuid4(), files("two"), list) as other:
                assert titles(other) == {"two"}
        assert titles(bank) == {"one"}


@pytest.mark.parametrize("error", [OSError, PayloadRefused])
def test_what_went_wrong_is_left_behind(ready: Benches, error: type[Exception]) -> None:
    """Y-03: after a fault the next one gets a new bank; after a refusal the bank is as good as before."""
    number = uuid4()
    raised = PayloadRefused(field="a", reason="b", fix="c") if error is PayloadRefused else OSError()
    with pytest.raises(error), ready.use(number, files("one"), list) as bank:
        raise raised
    with ready.use(number, files("one"), list) as again:
        assert (again.root == bank.root) == (error is PayloadRefused)


def test_a_file_and_a_folder_of_one_name(ready: Benches) -> None:
    """Y-03: what no commit can hold does no harm: one of the two is left out."""
    both = {"details/a.md": b"a", "details/a.md/b.md": b"b"}
    for pushed in (both, dict(reversed(both.items())), both):
        with ready.use(uuid4(), pushed, list) as bank:
            assert bank.notes() == []
            assert (bank.root / "details/a.md").exists()


def test_a_bank_holds_what_belongs_into_one() -> None:
    """Y-03: of a commit come notes, documents and settings; no state, no log, no way out of the bank."""
    odd = [
        "memory.lock",
        "staging/a",
        ".local/audit/a",
        "../a.md",
        "L1_declarative/../../a.md",
        "L4_working/a",
        "x/a.md",
    ]
    good = ["L0_core/a.md", "L1_declarative/a.md", "details/a/b.md", "share/L1_declarative/a.md", "INDEX.md"]
    found = writing_bank.held(dict.fromkeys([*odd, *good], b""))
    assert set(found) == {*good, "tacit.toml"}
    with writing_bank.made_of(dict.fromkeys([*odd, *good], b""), wiring.utc_now) as bank:
        assert (bank.root / "details/a/b.md").is_file()
        root = bank.root
    assert not root.parent.exists()
