"""What the user typed, out of the files that hosts and people keep."""

from __future__ import annotations

import json

import pytest

from tacit.capture.transcript import read

RULE = "Never force push to main."
AGENT = "You must always use tabs."


def lines(*records: dict[str, object]) -> str:
    """Records as lines of JSON."""
    return "\n".join(json.dumps(each) for each in records)


CLAUDE = lines(
    {"type": "summary", "summary": AGENT},
    {"type": "user", "isMeta": True, "message": {"role": "user", "content": AGENT}},
    {"type": "user", "message": {"role": "user", "content": f"{RULE}\n<system-reminder>{AGENT}</system-reminder>"}},
    {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": AGENT}]}},
    {
        "type": "user",
        "toolUseResult": {"stdout": AGENT},
        "message": {"role": "user", "content": [{"type": "tool_result", "content": AGENT}]},
    },
    {"type": "user", "isSidechain": True, "message": {"role": "user", "content": AGENT}},
    {
        "type": "user",
        "message": {
            "role": "user",
            "content": f"<command-name>/plan</command-name><command-message>{AGENT}</command-message>"
            "<command-args>Second turn.</command-args>",
        },
    },
    {"type": "user", "message": {"role": "user", "content": f"Base directory for this skill: /x\n\n{AGENT}"}},
    {"type": "user", "message": {"role": "user", "content": "[Request interrupted by user]"}},
)
CODEX = lines(
    {"type": "session_meta", "payload": {"instructions": AGENT}},
    {
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": AGENT}]},
    },
    {"type": "event_msg", "payload": {"type": "user_message", "message": RULE}},
    {"type": "event_msg", "payload": {"type": "agent_message", "message": AGENT}},
    {"type": "event_msg", "payload": {"type": "user_message", "message": "Second turn."}},
)
OLD_CODEX = lines(
    {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": f"<environment_context>{AGENT}</environment_context>"}],
    },
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": RULE}]},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": AGENT}]},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Second turn."}]},
)
GEMINI = json.dumps(
    {
        "sessionId": "s",
        "messages": [
            {"type": "user", "content": RULE},
            {"type": "gemini", "content": AGENT},
            {"type": "user", "content": [{"text": "Second turn."}]},
            {"type": "info", "content": AGENT},
        ],
    }
)
GEMINI_LINES = lines(
    {"sessionId": "s", "projectHash": "h"},
    {"id": "1", "type": "user", "content": [{"text": RULE}]},
    {"id": "2", "type": "gemini", "content": AGENT},
    {"id": "3", "type": "user", "content": [{"text": "Second turn."}]},
)
OPENCODE = json.dumps(
    {
        "info": {"id": "ses_1"},
        "messages": [
            {
                "info": {"role": "user"},
                "parts": [
                    {"type": "text", "text": RULE},
                    {"type": "text", "text": AGENT, "synthetic": True},
                    {"type": "file", "text": AGENT},
                ],
            },
            {"info": {"role": "assistant"}, "parts": [{"type": "text", "text": AGENT}]},
            {"info": {"role": "user"}, "parts": [{"type": "text", "text": '"Second turn."'}]},
        ],
    }
)
QWEN = lines(
    {
        "type": "user",
        "message": {
            "role": "user",
            "parts": [
                {"text": RULE},
                {"text": f"<qwen:user-prompt-submit-context>\n{AGENT}\n</qwen:user-prompt-submit-context>"},
            ],
        },
        "systemPayload": {"displayText": RULE, "hookContext": AGENT},
    },
    {"type": "assistant", "message": {"role": "model", "parts": [{"text": AGENT}]}},
    {"type": "user", "message": {"role": "user", "parts": [{"text": "Second turn."}]}},
)
COPILOT = lines(
    {"type": "user.message", "data": {"content": RULE}},
    {"type": "assistant.message", "data": {"content": AGENT}},
    {"type": "user.message", "data": {"content": "Second turn."}},
)
CURSOR_EXPORT = (
    f"# Title\n_Exported on 11/16/2026 from Cursor (2.1)_\n\n---\n\n**User**\n\n{RULE}\n\n---\n\n"
    f"**Cursor**\n\n{AGENT}\n\n---\n\n**User**\n\nSecond turn.\n"
)
CURSOR_TEXT = (
    f"user:\n<user_info>{AGENT}</user_info>\n<user_query>\n{RULE}\n</user_query>\n\nassistant:\n{AGENT}\n"
    "\nuser:\n<user_query>\nSecond turn.\n</user_query>\n"
)
SPEAKERS = f"User: {RULE}\nAssistant: {AGENT}\nTool result: {AGENT}\nUser: Second turn.\n"
HEADINGS = f"## User\n\n{RULE}\n\n## Assistant\n\n{AGENT}\n\n## User\n\nSecond turn.\n"
CHINESE = f"用户：{RULE}\n助手：{AGENT}\n用户：Second turn.\n"
SCREEN = f"> {RULE}\n\n⏺ {AGENT}\n  ⎿  {AGENT}\n\n> Second\n  turn.\n"
CLOCK = f"[10:23] User: {RULE}\n[10:24] Assistant: {AGENT}\n[2026-01-02 10:25:03 AM] User: Second turn.\n"
CHATS = f"小李 2026-01-02 10:23\n{RULE}\n\n豆包 2026-01-02 10:24\n{AGENT}\n\n小李 2026-01-02 10:25\nSecond turn.\n"
NAMES = f"Ada: {RULE}\nClaude: {AGENT}\nAda: Second turn.\n"
COPIED = f"You said:\n{RULE}\nChatGPT said:\n{AGENT}\nYou said:\nSecond turn.\n"
PICTURES = f"## 👤 User\n\n{RULE}\n\n## 🤖 DeepSeek\n\n{AGENT}\n\n## 👤 User\n\nSecond turn.\n"
ASKED = f"问：{RULE}\n答：{AGENT}\n问：Second turn.\n"
PLANNER = f"### User Input\n\n{RULE}\n\n### Planner Response\n\n{AGENT}\n\n### User Input\n\nSecond turn.\n"
AIDER = f"\n# aider chat started at 2026-01-02\n\n#### {RULE}\n\n{AGENT}\n\n#### Second turn.\n\n> Tokens: 1k\n"
KNOWN = {
    "clock": CLOCK,
    "chats": CHATS,
    "names": NAMES,
    "copied": COPIED,
    "pictures": PICTURES,
    "asked": ASKED,
    "planner": PLANNER,
    "aider": AIDER,
    "claude": CLAUDE,
    "codex": CODEX,
    "codex before": OLD_CODEX,
    "gemini": GEMINI,
    "gemini lines": GEMINI_LINES,
    "opencode": OPENCODE,
    "qwen": QWEN,
    "copilot": COPILOT,
    "cursor export": CURSOR_EXPORT,
    "cursor text": CURSOR_TEXT,
    "speakers": SPEAKERS,
    "headings": HEADINGS,
    "chinese": CHINESE,
    "screen": SCREEN,
}


@pytest.mark.parametrize("name", KNOWN)
def test_only_the_users_turns_count(name: str) -> None:
    """C-02: tool output, injected context, command templates and the agent's words are no turns of the user."""
    assert [" ".join(turn.split()) for turn in read(KNOWN[name]).turns] == [RULE, "Second turn."]


def test_text_without_speakers_is_the_users_own() -> None:
    """Whoever hands in their own words is heard, whatever punctuation stands in them."""
    assert read(f"  {RULE}\nNote: tests first.\n").turns == (f"{RULE}\nNote: tests first.",)


def test_what_stands_for_a_picture_or_a_pasted_text_is_left_out() -> None:
    """C-02: a host's mark for what was put in is no word of the user's."""
    assert read(lines({"role": "user", "content": f"[Image #1] {RULE} [Pasted text #2 +20 lines]"})).turns == (RULE,)


def test_words_before_an_agent_are_the_users_and_no_others() -> None:
    """C-02: where the user bears no name, what stands behind the agent's is never taken for the user's."""
    assert read(f"{RULE}\nChatGPT: {AGENT}\n").turns == (RULE,)


@pytest.mark.parametrize("text", [f"● {RULE}\n● Second rule.", f"{RULE}\n## System\nUbuntu only.", f"Model: {RULE}"])
def test_a_list_or_a_heading_makes_no_conversation(text: str) -> None:
    """C-02: who hands in their own notes is heard, with dots before them or a word that could name an agent."""
    assert read(text).turns == (text,)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '[1, "a"]', '{"messages": [3]}', '{"type": "user"}\nnonsense'])
def test_what_is_no_transcript_has_no_turns_or_is_words(text: str) -> None:
    """Nothing breaks reading: broken JSON is read as words."""
    assert read(text).turns in ((), ("{",))


def test_a_part_of_an_odd_type_is_no_text() -> None:
    """A list or an object where the type of a part should stand is passed over."""
    parts = '[{"type": ["text"], "text": "no"}, {"type": {}, "text": "no"}, {"type": "text", "text": "yes"}]'
    assert read(f'{{"role": "user", "content": {parts}}}').turns == ("yes",)


@pytest.mark.parametrize("blank", ["\n", " \n", "\t"])
def test_blank_lines_without_end_are_read_once(blank: str) -> None:
    """However many lines are empty, each is looked at once."""
    assert read(f"one{200_000 * blank}two").turns[0].startswith("one")
