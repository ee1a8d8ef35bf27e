"""What people say to each other about anything: a prompt of nothing else names nothing that a note could know."""

from __future__ import annotations

import re
from functools import cache

# Words that are technical anywhere (work, test, start, break, meeting …) count only in the phrases further down.
_WORDS = """
    a an the i me my mine myself you your yours yourself we us our they them their he she it its this that these
    those here there who what when where why how which and or but so then than as if because though of to in on at
    for from by with about up out off over back away down into am is are was were be been being do does did doing
    done have has had having can could will would shall should may might must not no yes don won isn didn doesn wasn
    m s ll ve re d t today tonight tomorrow yesterday later soon yet already now again still just only even ever
    never always sometimes moment moments minute minutes min sec second seconds while bit round day days night
    morning weekend lunch dinner coffee home bed brb afk hm hmm um uh ah aha oh ooh okay well too very really quite
    almost enough far much many lot lots more most less little mean meant mind think thinking thought know knew
    known understand understood see seen look looks looking sound sounds seem seems feel feels hope guess believe
    like liked love loved want wanted say says said saying tell tells told talk talking ask asked asking hear heard
    explain show summarize summarise summary repeat help helped helpful find found figure figured give gives gave
    take took taking come came coming go goes going went gonna let lets leave leaving stay saved new good bad better
    best quick quickly easy interesting funny weird strange clear clearer correct true mistake mistakes confused
    confusing one ones thing things stuff way plan idea question answer point part maybe perhaps probably actually
    honestly worry worries welcome ready wrong right nice great thanks thank
"""
_PHRASES = (
    r"\b(?:in|had|have|got|from) (?:a|an|another) (?:meeting|call)\b|\btake a (?:short )?break\b"
    r"|\b(?:nice|good|great) work\b|\bback to work\b|\bsave[ds]? my day\b"
)
_CJK = (
    r"我们|你们|咱们?|我|你|您|大家|今天|明天|今晚|昨天|晚点|待会儿?|等?一会儿?|稍等|稍后|马上|现在|刚才|先|到(?:这里?)?|这里|去?吃个?饭|下班|休息"
    r"|开个?会|回来|来|走|睡|周末|早|觉得|确定|知道|看?[明清]白|没?[看听][不没]?懂|没[看听]|讲|说|试|再|一[遍次下]|按|照|得|的|就|太|很|真|有点|快|慢|总结|解释"
    r"|做|什么|怎么样?|意思|想法?|可以|行|好|对|吧|吗|呢|啊|呀|啦|哈|嗯|哦|了|是|有|没|不|都|也|还|要|继续|这样|那样|这个?|那个?|辛苦|谢谢?|多"
)


def is_talk(text: str) -> bool:
    """Whether a text, in lower case, says nothing but what people say to each other about anything."""
    if not text.isascii():
        text = _compiled(_CJK).sub(" ", text)
    words = _compiled(r"[^\W_]+").findall(_compiled(_PHRASES).sub(" ", text))
    return all(word in _words() for word in words)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _words() -> frozenset[str]:
    return frozenset(_WORDS.split())
