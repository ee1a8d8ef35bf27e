"""K-02: what each role may do, at every door of the one API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank, Role, State, roles
from tacit.bank.values import Context
from tacit.entry.focus import Wish
from tacit.errors import RoleRefused, SettingRefused, StateRefused, TacitError
from tacit.note.model import Layer, Note

if TYPE_CHECKING:
    from collections.abc import Callable

NOTE = Note(id="", title="T", when_to_load=("w",), one_liner="l")
WORDS = "Always use pnpm when adding a package."
PAYLOAD = {
    "scene": "adding a package",
    "principles": ["use pnpm"],
    "choice": "use pnpm",
    "source": "auto",
    "confidence": "high",
    "origin": {"text": WORDS, "spans": [{"start": 0, "end": len(WORDS), "label": "rule"}]},
    "claim": {"id": "c1", "digest": "use pnpm when adding a package"},
}

# Door → the least role, and the call. Every method of Bank that changes something is here.
DOORS: dict[str, tuple[Role, Callable[[Bank], object]]] = {
    "add": (Role.ORCHESTRATOR, lambda bank: bank.add([NOTE])),
    "rewrite": (Role.ORCHESTRATOR, lambda bank: bank.rewrite("MEM-a", b"x", base="")),
    "set_fields": (Role.ORCHESTRATOR, lambda bank: bank.set_fields("MEM-a", "edit", title="U")),
    "archive": (Role.ORCHESTRATOR, lambda bank: bank.archive("MEM-a")),
    "tag": (Role.ORCHESTRATOR, lambda bank: bank.tag("MEM-a", add=["x"])),
    "move": (Role.ORCHESTRATOR, lambda bank: bank.move("MEM-a", Layer.PROCEDURAL)),
    "delete": (Role.ORCHESTRATOR, lambda bank: bank.delete("MEM-a")),
    "restore": (Role.ORCHESTRATOR, lambda bank: bank.restore("MEM-gone")),
    "undo": (Role.ORCHESTRATOR, lambda bank: bank.undo()),
    "purge": (Role.ORCHESTRATOR, lambda bank: bank.purge("MEM-a")),
    "set_setting": (Role.ORCHESTRATOR, lambda bank: bank.set_setting("language", "zh")),
    "remember": (Role.ORCHESTRATOR, lambda bank: bank.remember("When testing, use pytest.")),
    "answer": (Role.ORCHESTRATOR, lambda bank: bank.answer("P-1", "confirm")),
    "tasks.start": (Role.ORCHESTRATOR, lambda bank: bank.tasks.start("T")),
    "tasks.note": (Role.ORCHESTRATOR, lambda bank: bank.tasks.note("T")),
    "tasks.resume": (Role.ORCHESTRATOR, lambda bank: bank.tasks.resume()),
    "tasks.finish": (Role.ORCHESTRATOR, lambda bank: bank.tasks.finish()),
    "tasks.clear": (Role.ORCHESTRATOR, lambda bank: bank.tasks.clear()),
    "empty_trash": (Role.MEMORY, lambda bank: bank.empty_trash()),
    "propose": (Role.READER, lambda bank: bank.propose([PAYLOAD])),
    "propose_act": (Role.READER, lambda bank: bank.propose_act("delete", "MEM-a")),
    "entry.refresh": (Role.ORCHESTRATOR, lambda bank: bank.entry.refresh()),
    "entry.set_focus": (Role.ORCHESTRATOR, lambda bank: bank.entry.set_focus(Wish("T"))),
    "entry.add_detail": (Role.ORCHESTRATOR, lambda bank: bank.entry.add_detail("design", "T", {"what": "a"})),
    "entry.set_status": (Role.ORCHESTRATOR, lambda bank: bank.entry.set_status("REQ-a", "done")),
    "entry.propose_detail": (Role.READER, lambda bank: bank.entry.propose_detail("details/a.md", "# A")),
    "entry.propose_fixes": (Role.READER, lambda bank: bank.entry.propose_fixes()),
}
READS: dict[str, Callable[[Bank], object]] = {
    "notes": lambda bank: bank.notes(),
    "left_out": lambda bank: bank.left_out(),
    "get": lambda bank: bank.get("MEM-a"),
    "text": lambda bank: bank.text("MEM-a"),
    "body": lambda bank: bank.body("MEM-a"),
    "locate": lambda bank: bank.locate("MEM-a"),
    "resolve": lambda bank: bank.resolve("mem://L1/MEM-a"),
    "core": lambda bank: bank.core(),
    "trash": lambda bank: bank.trash(),
    "log with diffs": lambda bank: bank.log(diffs=True),
    "index_status": lambda bank: bank.index_status(),
    "rebuild_index": lambda bank: bank.rebuild_index(),
    "reindex": lambda bank: bank.reindex(),
    "search": lambda bank: bank.search("anything"),
    "pending": lambda bank: bank.pending(),
    "traces": lambda bank: bank.traces("MEM-a"),
    "undoable": lambda bank: bank.undoable(),
    "tasks.list": lambda bank: bank.tasks.list(),
}


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank with a note and a removed one."""
    bank.add([Note(id=note_id, title="T", when_to_load=("w",), one_liner="l") for note_id in ("MEM-a", "MEM-gone")])
    bank.delete("MEM-gone")
    return bank


def refused(act: Callable[[Bank], object], bank: Bank, kind: type[TacitError]) -> bool:
    """Whether a call is refused for this reason; any other outcome means that the door was open."""
    try:
        act(bank)
    except TacitError as error:
        return isinstance(error, kind)
    return False


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(("least", "act"), DOORS.values(), ids=DOORS)
def test_a_call_above_the_role_is_refused_and_audited(
    filled: Bank, role: Role, least: Role, act: Callable[[Bank], object]
) -> None:
    """K-02: below the least role of a door the call is refused, changes nothing, and leaves a line in the log."""
    bank = filled.lowered(role)
    before = [note.id for note in filled.notes()]

    assert refused(act, bank, RoleRefused) == (role.rank < least.rank)

    if role.rank < least.rank:
        last = filled.log()[-1]
        assert (last.event, f"as {role}" in last.reason) == ("memory_write_refused", True)
        assert [note.id for note in filled.notes()] == before


@pytest.mark.parametrize("act", READS.values(), ids=READS)
def test_every_role_reads(filled: Bank, act: Callable[[Bank], object]) -> None:
    """K-02: a reader reads everything that the state lets be read."""
    act(filled.lowered("reader"))


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("act", READS.values(), ids=READS)
def test_reading_doors_open_unless_off(filled: Bank, state: State, act: Callable[[Bank], object]) -> None:
    """K-01: OFF reads nothing; PAUSED and PADDING read as ON does."""
    filled.set_state(state)

    assert refused(act, filled, StateRefused) == (state is State.OFF)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("act", [act for _, act in DOORS.values()], ids=DOORS)
def test_writing_doors_open_only_when_on(filled: Bank, state: State, act: Callable[[Bank], object]) -> None:
    """K-01: every call that writes is refused in every state but ON, naming the state, and nothing changes."""
    filled.set_state(state)
    lines = len(filled.log())

    assert refused(act, filled, StateRefused) == (state is not State.ON)
    if state is not State.ON:
        assert len(filled.log()) == lines
        with pytest.raises(StateRefused, match=rf"\[memory: {state}\]"):
            act(filled)


@pytest.mark.parametrize("state", State)
def test_recall_is_silent_while_off_or_filling(filled: Bank, state: State) -> None:
    """K-01: recall answers when ON or PAUSED, and is silent, not failing, otherwise."""
    filled.set_state(state)

    assert (filled.recall("w").reason == f"the bank is {state}") == (state in (State.OFF, State.PADDING))


@pytest.mark.parametrize("state", State)
def test_only_on_heals(filled: Bank, state: State) -> None:
    """I-02, K-01: a stale list is mended by whoever may write, and by nobody else."""
    filled.set_state(state)
    (filled.root / "INDEX.md").unlink()

    assert not filled.lowered("reader").heal()
    assert filled.lowered("memory").heal() == (state is State.ON)


@pytest.mark.parametrize("state", State)
def test_init_fills_on_and_padding(filled: Bank, state: State) -> None:
    """K-01: init writes into a bank that is ON or being filled."""
    filled.set_state(state)
    (filled.root / "README.md").unlink()

    if state in (State.ON, State.PADDING):
        assert "README.md" in Bank.init(filled.root).created
    else:
        with pytest.raises(StateRefused):
            Bank.init(filled.root)


def test_a_reader_has_clear_words_asked_about(filled: Bank) -> None:
    """K-02: what an orchestrator would write without a question waits as a proposal when a reader brings it."""
    filled.session("c").saw_prompt(WORDS)
    reader = filled.lowered("reader")

    (asked,) = reader.propose([PAYLOAD], Context("c"))

    assert not asked.written
    assert asked.proposal_id
    assert "role" in asked.rules


def test_setting_the_state_is_the_orchestrators(filled: Bank) -> None:
    """K-02: nobody below the orchestrator turns a bank on or off."""
    for role in (Role.READER, Role.MEMORY):
        with pytest.raises(RoleRefused):
            filled.lowered(role).set_state(State.OFF)


@pytest.mark.parametrize("role", [Role.READER, Role.MEMORY])
def test_clearing_conversations_is_the_orchestrators(filled: Bank, role: Role) -> None:
    """K-02: what the user said and declined is deleted by nobody below, in any state, and the attempt is in the log."""
    filled.session("c1").saw_prompt("hello")
    with pytest.raises(RoleRefused):
        filled.lowered(role).forget_sessions()
    assert f"sessions clear as {role}" in filled.log()[-1].reason
    assert filled.session("c1").prompts() == ("hello",)

    filled.set_state(State.PAUSED)
    assert filled.forget_sessions() == 1


def test_a_role_can_be_lowered_and_never_raised(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """K-02: who starts a process sets the role; what is sent to it can only lower it."""
    assert Bank.open(filled.root).role is Role.ORCHESTRATOR
    assert filled.lowered("reader").lowered("orchestrator").role is Role.READER
    monkeypatch.setenv("TACIT_ROLE", "memory")
    assert Bank.open(filled.root).role is Role.MEMORY
    assert Bank.open(filled.root, role="orchestrator").role is Role.MEMORY
    assert Bank.open(filled.root, role="reader").role is Role.READER
    monkeypatch.setenv("TACIT_ROLE", "admin")
    with pytest.raises(SettingRefused, match="TACIT_ROLE"):
        Bank.open(filled.root)


def test_servers_have_a_default_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """K-02: a door may start lower than the terminal does."""
    monkeypatch.delenv("TACIT_ROLE", raising=False)
    assert roles.chosen(None, Role.READER) is Role.READER
    monkeypatch.setenv("TACIT_ROLE", "orchestrator")
    assert roles.chosen(None, Role.READER) is Role.ORCHESTRATOR


def test_a_reader_makes_no_bank(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """K-02: init is for the memory role and above."""
    monkeypatch.setenv("TACIT_ROLE", "reader")
    with pytest.raises(RoleRefused):
        Bank.init(filled.root.parent / "other")
    with pytest.raises(RoleRefused, match="memory: ON"):
        Bank.init(filled.root)
    assert filled.log()[-1].reason == "role.refused init as reader"
    monkeypatch.setenv("TACIT_ROLE", "memory")
    Bank.init(filled.root.parent / "other")
