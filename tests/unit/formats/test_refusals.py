"""Files that are no notes: each is refused with its code, its line and the name of the file."""

from __future__ import annotations

import pytest
import yaml

from tacit.errors import InputRefused, NoteSyntaxError, TacitError
from tacit.formats import front_matter, native

FILE = "L1_declarative/MEM-abc.md"
HEAD = "id: MEM-abc\ntitle: A title\n"
BODY = "\n## When to load\n\n- Now\n\n## One-liner\n\nDo it.\n"


def note(front: str = "", *, head: str = HEAD, body: str = BODY) -> bytes:
    """A note whose own keys are `front`, from line 4 on."""
    return f"---\n{head}{front}---\n{body}".encode()


def nested(levels: int) -> str:
    """A value that many levels deep, counting the front matter itself."""
    return f"x: {'[' * (levels - 1)}{']' * (levels - 1)}\n"


SYNTAX = "note.syntax"
CONFLICT = "<<<<<<< ours\nA\n=======\nB\n>>>>>>> theirs\n"
ALIAS_BOMB = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n"

CASES = {
    # The file as a whole.
    "nothing": (b"", "note.empty", None),
    "only blank lines": (b"\xef\xbb\xbf \r\n\n", "note.empty", None),
    "only NUL bytes": (b"\0" * 300, "note.empty", None),
    "one NUL byte": (note(body=BODY + "\0"), "note.empty", None),
    "too large": (note(body=BODY + "x" * 100_000), "note.too_large", None),
    "too large even for UTF-8": (b"\xff" * 100_000, "note.too_large", None),
    "invalid UTF-8": (note() + b"\xff", "note.not_utf8", 13),
    "Latin-1": ("---\nid: MEM-abc\ntitle: Café\n---\n".encode("latin-1"), "note.not_utf8", 3),
    "UTF-16": (note().decode().encode("utf-16-le").replace(b"\0", b"\xfe"), "note.not_utf8", 1),
    "a lone surrogate as bytes": (b"---\r\nid: \xed\xa0\x80", "note.not_utf8", 2),
    "conflict in the body": (note(body=BODY + CONFLICT), "note.conflicted", 13),
    "conflict in the front matter": (note(CONFLICT), "note.conflicted", 4),
    "conflict with Windows line ends": (note(CONFLICT).replace(b"\n", b"\r\n"), "note.conflicted", 4),
    "conflict of a whole file": (f"<<<<<<< a\n=======\n{note().decode()}>>>>>>> b\n".encode(), "note.conflicted", 1),
    # Front matter as a whole.
    "no front matter": (b"# A title\n", SYNTAX, 1),
    "blank line before it": (b"\n" + note(), SYNTAX, 1),
    "four dashes": (b"-" + note(), SYNTAX, 1),
    "not closed": (b"---\nid: MEM-abc\n", SYNTAX, 1),
    "closed by dots": (note().replace(b"\n---\n", b"\n...\n"), SYNTAX, 1),
    "closed by an indented line": (note().replace(b"\n---\n", b"\n ---\n"), SYNTAX, 1),
    "empty": (note(head=""), SYNTAX, 1),
    "only comments": (note("# a\n", head=""), SYNTAX, 1),
    "20 KB": (note("x: " + "y" * 20_000 + "\n"), SYNTAX, 2),
    "20 KB of Chinese": (note("x: " + "记" * 6_000 + "\n"), SYNTAX, 2),
    "a list": (note(head="- a\n- b\n"), SYNTAX, 2),
    "a word": (note(head="word\n"), SYNTAX, 2),
    "one flow mapping": (note(head="{id: MEM-abc, title: A title}\n"), SYNTAX, 2),
    "indented": (note(head="  id: MEM-abc\n  title: A title\n"), SYNTAX, 2),
    "a document start": (note("--- x\n"), SYNTAX, 4),
    "a document start first": (note(head="--- # x\n" + HEAD), SYNTAX, 2),
    "a document end": (note("...\n"), SYNTAX, 4),
    "a second document": (note("...\nx: y\n"), SYNTAX, 4),
    "a directive": (note(head="%YAML 1.1\n" + HEAD), SYNTAX, 3),
    "a tag directive": (note("%TAG ! x\n"), SYNTAX, 5),
    # What YAML has and the subset leaves out.
    "a tag": (note("x: !thing y\n"), SYNTAX, 4),
    "a standard tag": (note("x: !!str y\n"), SYNTAX, 4),
    "a Python tag": (note("x: !!python/object/apply:os.system [ls]\n"), SYNTAX, 4),
    "the empty tag": (note("x: ! y\n"), SYNTAX, 4),
    "a tagged list": (note("x:\n  - a\n  - !y []\n"), SYNTAX, 6),
    "a tagged root": (note(head="!x\n" + HEAD), SYNTAX, 2),
    "an anchor": (note("x: &a y\n"), SYNTAX, 4),
    "an anchored key": (note("&a x: y\n"), SYNTAX, 4),
    "an alias": (note("x: [*a]\n"), SYNTAX, 4),
    "an alias as a key": (note("x: &a b\n*a : y\n"), SYNTAX, 4),
    "an alias bomb": (note(ALIAS_BOMB), SYNTAX, 4),
    "a merge key": (note("<<: {a: b}\n"), SYNTAX, 4),
    "a quoted merge key": (note('x:\n  "<<": y\n'), SYNTAX, 5),
    "a key twice": (note("x: 1\nx: 2\n"), SYNTAX, 5),
    "a known key twice": (note("title: again\n"), SYNTAX, 4),
    "a key twice inside": (note("x:\n  y: 1\n  y: 2\n"), SYNTAX, 6),
    "a key twice in other quotes": (note('x: 1\n"x": 2\n'), SYNTAX, 5),
    "a list as a key": (note("? [a]\n: b\n"), SYNTAX, 4),
    "an explicit key": (note("? x\n: y\n"), SYNTAX, 4),
    "nine levels": (note(nested(9)), SYNTAX, 4),
    "a thousand levels": (note(nested(1000)), SYNTAX, 4),
    # What is wrong in any YAML.
    "a tab as indentation": (note("tags:\n\t- a\n"), SYNTAX, 5),
    "a tab before a value": (note("x:\ty\n"), SYNTAX, 4),
    "a control character": (note("y: z\nx: \x1b[31m\n"), SYNTAX, 5),
    "a line break of another kind": (note("x: y\u2028z: w\n"), SYNTAX, 4),
    "an unclosed double quote": (note('y: z\nx: "y\n'), SYNTAX, 5),
    "an unclosed single quote": (note("x: 'y\nz: w\n"), SYNTAX, 4),
    "an unclosed list": (note("x: [a, b\n"), SYNTAX, 5),
    "text after a quote": (note('x: "a" b\n'), SYNTAX, 4),
    "two colons": (note("x: a: b\n"), SYNTAX, 4),
    "a line without a colon": (note("x y z\n"), SYNTAX, 4),
    "a reserved character": (note("x: @y\n"), SYNTAX, 4),
    "a list in a line": (note("x: - y\n"), SYNTAX, 4),
    "uneven list": (note("x:\n    - a\n  - b\n"), SYNTAX, 6),
    "list under a value": (note('x: "y"\n  - a\n'), SYNTAX, 5),
    "an escape that YAML does not know": (note('x: "\\q"\n'), SYNTAX, 4),
    "an escaped lone surrogate": (note('x: "\\ud800"\n'), SYNTAX, 4),
    "an escape beyond Unicode": (note('x: "\\UFFFFFFFF"\n'), SYNTAX, 4),
    "an escaped NUL": (note('x: "\\0"\n'), SYNTAX, 4),
    "an escaped NUL in a key": (note('"\\0": y\n'), SYNTAX, 4),
    # Values.
    "no id": (note(head="title: A title\n"), SYNTAX, 1),
    "an empty id": (note(head="title: A title\nid:\n"), SYNTAX, 3),
    "an id of another shape": (note(head="id: NOTE-1\ntitle: t\n"), SYNTAX, 2),
    "an id with a slash": (note(head="title: t\nid: MEM-a/b\n"), SYNTAX, 3),
    "an id that goes up": (note(head="id: MEM-../../x\ntitle: t\n"), SYNTAX, 2),
    "an id of two lines": (note(head='id: "MEM-a\\n"\ntitle: t\n'), SYNTAX, 2),
    "an id too long": (note(head=f"id: MEM-{'a' * 61}\ntitle: t\n"), SYNTAX, 2),
    "a list as an id": (note(head="title: t\nid: [MEM-a]\n"), SYNTAX, 3),
    "no title": (note(head="id: MEM-abc\n"), SYNTAX, 1),
    "an empty title": (note(head='id: MEM-abc\ntitle: ""\n'), SYNTAX, 3),
    "a blank title": (note(head='id: MEM-abc\ntitle: "  "\n'), SYNTAX, 3),
    "a title of two lines": (note(head='id: MEM-abc\ntitle: "a\\nb"\n'), SYNTAX, 3),
    "a title of two odd lines": (note(head='id: MEM-abc\ntitle: "a\\u2028b"\n'), SYNTAX, 3),
    "a title too long": (note(head=f"id: MEM-abc\ntitle: {'t' * 201}\n"), SYNTAX, 3),
    "a mapping as a title": (note(head="id: MEM-abc\ntitle: {a: b}\n"), SYNTAX, 3),
    "an unknown kind": (note("kind: opinion\n"), SYNTAX, 4),
    "a kind in capitals": (note("kind: Decision\n"), SYNTAX, 4),
    "a list as a kind": (note("kind: [decision]\n"), SYNTAX, 4),
    "an unknown level": (note("level: L1\n"), SYNTAX, 4),
    "an unknown status": (note("\nstatus: done\n"), SYNTAX, 5),
    "an unknown strength": (note("strength: weak\n"), SYNTAX, 4),
    "an unknown scope": (note("scope: all\n"), SYNTAX, 4),
    "an unknown audience": (note("audience: world\n"), SYNTAX, 4),
    "an unknown portability": (note("portability: yes\n"), SYNTAX, 4),
    "an unknown timing": (note("timing: later\n"), SYNTAX, 4),
    "an unknown origin": (note("origin: web\n"), SYNTAX, 4),
    "an unknown source": (note("source: somewhere\n"), SYNTAX, 4),
    "a source without version": (note("source: kit@\n"), SYNTAX, 4),
    "a time in words": (note("created: yesterday\n"), SYNTAX, 4),
    "a time without zone": (note("created: 2026-11-15T21:00:00\n"), SYNTAX, 4),
    "a time in another zone": (note("updated: 2026-11-15T21:00:00+08:00\n"), SYNTAX, 4),
    "a day that is none": (note("updated: 2026-02-30\n"), SYNTAX, 4),
    "an hour that is none": (note("updated: 2026-11-15T24:00:00Z\n"), SYNTAX, 4),
    "digits of another script": (note("updated: ٢٠٢٦-١١-١٥\n"), SYNTAX, 4),
    "a confirmation without time": (note("confirmed: terminal\n"), SYNTAX, 4),
    "a confirmation without channel": (note("confirmed: 2026-11-15T21:00:00Z\n"), SYNTAX, 4),
    "a structured confirmation": (note("confirmed:\n  channel: terminal\n"), SYNTAX, 4),
    "tags in one line": (note("tags: a, b\n"), SYNTAX, 4),
    "a mapping as tags": (note("tags: {a: b}\n"), SYNTAX, 4),
    "a list inside tags": (note("tags: [[a]]\n"), SYNTAX, 4),
    "an empty tag": (note('tags:\n  - a\n  - ""\n'), SYNTAX, 4),
    "a tag too long": (note(f"tags: [{'a' * 65}]\n"), SYNTAX, 4),
    "33 tags": (note("tags:\n" + "  - a\n" * 33), SYNTAX, 4),
    "supersedes what is no note": (note("supersedes: [MEM-a, ../b]\n"), SYNTAX, 4),
    "a session of two lines": (note('session: "a\\rb"\n'), SYNTAX, 4),
    "a session too long": (note(f"session: {'s' * 201}\n"), SYNTAX, 4),
    # Sections.
    "no body": (note(body=""), SYNTAX, 4),
    "no body, no final newline": (note(body="").rstrip(), SYNTAX, 4),
    "no When to load": (note(body="## One-liner\nDo it.\n"), SYNTAX, 4),
    "an empty When to load": (note(body="## When to load\n\n- \n*\n## One-liner\nDo it.\n"), SYNTAX, 5),
    "no One-liner": (note(body="## When to load\nNow\n"), SYNTAX, 4),
    "an empty One-liner": (note(body="## When to load\nNow\n## One-liner\n\n"), SYNTAX, 7),
    "a section twice": (note(body=BODY + "## Decision\na\n### decision (again)\nb\n"), SYNTAX, 15),
    "a required section in a fence": (note(body="```\n## When to load\nNow\n```\n## One-liner\nDo it.\n"), SYNTAX, 4),
    "a required section at level 1": (note(body="# When to load\nNow\n## One-liner\nDo it.\n"), SYNTAX, 4),
    "a required section at level 4": (note(body="#### When to load\nNow\n## One-liner\nDo it.\n"), SYNTAX, 4),
    "a heading without blank": (note(body="##When to load\nNow\n## One-liner\nDo it.\n"), SYNTAX, 4),
}


@pytest.mark.parametrize(("content", "code", "line"), CASES.values(), ids=CASES)
def test_what_is_no_note_is_refused_with_code_file_and_line(content: bytes, code: str, line: int | None) -> None:
    """N-05, X-05: a file that is no valid note is reported with file, line and reason."""
    with pytest.raises(InputRefused) as caught:
        native.parse(content, FILE)
    assert (caught.value.code, caught.value.details.get("line")) == (code, line)
    assert FILE in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.next_step


def test_the_worst_reason_stands_first() -> None:
    """A file that is wrong in several ways is refused for the first of them: size, NUL, UTF-8, conflict, syntax."""
    wrong = [b"x", CONFLICT.encode(), b"\xff", b"\0", b"y" * 70_000]
    codes = ["note.syntax", "note.conflicted", "note.not_utf8", "note.empty", "note.too_large"]
    for count, code in enumerate(codes, start=1):
        with pytest.raises(TacitError) as caught:
            native.parse(b"\n".join(wrong[:count]), FILE)
        assert caught.value.code == code


def test_a_byte_that_is_not_utf8_is_counted_from_the_start_of_the_file() -> None:
    """The offset is where a hex viewer shows the byte; the line counts every kind of line end."""
    with pytest.raises(InputRefused) as caught:
        native.parse(b"---\r\nid\rx\n\xff", FILE)
    assert caught.value.details["offset"] == 10
    assert caught.value.details["line"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< only a start\n",
        "=======\n>>>>>>> b\n<<<<<<< a\n",
        "<<<<<<< a\n======= \n>>>>>>> b\n",
        " <<<<<<< a\n=======\n",
    ],
)
def test_single_markers_are_no_conflict(text: str) -> None:
    """Text about conflict markers is legal as long as they do not stand in the order of a conflict."""
    assert native.parse(note(body=BODY + text), FILE).body.endswith(text)


@pytest.mark.parametrize(
    ("front", "word"),
    [
        ("x: a: b\n", "quoted"),
        ("x: 'y\n", "never closed"),
        ("x: @y\n", "reserved"),
        ("x\ny: z\n", "`key: value`"),
        ("x: - y\n", "YAML"),
        ("x:\ty\n", "tab"),
        ("x: \x07\n", r"U\+0007"),
    ],
)
def test_the_reason_says_what_to_mend(front: str, word: str) -> None:
    """N-05: what a person reads is about the line, not about the parser."""
    with pytest.raises(NoteSyntaxError, match=word):
        native.parse(note(front), FILE)


def test_a_refused_value_is_shown_in_short_and_without_control_characters() -> None:
    """A message never carries a terminal escape or a page of text."""
    with pytest.raises(NoteSyntaxError) as caught:
        native.parse(note(f'kind: "\\e[2J{"x" * 500}"\n'), FILE)
    assert "\x1b" not in caught.value.message
    assert "�[2Jxxx" in caught.value.message
    assert len(caught.value.message) < 250


SLOW_CASES = {name: case for name, case in CASES.items() if case[1] == SYNTAX}


@pytest.mark.parametrize(("content", "line"), [(case[0], case[2]) for case in SLOW_CASES.values()], ids=SLOW_CASES)
def test_without_libyaml_the_same_files_are_refused(content: bytes, line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PyYAML without its C part refuses the same notes; the line may be the next one, or the first."""
    monkeypatch.delattr(yaml, "CBaseLoader", raising=False)
    with pytest.raises(NoteSyntaxError) as caught:
        native.parse(content, FILE)
    found = caught.value.details["line"]
    assert isinstance(found, int)
    assert found in (2, line, line + 1)


def test_a_depth_of_eight_levels_is_kept() -> None:
    """The limit itself is legal."""
    values = front_matter.values(nested(8), file=FILE, first_line=2)
    assert str(values["x"]) == "[" * 7 + "]" * 7
