"""`tacit govern` and `tacit stats` as people and programs call them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tacit.bank import Bank
from tests.cli.runner import at_terminal, fingerprint, note_text, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "---\nid: {id}\ntitle: {title}\n---\n\n## When to load\n\n- {when}\n\n## One-liner\n\n{line}\n"


def put(root: Path, name: str, when: str, line: str) -> None:
    """Write a note by hand."""
    text = HEAD.format(id=f"MEM-{name}", title=f"{when} {name}", when=when, line=line)
    write(root / f"L1_declarative/MEM-{name}.md", text)


def test_json_is_one_line_with_the_promised_members(root: Path) -> None:
    """H-01: `{orphan_rows[], unindexed[], duplicate_ids[], proposals[]}` on one line; a dry run changes nothing."""
    put(root, "gone", "writing invoices", "Round half up at the end.")
    Bank.open(root)
    (root / "L1_declarative/MEM-gone.md").unlink()
    put(root, "pnpm", "adding a package to the frontend", "Use pnpm, not npm.")
    put(root, "npm", "adding a package to the frontend", "Use npm, not pnpm.")
    write(root / "L2_procedural/MEM-twice.md", note_text("MEM-pnpm"))
    before = fingerprint(root)

    result = tacit("govern", "--dry-run", "--json")

    assert len(result.out.splitlines()) == 1
    document = result.document
    assert document["schema"] == "tacit.govern/1"
    assert (document["orphan_rows"], document["unindexed"]) == (["MEM-gone"], ["MEM-npm", "MEM-pnpm"])
    assert document["duplicate_ids"][0]["winner"] == "L1_declarative/MEM-pnpm.md"
    assert [(each["problem"], each["proposal_id"]) for each in document["proposals"]] == [("conflict", "")]
    assert fingerprint(root) == before


def test_proposals_wait_for_review_and_are_made_once(root: Path) -> None:
    """H-01: each goes through the gate; a second run proposes nothing new."""
    put(root, "pnpm", "adding a package to the frontend", "Use pnpm, not npm.")
    put(root, "npm", "adding a package to the frontend", "Use npm, not pnpm.")

    first = tacit("govern")
    second = tacit("govern")

    assert first.out.splitlines()[0] == "INDEX.md: 0 rows without a note, 2 notes without a row, 0 double ids."
    assert first.out.splitlines()[1] == "Proposals that wait for your answer: 1 (`tacit review`)."
    assert "Nothing to propose." in second.out
    (waiting,) = tacit("review", "--list", "--json").document["proposals"]
    assert waiting["decision"] == "conflict"
    assert {each["id"] for each in waiting["question"]["options"]} == {
        "take_new",
        "keep_old",
        "both",
        "cancel",
        "show_diff",
    }


def test_only_the_index_is_brought_in_line_if_wanted(root: Path) -> None:
    """H-01: `--skip-govern` leaves the second phase out."""
    put(root, "untitled", "adding a package", "Use pnpm.")
    put(root, "other", "adding a package", "Use npm, never pnpm.")

    result = tacit("govern", "--skip-govern", "--json").document

    assert (result["healed"], result["proposals"]) == (True, [])


def test_progress_is_shown_on_a_terminal_alone(root: Path) -> None:
    """Somebody who watches sees how far it is; a pipe gets the result and nothing else."""
    put(root, "pnpm", "adding a package to the frontend", "Use pnpm, not npm.")
    put(root, "npm", "adding a package to the frontend", "Use npm, not pnpm.")

    watched = at_terminal("govern", "--dry-run", "--bank", root, all_on_screen=True)

    assert "100%" in watched.screen
    assert tacit("govern", "--dry-run").err == ""


def test_stats_as_tables_and_for_programs(root: Path) -> None:
    """H-03: recalled and never recalled notes, answers, tokens and growth."""
    put(root, "pnpm", "adding a package to the frontend", "Use pnpm, not npm.")
    put(root, "idle", "writing invoices", "Round half up at the end.")
    tacit("recall", "adding a package to the frontend")

    told = tacit("stats")
    document = tacit("stats", "--json", "--days", "7").document

    assert "Notes: 2, 0 of them archived, 1 active ones never recalled." in told.out
    assert [line.split()[:1] for line in told.out.splitlines() if "MEM-" in line] == [["1"], ["0"]]
    assert (document["recalls"], [each["id"] for each in document["recalled"]]) == (1, ["MEM-pnpm"])
    assert document["answers"] == {"confirmed": 0, "declined": 0, "expired": 0}
    assert json.dumps(document["days"])
