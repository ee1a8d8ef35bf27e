"""JSON with comments: what is put in, what is taken out, and that nothing else moves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.hosts import jsonc
from tacit.hosts.jsonc import BrokenText, parse
from tacit.hosts.record import Spliced, reverted
from tacit.hosts.wiring import Piece, Put

ITEM = Piece(("hooks", "Start"), {"command": "ours"}, is_item=True)
SERVER = Piece(("servers", "tacit"), {"command": "tacit", "args": ["mcp"]})


def put(text: str, *pieces: Piece) -> tuple[str, list[Put]]:
    """Put pieces into a text; return the text and what was put."""
    document = Spliced(text)
    puts = jsonc.put_in(document, pieces)
    assert reverted(document.text, document.splices) == text
    return document.text, puts


def taken(text: str, puts: list[Put]) -> str:
    """Take what was put in out of a text."""
    document = Spliced(text)
    assert jsonc.take_out(document, puts) == []
    return document.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"x": 1}', '{"x": 1, "a": {"b": 1}}'),
        ('{"x": 1,}', '{"x": 1, "a": {"b": 1}}'),
        ('{\n    "x": 1\n}\n', '{\n    "x": 1,\n    "a": {\n        "b": 1\n    }\n}\n'),
        ('{\n\t"x": 1, // why\n}\n', '{\n\t"x": 1, // why\n\t"a": {\n\t\t"b": 1\n\t}\n}\n'),
        ('{\n  "x": 1 // why\n  // end\n}', '{\n  "x": 1, // why\n  // end\n  "a": {\n    "b": 1\n  }\n}'),
        ('{\r\n  "x": 1\r\n}\r\n', '{\r\n  "x": 1,\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'),
        ("\ufeff{ /* none */ }", '\ufeff{ /* none */\n  "a": {\n    "b": 1\n  }\n}'),
        ('{\n  "a": {"c": 2}\n}', '{\n  "a": {"c": 2, "b": 1}\n}'),
        ('{\n  "a": {},\n  "z": []\n}', '{\n  "a": {\n    "b": 1\n  },\n  "z": []\n}'),
    ],
)
def test_a_member_goes_to_the_end_in_the_style_of_the_file(before: str, after: str) -> None:
    """A member is put behind the others with the file's own indent, line ends and comments kept."""
    assert put(before, Piece(("a", "b"), 1))[0] == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"l": [1]}', '{"l": [1, 2]}'),
        ('{"l": []}', '{"l": [\n  2\n]}'),
        ('{\n  "l": [\n    1 // one\n  ]\n}', '{\n  "l": [\n    1, // one\n    2\n  ]\n}'),
    ],
)
def test_an_item_goes_to_the_end_of_its_list(before: str, after: str) -> None:
    """An item is put behind those that are there."""
    assert put(before, Piece(("l",), 2, is_item=True))[0] == after


def test_what_is_there_is_not_put_in_again() -> None:
    """W-01: twice is once; a default gives way to what stands under its name."""
    once, puts = put('{"version": 2}', ITEM, SERVER, Piece(("version",), 1, is_default=True))
    assert [each.piece for each in puts] == [ITEM, SERVER]
    assert put(once, ITEM, SERVER) == (once, [])


def test_another_entry_of_the_name_is_not_overwritten() -> None:
    """What somebody else put under our name is a reason to refuse, with its line."""
    with pytest.raises(jsonc.Taken) as refused:
        put('{\n  "servers": {\n    "tacit": {"command": "mine"}\n  }\n}', SERVER)
    assert refused.value.line == 3
    assert refused.value.reason == "servers.tacit"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("{", 1, "it ends too early"),
        ('{"a": 1\n', 2, "it ends too early"),
        ('{"a":', 1, "it ends too early"),
        ('{"a": 1} x', 1, "something follows the end of the document"),
        ('{\n"a": 1\n"b": 2}', 3, "a comma is missing"),
        ('{\n"a" 1}', 2, "a colon is missing"),
        ("{a: 1}", 1, 'a name in quotes or "}" is missing'),
        ('{"a": nope}', 1, "a value is missing"),
        ('{"a": "x\n"}', 1, "a string does not end"),
        ('{"a": "\\x"}', 1, "a string has a wrong escape"),
        ("[" * 300, 1, "it is nested too deeply"),
        (f'{{"a":\n{"9" * 5000}}}', 2, "a number is too long"),
        ("[]", 1, "`the document` is not an object"),
        ('{"hooks": 1}', 1, "`hooks` is not an object"),
        ('{"hooks": {\n"Start": {}}}', 2, "`hooks.Start` is not a list"),
    ],
)
def test_a_broken_text_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    """A text that its host could not read either is refused; the reason and the line are told."""
    with pytest.raises(BrokenText) as refused:
        put(text, ITEM)
    assert (refused.value.line, refused.value.reason) == (line, reason)


@pytest.mark.parametrize(
    "before",
    [
        '{"x": 1}',
        '{\n  "x": 1\n}\n',
        '{\n  "x": 1 // why\n  // end\n}\n',
        '{\n  "hooks": {"Start": [{"command": "theirs"}]},\n  "servers": {\n    "other": {}\n  }\n}\n',
        '{\n  // all\n  "servers": {\n    "other": {}, // last\n  },\n}\n',
        "{}\n",
    ],
)
def test_what_was_put_in_comes_out_by_its_value(before: str) -> None:
    """Without the places at hand, pieces are found by value, and containers made for them go when they are empty."""
    text, puts = put(before, ITEM, SERVER)
    assert taken(text, puts) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"x": 1', '"x": 2'),
        ('  "x": 1', '  "first": [1, 2], // new\n  "x": 1'),
        ("}\n", "}\n// end\n"),
    ],
)
def test_what_the_user_changed_since_stays(old: str, new: str) -> None:
    """W-01: from a file that was changed, exactly what was put in is taken out."""
    before = '{\n  "x": 1\n}\n'
    text, puts = put(before, ITEM, SERVER)
    assert text.count(old) >= 1
    changed = new.join(text.rsplit(old, 1)) if old == "}\n" else text.replace(old, new, 1)
    wanted = new.join(before.rsplit(old, 1)) if old == "}\n" else before.replace(old, new, 1)
    assert taken(changed, puts) == wanted


def test_what_the_user_put_around_ours_stays() -> None:
    """Members and items that came later stay, whichever side of ours they are on, and the text is still JSON."""
    text, puts = put("{}", ITEM, SERVER)
    whole = json.loads(text)
    whole["hooks"]["Start"].append({"command": "later"})
    whole["hooks"]["Start"].insert(0, {"command": "first"})
    whole["servers"] = {"before": {}, **whole["servers"], "after": {}}
    laid_out = json.dumps(whole, indent=4)
    assert json.loads(taken(laid_out, puts)) == {
        "hooks": {"Start": [{"command": "first"}, {"command": "later"}]},
        "servers": {"before": {}, "after": {}},
    }


def test_a_comment_in_a_container_of_ours_keeps_it() -> None:
    """A container that was made for a piece stays if somebody wrote a comment into it."""
    text, puts = put("{}", SERVER)
    noted = text.replace('"servers": {', '"servers": { // mine', 1)
    assert "// mine" in taken(noted, puts)


def test_a_piece_that_was_changed_is_left_and_told() -> None:
    """An entry of ours that the user made theirs is not taken out."""
    text, puts = put("{}", SERVER)
    document = Spliced(text.replace('"mcp"', '"mcp", "--role", "memory"'))
    assert jsonc.take_out(document, puts) == puts
    assert "--role" in document.text


@pytest.mark.parametrize("text", ["{}", '{"servers": []}', '{"servers": {}, "hooks": {"Start": [1]}}'])
def test_what_is_gone_already_is_fine(text: str) -> None:
    """Pieces that somebody took out by hand are no trouble."""
    puts = [Put(ITEM, 3), Put(SERVER, 2)]
    assert taken(text, puts) == text


def test_comments_between_a_value_and_its_comma_stay() -> None:
    """A comment behind a piece of ours is the user's."""
    text, puts = put('{"x": 1}', SERVER)
    noted = text[:-1] + " /* ours? */, " + '"y": 2}'
    assert json.loads(taken(noted, puts).replace("/* ours? */", "")) == {"x": 1, "y": 2}


# ── Any document ──────────────────────────────────────────────────────────────────────────────────────────────────────

KEYS = st.sampled_from(["a", "b", "hooks", "servers", "Start", '"q"', "键"])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
GAPS = st.sampled_from(["", " ", "\n", "\n    ", "\t", " // c\n", "/* c */", "\r\n"])


@st.composite
def documents(draw: Any) -> str:  # noqa: ANN401  hypothesis has no type for it that mypy can follow
    """Draw an object as text, with blanks, comments and trailing commas where they may be."""

    def render(value: Any) -> str:  # noqa: ANN401  any JSON
        def gap() -> str:
            return draw(GAPS)

        if isinstance(value, dict | list):
            parts = (
                [f"{gap()}{json.dumps(key)}{gap()}:{gap()}{render(each)}{gap()}" for key, each in value.items()]
                if isinstance(value, dict)
                else [f"{gap()}{render(each)}{gap()}" for each in value]
            )
            comma = "," if parts and draw(st.booleans()) else ""
            first, last = ("{", "}") if isinstance(value, dict) else ("[", "]")
            return f"{first}{','.join(parts)}{comma}{gap()}{last}"
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    whole = draw(st.dictionaries(KEYS, VALUES, max_size=4))
    return f"{draw(GAPS)}{render(whole)}{draw(GAPS)}"


@given(documents())
def test_any_document_gets_the_pieces_and_nothing_else(text: str) -> None:
    """W-01: in any document, the value afterwards is the value before with the pieces; the way back is exact."""
    before = parse(text).value
    try:
        after, puts = put(text, ITEM, SERVER)
    except BrokenText:
        assert (
            not isinstance(before.get("hooks", {}), dict)
            or not isinstance(before.get("servers", {}), dict)
            or (not isinstance(before["hooks"].get("Start", []), list) if "hooks" in before else True)
        )
        return
    expected = json.loads(json.dumps(before))
    expected.setdefault("hooks", {}).setdefault("Start", []).append(ITEM.value)
    expected.setdefault("servers", {})["tacit"] = SERVER.value
    assert parse(after).value == expected
    assert parse(taken(after, puts)).value == before
