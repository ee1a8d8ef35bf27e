"""What the user's words turn down besides what they choose: "instead of X", "switch from X to Y", 不再用 X."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tacit.govern import statement
from tacit.text.tokens import has_cjk

if TYPE_CHECKING:
    from tacit.govern.statement import Statement

# A few words of a clause, up to what is wanted instead.
_THING = r"(?P<thing>[^,.;:!?\n()]{1,60}?(?:\.\w[^,.;:!?\n()]{0,40}?)*)"
_NEXT = "to|with|by|and|we|i|in favou?r|for|any\\s?more|any\\slonger|now|because|since|as|so"
_END = rf"(?=\s(?:{_NEXT})\b|\.(?:\s|$)|[,;:!?\n()]|$)"
_LEAVE = "(?:dropp|ditch|scrapp|retir|abandon)(?:ed|ing)|drop|ditch|scrap|retire|abandon"
_EN = (
    rf"\b(?:instead\sof|rather\sthan|no\smore)\s{_THING}{_END}",
    rf"\b(?:stop(?:ped)?\s(?:using|doing)|get\srid\sof|forget(?:\sabout)?|{_LEAVE})\s{_THING}{_END}",
    rf"\bno\slonger\s(?:use|support|want|need|do|run|keep|write|deploy|ship|accept)?s?\s?{_THING}{_END}",
    rf"\b(?:switch|mov|migrat|chang|went|go)(?:e|es|ed|ing|s)?\s(?:\w+\s){{0,3}}?(?:away\s)?from\s{_THING}{_END}",
    rf"\breplac(?:e|es|ed|ing)\s{_THING}\s(?:with|by)\b",
    rf"(?:^|[,;:.]\s?)(?:the\s)?{_THING}\sis\s(?:dead|gone|out|history|obsolete|deprecated|retired|end\sof\slife|too\sold)\b",
)
_THING_ZH = r"(?P<thing>[^，。；：、！？,;:!?\n（）]{1,24}?)"
_END_ZH = r"(?=[了吧啦，。；：！？,;:!?\n]|$)"
_ZH = (
    rf"(?:不再|别再|不要再)(?:继续)?(?:使用|采用|支持|用|走|写|放|往)?{_THING_ZH}(?:里|放)?{_END_ZH}",
    rf"(?:不用|不使用|弃用|停用|废弃|下掉|去掉|放弃){_THING_ZH}{_END_ZH}",
    rf"(?:而不是|而非|不是){_THING_ZH}{_END_ZH}",
    rf"(?:从|由|把|将){_THING_ZH}(?:全部|都|统一|直接|先)?(?:换|改|切|迁移?|替换|升级?|调整?|提高|降低?)(?:用|成|为|到|掉|至)",
    rf"(?:取代|替代|代替|替换掉?){_THING_ZH}{_END_ZH}",
    rf"(?:^|[，。；,;\s]){_THING_ZH}(?:那套|那个)?(?:不要|不用|不支持|废弃|作废|下线|停用|退役)了",
)


@lru_cache  # asked for every neighbour
def turned_down(words: str) -> tuple[Statement, ...]:
    """Return what the user's words turn down, each as a statement of its own."""
    patterns = _compiled(*_EN, *_ZH) if has_cjk(words) else _compiled(*_EN)
    things = dict.fromkeys(found["thing"].strip() for pattern in patterns for found in pattern.finditer(words))
    read = (statement.read(thing) for thing in things if thing)
    return tuple(each for each in read if each.shares(each))


@lru_cache
def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(f"(?im){pattern}") for pattern in patterns)
