"""Pure text helpers: names, widths and what is safe to print."""

from __future__ import annotations

import re
import unicodedata

# What could drive a terminal (C0 without tab and newline, DEL, C1, the bidi overrides), begin a line where none is
# begun (the separators of lines and paragraphs) or cannot be written to one.
_UNSAFE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_MAX_NAME_CHARS = 200


def printable(text: str) -> str:
    """Return `text` with every character that could drive a terminal replaced by `�`, and one kind of line end."""
    # None of them counts as printable in Python either, which is a quicker question.
    return text if text.isprintable() else re.sub(_UNSAFE, "\ufffd", text.replace("\r\n", "\n"))


def escaped(json_text: str) -> str:
    """Return JSON that means the same, with every character that could drive a terminal written as an escape."""
    if json_text.isprintable():
        return json_text
    return re.sub(_UNSAFE, lambda match: f"\\u{ord(match[0]):04x}", json_text)


def is_writable(text: str) -> bool:
    """Whether `text` can be written as UTF-8; what Python makes of a file name in another encoding cannot."""
    return text.isascii() or re.search("[\ud800-\udfff]", text) is None


def whole(text: str) -> str:
    """Return a text with a question mark for each half of a character, which no file can hold."""
    return text.encode("utf-8", "replace").decode()


# How a command of ours begins, and what stands before what the user typed with it.
COMMAND, WITH_COMMAND = "Use the skill `", "What I typed with the command:"


def as_typed(prompt: str, *, is_quoted: bool) -> str:
    """Return a prompt without the words of our commands, and the quotes of `opencode run` if it may have them."""
    if prompt.startswith(COMMAND) and WITH_COMMAND in prompt:
        prompt = prompt.partition(WITH_COMMAND)[2].strip()
    inner = prompt[1:-1]
    is_whole = is_quoted and " " in inner and prompt[0] == prompt[-1] == '"' and '"' not in inner.replace('\\"', "")
    return inner.replace('\\"', '"') if is_whole else prompt


def one_line(text: str) -> str:
    """Return `text` on one line, runs of white space as single blanks."""
    return " ".join(text.split())


def as_name(text: str) -> str:
    """Return what somebody else calls a conversation as one short line."""
    return printable(one_line(text))[:_MAX_NAME_CHARS]


def width(text: str) -> int:
    """Return how many terminal columns `text` takes; CJK and emoji take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char) or char in "\u200b\u200c\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clip(text: str, columns: int) -> str:
    """Return `text` cut to at most `columns` terminal columns, with `…` where something was cut."""
    if width(text) <= columns:
        return text
    kept: list[str] = []
    left = columns - 1
    for char in text:
        left -= _columns(char)
        if left < 0:
            break
        kept.append(char)
    return "".join(kept) + "…"


def pad(text: str, columns: int) -> str:
    """Return `text` filled with blanks to `columns` terminal columns."""
    return text + " " * max(0, columns - width(text))


def slug(text: str) -> str:
    """Return the lower-case name by which a heading is addressed: words joined by `-`, CJK kept."""
    return "-".join(re.findall(r"[^\W_]+", text.lower()))
