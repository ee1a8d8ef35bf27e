"""The words by which governance reads a sentence, in English and Chinese: written as data, to be read and argued about.

Lines are words divided by blanks, or groups of words divided by slashes. English words stand as people write them;
whoever compares them with tokens brings them to their stem first.
"""

from __future__ import annotations

import re

from tacit.text.tokens import FOR_NOW_ZH

# Turns the meaning of what follows in its clause. "avoid" is here too: "avoid X" says no to X.
NEGATORS_EN = frozenset(
    """
    not never no don't dont doesn't didn't won't wouldn't shouldn't mustn't can't cannot isn't aren't needn't wasn't
    weren't hasn't haven't couldn't without avoid avoids avoiding forbid forbids forbidding forbidden ban bans
    banning banned prohibit prohibits prohibiting prohibited disallow disallows disallowed refrain nobody none
    neither nor ditch ditches abandon abandons abandoned deprecated retire retires hardly scarcely rarely seldom
    nothing
    """.split()  # noqa: SIM905  words, not a hundred quotes
)
NEGATORS_ZH = tuple(
    """
    不要再 不要 不能 不得 不可以 不可 不许 不准 不再 不应该 不应 不该 不用 不必 不需要 不须 不需 不宜 不予 不会 不是
    不使用 不采用 不引入 不允许 不走 不写 不放 不做 不加 不让 不在 不把 不给 不进 不去 不作 不开 不 别再 别用 别
    禁止 严禁 避免 切勿 请勿 勿 切莫 莫 甭 杜绝 停止使用 停止 弃用 废弃 废除 取消 免除 免于 免 无需 无须 毋须 没有
    没 未 绝不 决不 而不是 而非 并非 从不 从未 尚未 拒不 谢绝 非 无
    """.split()  # noqa: SIM905  as above
)
# Chinese words that hold such a character and say no to nothing.
NO_NEGATION_ZH = tuple(
    """
    非常 除非 无障碍 无状态 无效 无线 无论 无关 未来 未知 未读 未支付 未付款 没问题 别的 别人 级别 类别 区别 特别
    分别 性别 识别 个别 告别 取消订单 免费 免费版 莫名 异步 并非 未成年人 未成年 无服务 无序 无限 无头 不同 不一致
    不变 不足 不止 不仅 不但 不稳定 避免重复 不可变 不落盘 不停机 不可用
    """.split()  # noqa: SIM905  as above
)
# Set phrases in which a no is none, or hides in other words, with what they say.
PHRASES = tuple(
    (re.compile(pattern), word)
    for pattern, word in (
        (r"(?i)\b(?:no|not) (?:more|later|longer|greater|higher|bigger) than\b|\bat most\b|\bup to\b", " maximum "),
        (r"(?i)\b(?:no|not) (?:less|fewer|earlier|lower|smaller) than\b|\bat least\b", " minimum "),
        (r"(?i)\bnot only\b|\bno matter\b|\bno later\b", " "),
        (
            (
                r"(?i)\b(?:no longer|no need (?:to|for)|fails? to|stop(?:s|ped)?(?= \w+ing\b)"
                r"|get rid of|do away with|(?:decide|advise|vote|warn)[sd]? against)\b"
            ),
            " not ",
        ),
        (
            r"(?i)\b(?:phas(?:e|ed|ing) out|drop(?:s|ped|ping)? (?:support for|the use of)|out of the question)\b",
            " not ",
        ),
        (r"(?i)\b(?:none|nothing) (?:is|are) (?:allowed|permitted|accepted|needed|required)\b", " never "),
        (r"(?i)\b(?:need|require)s? no\b", " not "),
        (r"(?i)\bother than\b", " except "),
        (r"(?i)\b(?:working|business) days?\b", " workdays "),
        (r"(?i)\b(?:keep|stay|leave)(s?)\b([^,.;\n]{0,20}?)\b(?:off|out of|away from)\b", r" \2 avoid "),
        (r"(?i)\bfree of\b", " without "),
        (r"(?i)\b(?:a|just one|only one|exactly one) single\b|\b(?:just|only|exactly) one\b|\ba single\b", " 1 "),
        (r"(?im)\b(?:a )?quarter of an hour\b", " 15 minutes "),
        (r"(?im)^one (?!(?:of|more|should|must|can|may|day)\b)(?=[a-z]\b|[a-z]{2})", "1 "),
        (r"(?m)^一(?=[个名位])", "1 "),
        (r"(?<=[前时])先(?=[\u4e00-\u9fff])(?![前后进例])", " "),
        (r"不得?超过|不多于|不大于|不高于|不晚于|至多|最多", "最大"),
        (r"不得?少于|不小于|不低于|不早于|至少|最少", "最小"),
        (r"不能不|不得不|不可不|不会不|非\S{1,8}不可|无不", "必须"),
        (r"([\u4e00-\u9fff])不\1|是否|有没有", r"\1"),
        (r"(?:一律|都|从来)?不[加做用写放要给开传改动算收发行]?(?=$|[\s,.;，。；])", " never "),
        (r"不(?:可以|支持|接受)(?=$|[\s,.;，。；])", " never "),
        (r"(?<![\u4e00-\u9fff])禁用?(?=\s*[A-Za-z])", "禁止"),
    )
)
# What a negation does not reach beyond.
STOPS_EN = frozenset("but instead prefer rather".split())  # noqa: SIM905  as above
STOPS_ZH = tuple(
    "而是 改用 换成 改成 改为 要用 请用 应该用 一律用 统一用 但是 但 之外 以外 只 才 而要".split()  # noqa: SIM905
)
# What follows is an exception: it neither says yes nor no to what it names.
EXCEPTS_EN = frozenset("except unless barring besides excepting".split())  # noqa: SIM905  as above
EXCEPTS_ZH = tuple("除非 除了 除".split())  # noqa: SIM905  as above
# Before what was turned down: "use X instead of Y", "composition over inheritance", "用 X 而不是 Y".
REJECTS = re.compile(
    r"(?i)\b(?:instead\sof|rather\sthan|in\splace\sof|as\sopposed\sto"
    r"|over(?!\s(?:an?|the|\d|https?|tls|ssl|ssh|tcp|udp|quic|grpc|mqtt|vpn|websockets?|wi-?fi|time|all)\b))\b"
)

# Says no to what stands before it, and the same turned round again.
_GONE = "forbidden|banned|prohibited|disallowed|retired|deprecated|abandoned|outlawed|off\\slimits|obsolete|gone"
_WANTED = "allowed|permitted|accepted|welcome|used|needed|required|necessary|wanted|supported|acceptable|ok|okay"
PASSIVE_NO = re.compile(
    rf"(?i)\b(?:is|are|be|remain|stay|get|was|were)s?\s(?:strictly\s|now\s|not\s|never\s)?(?:{_GONE})\b"
    rf"|\b(?:is|are|be)\s?(?:not|n't|never|no\slonger)\s(?:{_WANTED})\b|\bnot\s(?:{_WANTED})\b"
    r"|(?:一律|都)?(?:被)?禁止$|都不行$|(?:是)?不允许的?$|(?:已经?|都)(?:废弃|停用|下线|作废|弃用|取消)$|不(?:被)?(?:允许|接受)$"
)
TURNED_NO = re.compile(rf"(?i)\b(?:not|never)\s(?:{_GONE})\b")
# Says that something may be done.
ALLOWS = re.compile(
    r"(?i)\b(?:allowed|permitted|allow|permit|may|can|fine|ok|okay|welcome|accepted|yes)\b|可以|允许|能够?|准许|支持"
)
# Says that something holds only here or there.
LIMITS = re.compile(
    r"(?i)\b(?:only|just|unless|except|until|once|if|when|while|but|no more than)\b|只|仅|除|若|如果|直到|一旦|但"
    r"|要么|时$"
)
# Little words that turn what the others say.
TURNS = re.compile(
    r"(?i)\b(?:or|both|either|until|till|once|before|after|per|first|last|all|any|each|every|also|but|we|us|you|they|them)\b"
    r"|\b(?:above|below|over|under|more|less|fewer|most|least|up|down|from|to|into|on|off|in|out)\b"
    r"|\b(?:other|some|few|several|many|exactly|if|unless|must|should|may|might|can|[ap]\.?m)\b"
    r"|[或都先再前后每各也我你您他她对超低高少多大小上下进出内外]|自然|工作日|必须|应该|可以|建议|尽量|部分|有些"
)
EVERY = re.compile(r"(?i)\b(?:all|every|each|everything|everyone|full)\b|每个|所有|全部|全量")
# How sizes are written: mebibytes are no megabytes, and megabits neither; and what is named by one letter.
SIZES = re.compile(r"\d ?([KMGT]i?[Bb])\b")
LETTERS = re.compile(r"(?<![A-Za-z'’])[A-Z](?![A-Za-z'’])")
# Of how many something holds, and what stands between the items of a list.
QUANTIFIES = re.compile(
    r"(?i)\b(?:all|any|each|every|some|most|few|many|first|last|other)\b|每|各|全部|所有|部分|有些|多数|少数"
)
LISTS = re.compile("[,，、]")
# Of how many, how often, or whether: of two sentences that differ in nothing else only one can hold.
HOW_MANY = """
all every each any everything 所有 全部 每个 任何 / some few 部分 有些 少数 / most many 最多 至多 多数 多 /
least 至少 最少 少 / half 一半 / once / hourly 小时 / daily nightly 天 日 / weekly 周 / biweekly / monthly 月 /
quarterly 季度 / yearly 年 / true / false
"""
ONLY = re.compile(r"(?i)\b(?:only|just|solely|exclusively|nothing but|alone)\b|只|仅|唯一")
# Any way of saying no, counted and not understood.
SAYS_NO = re.compile(
    r"(?i)\b(?:no|not|never|none|nobody|nothing|without|neither|nor|cannot|stop|avoid|forbidden|banned)\b"
    r"|\b(?:refuse|reject)(?:s|d|ed)?\b|n['’]t\b|[不没无禁勿别未免停拒]"
)
# A no that turns a whole remark round; and whatever can stand there, a yes too.
_TURNS_ROUND = r"\b(?:never|not|no longer|cannot)\b|n['’]t\b|不(?![仅但同断])|别(?!名)|[严禁]禁止?|禁止|无需"
NO_OR_YES = (
    re.compile(rf"(?i){_TURNS_ROUND}"),
    re.compile(
        rf"(?i)(?:{_TURNS_ROUND})(?:得|能|准|许|必)?|\b(?:do(?:es)?|must|should|may|can|will|always|please)\b"
        r"|必须|应该?|可以?|允许|需要|[要请用许]|[\W_]"
    ),
)
# Further ways of it, by what ends, is left out or is not liked: "was removed", "dev dependencies excepted", 已下线.
ENDS = re.compile(
    r"(?i)\b(?:except|exclu|remov|delet|disabl|drop|retir|deprecat|abandon|discontinu|forbid\b|forbids\b|dislik|hate"
    r"|stopp|stops\b|froze|freez|skip|omit|ignor|disallow|prohibit|revok|cancel)\w*|\bgone\b|[弃废删撤]|除外|去掉|移除|取消|下线|讨厌"
)
# What stands between quotation marks is meant literally, little words too.
QUOTED = re.compile(r"[`\"“「『《]([^`\"”」』》]{1,60})[`\"”」』》]")
# Lifts a duty and forbids nothing: what need not be done may be done. Before a name 不用 forbids: 不用 lodash.
LIFTS = re.compile(
    r"(?i)\bneeds?\s(?:no|not)\b|\bneedn['’]t\b|\bno\sneed\b|\bnot\s(?:needed|required|necessary|mandatory)\b"
    r"|\b(?:do|does)(?:\snot|n['’]t)\s(?:have|need)\sto\b|不用(?!\s*[A-Za-z])|不必|不需要?|不须|无需|无须|毋须|用不着"
)
# Words that say nothing but that a rule follows; in a scene one may stand for another.
ASPECTS_EN = frozenset(
    """
    toolchain style handling handle policy rule level value kind type way approach strategy configuration setting
    choice choosing method process practice text count direction case situation deal convention guideline
    """.split()  # noqa: SIM905  as above
)
ASPECTS_ZH = frozenset(
    """
    处理 方式 写法 怎么 如何 约定 规范 策略 办法 流程 原则 要求 情况 问题 做法 配置 设置 数量 数 节奏 维护 谁 什么
    多少 哪里 为准 条件 批次 分批 安排 口径 方案
    """.split()  # noqa: SIM905  as above
)
# From which side a scene looks at its thing: groups of words that may stand for one another. Two scenes that each name
# a side, and not the same, are about two questions.
SIDES = """
name naming title wording 命名 名称 名字 标题 / size length maximum limit 大小 长度 上限 / version upgrade 版本 升级
/ retention lifetime expiry duration ttl 保留 有效期 期限 过期 失效 / schedule time when window 时间 时机 什么时候
多久 / where location path folder store 放在 位置 哪里 存储 / who owner 负责人 谁 / format encoding 格式 字符集 /
order sequence sorting 顺序 排序 / colour 颜色 / speed performance benchmark 性能 / test testing 测试 / log logging
日志 / alert monitoring notification notify noise 监控 告警 通知 提醒 / permission access 权限 / price fee 价格 费用
/ retry 重试 / timeout 超时 / error failure exception crash 失败 错误 报错 异常 / review 评审 重点 / description
描述 / translation 翻译 / picture image icon screenshot 图片 图标 截图 / refund return 退款 退货 / number numbering
id 编号 / body payload 报文 / archive 归档 / publish publishing 发布 / engine 引擎 / comment 注释 / level
severity 级别 等级
"""
# Says in which order or direction: the same words the other way round then say something else.
DIRECTED = re.compile(r"(?i)\b(?:into|from|to|import\w*|depend\w*|over|instead|than|call\w*)\b|而不是|依赖|调用|到|从")
# Two steps in their order: a sign without which there are none, and the whole, whose groups are the earlier and the
# later one. Signs come first because the wholes try every place of a text, and most texts put nothing in order.
STEPS = tuple(
    (re.compile(sign), re.compile(pattern))
    for sign, pattern in (
        (
            r"(?i)\sthen\s",
            r"(?i)(?:\bfirst\b[,:]?)?(?P<early>[^;.]+?)(?:\bfirst\b)?[,;]?\s(?:and\s)?then\s(?P<late>[^;.]+)",
        ),
        (r"(?i)\sbefore\s", r"(?i)(?P<early>[^,;.]+?)\s(?:only\s|right\s|well\s)?before\s(?P<late>[^,;.]+)"),
        (
            r"(?i)\s(?:after|once|when|as soon as|upon)\s",
            r"(?i)(?P<late>[^,;.]+?)\s(?:only\s|right\s)?(?:after|once|when|as soon as|upon)\s(?P<early>[^,;.]+)",
        ),
        (
            r"(?i)\s(?:later|afterwards)\b",
            r"(?i)(?P<early>[^,;.]+?)\s(?:and|,)\s(?P<late>[^,;.]+?)\s(?:later|afterwards)\b",
        ),
        ("先", r"先(?P<early>[^，。；,;]+?)[，,]?(?:再|然后|后|才)(?P<late>[^，。；,;]+)"),
        ("后", r"(?P<early>[^，。；,;]+?)(?:之后|以后|成功后|完成后|后)[，,]?(?:再|才)?(?P<late>[^，。；,;]+)"),
        ("前", r"(?P<late>[^，。；,;]+?)(?:之前|以前|前)[，,]?(?:先|要|必须)?(?P<early>[^，。；,;]+)"),
    )
)

# Says that the user has made up their mind against what held before.
DECIDES = re.compile(
    r"""(?ix)
    \b(?: from\snow\son | going\sforward | from\stoday | henceforth | starting\s(?:now|today|with) | instead |
    no\slonger
      | any\s?more | switch(?:ed|ing)?\s(?:\w+\s)?(?:to|over) | mov(?:e|ed|ing)\s(?:\w+\s){0,2}(?:to|over|from)
      | migrat\w+\s(?:\w+\s){0,2}(?:to|from) | replac(?:e|es|ed|ing) | stop\s(?:using|doing) | stopped
      | chang(?:e|ed|ing)\s(?:\w+\s){0,4}to | changed\s(?:my|our)\sminds? | we(?:'ve|\shave)?\sdecided
      | forget\s(?:what|about|the\sold) | scrap\sthat | drop(?:ped|ping)? | not\s\S+\sany\s?more | supersed\w+
      | overrul\w+ | revis(?:e|ed|ing) | update\sthe\s(?:rule|policy|convention) | the\s(?:old|previous)\s\w+\sis\s\w+
      | as\sof | now\s(?:we|it|use|uses) | we\snow )\b
  | 改用 | 改成 | 改为 | 改回 | 换成 | 换用 | 换到 | 替换 | 取代 | 代替 | 以后 | 今后 | 往后 | 从现在 | 从今 |
  不再 | 切换 | 切到
  | 迁移?到 | 废弃 | 作废 | 弃用 | 停用 | 推翻 | 现在[都开统一改]?始?(?:用|要|是|改) | 别再 | 统一改 |
  调整[为成到] | 升级?[为成到]
  | 更新为 | 决定[改用换]
    """
)
# Says for whom it is, where that is not the project alone.
AUDIENCES = {
    "team": re.compile(r"(?i)\bteam|\bevery(?:one|body)\b|团队|全组|大家|所有人"),
    "personal": re.compile(r"(?i)\bpersonal|\bmy\sown\b|\b(?:every|all(?:\smy)?)\sprojects?\b|个人|我自己|所有项目"),
}
# What may stand around a rule without being a part of it.
FRAMES = re.compile(
    r"(?i)\b(?:remember|important|decided|agreed?|standardi[sz]ed|like|everywhere|everyone|everybody|actually|required"
    r"|mandatory|from (?:now|today) on|from today|going forward|henceforth|starting (?:now|today)"
    r"|whole|replac(?:e|ed|ing)|(?:switch|mov|migrat|chang)(?:e|ed|ing)?(?= (?:over |away )?(?:to|from)\b))\b"
    r"|从?现在(?:开始|起)?|从今天?(?:开始|起)?|以后|今后|往后|[请要]?记[住得]|决定|喜欢|大家|到处|在?[这本该]个?(?:仓库|项目|工程)里?|[改换][用成为]|切换?到"
)
# Says that it is no decision: doubt, a wish to try, a question, or a wish not to be remembered.
HEDGES = re.compile(
    r"""(?ix)
    \b(?: maybe | perhaps | probably | possibly | might | i\s(?:guess | think | suppose | wonder) |
    not\s(?:sure | certain)
      | unsure | i'm\snot | could\s(?:try | we | be) | should\s(?:we | i) | what\sif | how\sabout | what\sabout
      | let's\ssee
      | we'll\ssee | for\s(?:now | the\smoment) | for\stoday | tentativ\w+ | just\s(?:this |
      temporarily | temporary\s(?:fix | hack | solution | workaround) | for\snow | once
      | trying) | this\s(?:once | time) | one[\s-]off | experiment\w* | hypothetical\w* | suppose | kind\sof |
      sort\sof
      | don't\s(?:remember | save | record | store | note) | do\snot\s(?:remember | save | record | store) |
      off\sthe\srecord
      | forget\s(?:it | that | this) | never\smind | scratch\sthat | wait,?\sno | actually,?\sno | (?:i | we)\sdisagree
      | (?:for | in)\sthis\s(?:one\s|single\s)?(?:task | pr | branch | ticket | commit | run | session)
      | only\s(?:for\s)?(?:this | today | now)
      | (?:says? | said | wrote | writes | claims? | claimed | prints? | printed | suggest(?:s | ed))\s?(?= [:,"“])
      | (?:says? | said | wrote | writes | claims? | claimed | suggest(?:s | ed))\s(?:that | we | to)
      | in\stheory | according\sto | no\sway | not\sdecided | undecided | thinking\sabout | consider(?:ing)?
      | tbd | tbc | to\sbe\s(?:decided | confirmed | determined)
      | pending\s(?:\S+\s){1,3}(?:ok | okay | approval | confirmation)
      | (?:recommends? | recommended | advises? | advised | proposes? | proposed | argues? | argued)\s?(?= [:,"“])
      | (?:recommends? | recommended | advises? | advised | proposes? | proposed | argues? | argued)\s(?:that | we | to)
      | (?:summari[sz]e | translate | proofread | rephrase | paraphrase | reply\sto | answer | quote)\s
        (?:this | the\sfollowing) )\b
  | \?\s*$ | ？\s*$
  | (?:总结 | 翻译 | 概括 | 润色 | 改写 | 回复)(?:一下)?(?:这 | 下面 | 以下 | 上面) | 待定 | 待确认 | 待商量 | 未定
  | 也许 | 或许 | 可能 | 大概 | 说不定 | 不确定 | 没想好 | 没定 | 还没决定 | 再看看 | 再说吧 | 试试 | 试一下 |
  尝试 | 要不 | 是不是
  | 会不会 | 能不能 | 要不要 | 暂时 | 暂且 | 先这样 | 这一?次 | 就这次 | 仅此一次 | (?:别 | 不要 | 不用)记(?! 录) |
  别保存
  | 算了 | 当我没说 | 不要这样 | 别这样 | 不同意 | 收回 | 本次 | 这个任务 | 当前任务 | 只限
  | (?:同事|他|她|他们|别人|有人|文档|手册|日志|老板|客户|网上|教程)
    .{0,6}(?:说|写|提到|认为|建议|要求)[了过着道]?\s?[,:，：“"]
  | 我觉得 | 我猜 | 估计 | 好像 | 似乎 | 如果.{0,12}怎么样 | 吗\s*[。!！]?\s*$
  | (?:^ | [.!。！\n]\s*)(?:no, | 不[，,])
    """
    f"| {FOR_NOW_ZH}"
)
_MEMORY_VERBS = (
    "remember(?:ing)?|sav(?:e|ing)|stor(?:e|ing)|keep(?:ing)?|record(?:ing)?|writ(?:e|ing)|not(?:e|ing)|log(?:ging)?"
    "|memori[sz](?:e|ing)|persist(?:ing)?|commit(?:ting)?|add(?:ing)?|put(?:ting)?|fil(?:e|ing)"
)
# Takes back what was said, or wants it kept nowhere; in a later prompt too.
RETRACTS = re.compile(
    rf"""(?ix)
    \b(?:do\snot | don't | dont | never | not | no\sneed\sto | needn't | please\sdon't | without | stop | avoid)
      \s(?:\w+\s)?(?:{_MEMORY_VERBS})\s(?:down\s)?(?:this | that | it | any\sof\s(?:this | that | it))
      (?:\s(?:down | yet | now | anywhere | please | (?:as\sa | in\sa)\snote
        | (?:in | to | into)\s(?:the\s | your\s)?(?:memory | notes?)))*\s*(?=[.,;!)] | $)
  | \bkeep\s(?:this | that | it)\sout\sof\b | \boff\sthe\srecord\b | \bnot\sfor\s(?:the\s)?(?:memory | record | notes)\b
  | (?:^ | [.!;\n]\s*)(?:please\s)?(?:ignore | disregard | forget | strike | scratch | cancel | undo | delete | drop)\s
      (?:(?:that | this | it)(?:\s(?:again | please | rule | one | part))?\s*(?=[.,;!)] | $)
        | what\si\s(?:just\s)?said\b | my\slast\s\w+\b)
  | \b(?:just | only | i'm | i\swas)\s(?:kidding | joking)\b | \btake\s(?:that | it | this)\sback\b
  | \bnever\smind\b
  | \b(?:forget | scratch)\s(?:it | that | this)\b
  | (?:先 | 暂时 | 请 | 就 | 也)?(?:别 | 不要 | 不用 | 不必 | 无需 | 无须 | 不需要 | 先不 | 暂不 | 勿)再?
      (?:把[^，。,]{{0,6}})?
      (?:记录 | 记 | 写入 | 写进 | 写 | 保存 | 存入 | 存 | 收录 | 入库)
      (?:下来? | 进去 | 到 | 入 | 进)?(?:这条 | 这个 | 这句 | 它)?(?:记忆库? | 笔记)?[了吧啊哦]?
      \s*(?=[。.！!，,；;] | $)
  | 撤回 | 开玩笑 | 随口一?说 | 不算数 | 当我没说 | 收回(?=[。！!，,]|$|这|刚|上)
  | (?:^ | [。！!；;\n]\s*)(?:以上 | 上面的? | 刚才的? | 刚说的 | 这条 | 这句)?作废
    """
)
# How a prompt begins that corrects what went before it.
CORRECTS = re.compile(
    r"(?i)\W*(?:(?:h+m+|oh|sorry|well|ok(?:ay)?|嗯|哦|抱歉)\W+)*"
    r"(?:(?:no|nope|wait|actually|on second thoughts?|i(?:'ve)? changed my mind)\b|不对|不是|等等|等一下|错了|我改主意)"
)
# A sentence that tells no rule of today: a request, what would be, what was, what somebody thinks of it.
TELLS_NO_RULE = re.compile(
    r"""(?ix)
    ^(?:can | could | would | will)\s(?:you | we)\b
  | \b(?:would | could)\b(?!\s(?:like | prefer | rather)) | \b(?:was | were)\sgoing\sto\b
  | ^(?:why | how\scome | (?:do | does | did)\s(?:we | you | they | i) | (?:is | are | was)\s(?:it | we | they))\b
  | \bif\s\w+\s(?:had | were)\b
  | \b(?:we | i | they | team)\sused\sto\b | \b(?:mistake | wrong | bad\sidea | terrible | awful | hate[sd]?)\b
  | (?:^ | [，,] | 我们)(?:以前 | 过去 | 曾经 | 原先) | 不对 | 不好 | 不行 | 不合适 | 不可取 | 错误的 | 讨厌
    """
)
# Says that it must be so, without exception.
ENFORCES = re.compile(
    r"(?i)(?<!\bnot )(?<!n['’]t )(?<!\bno longer )\b(?:must|never|always|mandatory|required|under no circumstances)\b"
    r"|(?<!不)(?<!不是)必须|[绝决]不|绝对不|严禁|禁止|不[得准许]|千万(?:不要|别)|一律|务必|永远"
)
# Belongs to one occasion or one task.
ONE_OFF = re.compile(
    r"""(?ix)
    \b(?: this\s(?:time | once | pr | pull\srequest | ticket | task | sprint | commit | branch | migration |
    afternoon)
      | right\snow | just\sonce | one[\s-]off | for\snow | temporarily
      | temporary\s(?:fix | hack | solution | workaround)
      | (?:for | until)\sthe\sdemo | (?<!\bthe\s)next\s(?:step | week) )\b
  | (?:^ | [,;:]\s*)(?:today | tonight | tomorrow | yesterday)\b(?!['’]s)
  | (?<!from\s)(?<!of\s)\b(?:today | tonight | tomorrow | yesterday)\s*(?:[.,;!] | $)
  | 这一?次 | 本次 | (?<!从)(?:[今明昨]天 | 今晚)(?! 的 | 零点) | 暂时 | 先这样 | 这个(?:任务 | 分支 | 提交 | 需求 | PR)
  | ^下一步 | 下一步(?:再 | 要 | 我们)
    """
    f"| {FOR_NOW_ZH}"
)
TASK_STEPS = re.compile(
    r"(?i)\bstep\s?\d|\bfirst\b.+\bthen\b.+|\b1[.)].+\b2[.)]|第[一二三1-3]步|步骤\s?[一1].+步骤\s?[二2]|先.{1,30}(?:再|然后).{1,30}最后"
)
# Too vague to be checked.
VAGUE = re.compile(
    r"""(?ix)
    \b(?: be\scareful | good\s(?:code | quality | practice) | clean\scode | do\sit\s(?:well | right | properly)
    | best\spractices?
      | high\squality | as\sneeded | when\sappropriate | try\sto\sbe | nice | better\scode | pay\sattention |
      make\ssense )\b
  | 注意质量 | 写好代码 | 认真 | 仔细 | 好一点 | 高质量 | 最佳实践 | 尽量做好 | 注意一下 | 看情况 | 视情况
    """
)
# Words that say little about which situation or which thing is meant.
WEAK_EN = frozenset(
    """
    use uses using used prefer choose pick want need make makes making write writing do keep put set run call work
    project code codebase repo repository team we our new thing way case default always never must should only every
    any all when whenever while if please default rule convention style everything anything other also one
    """.split()  # noqa: SIM905  words, not a hundred quotes
)
WEAK_ZH = frozenset(
    """
    用 使用 采用 选择 需要 要 写 做 时 时候 项目 代码 我们 团队 所有 一律 统一 必须
    应该 都 只 请 进行 里 中 内 新 的 了 默认 规则 约定 多久
    """.split()  # noqa: SIM905  as above
)
