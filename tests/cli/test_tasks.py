"""tacit task, as people and programs call it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.runner import note_text, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.runner import Person

RULE = "When the importer runs, never start a second one on the same file."


@pytest.fixture
def task(root: Path) -> str:
    """A running task."""
    write(root / "L1_declarative/MEM-a.md", note_text("MEM-a", "Importer of files"))
    return str(tacit("task", "start", "importer of files", "--json").document["task_id"])


def test_start_note_and_list(task: str) -> None:
    """L-02, L-04: a task is started, written to and listed, with the documented members."""
    noted = tacit("task", "note", RULE, "--kind", "conclusion", "--json").document
    listed = tacit("task", "list", "--json").document["tasks"]

    assert (noted["schema"], noted["task_id"], noted["state"]) == ("tacit.task-note/1", task, "running")
    assert [(each["task_id"], each["title"], each["state"]) for each in listed] == [
        (task, "importer of files", "running")
    ]
    assert "importer of files" in tacit("task", "list").out
    assert RULE in tacit("task", "show").out
    assert tacit("task", "resume", task).out == f"{task} goes on: importer of files. 1 entry, 1 note loaded.\n"


def test_finish_without_a_terminal_waits(task: str) -> None:
    """L-02: where nobody can be asked the task waits, and says for what."""
    tacit("task", "note", RULE)
    document = tacit("task", "finish", "--json").document

    assert (document["task_id"], document["state"]) == (task, "waiting")
    assert document["proposals"][0]["question"]["options"][0]["id"] == "confirm"
    assert "waits for your answers: 1 card" in tacit("task", "finish").out
    assert tacit("task", "show", "--json").document["state"] == "waiting"


def test_a_task_that_waits_is_not_running(task: str) -> None:
    """L-02: what waits for answers leaves the running task no doubt; where there is doubt, the hint can be followed."""
    tacit("task", "note", RULE)
    assert tacit("task", "finish", "--json").document["state"] == "waiting"
    second = str(tacit("task", "start", "exporter", "--json").document["task_id"])
    assert tacit("task", "note", "Nothing yet.", "--json").document["task_id"] == second
    third = str(tacit("task", "start", "archiver", "--json").document["task_id"])
    doubt = tacit("task", "finish")
    assert (doubt.code, doubt.error_code) == (3, "task.refused")
    assert second in doubt.err
    assert third in doubt.err
    assert task not in doubt.err
    assert "--task" not in doubt.err
    assert tacit("task", "finish", third, "--json").document["state"] == "finished"
    assert tacit("task", "finish", "--json").document["task_id"] == second
    assert tacit("task", "show", "--json").document["task_id"] == task


def test_a_damaged_task_is_listed(root: Path, task: str) -> None:
    """L-04: a task whose file is damaged does not vanish: it is listed with its file."""
    write(root / f"L4_working/{task}.json", "{")
    assert tacit("task", "list", "--json").document["damaged"] == [f"L4_working/{task}.json"]
    listed = tacit("task", "list").out
    assert task in listed
    assert "damaged" in listed
    assert f"L4_working/{task}.json" in listed


def test_finish_asks_on_the_terminal(task: str, person: Person) -> None:
    """L-02: on a terminal the cards are asked about right there; yes writes, no does not."""
    tacit("task", "note", RULE)
    tacit("task", "note", "The nightly export fails when the quota of the build agent is reached.")
    person.will_say("y")
    person.will_say("n")

    done = tacit("task", "finish", "--json").document

    assert (done["task_id"], done["state"], len(done["cards"]), done["cleared"]) == (task, "finished", 1, [task])
    assert "L1 would be its layer" in person.was_asked()
    assert "No task is running" in tacit("task", "list").out
    assert tacit("show", f"mem://L3/{done['episode']}#cards").out == f"- {done['cards'][0]}\n"


def test_a_card_that_contradicts_a_note_is_asked_about_way_by_way(task: str, person: Person) -> None:
    """G-02: where a note says the opposite each way out is offered; none taken leaves the question open."""
    tacit("new", "--title=Tabs", "--when=formatting code", "--one-liner=Use tabs.", "--decision=Use tabs.")
    tacit("task", "note", "When formatting code, never use tabs.")
    person.will_say("n")
    person.will_say("n")
    person.will_say("n")
    assert tacit("task", "finish", "--json").document["state"] == "waiting"
    person.will_say("y")

    done = tacit("task", "finish", "--json").document

    assert (done["task_id"], done["state"], len(done["cards"])) == (task, "finished", 1)
    assert "The new one; the old goes to the trash?" in person.was_asked()


def test_finish_tells_what_was_done(task: str) -> None:
    """C-04: one sentence."""
    done = tacit("task", "finish")

    assert done.out.startswith(f"{task} is finished: EP-")


def test_defer_ends_without_answers(task: str) -> None:
    """L-02: `--defer` archives, the questions stay."""
    tacit("task", "note", RULE)

    document = tacit("task", "finish", task, "--defer", "--json").document

    assert (document["state"], len(document["proposals"])) == ("finished", 1)


def test_without_rules_no_cards(task: str, root: Path) -> None:
    """L-02: the user is told why there are none."""
    (root / "README.md").unlink()
    tacit("task", "note", RULE)

    assert "README.md of the bank cannot be read" in tacit("task", "finish", task).out


def test_clearing_a_part_asks(task: str, person: Person) -> None:
    """L-03: the working memory of a part of a running task goes only after a question."""
    part = str(tacit("task", "start", "a part", "--parent", task, "--json").document["task_id"])
    assert "stays until its parent has ended" in tacit("task", "finish").out
    assert tacit("task", "clear").out == "There is nothing to clear.\n"
    person.will_say("n")
    assert tacit("task", "clear", part).error_code == "gate.declined"
    person.will_say("y")

    assert tacit("task", "clear", part).out == f"Cleared: {part}.\n"


def test_tasks_speak_chinese(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Q-07: results come in the user's language, refusals with the state."""
    monkeypatch.setenv("TACIT_LANG", "zh")

    assert tacit("task", "note", "先看导入脚本的结构").out == f"已记入 {task}。\n"
    assert tacit("state", "paused").out == "[记忆库: PAUSED]\n"
    assert "[记忆库: PAUSED]" in tacit("task", "note", "x").err


def test_the_role_of_the_environment_holds(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """K-02: a command run as a reader reads, and is refused where it would write; the log has it."""
    monkeypatch.setenv("TACIT_ROLE", "reader")

    refused = tacit("task", "note", RULE)

    assert (refused.code, refused.error_code) == (8, "role.refused")
    assert "[memory: ON] task note needs the role orchestrator; this caller is reader." in refused.err
    assert tacit("task", "show").code == 0
    assert tacit("check", "--fix").error_code == "role.refused"
    assert tacit("init", "--yes").error_code == "role.refused"
    assert "memory_write_refused" in tacit("log", "--json").out
    assert task in tacit("task", "list").out


def test_purge_names_the_tasks_that_go_with_it(task: str, person: Person) -> None:
    """T-05: the episode that a note came from is named before anybody says yes; a task that loaded it stays."""
    tacit("task", "note", RULE)
    person.will_say("y")
    done = tacit("task", "finish", task, "--json").document
    other = tacit("task", "start", "importer of files", "--json").document["task_id"]
    person.was_asked()

    person.will_say("y")
    assert tacit("purge", done["cards"][0]).code == 0

    file = f"L3_episodic/{done['episode']}.md"
    along = "These hold it too and go: tasks and episodes whole, other notes' versions in the trash"
    assert person.was_asked().startswith(f"{along}: {file}. Destroy every trace")
    assert [each["task_id"] for each in tacit("task", "list", "--json").document["tasks"]] == [other]


def test_show_takes_the_ids_that_a_task_prints(task: str) -> None:
    """Z-01: a task and its episode are shown by the id that was just told, as by their pointers."""
    assert tacit("show", task).out == tacit("show", f"mem://L4/{task}").out
    episode = str(tacit("task", "finish", "--json").document["episode"])
    shown = tacit("show", episode)
    assert shown.code == 0
    assert shown.out == tacit("show", f"mem://L3/{episode}").out
    gone = tacit("show", "EP-nosuch")
    assert (gone.code, gone.error_code) == (4, "pointer.dangling")
    assert f"the nearest is mem://L3/{episode}" in gone.err
