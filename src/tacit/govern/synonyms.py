"""Words that governance takes for one another beyond the glossary, and names of several words, as data.

In `SYNONYMS` the first word of a group stands for all; English words stand as people write them. These words are near
enough to each other to compare two rules about one situation, though not to search with: that is the glossary's part.
"""

from __future__ import annotations

import re

SYNONYMS = """
discard drop 丢弃 丢掉 扔掉 抛弃 / save store persist 保存 存储 存放 / choose pick select 选择 选用 挑选 / use adopt utilise utilize
leverage 使用 采用 利用 运用 / validate verify 校验 验证 检验 核对 / remove delete erase purge wipe strip eliminate 删除 删掉 去掉 移除 清除 /
keep retain preserve maintain 保留 留存 留着 / send emit dispatch deliver forward 发送 发出 发给 / invoke 调用 / fetch retrieve
obtain load 获取 取得 拿到 / create generate produce construct 创建 生成 新建 / change modify alter edit amend 修改 更改 变更 改动 / add
append attach 添加 加上 新增 附上 外加 / start begin launch boot startup 启动 开始 / finish complete end conclude 结束 完成 / halt
terminate cease 停止 终止 / show display present render expose 展示 显示 呈现 暴露 露出 / hide conceal mask 隐藏 / redact obfuscate
anonymise anonymize sanitise 脱敏 打码 掩码 遮住 / reject refuse decline deny 拒绝 驳回 / accept 接受 接收 / allow permit 允许 准许 许可 /
require mandatory compulsory 要求 需要 必须 必填 强制 / ensure guarantee 保证 确保 / prevent block 防止 阻止 / split divide separate
拆分 拆开 分开 / merge combine join 合并 / fail crash failure 失败 挂了 挂掉 出错 / error fault problem 错误 报错 / outage unavailable
宕机 不可用 / slow sluggish 缓慢 太慢 / fast quick rapid 快速 / big large huge 巨大 / small tiny little / old stale outdated
legacy obsolete 过时 / new fresh / employee staff colleague coworker 员工 同事 / user customer 用户 客户 顾客 / developer
engineer programmer 开发者 程序员 工程师 / manager 经理 主管 负责人 / owner maintainer 维护者 / admin administrator 管理员 / everyone
anyone anybody everybody 任何人 所有人 人人 全员 / reviewer approver 评审人 审批人 / approval approve signoff consent 审批 批准 同意 /
review inspect 评审 审查 审核 / pr pullrequest mergerequest mr 合并请求 / repo repository codebase 仓库 代码库 / ci pipeline
buildserver 流水线 / deploy release ship rollout publish deployment 部署 发布 上线 发版 / branch 分支 / commit checkin checkedin
提交 入库 / ticket issue 工单 / documentation docs doc 文档 / comment remark 注释 备注 / config configuration setting option 配置
设置 配置项 / secret credential password 密钥 凭证 凭据 / environment env 环境 / variable var 变量 / function method routine 函数 方法
/ class 类型 / library dependency package lib 依赖 类库 第三方库 第三方包 软件包 / thirdparty external foreign vendor 第三方 外部 / folder
directory 目录 文件夹 / file 文件 / image picture photo 图片 照片 / avatar 头像 / icon 图标 / colour color 颜色 / text wording string
文案 文字 文本 / name 名称 名字 标题 / naming named 命名 取名 起名 / identifier id 编号 标识 / number digit 数字 / amount total sum 金额 总额 合计
/ price cost fee charge 价格 费用 / money currency / unpaid 未支付 未付款 没付款 没支付 未付 / pay payment paid 支付 付款 付钱 付完钱 / buy purchase 购买 下单 / refund
reimburse 退款 退回 / invoice bill 账单 发票 / discount reduction 折扣 优惠 / coupon voucher promo 优惠券 / deduct subtract reduce
decrease 扣减 扣除 减少 减库存 扣库存 / increase raise grow 增加 提高 / stock inventory 库存 / goods product item merchandise 商品 货物 /
parcel shipment 包裹 / 发货 配送 / warehouse depot / shop 商店 门店 / basket cart 购物车 / table 数据表 / row record 记录 / column
field property attribute 字段 属性 / query 查询 / index 索引 / primary 主库 / replica secondary slave readreplica 从库 副本 只读库 /
transaction 事务 / lock mutex / backup 备份 / response answer reply 响应 返回 应答 / endpoint api interface 接口 端点 / caller
consumer 调用方 客户端 / header 请求头 / payload 报文 请求体 / parameter param 参数 / token jwt 令牌 / session 会话 / login signin
authenticate 登录 登陆 / timeout 超时 / retry reattempt 重试 / limit cap ceiling threshold quota maximum 上限 限制 阈值 / minimum
floor 下限 / rate frequency 频率 速率 / lifetime ttl expiry validity duration expiration 有效期 过期时间 时效 / retention 保留期 保留时间
/ window 期限 期间 / schedule timetable 排期 / timezone tz 时区 / date 日期 / time 时间 / timestamp 时间戳 / now 当前 / daily
everyday nightly 每天 每日 / weekly 每周 / night 夜里 夜间 晚上 / log logging logs 日志 / trace tracing 链路 / metric measurement 指标
/ alert alarm 告警 报警 / notify inform announce 通知 告知 说一声 / monitor observe 监控 / dashboard 大盘 看板 / incident 事故 故障 /
rollback revert undo goback 回滚 回退 / fallback degrade 降级 兜底 / test spec testcase 测试 用例 / coverage 覆盖率 / mock stub
fake 模拟 打桩 / real genuine actual 真实 真的 真正 / fixture 测试数据 / flaky unstable 不稳定 偶发 / bug defect 缺陷 / fix repair
resolve mend 修复 解决 / refactor rewrite 重构 / optimise optimize 优化 / performance speed 性能 速度 / memory ram heap 内存 / oom
outofmemory 内存溢出 内存不足 / disk storage 磁盘 / cpu processor 处理器 / unused dead orphan 未使用 没用 / duplicate redundant
repeated 重复 / empty blank 为空 / missing absent lacking 缺失 缺少 / unknown unrecognised unrecognized 未知 不认识 / background
async job worker task 后台任务 任务 / cron scheduled 定时任务 / queue 队列 / batch chunk bulk 批量 分批 / realtime 实时 / idempotent
repeatable 幂等 重复执行 / resume resumable continue 继续 恢复 断点续传 / paginate paged pagination 分页 / cursor 游标 / sort 排序 /
filter 过滤 筛选 / search find 搜索 查找 / screen view 页面 屏幕 / button 按钮 / dialog modal popup 弹窗 对话框 / form 表单 / input 输入 /
menu 菜单 / mobile phone 手机 移动端 / server backend 服务端 后端 / browser 浏览器 / frontend web 前端 网页 / desktop pc 电脑 桌面端 / app
application 应用 / website site 网站 / production prod 生产 生产环境 线上 / staging preprod 预发 预发环境 / development dev 开发环境 /
testing 测试环境 / network internet 网络 / connection 连接 / port 端口 / host 主机 机器 / container pod 容器 / cluster 集群 / node 节点
/ constant 常量 / literal magic 字面量 / exception 异常 / catch handle 捕获 处理 / throw 抛出 / swallow suppress silence 吞掉 静默 /
convention rule guideline standard policy principle 约定 规范 规则 规定 / reason why cause rationale 原因 理由 为什么 / explain
justify describe 解释 说明 / first initially beforehand 首先 / before prior ahead 之前 以前 事先 改之前 / after once following 之后
以后 / always invariably consistently 始终 总是 一律 永远 / every each per 每个 / all entire 全部 所有 / some several 一些 几个 / both
两者 / only solely exclusively 只有 仅 只能 仅限 / separately individually alone 单独 独立 逐个 / together jointly 一起 一并 / directly
straight 直接 / automatically auto automatic 自动 / manually manual handmade 手动 手工 人工 / immediately instantly atonce
straightaway rightaway 立即 立刻 马上 / later eventually afterwards 稍后 / active actively 主动 / early 提前 尽早 / explicit explicitly 显式 明确 / public
公开 / private 私有 / internal inhouse 内部 / personal 个人 / sensitive confidential 敏感 机密 / secure safe 安全 / encrypt cipher
加密 / hash digest 哈希 散列 散列值 / plain plaintext cleartext 明文 / compress zip 压缩 / upload submit 上传 / download 下载 /
import 导入 / export 导出 / contain 包含 / exclude omit 排除 / skip bypass 跳过 略过 / ignore disregard 忽略 无视 / wrap encapsulate
封装 / inject 注入 / extract 提取 抽取 抽成 / compose composition 组合 / inherit inheritance extend 继承 / override 重写 / clone 复制
/ rename 改名 / move relocate migrate 移动 迁移 / suggest offer propose recommend 建议 推荐 提供 / alternative other 其他 别的 /
suggestion recommendation / translate translation localise localize 翻译 / lockfile 锁文件 / manifest 清单 清单文件 / asterisk
wildcard 星号 通配符 / underscore 下划线 / quote 引号 / uppercase capital 大写 / lowercase 小写 / decimal fraction 小数 / integer 整数
/ 取整 舍入 / half 一半 / average 平均 / percent percentage 百分比 / euro eur / dollar usd / yuan rmb cny 元 / quickly soon 尽快 /
twofactor 2fa mfa twostep 双因素 双重验证 第二重验证 / sso singlesignon 单点登录 / permission privilege access 权限 访问权限 / replace
substitute swap 替换 取代 / upgrade bump 升级 / install setup 安装 / uninstall 卸载 / expire lapse 过期 失效 / cancel abort 取消 作废
/ close shut 关闭
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
        (r"\b(?:turn|switch|flip)(?:s|ed|ing)?(?: \w+)?[ -]on\b|\b(?:is|are|stays?|default) on\b|\bon by default\b", " enabled "),
        (r"\b(?:turn|switch|flip)(?:s|ed|ing)?(?: \w+)?[ -]off\b|\b(?:is|are|stays?|default) off\b|\boff by default\b", " disabled "),
        (r"默认(?:打开|开启|启用|开)|全部打开", " enabled "),
        (r"默认(?:关闭|不开|禁用|关)|全部关闭", " disabled "),
        (r"\bon[ -]demand\b", " ondemand "),
        (r"\breal[ -]?time\b", " realtime "),
        (r"\bnear[ -]real[ -]?time\b", " realtime "),
        (r"\bby hand\b|\bhand[ -]written\b", " manually "),
        (r"\bone (?:by one|at a time|after (?:the other|another))\b|\bper (?:line|item|row|record|message)\b|\bline by line\b", " onebyone "),
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
        (r"\bno limits?\b|\bwithout (?:a |any )?limits?\b|\bunrestricted\b|不设?限制?(?!于)|无上限|没有上限", " unlimited "),
        (r"\b(?:anyone|anybody|everyone|everybody)\b|\bany \w+(?: on call)? (?:may|can)\b|任何人都?|谁都|所有人都?|人人都?", " everyone "),
        (r"\bonly (?:the )?[\w-]+(?: [\w-]+)? (?:may|can|is allowed|are allowed)\b", r" onlysome \g<0> "),
        (r"只有(?=.{1,12}(?:能|可以|可|才))|仅限", " onlysome "),
        (r"\b(?:is|are) enough\b|\bsuffices?\b|就够了?", " "),
    )
)
