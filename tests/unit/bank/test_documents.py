"""Documents of the index: what of a note and of a detail file models get to read."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tacit.bank import documents
from tacit.entry import details
from tacit.note import blob
from tacit.note.model import Note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank import Bank


def _stretches(decision: str) -> tuple[str, ...]:
    note = Note(id="MEM-a", title="Ports", when_to_load=("choosing a port",), one_liner="Take 8080.", decision=decision)
    return documents.of_note(note, "digest").passages[2:]


def test_a_short_note_is_read_in_one_piece() -> None:
    """Most notes are one paragraph; cutting them would only make hubs of their parts."""
    assert _stretches("Other ports are taken.") == ("Ports. choosing a port. Take 8080. Other ports are taken.",)


def test_a_long_note_is_read_paragraph_by_paragraph() -> None:
    """What one paragraph says is not drowned by the others."""
    lines = [f"{number} " + "word " * 60 for number in range(3)]
    stretches = _stretches("\n".join(lines))
    assert [stretch[-100:] for stretch in stretches] == [line.strip()[-100:] for line in lines]


def test_a_very_long_note_is_read_in_shorter_pieces() -> None:
    """A talk or a page speaks of many things, each in a few sentences."""
    lines = [f"{number} " + "word " * 40 for number in range(6)]
    stretches = _stretches("\n".join(lines))
    assert [stretch[-100:] for stretch in stretches] == [line.strip()[-100:] for line in lines]
    assert max(map(len, stretches)) <= 250


def test_a_line_without_end_is_cut_between_words_or_sentences() -> None:
    """A word that is cut in two is lost for both pieces."""
    english = _stretches("alpha beta gamma " * 100)
    assert {word for stretch in english for word in stretch.split()[9:]} <= {"alpha", "beta", "gamma"}
    chinese = _stretches("先看日志再重启服务。" * 100)
    assert all(stretch.endswith("。") for stretch in chinese)


def test_a_line_with_no_place_to_cut_is_cut_anyway() -> None:
    """No stretch is longer than what is told apart well, whatever was pasted."""
    assert {len(stretch) for stretch in _stretches("x" * 5_000)[1:-1]} == {250}


def test_a_book_is_not_read_to_its_end() -> None:
    """The number of vectors of one document has a limit."""
    assert len(_stretches("word " * 100_000)) == 40


def _kept_outside(bank: Bank, folder: Path) -> list[Path]:
    """A note whose text is so long that it is kept as a blob; returns the blobs."""
    text = "word " * 1_000 + "Only here it says walrus."
    bank.add([Note(id="MEM-a", title="Ports", when_to_load=("choosing a port",), one_liner="Short.", decision=text)])
    return list((folder / ".memory" / blob.FOLDER).iterdir())


def test_a_text_that_is_kept_outside_of_its_note_is_found_by_what_it_says(bank: Bank, tmp_path: Path) -> None:
    """F-02, Z-02: where a long text is kept does not change whether it is found."""
    assert _kept_outside(bank, tmp_path)
    assert [hit.id for hit in bank.search("walrus")] == ["MEM-a"]


def test_a_note_is_found_by_its_id(bank: Bank) -> None:
    """F-02: whoever has a reference alone finds the note by it, in any case."""
    bank.add(
        [
            Note(id=each, title=each[-4:], when_to_load=("x",), one_liner="y")
            for each in ("MEM-aaaa1111", "MEM-bbbb1111")
        ]
    )
    assert [hit.id for hit in bank.search("mem-BBBB1111")][:1] == ["MEM-bbbb1111"]


def test_a_note_whose_long_text_is_lost_is_found_by_the_rest(
    bank: Bank, reopen: Callable[[], Bank], tmp_path: Path
) -> None:
    """F-05: a pointer that leads nowhere, or to what cannot be read, costs only the words behind it."""
    for path in _kept_outside(bank, tmp_path):
        path.unlink()
        path.mkdir()
    again = reopen()
    again.reindex()
    assert [hit.id for hit in again.search("choosing a port")] == ["MEM-a"]


def _said(section: str) -> str:
    return documents.of_detail(f"# Rules\n\n{section}\n", "details/rules.md", "digest")[0].one_liner


def test_a_dot_inside_of_a_name_ends_no_sentence() -> None:
    """J-01: of a section its first sentence is said, whole, with the names that stand in it."""
    assert _said("Raise session.timeout.ms to 45 seconds. Then wait.") == "Raise session.timeout.ms to 45 seconds."
    assert _said("先运行 scripts/smoke.sh。再部署。") == "先运行 scripts/smoke.sh。"


def test_of_a_list_the_items_are_said() -> None:
    """J-01: whichever item a prompt is about, it is not answered with another one alone."""
    assert _said("- Use pnpm, never npm.\n- 提交信息用英文。") == "Use pnpm, never npm. 提交信息用英文。"
    assert _said("1. Tag it.\n2) Push it.\n") == "Tag it. Push it."
    assert _said("* " + "word " * 100).endswith(" word…")
    assert _said("Rules:\n- one\n- two\n\nMore.") == "Rules: one two"


def test_a_comment_in_code_begins_no_section() -> None:
    """F-02: a section of a detail is what stands below a heading; code and front matter belong to none of their own."""
    text = "---\ntags: [x]\n---\n<!-- a mark -->\n# Deploying\n\n```bash\n# build first\nmake .\n```\n## C#\r\nOld."
    found = documents.of_detail(text, "details/tech.md", "digest")
    assert [(each.title, each.one_liner) for each in found] == [
        ("Deploying", "# build first make ."),
        ("C#", "Old."),
    ]


def test_what_stands_below_a_lower_heading_is_said_with_it() -> None:
    """J-01: Markdown's own signs are no part of what is said."""
    assert _said("#### Ports\nTake 8080.") == "Ports Take 8080."


@pytest.mark.parametrize("blanks", [" " * 400_000, "#" * 400_000])
def test_a_heading_of_many_blanks_takes_no_time(blanks: str) -> None:
    """F-05: a detail that git brought keeps nobody waiting, whatever it holds."""
    began = time.process_time()
    documents.of_detail(f"# a{blanks}b\nText.", "details/x.md", "digest")
    details.heading(f"# a{blanks}b", "details/x.md")
    assert time.process_time() - began < 60  # some milliseconds; a pattern that backtracks takes an hour
