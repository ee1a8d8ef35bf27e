"""The words by which governance reads a sentence, in English and Chinese: written as data, to be read and argued about.

Lines are words divided by blanks, or groups of words divided by slashes. English words stand as people write them;
whoever compares them with tokens brings them to their stem first.
"""

from __future__ import annotations

import re

# Turns the meaning of what follows in its clause. `un` words such as "avoid" are here too: "avoid X" says no to X.
NEGATORS_EN = frozenset(
    """
    not never no don't dont doesn't didn't won't wouldn't shouldn't mustn't can't cannot isn't aren't without avoid
    avoids avoiding stop stops forbid forbids forbidden ban bans banned prohibit prohibits prohibited disallow
    disallowed refuse refrain nobody none neither nor against drop ditch abandon deprecated
    """.split()  # noqa: SIM905  words, not a hundred quotes
)
NEGATORS_ZH = tuple(
    """
    不要再 不要 不能 不得 不可以 不可 不许 不准 不再 不应该 不应 不该 不用 不必 不需要
    不使用 不允许 不走 不写 不放 不做 不加 不让 不在 不把 不会 不是 不 别再 别用 别
    禁止 严禁 禁用 避免 切勿 请勿 勿 杜绝 停用 弃用 无需 没有 没 拒绝 绝不 而不是 而非
    从不
    """.split()  # noqa: SIM905  as above
)
# Set phrases in which a no is none, or hides in other words, with what they say.
PHRASES = tuple(
    (re.compile(pattern), word)
    for pattern, word in (
        (r"(?i)\b(?:no|not) (?:more|later|longer|greater|higher) than\b|\bat most\b|\bup to\b", " maximum "),
        (r"(?i)\b(?:no|not) (?:less|fewer|earlier|lower) than\b|\bat least\b", " minimum "),
        (r"(?i)\bnot only\b", " "),
        (r"(?i)\b(?:keep|stay|leave)(s?)\b([^,.;]{0,20}?)\b(?:off|out of|away from)\b", r" \2 avoid "),
        (r"(?i)\bfree of\b", " without "),
        (r"不得?超过|不多于|不大于|不高于|至多|最多", "最大"),
        (r"不得?少于|不小于|不低于|至少|最少", "最小"),
        (r"不能不|不得不|不可不|非\S{1,8}不可", "必须"),
        (r"不仅|不但|不同|不一致|不变|不足|不止", "＿"),
    )
)
# What a negation does not reach beyond.
STOPS_EN = frozenset("but instead prefer unless except rather".split())  # noqa: SIM905  as above
STOPS_ZH = tuple("而是 改用 换成 改成 改为 要用 请用 应该用 一律用 统一用 除非 但是 但".split())  # noqa: SIM905  as above
# Before what was turned down: "use X instead of Y", "X over Y", "用 X 而不是 Y".
REJECTS = re.compile(r"(?i)\b(?:instead\sof|rather\sthan|in\splace\sof|as\sopposed\sto|over)\b")

# Says no to what stands before it, and the same turned round again.
PASSIVE_NO = re.compile(
    r"(?i)\b(?:is|are|be|remain|stay)\s(?:strictly\s|not\s|never\s)?(?:forbidden|banned|prohibited|disallowed|retired|deprecated)\b"
    r"|\b(?:is|are|be)\s?(?:not|n't|never)\s(?:allowed|permitted|accepted|welcome|used)\b|一律禁止$|都不行$|(?:是)?不允许的$"
)
TURNED_NO = re.compile(r"(?i)\b(?:not|never)\s(?:forbidden|banned|prohibited|disallowed|retired|deprecated)\b")
# Words that say from which side something is looked at; in a scene one may stand for another.
ASPECTS_EN = frozenset(
    """
    version toolchain size order time naming name style handling handle schedule policy limit rule format level value
    number kind type way approach strategy configuration setting choice method process practice location place
    wording text lifetime duration period length threshold maximum minimum count direction
    """.split()  # noqa: SIM905  as above
)
ASPECTS_ZH = frozenset(
    """
    处理 方式 写法 命名 怎么 如何 顺序 时机 约定 规范 策略 办法 流程 原则 要求 情况 问题 做法 配置 设置 上限 限制 数量 数
    节奏 维护 谁 什么 多少 哪里 为准 条件 批次 分批 安排
    """.split()  # noqa: SIM905  as above
)
# Says in which order or direction: the same words the other way round then say something else.
DIRECTED = re.compile(
    r"(?i)\b(?:before|after|first|then|into|from|to|import\w*|depend\w*|over|instead|than|call\w*)\b|先|再|之后|之前|而不是|依赖|调用|到"
)

# Two words that say the opposite of each other about the same thing.
ANTONYMS = """
enable disable / on off / allow deny / allow forbid / permit forbid / include exclude / before after / sync async
synchronous asynchronous / tab space / uppercase lowercase / upper lower / increase decrease / raise lower
ascending descending / asc desc / public private / internal external / required optional / mandatory optional
mutable immutable / explicit implicit / eager lazy / push pull / open close / lock unlock / block allow /
accept reject
encrypt plaintext / compressed uncompressed / strict loose / strict lenient / manual automatic / manually
automatically
local remote / online offline / dynamic static / singular plural / relative absolute / client server / frontend
backend
first last / begin end / start stop / add remove / create delete / keep delete / keep remove / keep drop /
merge rebase
squash merge / single double / short long / hard soft / positive negative / true false / yes no / always never
least most / minimum maximum / min max / early late / fast slow / parallel serial / parallel sequential / camel snake
camelcase snake_case / kebab snake / inside outside / left right / top bottom / horizontal vertical / read write
blacklist whitelist / denylist allowlist / skip run / commit ignore / cache uncached / utc local / light dark
fail pass / fail continue / retry abort / inline separate / monorepo polyrepo / nullable required / union exclude
""".replace("\n", " / ")
ANTONYMS_ZH = """
开启 关闭 / 启用 禁用 / 打开 关闭 / 开 关 / 允许 禁止 / 包含 排除 / 之前 之后 / 前 后 / 同步 异步 / 大写 小写 /
升序 降序
公开 私有 / 内部 外部 / 必填 选填 / 必填 可选 / 必须 可选 / 强制 可选 / 可变 不可变 / 显式 隐式 / 推 拉 / 手动 自动
本地 远程 / 静态 动态 / 单数 复数 / 相对 绝对 / 前端 后端 / 客户端 服务端 / 第一 最后 / 增加 减少 / 添加 删除 /
新增 删除
保留 删除 / 合并 变基 / 合并 拆分 / 单引号 双引号 / 短 长 / 最小 最大 / 提前 推迟 / 并行 串行 / 驼峰 下划线 /
左 右 / 上 下
读 写 / 黑名单 白名单 / 物理 逻辑 / 硬删除 软删除 / 硬 软 / 明文 加密 / 严格 宽松 / 单独 统一 / 集中 分散 / 立即 延迟
乐观 悲观 / 主库 从库 / 线上 线下 / 全量 增量 / 先 后 / 早 晚 / 多 少 / 高 低 / 中文 英文 / 空格 制表符
""".replace("\n", " / ")

# Things of which a project takes one for a purpose: to choose one is to turn down the others.
RIVALS = """
npm pnpm yarn bun / pip poetry uv pipenv conda pdm / jest vitest mocha ava jasmine / pytest unittest nose
postgres mysql sqlite mariadb oracle mongodb dynamodb sqlserver cockroachdb / redis memcached / kafka rabbitmq
sqs nats
pulsar / rest graphql grpc soap trpc / react vue svelte angular solid preact / redux mobx zustand recoil jotai
pinia vuex
webpack vite rollup parcel esbuild turbopack / eslint biome tslint / prettier biome / black ruff yapf autopep8
mypy pyright / tab space / snake_case camelcase kebab pascalcase snake camel pascal / merge rebase squash
github gitlab bitbucket gitea / jenkins circleci travis / docker podman / terraform pulumi cloudformation
kubernetes nomad swarm ecs / aws gcp azure aliyun / fastapi flask django starlette / express koa fastify nest hono
axios fetch got ky / moment dayjs luxon / lodash ramda underscore / tailwind bootstrap / sass less styled
jwt session cookie / oauth saml / uuid autoincrement ulid snowflake / utc local / json yaml toml xml protobuf
sequelize prisma typeorm drizzle knex / sqlalchemy peewee tortoise / maven gradle bazel / junit testng / log4j logback
slf4j / zap logrus zerolog / gin echo fiber chi / cypress playwright selenium puppeteer / sentry datadog newrelic
elasticsearch opensearch meilisearch solr typesense / nginx caddy traefik apache haproxy / s3 minio gcs / celery rq
sidekiq resque / rspec minitest / var let / css scss / less scss / yup zod joi / threads asyncio / bash zsh fish
python javascript typescript java go rust ruby php kotlin swift / monday tuesday wednesday thursday friday
saturday sunday
spring quarkus micronaut / mybatis hibernate jpa / dubbo feign / svn git mercurial / scrum kanban / cents dollars
周一 周二 周三 周四 周五 周六 周日 / 单引号 双引号 / 驼峰 下划线 短横线 / 雪花 自增 / 悲观锁 乐观锁 / 元 分
""".replace("\n", " / ")

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
# Says that it is no decision: doubt, a wish to try, a question, or a wish not to be remembered.
HEDGES = re.compile(
    r"""(?ix)
    \b(?: maybe | perhaps | probably | possibly | might | i\s(?:guess | think | suppose | wonder) |
    not\s(?:sure | certain)
      | unsure | i'm\snot | could\s(?:try | we | be) | should\s(?:we | i) | what\sif | how\sabout | what\sabout
      | let's\ssee
      | we'll\ssee | for\s(?:now | the\smoment) | for\stoday | temporar\w+ | tentativ\w+ | just\s(?:this |
      for\snow | once
      | trying) | this\s(?:once | time) | one[\s-]off | experiment\w* | hypothetical\w* | suppose | kind\sof |
      sort\sof
      | don't\s(?:remember | save | record | store | note) | do\snot\s(?:remember | save | record | store) |
      off\sthe\srecord
      | forget\sit | never\smind | in\stheory | not\sdecided | undecided | thinking\sabout | consider(?:ing)? )\b
  | \?\s*$ | ？\s*$
  | 也许 | 或许 | 可能 | 大概 | 说不定 | 不确定 | 没想好 | 没定 | 还没决定 | 再看看 | 再说吧 | 试试 | 试一下 |
  尝试 | 要不 | 是不是
  | 会不会 | 能不能 | 要不要 | 暂时 | 临时 | 暂且 | 先这样 | 这一?次 | 就这次 | 仅此一次 | 别记 | 不要记 |
  不用记 | 先别记 | 别保存
  | 我觉得 | 我猜 | 估计 | 好像 | 似乎 | 如果.{0,12}怎么样 | 吗\s*[。!！]?\s*$
    """
)
# Says that it must be so, without exception.
ENFORCES = re.compile(
    r"(?i)\b(?:must|never|always|mandatory|required|under no circumstances)\b|必须|绝不|严禁|一律|务必|永远"
)
# Belongs to one occasion or one task.
ONE_OFF = re.compile(
    r"""(?ix)
    \b(?: this\s(?:time | once | pr | pull\srequest | ticket | task | sprint | commit | branch | migration |
    afternoon)
      | today | tonight | tomorrow | yesterday | right\snow | just\sonce | one[\s-]off | for\snow | temporar\w+
      | (?:for | until)\sthe\sdemo | next\s(?:step | week) )\b
  | 这一?次 | 本次 | 今天 | 明天 | 昨天 | 今晚 | 暂时 | 临时 | 先这样 | 这个(?:任务 | 分支 | 提交 | 需求 | PR)
  | 下一步
    """
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
    应该 都 只 请 进行 里 中 内 新 的 了 默认 规则 约定
    """.split()  # noqa: SIM905  as above
)
