"""The hook without a daemon: the same answer as the whole bank gives, or the long way round."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tacit import Bank, link
from tacit.bank import State, usage, wiring
from tacit.bank.glimpse import Glimpse, glimpse
from tacit.hooks import script
from tacit.note.model import Note, Status

PROMPT = "which tool do I use when adding a package?"
KEY = "AKIA" + "Q3EGRIT7WNLKXZ5B"


def package(**fields: object) -> Note:
    """The note that fits the prompt."""
    plain = {"id": "MEM-package", "title": "Packages", "when_to_load": ("adding a package",)}
    return Note(**{**plain, "one_liner": "Use pnpm, never npm.", **fields})  # type: ignore[arg-type]


def at_rest(bank: Bank) -> None:
    """Let the index know the files."""
    bank.recaller.reindexer.catch_up(force=True)


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """A project with two notes, its index up to date."""
    monkeypatch.setattr("tacit.bank.freshness._RACY_NS", -1)  # files that were saved a moment ago count as settled
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    (tmp_path / "project/.git").mkdir(parents=True)
    made = Bank.init(tmp_path / "project")
    made.add([package(), Note(id="MEM-tea", title="Tea", when_to_load=("making tea",), one_liner="Boil water.")])
    made.without_models()
    at_rest(made)
    return made


def look(bank: Bank, prompt: str = PROMPT, session: str = "s", turn: str = "") -> Glimpse | None:
    """Ask as the hook does."""
    return glimpse(bank.root.parent, session, turn, prompt)


def text(found: Glimpse | None) -> str:
    """What is said."""
    assert found is not None
    return found.text


@pytest.mark.parametrize("prompt", [PROMPT, "making tea", "what is the capital of Peru?", "thanks!", ""])
def test_says_what_the_whole_bank_says(bank: Bank, prompt: str) -> None:
    """J-01: by keywords the same notes are said, whichever way they come."""
    assert text(look(bank, prompt)) == bank.recall(prompt).injection


def test_says_nothing_twice(bank: Bank) -> None:
    """J-02: one injection in a conversation, and the other way knows of it; a turn that fires twice is one."""
    assert "pnpm" in text(look(bank, turn="1"))
    assert text(look(bank, turn="2")) == ""
    assert bank.recall(PROMPT, session="s").injection == ""
    assert "pnpm" in text(look(bank, session="t", turn="1"))
    assert text(look(bank, "making tea", session="t", turn="1")) == ""


def test_words_are_kept_behind_the_answer(bank: Bank) -> None:
    """The user's words are evidence, and secrets in them are cut out first."""
    found = look(bank, f"{PROMPT} my key is {KEY}")
    assert found is not None
    assert bank.session("s").prompts() == ()
    found.keep()
    assert PROMPT in bank.session("s").prompts()[0]
    assert KEY not in bank.session("s").prompts()[0]
    assert bank.session("s").heard_state(State.OFF.value)
    assert [line["notes"] for line in usage.entries(bank._store)] == [["MEM-package"]]


def test_no_bank_is_silence(tmp_path: Path) -> None:
    """Where there is no bank, nothing is said."""
    assert text(glimpse(tmp_path, "s", "", PROMPT)) == ""


def test_archived_and_local_notes(bank: Bank) -> None:
    """F-06: archived notes are not said, local ones rank lower."""
    bank.archive("MEM-package")
    bank.add([package(id="MEM-local", status=Status.LOCAL), package(id="MEM-other")])
    at_rest(bank)
    said = text(look(bank))
    assert said == bank.recall(PROMPT).injection
    assert "MEM-package" not in said


def edit(bank: Bank) -> None:
    """Somebody saves a note."""
    file = bank.root / bank.locate("MEM-package")
    file.write_text(file.read_text(encoding="utf-8").replace("pnpm", "yarn"), encoding="utf-8")


def remove(bank: Bank) -> None:
    """Somebody deletes a note."""
    (bank.root / bank.locate("MEM-package")).unlink()


def begin(bank: Bank) -> None:
    """A transaction is under way."""
    (bank.root / "staging/tx-1-x").mkdir()


def show(bank: Bank) -> None:
    """A question was shown in the conversation."""
    bank.session("s").show("P-1")


def hear(bank: Bank) -> None:
    """The conversation knows another state."""
    bank.session("s").heard_state("PAUSED")


def switch_off(bank: Bank) -> None:
    """The bank is off."""
    (bank.root / "memory.lock").write_text("OFF\n", encoding="utf-8")


def newer(bank: Bank) -> None:
    """A newer Tacit made the bank."""
    (bank.root / "tacit.toml").write_text("format = 99\n", encoding="utf-8")


def forget(bank: Bank) -> None:
    """There is no index."""
    bank.recaller.reindexer.discard()


@pytest.mark.parametrize("change", [edit, remove, begin, show, hear, switch_off, newer, forget])
def test_what_is_unusual_goes_the_long_way(bank: Bank, change: object) -> None:
    """B-04, Q-03: what needs more than the index is left to the whole bank, and nothing is noted down."""
    change(bank)  # type: ignore[operator]
    before = sorted((bank.root / ".local/sessions").glob("*"))
    assert look(bank) is None
    assert sorted((bank.root / ".local/sessions").glob("*")) == before


def test_a_role_goes_the_long_way(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a caller may do is judged where all else is judged."""
    monkeypatch.setenv("TACIT_ROLE", "reader")
    assert look(bank) is None


def test_banks_beside_take_part(bank: Bank) -> None:
    """The personal bank answers too, if its index is up to date; one that is off is left out."""
    personal = Bank.init(wiring.personal())
    personal.without_models()
    personal.add([Note(id="MEM-own", title="Coffee", when_to_load=("brewing coffee",), one_liner="Grind it.")])
    assert look(bank, "brewing coffee", turn="1") is None
    at_rest(personal)
    assert "Grind it." in text(look(bank, "brewing coffee", turn="1"))
    (personal.root / "memory.lock").write_text("OFF\n", encoding="utf-8")
    assert text(look(bank, "brewing coffee", session="t")) == ""


def test_nothing_dear_is_loaded() -> None:
    """W-02: what the cold way loads stays small; each of these takes longer than the answer."""
    code = "import sys; sys.path.append(sys.argv[1]); import tacit.hooks.cold; print(*sys.modules)"
    source = str(Path(link.__file__).parents[1])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, source], capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    dear = {"dataclasses", "inspect", "tempfile", "datetime", "subprocess", "numpy", "_hashlib", "tacit.bank.bank"}
    assert not loaded & {*dear, "tacit.store.store", "tacit.guards", "tacit.formats.native", "tacit.note.model"}


def test_nothing_dear_is_loaded_for_what_is_kept(bank: Bank) -> None:
    """W-02: what goes on behind the answer takes time from the agent that the user has just asked."""
    code = """
import sys
sys.path.append(sys.argv[1])
from pathlib import Path
from tacit.bank import freshness
from tacit.bank.glimpse import glimpse
freshness._RACY_NS = -1
glimpse(Path(sys.argv[2]), "s", "1", sys.argv[3]).keep()
print(*sys.modules)
"""
    words = [sys.executable, "-I", "-S", "-c", code, str(Path(link.__file__).parents[1]), str(bank.root.parent), PROMPT]
    done = subprocess.run(words, capture_output=True, check=True)
    loaded = set(done.stdout.decode().split())
    assert "tacit.guards" in loaded
    assert not loaded & {"sqlite3", "datetime", "_hashlib", "tacit.store.store", "tacit.note.model"}
    assert bank.session("s").prompts() == (PROMPT,)


def test_the_hook_answers_in_its_own_process(bank: Bank) -> None:
    """W-02: as a host runs it, with nobody to ask: the answer is printed, the words are kept."""
    members = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": str(bank.root.parent), "prompt": PROMPT}
    done = subprocess.run(
        [sys.executable, "-I", "-S", script.__file__, "prompt", "--host", "claude"],
        input=json.dumps(members).encode(),
        env={**os.environ, "TACIT_RUNTIME_DIR": os.devnull},
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert b"Use pnpm" in done.stdout
    assert done.stderr == b""
