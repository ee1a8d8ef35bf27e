"""From one remark of the user to a payload: what it is about, what was chosen, what was turned down."""

from __future__ import annotations

import re

from tacit.text.tokens import is_latin

# A colon divides only where a blank follows it, a wide one also without: addresses, times, ports, `::`, drives and
# `key:value` stay whole. A wide colon or a comma between digits belongs to the time or the number.
_COLON = r"(?::(?=\s)|(?<!\d)：|：(?!\d))"
_JOINT = rf"(?:{_COLON}|,(?!\d)|，)"
# Where a remark says when it holds: "when …, do X", "do X when …", "for the parser: X", "在……时，X".
_SCENE_FIRST = re.compile(
    rf"(?is)^\s*((?:when|whenever|while|if|before|after|during|in|on|for|at)\b(?:(?!{_JOINT}).){{3,120}}){_JOINT}\s*(.+)$"
)
_SCENE_LAST = re.compile(r"(?is)^\s*(.{3,}?)[,，]?\s+((?:when|whenever|while|before|after|during)\b.{3,120})$")
_SCENE_ZH = re.compile(r"(?s)^\s*(?:在|当)?(.{2,40}?(?:时候|时|前|后|中|里|下))[,，:：]\s*(.+)$")
# What it is about: words with a letter among them, and code whatever it holds.
_TOPIC = re.compile(rf"(?s)^\s*(?=\W*[^\W\d_])((?:`[^`]*`|[^,.:;，。：；`]){{1,60}}){_COLON}\s*(.+)$")
_INSTEAD = re.compile(r"(?i)\b(?:instead of|rather than)\s+(?P<en>[^,.;]+)|(?:而不是|而非)\s*(?P<zh>[^，。；]+)")

# An exception: "…, except in the tests", "… unless it is urgent", "除非……，否则……", "……，除了测试以外".
# A clause that tells about the exception belongs to it: "…, where print is fine".
_PLAIN = r"(?:[^,;.()]|\.(?=\S)|,(?=\d))"
_EXCEPT = re.compile(
    r"(?i)(?P<comma>,)?\s\(?(?P<word>except(?:ing)?(?: for| that)?|unless|other than) "
    rf"(?P<what>{_PLAIN}{{3,160}}(?:, (?:where|which|who|whose|because|since|as|there)\b{_PLAIN}{{0,160}})?)"
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


def payload(text: str, *, scene: str = "", choice: str = "", rejected: tuple[str, ...] = ()) -> dict[str, object]:
    """Return the payload of a remark; what the user named apart (`scene`, `choice`, `rejected`) is taken as named."""
    words = " ".join(text.split())
    bare, limit = _limited(words)
    found_scene, found_choice = _divided(bare)
    chosen = choice or found_choice or bare
    turned_down = list(rejected) or [found for found in _turned_down(bare) if found]
    members: dict[str, object] = {
        "scene": scene or found_scene or bare,
        "choice": chosen,
        "principles": [chosen, *(each for each in turned_down if each != chosen)],
        "source": "remember",
    }
    if words:
        members["origin"] = {"text": text.strip()}
    if limit:
        whole = f"{words[:1].upper()}{words[1:].rstrip('. 。')}{'.' if is_latin(words) else '。'}"
        members |= {"counter_signals": [limit], "one_liner": whole}
    return members


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
    for pattern, scene_first in ((_SCENE_FIRST, True), (_SCENE_ZH, True), (_SCENE_LAST, False), (_TOPIC, True)):
        if match := pattern.match(words):
            one, other = match[1].strip(), match[2].strip()
            return (one, other) if scene_first else (other, one)
    return "", ""


def _turned_down(words: str) -> list[str]:
    return [(match["en"] or match["zh"]).strip() for match in _INSTEAD.finditer(words)]
