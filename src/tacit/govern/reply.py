"""Whether the user's next prompt answers the questions that were just shown in the chat, and how."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, KEEP_OLD, NEW_INSTEAD, SHOW_DIFF, TAKE_NEW
from tacit.text import simplified

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Option → the words that choose it. A word of the first group says yes by itself; "ok" and the like are also said
# before going on with something else, so they count only where nothing else follows.
_WORDS: Mapping[str, str] = {
    CONFIRM: r"y|yes|yep|yeah|confirm(?:ed)?|approve[d]?|accept|mb:write|write it|save it|remember it|do it|go ahead"
    r"|确认|同意|写入|写吧|写|记吧|记下来?|记住|保存|是的|是|要|对的?",
    CANCEL: r"n|no|no thanks|nope|none(?: of them)?|skip|skip it|cancel|decline|reject|mb:no|don'?t|do not|never mind"
    r"|不用了?|跳过|不要|不写|不记|别写|别记|取消|算了|否|不|不同意",
    TAKE_NEW: r"(?:take |use |keep )?(?:the )?new(?:er)?(?: one)?|新的|用新的?|以新的?为准",
    KEEP_OLD: r"(?:take |use |keep )?(?:the )?old(?:er)?(?: one)?|旧的|留旧的?|保留旧的?|以旧的?为准",
    BOTH: r"both|keep both|两个都留|都留|都要|都对|都保留",
    NEW_INSTEAD: r"as (?:a )?new(?: note)?|new note|写成新的|新建",
    SHOW_DIFF: r"(?:(?:let|show) (?:me )?(?:see )?)?(?:the )?diff(?:erence)?(?: first)?|(?:看看?|显示)(?:差异|区别)",
}
_PLAIN = (CONFIRM, CANCEL)
_WEAK_YES = re.compile(r"(?i)^(?:ok(?:ay)?|sure|fine|好的?|行|可以|嗯)$")
# What takes a yes back, or makes it one to something else: at the beginning of what follows it, and anywhere in it.
_BUT = re.compile(
    r"(?i)^(?:no\b|nope\b|not\b|wait\b|but\b|except\b|skip\b|cancel\b|hold\b|actually\b|however\b|instead\b|unless\b"
    r"|only if\b|if\b|don['’]?t\b|do not\b|never\b|let['’]?s not\b|on second thou\w+|without\b|with\b|after\b|once\b"
    r"|later\b|change\b|maybe\b|perhaps\b|probably\b|possibly\b|i (?:guess|suppose)\b|right\s*\?"
    r"|也不|吗|吧|也许|可能|大概|不|别|先|等|但|可是|除了|除非|算了|取消|改|换|如果|只是|以后|稍后)"
)
_KEEPS_NOTHING = re.compile(
    r"(?i)(?:don['’]?t|do not|never|not)\s(?:\w+\s)?(?:write|save|remember|record|store|keep|do)\b"
    r"|\b(?:ignore|forget|drop|discard|delete|remove) (?:it|this|that)\b"
    r"|(?:别|不要|先别|不用|先不)(?:写|记|保存|存)"
    r"|as (?:a )?(?:new|separate)\b|keep (?:both|the old)|写成新|都留"  # something else is to be written
)
_ALL = re.compile(r"(?i)\b(?:all|every(?:thing)?|both of them|to both)\b|全部?|所有|都")
# Latin letters alone belong to a number, as in "v2"; a number before 条 is how many, not which.
_NUMBER = re.compile(r"(?a:(?<![\w.])#?(\d{1,2})(?![\w.%]))(?!\s*[条个])|第\s*(\d{1,2}|[一二三四五六七八九十])")
_NUMERALS = "一二三四五六七八九十"
_RANGE = re.compile(r"\d\s*to\s*\d")
# What follows an answer to several questions and speaks of one of them.
_OF_ONE = re.compile(r"(?i)^(?:#?\d|第|最后|其余|其他|剩下|the (?:first|second|third|last|other|rest)\b)")
_END = re.compile(r"[\s,.;:!，。；：！、]+")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a prompt says to the questions shown: the option chosen for each, by number from 0, and what is left.

    `stays` tells that it is an answer, but not to which question, or the wish to see the change first.
    """

    chosen: Mapping[int, str]
    rest: str
    stays: bool = False


def read(prompt: str, questions: Sequence[Sequence[str]]) -> Reply:
    """Return how a prompt answers questions, each given by its option ids; no answer leaves all of them open.

    With several questions the prompt must say which ("all", "1 and 3"); a prompt about something else answers none.
    """
    text = simplified.read(prompt.strip())
    if not text or not questions:
        return Reply({}, prompt)
    head, rest = _divided(text)
    if _WEAK_YES.match(head) and _option(*_divided(rest)) is not None:
        head, rest = _divided(rest)  # "ok, write it": what follows says it in full
    option = _option(head, rest)
    after = _option(*_divided(rest)) if option in _PLAIN else None
    if option != CANCEL and (_BUT.match(rest) or (_KEEPS_NOTHING.search(rest) and after is None)):
        return Reply({}, prompt)
    if after is not None and after not in _PLAIN:
        option, (head, rest) = after, _divided(rest)  # "yes, as a new note"
    elif option is None:
        return Reply({}, prompt, stays=len(questions) > 1 and _is_only_places(text))  # "2": but yes or no?
    is_clear = option != SHOW_DIFF and after in (None, option)  # "no, do it" is not
    places = _places(head, rest, len(questions)) if is_clear else None
    if places is None:
        return Reply({}, prompt, stays=option == SHOW_DIFF or len(questions) > 1)
    chosen = {place: found for place in places if (found := _fitting(option, questions[place])) is not None}
    if after in _PLAIN:
        rest = _divided(rest)[1]  # "yes, write it" says one thing twice
    left = "" if _is_only_places(rest) else rest
    return Reply(chosen, left if chosen else prompt)


def _divided(text: str) -> tuple[str, str]:
    """Return the first words up to a pause, and what follows."""
    match = re.match(r"(?s)^([^,.;!，。；！\n]{1,40})[,.;!，。；！\n]*\s*(.*)$", text)
    return (match[1].strip(), match[2].strip()) if match else ("", text)


def _option(head: str, rest: str) -> str | None:
    if _WEAK_YES.match(head):
        return CONFIRM if not rest or _is_only_places(rest) else None
    bare = _NUMBER.sub(" ", _ALL.sub(" ", head)) if len(head) > 1 else head
    bare = re.sub(r"(?i)\b(?:to|and|for|please|for me|number|条|to the)\b|[和与及条个、]|帮我|请", " ", bare)
    bare = " ".join(_END.sub(" ", bare).split())
    for option, words in _WORDS.items():
        if any(re.fullmatch(rf"(?i)(?:{words})", each) for each in (head, bare) if each):
            return option
    return None


def _places(head: str, rest: str, count: int) -> list[int] | None:
    """Return which questions are meant; None if that is not said."""
    said = f"{head} {rest}" if _is_only_places(rest) else head
    if _RANGE.search(said) or (count > 1 and said == head and _OF_ONE.match(rest)):
        return None
    found = ["".join(each) for each in _NUMBER.findall(said)]
    numbers = [_NUMERALS.find(each) if each in _NUMERALS else int(each) - 1 for each in found]
    if _ALL.search(said) or said.casefold().startswith("none") or (count == 1 and not numbers):
        return list(range(count))
    return [number for number in numbers if 0 <= number < count] or None


def _is_only_places(text: str) -> bool:
    left = re.sub(r"(?i)\b(?:and|number|the)\b|[和与条个、,，#.。!！\s]", "", _NUMBER.sub("", _ALL.sub("", text)))
    return not left


def _fitting(option: str, offered: Sequence[str]) -> str | None:
    """Return the option of a question that is meant; a plain yes does not say which of two notes is right."""
    if option in offered:
        return option
    return {CANCEL: None, TAKE_NEW: CONFIRM if CONFIRM in offered else None}.get(option)
