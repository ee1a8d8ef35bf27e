"""Where a transaction may write: inside the bank, in its own folders, and never through a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.errors import PathRefused, PathTaken, SymlinkRefused
from tacit.note.model import Layer
from tacit.store.layout import Layout, conflict_name, is_portable, note_path

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "path",
    ["INDEX.md", "memory.lock", "tacit.toml", "L1_declarative/MEM-a.md", "details/design/api.md", "references/数据.md"],
)
def test_files_of_a_bank_have_their_place(tmp_path: Path, path: str) -> None:
    """B-02: what the layout knows is found where it says."""
    assert Layout(tmp_path).place(path) == tmp_path / path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../outside.md",
        "L1_declarative/..",
        "L1_declarative/../../outside.md",
        "L1_declarative/./MEM-a.md",
        "L1_declarative//MEM-a.md",
        "L1_declarative/",
        "L1_declarative",
        "unknown.md",
        "unknown/MEM-a.md",
        ".local/scan.json",
        ".trash/tx/0",
        "staging/tx/0",
        "L1_declarative/nul\0.md",
    ],
)
def test_every_other_path_is_refused(tmp_path: Path, path: str) -> None:
    """T-03, X-04: no path leads out of the bank or into its private parts, neither to read nor to write."""
    layout = Layout(tmp_path)
    for look_up in (layout.place, layout.find):
        with pytest.raises(PathRefused):
            look_up(path)


@pytest.mark.parametrize("name", ["a\nb.md", "a\\b.md", "a:b.md", 'a*?"<>|.md', "x" * 121, "\udcff.md"], ids=ascii)
def test_name_that_some_file_system_cannot_hold_is_read_alone(tmp_path: Path, name: str) -> None:
    """T-03: Tacit never writes such a name, and finds the file to which somebody gave it."""
    layout = Layout(tmp_path)
    path = f"L1_declarative/{name}"

    assert not is_portable(path)
    assert layout.find(path) == tmp_path / path
    with pytest.raises(PathRefused):
        layout.place(path)


def test_link_and_file_on_the_way_are_refused(tmp_path: Path) -> None:
    """T-03: a folder that leads elsewhere, or is none, is not written to."""
    layout = Layout(tmp_path)
    (tmp_path / "details").mkdir()
    (tmp_path / "details" / "design").symlink_to(tmp_path)
    (tmp_path / "references").write_bytes(b"")

    for look_up in (layout.place, layout.find):
        with pytest.raises(SymlinkRefused):
            look_up("details/design/api.md")
        with pytest.raises(PathTaken):
            look_up("references/template.md")
    with pytest.raises(PathTaken):
        layout.refuse_links()


@pytest.mark.parametrize("name", ["L3_episodic", "staging", ".trash", ".local", "conflicts", "share"])
def test_private_folders_are_no_links_either(tmp_path: Path, name: str) -> None:
    """T-03: the folders that transactions work in are looked at before each of them."""
    (tmp_path / name).symlink_to(tmp_path)

    with pytest.raises(SymlinkRefused):
        Layout(tmp_path).refuse_links()


def test_names_of_notes_and_conflicts() -> None:
    """N-03: a note's file bears its id; a conflict copy bears the operation and the file it belongs to."""
    assert note_path(Layer.PROCEDURAL, "MEM-a") == "L2_procedural/MEM-a.md"
    assert conflict_name("OP-1", "L1_declarative/MEM-a.md") == "OP-1-L1_declarative-MEM-a.md"
