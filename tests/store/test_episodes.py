"""Episodes on disk, and the INDEX.md of their folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.bank import Bank
from tacit.store import episodes
from tacit.store.layout import Layout

if TYPE_CHECKING:
    from pathlib import Path

EPISODE = "---\nid: EP-1\ntitle: First\nfinished: 2026-01-01\n---\n\nText.\n"


def put(bank: Bank, name: str, text: str) -> Path:
    """Write a file among the episodes, as git or a person would."""
    path = bank.root / "L3_episodic" / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_list_heals_by_itself(tmp_path: Path) -> None:
    """L-01, I-02: a missing, stale or emptied list of episodes is made anew by the next command that may write."""
    bank = Bank.init(tmp_path / ".memory")
    layout = Layout(bank.root)
    assert episodes.index(layout) is None
    put(bank, "EP-1.md", EPISODE)

    Bank.open(bank.root)
    healed = (bank.root / episodes.INDEX).read_bytes()
    put(bank, "INDEX.md", "nonsense")
    Bank.open(bank.root)

    assert b"| EP-1 | First |" in healed
    assert (bank.root / episodes.INDEX).read_bytes() == healed
    (bank.root / "L3_episodic/EP-1.md").unlink()
    Bank.open(bank.root)
    assert b"EP-1" not in (bank.root / episodes.INDEX).read_bytes()
    assert not bank.heal()


def test_broken_episodes_are_left_out_and_told(tmp_path: Path) -> None:
    """N-05: what is no episode breaks nothing, and `check` names it."""
    bank = Bank.init(tmp_path / ".memory")
    put(bank, "EP-1.md", EPISODE)
    put(bank, "EP-2.md", "no front matter")
    put(bank, "readme.txt", "not looked at")
    (bank.root / "L3_episodic/EP-3.md").symlink_to(tmp_path / "elsewhere")

    found, broken = episodes.read(Layout(bank.root))

    assert [each.id for each in found] == ["EP-1"]
    assert sorted(broken) == ["L3_episodic/EP-2.md", "L3_episodic/EP-3.md"]
    bank.heal()
    problems = {problem.file: problem.code for problem in bank.check()[1]}
    assert problems == {"L3_episodic/EP-2.md": "note.syntax", "L3_episodic/EP-3.md": "path.symlink"}


def test_contents_stand_in_for_files(tmp_path: Path) -> None:
    """A transaction sees the episodes as they will be."""
    bank = Bank.init(tmp_path / ".memory")
    put(bank, "EP-1.md", EPISODE)
    layout = Layout(bank.root)

    found, _ = episodes.read(layout, {"L3_episodic/EP-1.md": None, "L3_episodic/EP-2.md": EPISODE.encode()})

    assert [each.file for each in found] == ["L3_episodic/EP-2.md"]
    (bank.root / "L3_episodic/EP-1.md").unlink()
    (bank.root / "L3_episodic").rmdir()
    assert episodes.read(layout) == ([], {})
