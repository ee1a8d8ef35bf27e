"""Questions that are answered in the chat: by what the user types next, and by nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit import Context
from tacit.hooks.respond import respond
from tests.hooks.events import PROMPTS, filled
from tests.hooks.firing import context, fire

if TYPE_CHECKING:
    from tacit import Bank


def proposed(bank: Bank, choice: str) -> str:
    """A question that an agent's payload leads to in the recorded conversation."""
    payload = {"scene": "naming branches", "principles": [choice], "choice": choice, "source": "remember"}
    (made,) = bank.propose([payload], Context("c-1"))
    return made.proposal_id


def test_next_prompt_answers_what_was_asked_in_the_chat(bank: Bank) -> None:
    """Q-03: a yes typed by the user, as the hook sees it, carries out the question that was just shown."""
    question = proposed(bank, "use short names without slashes")
    said = context("claude", fire(bank, PROMPTS[0], prompt="yes"))

    assert said.startswith("Done: new MEM-")
    assert bank.pending() == []
    assert question in {entry.file.rpartition("/")[2].removesuffix(".json") for entry in bank.log()}
    answered = [entry for entry in bank.log() if entry.event == "memory_proposal_answered"]
    assert [(entry.channel, entry.assurance) for entry in answered] == [("prompt", "prompt")]


@pytest.mark.parametrize("given", ["option", "environment", "unknown"])
def test_a_hook_of_a_lower_role_answers_nothing(bank: Bank, given: str) -> None:
    """K-02: started as a reader, by option or TACIT_ROLE, a hook recalls and carries out no answer; the log says so."""
    question = proposed(bank, "use short names without slashes")
    event, workspace = PROMPTS[0], str(bank.root.parent)
    role = {"environment": "reader", "unknown": "king"}.get(given, "")
    words = [*event.arguments, *(["--role=reader"] if given == "option" else [])]
    said = json.dumps({**filled(event.members, workspace), "prompt": "yes"}).encode()
    respond(words, {**filled(event.environment, workspace), "TACIT_ROLE": role}, said, lambda _: bank)

    assert [each.proposal_id for each in bank.pending()] == [question]


def test_going_on_leaves_the_question_in_the_list(bank: Bank) -> None:
    """Q-03: another subject skips it; a yes to something else later is none to it."""
    question = proposed(bank, "use short names without slashes")
    fire(bank, PROMPTS[0], prompt="now fix the login page", prompt_id="one")
    fire(bank, PROMPTS[0], prompt="yes", prompt_id="two")

    assert [each.proposal_id for each in bank.pending()] == [question]


def test_the_end_of_a_task_in_the_background_answers_nothing_and_passes_nothing_over(bank: Bank) -> None:
    """Q-03: what the host tells the agent as if it were a prompt is not the user's next word."""
    proposed(bank, "use short names without slashes")
    told = "<task-notification>\n<task-id>b1</task-id>\n<summary>yes</summary>\n</task-notification>"
    assert fire(bank, PROMPTS[0], prompt=told, prompt_id="one") == b""
    said = context("claude", fire(bank, PROMPTS[0], prompt="yes", prompt_id="two"))

    assert said.startswith("Done: new MEM-")
    assert bank.session("c-1").prompts() == ("yes",)


def test_what_was_passed_over_is_not_asked_again(bank: Bank) -> None:
    """Q-03: going on with another subject skips a question for the rest of the conversation; it waits for review."""
    question = proposed(bank, "use short names without slashes")
    fire(bank, PROMPTS[0], prompt="now fix the login page", prompt_id="one")
    assert proposed(bank, "use short names without slashes") == ""
    fire(bank, PROMPTS[0], prompt="yes", prompt_id="two")

    assert [each.proposal_id for each in bank.pending()] == [question]


def test_what_was_declined_is_not_asked_again(bank: Bank) -> None:
    """Q-06: a no in the chat is remembered like one on the terminal."""
    proposed(bank, "use short names without slashes")
    fire(bank, PROMPTS[0], prompt="no", prompt_id="one")

    assert proposed(bank, "use short names without slashes") == ""
    assert bank.pending() == []


def test_what_became_of_an_answer_is_told_in_the_banks_language(bank: Bank) -> None:
    """Q-07: the sentence is in the language of the bank, whatever the daemon's is; the host's wish goes before."""
    bank.set_setting("language", "zh")
    proposed(bank, "use short names without slashes")
    assert context("claude", fire(bank, PROMPTS[0], prompt="好", prompt_id="one")).startswith("已完成：new MEM-")
    proposed(bank, "put the ticket's number first")
    event = replace(PROMPTS[0], environment={**PROMPTS[0].environment, "TACIT_LANG": "en"})
    assert context("claude", fire(bank, event, prompt="好", prompt_id="two")).startswith("Done: new MEM-")


def test_a_question_that_an_agent_put_twice_is_one(bank: Bank) -> None:
    """Q-03: an agent that proposes the same again in a turn has asked one question, and a yes answers it."""
    assert proposed(bank, "use short names without slashes") == proposed(bank, "use short names without slashes")

    assert context("claude", fire(bank, PROMPTS[0], prompt="yes")).startswith("Done: new MEM-")


def test_a_yes_that_does_not_say_which_is_told_and_may_be_said_again(bank: Bank) -> None:
    """Q-03: with several questions shown a bare yes does nothing, the agent hears so, and the next answer counts."""
    asked = proposed(bank, "use short names without slashes"), proposed(bank, "put the ticket's number first")
    said = context("claude", fire(bank, PROMPTS[0], prompt="yes", prompt_id="one"))
    assert said.startswith(f"Still asked: 1 {asked[0]}, 2 {asked[1]}.")
    assert "Done: new MEM-" in context("claude", fire(bank, PROMPTS[0], prompt="yes 2", prompt_id="two"))

    assert [each.proposal_id for each in bank.pending()] == [asked[0]]


def test_what_another_conversation_had_asked_first_is_not_asked_again_after_a_no(bank: Bank) -> None:
    """Q-06: a no counts in the conversation in which it was said, whichever one made the proposal."""
    payload = {"scene": "naming branches", "principles": ["no slashes"], "choice": "no slashes", "source": "remember"}
    bank.propose([payload], Context("yesterday"))
    assert proposed(bank, "no slashes")
    fire(bank, PROMPTS[0], prompt="no")

    assert proposed(bank, "no slashes") == ""


def line(role: str, *parts: dict[str, str]) -> str:
    """A line of a host's transcript."""
    return json.dumps({"type": role, "message": {"role": role, "content": list(parts)}})


@pytest.mark.parametrize(
    ("wrote", "carried_out"),
    [
        ("Shall I run the tests as well?", False),
        ("I use short names without slashes for naming branches now. Shall I delete the old ones?", False),
        ("I would keep this for naming branches: use short names without slashes. Is that right?", True),
        ("{question} waits. Shall I write it?", True),
        ("", True),
    ],
)
@pytest.mark.parametrize("kept_first", [False, True])
def test_a_yes_to_another_question_is_none(bank: Bank, wrote: str, *, carried_out: bool, kept_first: bool) -> None:
    """Q-03: only a question that the agent has put is answered by a yes; the agent hears that another still waits."""
    question = proposed(bank, "use short names without slashes")
    text = {"type": "text", "text": wrote.format(question=question)}
    lines = [
        line("user", {"type": "text", "text": "always use short names without slashes for naming branches"}),
        line("assistant", {"type": "tool_use"}),
        line("user", {"type": "tool_result", "content": question}),
        *([line("assistant", text)] if wrote else []),
        *([line("user", {"type": "text", "text": "yes"})] if kept_first else []),
        "{ half a line",
    ]
    transcript = bank.root.parent / "transcript.jsonl"
    transcript.write_text("\n".join(lines), encoding="utf-8")
    said = fire(bank, PROMPTS[0], prompt="yes", transcript_path=str(transcript))

    assert (bank.pending() == []) is carried_out
    assert (f"Still asked: 1 {question}." in context("claude", said)) is not carried_out


@pytest.mark.parametrize(
    ("wrote", "carried_out"),
    [
        ("要不要记住：分支命名一律用短名称，不带斜杠？", True),
        ("要不要顺便把测试也跑一遍？", False),
        ("已经保存文件。要不要运行测试？", False),
    ],
)
def test_a_question_put_in_chinese_is_known_by_its_characters(bank: Bank, wrote: str, *, carried_out: bool) -> None:
    """Q-03: Chinese has no blanks, so what the agent wrote is compared character by character."""
    payload = {"scene": "分支命名", "principles": ["用不带斜杠的短名称"], "choice": "用不带斜杠的短名称"}
    bank.propose([{**payload, "source": "remember"}], Context("c-1"))
    transcript = bank.root.parent / "transcript.jsonl"
    transcript.write_text(line("assistant", {"type": "text", "text": wrote}), encoding="utf-8")
    fire(bank, PROMPTS[0], prompt="好的", transcript_path=str(transcript))

    assert (bank.pending() == []) is carried_out


def test_a_no_is_told_and_an_answer_that_cannot_be_carried_out_too(bank: Bank) -> None:
    """Q-03, C-04: each answer leads to one sentence."""
    proposed(bank, "use short names without slashes")
    assert "Left as it was" in context("claude", fire(bank, PROMPTS[0], prompt="no"))
    bank.set_setting("gate.new", "terminal")
    proposed(bank, "put the ticket's number first")
    assert "terminal" in context("claude", fire(bank, PROMPTS[0], prompt="yes", prompt_id="more"))
    assert len(bank.pending()) == 1
