"""Words that governance takes for one another beyond the glossary, and names of several words, as data.

In `SYNONYMS` the first word of a group stands for all; English words stand as people write them. These words are near
enough to each other to compare two rules about one situation, though not to search with: that is the glossary's part.
"""

from __future__ import annotations

import re

SYNONYMS = """
discard drop 丢弃 丢掉 扔掉 抛弃 / save store persist 存储 存放 / choose pick select 挑选 / use adopt utilise utilize
leverage 采用 利用 运用 / validate verify 检验 核对 校验 验证 / remove delete erase purge wipe strip eliminate 去掉
移除 清除 / keep retain preserve maintain 留存 留着 / send emit dispatch deliver forward 发出 发给 / invoke 调用 /
fetch retrieve obtain load 取得 拿到 / create generate produce construct / change modify alter edit amend 改动 / add
append attach 加上 附上 外加 / start begin boot startup / finish complete end conclude 结束 完成 / halt terminate cease
停止 终止 / show display present render expose 呈现 暴露 露出 / hide conceal mask / redact obfuscate anonymise
anonymize sanitise 脱敏 打码 掩码 遮住 / reject refuse decline deny 驳回 / accept 接受 接收 / allow permit 准许 许可 /
require mandatory compulsory 要求 需要 必须 必填 强制 / ensure guarantee 保证 确保 / prevent block 阻止 / split divide
separate 拆开 分开 / merge combine join / fail crash failure 挂了 挂掉 出错 失败 / error fault problem / outage
unavailable 不可用 / slow sluggish 缓慢 / fast quick rapid / big large huge 巨大 / small tiny little / old stale
outdated legacy obsolete 过时 陈旧 / new fresh / employee staff colleague coworker 员工 / user customer 客户 顾客 /
developer engineer programmer 开发者 程序员 / manager 主管 负责人 / owner maintainer 维护者 / admin administrator /
everyone anyone anybody everybody 任何人 所有人 人人 全员 / reviewer approver 评审人 审批人 / approval approve signoff
consent 同意 审批 批准 / review inspect 审核 / pr pullrequest mergerequest mr 合并请求 / repo repository codebase
代码库 / ci pipeline buildserver / deploy release ship launch golive rollout publish deployment 上线 / branch 分支 /
commit checkin checkedin 入库 / ticket issue / documentation docs doc / comment remark 备注 / config configuration
setting option 配置项 / secret credential password 凭证 凭据 / environment env / variable var / function method routine
/ class 类型 / library dependency package lib 第三方库 第三方包 软件包 / thirdparty external foreign vendor 第三方 外部
厂商 / folder directory / file 文件 / image picture photo / avatar 头像 / icon 图标 / colour color / text wording
string 文案 文字 文本 / name 名称 名字 标题 / naming named 取名 起名 命名 / identifier id 编号 标识 / number digit 数字
/ amount total sum 合计 总共 / price cost fee charge / money currency / unpaid 未支付 未付款 没付款 没支付 未付 / pay
payment paid 付钱 付完钱 / buy purchase 下单 / refund reimburse 退回 / invoice bill / discount reduction / coupon
voucher promo / deduct subtract reduce decrease 扣减 扣除 减库存 扣库存 / increase raise grow 增加 / stock inventory /
goods product item merchandise 货物 商品 / parcel shipment shipping / 发货 配送 / warehouse depot / shop 商店 门店 /
basket cart / table 数据表 / row record / column field property attribute / query 查询 / index 索引 / primary 主库 /
replica secondary slave readreplica 从库 只读库 / transaction 事务 / lock mutex / backup 备份 / response answer reply
应答 回复 答复 响应 / endpoint api interface 接口定义 / caller consumer 调用方 客户端 / header 响应头 / payload 报文
请求体 / parameter param / token jwt / session 会话 / login signin authenticate / timeout 超时 / retry reattempt /
limit cap ceiling threshold quota maximum max / minimum floor 下限 min / rate frequency 频率 / lifetime ttl expiry
validity duration expiration expire lapse 有效期 过期时间 时效 失效 / retention 保留期 保留时间 / window 期限 期间 /
schedule timetable 排期 / timezone tz / date 日期 / time 时间 / timestamp 时间戳 / now 当前 / daily everyday nightly
每日 / weekly 每周 / night 夜里 / log logging logs / trace tracing / metric measurement / alert alarm / notify inform
announce 告知 说一声 / monitor observe / dashboard 大盘 / incident 故障 / rollback revert undo goback / fallback
degrade degradation / test spec testcase 用例 / coverage 覆盖率 / mock stub / real genuine actual 真实 真的 真正 /
fixture 测试数据 夹具 / flaky unstable 不稳定 偶发 / bug defect / fix repair resolve mend 解决 / refactor rewrite /
optimise optimize / performance speed 速度 / memory ram heap / oom outofmemory 内存溢出 内存不足 / disk storage / cpu
processor 处理器 / unused dead orphan 未使用 没用 没用到 / duplicate redundant repeated / empty blank 空行 / missing
absent lacking 缺少 / unknown unrecognised unrecognized 未知 不认识 / background job worker task 后台任务 / cron
scheduled / queue 队列 / batch chunk bulk 分批 / realtime 实时 / idempotent repeatable 重复执行 idempotency / resume
resumable continue 继续 断点续传 restore recovery recover / paginate paged pagination / cursor 游标 / sort sorting /
filter 过滤 / search find 查找 / screen view page 视图 页面 / button 按钮 / dialog modal popup / form 表单 / input 输入
/ menu 菜单 / mobile phone 手机 / server backend / browser 浏览器 / frontend web 网页 / desktop pc 电脑 桌面端 / app
application / website site 网站 / production prod 生产 生产环境 线上 / staging preprod 预发环境 / development dev
开发环境 / testenvironment testenv 测试环境 / network internet / connection 连接 / port 端口 / host 机器 / container
pod 容器 / cluster 集群 / node 节点 / constant 常量 / literal magic 字面量 / exception 异常 / catch handle 捕获 / throw
抛出 / swallow suppress silence 吞掉 静默 quiet silent / convention rule guideline standard policy principle 规定 /
reason why cause rationale 原因 理由 为什么 / explain justify describe 说明 执行计划 / first initially beforehand 首先
/ before prior ahead 之前 以前 事先 改之前 / after once following 之后 以后 / always invariably consistently 始终 总是
一律 永远 / every each per 每个 / all entire 全部 所有 whole 整个 / some several 一些 几个 / both 两者 / only solely
exclusively 只有 仅 只能 仅限 / separately individually alone 单独 独立 逐个 / together jointly 一起 一并 / directly
straight 直接 / automatically auto automatic / manually manual handmade 人工 / immediately instantly atonce
straightaway rightaway 立即 立刻 马上 / later eventually afterwards 稍后 / active actively 主动 / early 提前 尽早 /
explicit explicitly 显式 明确 / public 公开 / private 私有 / internal inhouse / personal 个人 / sensitive confidential
敏感 机密 / secure safe / encrypt cipher encryption / hash digest 散列值 / plain plaintext cleartext 明文 / compress
zip / upload submit / download 下载 / import 导入 / export 导出 / contain 包含 / exclude omit 排除 / skip bypass 跳过
略过 / ignore disregard 无视 / wrap encapsulate 封装 / inject injection 注入 注入攻击 / extract 提取 抽取 抽成 /
compose composition 组合 / inherit inheritance extend / override 重写 / clone 复制 / rename 改名 / move relocate
migrate migration 变更脚本 / suggest suggestion offer propose recommend recommendation 建议 推荐 提供 / alternative
other 其他 别的 / autocomplete typeahead 联想 / translate translation localise localize 译文 / lockfile 锁文件 /
manifest 清单 清单文件 / asterisk wildcard 星号 通配符 / underscore 下划线 / quote 引号 / uppercase capital 大写 /
lowercase 小写 / decimal fraction 小数位 / integer 整数 / 取整 rounding / half 一半 / average 平均 / percent percentage
ratio 比例 占比 / euro eur / dollar usd / yuan rmb cny 元 / quickly soon 尽快 / twofactor 2fa mfa twostep 双因素
双重验证 第二重验证 / sso singlesignon 单点登录 / permission privilege access 访问权限 / replace substitute swap 取代 /
upgrade bump / install setup / uninstall 卸载 / cancel abort 作废 / close shut / stdout 标准输出 / stderr 标准错误 /
exponential exponentially 指数 / backoff 退避 / jitter 抖动 / virus malware 病毒 扫毒 / example sample 示例 样例 例子 /
domain origin 来源 / whitelist allowlist allowlisted 白名单 / blacklist denylist blocklist 黑名单 / subtitle 副标题 /
attachment 附件 / signature 签名 / watermark 水印 / thumbnail 缩略图 / placeholder 占位 占位符 / tooltip 提示 / warning
warn / severity 严重级别 / priority urgency 紧急程度 / urgent emergency critical 紧急 / deadline 截止日期 截止 /
milestone 里程碑 / holiday vacation 请假 / weekday workday 工作日 / weekend 周末 / morning 早上 上午 / afternoon 下午 /
evening 傍晚 / midnight 凌晨 / peak 高峰 高峰期 / offpeak 低峰 低峰期 / meeting 会议 例会 / standup 站会 早会 / minutes
纪要 会议纪要 / agenda 议程 / handover 交接 / oncall 值班 / shift 班次 / escalate 升级上报 上报 / report 汇报 /
interview 面试 / candidate 候选人 / onboarding 入职 / resign 离职 / training 培训 / budget 预算 / contract 合同 / legal
法务 / finance 财务 / auditor audit / compliance 合规 / courier rider / carrier 承运商 / address 地址 / supplier 供应商
/ merchant seller 卖家 / buyer 买家 / member 会员 / points 积分 / balance 余额 / wallet 钱包 / deposit 定金 / tax vat
增值税 / commission 佣金 / settlement 结算 / reconcile 对账 / withdraw 提现 / topup recharge 充值 / gift 礼品 / bundle
套餐 / campaign activity 活动 / lottery 抽奖 / flashsale 秒杀 / presale 预售 / livestream 直播 / complaint 投诉 /
feedback 反馈 / nickname 昵称 / profile 个人资料 / idcard 身份证 / gender 性别 / birthday 生日 / minor underage
未成年人 / guest visitor 游客 访客 / anonymous 匿名 / decrypt 解密 / certificate 证书 / firewall 防火墙 / vulnerability
漏洞 / attack 攻击 / phishing 钓鱼 / leak leaked / rotate rotation 轮换 更换 定期更换 / throttle ratelimit 限流 /
circuitbreaker 熔断 / loadbalancer 负载均衡 / gateway 网关 / proxy 代理 / cdn 加速 / dns 域名解析 / heartbeat 心跳 /
healthcheck 健康检查 / shard sharding 分库分表 分表 / partition 分区 / failover 切换 / snapshot 快照 / archive 归档 /
dump 导出数据 / seed 初始数据 / foreignkey 外键 / primarykey 主键 / constraint 约束 / nullable 可空 可为空 / default
默认值 / unique 唯一 / charset 字符集 / collation 排序规则 / autoincrement 自增 / enum 枚举 / boolean 布尔 / schema
结构 / ddl 表结构变更 结构变更 / trigger 触发器 / procedure 存储过程 / slowquery 慢查询 / thread 线程 / threadpool
线程池 / process 进程 / coroutine 协程 / connectionpool pool / deadlock 死锁 / race 竞态 / blocking 阻塞 / memoryleak
内存泄漏 / gc 垃圾回收 / compile 构建 / artifact 产物 构建产物 制品 / tag 标签 / version 版本号 / changelog 变更日志 /
releasenotes 发布说明 / hotfix 紧急修复 / canary 灰度 / bluegreen 蓝绿 / featureflag flag toggle 功能开关 特性开关 /
experiment abtest / localhost 本地 / sandbox 沙箱 / mirror 镜像源 / registry 私服 制品库 / lint linter 静态检查 /
format formatting formatter / indent indentation 缩进 / newline 换行 / semicolon 分号 / comma 逗号 / bracket 括号 /
camelcase 驼峰 小驼峰 / pascalcase 大驼峰 / snake_case 下划线命名 / prefix 开头 / suffix 结尾 / abbreviation 缩写 /
plural 复数 / singular 单数 / abstract 抽象 / decorator 装饰器 / hook 钩子 / callback 回调 / webhook 回调通知 / event
埋点 / listener 监听 / subscribe 订阅 / producer 生产者 / deadletter 死信 / offset 位移 / backlog 积压 / topic 主题 /
dedupe deduplicate deduplication 去重 / requestid 请求号 请求编号 / traceid 链路编号 / serial 流水号 / checksum 校验和
/ captcha 验证码 / otp 一次性密码 动态口令 / cookie cookies / cors crossorigin / csrf 跨站请求伪造 / xss 跨站脚本 /
statuscode 状态码 / errorcode 错误码 / errormessage 错误信息 报错信息 / stacktrace 堆栈 / redirect 重定向 跳转 /
descending 倒序 降序 / ascending 正序 升序 / fuzzy 模糊 / exact 精确 / fulltext 全文 / keyword 关键词 / hot trending
热门 热搜 / skeleton 骨架屏 / spinner 加载动画 转圈 / toast 轻提示 / drawer 抽屉 / tab 标签页 / carousel 轮播 /
lazyload lazy 懒加载 / preload 预加载 / responsive 响应式 / darkmode 深色模式 / theme 主题色 / font 字体 /
accessibility a11y 无障碍 / i18n internationalization 国际化 / locale 语言 / precision 精度 / unit 单位 / unittest
单元测试 单测 / integrationtest 集成测试 / e2e endtoend 端到端 / regression 回归 / smoke 冒烟 冒烟测试 / loadtest 压测
压力测试 / assertion 断言 / codereview 代码评审 / pairprogramming 结对 结对编程 / techdebt 技术债 / deprecated 弃用 /
todo 待办 / spike 调研 / prototype 原型 / poc 验证原型 / demo 演示 / acceptance 验收 / partial 部分 / quantity 数量 /
interval 间隔 / concurrency 并发 / throughput 吞吐 / visible 可见 / hidden 不可见 / readonly 只读 / writable 可写 /
temporary 临时 / permanent 永久 / latest newest 最新 / earliest oldest 最早 / previous 上一个 上一次 / next 下一个
下一次 / standardlibrary stdlib 标准库 / opensource 开源 / license licence / selfhosted 自建 / cloud 云端 / onpremise
私有化 / datacenter 机房 / region 区域 / zone 可用区
"""

# Words that share their stem with a word above and do not mean what it means.
APART = """
general generally generic generator important importance custom customize customized engine even evenly good
information informative terminal terminator serialize serializer serialization stage initial initialize initializer
initialization intern original originally optional optionally person util utility publication except point minute
local locally manage managed perform follow literate descendant collate activate activation combination continuation
functional functionality measure applicable presentation miss word set invariant rating merchantability
conventional useful news
"""

# Names of several words, and signs that stand for a word; written together they are one word to compare.
NAMES = tuple(
    (re.compile(pattern, re.IGNORECASE), name)
    for pattern, name in (
        (r"\bgoogle cloud(?: platform)?\b|谷歌云", " gcp "),
        (r"\bamazon web services\b|亚马逊云", " aws "),
        (r"\b(?:alibaba|ali) ?cloud\b|阿里云", " aliyun "),
        (r"\bgithub actions\b", " githubactions "),
        (r"\bgitlab[ -]ci\b", " gitlabci "),
        (r"\bsql server\b", " sqlserver "),
        (r"\bpostgre ?sql\b", " postgres "),
        (r"\bspring cloud\b", " springcloud "),
        (r"\bdate-fns\b", " datefns "),
        (r"\bcss[ -]modules?\b", " cssmodules "),
        (r"\bstyled[ -]components?\b", " styledcomponents "),
        (r"\bapache[ -]2(?:\.0)?\b", " apache "),
        (r"\bunit[ -]tests?\b", " unittest test "),
        (r"\bintegration[ -]tests?\b", " integrationtest test "),
        (r"\bload[ -]tests?\b", " loadtest test "),
        (r"\brate[ -]limit(?:s|ed|ing|er)?\b", " ratelimit "),
        (r"\bcode[ -]reviews?\b", " codereview "),
        (r"\bfeature[ -](?:flag|toggle)s?\b", " featureflag "),
        (r"\bconnection[ -]pools?\b", " connectionpool "),
        (r"\bhealth[ -]checks?\b", " healthcheck "),
        (r"\b(?:pull|merge) requests?\b|合并请求", " PR "),
        (r"\bmerge commits?\b", " mergecommit "),
        (r"\b(?:auto|automatic)[ -]?increment(?:ed|ing)?\b|自增(?:主键|ID)?", " autoincrement "),
        (r"\blocal storage\b", " localstorage "),
        (r"\b(?:read[ -])?only replicas?\b|\bread[ -]replicas?\b", " replica "),
        (r"\bsnake[ _-]case\b", " snake_case "),
        (r"\bcamel[ _-]?case\b", " camelcase "),
        (r"\bpascal[ _-]?case\b", " pascalcase "),
        (r"\bkebab[ _-]case\b", " kebab "),
        (r"\btwo[ -]factor(?: auth\w*)?\b|\bsecond factor\b", " twofactor "),
        (r"\b(?:third|3rd)[ -]part(?:y|ies)\b", " thirdparty "),
        (r"\bon[ -]prem(?:ises?)?\b|\bself[ -]host(?:ed|ing)?\b", " selfhosted "),
        (r"\bin[ -]house\b", " inhouse "),
        (r"\bopt(?:s|ed|ing)?[ -]in\b", " optin "),
        (r"\bopt(?:s|ed|ing)?[ -]out\b", " optout "),
        (
            r"\b(?:turn|switch|flip)(?:s|ed|ing)?(?: \w+)?[ -]on\b|\b(?:is|are|stays?) on\b|\bon by default\b",
            " enabled ",
        ),
        (
            r"\b(?:turn|switch|flip)(?:s|ed|ing)?(?: \w+)?[ -]off\b|\b(?:is|are|stays?) off\b|\boff by default\b",
            " disabled ",
        ),
        (r"默认(?:打开|开启|启用|开)|全部打开", " enabled "),
        (r"默认(?:关闭|不开|禁用|关)|全部关闭", " disabled "),
        (r"\bon[ -]demand\b", " ondemand "),
        (r"\breal[ -]?time\b", " realtime "),
        (r"\bnear[ -]real[ -]?time\b", " realtime "),
        (r"\bby hand\b|\bhand[ -]written\b", " manually "),
        (
            (
                r"\bone (?:by one|at a time|after (?:the other|another))\b"
                r"|\bper (?:line|item|row|record|message)\b|\bline by line\b"
            ),
            " onebyone ",
        ),
        (r"\b(?:all )?at once\b|\bin one go\b", " atonce "),
        (r"\bright away\b|\bstraight away\b|\bas soon as possible\b", " immediately "),
        (r"\b(?:roll|fix)(?:s|ed|ing)?[ -]forward\b|只?向前修复", " rollforward "),
        (r"\b(?:roll|go|fall)(?:s|ed|ing|ling)?[ -]back to\b", " rollback "),
        (r"\b(?:hard|physical)(?:ly)?[ -]delet\w+", " hard delete "),
        (r"\b(?:soft|logical)(?:ly)?[ -]delet\w+", " soft delete "),
        (r"\bblue[ -/]green\b", " bluegreen "),
        (r"\bbig[ -]bang\b", " bigbang "),
        (r"\b(?:no|without|zero) downtime\b", " zerodowntime "),
        (r"\bfail[ -]fast\b", " failfast "),
        (r"\bgive up\b", " giveup "),
        (r"\boff[ -]peak\b", " offpeak "),
        (r"\btime ?zones?\b", " timezone "),
        (r"\b(?:beijing|china standard) time\b|北京时间|东八区|asia/shanghai", " beijingtime "),
        (r"\blocal time\b|本地时间|当地时间", " localtime "),
        (r"\b(?:unix|epoch) (?:time(?:stamp)?s?|seconds)\b", " epoch "),
        (r"\bround(?:s|ed|ing)? up\b", " roundup "),
        (r"\bround(?:s|ed|ing)? down\b", " rounddown "),
        (r"\bhalf[ -](?:to[ -])?even\b|\bbankers?['’]?s? rounding\b", " halfeven "),
        (r"\bhalf[ -]up\b", " halfup "),
        (r"\b(?:single|one) quotes?\b", " singlequote "),
        (r"\bdouble quotes?\b", " doublequote "),
        (r"\btitle[ -]case\b", " titlecase "),
        (r"\ball[ -]caps\b|\bupper[ -]case\b|\bcapital letters?\b", " uppercase "),
        (r"\blower[ -]case\b", " lowercase "),
        (
            r"\bno limits?\b|\bwithout (?:a |any )?limits?\b|\bunrestricted\b|不设?限制?(?!于)|无上限|没有上限",
            " unlimited ",
        ),
        (
            (
                r"\b(?:anyone|anybody|everyone|everybody)\b|\bany \w+(?: on call)? (?:may|can)\b"
                r"|任何人都?|谁都|所有人都?|人人都?"
            ),
            " everyone ",
        ),
        (r"\bonly (?:the )?[\w-]+(?: [\w-]+)? (?:may|can|is allowed|are allowed)\b", r" onlysome \g<0> "),
        (r"只有(?=.{1,12}(?:能|可以|可|才))|仅限", " onlysome "),
        (r"\bread[ -]only\b", " readonly "),
        (r"\bthe same\b|\bone shared\b|同一个?", " shared "),
        (r"\b(?:its|their|his|her|your|our) own\b|各自的?", " dedicated "),
        (r"\bmulti[ -]?thread\w*|多线程", " multithread "),
        (r"\bsingle[ -]?thread\w*|单线程", " singlethread "),
        (r"\bas usual\b", " asusual "),
        (r"\bgo(?:es|ing)? live\b", " golive "),
        (r"任何(?:一个)?\S{0,4}?都?(?=可以|能)", " everyone "),
        (r"(?<=\w )alone\b|只能由|仅由|必须由|只由", " onlysome "),
        (r"\b(?:start|begin)(?:s|ning|ing)? with\b", " prefix "),
        (r"\bend(?:s|ing)? (?:in|with)\b", " suffix "),
        (r"\bcheck(?:s|ed|ing)? in(?:to)?\b", " commit "),
        (
            (
                r"\bonly (?:the )?(?:\w+ )?"
                r"(?:users?|accounts?|customers?|admins?|engineers?|members?|people|employees?|teams?)\b"
            ),
            r" onlysome \g<0> ",
        ),
        (r"\b(?:is|are) enough\b|\bsuffices?\b|就够了?", " "),
    )
)
