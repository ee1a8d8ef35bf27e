"""The messages in Chinese."""

MESSAGES = {
    "state": "[记忆库: {state}]",
    "state.missing": "[记忆库: PAUSED] 该记忆库还没有状态（例如刚克隆）：可以读取，不会写入。",
    "state.ask": "要启用这个记忆库、允许 Tacit 写入吗？",
    "init.made": "已创建记忆库 {bank}。",
    "init.again": "记忆库 {bank} 已存在；补上了 {count} 个缺少的文件。",
    "init.hook.ask": "要安装 git pre-commit 钩子，在每次提交前检查笔记吗？",
    "init.hook.made": "已安装 {file}。",
    "init.models.ask": "要下载按语义查找笔记的模型吗（{size} MB，所有项目共用）？没有模型时只按关键词回答。",
    "init.models.later": "目前只按关键词回答；以后可用 `tacit model get` 下载语义模型。",
    "init.hook.taken": "{file} 已存在，未改动；请在其中加入这一行：tacit check --staged",
    "new.made": "已写入 {id}：{file}",
    "edit.same": "没有改动。",
    "edit.kept": "你的文本保存在 {file}。",
    "edit.ask": "要把这些改动保存到 {id} 吗？",
    "edit.made": "已保存 {id}。",
    "delete.ask": "要把 {id}「{title}」移到回收站吗？",
    "delete.made": "{id} 已在回收站；用 `tacit restore {id}` 可恢复。",
    "archive.ask": "要归档 {id}「{title}」，以后不再召回吗？",
    "archive.made": "{id} 已归档。",
    "restore.ask": "{file} 已存在；要用回收站里的版本替换它吗？",
    "restore.made": "{id} 已恢复：{file}",
    "undo.ask": "要撤销 {id}（{operation}，{ts}）吗？它改动了 {files}。",
    "undo.made": "已撤销：{id}。用 `tacit undo {by}` 可重做。",
    "trash.ask": "要永久销毁 {operations} 个已完成的操作吗？此后它们无法撤销，其中 {notes} 条被删除的笔记将无法恢复。",
    "trash.none": "回收站里没有超过 {days} 天的内容。",
    "trash.made": "已销毁 {operations} 个已完成的操作。",
    "purge.ask": "要永久销毁 {id} 的一切痕迹（{parts} 份私有副本）吗？此操作无法撤销。",
    "purge.made": "{id} 已从记忆库、回收站和缓存中清除。",
    "purge.git": (
        "如果它曾被提交，git 里仍然有。清理历史请用\n"
        "  git filter-repo --invert-paths --path {file}\n"
        "并通知所有持有克隆的人；如果内容是密钥，请立即更换。"
    ),
    "tag.made": "{id} 的标签：{tags}",
    "move.made": "{id} 现在位于 {file}",
    "config.made": "{name} = {value}",
    "check.ok": "{count} 条笔记，没有发现问题。",
    "check.fixed": "INDEX.md 已过期，现已修复。",
    "check.found": "{count} 条笔记中有 {problems} 个问题。",
    "doctor.ok": "{count} 项检查全部通过。",
    "doctor.bad": "{count} 项检查中有 {bad} 项未通过。",
    "list.left_out": "未使用（{count}）：{files}。`tacit check` 会说明原因。",
    "search.none": "没有找到。",
    "recall.silent": "（沉默：{reason}）",
    "recall.mode": "检索方式：{mode}。",
    "index.documents": "已索引 {count} 个文档。",
    "model.made": "{name} 已就绪：{place}",
    "model.gone": "{name} 已移除。",
    "empty.notes": "记忆库是空的。先写下你最在意的几条约束吧：tacit new",
    "empty.trash": "回收站是空的。",
    "empty.log": "日志是空的。",
    "heal.conflict": "两个版本相遇；另一个保存在：{file}",
    "yes_no": "[y/N]",
}

# Code → sentence and next step; the English ones stand with the classes in tacit.errors.
ERRORS = {
    "note.syntax": ("{file}:{line}：{reason}。", "打开文件修正这一行；格式见 NOTE-FORMAT.md。"),
    "note.conflicted": (
        "{file}:{line}：笔记里有 git 冲突标记，已停止使用。",
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
    "field.refused": ("{field}：{reason}。", "请给出 NOTE-FORMAT.md 允许的值。"),
    "id.refused": (
        "{id!r} 不是笔记编号：应为 MEM- 加最多 60 个字母、数字、- 或 _。",
        "请使用 `tacit list` 显示的编号。",
    ),
    "id.duplicate": (
        "{id}：{files} 使用了同一编号；采用 {winner}，都不会改动。",
        "给其中一个文件换编号或删除它，然后运行 `tacit check`。",
    ),
    "path.refused": ("{path!r} 不是记忆库内的路径。", "请给出记忆库内的相对路径。"),
    "path.taken": (
        "{file} 已存在且不是 Tacit 创建的，而 Tacit 需要写这个文件；什么也没改动。",
        "给你的文件改名，然后重新运行命令。",
    ),
    "pointer.refused": (
        "{pointer!r} 不是指针：{reason}。",
        "请写成 mem://<layer>/<id> 或 mem://<layer>/<id>#<section>。",
    ),
    "setting.refused": ("{place}：{reason}。", "`tacit config` 会列出所有设置及其值。"),
    "editor.failed": (
        "编辑器 {editor!r} 没有正常结束：{reason}。",
        "请把 EDITOR 设为你使用的编辑器，然后重新运行命令。",
    ),
    "bank.not_found": ("{place} 没有记忆库。", "在项目里运行 `tacit init`，或用 --bank、TACIT_BANK 指定。"),
    "note.not_found": (
        "没有笔记 {id}{nearest}。",
        "`tacit list` 显示现有笔记，`tacit trash list` 显示已移除的笔记。",
    ),
    "pointer.dangling": ("{pointer} 指向不存在的内容{nearest}。", "修正指针，或用 `tacit restore` 恢复笔记。"),
    "operation.not_found": ("没有可撤销的操作 {id}。", "`tacit log` 会列出操作。"),
    "trash.gone": (
        "回收站里已没有 {what} 所需的内容：{reason}。",
        "如果记忆库在 git 中，仍可找到：`git log -- {file}`。",
    ),
    "store.changed": ("{file} 同时被别人改动；什么也没写入{kept}。", "请查看该文件，然后重新运行命令。"),
    "store.conflict": (
        "{file}：别人在同一时刻保存；保留了对方的版本，你的版本在：{kept}。",
        "比较两个版本；如果你的才对，请重新运行命令。",
    ),
    "undo.blocked": ("{id} 无法撤销：{reason}。", "`tacit log` 显示其后的操作；请先撤销那些。"),
    "store.busy": (
        "另一个进程正在写入这个记忆库（{holder}）；等待 {waited_s:g} 秒后放弃。",
        "等它结束，或终止该进程；锁会随之释放。",
    ),
    "store.io": ("{file}：{reason}；什么也没改动。", "修复磁盘、空间或权限，然后重新运行命令。"),
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
    "tacit.error": ("{reason}", ""),
}
