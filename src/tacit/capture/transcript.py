"""From a transcript, whatever program wrote it, to what the user typed in it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tacit.text import as_typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns of the user, in order, without all that hosts put into them; `shape` says how the text was read."""

    shape: str
    turns: tuple[str, ...]


# Where a block begins that hosts and hooks put between the user's words; a name with a dash, underscore or colon, or
# one of a few without.
_BLOCK = re.compile(
    r"<([A-Za-z]+(?:[-_:][A-Za-z]+)+|INSTRUCTIONS|environment|instructions|skill|context)\b[^<>]{0,400}>"
)
# The same of blocks that are surely theirs: in a prompt that is looked for, another tag may be what it is about.
_SURELY = re.compile(
    r"<((?:ide|environment)_[a-z_]+|(?:local-command|bash|task|monitor|system|cross-session|teammate|user-prompt)-[a-z-]+"
    r"|command-name|command-message|hook_context|user_info)\b[^<>]{0,400}>"
)
# What a person typed stands inside of these.
_TYPED = frozenset({"user_query", "command-args"})
# Turns that are the host's own although they bear the user's name.
_HOSTS_OWN = re.compile(
    r"^\s*(?:\[Request interrupted|Caveat: The messages below|This session is being continued from a previous"
    r"|# AGENTS\.md instructions|Base directory for this skill:|This is the Gemini CLI\. We are setting up|\[SYSTEM)"
)
# What hosts write where a person put in a picture or a long text.
_PUT_IN = re.compile(r"\[(?:Image|Pasted text) #\d+[^\]\n]{0,40}\][ \t]*")
# Members by which records say that nobody typed them.
_NOT_TYPED = ("isMeta", "isSidechain", "isCompactSummary", "isSynthetic", "toolUseResult", "synthetic", "ignored")
_TEXT_PARTS = frozenset({"text", "input_text", ""})
_USER = frozenset({"user", "human", "user.message"})
# A line of plain text that says who speaks, with or without what they say: "User: …", "## Assistant", "**Cursor**",
# "[10:23] Claude:", "用户 2026-01-02 10:23". What looks like a picture before the name does not matter.
_TIME = r"[\[(（]?\d{1,4}[-:/.年]\d[\d:T/.年月日, -]{1,22}(?:Z|[AP]M)?[\])）]?"
_BEFORE = r"[ \t#>*_\-–—\[【\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]"
_USERS = r"user(?: input)?|human|me|you said|用户|我|人类|问|提问"
_AGENTS = (
    r"assistant|claude(?: code)?|codex|cursor|gemini|copilot|opencode|chatgpt|gpt(?:-\w+)?|deepseek|kimi|qwen|grok"
    r"|助手|助理|豆包|通义(?:千问)?|文心一言|元宝|智谱清言"
)
# These may as well be words of the user's own, so that they alone make no conversation.
_OTHERS = r"agent|ai|bot|model|system|tool(?: \w+)?|planner|代理|系统|工具|答|回答"


def _speaker(users: str) -> re.Pattern[str]:
    """Return what finds a line that says who speaks, the user by these names."""
    return re.compile(
        rf"^{_BEFORE}*(?:{_TIME}{_BEFORE}*)?"
        rf"(?:(?P<user>{users})|(?:(?P<agent>{_AGENTS})|{_OTHERS})(?: said| response)?)"
        rf"(?:[ \t]*(?:\([^)\n]{{1,40}}\)|{_TIME}))?"
        r"[ \t]*(?:[*_\]】]+[ \t]*[:：]?|[:：][*_]*|$)[ \t]*",
        re.IGNORECASE | re.MULTILINE,
    )


_SPEAKER = _speaker(_USERS)
_AIDER_USER = re.compile(r"^#### ?(.+)$", re.MULTILINE)
# Who speaks first, whatever they are called.
_FIRST = re.compile(
    rf"(?:{_TIME}[ \t]*)?[#>*_ ]*([^\W\d][\w.'-]*(?: \w+)?)(?:[*_]*[:：]|[ \t]+{_TIME}[ \t]*$)", re.MULTILINE
)
# How a terminal shows a conversation: the user's line behind an arrow, the agent's behind a dot. A list may have such
# dots too.
_SCREEN_AGENT = re.compile(r"^[^\S\n]*[⏺●✻✦⎿]", re.MULTILINE)
_DOT = re.compile(r"^[^\S\n]*●", re.MULTILINE)
_SCREEN_USER = re.compile(r"^[>❯›] ?(?P<words>.+)$", re.MULTILINE)


def read(text: str) -> Transcript:
    """Return the user's turns of a transcript; text without any speaker is taken as the user's own words."""
    records = _records(text)
    if records is not None:
        return Transcript("records", tuple(_cleaned(_typed(records))))
    if text.lstrip().startswith("# aider chat started"):
        return Transcript("aider", tuple(_cleaned(_AIDER_USER.findall(text))))
    if _SCREEN_AGENT.search(text) and (_SCREEN_USER.search(text) or not _DOT.search(text)):
        return Transcript("screen", tuple(_cleaned(_from_screen(text))))
    if marks := _marks(text):
        return Transcript("speakers", tuple(_cleaned(_from_speakers(text, marks))))
    return Transcript("words", tuple(_cleaned([text])))


def typed(prompt: str) -> str:
    """Return a prompt without what its host put into it."""
    return "\n".join(_cleaned([prompt]))


def beside_hosts(prompt: str) -> str:
    """Return a prompt as it is, but for the blocks that are surely its host's; nothing if it has nothing else."""
    apart, blocks = _divided(_PUT_IN.sub("", prompt), _SURELY)
    return apart.strip() if blocks else apart


def _records(text: str) -> list[Mapping[str, Any]] | None:
    """Return the records of a JSON document or of lines of JSON; None if it is neither."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        lines = (_member(line) for line in text.splitlines())
        found = [each for each in lines if each is not None]
        return found or None
    if isinstance(whole, dict):
        inner = next((whole[name] for name in ("messages", "turns", "history") if isinstance(whole.get(name), list)), 0)
        whole = inner or [whole]
    return [each for each in whole if isinstance(each, dict)]


def _member(line: str) -> Mapping[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _typed(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what the user typed; where a host also keeps the bare prompts (Codex), those alone count."""
    said: list[str] = []
    bare: list[str] = []
    for record in records:
        payload = record.get("payload")
        if isinstance(payload, dict) and record.get("type") == "event_msg":
            if payload.get("type") == "user_message":
                bare.append(str(payload.get("message", "")))
        elif not any(record.get(name) for name in _NOT_TYPED):
            said += _words(payload if isinstance(payload, dict) else record)
    return bare or said


def _words(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of a record if the user is its speaker."""
    inner = [record[name] for name in ("message", "info", "data") if isinstance(record.get(name), dict)]
    speakers = {str(each.get(name, "")).lower() for each in (record, *inner) for name in ("role", "type")}
    speakers.add(str(record.get("sender") or record.get("author") or "").lower())
    if not speakers & _USER or any(each.get(name) for each in inner for name in _NOT_TYPED):
        return
    for each in (record, *inner):
        for name in ("content", "parts", "text"):
            for text in _texts(each.get(name)):
                yield as_typed(text, is_quoted="info" in record)  # OpenCode's have it


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and str(part.get("type", "")) in _TEXT_PARTS]
        typed = [part for part in parts if not any(part.get(name) for name in _NOT_TYPED)]
        yield "\n".join(part["text"] for part in typed if isinstance(part.get("text"), str))
        yield from (part for part in content if isinstance(part, str))


def _marks(text: str) -> list[re.Match[str]]:
    """Return where speakers begin; none if nobody is named who would speak.

    Where the user has none of the usual names, it is who speaks first and speaks again.
    """
    marks = list(_SPEAKER.finditer(text))
    if not marks or any(mark["user"] for mark in marks):
        return marks
    first = _FIRST.match(text.lstrip())
    named = list(_speaker(re.escape(first[1])).finditer(text)) if first else []
    if len([mark for mark in named if mark["user"]]) > 1:
        return named
    return marks if any(mark["agent"] for mark in marks) else []


def _from_speakers(text: str, marks: list[re.Match[str]]) -> Iterator[str]:
    """Yield what stands behind the user's name; of a user without one, what stands before all others."""
    if not any(mark["user"] for mark in marks):
        yield text[: marks[0].start()]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        if mark["user"]:
            yield text[mark.end() : end]


def _from_screen(text: str) -> Iterator[str]:
    """Yield what stands behind the arrow, with the indented lines that follow it."""
    turn: list[str] = []
    for line in text.splitlines():
        if begun := _SCREEN_USER.match(line):
            yield "\n".join(turn)
            turn = [begun["words"]]
        elif turn and line.startswith("  ") and not _SCREEN_AGENT.match(line):
            turn.append(line.strip())
        else:
            yield "\n".join(turn)
            turn = []
    yield "\n".join(turn)


def _cleaned(turns: Iterable[str]) -> Iterator[str]:
    """Yield turns without what hosts put into them; nothing of a turn that is the host's own."""
    for turn in turns:
        if _HOSTS_OWN.match(turn):
            continue
        apart, blocks = _divided(turn)
        typed = [words for name, words in blocks if name in _TYPED]
        words = _PUT_IN.sub("\n", "\n".join(typed) if typed else apart)
        if words.strip():
            yield words.strip().strip("-").strip()


def _divided(turn: str, block: re.Pattern[str] = _BLOCK) -> tuple[str, list[tuple[str, str]]]:
    """Return a turn without its blocks, and these by name; what is never closed is no block."""
    parts: list[str] = []
    blocks: list[tuple[str, str]] = []
    unclosed: set[str] = set()
    done = 0
    for begin in block.finditer(turn):
        name = begin[1]
        end = -1 if begin.start() < done or name in unclosed else turn.find(f"</{name}>", begin.end())
        if end < 0:
            unclosed |= {name} if begin.start() >= done else set()
            continue
        parts.append(turn[done : begin.start()])
        blocks.append((name, turn[begin.end() : end]))
        done = end + len(name) + len("</>")
    return "\n".join((*parts, turn[done:])), blocks
