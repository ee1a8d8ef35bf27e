"""Whether the agent put a question to the user: what it wrote in its last turn, as the host keeps it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.text import simplified

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TAIL_BYTES = 256 * 1024
_WORDS = re.compile(r"[^\W_\u3400-\u9fff]{3,}|[\u3400-\u9fff]")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_TITLES = re.compile(r"[“「]([^”」]+)[”」]")
_TEXT_PARTS = ("text", "output_text", "input_text")
# So much of the names in a question the agent must have used, if it did not name it, where it speaks of memory.
_SHARE = 0.5
_ABOUT_MEMORY = re.compile(
    r"(?i)\b(?:remember\w*|memor\w+|notes?|noted|sav(?:e|ed|ing)|stor(?:e|ed|ing)|keep|kept|write|record\w*|tacit|propos\w+|replac\w+|merg\w+)\b"
    r"|记|保存|写入|提案|取代|合并|归档"
)


def last_words(transcript: str) -> str:
    """Return what the agent wrote since the user typed before; empty where the transcript does not tell."""
    words: list[str] = []
    for record in _from_the_end(transcript):
        inner = _inside(record, "payload")
        message = _inside(inner, "message")
        speakers = {str(each.get(name, "")) for each in (record, inner, message) for name in ("role", "type")}
        text = _text(message.get("content"))
        if "assistant" in speakers:
            words.append(text)
        elif "user" in speakers and text and any(words):
            break
    return "\n".join(reversed(words)).strip()


def names(words: str, question_id: str, question: str) -> bool:
    """Whether words put a question: by its id, or by half of its notes' names where memory is spoken of."""
    words, question = simplified.read(words), simplified.read(question)
    if question_id in words:
        return True
    titles = " ".join(_TITLES.findall(question)) or question
    asked = set(_WORDS.findall(titles.casefold()))
    paragraphs = _PARAGRAPHS.split(words)
    # The question may stand before or behind what it names.
    pairs = (f"{one}\n{other}" for one, other in zip(paragraphs, [*paragraphs[1:], ""], strict=True))
    about = (set(_WORDS.findall(each.casefold())) for each in pairs if _ABOUT_MEMORY.search(each))
    return bool(asked) and any(len(asked & said) >= _SHARE * len(asked) for said in about)


def _inside(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = record.get(name)
    return found if isinstance(found, dict) else record


def _from_the_end(transcript: str) -> Iterator[Mapping[str, Any]]:
    try:
        if not Path(transcript).is_file():  # a pipe would never end
            return
        with Path(transcript).open("rb") as file:
            file.seek(0, 2)
            start = max(0, file.tell() - _TAIL_BYTES)
            file.seek(start)
            lines = file.read().splitlines()
    except (OSError, ValueError):
        return
    for line in reversed(lines[1:] if start else lines):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    found = (each.get("text") for each in parts if isinstance(each, dict) and each.get("type") in _TEXT_PARTS)
    return "\n".join(each for each in found if isinstance(each, str))
