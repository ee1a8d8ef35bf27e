"""From a prompt to what is looked for: a meaning for the models and keywords to match."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from tacit.text import simplified
from tacit.text.tokens import STOP_EN, has_cjk, search_tokens, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

LONG = 600  # characters; beyond, a prompt holds pasted material
MEANING = 400  # characters of meaning that are embedded
KEYWORDS = 24  # tokens of a long prompt that are matched
FEW = 3  # content words: a prompt that points elsewhere and has no more of them needs its context
SOME = 6  # the same for a prompt that starts like a reply
CONTEXT_TURNS = 2

# English and Chinese: a text without Chinese is spared what only that needs.
_SOCIAL = (
    r"""
    \b(?: hi | hey | hello | yo | good\s(?:morning|afternoon|evening|night|job|work) | bye | goodbye
      | thanks? (?:\sa\slot|\sso\smuch|\sagain)? | thank\syou (?:\s(?:so|very)\smuch)? | thx | ty | cheers
      | ok(?:ay)? | k | yes | yep | yeah | yup | no | nope | sure | right | fine | cool | nice | great | perfect
      | awesome | excellent | amazing | wow | lol | haha+ | hmm+ | got\sit | i\ssee | sounds\sgood | looks\sgood
      | lgtm | well\sdone | never\s?mind | please | welcome | sorry | no\sproblem | of\scourse | agreed | exactly
      | think\s(?:again|harder) | try\sharder | wrong | that\sworks | it\sworks | works | fixed | solved | all\sgood
      | what(?:'s|\sis)\syour\sname | what\smodel\sare\syou | stop | wait | cancel | done | ready )\b
""",
    r"""
    你好 | 您好 | 大家好 | 早上好 | 晚上好 | 早安 | 晚安 | 哈喽 | 再见 | 拜拜
  | 多谢 | 谢谢 (?:你|您|啦|了)? | 感谢 | 辛苦了? | 不客气 | 不用谢
  | 好的 | 好呀 | 好吧 | 好了 | 好 | 可以了? | 行了? | 对的? | 是的 | 嗯+ | 哦+ | 哈+
  | 没问题 | 没事 | 明白了? | 了解了? | 知道了 | 收到 | 懂了 | 太棒了? | 很好 | 不错 | 棒
  | 厉害 | 完美 | 真棒 | 牛 | 赞 | 你是谁 | 你能做什么 | 你叫什么 | 在吗 | 算了 | 停 | 等等 | 等一下
  | 抱歉 | 搞定了? | 不对 | 错了 | 再想想 | 想清楚 | 没用 | 成了 | 解决了 | 不好意思
""",
)
_CONTEXT = (
    r"""
    \b(?: continue | go\s(?:on|ahead) | carry\son | keep\sgoing | proceed | next(?=\W*$) | again
      | retry(?=\W*$) | try\s(?:it\s)?again
      | do\s(?:it|that|this|so) | that\sone | this\sone
      | the\s(?:same|other|first|second|last|previous)(?:\sone)? | same
      | it | that | this | these | those | them | above | before | undo
      | revert\sit | fix\sit | change\sit | redo | more
      | why(?=\W*$) | how(?=\W*$) | what\selse | and\sthen | like\sthat | instead )\b
""",
    r"""
    继续 | 接着 | 下一步 | 然后呢 | 还有呢 | 再来 | 再试 | 重试 | 重来 | 同样 | 一样 | 刚才 | 上面 | 前面 | 之前那
  | 改一下 | 改改 | 修一下 | 优化一下 | 处理一下 | 看一下 | 试一下 | 弄一下 | 做吧 | 开始吧
  | 这个 | 那个 | 这里 | 那里 | 这样 | 那样 | 它 | 为什么\s*[\uff1f?]?\s*$ | 换一个 | 也是
""",
)
_REPLY = (
    r"""
    ^\W*(?:
    and | also | now | then | so | but | or | yes | yep | yeah | no | nope | ok(?:ay)? | sure | right | fine | same
    | what\sabout | how\sabout | what\sif | only | just | instead | not\sthat | the\sother | both
  )\b
""",
    r"""
    ^\W*(?: 那 | 行 | 好 | 也 | 再 | 还 | 就 | 嗯 | 对(?=[，。,\s]|的) | 不(?=[，。,\s]|是|用) | 只 | 都
    | 然后 | 所以 | 但 )
  | 也(?:加|改|要|一样|这样) | 就这么 | 这么
""",
)
# What a prompt begins and ends with, in lower case, and does not mean: greetings, thanks, and marks around all of it.
_MARKS = r"\s,!，！~～*\"'“”‘’「」\u2600-\u27bf\ufe0f\U0001f000-\U0001faff"
_BEGINNING = rf"""(?x)
    (?: [{_MARKS};。：] | [.:>-](?=\s)
      | (?:hi|hey|hello)\s(?:there|all|team|everyone|claude|codex|gemini)\b
      | (?:hi|hey|hello|good\s(?:morning|afternoon|evening))(?=\s?[,!，！\n]|\.\s) | (?:hi|hey)(?=\s)
      | (?:please|pls)\b | (?:claude|codex|gemini)(?=,) | (?:thanks|thank\syou)(?=[,.!])
      | (?:(?:can|could|would)\syou\s(?:please\s)?)?tell\sme\b
      | (?:你|您|大家|早上|下午|晚上)好(?=[\s,，.。!！]) | 请问(?:一下)? | 麻烦(?:你|您)?
      | (?:请|麻烦)?(?:你|您)?帮(?:我|忙)(?:看一?[下看](?=[，,：:]))?
    )*
"""
_END = rf"""(?x)
    (?: [{_MARKS}]
      | (?:\b(?:thanks|thank\syou|thx|please|pls) (?:\s(?:so\smuch|very\smuch|a\slot|again|in\sadvance))*
        | 多谢|谢谢(?:你|您|啦|了)?|辛苦(?:了|啦)|(?<=[?？!！])[?？!！] | (?<=[\w)])[.。] )[.。]?
    )+$
"""
# What people say to each other about anything; words that are technical anywhere (work, meeting …) in phrases alone.
_TALK = STOP_EN.union(
    """
    myself yours yourself because though back away down m s d t today tonight tomorrow yesterday later soon yet
    already now still even ever never always sometimes moment moments minute minutes min sec second seconds while
    bit round day night morning weekend lunch dinner coffee bed brb afk hm hmm um uh ah aha oh ooh well quite almost
    enough far much many lot lots more most less little mean meant mind think thinking thought know knew known
    understand understood see seen look looks looking sound sounds seem seems feel feels hope guess believe like
    liked love loved want wanted say says said saying tell tells told talk talking ask asked asking hear heard
    explain show summarize summarise summary repeat help helped helpful find found figure figured give gives gave
    take took taking come came coming goes went gonna leave stay saved new good bad better best quick quickly easy
    interesting funny weird strange clear clearer correct true mistake mistakes confused confusing one ones stuff
    way plan idea question answer point part maybe perhaps probably actually honestly worry worries
    """.split()  # noqa: SIM905  words, not a hundred quotes
)
_TALK_PHRASES = (
    r"\b(?:in|had|have|got|from) (?:a|an|another) (?:meeting|call)\b|\btake a (?:short )?break\b"
    r"|\b(?:nice|good|great) work\b"
)
_TALK_CJK = (
    r"我们|你们|咱们?|我|你|您|大家|今天|明天|今晚|昨天|晚点|待会儿?|一会儿?|稍|等|后|马上|现在|先|到|去?吃个?饭|下班|休息|开个?会"
    r"|回来|来|走|睡|周末|早|觉得|确定|知道|看?[明清]白|没?[看听][不没]?懂|没[看听]|讲|说|试|再|一[遍次下]|按|(?<!快)照|得|的|就|太|很|真|有点|快|慢"
    r"|总结|解释|做|什么|怎么样?|意思|想法?|[吧吗呢啊呀啦嘛滴哒嘞咯哟]|了|是|有|没|不|都|还|要|多"
)
# These are needed for long prompts alone, so that Python compiles them when first used.
_ERROR = r"""(?x)
    (?i: \berror\b | exception | \bfail(?:ed|ure|s)?\b | panic | fatal | denied | refused | timed?\s?out
       | \bexit(?:ed|\scode) | killed | can(?:no|')t | unable | undefined | not\sfound | invalid | unexpected | assert )
  | \b[A-Z][A-Za-z]*(?:Error|Exception|Warning)\b | \b[A-Z]{1,5}-?\d{3,5}\b | 错误 | 失败 | 异常 | 报错 | 超时 | 拒绝
"""
_FRAME = r"""(?x)^\s*(?: at\s | Traceback\s | File\s" | \.\.\.\s | in\s<module> | \#\d+\s | [-=*~]{4,} | \d+\s+\| )"""
_SURE_FRAME = r"""(?xm)^[^\S\n]*(?: at\s(?:async\s)?\S+\s?\( | File\s" )"""
_NOISE = r"""(?x)
    \b\d{4}-\d\d-\d\d[T\s]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?Z? | \b\d\d:\d\d:\d\d(?:[.,]\d+)? | \b0x[0-9a-fA-F]+\b
  | \b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b | \b[0-9a-f]{16,}\b | \[\s*(?:INFO|DEBUG|TRACE)\s*\]
"""
_FENCE = r"(?s)```.*?(?:```|\Z)"
_SENTENCE = r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])\s*|\n+"


class Distilled(NamedTuple):
    """What is looked for; `skipped` says that the prompt is purely social or about the talk itself."""

    meaning: str
    keywords: tuple[str, ...]
    skipped: bool = False
    with_context: bool = False


def distil(prompt: str, turns: Sequence[str] = ()) -> Distilled:
    """Return what a prompt looks for; `turns` is what was said before by user and agent, oldest first."""
    prompt, turns = simplified.read(normalize("NFC", prompt).strip()), [*map(simplified.read, turns[-CONTEXT_TURNS:])]
    if len(prompt) > LONG or _is_trace(prompt):
        return _long(prompt)
    prompt = _plain(prompt)
    said = _said(prompt)
    content = _content(said)
    points = _has(_CONTEXT, prompt)
    earlier = [t.strip() for t in turns if _content(_said(t))]
    if earlier and _needs_context(prompt, _words(content), points=points):
        before = "\n".join(map(_shorten, earlier))
        return Distilled(f"{before}\n{prompt}", (*search_tokens(before), *search_tokens(said)), with_context=True)
    if _is_talk(said.lower()) or not _content(prompt):
        return Distilled("", (), skipped=True)
    return Distilled(prompt, tuple(search_tokens(prompt)))


def _is_trace(prompt: str) -> bool:
    """Whether a prompt holds a pasted trace: two frames of it at least."""
    return "\n" in prompt and len(re.findall(_SURE_FRAME, prompt)) > 1


def _plain(prompt: str) -> str:
    """The prompt without what is around it out of politeness; as it is if there is nothing else."""
    lower = _lower(prompt)
    begins = re.match(_BEGINNING, lower)
    ends = re.search(_END, lower)
    if prompt.isascii() and prompt.isupper() and " " in prompt:
        prompt = lower  # as loud as it is, it means the same
    return prompt[begins.end() if begins else 0 : ends.start() if ends else None] or prompt


def sought(text: str) -> Distilled:
    """Return what a text looks for that somebody looks for on purpose: nothing of it is mere talk."""
    text = simplified.read(normalize("NFC", text).strip())
    return _long(text) if len(text) > LONG else Distilled(text, tuple(search_tokens(text)))


def _needs_context(prompt: str, words: int, *, points: bool) -> bool:
    if words == 0:
        return points
    return (points and words <= FEW) or (_has(_REPLY, prompt) and words <= SOME)


def _words(content: Sequence[str]) -> int:
    """Content words: a CJK pair stands for about half a word."""
    pairs = sum(1 for t in content if has_cjk(t))
    return len(content) - pairs + (pairs + 1) // 2


def _content(said: str) -> list[str]:
    """The tokens that say something, of what remains without politeness and words that point elsewhere."""
    return [t for t in tokens(said) if len(t) > 1 or not has_cjk(t)]


def _said(prompt: str) -> str:
    """The prompt without politeness and words that point elsewhere."""
    return _without(_CONTEXT, _without(_SOCIAL, prompt))


def _is_talk(said: str) -> bool:
    """Whether a text, in lower case, names nothing that a note could know."""
    plain = said if said.isascii() else re.sub(_TALK_CJK, " ", said)
    words = re.finditer(r"[^\W_]+", re.sub(_TALK_PHRASES, " ", plain))
    # A number or a letter alone answers what the agent asked.
    return all(word[0] in _TALK or (len(word[0]) == 1 and word[0].isascii()) for word in words)


def _has(words: tuple[str, str], text: str) -> bool:
    return _pattern(words, text).search(_lower(text)) is not None


def _without(words: tuple[str, str], text: str) -> str:
    """The text with a blank for each of these words, whatever their case."""
    spans = [found.span() for found in _pattern(words, text).finditer(_lower(text))]
    starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)]
    return " ".join([text[start:end] for start, end in zip(starts, ends, strict=True)])


def _lower(text: str) -> str:
    """The text in lower case, each letter in its place: a few have none of the same length."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join([min(each.lower(), each, key=len) for each in text])


def _pattern(words: tuple[str, str], text: str) -> re.Pattern[str]:
    return _compiled(words[:1] if text.isascii() else words)


@cache
def _compiled(words: tuple[str, ...]) -> re.Pattern[str]:
    # For texts in lower case: this takes a quarter of the time that it takes to ignore case.
    return re.compile("|".join(words), re.VERBOSE)


def _shorten(text: str) -> str:
    return _long(text).meaning if len(text) > LONG else text


def _long(prompt: str) -> Distilled:
    """First and last sentences outside of pasted blocks, and the first lines that tell of an error."""
    prose = re.sub(_FENCE, "\n", prompt)
    lines = [line for line in prompt.splitlines() if line.strip() and not re.match(_FRAME, line)]
    errors = list(dict.fromkeys(_clean(line) for line in lines if re.search(_ERROR, line)))
    sentences = [s for s in map(_clean, re.split(_SENTENCE, prose)) if tokens(s) and not re.match(_FRAME, s)]
    ends = list(dict.fromkeys([*sentences[:2], *sentences[-2:]]))
    wanted = list(dict.fromkeys([*ends, *errors[:1], *errors[-2:]]))
    room = max(80, MEANING // max(1, len(wanted)))
    meaning = "\n".join(part[:room] for part in wanted)[:MEANING]
    weight = Counter(t for part in [*ends, *errors[:6]] for t in search_tokens(part[:300]))
    keywords = [t for t, _ in weight.most_common(KEYWORDS)]
    return Distilled(meaning, tuple(keywords))


def _clean(line: str) -> str:
    return re.sub(r"\s+", " ", re.sub(_NOISE, " ", line)).strip()
