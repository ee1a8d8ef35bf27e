"""Words of the trade that mean the same: English forms of one another, and Chinese terms for them."""

from __future__ import annotations

from functools import cache

from tacit.text.stem import stem

# So many letters of a word are in its stem too.
_BEGINNING = 2

# Each entry: English words, the first of which stands for all, then Chinese terms. Entries are divided by a slash.
# Taiwan's terms stand in simplified characters too, as all Chinese is read.
# Only words that can stand for one another in nearly every text of a software project; no word stands twice.
_SOFTWARE = """
algorithm 算法 / annotation 注解 / argument arg 入参 / array 数组 阵列 / assertion 断言
async asynchronous 异步 非同步
attribute 属性 / binary 二进制 / boolean bool 布尔 布林 / branch 分支 / bug defect 缺陷 漏洞
build 构建 编译 打包 建置
byte 字节 / cache 缓存 快取 / callback 回调 回呼 / character char 字符 / client 客户端 / clone 克隆 / closure 闭包
code 代码 源码 程式码 / comment 注释 / commit 提交 / compatible 兼容 / compile 编译器
component 组件 / compress 压缩 / concurrency 并发 / condition 条件
configuration config cfg 配置 设置 设定 / constant 常量 常数 / constructor 构造函数 / copy 拷贝 复制 / coroutine 协程
crash 崩溃 闪退 / daemon 守护进程 / deadlock 死锁 / debug debugger 调试 除错 / decimal 小数 / declare 声明
decode 解码 / decorator 装饰器 / default 默认 缺省 预设 / dependency 依赖 套件 / deprecated 弃用 废弃
deserialize 反序列化 / directory folder dir 目录 文件夹 资料夹 / duplicate 重复 / dynamic 动态 / encode 编码
endpoint 端点 / enum enumeration 枚举 / error 错误 报错 出错 / event 事件 / exception 异常 / executable 可执行
execute 执行 / expression 表达式 / extension 扩展 / field 字段 栏位 / file 文件 档案 / filter 过滤 筛选 / float 浮点
format 格式 格式化 / framework 框架 / function func 函数 函式 / garbage 垃圾回收 / generate 生成 / generic 泛型
global 全局 / hash 哈希 散列 / header 请求头 报文头 / heap 堆内存 / identifier 标识符
implement 实现 / import 导入 引入 汇入 / inherit 继承 / initialize init 初始化 / input 输入
install 安装 / instance 实例 / integer int 整数 整型 / interface 接口 介面 / interrupt 中断
iterate 迭代器 / lambda 匿名函数 / language 语言 / library lib 类库 / lint linter 代码检查 / list 列表
loop 循环 回圈 / memory 内存 记忆体 / merge 合并 / message msg 消息 讯息 / metadata 元数据 / method 方法
middleware 中间件
migration 迁移 / mock 模拟 打桩 / module 模块 模组 / mutex 互斥锁 / namespace 命名空间 / network 网络 网路
null nil 空值 空指针 / object 对象 物件 / optimize 优化 最佳化 / output 输出 / overflow 溢出 / override 重写 覆盖
parameter param 参数 / parse parser 解析 / password passwd 密码 口令 / path 路径 / pattern 模式
performance perf 性能 效能 / permission 权限 / plugin 插件 / pointer 指针 / port 端口 / prefix 前缀
process 进程 行程 处理程序
program 程序 程式 / protocol 协议 / proxy 代理 / pull 拉取 / push 推送 / query 查询 / queue 队列 伫列 / random 随机
recursive 递归 递回 / refactor 重构 / reference 引用 / regex regexp 正则 正规表示式 / repository repo 仓库
request 请求
response 响应 回应 / retry 重试 / return 返回 退货 回传 / rollback 回滚 回退 / router routing route 路由
runtime 运行时
schema 模式定义 表结构 / script 脚本 / sdk 开发包 / serialize 序列化 / server 服务器 服务端 伺服器
service 服务 / session 会话 / signature 签名 / singleton 单例 / socket 套接字 / sort 排序 / stack 堆栈
startup 启动 / static 静态 / string 字符串 字串 / struct 结构体 / suffix 后缀 / syntax 语法 / table 表格 资料表
template 模板 范本
thread 线程 执行绪 / timeout 超时 / timestamp 时间戳 / token 令牌 / transaction 事务 / type 类型 / upgrade 升级
url 网址 链接地址 / validate 校验 验证 / value 取值 / variable var 变量 变数 / vector 向量 / version 版本
virtual 虚拟 / warning 警告 / wrapper 封装 / zip 压缩包
"""
_SYSTEMS = """
access 访问 / alert alarm 告警 报警 / analytics 数据分析 / api 应用接口 / archive 归档 / audit 审计
authentication auth 认证 鉴权 / authorization 授权 / availability 可用性 / backend 后端
backup 备份 / bandwidth 带宽 频宽 / batch 批量 批处理 / benchmark 基准测试 / bottleneck 瓶颈 / broker 消息代理
browser 浏览器 / bucket 存储桶 / canary 灰度 金丝雀 / capacity 容量 / certificate cert 证书 / cleanup 清理
cluster 集群 丛集 / column 列名 / connection 连接 连线 / consistency 一致性 / constraint 约束
consumer 消费者 消费端 / container 容器 / cors 跨域 / cron 定时任务 / cursor 游标 / dashboard 看板 仪表盘
data 数据 资料 / database db 数据库 资料库 / datacenter 机房 / dataset 数据集 / delay 延时 / deploy 部署
development dev 开发 / disk 磁盘 硬盘 硬碟 / distributed 分布式 / dns 域名解析 / domain 域名 网域 / downtime 停机
encryption 加密 / decrypt 解密 / environment env 环境 / expire expiry 过期 / export 导出 汇出
failover 故障转移 主备切换 / failure 失败 故障 / fallback 降级 兜底 / firewall 防火墙 / frontend 前端 / gateway 网关
hotfix 热修复 / host 主机 / idempotent 幂等 / image 镜像 映像档 / incident 事故 / index indices 索引
infrastructure infra 基础设施 / ingress 入口 / insert 插入 写入 / isolation 隔离 / join 关联查询 / kernel 内核
kubernetes k8s kube / latency 延迟 时延 / leak 泄漏 泄露 / limit 限制 上限 / load 负载 / lock 锁定 加锁 锁住
log 日志 / login signin 登录 登陆 / logout signout 登出 退出登录 / metric 指标 / microservice 微服务
monitor 监控 / mount 挂载 / node 节点 / offline 离线 / operation ops 运维 / orchestration 编排
partition 分区 / patch 补丁 / persistent 持久化 / pipeline 流水线 / pool 连接池
postgres postgresql pg / primary 主库 主节点 / privilege 特权 / probe 探针 / producer 生产者
production prod 生产环境 线上 / publish 发布 / quota 配额 / rate 限流 速率 / readonly 只读 / rebuild 重建
record 记录 / region 地域 / registry 镜像仓库 注册中心 / release 发版 / replica 副本
replicate 主从复制 / reset 重置 / resource 资源 / restart 重启 / restore 恢复 / role 角色 / sandbox 沙箱
scale 扩容 缩容 / schedule 调度 / search 搜索 检索 搜寻 / secret 密钥 / security 安全 资安
shard 分片 / snapshot 快照 / ssl tls 安全连接 / staging 预发 / storage 存储 储存 / stream 流式
subscribe subscription 订阅 / sync 同步 / tenant 租户 / throttle 节流 / throughput 吞吐 / topic 主题
trace 链路 / traffic 流量 / trigger 触发 触发器 / tunnel 隧道 / uninstall 卸载 / upload 上传 / download 下载
vulnerability 安全漏洞 / warehouse 数仓 数据仓库 / webhook 回调通知 / websocket 长连接 / worker 工作进程
workflow 工作流
"""
_WORK = """
acceptance 验收 / accessibility 无障碍 / admin administrator 管理员 管理后台 / android 安卓 / animation 动画
app 应用 / approval 审批 批准 / architecture 架构 / avatar 头像 / button 按钮 / calendar 日历
changelog 更新日志 / checkbox 复选框 / click 点击 / colour color 颜色 / contract 合同 / convention 约定 惯例
coverage 覆盖率 / deadline 截止 期限 / decision 决定 决策 / demo 演示 / design 设计 / dialog modal 弹窗 对话框
document docs 文档 / draft 草稿 / dropdown 下拉 / email mail 邮件 邮箱 电子邮件 / emoji 表情 / estimate 估算
feature 功能 特性 / feedback 反馈 / flag toggle 开关 / font 字体 / form 表单 / guideline 规范 / homepage 首页
icon 图标 / integration 集成 / internal 内部 / issue ticket 工单 / iteration sprint 迭代 / keyboard 键盘
label tag 标签 / layout 布局 / legacy 遗留 / licence license 许可证 / link 链接 连结 / locale i18n 国际化
maintenance 维护 / manual 手册 / menu 菜单 / milestone 里程碑 / mobile 移动端 手机端 行动装置 / naming 命名
notification notify 通知 / onboarding 入职 / owner ownership 负责人 / page 页面 / pagination 分页
picture photo 图片 照片 / plan 计划 / platform 平台 / policy 策略 / popup 弹框 / principle 原则 / priority 优先级
privacy 隐私 / project 项目 专案 / proposal 提案 / render 渲染 / report 报表 报告 / requirement 需求
responsive 响应式 / review 评审 审查 / rule 规则 / screen 屏幕 萤幕 / screenshot 截图 / scroll 滚动
select 选择 / shortcut 快捷键 / sidebar 侧边栏 / standard 标准 / status state 状态 / style 样式 / submit 提交表单
support 支持 支援 / task 任务 / team 团队 / test 测试 / theme 主题色 / title 标题 / tooltip 提示框
translate 翻译 / tutorial 教程 / unit 单元 / user 用户 使用者 / widget 控件 / window 窗口 / analyst 分析师
engineer 工程师 / colleague 同事 / oncall 值班 / outage 宕机 / postmortem 复盘 / checklist 清单 / rename 重命名 改名
training 培训 / experiment 实验 / model 模型 / prompt 提示词 / embedding 词向量 / threshold 阈值 / accuracy 准确率
"""
_TRADE = """
account 账号 账户 帐号 / activity 活动 / address 地址 / age 年龄 / agreement 协议书 / amount 金额 / balance 余额
bank 银行 / bill 账单 / billing 计费 / brand 品牌 / budget 预算 / cancel 取消 / cart basket 购物车
catalog catalogue 商品目录 / category 类目 分类 / channel 渠道 / charge 扣款 收费 / checkout 结账 结算页 / city 城市
commission 佣金 / company 公司 / complaint 投诉 / cost 成本 费用 / country 国家 / coupon voucher 优惠券
courier rider 骑手 快递员 外送员 / credit 信用 / currency 币种 货币 / customer buyer 顾客 客户
delivery deliver 配送 送货
deposit 押金 / device 设备 装置 / discount 折扣 优惠 / dispatch 派单 / driver 司机 驱动程式 / europe european 欧洲
fee 手续费
finance financial 财务 / fraud 欺诈 / gift 礼品 赠品 / holiday 节假日 假期 / identity 身份 / insurance 保险
inventory stock 库存 / invoice 发票 统一发票 / item 条目 / location 位置 / loyalty 忠诚度 / manager 经理 / map 地图
market 市场 / marketing 营销 / member membership 会员 / merchant seller 商家 商户 / midnight 零点 午夜
month monthly 每月 月底 / night 夜间 晚上 / order 订单 / parcel 包裹 / partner 合作方 合作伙伴
payment pay 支付 付款 / phone 手机号 电话 / point 积分 / price 价格 / product 商品 / profile 个人资料
promotion promo 促销 / purchase 购买 采购 / quantity 数量 / receipt 小票 收据 / reconcile reconciliation 对账
refund 退款 / register signup registration 注册 / revenue 收入 营收 / reward 奖励 / salary 工资 / sale 销售
settle settlement 结算 / shelf 货架 / shipping shipment 发货 物流 / shop 商城 / sms 短信 简讯 / store 门店
statement 对账单 / supplier vendor 供应商 / tax vat 税率 税费 / timezone 时区 / verification captcha 验证码
wallet 钱包 / week weekly 每周 / weekend 周末 / wechat 微信 / alipay 支付宝 / weather 天气 / year yearly 每年
daily 每天 / round 取整 舍入 / china chinese 国内 中国 / overseas abroad 境外 海外 / alcohol 酒类
food 食品 / hospital 医院 / school 学校 / student 学生 / teacher 老师 / doctor 医生 / game 游戏 / music 音乐
video 视频 影片 / news 新闻
"""
_DOING = """
add 新增 添加 增加 / adjust 调整 / allow permit 允许 / apply 申请 / ask 询问 / assign 分配 / avoid 避免 / block 阻塞
calculate 计算 / change modify 修改 更改 变更 / check 检查 / choose 选用 / close 关闭 关掉 / collect 收集
combine 组合
compare 比较 / convert 转换 / count 计数 / create 创建 新建 建立 / delete remove 删除 删掉 / detect 检测
disable 禁用 停用 / display show 显示 展示 / edit 编辑 / enable 启用 / enter 进入 / expand 展开 / explain 解释
fetch 获取 / fix repair 修复 / forbid forbidden 禁止 / handle 处理 / hide 隐藏 / ignore 忽略 / increase 提高
inspect 查看 / invite 邀请 / jump 跳转 / keep 保留 / manage 管理 / match 匹配 / move 移动 / open 打开
organize 整理 / pause 暂停 / prevent 防止 / print 打印 列印 / read 读取 / receive 接收 收到 / reduce 减少
refresh 刷新
refuse reject 拒绝 / replace 替换 / run 运行 / save 保存 存档 / scan 扫描 / send 发送 / share 共享 分享 / split 拆分
start 开始 / stop 停止 / switch 切换 / transfer 转账 转移 / update 更新 / use 使用 / wait 等待 / write 编写
slow 太慢 变慢 / fast 快速 / empty 为空 / full 写满 / large 过大 / missing 缺失 / invalid 无效 / wrong 不对
temporary 临时 / permanent 永久 / automatic 自动 / manually 手动 手工 / public 公开 / private 私有
unique 唯一 / local 本地 / remote 远程 远端 / maximum max 最大 最多 / minimum min 最小 最少 / total 总数 总额
average 平均 / percent percentage 百分比
"""


def standing_for(token: str) -> str:
    """Return the stem that stands for a stem; itself if it has no other."""
    return _same(token[:_BEGINNING]).get(token, token)


@cache
def _same(beginning: str) -> dict[str, str]:
    """Return stem → the stem that stands for it, of words that begin so: a short-lived process needs few of them."""
    return {stem(word): stem(first) for first, word in _synonyms().get(beginning, ())}


@cache
def _synonyms() -> dict[str, list[tuple[str, str]]]:
    """Return beginning of a word → the word that stands for it, and itself."""
    found: dict[str, list[tuple[str, str]]] = {}
    for words, _ in _entries():
        for word in words[1:]:
            found.setdefault(word[:_BEGINNING], []).append((words[0], word))
    return found


@cache
def terms() -> dict[str, str]:
    """Return Chinese term → the stem of the English word for it."""
    return {term: stem(words[0]) for words, those in _entries() for term in those}


def _entries() -> list[tuple[list[str], list[str]]]:
    """Return English words, the first of which stands for all, with the Chinese terms for them."""
    lines = (line for block in (_SOFTWARE, _SYSTEMS, _WORK, _TRADE, _DOING) for line in block.strip().splitlines())
    found = [entry.split() for line in lines for entry in line.split(" / ")]
    return [([w for w in words if w.isascii()], [w for w in words if not w.isascii()]) for words in found]
