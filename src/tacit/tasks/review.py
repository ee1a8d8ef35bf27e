"""The end of a task: which entries are worth a note, in which layer and why, and the episode that keeps the whole."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.formats.episode import MAX_SUMMARY_CHARS, Episode
from tacit.note.model import Kind, Layer
from tacit.tasks.working import EntryKind
from tacit.text import clip, one_line, simplified
from tacit.text.tokens import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.tasks.working import Entry, Loaded, Task

_FEWEST_WORDS = 3
_LONGEST_POINT_CHARS = 800  # what needs more before its first blank line is a report: the episode keeps it


@dataclass(frozen=True, slots=True)
class Rule:
    """A named sign of something worth keeping, with the layer and kind that follow from it."""

    name: str
    sign: re.Pattern[str]
    layer: Layer
    kind: Kind


@dataclass(frozen=True, slots=True)
class Card:
    """An entry that is worth a note: which one, where it should go, and the rule that says so."""

    number: int
    text: str
    layer: Layer
    kind: Kind
    rule: str


@dataclass(frozen=True, slots=True)
class Left:
    """An entry that stays in the episode alone, and the rule that says so."""

    number: int
    rule: str


# The first that fits is taken: a rule that also tells how is a rule.
KEEPS = (
    Rule(
        "rule",
        re.compile(
            r"(?i)\b(?:must|never|always|do not|don't|only use|from now on|instead of|rather than|not allowed)\b"
            r"|必须|不要|不能|禁止|总是|一律|统一|以后|而不是|只能|务必"
        ),
        Layer.DECLARATIVE,
        Kind.PRINCIPLE,
    ),
    Rule(
        "cause",
        re.compile(
            r"(?i)\b(?:root cause|caused by|because|due to|the reason|turned out|fails? (?:when|if|unless)"
            r"|breaks? (?:when|if|unless)|workaround|fixed by)\b|根因|原因|因为|由于|导致|报错|解决办法"
        ),
        Layer.PROCEDURAL,
        Kind.TROUBLESHOOTING,
    ),
    Rule(
        "how_to",
        re.compile(
            r"(?i)\b(?:how to|in order to|steps? to|to \w+(?: \w+){0,6},? (?:first )?(?:run|use|call|set|open)"
            r"|first\b.{3,80}\bthen|run `)|步骤|流程|先.{1,40}再|运行 ?`"
        ),
        Layer.PROCEDURAL,
        Kind.PATTERN,
    ),
    Rule(
        "preference",
        re.compile(
            r"(?i)\b(?:prefers?|conventions?|we use|agreed|decided|decision|by default)\b|约定|习惯|偏好|决定|默认"
        ),
        Layer.DECLARATIVE,
        Kind.DECISION,
    ),
    Rule(
        "domain",
        re.compile(
            r"(?i)\b(?:means|is (?:defined|stored|kept|owned|generated)|depends on|lives in)\b"
            r"|是指|意思是|存放在|依赖|属于"
        ),
        Layer.DECLARATIVE,
        Kind.TECH,
    ),
)
# What belongs to this task alone, whatever else it says.
_STANDING = re.compile(r"(?i)\b(?:always|never|from now on|every time|in future)\b|以后|总是|一律|今后|每次|永远")
_PROGRESS = re.compile(
    r"(?i)^\W*(?:todo|next|done|wip|now|then|step \d+|still|started|finished|fixed|pushed|committed|running|looking at"
    r"|trying)\b|\b(?:this (?:branch|commit|pr|pull request|task|time)|for now|just once|today|tomorrow)\b"
    r"|^(?:接下来|下一步|已完成|完成了|正在|先看|待办)|第 ?[0-9一二三四五六七八九十]+ ?步|今天|明天|这次|暂时"
)
_END_OF_POINT = re.compile(r"\n[ \t]*\n|\n(?=```|~~~)")
_ASKS = re.compile(r"[?？]\s*$")


def point(text: str) -> str:
    """Return the point of an entry: what stands before its first blank line or code block, on one line."""
    return " ".join(_END_OF_POINT.split(text.strip(), maxsplit=1)[0].split())


def review(entries: Sequence[Entry], first: int = 0) -> tuple[list[Card], list[Left]]:
    """Return what came of the entries from number `first` on: cards, and entries that stay where they are."""
    cards: list[Card] = []
    left: list[Left] = []
    said: set[str] = set()
    for number, entry in enumerate(entries):
        words = " ".join(tokens(entry.text))
        outcome = _judged(number, entry, words)
        if isinstance(outcome, Card) and words in said:
            outcome = Left(number, "said_before")
        said.add(words)
        if number < first:
            continue
        if isinstance(outcome, Card):
            cards.append(outcome)
        else:
            left.append(outcome)
    return cards, left


def _judged(number: int, entry: Entry, words: str) -> Card | Left:
    text = simplified.read(entry.text)
    if len(words.split()) < _FEWEST_WORDS:
        return Left(number, "too_short")
    if len(point(text)) > _LONGEST_POINT_CHARS:
        return Left(number, "too_long")
    if _ASKS.search(text):
        return Left(number, "question")
    standing = _STANDING.search(text) is not None
    if not standing and entry.kind is EntryKind.INSTRUCTION:
        return Left(number, "for_this_task")
    if not standing and _PROGRESS.search(text):
        return Left(number, "progress")
    for rule in KEEPS:
        if rule.sign.search(text):
            return Card(number, entry.text, rule.layer, rule.kind, rule.name)
    if entry.kind is EntryKind.CONCLUSION:
        return Card(number, entry.text, Layer.DECLARATIVE, Kind.TECH, "conclusion")
    return Left(number, "no_sign")


# Where the notes of the project itself stand, and those of its team.
_OWN = ("L0_", "L1_", "L2_")
_TEAM = "share/"


def episode(task: Task, episode_id: str, finished: str) -> Episode:
    """Return the episode that a task ends as."""
    return Episode(
        id=episode_id,
        title=task.title,
        summary=summary(task),
        task=task.id,
        parent=task.parent,
        started=task.started,
        finished=finished,
        body=_body(task),
    )


def summary(task: Task) -> str:
    """Return what came of a task in one line: its last conclusion, else its last finding, else its title."""
    for kind in (EntryKind.CONCLUSION, EntryKind.FINDING):
        for entry in reversed(task.entries):
            if entry.kind is kind:
                return clip(one_line(entry.text), MAX_SUMMARY_CHARS)
    return task.title


def _body(task: Task) -> str:
    parts = ["## Summary", summary(task)]
    if task.entries:
        parts += ["## Entries", "\n".join(_item(f"{each.ts} {each.kind}", each.text) for each in task.entries)]
    if task.cards:
        parts += ["## Cards", "\n".join(f"- {each}" for each in task.cards)]
    if task.left_out:
        parts += ["## Left here", "\n".join(f"- {each}" for each in task.left_out)]
    loaded = [_loaded(each) for each in (*task.core, *task.notes) if each.file.startswith((*_OWN, _TEAM))]
    if loaded:
        parts += ["## Loaded", "\n".join(loaded)]
    return "\n\n".join(parts) + "\n"


def _loaded(each: Loaded) -> str:
    """Return where a note of the project or of its team is; the user's own and those further up stay unnamed."""
    place = f"mem://{each.file[:2]}/{each.id}" if each.file.startswith(_OWN) else each.file
    return f"- {place} sha256:{each.digest}"


def _item(head: str, text: str) -> str:
    """Return an entry as an item of a list; its lines are indented, so that no heading of its own counts."""
    return f"- {head}\n\n" + "\n".join(f"      {line}" if line else "" for line in text.split("\n")) + "\n"
