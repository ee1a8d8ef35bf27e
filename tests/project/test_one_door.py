"""Only `tacit.fsio` changes the disk; ruff bans the functions, this bans the methods and `open` for writing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src/tacit"
DOOR = SOURCE / "fsio.py"
# Run for every prompt, it loads nothing else; what it makes (a socket's directory, an event on its way) is no one's.
LINK = SOURCE / "link.py"
# Of pathlib.Path; its `open` and `replace` have namesakes elsewhere and are looked at more closely.
WRITING_METHODS = re.compile(r"hardlink_to|mkdir|rename|rmdir|symlink_to|touch|unlink|write_bytes|write_text")
WRITING_FLAGS = {"O_APPEND", "O_CREAT", "O_RDWR", "O_TRUNC", "O_WRONLY"}
MODE = re.compile(r"[abrtwxU+]{1,4}")


def mode_writes(call: ast.Call, position: int) -> bool:
    """Whether the mode of this `open`, given by position or by name, is one that writes."""
    named = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    for mode in named or call.args[position : position + 1]:
        match mode:
            case ast.Constant(str(letters)):
                return MODE.fullmatch(letters) is not None and bool(set("awx+") & set(letters))
            case _:  # only the built-in is sure to have a mode here; Bank.open(path) has not
                return position == 1
    return False


def flags_write(call: ast.Call) -> bool:
    """Whether this `os.open` names a flag that lets it write."""
    parts = list(ast.walk(call))
    names = {node.attr for node in parts if isinstance(node, ast.Attribute)}
    return bool(WRITING_FLAGS & (names | {node.id for node in parts if isinstance(node, ast.Name)}))


def replaces_path(call: ast.Call) -> bool:
    """Whether this `.replace` moves a file: str takes two arguments, dates and dataclasses take keywords."""
    named = {keyword.arg for keyword in call.keywords}
    return named == {"target"} or (len(call.args) == 1 and not named)


def writes(call: ast.Call) -> bool:
    """Whether this call changes the disk past the door."""
    match call.func:
        case ast.Attribute(ast.Name("fsio")):
            return False
        case ast.Attribute(ast.Name("os"), "open"):
            return flags_write(call)
        case ast.Name("open") | ast.Attribute(ast.Name("io"), "open"):
            return mode_writes(call, 1)
        case ast.Attribute(attr="open"):
            return mode_writes(call, 0)
        case ast.Attribute(attr="replace"):
            return replaces_path(call)
        case ast.Attribute(attr=method):
            return WRITING_METHODS.fullmatch(method) is not None
        case _:
            return False


def writes_in(source: str) -> list[str]:
    """Every call in this source that changes the disk, as `line: call`."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [f"{call.lineno}: {ast.unparse(call)}" for call in calls if writes(call)]


@pytest.mark.parametrize(
    "path", sorted({*SOURCE.rglob("*.py")} - {DOOR, LINK}), ids=lambda path: path.relative_to(SOURCE).as_posix()
)
def test_module_writes_only_through_the_door(path: Path) -> None:
    """A module other than fsio never writes, makes, moves or removes a file by itself."""
    assert writes_in(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "open(p, 'w')",
        "open(p, mode='ab')",
        "open(p, mode)",
        "io.open(p, 'r+')",
        "p.open('x', encoding='utf-8')",
        "p.open(mode='w')",
        "p.write_text('x', encoding='utf-8')",
        "p.with_suffix('.x').unlink(missing_ok=True)",
        "p.rename(q)",
        "p.replace(q)",
        "p.replace(target=q)",
        "Path(p).mkdir()",
        "os.open(p, os.O_RDWR | os.O_CREAT)",
        "os.open(p, O_WRONLY, dir_fd=d)",
    ],
)
def test_writing_is_seen(source: str) -> None:
    """The check finds each way past the door that it is meant to find."""
    assert len(writes_in(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "open(p)",
        "open(p, 'rb')",
        "p.open(encoding='utf-8')",
        "Bank.open(path)",
        "os.open(p, os.O_RDONLY | os.O_CLOEXEC)",
        "text.replace('a', 'b')",
        "text.replace(old, new, 1)",
        "moment.replace(tzinfo=UTC)",
        "dataclasses.replace(note, title='x')",
        "dataclasses.replace(note, **changes)",
        "fsio.replace(p, q)",
        "fsio.mkdir(p)",
    ],
)
def test_reading_is_left_alone(source: str) -> None:
    """The check does not mistake reading, or namesakes of the banned methods, for writing."""
    assert writes_in(source) == []
