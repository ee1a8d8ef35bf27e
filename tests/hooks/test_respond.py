"""What hosts hear at their events, from a real bank."""

from __future__ import annotations

import json
import random
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank import State
from tacit.hooks.dialect import MAX_CHARS
from tacit.hooks.respond import respond
from tacit.hosts import shipped
from tests.files import holders
from tests.hooks.events import PROMPT, PROMPTS, Recorded, filled
from tests.hooks.firing import context, fire

if TYPE_CHECKING:
    from pathlib import Path

    from tacit import Bank


@pytest.mark.parametrize("event", PROMPTS, ids=lambda event: event.host)
def test_prompt_brings_the_note_in_the_hosts_own_dialect(bank: Bank, event: Recorded) -> None:
    """J-01, W-02: each host hears the one-liner with its reference, where it looks for it."""
    said = context(event.host, fire(bank, event))
    assert "Use pnpm, never npm." in said
    assert "[MEM-" in said


@pytest.mark.parametrize("event", PROMPTS, ids=lambda event: event.host)
def test_half_a_character_loses_nobody_their_turn(bank: Bank, event: Recorded) -> None:
    """J-01: a host that cuts a prompt in the middle of a character gets its answer, and the rest is kept."""
    half = f"{PROMPT} \ud83d"
    assert "Use pnpm, never npm." in context(event.host, fire(bank, event, prompt=half, submitted_prompt=half))


def test_half_a_character_is_kept_as_a_question_mark(bank: Bank) -> None:
    """The words are evidence, and no file holds half a character."""
    fire(bank, PROMPTS[0], prompt=f"{PROMPT} \ud83d")
    assert bank.session("c-1").prompts() == (f"{PROMPT} ?",)


def test_codex_hears_nothing_but_the_strict_shape(bank: Bank) -> None:
    """One key too many makes Codex drop the whole answer."""
    event = next(each for each in PROMPTS if each.host == "codex")
    members = json.loads(fire(bank, event))
    assert list(members) == ["hookSpecificOutput"]
    assert set(members["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}


def test_event_is_called_what_the_host_calls_it(bank: Bank) -> None:
    """Gemini wants to hear its own event's name."""
    event = next(each for each in PROMPTS if each.host == "gemini")
    assert json.loads(fire(bank, event))["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"


@pytest.mark.parametrize("event", PROMPTS, ids=lambda event: event.host)
def test_note_is_said_once_in_a_session(bank: Bank, event: Recorded) -> None:
    """J-02: the second prompt that fits brings nothing new; after compaction it is said again."""
    turn = {"prompt_id": "second", "generation_id": "second", "turn_id": "second"}
    again = {"prompt": PROMPT + " again", "submitted_prompt": PROMPT + " again", **turn}
    assert fire(bank, event)
    assert fire(bank, event, **again) == b""
    session = next(str(event.members[key]) for key in event.members if key.lower() in IDS)
    bank.conversation(session).forget_injected()
    third = {key: f"third {value}" for key, value in turn.items()}
    assert fire(bank, event, **{**again, **third, "prompt": PROMPT + " yet again"})


IDS = {"session_id", "sessionid", "conversation_id", "taskid"}


@pytest.mark.parametrize(
    ("host", "name", "given", "again"),
    [
        ("claude", "PreCompact", {"trigger": "auto"}, True),
        ("claude", "SessionStart", {"source": "compact"}, True),
        ("claude", "SessionStart", {"source": "resume"}, False),
        ("gemini", "PreCompress", {"trigger": "auto"}, False),
        ("gemini", "PreCompress", {"trigger": "manual"}, True),
        ("gemini", "SessionStart", {"source": "resume"}, True),
    ],
)
def test_a_note_is_said_again_where_the_agent_lost_it(
    bank: Bank, host: str, name: str, given: dict[str, str], *, again: bool
) -> None:
    """J-02: Gemini announces a compaction at each turn, made or not, and leaves out what hooks said when it resumes."""
    event = next(each for each in PROMPTS if each.host == host)
    assert fire(bank, event)
    fire(bank, replace(event, arguments=[name, "--host", host]), hook_event_name=name, **given)

    assert bool(fire(bank, event, prompt=PROMPT + " again", prompt_id="second", timestamp="2")) is again


def test_the_same_turn_fired_twice_is_heard_once(bank: Bank) -> None:
    """Two files of ours in one project, or a host that fires after each tool, count as one prompt."""
    event = PROMPTS[0]
    assert fire(bank, event)
    assert fire(bank, event) == b""
    assert len(bank.session("c-1").prompts()) == 1


def test_a_host_that_numbers_no_turns_is_heard_each_time(bank: Bank) -> None:
    """J-01: Cursor's SDK gives every turn the number of the conversation, which makes no prompt the same as another."""
    event = next(each for each in PROMPTS if each.host == "cursor")
    assert fire(bank, event, generation_id="u-1", prompt="Translate good morning into French.") == b""
    assert "Use pnpm, never npm." in context("cursor", fire(bank, event, generation_id="u-1"))


def test_prompts_are_recorded_without_their_secrets(bank: Bank) -> None:
    """P-04, P-06: what the user typed is kept as evidence, a key in it is not."""
    key = "ghp_" + "".join(random.Random(7).choices("abcdefghijkLMNOPQRSTUV0123456789", k=36))  # noqa: S311
    fire(bank, PROMPTS[0], prompt=f"always use pnpm; my token is {key}")
    (kept,) = bank.session("c-1").prompts()
    assert "always use pnpm" in kept
    assert key not in kept
    assert holders(bank.root, key) == []


@pytest.mark.parametrize("before", ["", "<hook_context>ours</hook_context>\n"])
def test_what_hooks_said_is_not_what_the_user_said(bank: Bank, before: str) -> None:
    """P-04: Gemini puts the session's context before the first prompt; the words after it alone are the user's."""
    event = next(each for each in PROMPTS if each.host == "gemini")
    said = f"{before}<hook_context>[memory: ON]\nConventions</hook_context>\n\n{PROMPT}"
    assert "Use pnpm, never npm." in context("gemini", fire(bank, event, prompt=said))
    assert bank.session("m-1").prompts() == (PROMPT,)


@pytest.mark.parametrize(
    "prompt",
    [
        "<ide_opened_file>The user opened the file /x/deploy.py in the IDE.</ide_opened_file>\n{typed}",
        "<ide_selection>The user selected the lines 1 to 9 from /x/a.py:\nimport css\n</ide_selection>\n{typed}",
        "{typed}\n<system-reminder>\nThe list of tasks was not used lately.\n</system-reminder>",
        "<ide_opened_file>a</ide_opened_file>{typed}<task-notification>b</task-notification>",
        "[Image #1] {typed}",
    ],
)
def test_what_the_host_put_beside_the_prompt_is_not_looked_for(bank: Bank, prompt: str) -> None:
    """F-01, P-04: what an editor has open and what a host reminds of are no words of the user's."""
    assert "Use pnpm, never npm." in context("claude", fire(bank, PROMPTS[0], prompt=prompt.format(typed=PROMPT)))
    assert bank.session("c-1").prompts() == (PROMPT,)


@pytest.mark.parametrize("prompt", ["why is <el-table>a</el-table> empty?", "<ide_selection> is never closed"])
def test_a_tag_that_the_user_asks_about_is_looked_for(bank: Bank, prompt: str) -> None:
    """F-01: only blocks that are surely the host's are passed over."""
    fire(bank, PROMPTS[0], prompt=prompt)
    assert bank.session("c-1").prompts() == (prompt,)


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        ('"yes, write it"', "yes, write it"),
        ('"say \\"hi\\" to us"', 'say "hi" to us'),
        ('"one two" and "three four"', '"one two" and "three four"'),
        ('"word"', '"word"'),
    ],
)
def test_quotes_that_a_command_line_put_around_a_prompt_are_not_the_users(bank: Bank, given: str, typed: str) -> None:
    """P-04: `opencode run` hands on one quoted argument as such; the words in it were typed, not quoted."""
    (event,) = (each for each in PROMPTS if each.host == "opencode")
    fire(bank, event, prompt=given)
    fire(bank, PROMPTS[0], prompt=given)

    assert [bank.session(each).prompts() for each in ("e-1", "c-1")] == [(typed,), (given,)]


@pytest.mark.parametrize("form", ["md", "toml"])
def test_the_words_of_our_commands_are_not_the_users(bank: Bank, form: str) -> None:
    """P-03: a host hands on the whole text of a command; what was typed with it alone is the user's."""
    written = shipped.command("remember", "remember", form)
    body = tomllib.loads(written)["prompt"] if form == "toml" else written.rpartition("---")[2].strip()
    (event,) = (each for each in PROMPTS if each.host == "opencode")
    for number, typed in enumerate(("", "never deploy on Fridays", '"never deploy on Fridays"')):
        prompt = body.replace("{{args}}", typed).replace("$ARGUMENTS", typed)
        fire(bank, event, prompt=prompt, messageID=str(number))

    assert set(bank.session("e-1").prompts()) == {"never deploy on Fridays"}


def test_writing_a_file_recalls_what_matters_afterwards(bank: Bank) -> None:
    """F-06: notes for the post phase come after files were written, and only then."""
    event = Recorded("claude", "PostToolUse", ["post-tool"], {"session_id": "c-1", "cwd": "{workspace}"})
    wrote = {"tool_name": "Write", "tool_input": {"file_path": "/x/style.css"}, "hook_event_name": "PostToolUse"}
    read = {"tool_name": "Read", "tool_input": {"file_path": "/x/style.css"}, "hook_event_name": "PostToolUse"}
    assert fire(bank, event, **read) == b""
    assert "formatter" in context("claude", fire(bank, event, **wrote))


@pytest.mark.parametrize(
    ("host", "wrote"),
    [
        ("codex", {"tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch\n{patch}\n*** End Patch"}}),
        ("copilot", {"toolName": "edit", "toolArgs": '{"path": "/x/style.css", "new_str": "a"}'}),
    ],
)
@pytest.mark.parametrize("patch", ["*** Add File: x/style.css", "*** Update File: a.css\n*** Move to: x/style.css\n@@"])
def test_files_are_found_where_hosts_name_them(bank: Bank, host: str, wrote: dict[str, Any], patch: str) -> None:
    """F-06: Codex names what it wrote inside of its patch, Copilot inside of a text that is JSON again."""
    event = Recorded(host, "PostToolUse", ["post-tool", "--host", host], {"session_id": "c-1", "cwd": "{workspace}"})
    given = json.loads(json.dumps(wrote).replace("{patch}", json.dumps(patch)[1:-1]))
    assert "formatter" in context(host, fire(bank, event, **given))


def test_windsurf_is_heard_and_told_nothing(bank: Bank) -> None:
    """P-04, W-02: its hooks hear the user, inside of `tool_info`; what they print it would only show."""
    event = Recorded(
        "windsurf",
        "pre_user_prompt",
        ["pre_user_prompt", "--host", "windsurf"],
        {"trajectory_id": "w-1", "cwd": "{workspace}", "tool_info": {"user_prompt": PROMPT}},
    )
    assert fire(bank, event) == b""
    assert bank.session("w-1").prompts() == (PROMPT,)


def test_cline_says_what_was_written_inside_of_its_event(bank: Bank) -> None:
    """F-06: Cline puts a tool's name and what it was given one level deeper than others do."""
    event = Recorded(
        "cline", "PostToolUse", ["post-tool", "--host", "cline"], {"taskId": "l-1", "workspaceRoots": ["{workspace}"]}
    )
    wrote = {"toolName": "editor", "parameters": {"path": "/x/style.css"}}
    assert fire(bank, event, postToolUse={**wrote, "toolName": "read_files"}) == b""
    assert "formatter" in context("cline", fire(bank, event, hookName="tool_result", postToolUse=wrote))


@pytest.mark.parametrize("name", ["stop", "session-end", "Stop", "SessionEnd", "afterAgent"])
def test_nothing_is_said_at_an_end(bank: Bank, name: str) -> None:
    """Text returned at a stop would make a host go on talking to itself."""
    event = Recorded("claude", name, [name], {"session_id": "c-1", "cwd": "{workspace}"})
    assert fire(bank, event) == b""


def test_session_start_shows_the_state(bank: Bank) -> None:
    """K-01: every session start shows the bank's state."""
    event = Recorded("claude", "SessionStart", ["session-start"], {"session_id": "c-9", "cwd": "{workspace}"})
    assert "[memory: ON]" in context("claude", fire(bank, event, hook_event_name="SessionStart"))


def test_a_fresh_clone_has_the_agent_ask_for_its_state(bank: Bank) -> None:
    """B-06, K-01: a bank without a state is PAUSED, and whoever starts a session in it hears what to ask the user."""
    event = Recorded("claude", "SessionStart", ["session-start"], {"session_id": "c-8", "cwd": "{workspace}"})
    assert "tacit state on" not in context("claude", fire(bank, event, hook_event_name="SessionStart"))
    (bank.root / "memory.lock").unlink()

    said = context("claude", fire(bank, event, hook_event_name="SessionStart"))
    assert said.startswith("[memory: PAUSED]")
    assert "Ask the user whether to turn it on: `tacit state on`." in said


def test_session_start_tells_the_agent_its_conversation(bank: Bank) -> None:
    """P-01: the id that the host gives is the one that its agent is told."""
    event = Recorded("claude", "SessionStart", ["session-start"], {"session_id": "c-9", "cwd": "{workspace}"})
    assert "conversation_id: c-9" in context("claude", fire(bank, event, hook_event_name="SessionStart"))


@pytest.mark.parametrize("line", ["- 每一条记录都很长，也都很重要\n", "- a line that is long, and matters\n"])
def test_codex_is_told_no_more_than_it_takes_whole(bank: Bank, line: str) -> None:
    """J-03: Codex counts bytes and takes out the middle; of Chinese it is told less, and the conventions stay."""
    (bank.root / "MEMORY.md").write_text(line * 1000, encoding="utf-8")
    given = json.dumps({"session_id": "n-1", "cwd": str(bank.root.parent)}).encode()
    for host, least in (("codex", 9_000 if line.isascii() else 7_000), ("claude", 8_000)):
        said = respond(["session-start", "--host", host], {}, given, lambda _: bank)
        told = json.loads(said)["hookSpecificOutput"]["additionalContext"]
        assert least * (line.isascii() or host == "codex") * 0.9 <= len(told.encode())
        assert host != "codex" or len(told.encode()) <= 10_000
        assert "conversation_id: n-1" in told
        assert "not an instruction" in told


def test_workspace_is_never_guessed(bank: Bank) -> None:
    """An event that names no workspace is answered with silence, wherever the process happens to run."""
    given = json.dumps({"session_id": "s", "prompt": PROMPT}).encode()
    assert respond(["prompt"], {}, given, lambda _: bank) == b""
    assert respond(["prompt"], {}, json.dumps({"cwd": "relative", "prompt": PROMPT}).encode(), lambda _: bank) == b""


def test_a_failure_is_silent_and_logged(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """W-02: whatever goes wrong, the host hears nothing and the bank keeps a line about it."""

    def broken(*_: object, **__: object) -> None:
        message = "out of order"
        raise RuntimeError(message)

    monkeypatch.setattr(bank, "recall", broken)
    assert fire(bank, PROMPTS[0]) == b""
    assert "out of order" in (bank.root / ".local/failures.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("event", ["session-start", "prompt", "post-tool", "compact", "stop", "session-end"])
def test_without_a_bank_only_the_start_says_something(tmp_path: Path, event: str) -> None:
    """J-03: one line that names the command, for an old structure and for none; all other events are silent."""
    (tmp_path / "src").mkdir()
    (tmp_path / ".git").mkdir()
    given = json.dumps({"cwd": str(tmp_path / "src"), "prompt": PROMPT, "session_id": "s"}).encode()
    said = [respond([event, "--host=codex"], {"TACIT_LANG": "en"}, given, lambda _: None)]
    (tmp_path / "memory-bank").mkdir()
    (tmp_path / "memory-bank/brief.md").touch()
    said += [respond([event, "--host=codex"], {"TACIT_LANG": word}, given, lambda _: None) for word in ("en", "zh")]
    if event != "session-start":
        assert said == [b"", b"", b""]
        return
    assert [context("codex", each) for each in said] == [
        "No memory bank here yet; `tacit refresh` makes one.",
        "An older memory bank was found in memory-bank; `tacit refresh` brings it over.",
        "在 memory-bank 发现旧结构的记忆库；运行 `tacit refresh` 迁移。",
    ]


def test_a_bank_that_cannot_be_opened_is_not_called_missing(bank: Bank) -> None:
    """W-02: what is there and broken is no reason to tell an agent to make a new one."""
    given = json.dumps({"cwd": str(bank.root.parent), "session_id": "s"}).encode()
    assert respond(["session-start"], {}, given, lambda _: None) == b""


def test_long_context_is_cut() -> None:
    """No host refuses it for its length."""
    from tacit.hooks.dialect import said
    from tacit.hooks.event import HostEvent, Kind

    printed = said(HostEvent(kind=Kind.PROMPT, host="claude", name="UserPromptSubmit"), "x" * 20_000)
    assert len(context("claude", printed)) == MAX_CHARS


def malformed(seed: int) -> bytes:
    """An input that is broken in one of many ways."""
    chance = random.Random(seed)  # noqa: S311  reproducible noise
    event = chance.choice(PROMPTS)
    whole = json.dumps(filled(event.members, "/nowhere")).encode()
    return chance.choice(
        [
            whole[: chance.randrange(len(whole))],
            chance.randbytes(chance.randrange(400)),
            b"\xff\xfe" + whole,
            whole.replace(b'"', b"'"),
            b"[" * 5000,
            json.dumps({"prompt": ["not", "text"], "cwd": 7, "session_id": {"a": 1}}).encode(),
            json.dumps({"prompt": "x" * 300_000, "cwd": "/nowhere", "session_id": "s" * 9_000}).encode(),
            whole.decode().encode("utf-16"),
            b"",
            b"null",
            json.dumps({"workspace_roots": [], "prompt": "\x00\ud83d"}).encode(),
        ]
    )


@pytest.mark.parametrize("event", PROMPTS, ids=lambda event: event.host)
def test_two_hundred_malformed_events_do_no_harm(bank: Bank, event: Recorded) -> None:
    """W-02: whatever arrives, what is printed is nothing or valid JSON."""
    environment = filled(event.environment, str(bank.root.parent))
    for seed in range(200):
        printed = respond(event.arguments, environment, malformed(seed), lambda _: bank)
        assert printed == b"" or isinstance(json.loads(printed), dict)


def test_prompt_repeats_the_state_after_a_change(bank: Bank) -> None:
    """K-01: a conversation that heard one state is told of another once."""
    start = Recorded("claude", "SessionStart", ["session-start"], {"session_id": "c-1", "cwd": "{workspace}"})
    fire(bank, start, hook_event_name="SessionStart")
    bank.set_state(State.PAUSED)
    assert "[memory: PAUSED]" in context("claude", fire(bank, PROMPTS[0], prompt="hello there", prompt_id="one"))
    assert fire(bank, PROMPTS[0], prompt="hello again", prompt_id="two") == b""


def test_a_dry_event_says_what_was_understood_and_keeps_nothing(bank: Bank) -> None:
    """W-01: with TACIT_DRY a hook proves that it gets through: event, host and bank, and no trace in the bank."""
    event = next(each for each in PROMPTS if each.host == "codex")
    workspace = str(bank.root.parent)
    given = json.dumps(filled(event.members, workspace)).encode()
    dry = {**filled(event.environment, workspace), "TACIT_DRY": "1"}
    told = json.loads(respond(event.arguments, dry, given, lambda _: bank))
    assert told == {"event": "prompt", "host": "codex", "bank": str(bank.root)}
    assert json.loads(respond(event.arguments, dry, given, lambda _: None))["bank"] == ""
    assert not (bank.root / ".local/sessions").exists()


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "qwen", "cursor", "copilot", "cline", ""])
def test_stop_suggests_once_to_the_user_and_never_to_the_agent(bank: Bank, host: str) -> None:
    """C-01: turned on, a stop says once what is worth keeping, by a message to the user that makes no host go on."""
    bank.session("c1").saw_prompt("We never force push to main.")
    workspace = str(bank.root.parent)

    def stop(name: str) -> bytes:
        given = json.dumps({"session_id": "c1", "hook_event_name": name, "cwd": workspace}).encode()
        return respond(["stop", "--host", host], {}, given, lambda _: bank)

    assert stop("Stop") == b""
    bank.set_setting("capture.suggest", "on")
    assert stop("SubagentStop") == b""

    said = [stop("Stop"), stop("Stop")]

    assert said[1] == b""
    if host in ("claude", "codex", "gemini", "qwen"):
        assert list(json.loads(said[0])) == ["systemMessage"]
        assert "We never force push to main." in json.loads(said[0])["systemMessage"]
    else:
        assert said[0] == b""
