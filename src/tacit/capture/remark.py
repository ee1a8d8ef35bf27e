"""From one remark of the user to a payload: what it is about, what was chosen, what was turned down.

A remark is divided where nothing else can be meant; in doubt it stays whole, and is its own situation.
"""

from __future__ import annotations

import re

from tacit.text import clip, simplified
from tacit.text.tokens import as_sentence

# A colon divides only where a blank follows it, a wide one also without: addresses, times, ports, `::`, drives and
# `key:value` stay whole. A wide colon or a comma between digits belongs to the time or the number.
_COLON = r"(?::(?=\s)|(?<!\d)：|：(?!\d))"
_JOINT = rf"(?:{_COLON}|,(?!\d)|，)"
# "Remember: …", "please note that …", 记住：… say nothing of the situation.
_LEAD_IN = re.compile(
    rf"(?i)^\s*(?:please\s+)?(?:(?:remember|note|keep in mind)(?:\s+that\b|{_COLON})"
    rf"|(?:rule|convention|reminder|important|fyi|attention|background|policy){_COLON})\s*"
    r"|^\s*(?:请|请你|麻烦)?(?:记住|记一下|记下|注意|约定|原则|规则|背景|提醒|备注|说明|要求|重要)"
    rf"(?:{_COLON}|，)\s*"
)
# Where a remark says when it holds: "when …, do X", "do X when …", "for the parser: X", "在……时，X".
_SCENE_FIRST = re.compile(
    rf"(?is)^\s*((?:(?:when|whenever|while|if|before|after|during)|(?P<place>in|on|for|at))\b(?:(?!{_JOINT}).){{3,120}})"
    rf"{_JOINT}\s*(.+)$"
)
_SCENE_LAST = re.compile(
    r"(?is)^\s*([^;；]{3,}?)[,，]?\s+((?:when|whenever|while(?=\s\w+ing\b)|before|after|during)\b(?:[^,;:，；：]|,(?=\d)|:(?=\S)){3,120})$"
)
_SCENE_ZH = re.compile(r"(?s)^\s*(?:在|当)?(.{2,40}?(?:时候|时|前|后|中|里|下))[,，:：]\s*(.+)$")
# What it is about: words with a letter among them, and code whatever it holds.
_TOPIC = re.compile(rf"(?s)^\s*(?=\W*[^\W\d_])((?:`[^`]*`|[^,.:;，。：；`]){{1,60}}){_COLON}\s*(.+)$")
_CODE = re.compile(r"`[^`]*`")
# What says something by itself is no situation: "In tests use factories, not mocks", 密钥存在 Vault 中，不要写进代码.
_SAYS = re.compile(
    r"(?i)\b(?:use|uses|is|are|was|were|be|must|should|shall|can|cannot|may|will|do|does|don't|never|always|we|you|i|they"
    r"|it|prefer|keep|has|have|had|review|run|put|set|make|wait)\b|\bat (?:least|most)\b"
)
_SAYS_ZH = re.compile(
    r"不要|不能|不得|不准|禁止|必须|应该|应当|需要|只能|最多|至少|统一|一律|别[^名人]|[存放写记位部署]在|我|你|他|喜欢|希望|可以"
)
# Words that end as a situation does and name none, and situations that say nothing.
_NO_TIME_ZH = re.compile(
    r"(?:[超小实同及临暂按定准当工耗延计平有随即限]时|其中|集中|背后|落后|[这那哪]里|[以如]下)$"
    r"|^(?:(?:默认|一般|通常|正常)情况下|[以之最然今往]后|[目当以提之]前)$"
)
# It goes on with what was said before: the comma divides nothing.
_GOES_ON_FIRST = re.compile(
    r"(?i)(?:not|elsewhere|otherwise|now|then|one of|or|and|but|else|instead|so)\b|否则|不然|而|但|也|还|超过|就"
)
# The tail of a sentence that ends in one of these is no situation: "not after …", "two weeks after …", "after they …".
_NO_HEAD = re.compile(
    r"(?i)\b(?:not|even|only|right|just|soon|shortly|immediately|directly|long|and|or|but|until"
    r"|(?:second|minute|hour|day|week|month|year)s?)$"
)
_NO_TAIL = re.compile(
    r"(?i)^\w+\s+(?:\d|(?:that|this|which)$)|\b(?:they|it|them|he|she|its|their|these|those|never|not|but)\b"
)
# What was turned down ends where the reason or the situation begins; what begins a remark ends at its comma.
_INSTEAD = re.compile(
    r"(?i)\b(?:instead of|rather than)\s+(?P<en>(?:[.,](?=\S)|[^,.;]"
    r"(?!(?<=\s)(?:because|since|as|when|whenever|while|if|for|but|so|unless|where)\b))+)"
    r"|(?:而不是|而非)\s*(?P<zh>(?:(?!\s?来[^\s自源]|因为|以便)[^，。；])+)"
)

# An exception: "…, except in the tests", "… unless it is urgent", "除非……，否则……", "……，除了测试以外".
# A clause that tells about the exception belongs to it: "…, where print is fine".
_PLAIN = r"(?:[^,;.()]|\.(?=\S)|,(?=\d))"
_EXCEPT = re.compile(
    r"(?i)(?P<comma>,)?\s\(?(?P<word>except(?:ing)?(?: for| that)?|unless|other than) "
    rf"(?P<what>{_PLAIN}{{3,160}}(?:, (?:where|which|who|whose|because|since|as|there|then|in which case|otherwise)\b"
    rf"{_PLAIN}{{0,160}})?)"
    r"(?P<end>[,)]|(?=[.;(]|$))"
)
_EXCEPT_FIRST = re.compile(
    r"(?i)^(?:except(?:ing)?(?: for)?|unless|other than) (?P<what>[^,;.]{3,160}),\s(?P<rest>.+)$"
)
_EXCEPT_ZH = re.compile(
    r"(?:^|[，,；;。]\s?|\s)(?:除非[是在]?|除了在?|除(?=[^，,]{2,60}外[，,]))\s?"
    r"(?P<what>(?!此)[^，。；,;]{2,60}?(?:[，,]\s?[那这此因][^，。；,;]{1,60})?)"
    r"\s?(?:之外|以外|外)?(?:[，,]\s?(?:否则)?|(?=[。；;])|$)"
)
# What stands in the middle of a sentence, or names all that is allowed ("nothing except X"), is not cut out of it.
_GOES_ON = re.compile(r"(?i)\b(?:must|needs?|should|is|are|may|can|has|have|will|shall|gets?|requires?|goes|uses?)\b")
_ALL_THERE_IS = re.compile(r"(?i)\b(?:any\w*|no|nothing|none|nobody)(?:\s\S+){0,2}$")
# Then it is the keyword of a language.
_KEYWORD = re.compile(r"(?i)\b(?:a|an|the|bare|broad|empty|raw|try)$")
_WHEN = re.compile(r"(?i)(?:when|if|where|while|as|that|in|on|at|during|inside|within|under|before|after|with)\b")
_STOPS = ("", ".", ";", "。", "；")
_BESIDES_ZH = re.compile("还|也|才")
# Lists, code and what is set in keep their lines: the first line is what is chosen, all of it stands in the note.
_STRUCTURE = re.compile(r"(?m)^(?:\s*(?:```|~~~|[-*+]\s|\d+[.)、])|\s{2,}\S)")
_MARKS = re.compile(r"^(?:[\s`~*+-]|\d+[.)、])+")
_FENCED = re.compile(r"(?ms)^\s*(```|~~~).*?^\s*\1")
_NO_SECTION = re.compile(r"(?m)^\s*(?:#{1,3}\s|```|~~~)")
_LONG_CHARS = 500
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
# A sentence to inject is short: one or two sentences.
_SENTENCES, _SENTENCE_CHARS = 2, 240


def payload(text: str, *, scene: str = "", choice: str = "", rejected: tuple[str, ...] = ()) -> dict[str, object]:
    """Return the payload of a remark; what the user named apart (`scene`, `choice`, `rejected`) is taken as named."""
    there, back = simplified.both_ways("\n".join((text, scene, choice, *rejected)))
    members: dict[str, object] = _payload(*simplified.turned((text, scene, choice, rejected), there))
    return members if not back else {name: simplified.turned(each, back) for name, each in members.items()}


def _payload(text: str, scene: str, choice: str, rejected: list[str]) -> dict[str, object]:
    said = text.strip()
    is_long = len(said) > _LONG_CHARS or ("\n" in said and _STRUCTURE.search(said) is not None)
    words = _LEAD_IN.sub("", " ".join((_head(said) if is_long else said).split())) or " ".join(said.split())
    bare, limit = _limited(words)
    found_scene, found_choice = _divided(bare)
    chosen = choice or found_choice or bare
    turned_down = rejected or _turned_down(bare)
    members: dict[str, object] = {
        "scene": scene or found_scene or bare,
        "choice": chosen,
        "principles": [chosen, *(each for each in turned_down if each != chosen)],
        "source": "remember",
    }
    if said:
        members["origin"] = {"text": said}
    if is_long and not _NO_SECTION.search(_FENCED.sub("", said)):
        members["fact"] = said
    if limit:
        members["counter_signals"] = [limit]
    if limit or (bare != chosen and not (scene or choice or is_long) and _is_short(words)):
        members["one_liner"] = as_sentence(words)
    return members


def _head(said: str) -> str:
    """Return what stands first in a long remark: its first line, or the first sentence of that."""
    line = next((found for each in said.splitlines() if (found := _MARKS.sub("", each).strip(" `"))), said)
    first = line if len(line) <= _LONG_CHARS else _SENTENCE.split(line)[0]
    return clip(first, _LONG_CHARS).rstrip(":：")


def _is_short(words: str) -> bool:
    return len(words) <= _SENTENCE_CHARS and len([each for each in _SENTENCE.split(words) if each]) <= _SENTENCES


def _limited(words: str) -> tuple[str, str]:
    """Return a remark without the exception that it names, and the exception."""
    if match := _EXCEPT_FIRST.match(words):
        return match["rest"], match["what"].strip()
    match = _EXCEPT_ZH.search(words)
    if match and not _BESIDES_ZH.search(words):
        head, tail = words[: match.start()], words[match.end() :]
        return f"{head}{'，' if head and tail[:1] not in _STOPS else ''}{tail}", match["what"]
    match = _EXCEPT.search(words)
    if match and (match["comma"] or _ends(words, match)):
        head, tail = words[: match.start()], words[match.end() :].strip()
        joint = ", " if match["end"] == "," and not match["comma"] else " "
        return f"{head}{joint if tail[:1] not in _STOPS else ''}{tail}", match["what"].strip()
    return words, ""


def _ends(words: str, match: re.Match[str]) -> bool:
    """Whether an exception without a comma before it goes to the end of its sentence."""
    before, what = words[: match.start()], match["what"]
    if match["word"].lower() == "unless":
        return True
    if _KEYWORD.search(before):
        return False
    return _WHEN.match(what) is not None or not (_ALL_THERE_IS.search(before) or _GOES_ON.search(what))


def _divided(words: str) -> tuple[str, str]:
    """Return the situation and the choice; nothing if a remark may be meant otherwise."""
    if match := _SCENE_FIRST.match(words):
        says_itself = match["place"] and _SAYS.search(match[1])
        return ("", "") if says_itself or _GOES_ON_FIRST.match(match[3]) else (match[1].strip(), match[3].strip())
    if match := _SCENE_ZH.match(words):
        scene = match[1].strip()
        is_none = _SAYS_ZH.search(scene) or _NO_TIME_ZH.search(scene) or _GOES_ON_FIRST.match(match[2])
        return ("", "") if is_none else (scene, match[2].strip())
    if match := _SCENE_LAST.match(words):
        head, tail = match[1].strip(), match[2].strip()
        return ("", "") if _NO_HEAD.search(head) or _NO_TAIL.search(tail) else (tail, head)
    if match := _TOPIC.match(words):
        topic = _CODE.sub("", match[1])
        says_itself = _SAYS.search(topic) or _SAYS_ZH.search(topic)
        return ("", "") if says_itself else (match[1].strip(), match[2].strip())
    return "", ""


def _turned_down(words: str) -> list[str]:
    """Return what stands behind "instead of"; "Instead of X do Y" without a comma does not tell where X ends."""
    found = _INSTEAD.finditer(words)
    return [(each["en"] or each["zh"]).strip() for each in found if each.start() or words[each.end() :][:1] == ","]
