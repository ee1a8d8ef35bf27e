"""One note, read for comparison: what its scene, its choice and its turned-down alternatives say."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from tacit.govern import statement
from tacit.text import simplified
from tacit.text.tokens import has_cjk

if TYPE_CHECKING:
    from tacit.govern.statement import Statement
    from tacit.note.model import Note


@dataclass(frozen=True, slots=True)
class Side:
    """One note, read for comparison."""

    scene_text: str
    choice_text: str
    scene: Statement
    choice: Statement
    topic: Statement
    whole: Statement
    alternatives: tuple[Statement, ...]
    beside: Statement  # what stands in its further sections
    remark: str = ""  # what it says, where that is one sentence without a situation of its own


# The evidence of a finding. If the finding named no situation of its own, its task lent it its title.
_OF_TASK = re.compile(r"(?m)^Task T-\S+ “(.+)”, \d{4}-")


def of_task(task_id: str) -> str:
    """Return how the evidence of every finding of a task begins."""
    return f"Task {task_id} “"


def task_evidence(task_id: str, title: str, ts: str) -> str:
    """Return the evidence of a finding: which task it came of, by which a title that was lent is known later."""
    return f"{of_task(task_id)}{title}”, {ts}"


def texts(note: Note) -> tuple[str, str]:
    """Return what a note is compared by: its scene and its choice."""
    lent = _lent(note)
    scene = simplified.read("; ".join(line for line in note.when_to_load if line not in lent))
    choice = _said(note)
    return _parted(choice) if scene == choice else (scene, choice)


def _said(note: Note) -> str:
    return simplified.read(note.decision.partition("\n")[0].strip() or note.one_liner)


def _lent(note: Note) -> tuple[str, ...]:
    """Return the titles of tasks that stand for a situation: all findings of a task have its title in common."""
    titles = _OF_TASK.findall(note.evidence)
    return tuple(line for line in note.when_to_load if line in titles)


# What a remark without a scene chooses begins with a verb, after words that only say how firmly.
# "Commit messages are …" only looks like an order.
_FIRMLY = (
    r"(?!\w+\s(?:\w+\s)?(?:is|are|was|has|have|must|should|may|can)\b)"
    r"(?:(?:please|always|never|only|just|we|you|must|should|do|not|don['\u2019]t|no longer)\s+)*"
)
_DO = (
    r"(?:use|prefer|avoid|choose|pick|adopt|run|write|keep|put|store|set|retry|squash|merge|rebase|deploy|release|build"
    r"|test|log|name|call|return|throw|raise|cache|format|indent|import|install|add|send|commit|push|review|document)"
)
_ORDER = re.compile(rf"(?i){_FIRMLY}{_DO}\b")
# Where something is put, in what form and when is what an order chooses, "Keep secrets in Vault", "Deploy on Tuesdays";
# what follows that is the situation: "for 30 days in production".
_PUT = r"(?:write|keep|put|store|save|set|name|return|cache|format|indent|send|document|back\sup)"
_ORDER_VALUE = re.compile(
    rf"(?i){_FIRMLY}(?P<head>{_PUT}\b[^,;.]*?)\s(?:in|on|at|to|as|by|via|under|for(?=\s\d))\s[^,;.]*?"
    r"(?P<tail>(?:\s(?:for|in|on|when|during|as)\s[^,;.]+)?)"
)
_ORDER_DAY = re.compile(
    rf"(?i){_FIRMLY}(?P<head>{_DO}\b[^,;.]*?)\s(?:only\s)?on\s(?:\w+days?\b|the\s\d)[^,;.]*(?P<tail>)"
)
_CLAUSE = re.compile("[^,;.]*")
_DAY_ZH = re.compile(
    r"(?:每?(?:周|星期)[一二三四五六日天]|每月\s?\S{1,4}?\s?[号日初底]|每[天日月年])"
    r"(?:一律|都|必须|可以|只能?|[要许准]|不[要能得应准许可]?|别|[禁严]禁?止?)*(?P<scene>\S.+)"
)
_ORDER_WHERE = re.compile(
    rf"(?i)(?P<choice>{_FIRMLY}{_DO}\b[^,;.]*?)\s(?:for|in|on|when|during|as)\s(?P<scene>[^,;.]+)(?P<rest>.*)"
)
_ORDER_WHERE_ZH = re.compile(
    r"(?P<order>(?:不要|不能|不得|禁止|别|请|必须|只能|可以)?)在 ?(?P<scene>(?:[^\s,，。用写放调]| (?=\w)){1,12})"
    r"(?P<choice>(?:使用|用|写|放|调用?).*)"
)
_ORDER_ZH = re.compile("用(?![户例量途法])|使用|不要|禁止|别(?!名)")
# A sentence: what it is about, then its verb.
_SENTENCE = re.compile(
    r"(?i)(?P<scene>(?!(?:we|you|i|they|it|this|that|there|please|always|never|only)\b)[^,;.]{2,60}?)\s"
    r"(?P<choice>(?:(?:always|never|only|also)\s)?(?:is|are|must|should|shall|may|can|cannot|can't|has|have|uses?|runs?"
    r"|returns?|lives?|goes|go|stays?|expires?|gets?|needs?|follows?|takes?|starts?|ends?|keeps?|listens?)\b.*)"
)
_SENTENCE_ZH = re.compile(
    r"(?P<scene>(?:[^\s,;.，。；、用]|用(?=[户例量途法])|(?<=[调应引作利])用| (?=\w)){2,12}?)\s?"
    r"(?P<choice>(?:一律|统一|必须|只能?|应该?|要|请|都|默认|最多|至少|不[要能得应准许可]?|别|[禁严]禁?止?|可以|允许)*"
    r"(?:使用|采用|(?<![调应引作利])用(?!户)|走|(?<![开释])放在?|(?<![大小读])写|设为|设成|改为|改成"
    # Within a word it is no verb: 缓存, 路由, 开发, 网关.
    r"|(?<![还但可不总都])是(?!否)|(?<![作因行认])为|保留|(?<![缓内库保储])存(?!储|[量在])|跟随|(?<![理路自])由|(?<!回)归"
    r"|(?<![开并触分转研])发(?![布版]前)|(?<![打公展])开(?![发始关放])|(?<![相有网开])关(?![键于系联])|(?<!第)(?<!第\s)\d).*)"
)


def _parted(text: str) -> tuple[str, str]:
    """Return what a remark of one sentence is about and what it says of it.

    Nothing may be said of it, "use pnpm"; where that cannot be told, a remark is about all that it says.
    """
    # One clause alone: then neither pattern has to go back.
    if _CLAUSE.fullmatch(text) and (found := _ORDER_DAY.fullmatch(text) or _ORDER_VALUE.fullmatch(text)):
        return f"{found['head']}{found['tail']}", text
    if found := _DAY_ZH.fullmatch(text):
        return found["scene"], text
    if found := _ORDER_WHERE.fullmatch(text):
        return found["scene"], found["choice"] + found["rest"]
    if found := _ORDER_WHERE_ZH.fullmatch(text):
        return found["scene"], found["order"] + found["choice"]
    if _ORDER.match(text) or _ORDER_ZH.match(text):
        return "", text
    found = (_SENTENCE_ZH if has_cjk(text) else _SENTENCE).fullmatch(text)
    if found and not _forbids(found["scene"]):
        return found["scene"], found["choice"]
    return text, text


def _forbids(scene: str) -> bool:
    """Whether a no would be lost in what is only read as a situation."""
    read = statement.read(scene)
    return read.negative or read.bare_no


def side(note: Note) -> Side:
    """Return a note read for comparison."""
    said = (*_headings(note), note.decision, note.signals, note.counter_signals, note.fact)
    lines = tuple(line.lstrip("-* ") for line in note.alternatives.splitlines() if line.strip())
    scene, choice = texts(note)
    # The evidence is left out: who changes a rule quotes the old one.
    parts = dict.fromkeys((*said, note.principle, " ".join(note.tags)))
    rest = tuple(part for part in map(simplified.read, parts) if part not in ("", scene, choice))
    beside = f"{note.signals}\n{note.counter_signals}\n{note.fact}\n{note.principle}\n{note.pointers}"
    found = _side(scene, choice, rest, (*lines, beside))
    remark = _said(note)
    return replace(found, remark=remark) if tuple(map(simplified.read, note.when_to_load)) == (remark,) else found


def _headings(note: Note) -> list[str]:
    """Return the title and the one-liner of a note, but not where they say again what its task lent it."""
    lent = [title.casefold() for title in _lent(note)]
    return [text for text in (note.title, note.one_liner) if not any(title in text.casefold() for title in lent)]


@lru_cache(maxsize=1024)
def _side(scene_text: str, choice_text: str, rest: tuple[str, ...], lines: tuple[str, ...]) -> Side:
    scene, choice, *others = statement.read_all((scene_text, choice_text, *rest, *lines))
    topic = statement.joined(scene, choice)
    whole = statement.joined(topic, *others[: len(rest)])
    return Side(scene_text, choice_text, scene, choice, topic, whole, tuple(others[len(rest) : -1]), others[-1])
