"""Tables in TOML: put at the end, taken out again, everything else as it was."""

from __future__ import annotations

import tomllib

import pytest

from tacit.hosts import toml_text
from tacit.hosts.jsonc import BrokenText, Taken
from tacit.hosts.record import Spliced, reverted
from tacit.hosts.wiring import Piece, Put

SERVER = Piece(("mcp_servers", "tacit"), {"command": "sh", "args": ["-c", 'exec "x"'], "startup_timeout_sec": 20})
TABLE = '[mcp_servers.tacit]\ncommand = "sh"\nargs = ["-c", "exec \\"x\\""]\nstartup_timeout_sec = 20\n'


def put(text: str) -> tuple[str, list[Put]]:
    """Put the server into a text; return the text and what was put."""
    document = Spliced(text)
    puts = toml_text.put_in(document, [SERVER])
    assert reverted(document.text, document.splices) == text
    return document.text, puts


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", TABLE),
        ("a = 1 # why\n", f"a = 1 # why\n\n{TABLE}"),
        ("a = 1", f"a = 1\n\n{TABLE}"),
        ("a = 1\r\n", "a = 1\r\n\r\n" + TABLE.replace("\n", "\r\n")),
        ("[mcp_servers.other]\ncommand = 'x'\n", f"[mcp_servers.other]\ncommand = 'x'\n\n{TABLE}"),
    ],
)
def test_a_table_goes_to_the_end(before: str, after: str) -> None:
    """W-01: the table is put behind everything, once, and the way back is exact."""
    text, puts = put(before)
    assert text == after
    assert [each.piece for each in puts] == [SERVER]
    assert put(text) == (text, [])


@pytest.mark.parametrize("before", ["", "a = 1 # why\n", "a = 1\r\n", "[mcp_servers.other]\ncommand = 'x'\n"])
def test_the_table_comes_out_of_a_changed_text(before: str) -> None:
    """What the user wrote around the table since stays."""
    text, puts = put(before)
    newline = "\r\n" if "\r\n" in text else "\n"
    document = Spliced(f"# new{newline}{text}{newline}[later]{newline}b = 2{newline}")
    assert toml_text.take_out(document, puts) == []
    assert document.text == f"# new{newline}{before}{newline}[later]{newline}b = 2{newline}"


def test_a_table_that_was_laid_out_anew_comes_out() -> None:
    """Another program may write the same values in another way; they are found by value, and comments stay."""
    text, puts = put("# mine\na = 1\n")
    document = Spliced(text.replace('command = "sh"\n', "command = 'sh' # shell\n"))
    assert toml_text.take_out(document, puts) == []
    assert document.text.startswith("# mine\na = 1\n")
    assert tomllib.loads(document.text).get("mcp_servers", {}) == {}


def test_a_table_that_was_changed_is_left_and_told() -> None:
    """A table of ours that the user made theirs is not taken out; one that is gone is no trouble."""
    text, puts = put("")
    document = Spliced(text.replace("20", "60"))
    assert toml_text.take_out(document, puts) == puts
    gone = Spliced("a = 1\n")
    assert toml_text.take_out(gone, puts) == []
    assert gone.text == "a = 1\n"


def test_another_table_of_the_name_is_not_overwritten() -> None:
    """What somebody else put under our name is a reason to refuse."""
    with pytest.raises(Taken):
        put('[mcp_servers.tacit]\ncommand = "mine"\n')


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = \n", 2),
        ("a = 1\na = 2\n", 2),
        ("a = 1\nmcp_servers = {other = {}}\n", 2),
        ('"mcp\\u005fservers" = {other = {}}\n', 1),
        (f"a = {'9' * 5000}\n", 0),
        (f"a = {'[' * 5000}\n", 0),
    ],
)
def test_a_text_that_cannot_take_the_table_is_refused(text: str, line: int) -> None:
    """A broken text is refused with its line, and so is one whose servers stand in one line that cannot grow."""
    with pytest.raises(BrokenText) as refused:
        put(text)
    assert refused.value.line == line
    assert refused.value.reason
