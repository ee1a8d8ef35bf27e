"""The current focus: what is worked on, the next steps and the blockers, changed line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from tacit.errors import FieldRefused
from tacit.text import one_line

EMPTY = "## Current focus\n\nFocus: none yet\n\n### Next steps\n\n### Blockers\n"
MOST_FINISHED = 20
# From so much likeness on, a step is one that was planned, misspelt.
_SAME = 0.8
_FINISHED = re.compile(r"^\s*[-*] \[[xX]\] ")
_NEXT = re.compile(r"^### Next steps[ \t]*$", re.MULTILINE)
_BLOCKERS = re.compile(r"^### Blockers[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be changed; steps and blockers are named by their words or a part of them."""

    focus: str = ""
    next_steps: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    unblocked: tuple[str, ...] = ()

    def texts(self) -> dict[str, str]:
        """Return what may be written, by the names of the fields; the words of a blocker that is gone are not."""
        steps = {"next": self.next_steps, "done": self.done, "blocker": self.blockers}
        return {"focus": self.focus, **{name: "\n".join(words) for name, words in steps.items()}}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a focus says."""

    focus: str
    next_steps: tuple[str, ...]
    finished: tuple[str, ...]
    blockers: tuple[str, ...]


def read(text: str) -> Seen:
    """Return what a focus says; lines that are neither are left out of account."""
    text = text.replace("\r\n", "\n")
    named = re.search(r"^Focus:[ \t]*(.*)$", text, re.MULTILINE)
    steps = [line for line in _section(text, _NEXT) if re.match(r"\s*[-*] ", line)]
    blockers = [line for line in _section(text, _BLOCKERS) if re.match(r"\s*[-*] ", line)]
    return Seen(
        one_line(named[1]) if named else "",
        tuple(_words(line) for line in steps if not _FINISHED.match(line)),
        tuple(_words(line) for line in steps if _FINISHED.match(line)),
        tuple(_words(line) for line in blockers),
    )


def change(text: str, wish: Wish) -> tuple[str, list[str]]:
    """Return the focus as wished, and the finished items to archive: all of them once there are more than twenty.

    Lines that are neither focus, step nor blocker stay as they are. A finished step need not have been planned; raise
    FieldRefused for one that is finished already or nearly spelt like a next one, and for a blocker that is not there.
    """
    if wish.focus:
        line = f"Focus: {one_line(wish.focus)}"
        text, found = re.subn(r"^Focus:.*$", lambda _: line, text, count=1, flags=re.MULTILINE)
        if not found:
            text = f"{text.rstrip()}\n\n{line}\n"
    for step in wish.next_steps:
        text = _insert(text, _NEXT, "### Next steps", f"- [ ] {one_line(step)}")
    for step in wish.done:
        place = _line_of(text, _NEXT, step, finished=False)
        if place is None:
            _refuse_slip(text, step)
            text = _insert(text, _NEXT, "### Next steps", f"- [x] {one_line(step)}")
        else:
            text = _exchange(text, _NEXT, place, re.sub(r"^(\s*[-*]) (?:\[ \] )?", r"\1 [x] ", place) + "\n")
    for blocker in wish.blockers:
        text = _insert(text, _BLOCKERS, "### Blockers", f"- {one_line(blocker)}")
    for blocker in wish.unblocked:
        place = _line_of(text, _BLOCKERS, blocker, finished=None)
        if place is None:
            there = "; ".join(read(text).blockers) or "none"
            raise FieldRefused(field="unblock", reason=f"there is no blocker {one_line(blocker)!r}; there are: {there}")
        text = _exchange(text, _BLOCKERS, place, "")
    finished = [line for line in text.split("\n") if _FINISHED.match(line)]
    if len(finished) <= MOST_FINISHED:
        return text, []
    return "\n".join(line for line in text.split("\n") if not _FINISHED.match(line)), finished


def _refuse_slip(text: str, step: str) -> None:
    """Raise FieldRefused if a step that is no next one is finished already, or is one of them misspelt."""
    before = _line_of(text, _NEXT, step, finished=True)
    if before is not None:
        raise FieldRefused(field="done", reason=f"{_words(before)!r} is finished already")
    planned = read(text).next_steps
    if get_close_matches(one_line(step).lower(), [each.lower() for each in planned], n=1, cutoff=_SAME):
        there = "; ".join(planned)
        raise FieldRefused(field="done", reason=f"{one_line(step)!r} is none of the next steps; they are: {there}")


def _section(text: str, heading: re.Pattern[str]) -> list[str]:
    found = heading.search(text)
    return [] if found is None else re.split(r"^#", text[found.end() :], maxsplit=1, flags=re.MULTILINE)[0].split("\n")


def _insert(text: str, heading: re.Pattern[str], title: str, line: str) -> str:
    """Return the text with a line at the end of a section's list; the section is made if there is none."""
    found = heading.search(text)
    if found is None:
        return f"{text.rstrip()}\n\n{title}\n\n{line}\n"
    body = re.split(r"^#", text[found.end() :], maxsplit=1, flags=re.MULTILINE)[0]
    end = found.end() + len(body.rstrip())
    gap = "\n\n" if not body.strip() else "\n"
    rest = text[end:].lstrip("\n")
    return f"{text[:end]}{gap}{line}\n" + (f"\n{rest}" if rest else "")


def _exchange(text: str, heading: re.Pattern[str], line: str, new: str) -> str:
    """Return the text with a whole line behind a heading replaced, its end too; one that only begins alike stays."""
    before, title, behind = re.split(f"({heading.pattern})", text, maxsplit=1, flags=re.MULTILINE)
    whole = re.compile(rf"^{re.escape(line)}(?:\n|\Z)", re.MULTILINE)
    return before + title + whole.sub(lambda _: new, behind, count=1)


def _line_of(text: str, heading: re.Pattern[str], words: str, *, finished: bool | None) -> str | None:
    wanted = one_line(words).lower()
    lines = [line for line in _section(text, heading) if re.match(r"\s*[-*] ", line)]
    open_lines = [line for line in lines if finished is None or bool(_FINISHED.match(line)) is finished]
    exact = [line for line in open_lines if _words(line).lower() == wanted]
    found = exact or [line for line in open_lines if wanted in line.lower()]
    if not wanted or len(found) > max(1, len(exact)):
        there = "; ".join(map(_words, found)) or "none"
        raise FieldRefused(field="unblock" if finished is None else "done", reason=f"{wanted!r} may be any of: {there}")
    return next(iter(found), None)


def _words(line: str) -> str:
    return one_line(re.sub(r"^\s*[-*] (?:\[[ xX]\] )?", "", line))
