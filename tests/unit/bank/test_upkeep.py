"""Looking after the whole bank: INDEX.md and notes, and what is proposed for a person to answer."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.audit.record import Channel
from tacit.bank import State, upkeep
from tacit.note.model import Audience, Note, Status, Strength

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tests.unit.bank.conftest import Clock

OLD, NEW = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


def note(number: str, when: str, line: str, **more: object) -> Note:
    """A note that says something."""
    made = Note(
        id=f"MEM-{number}",
        title=f"{when}: {line}"[:80],
        when_to_load=(when,),
        one_liner=line,
        decision=line,
        created=OLD,
    )
    return replace(made, **more)  # type: ignore[arg-type]


PNPM = note("pnpm", "adding a package to the frontend", "use pnpm, not npm", strength=Strength.VALIDATED)
AGAIN = note("again", "a package is added to the frontend", "use pnpm, not npm", created=NEW, tags=("node",))
NPM = note("npm", "adding a package to the frontend", "use npm, not pnpm", created=NEW)
OTHER = note("other", "rounding amounts in invoices", "round half up at the very end")


def problems(bank: Bank) -> list[tuple[str, tuple[str, ...]]]:
    """What a dry run would propose."""
    return [(each.problem, each.notes) for each in bank.govern(dry_run=True).proposals]


def answer(bank: Bank, option: str) -> None:
    """Govern, and answer the one proposal."""
    (made,) = bank.govern().proposals
    bank.answer(made.proposal_id, option, Channel.TERMINAL)


def test_index_and_notes_are_brought_together(bank: Bank) -> None:
    """H-01: rows without notes go, notes without rows come, double ids are told with the winner."""
    bank.add([PNPM, OTHER])
    layer = bank.root / "L1_declarative"
    text = (layer / "MEM-other.md").read_text(encoding="utf-8")
    (layer / "MEM-hand.md").write_text(
        text.replace("MEM-other", "MEM-hand").replace("invoices", "bills"), encoding="utf-8"
    )
    (layer / "copy.md").write_text((layer / "MEM-pnpm.md").read_text(encoding="utf-8"), encoding="utf-8")
    (layer / "MEM-other.md").unlink()
    before = (bank.root / "INDEX.md").read_bytes()

    dry = bank.govern(dry_run=True, propose=False)
    assert (bank.root / "INDEX.md").read_bytes() == before
    done = bank.govern(propose=False)

    assert (dry.orphan_rows, dry.unindexed) == (("MEM-other",), ("MEM-hand",))
    assert [(each.id, each.winner) for each in dry.duplicate_ids] == [("MEM-pnpm", "L1_declarative/MEM-pnpm.md")]
    assert (dry.healed, done.healed) == (False, True)
    assert b"MEM-hand" in (bank.root / "INDEX.md").read_bytes()
    assert bank.govern(propose=False).orphan_rows == ()


def test_two_notes_that_say_the_same_are_joined_on_a_yes(bank: Bank) -> None:
    """H-01: a merge is proposed; the one that holds more firmly takes in the other, and undo brings both back."""
    bank.add([PNPM, AGAIN, OTHER])
    assert problems(bank) == [("same", ("MEM-pnpm", "MEM-again"))]

    answer(bank, "confirm")

    kept = bank.get("MEM-pnpm")
    assert kept.supersedes == ("MEM-again",)
    assert kept.tags == ("node",)
    assert {each.id for each in bank.notes()} == {"MEM-pnpm", "MEM-other"}
    bank.undo()
    assert {each.id for each in bank.notes()} == {"MEM-pnpm", "MEM-again", "MEM-other"}


@pytest.mark.parametrize(("option", "stays"), [("take_new", "MEM-npm"), ("keep_old", "MEM-pnpm")])
def test_clash_is_settled_by_the_users_choice(bank: Bank, option: str, stays: str) -> None:
    """H-01: of two notes that cannot both be followed the user says which holds; the other goes to the trash."""
    bank.add([PNPM, NPM, OTHER])
    assert problems(bank) == [("conflict", ("MEM-pnpm", "MEM-npm"))]

    answer(bank, option)

    assert {each.id for each in bank.notes()} == {stays, "MEM-other"}


@pytest.mark.parametrize("option", ["cancel", "both"])
def test_what_waits_or_was_declined_is_not_proposed_again(bank: Bank, option: str) -> None:
    """H-01: a rerun repeats nothing, unless what the notes say has changed."""
    bank.add([PNPM, NPM, OTHER])
    (made,) = bank.govern().proposals
    assert bank.govern().proposals == ()
    bank.answer(made.proposal_id, option, Channel.TERMINAL)
    assert bank.govern().proposals == ()
    assert len(bank.notes()) == 3

    bank.set_fields("MEM-npm", "update", title="Packages by npm")
    assert len(bank.govern().proposals) == 1


def test_superseded_note_is_offered_for_archiving_and_stays_till_then(bank: Bank) -> None:
    """H-01: archiving suggests, never acts."""
    bank.add([PNPM, replace(OTHER, supersedes=("MEM-pnpm",))])

    (made,) = bank.govern().proposals

    assert (made.problem, made.decision, made.notes) == ("superseded", "archive", ("MEM-pnpm",))
    assert bank.get("MEM-pnpm").status is Status.ACTIVE
    bank.answer(made.proposal_id, "confirm", Channel.TERMINAL)
    assert bank.get("MEM-pnpm").status is Status.ARCHIVE


def test_long_unused_note_is_offered_only_if_the_log_is_old_enough(bank: Bank, clock: Clock) -> None:
    """H-01: a note that was not recalled for long, though others were, may go; what is enforced stays."""
    bank.add([PNPM, OTHER, note("must", "handling passwords", "never log them", strength=Strength.ENFORCED)])
    clock.now = "2026-02-02T00:00:00Z"
    bank.recall("adding a package to the frontend")
    assert problems(bank) == []

    clock.now = "2026-08-30T00:00:00Z"
    bank.recall("adding a package to the frontend", session="later")

    assert problems(bank) == [("unused", ("MEM-other",))]


def test_stale_pointers_are_mended(bank: Bank) -> None:
    """H-01: a pointer to a note that another took the place of leads there, others go; files as well."""
    (bank.root.parent / "src").mkdir()
    (bank.root.parent / "src/pay.py").write_text("x = 1\n", encoding="utf-8")
    bank.add(
        [
            replace(PNPM, supersedes=("MEM-before",)),
            replace(
                OTHER,
                pointers="- mem://L1/MEM-before\n- mem://L1/MEM-nowhere\n- lib/pay.py\n- src/gone.py\n- mem://L1/MEM-pnpm",
                evidence="as mem://L2/MEM-nowhere says",
            ),
        ]
    )

    answer(bank, "confirm")

    mended = bank.get("MEM-other")
    assert mended.pointers.splitlines() == ["- mem://L1/MEM-pnpm", "- src/pay.py", "- mem://L1/MEM-pnpm"]
    assert mended.evidence == "as (MEM-nowhere, gone) says"
    assert problems(bank) == []


def test_vague_and_inconsistent_notes_are_offered_better_words(bank: Bank) -> None:
    """H-01: titles and when-to-load that say nothing, strength and scope that do not fit."""
    bank.add(
        [
            replace(PNPM, title="Untitled"),
            replace(OTHER, when_to_load=("when needed",), one_liner="When rounding invoices, round half up."),
            note("doubt", "caching sessions", "maybe use Redis", strength=Strength.ENFORCED),
            note("team", "naming branches", "start with the ticket", audience=Audience.TEAM),
        ]
    )

    made = {each.problem: each for each in bank.govern().proposals}
    for each in made.values():
        bank.answer(each.proposal_id, "confirm", Channel.TERMINAL)

    assert set(made) == {"title", "when", "strength", "scope"}
    assert bank.get("MEM-pnpm").title == "use pnpm, not npm"
    assert bank.get("MEM-other").when_to_load == ("When rounding invoices",)
    assert bank.get("MEM-doubt").strength is Strength.HYPOTHESIS
    assert bank.get("MEM-team").portability == "cross-project"
    assert bank.govern().proposals == ()


def test_core_and_archived_notes_are_left_alone(bank: Bank) -> None:
    """L0 is written by people alone, and what is archived is out of use."""
    (bank.root / "L0_core/rules.md").write_text("# Rules\n\nuse npm, not pnpm\n", encoding="utf-8")
    bank.add([PNPM, replace(NPM, status=Status.ARCHIVE, title="Untitled")])

    assert problems(bank) == []


def test_no_more_is_proposed_than_can_be_answered(bank: Bank) -> None:
    """The weightiest come first, and the rest is counted."""
    bank.add([PNPM, NPM, replace(OTHER, title="Untitled")])

    report = bank.govern(most=1)

    assert [each.problem for each in report.proposals] == ["conflict"]
    assert report.more == 1


def test_repair_that_would_be_no_legal_note_is_left_out(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be offered whole is not offered."""
    bank.add([replace(OTHER, title="Untitled")])
    monkeypatch.setattr("tacit.bank.weaknesses.clip", lambda *_: "x" * 999)

    assert bank.govern().proposals == ()


def test_heartbeat_looks_once_for_each_change(bank: Bank) -> None:
    """H-02: low-risk repairs are done, the rest is proposed, and nothing is done twice."""
    bank.add([PNPM, NPM, OTHER])
    (bank.root / "INDEX.md").write_text("", encoding="utf-8")

    report = bank.heartbeat()

    assert report is not None
    assert report.healed
    assert len(bank.pending()) == 1
    assert {each.id for each in bank.notes()} == {"MEM-pnpm", "MEM-npm", "MEM-other"}
    assert bank.heartbeat() is None
    bank.tag("MEM-other", add=["money"])
    assert bank.heartbeat() is not None


def test_heartbeat_rests_where_it_is_not_wanted(bank: Bank) -> None:
    """H-02: the setting and the state of the bank are heard."""
    bank.set_setting("upkeep.heartbeat", "off")
    assert bank.heartbeat() is None
    bank.set_setting("upkeep.heartbeat", "on")
    bank.set_state(State.PAUSED)
    assert bank.heartbeat() is None


def test_progress_is_told(bank: Bank) -> None:
    """Long work says how far it is."""
    bank.add([PNPM, NPM, OTHER])
    seen: list[tuple[int, int]] = []

    bank.govern(dry_run=True, progress=lambda done, total: seen.append((done, total)))

    assert seen == [(0, 1), (1, 1)]
    assert upkeep.MOST == 100


def test_what_a_kill_left_of_private_files_goes(bank: Bank) -> None:
    """H-01, B-04: half-made caches of long ago go with the next look at all notes, and new ones stay."""
    old, new = (bank.root / ".local" / f".scan.json.{number}.aa.tmp" for number in (1, 2))
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    bank.govern(dry_run=True)
    assert old.exists()
    bank.govern(propose=False)
    assert (old.exists(), new.exists()) == (False, True)
