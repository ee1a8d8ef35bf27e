"""The signs by which a sentence is worth keeping or not, in English and Chinese: rules to be read and argued about."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from tacit.text.tokens import FOR_NOW_ZH


class Content(StrEnum):
    """What kind of content a sentence holds."""

    PREFERENCE = "preference"
    DECISION = "decision"
    DOMAIN = "domain"
    PRODUCT_RULE = "product_rule"
    CONVENTION = "convention"
    HEURISTIC = "heuristic"
    PATTERN = "pattern"
    REJECTION = "rejection"
    ROOT_CAUSE = "root_cause"


class Sign(NamedTuple):
    """A named pattern; `content` is what it shows, None for one that says "not worth keeping"."""

    name: str
    pattern: re.Pattern[str]
    content: Content | None = None


def sign(name: str, pattern: str, content: Content | None = None) -> Sign:
    """Return a sign whose pattern is written out with blanks, without regard to case."""
    return Sign(name, re.compile(rf"(?ix) {pattern}"), content)


# A sentence with one of these is somebody thinking, asking, telling or dealing with the task at hand. The order is
# that in which they are told; each is enough.
BARS = (
    sign(
        "question",
        r"""
        [?？]\s*["”')]*\s*$
      | ^(?:(?:and|so|but|ok|okay|hey|hi|then)[,\s]+)*(?:can|could|would|will)\s(?:you|we|i|it)\b
      | ^(?:(?:and|so|but|ok|okay|then)[,\s]+)*(?:what|why|how|which|who|where|should|shall|do|does|did|is|are
        |isn't|is\sit
        |has|have)\s(?!not\b|n't\b|in\sdoubt)(?:(?:we|i|you|it|they|there|that|this|the|a|an|our|my|these|those
          |about|come|to|do
        |does|did|is|are|was|would|should|happens?|one|kind|of|if|many|much|long)\b)
      | \b(?:what\sdo\syou\sthink|any\sidea|is\sthat\sright|right\?|i\swonder|wondering)\b
      | 吗[。！!]?\s*$ | 吗[，,] | 呢[。]?\s*$ | 是不是 | 要不要 | 有没有 | 能不能 | 可不可以 | 会不会 |
        该不该 | 是否[^则]*$
      | ^(?:为什么|怎么|为何|什么|哪|谁|请问|多少) | (?:怎么|如何)(?:办|做|写|用|弄|看|回事|处理)\S{0,4}$
      | 是(?:多少|什么|哪\S?)[。]?\s*$ | 什么意思 | 你怎么看 | 你觉得
        """,
    ),
    sign(
        "hedged",
        r"""
        \b(?:maybe|perhaps|possibly|might|not\ssure|unsure|i\s(?:guess|suppose|wonder|doubt)|i'm\snot\s(?:sure
          |certain)
        |let\sme\sthink|thinking\s(?:about|of)|we'll\ssee|let's\ssee|could\s(?:try|also|maybe)
          |haven't\s(?:checked|decided)
        |not\sconvinced|not\sdecided|undecided|tempted|considering|worth\sa\stry|give\sit\sa\stry
          |i\sthink\s(?:it|we|this|that)\s(?:might|could|may))\b
      | 可能(?:要|会|是|得|需要|可以) | 也许 | 或许 | 大概(?!率) | 说不定 | 不(?:太)?确定 | 没想好 |
        还没(?:定|决定|想)
      | 再(?:看看|想想|说吧|考虑) | 试试 | 试一下 | 要不(?:然)?[，,]?(?:我们|就|先|用|换) | 感觉(?:可以|应该
        |是|像) | 好像 | 似乎
      | 估计 | 我猜 | 不一定 | (?:吧|把)[，,。]?\s*$ | 在考虑 | 考虑(?:一下|用|换)
        """,
    ),
    sign(
        "hypothetical",
        r"""
        \b(?:if\s(?:we|i|you|they)\sever | suppose\b | imagine\b | assum(?:e|ing)\b | what\sif | hypothetically
          | in\stheory
        | wouldn't\b | would\s(?:be\snice|rewrite|never|love\sto\ssee|be\sgreat|be\scool|have\sto|need\sto
          |break|love|like\sto\shave) | wouldn't\sit
        | if\s(?:we|i|it|they|there)\s(?:had|were|used|supported|could|moved|switched|went)\b | one\sday |
          some\s?day | i\swish
        | ideally)
      | 假如 | 假设 | 假使 | 倘若 | 要是 | 万一 | 就好了 | 如果(?:以后|将来|哪天|有一天|当初|我们当) | 理论上
        | 理想(?:情况|状态) | 将来如果
        """,
    ),
    sign(
        "reported",
        r"""
        \b(?:according\sto | (?:he|she|they|someone|somebody|people|everyone|everybody|colleague|coworker|boss
          |manager|friend
        | blog(?:\spost)? | article | docs? | documentation | readme | forum | tutorial | video | book |
          stack\s?overflow | chatgpt
        | linter | compiler | error(?:\smessage)? | warning | message | comment | review(?:er)?)
          \s(?:on\s[\w\s]{2,20}\s)?(?:also\s)?(?:says?|said|claims?|claimed|writes?|wrote|thinks?|thought
            |recommends?|recommended
          |suggests?|suggested|tells?|told|argues?|believes?|prints?|printed|complains?|reports?|states?
            |insists?|swears?)\b
        | (?:boss|manager|client|colleague|friend|cto|lead|he|she)\swants?\s(?:us|me|it|everyone|to)\b | (?:my
          |our|the|his|her)\s(?:last|previous|old|former)\s(?:company|team|job|employer|project|workplace)\b |
          i\s(?:read|heard|saw)\s(?:that|somewhere|on|in|people) | (?:supposedly|allegedly|apparently)\b |
          (?:from|in|per)\sthe\s
        (?:docs?|documentation|readme|blog|article|manual)\b:? | they\ssay | it\ssays | rumou?r)
      | 听说 | 据说 | 据称 | 有人(?:说|讲|建议|觉得) | (?:同事|老板|领导|朋友|别人|他们?|她们?|网上|大家|群里
        |文章|博客|文档|手册|官网|README|论坛|教程)
        \S{0,4}(?:说|写着|写|讲|提到|建议|认为|觉得|推荐|声称)
        """,
    ),
    sign(
        "no_rule",
        r"""
        \b(?:i(?:'m|\sam|\swas)?\s(?:not|never|didn't)\s?(?:say|saying|said|mean|meant|suggesting|asking)
        | (?:that(?:'s|\sis)|it(?:'s|\sis))\snot\s(?:what\si|a\srule|required|mandatory|a\smust)
        | there(?:'s|\sis|\sare)\s(?:no|not\sany)\s(?:rule|need|requirement|reason|convention|policy)
        | (?:doesn't|does\snot|don't|do\snot|needn't|need\snot)\s(?:have\sto|need\sto|necessarily|matter) |
          never\smind | no\sneed)
      | 我(?:没|没有|不是|并没|可没)(?:说|这个意思|那个意思|要求) | 不是说 | 并不是说 | 没(?:有)?(?:规定
        |要求)(?:说|必须|一定)? | 不是这个意思 | 没必要
      | 不用(?:改|管|看|动|修|跑|急|了)
        """,
    ),
    sign(
        "one_off",
        r"""
        \b(?:for\s(?:now|today|the\smoment|this\s(?:pr|commit|task|ticket|branch|change|release|sprint|one
          |time)\b|the\sdemo)
        | (?:just\s)?this\s(?:time|once) | just\sonce | one[\s-]off | temporarily | right\snow
        | temporary\s(?:fix|hack|solution|workaround)
        | in\s(?:this|the\snext)\s(?:pr|commit|branch|ticket|sprint)\b | later\s(?:today|on)?$ | not?\syet |
          yet[,.\s]*$ | yet,
        | until\s(?:the\sdemo|i|then|tomorrow|monday) | (?<!\bthe\s)next\s(?:commit|step|week) | first\slet's |
          let's\s(?:start|begin|continue|first|try|see
        |look|do\sthis|finish|leave) | before\sthe\sdemo | let's\s(?:move\son|get|go\son|talk|discuss|design
          |build|write|add|make|have) | for\sthe\smoment | at\sthe\smoment | leave\s(?:the\srest|it\sas|that\sfor))
      | (?:^|[,;:]\s*)(?:today|tonight|tomorrow)\b(?!['’]s) | \b(?:today|tonight|tomorrow)\s*(?:[.,;!]|$)
      | (?:后面|之后|然后我们|我们|晚点|后续)再(?:说|看|改|补|弄|处理|定) | 你先 | 还是用原来 | 算了 |
        这一?次 | 本次 | (?:[今明]天|今晚)(?!的|零点) | 下午(?:再|要|前) |
        暂时 | 暂且 | 目前先 | 先(?:这样|别|不要|不用|不管|跳过|写死|到这|放着|skip|用着)
      | 这个\s?(?:PR|pr|任务|分支|提交|需求|ticket)里? | 下(?:个|一)?(?:版本|次|周|步)(?:再|要|才)? | 回头再
        | 等会 | 待会
        """
        f" | {FOR_NOW_ZH}",
    ),
    sign(
        "status",
        r"""
        ^(?!if\b|when|whenever|unless|as\ssoon)(?:
        \W*(?:i|we)(?:'ve|\shave|'m|\sam|'re|\sare|\sjust)?\s(?:just\s)?(?:pushed|merged|committed|restarted
          |rebased|deployed|tried\sit|ran
        |installed|opened|closed|pulled|checked\sout|have\sto\s(?:leave|go)|leaving)\b
      | .*\bstill\s(?:fails?|failing|broken|crash\w*|the\ssame|see|get|getting|not|doesn't) | .*\b(?:is
        |are)\s(?:running|building|pending|waiting|failing
        |passing|broken|green|red|back|done)\b(?!\s(?:on|in|under|as)\s) | .*same\s(?:error|message|result)\sas
      | .*(?:\b(?:haha|lol|😂|😄)|:\)) | .*\b(?:i'm|we're|i\sam|we\sare)\s(?:getting|seeing|hitting|stuck) |
        .*\b(?:looks\slike|something\sis|seems\sto|is\sblank
        |is\smissing|are\smissing|(?:have|has|found|there's|is)\sa\sbug|when\si\s(?:click|press|run|open|try)
          |after\syour\s(?:change|fix)|doesn't\swork|not\sworking|stopped\sworking) | .*\b(?:on|in|at)\sline\s\d
          | .*\bnot\sthat\sone )
      | ^(?:here\s(?:is|are)|here's|there\s(?:is|are)\sa|so\sbasically|sorry|good\s(?:point|idea|job|catch)
        |nice|great|perfect|wait|your\s(?:last|latest|change|fix|code|commit))\b
      | ^\W*i\s(?:ran|tried|pushed|checked|looked|don't\s(?:understand|know|get|see|remember)|can't|need\s
        |also\sneed|have\sa|'d\slike\sto\ssee|opened|clicked|changed|added|updated|fixed|forgot|think\syou)\b |
        ^\W*i'd\slike\sto\s(?:see|have|add|know|get)
      | 本地(?:跑|是好的|没问题) | 线上不行 | 报错了 | 失败了 | 有\s?bug | 点(?:了|两次|击).{0,12}(?:没反应
        |会|跳|不) |
        (?:我)?刚(?:刚)?(?:才)?(?:合|推|提|跑|试|改|部署|重启) | 还是(?:报|不行|一样|失败|没) | 在跑 | 跑完了
          | 卡在 | 过了[，,] | 跟刚才
        """,
    ),
)

# What asks for a thing to be done now. It bars a sentence unless that also says that it holds beyond now.
REQUEST = sign(
    "request",
    r"""
    ^(?:(?:please|now|then|ok|okay|so|and|also|alright|next|just|go\sahead\sand|let's|you\s(?:can|could|should)
      |i\s(?:need|want)\syou\sto|help\sme)[,\s]+)*
      (?:please\s)?(?:add|write|make|create|fix|rename|move|run|rerun|show|explain|look|check|find|delete
        |remove|undo|revert|refactor|update|change
      |implement|build|generate|open|close|print|list|read|tell|give|try|test|debug|deploy|install|upgrade|bump
        |merge|rebase|commit|push|start
      |stop\sthe|restart|continue|go|review|describe|summari[sz]e|translate|convert|extract|split|replace
        |set\sup|clean|investigate|improve|rewrite
      |use\s(?:it|that|this|the\sother)|hardcode|skip|redo|retry|compare|search|download|format|sort|draw|put
        |copy|paste|wire|hook|plug|document)\b(?!\s?[\u4e00-\u9fff])
  | ^(?:请|麻烦|那|然后|再|接着|现在|你)?(?:帮我|帮忙|给我|替我|请你|麻烦你|把(?!关)|看看|看一下|看下|查一下
    |跑一下|跑一遍|改一下|写一个|写个|做一个|做个|加一个|加个
      |生成|实现|修复|修一下|删掉|删除|解释|说明一下|重构|优化一下|检查|继续|列一下|列出|贴一下|run|fix|review|debug)
    """,
)

# An order of style, to no thing in particular: "keep functions short", "write docstrings in Google style".
STYLE = sign(
    "style",
    r"""
    ^(?:please\s)?(?:keep|use|prefer|favou?r|avoid|stick\sto|choose|name|document|format|indent|sort|wrap
      |validate|return|throw|test|mark|prefix|quote|cache|log
      |write\s(?:all\s)?(?:docstrings?|comments?|tests?|commit\smessages?|code|documentation|docs
        |error\smessages|names?|queries|logs?|migrations?|sql|types?))\s
      (?!(?:the|this|that|these|those|it|them|your|a|an|going|on|me|us|both|one|same|my|his)\b)[^,]{2,}
  | ^[\u4e00-\u9fff\w\s]{2,14}(?<![改换试先再])用\s?[A-Za-z`] | ^(?:注释|日志|文档|命名|变量名|提交信息|单测
    |测试|代码|接口|报错|异常
    |标题)\S{0,6}(?:写|用|要|放|以|加)
    """,
)

# It holds beyond now: said of requests too.
STANDING = sign(
    "standing",
    r"""
    \b(?:always | never | from\snow\son | going\sforward | in\s(?:the\s)?future | every\s?time | each\stime |
      whenever | everywhere | anywhere
    | any\s?time\b | by\sdefault | any\s?more | for\snext\stime | no\smatter | under\sno\scircumstances |
      at\sall\stimes | without\sexception | as\sa\srule)\b
  | 以后 | 今后 | 往后 | 从现在(?:起|开始)? | 从今 | 始终 | 永远 | 总是 | 每次(?:都)? | 每当 | 一律 |
    统一(?!一下) | 一直(?:用|要|是) | 长期 | 任何时候 | 无论
    """,
)
