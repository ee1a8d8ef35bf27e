"""Every error in Chinese: code → its sentence and what to do, and details that many of them name."""

import re

# Details of refused payloads and void proposals; each # stands for a number.
_DETAILS = {
    "is not a JSON object": "不是 JSON 对象",
    "send an array of objects": "发送对象数组",
    "is missing": "缺失",
    "is missing or empty": "缺失或为空",
    "say in which situation it holds": "写明在什么情形下适用",
    "list what was weighed, the choice among them": "列出权衡过的做法，包括所选的那个",
    "say what was chosen": "写明选了什么",
    "is no field of a payload": "不是载荷的字段",
    "take it out or correct its name": "去掉它，或改正名称",
    "is not a text": "不是文本",
    "give a string": "给出字符串",
    "has # characters": "有 # 个字符",
    "has # items": "有 # 项",
    "give at most #": "最多给出 #",
    "give at most # characters each": "每项最多 # 个字符",
    "has an item that is too long": "有一项太长",
    "holds a character that no text holds": "含有文本中不会有的字符",
    "take out half surrogates and NUL": "去掉不成对的代理字符和 NUL",
    "holds half a character": "含有半个字符",
    "send whole characters (UTF-#)": "发送完整的字符（UTF-#）",
    "is not a list of texts": "不是文本列表",
    "give an array of strings": "给出字符串数组",
    "has one that is no mem:// pointer": "有一个不是 mem:// 指针",
    "write mem://<layer>/<id> or add #<section> to it": "写成 mem://<layer>/<id>，或再加 #<section>",
    "has one that leads out of the project": "有一个指向项目之外",
    "give paths in the project, without .. and without / at the start": "给出项目内的路径，不含 ..，也不以 / 开头",
    "has a value that is not known": "值不认识",
    "is not one that a payload may name": "不是载荷可以指定的",
    "give L# or L#": "给出 L# 或 L#",
    "is not between # and #": "不在 # 和 # 之间",
    "give low, medium, high or a number from # to #": "给出 low、medium、high，或 # 到 # 的数",
    "is not an object": "不是对象",
    "names a score that does not exist": "含有不存在的评分",
    "lacks a score or has one outside of # to #": "缺少一项评分，或有一项不在 # 到 # 之间",
    "has a total that is not the sum": "总分不等于各项之和",
    "is not a list, or too long": "不是列表，或太长",
    "holds something that is no span": "含有不是片段的内容",
    "holds something that is no judgement": "含有不是判断的内容",
    "holds a judgement without a note's id or a known relation": "有一个判断没有笔记编号，或关系不认识",
    "is none of the principles": "不在 principles 之中",
    "add it to principles, or choose one of them": "把它加进 principles，或从中选一个",
    "is principle, and its scores bear no more than a fact": "是 principle，而评分只够作为 fact",
    "leave it out": "去掉它",
    "shorten or rephrase it": "缩短或改写它",
    "is no JSON": "不是 JSON",
    "is no JSON (line #)": "不是 JSON（第 # 行）",
    "is neither an array nor an object": "既不是数组也不是对象",
    "has more than # bytes": "超过 # 字节",
    "send fewer at once": "一次少发一些",
    "there are none": "一个也没有",
    "send one for each decision": "每个决定发一个",
    "send at most # in one call": "一次调用最多发 # 个",
    "hand in a JSON array of payloads, or one payload, in a file or on standard input (-)": (
        "用文件或标准输入（-）交来一个载荷的 JSON 数组，或单个载荷"
    ),
    "is not there": "不存在",
    "name a transcript": "给出一份对话记录",
    "name a transcript, or - for standard input": "给出一份对话记录，或用 - 表示标准输入",
    "hand in a shorter one": "交来短一些的",
    "it is not what was shown": "它不是所展示的那个",
    "it names a file that is no note": "它涉及的文件不是笔记",
    "the log does not know it": "日志里没有它",
    "its file was changed since it was made": "它的文件在提出之后被改动过",
    "its file is damaged": "它的文件已损坏",
    "its file was changed since it was proposed; say no to it, and propose it again": (
        "它涉及的文件在提出之后被改动过；请对它说不，再重新提出"
    ),
    "; its file is gone": "；它的文件不在了",
    # Fields of notes, documents and tasks.
    "it is empty": "是空的",
    "a title is needed": "需要标题",
    "a task has a title of # to # characters": "任务的标题应有 # 到 # 个字符",
    "an entry has # to # characters": "条目应有 # 到 # 个字符",
    "there are more than # lines": "超过 # 行",
    "this is not UTF-# text": "这不是 UTF-# 文本",
    "core documents are written by people, in their editor": "核心文档由人在自己的编辑器里写",
    "a core document is no note; open the file itself in your editor": "核心文档不是笔记；请直接在编辑器里打开该文件",
    "it holds block markers, which are Tacit's to set": "含有区块标记，而标记只由 Tacit 设置",
    "by its name it holds secrets, and is never read; take another name": "从名称看它含有密钥，绝不读取；请换个名称",
    "this is no requirement: it has no line “Status: …”": "这不是需求：没有「Status: …」这一行",
    # What `check` and `doctor` find.
    "INDEX.md does not say what the notes say.": "INDEX.md 与笔记不一致。",
    "Run `tacit check --fix`.": "请运行 `tacit check --fix`。",
    "Run `tacit check --fix`, then `git add` INDEX.md.": "请运行 `tacit check --fix`，然后 `git add` INDEX.md。",
    "Move it to details/ or references/.": "请把它移到 details/ 或 references/。",
    "See SECURITY.md.": "见 SECURITY.md。",
    "no host is wired; `tacit install --list` shows them": "没有接入宿主；`tacit install --list` 会列出它们",
    "the bank has format #": "记忆库的格式是 #",
    "# notes are valid, # problems (`tacit check` lists them)": "# 条笔记有效，# 个问题（`tacit check` 会列出）",
    "INDEX.md says what the notes say": "INDEX.md 与笔记一致",
    "nothing is unfinished": "没有未完成的操作",
    "no directory of the bank leads out of it": "记忆库里没有通向外面的目录",
    "the log is empty: what was done to this bank before is not known": "日志是空的：不知道以前对这个记忆库做过什么",
    "# lines, the chain of hashes is whole": "# 行，哈希链完整",
    "# operations can be undone": "# 个操作可以撤销",
    "# old versions are missing": "缺少 # 个旧版本",
    "# mounted memories can be read": "# 个挂载的记忆可读",
    "the bank is not in a git work tree": "记忆库不在 git 工作区中",
    "git ignores what is private to this machine": "git 忽略了本机私有的内容",
    # The team's share.
    "Give an https, ssh or path": "请给出 https、ssh 地址或路径",
    "share/ is there already": "share/ 已经存在",
    "Use `tacit share update`, or remove it with git": "请用 `tacit share update`，或用 git 移除它",
    "Check the address, access, and that a first commit is on the repository's main branch": (
        "请检查地址、权限，以及该仓库的主分支上是否已有第一次提交"
    ),
    "Mount one with `tacit share add URL`": "用 `tacit share add URL` 挂载一个",
    "What was pulled before goes on working; try again when you are online, or check the address": (
        "以前拉取的内容照常可用；联网后再试，或检查地址"
    ),
    "Commit and push it, or discard it in share/ with git, then update again": (
        "请提交并推送它，或在 share/ 里用 git 放弃它，然后再更新"
    ),
    "nothing is mounted at share/": "share/ 没有挂载任何内容",
    "Mount team notes with `tacit share add URL`": "用 `tacit share add URL` 挂载团队笔记",
    "the project is not in git": "项目不在 git 中",
    "Team notes are a submodule: run `git init` first": "团队笔记是子模块：请先运行 `git init`",
}
# What stands around values of the user's own.
_AROUND = tuple(
    (re.compile(english, re.DOTALL), said)
    for english, said in (
        (r"('.*'|\".*\") is not one of (.*)", r"\1 不是其中之一：\2"),
        (r"(\S+) is (.*) but must be one of (.*)", r"\1 是 \2，而应为其中之一：\3"),
        (r"there is no blocker (.*); there are: (.*)", r"没有阻碍 \1；现有：\2"),
        (r"(.*) is finished already", r"\1 已经完成"),
        (r"(.*) is none of the next steps; they are: (.*)", r"\1 不在下一步之中；下一步有：\2"),
        (r"(.*) may be any of: (.*)", r"\1 可以是其中任何一个：\2"),
        (r"(.*) is no address of a repository", r"\1 不是仓库地址"),
        (r"git could not fetch (\S+): (.*)", r"git 无法取得 \1：\2"),
        (r"the remote cannot be reached: (.*)", r"无法连接远端：\1"),
        (r"share/ has what its remote has not, or no more: (.*)", r"share/ 有远端没有或不再有的内容：\1"),
        (r"the project has (\S+) already", r"项目里已有 \1"),
        (r"Edit it: (.*)", r"请编辑它：\1"),
        (r"(\S+) is no note and is not read\.", r"\1 不是笔记，不会读取。"),
        (r"the trash cannot be read: (.*)", r"无法读取回收站：\1"),
        (r"answers by keywords alone(.*)", r"仅用关键词回答\1"),
        (r"answers by (.*)", r"用 \1 回答"),
        (r"local file system(.*)", r"本地文件系统\1"),
        (r"git does not ignore (.*); see .*", r"git 没有忽略 \1；见记忆库的 .gitignore"),
    )
)
# How those begin that go on with words of their own.
_BEGINNINGS = (
    *(
        ("is no argument of ", "该工具没有这个参数："),
        ("give one of ", "从中选一个："),
        ("give ", "给出 "),
        ("cannot be read (", "无法读取 ("),
    ),
    # What a guard found.
    *(("secret (", "密钥或密码 ("), ("personal (", "个人信息 ("), ("instruction (", "对智能体的指令 (")),
    *(("unicode (", "隐藏的字符 ("), ("lookalike (", "形似的字符 (")),
)
_NUMBER = re.compile(r"\d+")
_LINE = re.compile(r",? ?\bline (\d+)$")


def detail(text: object) -> object:
    """Return a detail of an error in Chinese, with its numbers; one that is not listed as it is."""
    if not isinstance(text, str):
        return text
    if text in _DETAILS:
        return _DETAILS[text]
    if told := _DETAILS.get(_NUMBER.sub("#", text)):
        for number in _NUMBER.findall(text):
            told = told.replace("#", number, 1)
        return told
    for english, said in _AROUND:
        if match := english.fullmatch(text):
            return match.expand(said)
    found = (said + text.removeprefix(begins) for begins, said in _BEGINNINGS if text.startswith(begins))
    return next(found, _LINE.sub(r" 第 \1 行", text))


# Code → sentence and next step; the English ones stand with the classes in tacit.errors.
ERRORS = {
    "payload.refused": ("{field}：{reason}。", "请修正该载荷：{fix}。"),
    "guard.refused": (
        "{place}：这看起来像{kind}，记忆库不得保存；什么也没写入。",
        "请从文本中去掉它，或换成它所在位置的名称。",
    ),
    "answer.refused": ("{option!r} 不是 {proposal} 的答案；可选：{options}。", "请用其中之一回答：{options}。"),
    "proposal.not_found": ("没有等待回答的提案 {id}{why}。", "`tacit review --list` 会列出等待中的提案。"),
    "proposal.void": (
        "{id} 无法执行：{reason}。什么也没改动。",
        "请用 `tacit review` 重新查看；如果不在其中，`tacit check` 会说明怎么办。",
    ),
    "gate.proposed": (
        "{act} 需要你的回答，而这里没有终端；已作为提案 {proposal} 等待，什么也没改动。",
        "请在终端里运行 `tacit review`。没有任何选项可以代替回答。",
    ),
    "gate.assurance": (
        "{act} 需要经由 {needed} 或更可靠的渠道回答；这次来自 {given}。什么也没改动。",
        "请在终端里运行 `tacit review` 并在那里回答。",
    ),
    "note.syntax": ("{file}:{line}：{reason}。", "打开文件修正这一行；格式见 NOTE-FORMAT.md。"),
    "note.conflicted": (
        "{file}:{line}：文件里有 git 冲突标记，已停止使用。",
        "在文件中解决冲突，然后运行 `tacit check`。",
    ),
    "note.too_large": (
        "{file}：笔记有 {size} 字节，超过上限 {limit}。",
        "拆分它，或把长文移到 details/ 并用指针引用。",
    ),
    "note.not_utf8": ("{file}:{line}：文件不是有效的 UTF-8（第 {offset} 字节）。", "请将文件保存为 UTF-8。"),
    "note.empty": (
        "{file}：文件是空的，或含有 NUL 字节。",
        "若编辑器正在保存，请重试；否则用 `git checkout` 或 `tacit restore` 找回。",
    ),
    "note.not_regular": ("{file}：这是 {what}，不是普通文件，不会读取。", "把它移出记忆库，或换成普通文件。"),
    "path.symlink": ("{file}：不跟随记忆库内的符号链接。", "请用文件副本代替链接。"),
    "field.refused": ("{field}：{reason}。", "请换一个值；笔记可以写什么见 NOTE-FORMAT.md。"),
    "id.refused": (
        "{id!r} 不是笔记编号：应为 MEM- 加最多 60 个字母、数字、- 或 _。",
        "请使用 `tacit list` 显示的编号。",
    ),
    "id.duplicate": (
        "{id}：{files} 使用了同一编号；采用 {winner}，都不会改动。",
        "给其中一个文件换编号或删除它，然后运行 `tacit check`。",
    ),
    "path.refused": (
        "{path!r} 不是记忆库内的路径，或者文件名不是所有文件系统都能保存的。",
        "请给出记忆库内的相对路径，或者给文件改名。",
    ),
    "path.taken": (
        "{file} 已存在且不是 Tacit 创建的，而 Tacit 需要写这个文件；什么也没改动。",
        "给你的文件改名，然后重新运行命令。",
    ),
    "pointer.refused": (
        "{pointer!r} 不是指针：{reason}。",
        "请写成 mem://<layer>/<id> 或 mem://<layer>/<id>#<section>。",
    ),
    "setting.refused": ("{place}：{reason}。", "`tacit config` 会列出所有设置及其值。"),
    "setting.broken": ("{place}：{reason}。", "请在编辑器中修好该文件，或用 `git checkout` 找回。"),
    "editor.failed": (
        "编辑器 {editor!r} 没有正常结束：{reason}。",
        "请把 EDITOR 设为你使用的编辑器，然后重新运行命令。",
    ),
    "foreign.refused": ("{path}：{reason}。", "{fix}"),
    "entry.markers": (
        "{file}:{line}：区块标记不成对：{reason}；没有改动。",
        "请在编辑器中修好标记，或运行 `tacit refresh --repair`，全部文本会作为你的保留。",
    ),
    "host.config": ("{file}:{line}：{reason}；没有改动。", "请修好该文件（宿主自己也要读它），然后重新运行。"),
    "host.taken": ("{file} 已有 `{name}`，而且不是 Tacit 放入的；没有改动。", "请改名或移除你的内容，然后重新运行。"),
    "share.refused": ("{reason}；没有改动。", "{fix}。"),
    "detail.incomplete": ("{kind} 还缺少：{missing}；没有写入。", "请补上：{options}。"),
    "bank.not_found": ("{place} 没有记忆库。", "在项目里运行 `tacit init`，或用 --bank、TACIT_BANK 指定。"),
    "note.not_found": (
        "没有笔记 {id}{nearest}。",
        "`tacit list` 显示现有笔记，`tacit trash list` 显示已移除的笔记；其他文档由 `tacit read` 回答。",
    ),
    "pointer.dangling": ("{pointer} 指向不存在的内容{nearest}。", "修正指针，或用 `tacit restore` 恢复笔记。"),
    "operation.not_found": ("没有可撤销的操作{id}。", "`tacit log` 会列出操作。"),
    "trash.gone": (
        "回收站里已没有 {what} 所需的内容：{reason}。",
        "如果记忆库在 git 中，仍可找到：`git log -- {file}`。",
    ),
    "store.changed": ("{file} 同时被别人改动；什么也没写入{kept}。", "请查看该文件，然后重新运行命令。"),
    "store.conflict": (
        "{file}：别人在同一时刻保存；保留了对方的版本，你的版本在：{kept}。",
        "比较两个版本；如果你的才对，请重新运行命令。",
    ),
    "undo.blocked": (
        "{id} 无法撤销：{reason}。",
        "请先撤销其后的操作（见 `tacit log`）；绕过 Tacit 的改动请自行恢复。",
    ),
    "store.busy": (
        "另一个进程正在写入这个记忆库（{holder}）；等待 {waited_s:g} 秒后放弃。",
        "等它结束，或终止该进程；锁会随之释放。",
    ),
    "store.io": ("{file}：{reason}；什么也没改动。", "修复磁盘、空间或权限，然后重新运行命令。"),
    "output.lost": ("输出无法写出：{reason}；命令所做的已经完成。", "`tacit log` 显示做了什么。"),
    "state.refused": ("[记忆库: {state}] 记忆库为 {state} 时不能执行 {act}{why}。", "`tacit state on` 可启用。"),
    "gate.no_terminal": (
        "{act} 需要你在终端里回答，而这里没有终端；什么也没改动。",
        "请亲自在终端里运行该命令。没有任何选项可以代替回答。",
    ),
    "bank.format_too_new": (
        "{place} 的格式是 {found}；此版本的 Tacit 只认识到 {known}。什么也没改动。",
        "请升级 Tacit。",
    ),
    "model.unusable": ("模型 {name} 无法使用：{reason}。", "`tacit model list` 会列出模型；召回会继续只用关键词。"),
    "store.committed_completing": (
        "已提交，正在完成：操作 {id} 已安全写入磁盘；{reason} 打断了就位。",
        "排除原因即可；下一条 `tacit` 命令会自动完成它。",
    ),
    "gate.declined": ("{act}：保持原样。", ""),
    "extra.missing": ("{act} 需要附加组件 `{extra}`，但尚未安装。", "安装：{how}"),
    "database.unusable": (
        "数据库无法使用：{reason}。",
        "请确认 TACIT_POSTGRES_URL 指向带 pgvector 的 PostgreSQL 16 或更新版本；做法见 docs/scale.md。",
    ),
    "ui.port": ("无法使用端口 {port}：{reason}。", "换一个端口；`tacit ui` 不带 `--port` 会自选空闲端口。"),
    "tacit.error": ("{reason}", ""),
    "role.refused": (
        "[记忆库: {state}] {act} 需要角色 {needed}，而这里是 {role}。什么也没改动。",
        "请改为提案，或由用户以 {needed} 启动（TACIT_ROLE、`tacit mcp --role`）。",
    ),
    "task.refused": ("{task}：{reason}。", "{fix}。"),
    "task.not_found": ("没有任务 {task}{nearest}。", "`tacit task list` 会列出任务；`tacit task start` 开始一个。"),
    "pointer.stale": ("{target}：{reason}{nearest}。", "看看它去了哪里，再用 `tacit edit {id}` 修正指针。"),
}
