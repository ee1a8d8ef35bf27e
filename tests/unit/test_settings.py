"""Settings: read, refused, changed."""

from __future__ import annotations

import pytest

from tacit.errors import SettingRefused, SettingsBroken
from tacit.settings import TEMPLATE, changed, named, parse


def test_defaults_hold_where_nothing_is_said() -> None:
    """The template alone gives every default."""
    settings = parse(TEMPLATE.format(format=1))

    assert settings.format == 1
    assert settings.number("trash.retention_days") == 30
    assert settings.text("language") == "auto"
    assert settings.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        *("", "format = 'one'", "format = true", "format = 0", "format = ", "= 3"),
        *(f"format = {'9' * 5000}", f"format = 1\na = {'[' * 5000}", f"format = 1\na{'.a' * 5000} = 1"),
    ],
    ids=["missing", "word", "bool", "zero", "no value", "no key", "endless number", "deep value", "deep key"],
)
def test_unreadable_format_is_refused(text: str) -> None:
    """B-03: a bank whose format nobody can tell is not opened."""
    with pytest.raises(SettingRefused):
        parse(text)


@pytest.mark.parametrize(
    "line",
    ["language = 'fr'", "lock.timeout_s = 'soon'", "trash.retention_days = -1", "unknown = 1", "lock.timeout_s = true"],
)
def test_wrong_value_leaves_the_default_and_is_reported(line: str) -> None:
    """A wrong setting never stops the bank."""
    settings = parse(f"format = 1\n{line}\n")

    assert len(settings.problems) == 1
    assert settings.values == parse("format = 1").values


def test_change_keeps_comments_and_order() -> None:
    """Changing one setting leaves the rest of the file as it was."""
    before = "# mine\nformat = 1\n\n[trash] # keep long\nretention_days = 30 # days\n"

    after = changed(before, "trash.retention_days", "90")

    assert after == before.replace("30", "90")
    assert parse(changed(after, "lock.timeout_s", "3")).number("lock.timeout_s") == 3
    assert parse(changed(after, "language", "zh")).text("language") == "zh"


def test_change_after_a_comment_without_an_end() -> None:
    """What is added to a file whose last line is a comment, and has no end, does not become part of that comment."""
    assert changed("[recall]\nx.y = 2 # mine", "recall.notes", "1") == "[recall]\nx.y = 2 # mine\nnotes = 1\n"
    assert changed("a = 1\r\n", "recall.notes", "1") == "a = 1\r\n\r\n[recall]\r\nnotes = 1\r\n"


@pytest.mark.parametrize(
    ("name", "value"), [("nothing", "1"), ("language", "fr"), ("lock.timeout_s", "soon"), ("lock.timeout_s", "601")]
)
def test_bad_change_is_refused(name: str, value: str) -> None:
    """An unknown setting or a value out of range is refused with a sentence."""
    with pytest.raises(SettingRefused):
        changed("format = 1\n", name, value)


def test_change_of_a_broken_file_is_refused() -> None:
    """What is no TOML is not written over."""
    with pytest.raises(SettingRefused):
        changed("format = = 1\n", "language", "zh")


def test_table_that_is_a_value_is_refused() -> None:
    """A file that uses a table's name for a value is not torn apart."""
    with pytest.raises(SettingRefused):
        changed("format = 1\nlock = 3\n", "lock.timeout_s", "3")


def test_named_setting_is_found() -> None:
    """A setting is found by its dotted name."""
    assert named("language").choices == ("auto", "en", "zh")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("format = 1\n<<<<<<< ours\nlanguage = 'en'\n", 2),
        ("format = 1\n[lock\n", 2),
        ("language = 'en'\n", 1),
        ("format = 1\nx = [", 2),
    ],
)
def test_broken_file_is_named_with_its_line(text: str, line: int) -> None:
    """B-03: a file that cannot be read is to be mended or brought back; no command can list what is in it."""
    with pytest.raises(SettingsBroken, match=f"^tacit.toml:{line}: ") as caught:
        parse(text)

    assert "git" in caught.value.next_step
    assert "tacit config" not in caught.value.next_step
