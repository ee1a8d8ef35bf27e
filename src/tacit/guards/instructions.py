"""Text that speaks to an agent instead of informing it; a filter like this finds the clumsy, not the careful."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tacit.guards.finding import Spot, Tier, lines_with

if TYPE_CHECKING:
    from collections.abc import Iterator

GUARD = "instruction"


class Instruction(NamedTuple):
    """A way of instructing: lines with an anchor, in small letters, are looked at with the pattern."""

    rule: str
    anchors: tuple[str, ...]
    pattern: str


_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|former|past|initial|original|system|developer|given|your)"
_ORDERS = r"(?:instruction|direction|directive|guideline|prompt|order|command|programming|training|rule|task|assignment|polic|restriction|information|context|conversation|message|input|request)"
_MUTE = r"(?:do not|don[’']?t|never|must not|without|avoid|shouldn[’']?t|should not|refrain from)"

INSTRUCTIONS = (
    Instruction(
        "override",
        ("ignore", "disregard", "forget", "override", "overwrite", "bypass", "pay no attention", "do not follow", "listen to", "neglect"),
        r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|overwrite|bypass|neglect|pay no attention to"
        r"|(?:do not|don[’']?t|stop) (?:follow|obey|listen(?:ing)? to))\b"
        r"(?:[ ,]+(?:about|all|any|every|each|everything|of|the|these|those|my|what|that|which|in|and|or|safety|security|content)){0,5}"
        rf"[ ,]+(?:{_EARLIER}[ ,]+(?:[\w\-]+[ ,]+){{0,2}}{_ORDERS}"
        r"|instructions\b|(?:prompt|instructions?|directives|guidelines)\b[^.\n]{0,20}\b(?:above|before|you)\b"
        r"|(?:said|written|told|mentioned|you (?:were|have been) told) (?:above|before|earlier|so far)|(?:above|before) and\b)",
    ),
    Instruction(
        "override",
        ("forget", "disregard"),
        r"\bforget (?:all|everything)(?: (?:that|you|we|i|above|before|about|prior|previous|what)\b|[.!:]? now\b)"
        r"|\bdisregard everything (?:above|before|prior)",
    ),
    Instruction(
        "override",
        ("ignorier", "vergiss", "vergessen", "vernachlässig"),
        r"\b(?:ignorier\w{0,4}|vergiss|vergessen sie|vernachlässige\w?)\b[^.\n]{0,40}\b(?:vorherig|vorangehend|bisherig|obig|vorangegangen|anweisung|befehl|instruktion|alles)\w{0,4}",
    ),
    Instruction(
        "override",
        ("忽略", "无视", "忘记", "忘掉", "不要理会", "不要遵守", "不要遵循", "抛开", "無視", "忽視", "覆盖你"),
        r"(?:忽略|无视|忘记|忘掉|不要理会|不要遵守|不要遵循|抛开|無視|忽視|覆盖)(?:掉|了)?[^。\n]{0,6}(?:以上|之前|上面|上述|先前|前面|此前|以前|所有|一切|全部|任何|你的|系统|系統|原有|既有)"
        r"[^。\n]{0,8}(?:指令|指示|提示|规则|規則|命令|设定|约束|限制|要求|对话)"
        r"|(?:以前|これまで|上記)の?[^。\n]{0,6}(?:指示|命令|ルール)[^。\n]{0,4}(?:無視|忘れ)",
    ),
    Instruction(
        "role-tag",
        ("<|", "[inst]", "<<sys>>", "system>", "assistant>", "system-reminder", "tool_call", "function_call", "invoke name=", "tool_result", "user_query>", "begin system", "[system", "### system", "### instruction"),
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>"
        r"|\[/?inst\]|<</?sys>>|</?(?:system|assistant|system-reminder|system_prompt|user_query|tool_calls?|tool_result|function_calls?"
        r"|function_results?)>|<(?:\w{1,12}:)?invoke name=|</?\w{1,12}:function_calls>"
        r"|^[\W_]{0,4}(?:begin|new) system (?:prompt|message|instructions?)|^\[system(?: message| prompt)?\]|^### (?:system|instruction) ?:",
    ),
    Instruction(
        "hide-from-user",
        ("user", "human", "developer", "anyone"),
        rf"\b{_MUTE} (?:tell|telling)(?: [\w’']+){{0,3}} (?:the )?(?:user|human|developer|owner)s?\b"
        rf"|\b{_MUTE} (?:inform|alert|notify|warn|inform|informing|alerting|notifying|warning)\w{{0,3}} (?:the )?(?:user|human|developer)s? (?:about|of|that) (?:this|these|it|your|the (?:instruction|change|command|action))"
        rf"|\b{_MUTE} (?:mention|reveal|disclos|report|show|explain)\w{{0,3}} (?:this|these|it|that|them|any of this|the(?:se)? instructions?|your instructions?)(?: [\w’']+){{0,4}} to (?:the )?(?:user|human|developer|anyone)"
        rf"|\b{_MUTE} (?:let|letting) (?:the )?(?:user|human|developer)s? (?:know|see|notice|find out)"
        r"|\b(?:keep|hide|conceal) (?:this|these|it|that|the(?:se)? instructions?|your \w+)(?: \w+){0,2} (?:secret|hidden|confidential)? ?from (?:the )?(?:user|human|developer)"
        r"|\bwithout (?:the )?(?:user|human|developer)[’']?s?[’']? (?:knowing|knowledge|noticing|consent|awareness)",
    ),
    Instruction(
        "hide-from-user",
        ("用户", "使用者", "用戶", "开发者", "ユーザー"),
        r"(?:不要|别|勿|切勿|不得|不能|不可|请勿|禁止|绝不|千万别)(?:把|将)?[^。，\n]{0,8}(?:告诉|告知|透露给|泄露给|报告给|提及给|跟|让)(?:任何)?(?:用户|使用者|用戶|开发者)(?!名|的)(?:知道|发现|看到|察觉|说|提)?"
        r"|(?:瞒着|隐瞒|背着|对)(?:用户|使用者|用戶|开发者)(?:隐瞒|保密|执行|悄悄|偷偷|[，,。 ]|$)|ユーザーに(?:は)?(?:教え|伝え|知らせ|言わ)(?:ない|ず)",
    ),
    Instruction(
        "run-remote-code",
        ("curl", "wget", "iwr", "base64 -d", "base64 --decode", "invoke-webrequest"),
        r"(?:\b(?:always|every time|each time|whenever|must|before (?:each|every|any|you|answering|running|doing)|first run|silently|secretly)\b|每次|总是|必须|务必|始终|每当|总要|都要|先执行|先运行)"
        r"[^\n]{0,80}\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{0,200}\|\s{0,3}(?:sudo )?(?:ba|z|da|k)?(?:sh|python3?|node|perl|iex)\b"
        r"|\b(?:curl|wget)\b[^\n|]{1,200}\|\s{0,3}(?:sudo )?(?:ba|z)?sh\b[^\n]{0,40}\b(?:before (?:each|every|any|tests?|you|answering|running)|every time|each time|whenever|first)\b"
        r"|\bbase64 (?:-d|--decode)\b[^\n]{0,40}\|\s{0,3}(?:sudo )?(?:ba|z)?sh\b",
    ),
    Instruction(
        "new-role",
        ("you are now", "from now on", "act as", "pretend", "developer mode", "jailbreak", "do anything now", "no longer bound", "you are going to", "unrestricted", "no restrictions"),
        r"\byou are now (?:a |an |the |in )?(?:dan\b|developer mode|unrestricted|jailbroken|free (?:from|of)|no longer|evil|root|admin mode|my |going to)"
        r"|\bfrom now on,? (?:you|your|answer|respond|act|ignore|only) ?(?:are|will|must|shall|should|act|respond|answer|can|only|have|as|with|in)\b"
        r"|\b(?:act|behave|respond|answer) as (?:dan\b|(?:a|an|the) (?:unrestricted|unfiltered|uncensored|jailbroken|evil|amoral))"
        r"|\bpretend (?:that )?(?:you|to) (?:are|have|be|can|do)? ?(?:not bound|no (?:rules|restrictions|limits|guidelines)|unrestricted|forgotten|dan\b|have forgotten)"
        r"|\b(?:developer|dan|god|jailbreak) mode (?:enabled|activated|is on|on\b)|\bdo anything now\b|\bno longer bound by\b"
        r"|\byou are (?:not|no longer) (?:bound|restricted|limited) by",
    ),
    Instruction(
        "new-role",
        ("从现在", "你现在是", "扮演", "开发者模式", "不受限制", "越狱"),
        r"从现在(?:开始|起)[，, ]?(?:请)?你(?:就)?(?:是|将|必须|要|只|应|不再)|你现在是(?:一个|一名)?(?:不受|没有|DAN|dan|无限制|越狱|邪恶)|(?:进入|启用|开启)(?:开发者|越狱|上帝)模式"
        r"|你(?:不再|不)受(?:任何)?[^。\n]{0,6}(?:限制|约束)",
    ),
    Instruction(
        "reveal-prompt",
        ("prompt", "instructions"),
        r"\b(?:reveal|show|print|repeat|output|display|leak|give|tell|spell|write|disclose|summari[sz]e|translate|recite)\b(?: me| us| out| all| back| exactly| verbatim| of| the| entire| full| complete){0,5}"
        r" your (?:\w+ ){0,2}(?:prompts?|instructions|prompt texts?)\b"
        r"|\bwhat (?:is|are|was|were) your (?:\w+ ){0,2}(?:prompts?|instructions)\b|\boutput (?:the )?previous instructions|\bat the (?:beginning|start|top) of (?:this|your) prompt",
    ),
    Instruction(
        "reveal-prompt",
        ("提示词", "系统指令", "系统提示", "初始指令"),
        r"(?:输出|显示|透露|泄露|泄漏|重复|复述|打印|说出|告诉我|给出|展示)[^。\n]{0,6}你的?[^。\n]{0,6}(?:提示词|系统指令|系统提示|初始指令)",
    ),
    Instruction(
        "exfiltrate",
        ("send", "post", "upload", "forward", "email", "transmit", "exfiltrate", "append", "leak"),
        r"\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak)\b (?:\w+ ){0,4}(?:environment variables?|env vars?|\.env\b|ssh keys?|private keys?|credentials|secrets|api keys?|passwords|conversation(?: history)?|chat history|user data|source code|memory|memories)"
        r"[^.\n]{0,60}\bto\b[^\n]{0,20}(?:https?://|\S{1,40}@\S{1,40}\.\w|[\w\-]{1,40}\.(?:com|net|io|org|xyz|ru|cn)\b)",
    ),
    Instruction(
        "exfiltrate",
        ("发送", "上传", "发到", "提交到", "转发"),
        r"(?:把|将)[^。\n]{0,12}(?:环境变量|密钥|私钥|密码|凭证|凭据|令牌|对话记录|聊天记录|源代码|\.env)[^。\n]{0,12}(?:发送|上传|发|提交|转发)(?:到|至|给)[^。\n]{0,12}(?:https?://|\S{1,40}@)",
    ),
)


def find(text: str) -> Iterator[Spot]:
    """Yield the passages that instruct whoever reads them as an agent."""
    small = text.replace("İ", "I").lower()
    for each in INSTRUCTIONS:
        for offset, line in lines_with(small, each.anchors):
            for match in _compiled(each.pattern).finditer(line):
                yield Spot(GUARD, each.rule, Tier.QUARANTINE, offset + match.start(), offset + match.end())


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
