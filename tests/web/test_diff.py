"""Unified diffs as two columns."""

from __future__ import annotations

from difflib import unified_diff

from hypothesis import given
from hypothesis import strategies as st

from tacit.web import diff
from tacit.web.diff import Line, Row

LINES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12), max_size=12
)


def unified(old: list[str], new: list[str]) -> str:
    """A diff as the bank makes it."""
    return "--- a\n+++ b\n" + "\n".join(list(unified_diff(old, new, lineterm="", n=1))[2:])


@given(LINES, LINES)
def test_no_changed_line_is_lost(old: list[str], new: list[str]) -> None:
    """U-01: whatever the texts are, also those that look like heads, both sides show each line that changed."""
    (found,) = diff.parse(unified(old, new))

    for row in found.rows:
        assert row.old is None or old[row.old.number - 1] == row.old.text
        assert row.new is None or new[row.new.number - 1] == row.new.text
    shown_old = {row.old.number for row in found.rows if row.old}
    shown_new = {row.new.number for row in found.rows if row.new}
    hidden_old = [line for number, line in enumerate(old, 1) if number not in shown_old]
    hidden_new = [line for number, line in enumerate(new, 1) if number not in shown_new]
    assert hidden_old == hidden_new


def test_head_that_is_a_line_of_text() -> None:
    """A removed line that begins with two dashes is no head of a file."""
    (found,) = diff.parse(unified(["-- x", "+++ y"], ["a"]))

    assert [row.old for row in found.rows if row.old] == [Line(1, "-- x"), Line(2, "+++ y")]


def test_lines_that_are_alike_stand_side_by_side() -> None:
    """A line that was put before another one does not hide that the other only changed a word."""
    (found,) = diff.parse(unified(["use npm for packages"], ["a new first line", "use pnpm for packages"]))

    assert found.rows == [
        Row(None, Line(1, "a new first line")),
        Row(Line(1, "use npm for packages"), Line(2, "use pnpm for packages")),
    ]


def test_words_are_marked() -> None:
    """U-01: only the words that differ are marked, and Chinese is compared by characters."""
    assert diff.words("use npm here", "use pnpm here") == ("use <del>npm</del> here", "use <ins>pnpm</ins> here")
    assert diff.words("先清缓存", "先清索引") == ("先清<del>缓存</del>", "先清<ins>索引</ins>")
    assert diff.words("<b>", "<i>") == ("&lt;<del>b</del>&gt;", "&lt;<ins>i</ins>&gt;")


def test_long_difference_is_cut() -> None:
    """X-05: a difference has an end, and says how much is left out."""
    made = diff.render(unified([], [f"line {number}" for number in range(diff.MOST_ROWS + 7)]))

    assert made.count("<tr ") == diff.MOST_ROWS
    assert "… 7 more lines" in made


def test_far_lines_are_left_out_with_a_sign() -> None:
    """What lies between two changes is shown as a gap."""
    old = [f"line {number}" for number in range(20)]
    (found,) = diff.parse(unified(old, ["line 0 here", *old[1:19], "line 19 here"]))

    assert [row.kind for row in found.rows] == ["changed", "same", "gap", "same", "changed"]


def test_nothing_changed() -> None:
    """A file without a change says so."""
    assert "nothing changes" in diff.render("--- a\n+++ a\n")
    assert diff.render("") == ""


def test_new_note_shows_its_text_first() -> None:
    """U-01: of a new note the front matter is folded away."""
    made = diff.render(unified([], ["---", "id: MEM-x", "---", "", "Text"]).replace("--- a", "--- /dev/null", 1))

    front, _, text = made.partition("</details>")
    assert "Front matter, 3 lines" in front
    assert "id: MEM-x" in front
    assert "Text" in text


def test_many_lines_are_paired_in_order() -> None:
    """A rewrite of a long text is shown in time that does not explode."""
    old, new = [f"old {number}" for number in range(200)], [f"new {number}" for number in range(200)]
    (found,) = diff.parse(unified(old, new))

    assert len(found.rows) == 200
