"""Text that speaks to an agent instead of informing it; this finds the clumsy, not the careful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.guards.anchors import Rule, Rulebook, small_letters
from tacit.guards.finding import Spot, Tier
from tacit.text import simplified

if TYPE_CHECKING:
    from collections.abc import Iterator

_EARLIER = "(?:previous|prior|above|earlier|preceding|foregoing|your)"
_GIVEN = "(?:former|past|initial|original|system|developer|given)"
# What only an agent is given, and what rules and jobs are called too.
_INSTRUCTIONS = "(?:instruction|directive|guideline|prompt|programming|training)"
_ORDERS = "(?:direction|order|command|rule|task|assignment|polic|restriction|information|conversation)"
_FILLING = "(?:about|all|any|every|each|everything|of|the|these|those|my|what|that|which|in|and|or|safety|content)"
_NOT = "(?:do not|don[’']?t|never|must not|without|avoid|should not|shouldn[’']?t|refrain from)"
# Whom the agent works for; users as such are those of the product.
_PERSON = r"(?:the )?(?:user|human|developer|owner)\b"
# What is kept from them is what the agent does, not what the product knows.
_THE_ACT = (
    r"(?= ?(?:$|[^\w\s]|about (?:this|it|that|these|any)\b|any|this\b|it\b|(?:what )?you\b"
    r"|that [^.\n]{0,40}\b(?:you|are|was|were|been)\b))"
)
_THE_ACT_ZH = "(?=$|[^\\w]|这|此|你|我|任何|本次)"
_THIS = "(?:this|these|it|that|them|any of this|the(?:se)? instructions?|your instructions?)"
_FETCH = r"\b(?:curl|wget|iwr|invoke-webrequest)\b"
_INTO_SHELL = r"\|\s{0,3}(?:sudo )?(?:ba|z|da|k)?(?:sh|python3?|node|perl|iex)\b"
_ALWAYS = (
    r"(?:\b(?:always|every time|each time|whenever|must|silently|secretly|first run"
    r"|before (?:each|every|any|you|answering|running|doing))\b|每次|总是|必须|务必|始终|每当|总要|都要|先执行|先运行)"
)
_TREASURE = (
    r"(?:environment variables?|env vars?|\.env\b|ssh keys?|private keys?|credentials|secrets|api keys?|passwords"
    "|conversation(?: history)?|chat history|user data|source code)"
)
_ADDRESS = r"(?:https?://|\S{1,40}@\S{1,40}\.\w)"

RULES = (
    # ── Overruling what was said before ──
    Rule(
        "override",
        ("ignor", "disregard", "forget", "overrid", "overwrite", "bypass", "no attention", "drop all", "leave all"),
        r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|overwrite|bypass|drop|leave"
        rf"|pay no attention to)\b(?:[ ,]+{_FILLING}){{0,5}}[ ,]+"
        rf"(?:(?:{_EARLIER}|{_GIVEN})[ ,]+(?:[\w\-]+[ ,]+){{0,2}}{_INSTRUCTIONS}"
        r"|instructions\b|(?:prompt|directives|guidelines)\b[^.\n]{0,20}\b(?:above|before|you)\b"
        r"|(?:said|written|told|mentioned|you (?:were|have been) told) (?:above|before|earlier|so far))",
    ),
    Rule(
        "override",
        ("ignor", "disregard", "forget", "leave all", "not follow", "t follow", "not obey", "listen to"),
        r"\b(?:ignore|disregard|forget|leave|(?:do not|don[’']?t|stop) (?:follow|obey|listen)(?:ing)?(?: to)?)\b"
        rf"(?:[ ,]+{_FILLING}){{0,5}}[ ,]+{_EARLIER}[ ,]+(?:[\w\-]+[ ,]+){{0,2}}(?:{_ORDERS}|{_INSTRUCTIONS})",
    ),
    Rule(
        "override",
        ("forget", "disregard"),
        r"\b(?:forget|disregard)(?: about)? (?:all|everything)"
        r"(?:,? (?:that|you|above|before|prior|previous|what|and|write|tell|say)\b|[.!:]? now\b)",
    ),
    Rule(
        "override",
        ("ignorier", "vergiss", "vergessen", "vernachlässig"),
        r"\b(?:ignorier\w{0,4}|vergiss|vergessen sie|vernachlässige\w?)\b[^.\n]{0,40}"
        r"\b(?:vorherig|vorangehend|bisherig|obig|vorangegangen|anweisung|befehl|instruktion|alles)\w{0,4}",
    ),
    Rule(
        "override",
        ("忽略", "无视", "忽视", "忘记", "忘掉", "不要理会", "不要遵守", "不要遵循", "抛开", "覆盖"),
        r"(?:忽略|[无忽]视|忘记|忘掉|不要理会|不要遵守|不要遵循|抛开|覆盖)[^。\n]{0,6}"
        "(?:以上|之前|上面|上述|先前|前面|此前|以前|所有|一切|全部|任何|你的|系统|原有|既有)"
        r"[^。\n]{0,8}(?:指令|指示|提示|规则|命令|设定|约束|限制|要求|对话)",
    ),
    Rule(
        "override",
        ("指示", "命令"),
        r"(?:以前|これまで|上记)の?[^。\n]{0,6}(?:指示|命令|ルール)[^。\n]{0,4}(?:无视|忘れ)",
    ),
    # ── Posing as another voice ──
    Rule(
        "role-tag",
        ("<",),
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>"
        r"|<</?sys>>|</?(?:system|assistant|system-reminder|system_prompt|user_query|tool_calls?|tool_results?"
        r"|function_calls?|function_results?)>|</?\w{1,12}:(?:function_calls|tool_calls?)>|<(?:\w{1,12}:)?invoke name=",
        ("|>", "sys>>", "system", "assistant>", "query>", "call", "result", "invoke"),
    ),
    Rule("role-tag", ("[inst]", "[/inst]"), r"(?<![\w(\[])\[/?inst\](?![\w)\]])"),
    Rule(
        "role-tag",
        ("system prompt", "system message", "system instruction", "[system", "# system", "# instruction"),
        r"^[\W_]{0,4}(?:begin|new) system (?:prompt|message|instructions?)|^\[system(?: message| prompt)?\]"
        r"|^### (?:system|instruction) ?:",
    ),
    Rule(
        "new-role",
        (
            "you are n",
            "from now on",
            " as dan",
            "unrestricted",
            "unfiltered",
            "uncensored",
            "jailb",
            "amoral",
            "pretend",
            "mode enabled",
            "mode activated",
            "mode is on",
            "do anything now",
            "longer bound",
        ),
        r"\byou are now (?:a |an |the |in )?"
        r"(?:dan\b|developer mode|unrestricted|jailbroken|free (?:from|of)|no longer|evil|root|admin mode|going to)"
        r"|\bfrom now on,? (?:you (?:are|will|must|shall|should|act|respond|answer|can|only|have)"
        r"|your (?:name|role|task|job)|(?:answer|respond|act) (?:as|with|in|only))\b"
        r"|\b(?:act|behave|respond|answer) as "
        r"(?:dan\b|an? (?:unrestricted|unfiltered|uncensored|jailbroken|evil|amoral))"
        r"|\bpretend (?:that )?(?:you (?:are|have|can)|to (?:be|have)) "
        r"(?:not bound|no (?:rules|restrictions|limits|guidelines)|unrestricted|forgotten|dan\b)"
        r"|\b(?:developer|dan|god|jailbreak) mode (?:enabled|activated|is on)|\bdo anything now\b"
        r"|\bno longer bound by\b|\byou are (?:not|no longer) (?:bound|restricted|limited) by",
    ),
    Rule(
        "new-role",
        ("从现在", "你现在是", "模式", "不受", "不再受"),
        "从现在(?:开始|起)[，, ]?(?:请)?你(?:就)?(?:是|将|必须|要|只|应|不再)"
        "|你现在是(?:一个|一名)?(?:不受|没有|dan|无限制|越狱|邪恶)|(?:进入|启用|开启)(?:开发者|越狱|上帝)模式"
        r"|你(?:不再|不)受(?:任何)?[^。\n]{0,6}(?:限制|约束)",
    ),
    # ── Hiding from the user ──
    Rule(
        "hide-from-user",
        (" user", " human", " developer", " owner", "anyone"),
        rf"\b{_NOT} tell(?:ing)?(?: [\w’']+){{0,3}} {_PERSON}{_THE_ACT}"
        rf"|\b{_NOT} (?:inform|alert|notify|warn)(?:ing)? {_PERSON} (?:about|of|that) "
        "(?:this|these|it|your|the (?:instruction|change|command|action))"
        rf"|\b{_NOT} (?:mention|reveal|disclose|report|show|explain)(?:ing)? {_THIS}(?: [\w’']+){{0,4}} to "
        rf"(?:{_PERSON}|anyone\b)"
        rf"|\b{_NOT} let(?:ting)? {_PERSON} (?:know|see|notice|find out){_THE_ACT}"
        rf"|\b(?:keep|hide|conceal) (?:{_THIS}|your \w+)(?: \w+){{0,2}} (?:secret |hidden )?from {_PERSON}"
        r"|\bwithout (?:the )?(?:user|human|developer)[’']?s?[’']? (?:knowing|knowledge|noticing|awareness)",
        ("not ", "never ", "without ", "n't ", "n’t ", "dont ", "avoid ", "refrain ", "keep ", "hide ", "conceal "),
    ),
    Rule(
        "hide-from-user",
        ("用户", "使用者", "开发者"),
        "(?:不要|别|勿|切勿|不得|不能|不可|请勿|禁止|绝不|千万别)(?:(?:把|将)?[^。，\\n]{0,4}[这此它你我][^。，\\n]{0,6})?"
        f"(?:告诉|告知|透露给|泄露给|报告给)(?:任何)?(?:用户|使用者|开发者){_THE_ACT_ZH}"
        f"|(?:不要|别|切勿|不得|不能)让(?:用户|使用者|开发者)(?:知道{_THE_ACT_ZH}|发现|察觉)"
        "|(?:瞒着|背着)(?:用户|使用者|开发者)|对(?:用户|使用者|开发者)(?:隐瞒|保密)|(?:用户|使用者)不知情",
    ),
    Rule("hide-from-user", ("ユーザー",), "ユーザーに(?:は)?(?:教え|伝え|知らせ|言わ)(?:ない|ず)"),
    # ── Running and sending ──
    Rule(
        "run-remote-code",
        ("|",),
        rf"{_ALWAYS}[^\n]{{0,80}}{_FETCH}[^\n|]{{0,200}}{_INTO_SHELL}"
        rf"|{_FETCH}[^\n|]{{1,200}}{_INTO_SHELL}[^\n]{{0,40}}"
        r"\b(?:before (?:each|every|any|tests?|you|answering|running)|every time|each time|whenever|first)\b"
        rf"|\bbase64 (?:-d|--decode)\b[^\n]{{0,40}}{_INTO_SHELL}",
        ("curl", "wget", "iwr", "base64", "invoke-webrequest"),
    ),
    Rule(
        "exfiltrate",
        ("://", "@"),
        rf"\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak)\b (?:\w+ ){{0,4}}{_TREASURE}"
        rf"[^.\n]{{0,60}}\bto\b[^\n]{{0,20}}{_ADDRESS}",
        ("send", "post", "upload", "forward", "mail", "transmit", "exfiltrate", "leak"),
    ),
    Rule(
        "exfiltrate",
        ("://", "@"),
        r"(?:把|将)[^。\n]{0,12}(?:环境变[量数]|密钥|私钥|密码|凭证|凭据|令牌|对话记录|聊天记录|源代码|\.env)"
        r"[^。\n]{0,12}(?:发送|上传|发|提交|转发)(?:到|至|给)[^。\n]{0,12}(?:https?://|\S{1,40}@)",
        ("发", "上传", "提交"),
    ),
    Rule(
        "reveal-prompt",
        ("prompt", "instructions"),
        r"\b(?:reveal|show|print|repeat|output|display|leak|give|tell|spell|write|disclose|recite)\b"
        "(?: me| us| out| all| back| exactly| verbatim| of| the| entire| full| complete){0,5}"
        r" your (?:\w+ ){0,2}(?:prompts?|instructions|prompt texts?)\b"
        r"|\bwhat (?:is|are|was|were) your (?:\w+ ){0,2}(?:prompts?|instructions)\b"
        r"|\boutput (?:the )?previous instructions"
        r"|\bat the (?:beginning|start|top) of (?:this|your) prompt",
    ),
    Rule(
        "reveal-prompt",
        ("提示词", "系统指令", "系统提示", "初始指令"),
        r"(?:输出|显示|透露|泄露|泄漏|重复|复述|打印|说出|告诉我|给出|展示)[^。\n]{0,6}你的?[^。\n]{0,6}"
        "(?:提示词|系统指令|系统提示|初始指令)",
    ),
)

GUARD = "instruction"
_BOOK = Rulebook(RULES)


def find(text: str) -> Iterator[Spot]:
    """Yield the passages that instruct whoever reads them as an agent."""
    small = small_letters(simplified.read(text))
    for name, offset, match in _BOOK.matches(small, small):
        yield Spot(GUARD, name, Tier.QUARANTINE, offset + match.start(), offset + match.end())
