"""What a host says on standard input, whatever its dialect, as one kind of event."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from tacit.text import as_typed, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_PROMPT_CHARS = 200_000
_MARK = b"\xef\xbb\xbf"  # what some systems put before UTF-8


class Kind(StrEnum):
    """What happened in the host."""

    START = "session-start"
    PROMPT = "prompt"
    TOOL = "post-tool"
    COMPACT = "compact"
    STOP = "stop"
    END = "session-end"


# Every name by which hosts call their events, without case and separators.
_NAMES = {
    **dict.fromkeys(("sessionstart", "taskstart", "sessioncreated"), Kind.START),
    **dict.fromkeys(
        ("prompt", "userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt", "beforeagent", "chatmessage"),
        Kind.PROMPT,
    ),
    "preuserprompt": Kind.PROMPT,
    **dict.fromkeys(("posttool", "posttooluse", "aftertool", "afterfileedit", "toolexecuteafter"), Kind.TOOL),
    **dict.fromkeys(("compact", "precompact", "precompress", "sessioncompacting"), Kind.COMPACT),
    **dict.fromkeys(("stop", "afteragent", "agentstop", "subagentstop", "sessionidle"), Kind.STOP),
    **dict.fromkeys(("sessionend", "end"), Kind.END),
}
_SESSION = ("session_id", "sessionId", "sessionID", "conversation_id", "taskId", "trajectory_id")
_TURN = ("prompt_id", "generation_id", "turn_id", "execution_id", "messageID")
_ROOTS = ("workspace_roots", "workspaceRoots")
_ROOT_VARIABLES = ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR")
# Where Cline and Windsurf put what is special to an event.
_NESTED = ("userPromptSubmit", "postToolUse", "tool_info")
_GIVEN = ("tool_input", "toolArgs", "parameters")
_FILES = ("file_path", "path", "filePath", "notebook_path")
_PATCHED = re.compile(r"(?m)^\*\*\* (?:Add File|Update File|Move to): (.+)$")  # Codex names files in the patch alone
_WRITES = ("write", "edit", "patch", "create", "replace", "notebook")


class HostEvent(NamedTuple):
    """One event. `name` is what the host calls it, which it wants to hear again; `workspace` is empty if unknown."""

    kind: Kind
    host: str
    name: str
    session: str = ""
    turn: str = ""
    prompt: str = ""
    workspace: str = ""
    source: str = ""
    wrote: tuple[str, ...] = ()
    bank: str = ""
    role: str = ""
    transcript: str = ""


def read(arguments: list[str], environment: Mapping[str, str], given: bytes) -> HostEvent | None:
    """Return the event of a hook's command line, environment and input; None if it is none that we know."""
    words, named = _parsed(arguments)
    members = _members(given)
    name = str(members.get("hook_event_name") or members.get("hookEventName") or members.get("hookName") or "")
    kind = _kind(words[0] if words else "") or _kind(name)
    if kind is None:
        return None
    host = named["--host"] or host_of(environment, members)
    return HostEvent(
        kind=kind,
        host=host,
        name=name or (words[0] if words else ""),
        session=_first(members, _SESSION)[:200],
        turn=_turn(members),
        prompt=as_typed(_prompt(members), is_quoted=host == "opencode")[:MAX_PROMPT_CHARS],
        workspace=_workspace(members, environment),
        source=_first(members, ("source", "trigger"))[:40],
        wrote=_wrote(members, name),
        bank=named["--bank"] or environment.get("TACIT_BANK") or "",
        role=named["--role"] or environment.get("TACIT_ROLE") or "",
        transcript=_first(members, ("transcript_path", "transcriptPath")),
    )


def host_of(environment: Mapping[str, str], members: Mapping[str, Any]) -> str:
    """Return which host fires this hook, by what it leaves in the environment: several run one another's files."""
    if environment.get("CURSOR_VERSION") or members.get("cursor_version"):
        return "cursor"
    if environment.get("COPILOT_CLI"):
        return "copilot"
    if environment.get("QWEN_PROJECT_DIR"):
        return "qwen"
    if environment.get("GEMINI_SESSION_ID"):
        return "gemini"
    if environment.get("CLAUDECODE"):
        return "claude"
    return "codex" if environment.get("CODEX_MANAGED_BY_NPM") else ""


def _parsed(arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    words, named = [], {"--host": "", "--bank": "", "--role": ""}
    rest = iter(arguments)
    for word in rest:
        name, is_joined, value = word.partition("=")
        if name in named:
            named[name] = value if is_joined else next(rest, "")
        elif word != "--json":
            words.append(word)
    return words, named


def _members(given: bytes) -> dict[str, Any]:
    try:
        members = json.loads(given.removeprefix(_MARK).decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(members, dict):
        return {}
    inner: dict[str, Any] = next((members[name] for name in _NESTED if isinstance(members.get(name), dict)), {})
    return {**inner, **members}


def _kind(name: str) -> Kind | None:
    return _NAMES.get("".join(char for char in name.lower() if char.isalnum()))


def _first(members: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((whole(str(members[name])) for name in names if isinstance(members.get(name), str | int)), "")


def _turn(members: Mapping[str, Any]) -> str:
    """Return the host's own number for a turn; agents of Cursor's SDK have one number for all, the conversation's."""
    turn = _first(members, _TURN)
    return "" if turn == _first(members, _SESSION) else turn[:200]


def _prompt(members: Mapping[str, Any]) -> str:
    for name in ("submitted_prompt", "prompt", "user_prompt", "message"):
        if isinstance(members.get(name), str):
            return _typed(whole(str(members[name])))
    return ""


def _typed(prompt: str) -> str:
    """Return a prompt without what its host and hooks put beside it: those are no words of the user's."""
    if "</" not in prompt and " #" not in prompt:
        return prompt
    from tacit.capture import transcript  # its patterns take long to compile

    return transcript.beside_hosts(prompt)


def _workspace(members: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    for name in _ROOTS:
        roots = members.get(name)
        if isinstance(roots, list) and roots and isinstance(roots[0], str):
            return str(roots[0])
    if isinstance(members.get("cwd"), str) and members["cwd"]:
        return str(members["cwd"])
    return next((environment[name] for name in _ROOT_VARIABLES if environment.get(name)), "")


def _wrote(members: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return the files that a tool wrote, as far as the event says; an empty name for a write of unknown files."""
    tool = _first(members, ("tool_name", "toolName", "tool")).lower()
    if not any(word in tool for word in _WRITES) and "fileedit" not in name.lower():
        return ()
    given = next((members[key] for key in _GIVEN if members.get(key)), members)
    if isinstance(given, str):  # Copilot's is JSON in a text
        given = _members(whole(given).encode())
    named = given if isinstance(given, dict) else {}
    texts = {key: str(named[key]) for key in (*_FILES, "command") if isinstance(named.get(key), str)}
    patched = _PATCHED.findall(texts.pop("command", ""))
    return (*texts.values(), *patched) or ("",)
