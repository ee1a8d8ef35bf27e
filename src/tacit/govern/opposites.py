"""Words that stand against each other, in English and Chinese: opposites, and things of which a project takes one.

Groups are divided by slashes. In `ANTONYMS` a colon divides the two sides of a group: each word on the left says the
opposite of each word on the right. In `RIVALS` and `SCOPES` every word of a group stands against every other. English
words stand as people write them; words that mean the same are brought together before they are compared, so one
language is enough where the glossary or the synonyms know the word of the other.
"""

from __future__ import annotations

# Says the opposite about the same thing. Chinese words of one character are left out: they are parts of other words.
ANTONYMS = """
enable activate turnon 开启 打开 开着 : disable deactivate turnoff 关闭 关掉 关着 / optin 主动开启 : optout 主动关闭 /
use 选用 : disable / allow accept 放行 可以 : deny block 拦截 屏蔽 / required must 必选 必需 : optional voluntary
discretionary 可选 选填 非必填 自愿 可有可无 / advisory informational warning 提示 仅提示 : blocking enforced 阻断 拦截
强制 / include contain 包括 计入 : exclude 不含 剔除 / before beforehand 事前 提前 : after afterwards 事后 / sync
synchronous : async / realtime live : batch nightly 攒批 离线 定时 / immediately 即时 当场 : later delayed deferred
postponed 延迟 延后 推迟 以后 事后 / eager upfront preload prefetch 提前加载 : lazy ondemand 按需 惰性 / uppercase :
lowercase / increase 调高 上调 加大 : decrease lower shrink 降低 调低 下调 缩小 / ascending asc oldest 从小到大 :
descending desc newest 从大到小 / public open 公有 : private secret closed 私密 保密 / internal 自研 : external outside
外包 / buy 外购 : build 自研 自建 / selfhosted onpremise 自托管 : hosted managed saas cloud 托管 云托管 云服务 /
mutable changeable 可变 可修改 : immutable frozen 不可变 只读 / readonly : writable write 写权限 读写 / explicit :
implicit 隐式 隐含 / push 推模式 : pull poll 轮询 拉模式 / open 展开 : close / lock : unlock 解锁 释放锁 / expand
unfold : collapse fold 折叠 收起 / encrypted 密文 : plaintext unencrypted clear / compressed : uncompressed raw 原样
原始 / masked redact : plain unmasked raw original 原文 原样 / strict rigid 严格 严 : loose lenient relaxed tolerant
permissive 宽松 放宽 宽容 / manual byhand : automatic automated 自动化 机器人 / local 本地 本机 : remote 远端 / online
在线 线上 : offline 线下 / dynamic : static / singular : plural / relative 相对 : absolute 绝对 / client browser 前端 :
server / first earliest 第一 首个 首次 最先 : last latest 最后 末次 / begin 开头 : end 结尾 末尾 / start launch : stop
shutdown 关停 / add insert : remove / create : delete destroy 销毁 / reuse 复用 重用 沿用 : recreate create rebuild
另建 / keep stay : delete drop 清空 销毁 / hard physical permanent 物理 硬删除 彻底 : soft logical archive 逻辑 软删除
/ permanent forever 长期 永远 : temporary shortlived expiring 短期 暂时 / merge 合在一起 : split / merge mergecommit :
rebase 变基 / single mono 单个 单一 单独 单人 : double multi multiple several many 多个 多份 多人 双人 两个 / short
brief 简短 短 : long detailed verbose 详细 完整 冗长 / whole full complete total 完整 全量 整体 整单 : partial part
incremental 增量 局部 / full 全量 : incremental delta diff 增量 差量 / total overall 整单 总价 : perline peritem
individual 逐行 逐笔 每行 单品 / individually onebyone 逐条 逐一 单条 一个一个 : bulk grouped together 成批 一批 攒够
一次性 / once onetime 一次性 仅一次 : repeatedly everytime recurring 每次 反复 多次 循环 / maximum atmost upperlimit :
minimum atleast lowerlimit / limited restrict 限量 : unlimited unbounded nolimit 不限 不限制 无限 无上限 不设上限
不限量 / positive 正数 : negative 负数 / always alltime : never sometimes occasionally 从不 有时 偶尔 / everyone 谁都 :
onlysome nobody 没有人 个别 专人 指定 / everyone : owner admin 负责人 专人 / all every 一律 全都 : none some sampled
部分 抽样 抽查 个别 / early 早 提早 : late 晚 延后 / fast : slow / parallel concurrent 并行 : serial sequential 串行
顺序 依次 / inside within 内部 以内 里面 : outside beyond 外部 以外 外面 / left 左侧 左边 : right 右侧 右边 / top above
顶部 上方 : bottom below 底部 下方 / horizontal 横向 水平 : vertical 纵向 垂直 / read : write 写入 / blacklist :
whitelist / skip omit 省略 : run execute perform / commit track : ignore gitignore / cache : uncached nocache 实时查询
直连 / light 浅色 亮色 : dark 深色 暗色 / visible show : hidden hide invisible 藏起来 / pass succeed success 成功 通过
: fail / retry : abort giveup failfast 放弃 中止 快速失败 直接失败 报错 / continue proceed : abort stop interrupt 中止
/ failfast crash throw 报错 : swallow ignore / throw raise exception 抛异常 : result errorcode 返回值 / wait block 阻塞
: immediately nonblocking 非阻塞 / inline embedded 内联 内嵌 : separate external standalone 单独 外置 / monorepo 单仓库
大仓 : polyrepo multirepo 多仓库 / monolith 单体 : microservice / centralized shared unified 集中 统一 公共 :
decentralized distributed separate individual own 分散 各自 自行 / nullable null : nonnull required 非空 / mock fake :
real / optimistic 乐观 乐观锁 : pessimistic 悲观 悲观锁 / primary master : replica / normalized 范式 : denormalized
冗余 反范式 / stateful 有状态 : stateless 无状态 / typed 强类型 : untyped any 弱类型 / nested 嵌套 : flat 扁平 平铺 /
strong 强一致 : eventual 最终一致 / persistent durable 落盘 : transient inmemory ephemeral 内存 不落盘 / fixed constant
pinned exact 固定 写死 锁定 : floating variable range latest 浮动 可配置 范围 / hardcoded 写死 硬编码 : configurable
可配置 配置化 / simple 简单 : complex complicated 复杂 / thin 薄 : fat thick 厚 / minimal small 精简 小 : large maximal
庞大 大 / free 免费 包邮 : paid charged 付费 自付 / taxincluded gross inclusive 含税 : taxexcluded net exclusive 未税
不含税 / roundup ceil 向上取整 进一 : rounddown floor truncate 向下取整 截断 抹零 / halfup 四舍五入 : halfeven bankers
银行家舍入 四舍六入 / tab 制表符 : space 空格 / spaced 空格 : unspaced / trailing 末尾 : leading 开头 / signed 有符号 :
unsigned 无符号 / rolling 滚动 滚动发布 : recreate bluegreen canary 停机发布 / canary gradual staged 逐步 分批 分阶段 :
atonce bigbang 全量发布 一次性 全量 / downtime : zerodowntime 不停机 热更新 / forward rollforward 向前 向前修复 :
backward rollback 向后 / clockwise 顺时针 : counterclockwise 逆时针 / weekday : weekend 节假日 / daily : weekly /
weekly : monthly / daily : monthly / hourly 每小时 : daily / peak : offpeak 闲时 / morning : evening afternoon 晚上 /
adult 成年人 : minor child 儿童 / approve 通过 : reject / approved : unapproved / trust 信任 : distrust untrusted
verify 不信任 / deprecated retired obsolete : current supported maintained 在用 / supported : unsupported drop
discontinue 不支持 停止支持 / modify : unchanged keep frozen 不变 不动 冻结 / overwrite replace 覆盖 覆盖写 : append
追加 / unchanged : null / copy duplicate : reference link share / inherit : compose / refund 返还 : forfeit 不退 没收 /
deduct charge : refund 返还 退还 / assign 指派 : claim self 认领 自领 / ask confirm 确认 : silent unasked 不问 / notify
alert warn 提醒 : silent mute 静音 不通知 / normally asusual 照常 正常 : silent mute 静音 / log record 打印 : discard /
compile : interpret / generate 自动生成 : handwritten handwrite manually 手写 / separate : shared same 共用 合用 同一个
/ anonymous guest : named identified authenticated signed 实名 / guest : member registered 注册用户 / identical same
相同 一致 : different distinct 不同 各不相同 / equal : unequal / common shared 公用 : private own dedicated 专用 专属 /
unique : duplicate 允许重复 / sorted ordered 有序 : unsorted unordered random 无序 / active : passive 被动 / natural
自然键 业务主键 : surrogate 代理键 自增主键 / deterministic : random / human person people 人工 真人 : bot robot
machine automatic 机器人 机器 / centre center 居中 : left right 靠左 靠右 / up : down / upgrade : downgrade 降级 回退 /
scaleup : scaledown / widen : narrow / most 多数 大部分 : least 少数 / more 更多 多 : less fewer 更少 / more above
exceed 超过 以上 : less fewer below under 低于 少于 以下 / high 高 : low 低 / higher 更高 : lower 更低 / narrow 窄 :
wide broad 宽 / specific 具体 : general generic 通用 笼统 / concrete 具体类 : abstract / old 旧 旧版 老 : new 新 新版 /
legacy 旧版 老版 : modern / attach 绑定 : detach 解绑 / mount : unmount
"""

# Characters that turn a Chinese word into its opposite where they begin it: 单线程 and 多线程, 内网 and 外网.
MORPHEMES_ZH = """
单 多 / 单 双 / 有 无 / 同 异 / 内 外 / 前 后 / 正 反 / 大 小 / 上 下 / 高 低 / 长 短 / 硬 软 / 强 弱 / 主 从 / 新
旧 / 新 老 / 升 降 / 增 减 / 开 关 / 进 出 / 入 出 / 左 右 / 公 私 / 早 晚 / 动 静 / 深 浅 / 冷 热 / 明 密 / 首 末 /
首 尾 / 含 免 / 加 减 / 收 发 / 收 退 / 快 慢 / 粗 细 / 横 竖 / 松 紧 / 宽 窄 / 显 隐 / 常 偶 / 逐 批
"""
# English words that turn into the opposite with this before them: supported and unsupported.
PREFIXES_EN = ("un", "non", "non-")

# Things of which a project takes one for a purpose: to choose one is to turn down the others.
RIVALS = """
npm pnpm yarn bun / pip poetry uv pipenv conda pdm / jest vitest mocha ava jasmine / pytest unittest nose / postgres
mysql sqlite mariadb oracle mongodb dynamodb sqlserver cockroachdb tidb cassandra clickhouse duckdb couchdb / redis
memcached hazelcast / kafka rabbitmq sqs nats pulsar rocketmq activemq kinesis pubsub zeromq 本地消息表 seata / rest
graphql grpc soap trpc thrift jsonrpc / react vue svelte angular solid preact jquery / next nuxt remix astro gatsby /
redux mobx zustand recoil jotai pinia vuex / webpack vite rollup parcel esbuild turbopack / eslint biome tslint oxlint
/ prettier biome dprint / black ruff yapf autopep8 flake8 pylint / mypy pyright pyre / merge rebase squash cherrypick /
snake_case camelcase kebab pascalcase snake camel pascal 下划线 短横线 中划线 帕斯卡 / github gitlab bitbucket gitea
gitee / jenkins circleci travis githubactions gitlabci teamcity drone buildkite / docker podman containerd / terraform
pulumi cloudformation ansible cdk / kubernetes nomad swarm ecs serverless / helm kustomize / aws gcp azure aliyun
腾讯云 华为云 heroku vercel netlify cloudflare / fastapi flask django starlette tornado sanic / express koa fastify
nest hono / axios fetch got ky superagent / moment dayjs luxon datefns / lodash ramda underscore / tailwind bootstrap
bulma / antd element vant mui chakra / sass less styled postcss / jwt session cookie apikey basicauth mtls / cookie
localstorage sessionstorage indexeddb / oauth saml ldap oidc / uuid autoincrement ulid snowflake identity nanoid 雪花 /
bcrypt argon2 scrypt pbkdf2 md5 sha1 / json yaml toml xml protobuf csv avro msgpack parquet ini / png jpeg webp avif
gif svg / markdown asciidoc restructuredtext / sequelize prisma typeorm drizzle knex / sqlalchemy peewee tortoise /
mybatis hibernate jpa jdbc / maven gradle bazel ant make / junit testng spock / log4j logback slf4j / zap logrus
zerolog slog / gin echo fiber chi / rspec minitest / cypress playwright selenium puppeteer / sentry datadog newrelic
rollbar bugsnag / prometheus influxdb graphite zabbix / elasticsearch opensearch meilisearch solr typesense algolia /
nginx caddy traefik apache haproxy envoy / s3 minio gcs oss cos / celery rq dramatiq / sidekiq resque / var let / const
let / css scss / less scss / yup zod joi ajv / threads asyncio processes / bash zsh fish powershell / python javascript
typescript java go rust ruby php kotlin swift scala elixir csharp cpp perl / monday tuesday wednesday thursday friday
saturday sunday / january february march april may june july august september / october november december / spring
quarkus micronaut / dubbo feign springcloud / svn git mercurial / scrum kanban waterfall / cents dollars / cents
decimal float double / 整数 浮点 / utc localtime beijingtime gmt est pst cet / iso timestamp epoch unixtime / rem px em
/ mb gb kb tb / celsius fahrenheit / metric imperial / kilometre mile / kilogram pound / euro dollar yuan / 单引号
双引号 反引号 / singlequote doublequote backtick / crlf lf / utf8 gbk latin1 utf16 utf8mb4 / trunk gitflow / squash
rebase mergecommit / semver calver / offset cursor keyset / polling websocket sse webhook longpolling / tcp udp quic /
ipv4 ipv6 / tcp http / ssr csr ssg / spa mpa / lru lfu fifo lifo / stack queue / serializable repeatableread
readcommitted snapshotisolation / advisorylock rowlock tablelock / debug info warn error fatal trace / patch put post /
get post / inner left right outer / row column / junior senior / english chinese german french japanese spanish / 中文
英文 / 短信 邮件 电话 推送 站内信 / slack teams discord dingtalk feishu wechat / jira linear trello asana / notion
confluence wiki sharepoint / figma sketch / stripe paypal adyen alipay wechatpay 微信支付 / 顺丰 圆通 中通 韵达
京东物流 / vault kms sealedsecrets envfile / cron airflow dagster prefect temporal / spark flink hive hadoop / dbt
informatica / tableau powerbi metabase superset / pytorch tensorflow jax / langchain llamaindex / swagger postman
apifox / consul etcd zookeeper eureka nacos apollo / monolith microservices serverless / table list grid card / modal
drawer popover tooltip toast / skeleton spinner / 红色 绿色 蓝色 黄色 灰色 橙色 / red green blue yellow amber grey
orange / seconds milliseconds microseconds nanoseconds / 周一 周二 周三 周四 周五 周六 周日 / 月初 月中 月底 / 早上
中午 下午 晚上 凌晨 / 原路退回 退到余额 / winter summer spring autumn / major minor / alpha beta stable / debian ubuntu
alpine centos / arm amd64 / linux windows macos / vim emacs vscode intellij / hdd ssd / lease lock / uppercase
titlecase lowercase / singleton multiton / camera file / 支付成功 下单 / 下单时 付款时 发货时 收货时 / checkout
shipment delivery / 按人 按天 按次 按量 包年 包月 / plaintext html pdf markdown word excel / url header / 401 403 404 /
thread process coroutine / signature checksum / token password certificate biometrics / link button / dropdown radio
checkbox / accordion tabs / top bottom sidebar / hourly daily weekly monthly quarterly yearly / 每小时 每天 每周 每月
每季度 每年 / singlethread multithread / mit apache gpl lgpl agpl bsd mpl / winston pino bunyan / loguru structlog /
gorm ent sqlx sqlc / husky lefthook precommit / turborepo nx lerna rush / istio linkerd / grafana kibana / jaeger
zipkin tempo / okta auth0 keycloak / argo flux / kong apisix / swiftui uikit / tailwind cssmodules styledcomponents /
phpunit pest / mockito easymock / tags branches / mainline fork / sum maximum average median
"""

# Where something holds: in a scene two of a group are different places, and both rules hold.
SCOPES = """
production staging development test sandbox preview local uat qa / 生产 测试 压测 预发 开发 沙箱 演示 灰度 / ios
android web desktop mobile tablet watch miniprogram 小程序 网页端 电脑端 h5 / frontend backend mobile infrastructure
客户端 运维 / free pro enterprise personal premium trial basic 免费版 专业版 企业版 个人版 试用版 标准版 旗舰版 / eu us
uk china europe america asia apac emea overseas 港澳台 / 华东 华北 华南 西北 西南 东北 华中 / germany france japan
singapore / 北京 上海 广州 深圳 杭州 成都 新加坡 香港 / new existing old returning 新用户 老用户 / b2b b2c consumer
business / wholesale retail 批发 零售 / admin public customer partner internal anonymous intern contractor guest senior
junior 普通用户 会员 员工 商家 买家 实习生 / orders payments users inventory shipping billing search catalogue pricing
notifications ledger / 订单 支付 用户 库存 物流 账单 搜索 商品 营销 推荐 消息 结算 / docs backend / unit integration
endtoend / 单元测试 集成测试 端到端测试 / request response / input output / upload download / import export / create
update delete / insert select / main develop release feature hotfix / major minor patch / 微信 支付宝 / access refresh
/ python javascript typescript java go rust ruby php kotlin swift markdown sql html css shell yaml / header body footer
/ fresh frozen electronics clothing 生鲜 家电 服装 数码 图书 / food alcohol / domestic international 国内 国际
"""
