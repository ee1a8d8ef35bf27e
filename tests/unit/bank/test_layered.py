"""The layers around the notes: core, episodes, working memory, blobs and pointers into the project."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tacit.audit.record import Channel
from tacit.bank import Bank, State
from tacit.errors import GuardRefused, PointerDangling, PointerRefused, StateRefused
from tacit.note import blob
from tacit.note.model import Note

if TYPE_CHECKING:
    from pathlib import Path

CODE = "```python\n" + "\n".join(f"line({number})" for number in range(60)) + "\n```"
DIGEST = next(iter(blob.taken_out(Note(id="MEM-x", title="T", decision=CODE))[1]))


def note(note_id: str = "MEM-a", **texts: str) -> Note:
    """A note with these sections."""
    return Note(id=note_id, title=f"Note {note_id}", when_to_load=("w",), one_liner="l", **texts)  # type: ignore[arg-type]


def write(path: Path, text: str) -> None:
    """Put a file there, with the folders it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def codes(bank: Bank) -> list[tuple[str, str]]:
    """Code and file of every problem."""
    return [(problem.code, problem.file) for problem in bank.check()[1]]


# ── Core ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_core_is_loaded_whole_in_the_order_of_names(bank: Bank) -> None:
    """L-01: every core document, whole; OFF loads nothing."""
    write(bank.root / "L0_core/b.md", "# B\n\nSecond.\n")
    write(bank.root / "L0_core/a.md", "# A\n\nFirst.\n")

    assert [(each.id, each.text) for each in bank.core()] == [
        ("CORE-a", "# A\n\nFirst.\n"),
        ("CORE-b", "# B\n\nSecond.\n"),
    ]
    bank.set_state(State.OFF)
    with pytest.raises(StateRefused):
        bank.core()


def test_the_core_has_a_budget(bank: Bank) -> None:
    """L-01: what is always loaded must stay short; `check` says when it does not."""
    write(bank.root / "L0_core/long.md", f"# Long\n\n{'x' * 600}\n")
    bank.heal()
    assert codes(bank) == []
    bank.set_setting("core.budget_chars", "500")
    assert codes(bank) == [("core.over_budget", "L0_core")]


# ── Pointers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_pointers_lead_into_every_layer(bank: Bank) -> None:
    """Z-01: sections of core documents, episodes and parts of working memory resolve."""
    write(bank.root / "L0_core/values.md", "# Values\n\n## Care\n\nTest it.\n\n### Deep\n\nMore.\n\n## Next\n")
    task = bank.tasks.start("look around")
    bank.tasks.note("First finding.")

    assert bank.resolve("mem://L0/CORE-values").startswith("# Values")
    assert bank.resolve("mem://core/CORE-values#care") == "Test it.\n\n### Deep\n\nMore."
    assert bank.resolve(f"mem://L4/{task.id}#title") == "look around"
    assert bank.resolve(f"mem://working/{task.id}#entries/1") == "First finding."
    assert bank.resolve(f"mem://L4/{task.id}#core-values").startswith("# Values")
    episode = bank.tasks.finish().episode
    assert bank.resolve(f"mem://L3/{episode}#summary") == "First finding."


@pytest.mark.parametrize(
    ("pointer", "nearest"),
    [
        ("mem://L0/CORE-valeus", "mem://L0/CORE-values"),
        ("mem://L0/CORE-values#caer", "care"),
        ("mem://L3/EP-none", "leads nowhere"),
        ("mem://L4/T-none", "leads nowhere"),
        (f"mem://blobs/{'0' * 64}", "leads nowhere"),
    ],
)
def test_a_dangling_pointer_names_the_nearest_target(bank: Bank, pointer: str, nearest: str) -> None:
    """Z-01: a pointer that leads nowhere is an error with the nearest existing target."""
    write(bank.root / "L0_core/values.md", "# Values\n\n## Care\n\nTest it.\n")

    with pytest.raises(PointerDangling, match=nearest):
        bank.resolve(pointer)


def test_a_pointer_must_be_one(bank: Bank) -> None:
    """Z-01: what has not the shape of a pointer is refused."""
    with pytest.raises(PointerRefused):
        bank.resolve("mem://blobs/short")


# ── Blobs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_long_code_is_kept_once_and_comes_back(bank: Bank) -> None:
    """Z-02: the file has a pointer, resolving gives the text byte for byte, and two notes share one blob."""
    text = f"Do it so:\n\n{CODE}\n\nAnd so on."
    done = bank.add([note("MEM-a", decision=text), note("MEM-b", fact=CODE)])

    assert f"mem://blobs/{DIGEST}" in bank.text("MEM-a")
    assert "line(59)" not in bank.text("MEM-a")
    assert bank.resolve("mem://L1/MEM-a#decision") == text
    assert "line(59)" in bank.resolve("mem://L1/MEM-a")
    assert bank.resolve(f"mem://blobs/{DIGEST}") == CODE
    assert [path.name for path in (bank.root / "references/blobs").iterdir()] == [DIGEST]
    assert {entry.operation_id for entry in bank.log()} >= {done.operation_id}
    assert codes(bank) == []


def test_a_proposal_keeps_its_blob_in_the_notes_transaction(bank: Bank) -> None:
    """Z-02: governed writes take long pieces out too; nothing of them is in place before the answer."""
    payload = {
        "scene": "writing parsers",
        "principles": ["copy the pattern"],
        "choice": "copy the pattern",
        "source": "choice",
        "fact": CODE,
    }
    (asked,) = bank.propose([payload])
    assert not (bank.root / "references/blobs").exists()
    assert "line(59)" in bank.pending()[0].diff

    answer = bank.answer(asked.proposal_id, "confirm", Channel.TERMINAL)

    layer = bank.get(answer.note_id).layer
    assert bank.resolve(f"mem://{layer}/{answer.note_id}#fact") == CODE
    assert codes(bank) == []


def test_what_the_user_asks_for_is_compressed_too(bank: Bank) -> None:
    """Z-02: a note written without a question keeps its long text as a blob."""
    outcome = bank.remember({"scene": "deploying", "principles": ["use tags"], "choice": "use tags", "fact": CODE})

    assert outcome.written
    assert bank.resolve(f"mem://L1/{outcome.note_id}#fact") == CODE


def test_an_edit_by_hand_stays_as_it_is(bank: Bank) -> None:
    """Z-02: what a person writes into a file is not taken out."""
    write(
        bank.root / "L1_declarative/MEM-h.md",
        f"---\nid: MEM-h\ntitle: T\n---\n\n## When to load\n\n- w\n\n## One-liner\n\nl\n\n## Decision\n\n{CODE}\n",
    )
    bank.tag("MEM-h", add=["x"])

    assert CODE in bank.text("MEM-h")


def test_secrets_do_not_reach_blobs(bank: Bank) -> None:
    """X-01: a long piece with a credential is refused, and nothing is written."""
    secret = "sk-ant-api03-" + "Ab3xK9" * 12
    with pytest.raises(GuardRefused):
        bank.add([note(decision=CODE.replace("line(3)", f"api_key = '{secret}'"))])
    assert not (bank.root / "references/blobs").exists()


def test_check_tells_dangling_changed_and_unused_blobs(bank: Bank) -> None:
    """Z-02: every blob pointer leads somewhere, every blob is what its name says, and somebody points to it."""
    bank.add([note("MEM-a", decision=CODE), note("MEM-b", decision=f"See mem://blobs/{'0' * 64}.")])
    write(bank.root / f"references/blobs/{'1' * 64}", "not this")
    stray = Note(id="MEM-x", title="T", decision=CODE.replace("line", "row"))
    ((digest, text),) = blob.taken_out(stray)[1].items()
    write(bank.root / f"references/blobs/{digest}", text)

    assert sorted(codes(bank)) == sorted(
        [
            ("pointer.dangling", "L1_declarative/MEM-b.md"),
            ("blob.changed", f"references/blobs/{'1' * 64}"),
            ("blob.unused", f"references/blobs/{digest}"),
        ]
    )


def test_a_removed_note_still_uses_its_blob(bank: Bank) -> None:
    """Z-02: what may be brought back keeps what it points to; undo leaves it in place."""
    done = bank.add([note("MEM-a", decision=CODE)])
    bank.delete("MEM-a")
    assert codes(bank) == []
    bank.restore("MEM-a")
    undone = bank.undo(done.operation_id)
    assert (bank.root / f"references/blobs/{DIGEST}").exists()
    bank.undo(undone.operation_id)
    assert bank.resolve("mem://L1/MEM-a#decision") == CODE


def test_purge_takes_the_blobs_that_nobody_else_points_to(bank: Bank) -> None:
    """T-05, Z-02: a shared blob stays until the last note that points to it is purged."""
    bank.add([note("MEM-a", decision=CODE), note("MEM-b", fact=CODE)])
    bank.purge("MEM-a")
    assert (bank.root / f"references/blobs/{DIGEST}").exists()
    bank.purge("MEM-b")
    assert not (bank.root / f"references/blobs/{DIGEST}").exists()


# ── The project ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_pointers_into_the_project_are_checked(bank: Bank) -> None:
    """Z-03: a vanished file, symbol or line is stale, with the place where it may be now."""
    project = bank.root.parent
    write(project / "src/orders.py", "def save_order(order):\n    return order\n")
    write(project / "lib/tax.py", "RATE = 3\n")
    bank.add(
        [
            note(
                pointers="- src/orders.py#save_order the way in\n- `src/orders.py:2`\n- https://example.org/a.py\n"
                "- src/orders.py#save_orders\n- src/orders.py:99\n- src/tax.py\n- mem://L1/MEM-a\n- see Node.js"
            )
        ]
    )

    problems = bank.check()[1]

    lines = bank.text("MEM-a").splitlines()
    assert {problem.code for problem in problems} == {"pointer.stale"}
    assert [lines[problem.line - 1].split()[1] for problem in problems] == [
        "src/orders.py#save_orders",
        "src/orders.py:99",
        "src/tax.py",
    ]
    assert [problem.message.partition("nearest is ")[2] for problem in problems] == [
        "src/orders.py#save_order.",
        "src/orders.py:2.",
        "lib/tax.py.",
    ]


def test_a_file_that_git_saw_move_is_found_by_its_content(bank: Bank) -> None:
    """Z-03: a file that got another name and folder is named by where its content went."""
    project = bank.root.parent
    write(project / "a/old_name.py", "\n".join(f"value_{number} = {number}" for number in range(30)))

    def git(*words: str) -> None:
        identity = ("-c", "user.name=T", "-c", "user.email=t@example.org")
        subprocess.run(["git", "-C", str(project), *identity, *words], check=True, capture_output=True)

    git("init", "-q")
    git("add", "a")
    git("commit", "-qm", "one")
    (project / "b").mkdir()
    git("mv", "a/old_name.py", "b/fresh.py")
    git("commit", "-qm", "two")
    bank.add([note(pointers="- a/old_name.py:3")])

    (problem,) = bank.check()[1]
    assert "b/fresh.py:3" in problem.message
