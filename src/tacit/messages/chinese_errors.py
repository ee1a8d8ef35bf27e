"""Every error in Chinese: code → its sentence and what to do."""

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
