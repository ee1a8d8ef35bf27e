"""Entry document, details, reading, drift and session start by command: what people see and programs get."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from inline_snapshot import snapshot

from tests.cli.runner import Person, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

LEARNING = ("--symptom", "a", "--cause", "b", "--fix", "c", "--prevention", "d")


@pytest.fixture
def shop(project: Path) -> Path:
    """A project with a manifest."""
    write(project / "package.json", '{"name": "shop", "description": "Sells.", "scripts": {"dev": "x", "test": "y"}}')
    return project


@pytest.fixture
def bank(shop: Path, root: Path) -> Path:
    """A bank with a detail that is partly wrong."""
    assert shop == root.parent
    write(root / "details/tech.md", "# Tech\n\n- Start it with `npm run start`.\n- Test it with `npm run test`.\n")
    return root


# ── refresh ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_refresh_as_json(bank: Path) -> None:
    """E-03: case, plan and whether it was applied; a second run has nothing to do."""
    first = tacit("refresh", "--yes", "--json").document
    second = tacit("refresh", "--yes", "--json").document

    assert list(first) == ["schema", "case", "plan", "applied", "operation_id"]
    assert (first["schema"], first["case"], first["applied"]) == ("tacit.refresh/1", "init", True)
    assert (second["case"], second["plan"], second["applied"]) == ("refresh", [], False)
    assert "MACHINE_BLOCK_START" in (bank / "MEMORY.md").read_text(encoding="utf-8")


def test_refresh_without_a_terminal_shows_the_plan_alone(bank: Path) -> None:
    """E-03: nothing is changed before somebody says so."""
    before = (bank / "MEMORY.md").read_bytes()
    result = tacit("refresh")

    assert result.code == 0
    assert result.out == snapshot(
        """\
There is no entry document yet; it is made from the project.
  - Write MEMORY.md from the project
Nothing was changed; `tacit refresh --yes` does it.
"""
    )
    assert (bank / "MEMORY.md").read_bytes() == before


def test_refresh_asks_on_a_terminal(bank: Path, person: Person) -> None:
    """E-03: the plan is confirmed by a person; no leaves everything as it was."""
    before = (bank / "MEMORY.md").read_bytes()
    person.will_say("n")
    assert tacit("refresh").code == 12
    assert (bank / "MEMORY.md").read_bytes() == before

    person.will_say("y")
    assert tacit("refresh").out.endswith("Done; files written: 1.\n")


def test_refresh_asks_about_a_changed_block(bank: Path, shop: Path, person: Person) -> None:
    """E-02: keep, take or append is asked for each block that a person changed."""
    tacit("refresh", "--yes")
    text = (bank / "MEMORY.md").read_text(encoding="utf-8")
    write(bank / "MEMORY.md", text.replace("- Purpose: Sells.", "- Purpose: mine"))
    write(shop / "Makefile", "all:\n")

    person.will_say("append", "y")
    result = tacit("refresh")

    assert "append both?" in person.was_asked()
    assert "Keep the block “snapshot”" in result.out
    text = (bank / "MEMORY.md").read_text(encoding="utf-8")
    assert "name=snapshot-yours" in text
    assert "- Purpose: mine" in text
    assert "`Makefile`" in text


def test_changed_blocks_by_option(bank: Path, shop: Path) -> None:
    """E-02: a program says by option what becomes of changed blocks; without it they are kept."""
    tacit("refresh", "--yes")
    text = (bank / "MEMORY.md").read_text(encoding="utf-8")
    write(bank / "MEMORY.md", text.replace("- Purpose: Sells.", "- Purpose: mine"))
    write(shop / "Makefile", "all:\n")

    tacit("refresh", "--yes")
    assert "- Purpose: mine" in (bank / "MEMORY.md").read_text(encoding="utf-8")
    write(shop / "justfile", "all:\n")
    tacit("refresh", "--yes", "--changed", "take")
    assert "- Purpose: mine" not in (bank / "MEMORY.md").read_text(encoding="utf-8")


def test_a_kept_block_can_still_be_updated(bank: Path, shop: Path, person: Person) -> None:
    """E-02: what --yes kept is asked about on a terminal, and take works even after a person chose to keep."""
    tacit("refresh", "--yes")
    text = (bank / "MEMORY.md").read_text(encoding="utf-8")
    write(bank / "MEMORY.md", text.replace("- Purpose: Sells.", "- Purpose: mine"))
    write(shop / "Makefile", "all:\n")
    tacit("refresh", "--yes")
    assert tacit("refresh", "--yes").out.endswith("Everything is up to date.\n")

    person.will_say("keep", "y")
    tacit("refresh")
    assert "append both?" in person.was_asked()
    assert tacit("refresh").out.endswith("Everything is up to date.\n")
    assert "append both?" not in person.was_asked()
    tacit("refresh", "--yes", "--changed", "append")
    text = (bank / "MEMORY.md").read_text(encoding="utf-8")
    assert "`Makefile`" in text
    assert "- Purpose: mine" in text


def test_broken_markers_and_their_repair(bank: Path, person: Person) -> None:
    """E-05: a broken marker is an error with its line; --repair asks and keeps every line."""
    write(bank / "MEMORY.md", "# Mine\n<!-- MACHINE_BLOCK_START -->\ntext\n")
    refused = tacit("refresh", "--yes")
    assert (refused.code, refused.error_code) == (3, "entry.markers")
    assert "MEMORY.md:2" in refused.err

    person.will_say("y")
    assert tacit("refresh", "--repair").code == 0
    assert "# Mine\ntext\n" in (bank / "MEMORY.md").read_text(encoding="utf-8")


def test_refresh_makes_a_bank_and_takes_an_old_one_over(shop: Path) -> None:
    """E-03, J-03: without a bank the context names refresh, and refresh makes one and moves the old files."""
    write(shop / "memory-bank/brief.md", "# Brief\n")
    assert tacit("context").out == snapshot(
        "An older memory bank was found in memory-bank; `tacit refresh` brings it over.\n"
    )
    moves = ["Move memory-bank/brief.md to details/brief.md", "Write MEMORY.md from the project"]
    planned = tacit("refresh", "--json").document
    assert (planned["case"], planned["plan"], planned["applied"]) == ("migrate", moves, False)
    assert moves[0] in tacit("refresh").out
    assert not (shop / ".memory").exists()

    done = tacit("refresh", "--yes", "--json").document
    assert (done["case"], done["plan"][0]) == ("migrate", "Move memory-bank/brief.md to details/brief.md")
    assert (shop / ".memory/details/brief.md").read_text(encoding="utf-8") == "# Brief\n"


def test_refresh_asks_before_it_makes_a_bank(shop: Path, person: Person) -> None:
    """E-03: on a terminal making a bank is asked first, below the plan."""
    write(shop / "memory-bank/brief.md", "# Brief\n")
    person.will_say("n")
    asked = tacit("refresh")
    assert asked.code == 12
    assert "Move memory-bank/brief.md to details/brief.md" in asked.out
    assert not (shop / ".memory").exists()


def test_refresh_speaks_chinese(bank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Q-07: plan and result come in the user's language."""
    monkeypatch.setenv("TACIT_LANG", "zh")

    assert bank.exists()
    assert tacit("refresh", "--yes").out == snapshot(
        """\
还没有入口文档；将根据项目生成。
  - 根据项目写入 MEMORY.md
完成；写入文件数：1。
"""
    )


# ── focus ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_focus_is_set_and_shown(bank: Path) -> None:
    """E-01: focus, next steps and blockers are set by command and shown again."""
    assert bank.exists()
    assert tacit("focus").out == 'No focus yet: tacit focus "WHAT"\n'
    done = tacit("focus", "Checkout", "--next", "form", "--next", "tests", "--blocker", "no key", "--json").document
    assert done["next_steps"] == ["form", "tests"]
    assert tacit("focus", "--done", "form", "--unblock", "key").out == snapshot(
        """\
Focus: Checkout
Next: tests
1 finished
"""
    )


# ── detail ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("propose", "tech.md", "draft.md"), "details/….md or MEMORY.md, not for tech.md"),
        (("propose", "INDEX.md", "draft.md"), "details/….md or MEMORY.md, not for INDEX.md"),
        (("propose", "details/tech.md", "nosuch.md"), "nosuch.md: there is no such file"),
        (("propose", "details/tech.md", "."), "this is a folder"),
        (("propose", "details/learnings/a.md", "draft.md"), "Give what is missing: `## Symptom`, `## Root cause`"),
    ],
)
def test_a_detail_that_cannot_be_says_what_can(bank: Path, words: tuple[str, ...], told: str) -> None:
    """E-04, E-06: each refusal names what would be taken, and no option that there is not."""
    write(bank.parent / "draft.md", "# A draft\n")
    done = tacit("detail", *words)
    assert done.code == 3
    assert told in done.err


def test_a_requirement_that_is_not_there_is_not_found(bank: Path) -> None:  # noqa: ARG001  where commands run
    """E-04: a status names a requirement; where there is none, that is said as of every name that leads nowhere."""
    done = tacit("detail", "status", "REQ-nosuch", "done")
    assert (done.code, done.error_code) == (4, "note.not_found")
    assert "REQ-nosuch in details/requirements/; `tacit detail add requirement TITLE` writes one" in done.err


def test_details_by_command(bank: Path) -> None:
    """E-04: a whole detail is written, an incomplete one refused with what is missing; a status has a history."""
    assert (
        tacit("detail", "add", "learning", "Lost orders", *LEARNING).out == "Wrote details/learnings/lost-orders.md.\n"
    )
    refused = tacit("detail", "add", "decision", "Cents", "--what", "cents")
    assert (refused.code, refused.error_code) == (3, "detail.incomplete")
    assert "why, trade-off, range of use" in refused.err

    tacit("detail", "add", "requirement", "Guests", "--what", "a", "--criteria", "b")
    done = tacit("detail", "status", "REQ-guests", "done", "--why", "shipped", "--json").document
    assert done["file"] == "details/requirements/REQ-guests.md"
    assert "proposed → done: shipped" in (bank / done["file"]).read_text(encoding="utf-8")
    assert tacit("detail", "status", "REQ-guests", "done").out == "Nothing was changed.\n"


def test_missing_parts_are_asked_for_on_a_terminal(bank: Path, person: Person) -> None:
    """E-04: on a terminal each missing part is a question."""
    person.will_say("because", "it costs", "everywhere")
    assert tacit("detail", "add", "decision", "Cents", "--what", "cents").code == 0

    text = (bank / "details/patterns.md").read_text(encoding="utf-8")
    assert "### Trade-off\n\nit costs" in text
    assert "Why of this decision: " in person.was_asked()


def test_a_draft_becomes_a_proposal(bank: Path, shop: Path) -> None:
    """E-06: a draft from a file waits for the user; the command writes nothing to the target."""
    write(shop / "draft.md", "- Redis 7\n")
    made = tacit("detail", "propose", "details/tech.md", "draft.md", "--json").document

    assert (made["schema"], made["target"]) == ("tacit.detail-propose/1", "details/tech.md")
    assert made["question"]["question_id"] == made["proposal_id"]
    assert "+- Redis 7" in made["diff"]
    assert "Redis" not in (bank / "details/tech.md").read_text(encoding="utf-8")
    assert tacit("detail", "propose", "details/tech.md", "draft.md").out.endswith(
        f"{made['proposal_id']} waits for your answer: details/tech.md. `tacit review` shows it.\n"
    )
    write(shop / "draft.md", b"\xff")
    assert tacit("detail", "propose", "details/tech.md", "draft.md").error_code == "field.refused"


# ── read, drift, context ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_reader_proposes_drafts_and_fixes(bank: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """K-02, E-06: what only waits for the user's answer needs no more than the least role."""
    write(shop / "draft.md", "# Deploy\n\nOn Fridays.\n")
    write(shop / "go.mod", "module e.org/x/shop\n\ngo 1.22\n")
    write(bank / "details/tools.md", "# Tools\n\n- Go 1.19\n")
    monkeypatch.setenv("TACIT_ROLE", "reader")

    assert tacit("detail", "propose", "details/deploy.md", "draft.md").code == 0
    assert tacit("drift", "--fix").code == 0
    assert len(tacit("review", "--list", "--json").document["proposals"]) == 2
    assert tacit("detail", "add", "design", "T", "--what", "a", "--why", "b").error_code == "role.refused"
    assert not (bank / "details/deploy.md").exists()


def test_read_gives_files_with_their_paths(bank: Path) -> None:
    """D-01, D-04: a plain question gives the file and names it as the source."""
    assert bank.exists()
    tacit("refresh", "--yes")
    assert tacit("read", "how", "do", "I", "test?").out == snapshot(
        """\
# details/tech.md

# Tech

- Start it with `npm run start`.
- Test it with `npm run test`.

Sources: details/tech.md
"""
    )
    found = tacit("read", "how do I test?", "--json").document
    assert (found["mode"], found["files"], found["pack"]) == ("direct", [{"path": "details/tech.md", "lines": 4}], None)


def test_read_gives_a_pack_where_evidence_is_asked_for(bank: Path) -> None:
    """D-02, D-03: why brings quotes with their places, and what contradicts the project."""
    assert bank.exists()
    tacit("refresh", "--yes")
    found = tacit("read", "why is it started so?", "--json").document

    assert (found["mode"], found["why"]) == ("pack", "evidence")
    assert set(found["pack"]) == {"summary", "evidence", "conflicts", "open_questions"}
    assert found["pack"]["evidence"][0]["path"] == "details/tech.md"
    assert found["pack"]["conflicts"][0]["trust_source"] == "package.json"
    assert found["text"].count("```yaml") == 1


def test_drift_lists_and_proposes(bank: Path) -> None:
    """D-03: each finding has its five parts; --fix makes proposals and changes nothing."""
    before = (bank / "details/tech.md").read_bytes()
    found = tacit("drift", "--json").document["findings"]
    assert {"type", "severity", "description", "trust_source", "minimal_fix"} <= set(found[0])
    assert tacit("drift").out == snapshot(
        """\
details/tech.md:3: `npm run start`: package.json has no script start [stale, high]
  Fix: name the script that took the place of start, or take it out (trust package.json)
Places that differ from the project: 1.
"""
    )
    write(bank / "details/tech.md", "# Tech\n\n`npm run tests`\n")
    done = tacit("drift", "--fix", "--json").document
    assert [each["target"] for each in done["proposals"]] == ["details/tech.md"]
    assert (bank / "details/tech.md").read_bytes() != before
    write(bank / "details/tech.md", "# Tech\n\n`npm run test`\n")
    assert tacit("drift").out == "No drift was found.\n"


def test_context_as_people_and_programs_see_it(bank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """J-03: state, protocol version, fingerprint and text; in both languages."""
    assert bank.exists()
    tacit("refresh", "--yes")
    told = tacit("context", "--json").document

    assert (told["state"], told["protocol_version"], told["is_cut"]) == ("ON", "tacit/1", False)
    assert told["characters"] == len(told["context"]) < 12_000
    assert tacit("context").out.startswith("[memory: ON] ")
    monkeypatch.setenv("TACIT_LANG", "zh")
    assert tacit("context").out.startswith("[记忆库: ON] ")


def test_context_without_a_bank(project: Path) -> None:
    """J-03: one line that names the refresh command."""
    assert project.exists()
    assert tacit("context").out == "No memory bank here yet; `tacit refresh` makes one.\n"
