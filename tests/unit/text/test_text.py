"""Pure text helpers."""

from __future__ import annotations

import pytest

from tacit.text import clip, one_line, pad, printable, slug, width


def test_terminal_escapes_become_harmless() -> None:
    """A note cannot drive the terminal that shows it."""
    assert printable("a\x1b]52;c;x\x07b\u202ec\td\n") == "a�]52;c;x�b�c\td\n"
    assert printable("a\u2028b\u2029c\rd\x85e") == "a�b�c�d�e"
    assert printable("Windows\r\nends\r\r\n") == "Windows\nends�\n"


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("数据库", 6), ("e\u0301", 1), ("👍", 2), ("a\u200db", 2)])
def test_width_counts_terminal_columns(text: str, columns: int) -> None:
    """CJK and emoji take two columns, combining marks none."""
    assert width(text) == columns


@pytest.mark.parametrize(("text", "cut"), [("short", "short"), ("a longer text", "a lon…"), ("数据库迁移", "数据…")])
def test_clip_cuts_by_columns(text: str, cut: str) -> None:
    """A cut text says so and fits."""
    assert clip(text, 6) == cut
    assert width(cut) <= 6


def test_pad_fills_by_columns() -> None:
    """Padded cells line up, whatever the script."""
    assert pad("数据", 6) == "数据  "


def test_one_line_folds_white_space() -> None:
    """Line breaks and runs of blanks become one blank."""
    assert one_line(" a\n  b\tc ") == "a b c"


def test_slug_names_a_heading() -> None:
    """Headings are addressed by their words; CJK stays."""
    assert slug("When to load") == "when-to-load"
    assert slug("One-liner (for injection)") == "one-liner-for-injection"
    assert slug("数据库 迁移!") == "数据库-迁移"
