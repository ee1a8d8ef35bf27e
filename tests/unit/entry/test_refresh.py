"""Each case of a refresh: nothing, an older template, a current document, and blocks that a person changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bank import migrating
from tacit.entry import blocks, focus, refresh, template
from tacit.entry.refresh import Case, Choice
from tacit.errors import FieldRefused
from tacit.formats import memory_bank
from tacit.project.values import Manifest, Survey

if TYPE_CHECKING:
    from collections.abc import Mapping

WANTED = {name: f"## {name}\n\nfrom the project\n" for name in template.BLOCKS if name != "focus"}
NEWER = {**WANTED, "routing": "## routing\n\n- another rule\n"}


def plan(current: str, wanted: Mapping[str, str] = WANTED, **choices: Choice) -> refresh.Plan:
    """Plan a refresh of a document."""
    return refresh.plan(current, wanted, choices, title="# Shop\n\n", stub="stub\n", file="MEMORY.md")


NEW = plan("").text


@pytest.mark.parametrize("current", ["", " \n", "stub\n"])
def test_nothing_becomes_a_whole_document(current: str) -> None:
    """E-01, E-05: a missing, empty or untouched document is made with every block, the user's last."""
    made = plan(current)

    document = blocks.parse(made.text, "")
    assert made.case is Case.INIT
    assert [part.name for part in document.parts if part.kind] == [*template.BLOCKS, "yours"]
    assert made.text.startswith("# Shop\n")


def test_a_second_run_changes_nothing() -> None:
    """E-03: a document that is current stays byte for byte."""
    again = plan(NEW)

    assert (again.case, again.steps, again.text) == (Case.REFRESH, (), NEW)


def test_an_older_document_gets_what_is_missing_appended() -> None:
    """E-03: text and user blocks of an older template stay in front, missing blocks follow, in their order."""
    old = "# Ours\n\nHand-written.\n<!-- USER_BLOCK_START -->\nmine  \n<!-- USER_BLOCK_END -->"
    upgraded = plan(old)

    assert upgraded.case is Case.UPGRADE
    assert upgraded.text.startswith(old)
    assert [step.name for step in upgraded.steps] == ["add"] * len(template.BLOCKS)
    assert plan(upgraded.text).steps == ()


def test_an_unchanged_block_is_updated() -> None:
    """E-03: snapshot and routing follow the project as long as nobody changed them."""
    updated = plan(NEW, NEWER)

    assert (updated.case, [(step.name, step.subject) for step in updated.steps]) == (
        Case.REFRESH,
        [("update", "routing")],
    )
    assert "another rule" in updated.text
    assert updated.asked == ()


def test_a_changed_block_is_kept_and_not_asked_about_again() -> None:
    """E-02: keep mine leaves the person's text, and the same update is not offered twice."""
    mine = NEW.replace("## routing\n\nfrom the project", "## routing\n\nmy rule")
    kept = plan(mine, NEWER, routing=Choice.KEEP)

    assert kept.asked == ("routing",)
    assert "my rule" in kept.text
    assert "another rule" not in kept.text
    assert plan(kept.text, NEWER).steps == ()
    assert plan(kept.text, {**NEWER, "routing": "newer still\n"}).asked == ("routing",)
    assert "another rule" in plan(kept.text, NEWER, routing=Choice.TAKE).text
    assert "another rule" in plan(kept.text, NEWER, routing=Choice.APPEND).text


def test_a_changed_block_can_take_the_update() -> None:
    """E-02: take the update puts it in the place of the person's text."""
    mine = NEW.replace("## routing\n\nfrom the project", "## routing\n\nmy rule")
    taken = plan(mine, NEWER, routing=Choice.TAKE)

    assert "my rule" not in taken.text
    assert plan(taken.text, NEWER).steps == ()


def test_a_changed_block_can_be_appended_to() -> None:
    """E-02: append updates the block and keeps the person's text behind it, as theirs from now on."""
    mine = NEW.replace("## routing\n\nfrom the project", "## routing\n\nmy rule")
    both = plan(mine, NEWER, routing=Choice.APPEND)

    document = blocks.parse(both.text, "")
    assert [block.name for block in document.users()] == ["routing-yours", "yours"]
    assert "my rule" in document.users()[0].text
    assert plan(both.text, NEWER).steps == ()


def test_without_a_choice_the_persons_text_is_kept() -> None:
    """E-02: nobody's text is overruled by silence; a hand-edited focus is left alone without a question."""
    mine = NEW.replace("Focus: none yet", "Focus: by hand").replace("## safety\n", "## safety, mine\n")

    assert (plan(mine).asked, "safety, mine" in plan(mine).text) == (("safety",), True)
    assert plan(plan(mine).text).asked == ("safety",)
    assert "Focus: by hand" in plan(mine).text


def test_line_endings_of_the_document_are_kept() -> None:
    """E-02: blocks that are added to a document with CRLF have CRLF too."""
    upgraded = plan("# Ours\r\n")

    assert "\n" not in upgraded.text.replace("\r\n", "")
    assert plan(upgraded.text).steps == ()


def test_repair_keeps_every_line_as_the_users() -> None:
    """E-05: after a repair the markers pair up, and every line but the markers stands in a user block."""
    broken = NEW.replace("<!-- MACHINE_BLOCK_END -->\n", "", 1) + "last line"
    mended = refresh.repaired(broken, title="# Shop\n\n", wanted=WANTED)

    (user,) = blocks.parse(mended, "").users()
    assert {line for line in broken.splitlines() if "_BLOCK_" not in line} <= set(user.text.splitlines())
    assert plan(mended).steps == ()


def test_the_template_says_what_the_project_is() -> None:
    """E-01: snapshot, routing by intent, binding decisions and quick answers come from the project."""
    node = Manifest(
        "package.json",
        "node",
        "shop",
        "Sells.",
        {"npm": ("dev", "test", "build", "lint")},
        {"node": ">=20", "react": "^18"},
    )
    seen = Survey(
        "shop", frozenset({"package.json", "src/a/b.ts", "src/c.ts", "memory-bank/x.md"}), (node,), {}, "# The Shop\n"
    )
    pages = [template.Page("details/tech.md", "Tech"), template.Page("details/design/pay.md", "Paying")]
    said = template.wanted(seen, pages, [template.Ruling("Use pnpm.", "MEM-a")])

    assert set(said) == {*template.BLOCKS} - {"focus"}
    assert "- Project: The Shop\n- Purpose: Sells.\n- Stack: node, node >=20, react ^18" in said["snapshot"]
    assert "`src/`: a/, c.ts" in said["snapshot"]
    assert "memory-bank" not in said["snapshot"]
    assert "Use pnpm. [MEM-a]" in said["decisions"]
    assert "测试" in said["routing"]
    assert "- About Paying: read `details/design/pay.md`" in said["routing"]
    assert 1 <= said["answers"].count("\n- ") <= 8
    assert "`npm run test` (`package.json`)" in said["answers"]


def test_an_empty_project_has_a_document_too() -> None:
    """E-01: where there is nothing to say, each part says so."""
    seen = Survey("x", frozenset(), (), {}, "")
    said = template.wanted(seen, [], [])

    assert "None yet." in said["decisions"]
    assert "None yet." in said["answers"]
    assert template.title(seen) == "# x: project memory\n\n"


def test_focus_is_set_line_by_line() -> None:
    """E-01: focus, next steps and blockers are set; what a person wrote between them stays."""
    text, archived = focus.change(
        focus.EMPTY.replace("### Blockers", "my own line\n\n### Blockers"),
        focus.Wish("Checkout", ("form", "tests"), (), ("no key",), ()),
    )
    done, _ = focus.change(text, focus.Wish(done=("form", "unplanned"), unblocked=("no k",)))

    assert focus.read(text) == focus.Seen("Checkout", ("form", "tests"), (), ("no key",))
    assert focus.read(done) == focus.Seen("Checkout", ("tests",), ("form", "unplanned"), ())
    assert "my own line" in done
    assert archived == []


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (focus.Wish(done=("wriet the form",)), "they are: write the form; tests"),
        (focus.Wish(done=("write the form", "Write the form")), "'write the form' is finished already"),
        (focus.Wish(done=("the form", "the form")), "'write the form' is finished already"),
        (focus.Wish(done=("unplanned", "unplanned")), "'unplanned' is finished already"),
        (focus.Wish(done=("te",)), "done: 'te' may be any of: write the form; tests"),
        (focus.Wish(done=("",)), "done: '' may be any of: write the form; tests"),
        (focus.Wish(unblocked=(" ",)), "unblock: '' may be any of: no key"),
        (focus.Wish(unblocked=("unknown",)), "there is no blocker 'unknown'; there are: no key"),
    ],
)
def test_nothing_is_finished_twice_or_by_a_slip(wish: focus.Wish, told: str) -> None:
    """E-01, E-04: a step counts once, a misspelt one is no other step, and a blocker that is gone was there."""
    text, _ = focus.change(focus.EMPTY, focus.Wish("Checkout", ("write the form", "tests"), (), ("no key",), ()))
    with pytest.raises(FieldRefused, match=told):
        focus.change(text, wish)


def test_more_than_twenty_finished_items_are_handed_over() -> None:
    """E-04: twenty finished items stay, the twenty-first sends all of them to the archive."""
    twenty, none = focus.change(focus.EMPTY, focus.Wish(done=tuple(f"step {number}" for number in range(20))))
    rest, archived = focus.change(twenty, focus.Wish(next_steps=("open",), done=("one more",)))

    assert none == []
    assert len(archived) == 21
    assert focus.read(rest) == focus.Seen("none yet", ("open",), (), ())


def test_a_step_is_finished_and_a_blocker_gone_as_whole_lines() -> None:
    """E-01: what begins or ends like a step or a blocker, or stands in the other list, is left as it is."""
    wish = focus.Wish(next_steps=("Release 1.10", "Release 1.1", "legal"), blockers=("ask - legal", "legal"))
    text, _ = focus.change(focus.EMPTY.replace("Next steps\n", "Next steps\n\n- legal\n"), wish)
    done, _ = focus.change(text, focus.Wish(done=("Release 1.1",), unblocked=("legal",)))
    left = ("legal", "Release 1.10", "legal")
    assert focus.read(done) == focus.Seen("none yet", left, ("Release 1.1",), ("ask - legal",))
    assert "\n\n\n" not in done


def test_a_block_that_is_kept_beside_its_update_has_the_line_ends_of_its_document() -> None:
    """E-02: in a document with the line ends of Windows no line gets others."""
    mine = NEW.replace("## safety\n", "## safety\n\n- mine\n").replace("\n", "\r\n")
    text = plan(mine, {**WANTED, "safety": "## safety\n\n- newer\n"}, safety=Choice.APPEND).text
    assert "- mine\r\n" in text
    assert "\n" not in text.replace("\r\n", "")


def test_a_version_that_is_no_number_and_a_block_that_is_current_ask_for_no_upgrade() -> None:
    """E-03: a marker that was changed by hand stops nothing, and what needs no change is no older template."""
    text = NEW.replace("name=safety version=1", "name=safety version=²")
    assert (plan(text).case, plan(text).steps) == (Case.REFRESH, ())


def test_a_focus_without_its_headings_is_mended() -> None:
    """E-01: where a person took the headings away they are made again, and nothing else is lost."""
    text, _ = focus.change("free text\n", focus.Wish("X", ("a",), (), ("b",)))

    assert text.startswith("free text\n")
    assert focus.read(text) == focus.Seen("X", ("a",), (), ("b",))


def test_old_banks_are_recognised_and_nothing_is_overwritten() -> None:
    """E-03: all three generations are known, names stay, and what is taken goes to the archive."""
    assert memory_bank.is_memory_bank(["brief.md"])
    assert memory_bank.is_memory_bank(["_index/x.md"])
    assert memory_bank.is_memory_bank(["MEMORY.md"])
    assert memory_bank.is_memory_bank(["techContext.md"])
    assert not memory_bank.is_memory_bank(["photos/cat.png"])

    moves = migrating.moves(["MEMORY.md", "tech.md", "details/design/a.md"], {"details/tech.md"}, entry_is_free=False)
    assert {move.old: move.new for move in moves} == {
        "MEMORY.md": "details/archive/memory-bank/MEMORY.md",
        "tech.md": "details/archive/memory-bank/tech.md",
        "details/design/a.md": "details/design/a.md",
    }
    again = migrating.moves(
        ["MEMORY.md", "a.md"], {"details/a.md", "details/archive/memory-bank/a.md"}, entry_is_free=True
    )
    assert [move.new for move in again] == ["MEMORY.md", "details/archive/memory-bank-2/a.md"]
