"""Events as eight hosts send them: what each puts on standard input and into the environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Recorded:
    """One event of one host; `{workspace}` stands for the project's directory."""

    host: str
    name: str
    arguments: list[str]
    members: dict[str, Any]
    environment: dict[str, str] = field(default_factory=dict)


PROMPT = "which package manager do we use for adding a package?"

PROMPTS = [
    Recorded(
        "claude",
        "UserPromptSubmit",
        ["prompt"],
        {
            "session_id": "c-1",
            "transcript_path": "/x/t.jsonl",
            "cwd": "{workspace}",
            "hook_event_name": "UserPromptSubmit",
            "permission_mode": "default",
            "prompt_id": "p-1",
            "prompt": PROMPT,
        },
        {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "{workspace}"},
    ),
    Recorded(
        "codex",
        "UserPromptSubmit",
        ["prompt", "--host", "codex"],
        {
            "session_id": "x-1",
            "turn_id": "t-1",
            "cwd": "{workspace}",
            "hook_event_name": "UserPromptSubmit",
            "model": "m",
            "prompt": PROMPT,
        },
    ),
    Recorded(
        "cursor",
        "beforeSubmitPrompt",
        ["prompt"],
        {
            "conversation_id": "u-1",
            "generation_id": "g-1",
            "hook_event_name": "beforeSubmitPrompt",
            "workspace_roots": ["{workspace}"],
            "cursor_version": "2.1",
            "prompt": PROMPT,
            "attachments": [],
        },
        {"CURSOR_VERSION": "2.1", "CLAUDE_PROJECT_DIR": "{workspace}"},
    ),
    Recorded(
        "copilot",
        "userPromptSubmitted",
        ["prompt"],
        {"sessionId": "o-1", "timestamp": 1, "cwd": "{workspace}", "prompt": PROMPT},
        {"COPILOT_CLI": "1"},
    ),
    Recorded(
        "gemini",
        "BeforeAgent",
        ["prompt"],
        {
            "session_id": "m-1",
            "cwd": "{workspace}",
            "hook_event_name": "BeforeAgent",
            "timestamp": "2026-01-01T00:00:00Z",
            "prompt": PROMPT,
        },
        {"GEMINI_SESSION_ID": "m-1", "GEMINI_PROJECT_DIR": "{workspace}"},
    ),
    Recorded(
        "qwen",
        "UserPromptSubmit",
        ["prompt"],
        {
            "session_id": "q-1",
            "cwd": "{workspace}",
            "hook_event_name": "UserPromptSubmit",
            "prompt_id": "q-p-1",
            "submitted_prompt": PROMPT,
            "prompt": f"{PROMPT}\nand what the host added",
        },
        {"GEMINI_SESSION_ID": "q-1", "QWEN_PROJECT_DIR": "{workspace}"},
    ),
    Recorded(
        "opencode",
        "chat.message",
        ["chat.message", "--host", "opencode"],
        {"session_id": "e-1", "cwd": "{workspace}", "prompt": PROMPT, "input": {"sessionID": "e-1"}},
    ),
    Recorded(
        "cline",
        "UserPromptSubmit",
        ["prompt", "--host", "cline"],
        {
            "taskId": "l-1",
            "hookName": "prompt_submit",
            "workspaceRoots": ["{workspace}"],
            "userPromptSubmit": {"prompt": PROMPT, "attachments": []},
        },
    ),
]
HOSTS = [event.host for event in PROMPTS]


def filled(value: Any, workspace: str) -> Any:  # noqa: ANN401  JSON is any
    """Return a recorded value with the project's directory put in."""
    if isinstance(value, str):
        return value.replace("{workspace}", workspace)
    if isinstance(value, list):
        return [filled(each, workspace) for each in value]
    if isinstance(value, dict):
        return {key: filled(each, workspace) for key, each in value.items()}
    return value
