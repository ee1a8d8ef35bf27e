"""What is worth keeping: signs that name their kind of content, and small ones that count only together."""

from __future__ import annotations

from tacit.capture.signs import STANDING, STYLE, Content, sign

# Worth keeping, with the kind that it shows; the first that fits names it.
KEEPS = (
    sign(
        "asked_to_remember",
        r"""
        \b(?:remember\s(?:that|this|to|:) | keep\sin\smind | note\s(?:that|for|to\sself) | for\s(?:the\srecord
          |next\stime|future\sreference)
        | (?:just\s)?so\syou\sknow | don't\sforget | you\sshould\sknow | heads?\sup | important\s(?:that
          |to\sknow|:) | fyi | bear\sin\smind | good\sto\sknow)
      | 记住 | 记一下 | 记下 | 请牢记 | 别忘了 | 切记 | 供参考 | 提醒一下 | 要知道
        """,
    ),
    sign(
        "cause",
        r"""
        \b(?:root\scause | (?:was|were|is|are|been|being|got)\scaused\sby | (?:the|main|real|actual)\s(?:reason
          |culprit|cause|problem|issue)\s
        [\w\s'’-]{0,40}?(?:was|is|wasn't|isn't)\b(?!\sthat\si\b) | turns?\sout | turned\sout | (?:came|comes
          |stems?|stemmed)\sfrom\b | that(?:'s|\sis|\swas)\s(?:why|because)
        | it\swas\s(?:the|a|an|our|because|actually)\b | which\sis\swhy | due\sto\b | (?:fails?|failed|breaks?
          |broke|crash\w*|hangs?|leaks?)\s
        [\w\s'’./-]{0,40}(?:because|when|if|unless|since)\b | happens?\s(?:because|when|only\sif) | (?:fixed
          |solved|resolved)\s(?:it\s)?by\b | the\sfix\s(?:is|was)\b
        | the\s(?:trick|workaround|solution)\s(?:is|was)\b | (?:came|boiled|comes)\sdown\sto | got\s(?:bitten
          |burned) | what\s(?:bit|burned|broke|killed|confused)\s(?:us|me|it)\b | (?:has|have)\s(?:bitten
          |burned)\sus | (?:it|this)\swas\sactually)
      | 根因 | 原因(?:是|在于|就是|找到|查到) | (?:是|就是|都是|主要是)因为 | 原来(?:是|因为) | 导致 | 造成的
        | 引起的 | 查到了 | 定位到 | (?:最后|最终
        |后来)?发现(?:是|原来) | 罪魁 | 才(?:会)?(?:识别|报|出现|失败|导致)
      | 的问题[，,].{2,} | 解决(?:办法|方法|方案)(?:是|就是) | 由于.{2,40}[，,所]
        """,
        Content.ROOT_CAUSE,
    ),
    sign(
        "decided",
        r"""
        \b(?:we|i|they|the\steam)(?:'ve|\shave|'re|\sare|\sfinally|\salready)?\s(?:decided|agreed|chose|chosen
          |settled|picked|opted|went\s(?:with|for)
          |are\sgoing\s(?:with|for)|going\s(?:with|for)|stay(?:ing)?\s(?:on|with)|stick(?:ing)?\s(?:to|with)
            |switched|switching|moved|moving|migrat\w+|standardi[sz]ed
          |go\s(?:with|for)|dropped|ruled\sout|rejected|abandoned|committed\sto)\b
      | \b(?:customer|client|management|legal|security|team)s?\b.{0,20}\b(?:ruled\sout|decided|requires?
        |demands?|insists?\son|forbids?) | ^(?:going|went)\s(?:with|for)\s | \b(?:picked|chose|choosing
        |picking)\b.{2,40}\bover\b | \b(?:decision|decided|agreed|final\scall|verdict|conclusion)\s?[:：] |
        it(?:'s|\sis)\s(?:agreed|decided|settled) | let's\s(?:settle|go\swith|stick\s(?:to|with)|agree|use
        |keep\s(?!going)|standardi[sz]e) | (?:was|were)\s(?:considered\sand\s)?rejected | we(?:'ll
          |\swill)\s(?:use|go|stay|stick|keep|be\susing|support|target|store)
      | \b(?:i|we)\s(?:want|'d\slike|would\slike)\sto\s(?:use|go\swith|stay\s(?:on|with)|stick|keep|support
        |avoid|target) | instead\sof\b.{2,60}\b(?:because|since|as\s(?:it|we|the))\b
      | (?:最后|最终|已经|我们|团队|大家)?(?:决定|定了|定下来|敲定|拍板|选定|选了|选用|选择了|商定|达成一致
        |一致同意|确定用|确定采用) | 方案(?:定|是) |
        就用\S{1,20}[，,。了] | (?:最终|最后)(?:还是|都)?(?:用|选|上|定|走)了?
      | (?:改|换)(?:用|成|到)了?\S{1,30}(?:因为|原因|主要)
        """,
        Content.DECISION,
    ),
    sign(
        "exception",
        r"""
        \b(?:except(?:\s(?:for|in|when|if|that|where|on|to))? | apart\sfrom | with\sthe\s(?:only\s)?exception |
          other\sthan | the\sonly\sexceptions?)\b
      | 除了.{1,40}(?:都|其他|其它|一律|之外|以外|外) | 除非 | 例外(?:是|情况) | 唯一(?:的)?例外
        """,
        Content.REJECTION,
    ),
    sign(
        "rejected",
        r"""
        (?:^|[,;:.—-]\s|\b(?:and|but|so|please|no)\s)(?:please\s)?(?:do\snot|don't|dont|never|no\smore|avoid
          |stop)\s(?:ever\s|again\s)?(?:us(?:e|ing)|add(?:ing)?|import(?:ing)?|writ(?:e|ing)
          |put(?:ting)?|introduc\w+|call(?:ing)?|mock(?:ing)?|push(?:ing)?|force|commit(?:ting)?\s(?!yet|it\b)
            |edit(?:ing)?\s(?!that|this|it\b)|touch(?:ing)?\s(?!that|this|it\b|the\sfile)
          |creat\w+|generat\w+|rely(?:ing)?|hard-?cod\w+|log(?:ging)?|catch(?:ing)?|swallow\w*|nest\w*
            |mix(?:ing)?|mutat\w+|return(?:ing)?|throw(?:ing)?|expos\w+|stor(?:e|ing)|wrap(?:ping)?
          |suggest\w*|ask(?:ing)?|mention\w*|includ\w+|apologi[sz]\w+|explain\w*\s(?!this|that)
            |run(?:ning)?\s(?!it|that|this)|install\w*|bypass\w*|disabl\w+|ignor\w+|chang(?:e|ing)\s(?!it|that|this)
          |renam\w+|refactor\w*|overwrit\w+|delet\w+|assum\w+|guess\w*|abbreviat\w+|comment\w*)\b
      | \b(?:i|we)\s(?:don't|do\snot|won't|will\snot|never|can't|cannot|no\slonger)\s(?:want|use|like|allow
        |accept|need\sa|do|ship|write|support|import|mock|commit|merge|deploy|store|log|edit
          |have|put|add|touch|expose|trust|rely|squash|rebase|push|release|translate|test|depend|throw|return
            |call|cache|keep|run|mix|share)\b
      | not\show\s(?:we|i)\b | (?:is|are)\s(?:banned|forbidden|not\sallowed|off\slimits|prohibited|deprecated
        |taboo) | (?:please\s)no\s(?:new|more)\s\w+ | so\splease\sno\s
      | ^no\s(?!worries|problem|idea|luck|errors?\b|need|way|one|thanks|changes?\b
        |more)[\w-]+(?:\s[\w-]+)?\s(?:in|on|for|without|unless|outside|inside|please|at|from|before|after)\b |
        ^no[,.]?\s(?:new|inline|global|default|magic|raw|any|external|third)\b | 不(?:要|准|许|允许|得|可以
          |能)(?:再)?(?:用|写
        |加|在|把|直接|mock|引入|使用|出现|提交|换|改|放|有|随意|手动|硬编码|返回|打印|import|commit|push|裸)
      | 千万(?:别|不要) | 别(?:再)?(?:用|写|加|在|把|引入|使用|直接|搞|放|提交|随便|动不动|mock|import) |
        不(?:引入|使用|采用|支持|接受|做|存|走|写
        |用)\s?\S | 禁止 | 严禁 | 杜绝 | 打回 | 就不要 | 不要\s?\S+\s?(?:了|，|,)
        """,
        Content.REJECTION,
    ),
    sign(
        "preferred",
        r"""
        \b(?:i(?:'d)?\s(?:really\s|strongly\s|much\s|would\s|usually\s|always\s|generally\s)?(?:prefer
          |like\s(?:it|my|the|to|when|small|short|code|tests|explicit|simple)|love\s(?:it\swhen|short)|hate
          |can't\sstand|dislike|favou?r
          |(?:'d|would)\srather|rather\s|expect\s(?!it|this|that|an?\serror)|want\s(?:you\sto\s(?:always|never)
            |all|every|my|commit|tests|code|responses|answers|short|explicit)) | my\spreference |
            i\s(?:\w+ly\s)?(?:care\s(?:more\s)?about|value|work\s(?:on|with|in)|review|trust|expect)\b |
            i'd\s(?:rather|prefer)
        | you\s(?:keep|always|constantly)\s\w+ing | i'm\s(?:done\swith|tired\sof|sick\sof|used\sto|a\sfan
          |not\sa\sfan|allergic) | i\salways | i\snever | please\s(?:always|never|stop) | (?:always
          |never)\s(?:answer|reply|respond|write|use|ask|show|explain|start|give|run|keep|put|add|include
          |prefix|format|sign|check|test|name|wrap|return|log|commit|push|squash|rebase|validate|prefer|call
            |create|open|document) | stop\s\w+ing\s | in\smy\s(?:editor|code|projects|experience))\b
      | (?:我|咱)(?:更|比较|最|还是|一直|平时|个人)?(?:喜欢|偏好|习惯|倾向|看重|在意|在乎|关注|爱用|讨厌
        |不喜欢|希望你|要求你) | 请(?:始终|一直|总是|永远|务必|都) | 麻烦以后
        """,
        Content.PREFERENCE,
    ),
    sign(
        "rule_of_thumb",
        r"""
        \b(?:rule\sof\sthumb | usually\s(?:means?|it's|the|caused|a\ssign|because|points) | (?:it|that|this
          |which)\s(?:usually|generally|typically|almost\salways|often)\s | when\sin\sdoubt | in\sgeneral\b |
          generally\s(?:speaking|we)
        | more\soften\sthan\snot | (?:nine|9)\s(?:times\s)?out\sof | tends?\sto\b | (?:first|always)\s(?:check
          |look\sat|suspect) | a\sgood\s(?:sign|default|heuristic)
        | in\smy\sexperience | from\sexperience)
      | 一般(?:来说|情况下|都|是|要|用|不)? | 通常 | 经验(?:上|是|来看) | 大概率 | 八成 | 多半 | 往往 |
        基本上(?:都|就) | 就(?:该|应该|说明|得)\S | 拿不准
        | 优先(?:用|看|考虑|选)
        """,
        Content.HEURISTIC,
    ),
    sign(
        "procedure",
        r"""
        \b(?:whenever\s(?:you|we|i|someone|a) | every\stime\s(?:you|we|a|i|the) | (?:our|the)\s(?:usual
          |standard|normal|agreed)\s(?:way|process|procedure|flow|workflow|steps) | the\s(?:process|procedure
          |flow|workflow|steps|order)\s
        (?:is|are|for) | to\s(?:add|release|deploy|create|run|publish|rotate|onboard|rollback|roll\sback
          |register|bump|cut|ship|set\sup|generate|restore|test|debug|migrate|update
          |build)\s[^,.]{2,50},?\s(?:you|we|first|just|run|copy|use|call|go|edit|always)
        | first\b[^.]{2,80}\bthen\b | \bthen\b[^.]{2,60}\b(?:then|finally|after\sthat|last)\b | (?:before
          |after)\s(?:every|each|any|you|we|a|merging|releasing|deploying|committing
          |pushing)\s?[^,.]{0,40},?\s(?:we|you|always|run|make|the|it|there)
        | when\s(?:you\s)?(?:adding|add|releas\w+|deploy\w*|creat\w+|writ\w+|chang\w+|nam\w+
          |touch\w*)\s[^,.]{2,50},\s)
      | (?:流程|步骤|套路|做法|顺序|惯例)(?:是|为|[:：]) | 先.{1,30}(?:再|然后|之后).{1,} | 固定(?:三|两|四
        |几)?步 | 每次.{1,20}(?:都|要|先) |
        每当 | .{1,16}(?:之前|前|之后|后)(?:必须|都要|一定要|先|要先|需要先|固定)
        """,
        Content.PATTERN,
    ),
    sign(
        "meaning",
        r"""
        \b(?:(?:for\sus|here|in\sour\s\w+)\b.{0,30}\b(?:means?|is|are)\b | means\s(?:a|an|the|that|one
          |something|not) | refers?\sto | stands?\sfor | is\s(?:short|our\s(?:word|name|term))\sfor | what\swe\scall
        | (?:is|are)\s(?:always\s|all\s|only\s|never\s)?(?:owned|maintained|stored|kept|saved|generated|hosted
          |defined|derived|located|called|named|written|encoded|measured|counted|limited|restricted|cached|signed
          |encrypted|handled|shared
          |managed|deployed|built|backed|served|synced|replicated|partitioned|sharded|indexed|versioned
            |documented|configured|set|loaded|mounted|read|sent|processed|billed|charged|calculated|computed
            |rounded|based|made|rejected)\s
          (?:by|in|on|as|at|from|to|via|with|under|through|per|once|every|only|using|of|down|up|for|into)\b
        | (?:lives?|sits?|resides?|runs?)\s(?:in|on|at|under|behind|as|every)\b | belongs?\sto | consists?\sof
          | depends?\son | reads?\s(?:only\s)?from | writes?\s(?:only\s)?to | lags? | (?:counts?|treated)\sas
        | (?:is|are)\s(?:a|an|the)\s(?:separate|single|only|same|legacy|internal|public|read-only
          |source\sof\struth|owner)
        | (?:we|it|project|app|service|backend|frontend|api|server|team|stack|build|pipeline|repo|codebase
          |ci)(?:'re|'s|\sis|\sare)?\s(?:only\s|all\s|still\s|now\s)?(?:us(?:e|es|ing)|runs?\son|running\son
          |built\s(?:with|on)|written\sin|target(?:s|ing)?|support(?:s)?)\b)
      | \bis\s(?:overkill|not\san\soption|end\sof\slife)\b | 指的是 | 是指 | 意思是 | 就是说 | 叫做? | 称为 |
        不等于 | 等同于 |
        以.{1,12}(?:为单位|结尾|开头|为准|存|计) | 存(?:的是|放在|在|成|整数) | 归.{1,10}(?:管|负责|维护) |
          属于 | 由.{1,14}(?:负责|维护|生成|提供|管理)
        | 依赖 | means
      | 代表 | 基于 | 默认(?:是|为|用|值|走|\s?\S) | 只读 | 单位是 | 部署在 | 放在\S | (?:用|走)的是 |
        我们(?:的)?\S{1,14}(?:用的?|是|走|都|有|跑)
        """,
        Content.DOMAIN,
    ),
    sign(
        "limit",
        r"""
        \b(?:(?:users?|customers?|accounts?|orders?|invoices?|admins?|members?|clients?|tenants?|guests?
          |buyers?|sellers?|refunds?|payments?|subscriptions?|plans?|passwords?|sessions?|tokens?|uploads?
          |emails?|prices?|discounts?|coupons?
          |owners?|visitors?|patients?|students?|drivers?|employees?|projects?|workspaces?|support|staff
            |only\s\w+)\b.{0,50}?\b(?:may|must|can(?:not|'t)?|need|needs|have\sto|has\sto|shall|should|expires?
            |are\sallowed|get|gets|is\snever|are\snever)\b
        | at\smost\s | at\sleast\s | no\s(?:more|later|fewer|less)\sthan | up\sto\s\d |
          not\s(?:be\s)?(?:allowed|permitted) | (?:must|shall)\s(?:never|not|always|be|have|go|stay|come|pass|use
          |match|not) | (?:only|just)\s[\w\s]{2,30}\s(?:may|can|are\sallowed)
        | (?:is|are)\s(?:mandatory|required|compulsory) | has\sto\sbe\s|have\sto\sbe\s)
      | 必须 | 只能 | 只允许 | 不得 | 不允许 | 不准 | 务必 | 红线 | 合规 | 最多 | 最少 | 至少 | 至多 |
        不(?:能|得)?超过 | 超过.{1,20}(?:就|要|必须|自动
        |则|需) | (?:才能|才可以|才允许|方可) | 自动(?:取消|关闭|释放|过期|续费) | 不需要审批 | 需要(?:经过
          |走|先) | 上限 | 下限
        """,
        Content.PRODUCT_RULE,
    ),
    sign(
        "convention",
        r"""
        \b(?:(?:our|the|a|team|project)\s(?:\w+\s)?(?:convention|policy|standard|rule|style\sguide|guideline
          |naming)\b | convention\sis | we\s(?:always|never|only|usually|all|typically|name|call|keep|return|use
          |write|prefix|put|follow|require|treat|test
          |tag|squash|rebase|store|version|format|deploy|release|prefer|expect|wrap|log|run|have\sa\s(?:rule
            |policy|convention)|do\s(?:it|this|that|everything)) | in\s(?:this|our)\s(?:repo(?:sitory)?|project
            |code\s?base|team|company|monorepo|app|code|api|service)
        | (?:here|around\shere)\s(?:we|it's|everything) | across\sthe\s(?:repo|project|code\s?base|board) |
          should\s(?:always|never|only|be\s(?:in|named|written|placed|kept|prefixed|done|used)|go\s(?:in|into|to
          |next|under)|live\s(?:in|under|next))
        | (?:goes?|live|lives|belong|belongs)\s(?:in|into|to|next\sto|under|inside) | named\s(?:after|like|as))\b
      | ^(?:all|every|each|everything|anything|nothing|no)\s(?!right|good|done|set|idea|problem|way|worries
        |fine|the\sbest|i\b|that's|of\s(?:this|that)\s)[\w\s/'’`-]{1,60}?\b(?:is|are|must|has|have|goes|go|gets?
        |needs?|should|may|can|returns?|uses?|starts?|ends?|lives?|belongs?|counts?)\b
      | 约定 | 规范 | 规定 | 惯例 | 统一(?!一下) | 一律 | 都(?:要|用|得|必须|不能|不准|跑|写|放|走|带|加) |
        不能 | 我们(?:这边|这里|组|团队|项目)(?:里|的)?
        | (?:这个|本)项目 | 全(?:部|都)(?:用|要|走|大写|小写) | (?:要|需)带 | 命名 | 格式(?:是|为|统一)
        """,
        Content.CONVENTION,
    ),
    sign(
        "as_agreed",
        r"""
        that(?:'s|\sis)\s(?:the|our|a)\s(?:deal|rule|house\sstyle|style|policy|convention|standard|agreement
          |law)\b
      | (?:这是|就是)(?:规矩|规定|约定|惯例|红线|底线)
        """,
        Content.CONVENTION,
    ),
    STANDING._replace(content=Content.CONVENTION),
)

# A page, and what happens on it.
SCREEN = sign(
    "screen",
    r"""
    \b(?:buttons?|modals?|spinner|icons?|dropdown|click(?:s|ed|ing)?|hover|scroll\w*|tooltip|sidebar|navbar|checkbox
      |textbox|popup|pop-up|appears?|opens?|disappears?|screen|menu|tab|dark\s(?:mode|background)|header|footer|logo
      |shadow)\b
  | 按钮 | 弹窗 | 列表 | 点击 | 跳(?:转|到) | 显示 | 一列 | 下拉 | 头像 | 页面 | 样式 | 倒序
    """,
)

# What a plain statement is worth: nothing in it names its kind, but small signs together say that it holds beyond this
# conversation. From ENOUGH points on it is kept.
ENOUGH = 2
POINTS = (
    (
        3,
        sign(
            "what_we_do",
            r"""
            \bwe\s(?:\w+ly\s|all\s|do\s)?(?!need|want|should|could|can|might|are|were|was|have|had|get|got|see
              |saw|just|still|lost
            |forgot|missed|broke|hit|tried|would|will|must|also|did|may|know|think|thought|talked|discussed
              |spoke|met|found|noticed|ran|made|didn't|don't|can't|then|skip|continue|start
            |look|try|wait|go|move|\w+ed\b)[a-z]+\b
            """,
        ),
    ),
    (
        3,
        sign(
            "of_all",
            r"""
            (?:^|[,;:—]\s|\b(?:and|so|but|that|because|since|as)\s)(?!let's|this|it's|its|that's|what's|here's
              |there's|these|those|thanks|yes|always|sometimes|perhaps|unless|the\s|my\s|your\s
            |his\s|is\s|has\s|does\s|was\s|one\s|two\s|three\s|when\s|all\stests)
            (?:[\w'’`/.-]+\s){0,3}[a-z`'_-]{2,}s\s(?:\([^)]*\)\s)?(?:(?:under|over|above|below|with|without|in
              |on|for|from|of|older|newer|larger|longer|that|which)\s[\w'’`/.-]+\s(?:[\w'’`/.-]+\s){0,3})?
            (?:are|go|live|have|need|get|must|may|can|cannot|can't|count|belong|start|end|use|carry|follow|stay
              |should|come|run|expire|require|depend|never|always|only|work|do)\b
            (?!\s(?:failing|passing|broken|green|red|done|running|fixed|missing|wrong|slow|gone|here|there|now
              |back|fine|ok|good|great|nice|created|not\s\w+ing))
            """,
        ),
    ),
    (
        3,
        sign(
            "everybody",
            r"""
        \b(?:nobody|no\sone|everybody|everyone|anybody|anyone)\s(?:\w+ly\s|ever\s|else\s)?[a-z]+s\b |
          ^only\s(?:the|our|a)\s[\w-]+\s(?:[\w-]+\s)?[a-z]+s\b | 谁都 | 没人 | 所有人 | 每个人 | 大家都
        """,
        ),
    ),
    (2, STYLE),
    (
        1,
        sign(
            "present",
            r"""
        \b(?:is|are|has|have|must|should|can|cannot|may|will|won't|doesn't|don't|isn't|aren't|needs?|gets?
          |stays?|comes?|contains?|means?|returns?|runs?|lives?|works?|goes)\b | 是 | 有 | 要 | 用 | 走 | 在
        """,
        ),
    ),
    (
        1,
        sign(
            "ours",
            r"""
        \b(?:our|ours|for\sus)\b | \b(?:the\s)?[\w-]+\steam\s[a-z]+s\b | 我们 | 团队 | 咱们 | 公司 | 客户
        """,
        ),
    ),
    (
        1,
        sign(
            "only",
            r"""
        \b(?:only|every|any|all|none|strictly|exactly|until|unless|no\slonger|nothing|both|each|explicitly)\b
          | 全(?:是|用|走|部)? | 都 | 只 | 每(?:个|次|月|周|天|日|年|台|条) | 才 | 一定
        """,
        ),
    ),
    (
        1,
        sign(
            "reason",
            r"""
        \b(?:because|since|therefore|otherwise|hence|for\s\w+\sreasons?)\b | ,\sso\s | 因为 | 所以 | 否则 |
          不然 | 太(?:重|慢|大|多|贵|旧|小) | 有.{1,6}问题 | 会(?:丢|崩|挂|爆|慢)
        """,
        ),
    ),
    (
        1,
        sign(
            "contrast",
            r"""
        ,\snot\s | \bbut\snot\b | \brather\sthan\b | \binstead\sof\b | \bmore\sthan\b | \bover\s[A-Z`] |
          (?:不是|而不|而非|不用|不走|不写|不立即|自己) | 才算
        """,
        ),
    ),
    (1, sign("denial", r"\b(?:no|not|never|without|n't|cannot|forbidden)\b | n't\b | 不 | 别 | 没有 | 无")),
    (1, sign("term", r'^(?:an?\s|the\s)?["`]')),
    (
        1,
        sign(
            "name",
            r"""
        (?-i:(?<!^)(?<![.!?:]\s)\b(?:[A-Z][a-z]*[A-Z]\w*|[A-Z]{2,}\w*|[A-Z][a-z]{2,}))|`|\b\w+[._/]\w+\b
          |\bv?\d+\.\d+
        """,
        ),
    ),
    (
        1,
        sign(
            "system",
            r"""
        ^(?:\w+,?\s){0,3}the\s(?:[\w-]+\s){1,3}(?:has|have|only|never|always|needs?|keeps?|expects?|sends?
          |returns?|uses?|calls?|requires?|limits?|runs|stores|expires|consumes|accepts|ignores|rejects)\b |
          后端|前端|线上|服务端|客户端|数据库|生产|测试环境|会员|用户|订单|商家|接口|缓存|网关|仓库|系统
        """,
        ),
    ),
    (
        1,
        sign(
            "craft",
            r"""
        \b(?:commits?|branch(?:es)?|merge|deploy\w*|releases?|staging|production|prod|ci|migrations?|schema
          |tests?|coverage|reviews?|naming|docs?|docstrings?|comments?|types?|lint\w*|format\w*|dependenc(?:y
          |ies)|legal|customers?|vendors?|database|api|endpoints?|logs?|secrets?|cache)\b | 提交 | 分支 | 发版
          | 上线 | 评审 | 命名 | 注释 | 单测 | 测试 | 部署 | 依赖 | 日志 | 兼容 | 表结构
        """,
        ),
    ),
    (
        1,
        sign(
            "amount",
            r"""
        \b(?:\d[\d,.]*\s?(?:gb|mb|kb|ms|s|px|seconds?|minutes?|hours?|days?|weeks?|months?|years?|euros?
          |dollars?|cents?|%|percent|times|chars?|characters|lines|am|pm)|(?:one|two|three|four|five|six
          |ten)\s(?:week|day|month|hour|minute|year)s?|cents|utc|every\s(?:night|day|week|month))\b |
          \d+\s?(?:秒|分钟|小时|天|周|月|元|次|条|台|个|兆|字符)|[一二三四五六七八九十两]+(?:台|号|天|次|条
          |小时|分钟) | 凌晨
        """,
        ),
    ),
    (
        -3,
        sign(
            "of_the_moment",
            r"""
        \b(?:this\s(?:one|file|page|button|line|function|class|error|bug|change|code|regex|morning|afternoon)
          |that\s(?:one|file|part|line)|the\s(?:page|console|typo|second|first|last|other)|your\s(?:change|fix
          |code)|now|yesterday)\b | 这个 | 那个 | 这里 | 这段 | 刚才 | 一下 | 现在 | 这样 | 你
        """,
        ),
    ),
    (-3, SCREEN),
    (
        -3,
        sign(
            "wish",
            r"""
        \b(?:(?:we|i|it|page|you)\s(?:also\s)?(?:need|needs|want|would\slike)\s(?:an?|the|some|to|two|three
          |another)\b|should\shave\s|give\sme|let\sme|show\sme) | 需要(?:一个|加|有|支持)? | 我(?:想|要) | 加个
          | 改成 | 能够
        """,
        ),
    ),
    (
        -3,
        sign(
            "event",
            r"""
        \b(?:returned|broke|failed|crashed|happened|worked|passed|appeared|deleted|clicked|disappeared
          |got\san?\s(?:error|500|404))\b | 了[。！]?$
        """,
        ),
    ),
)
