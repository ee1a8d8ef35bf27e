"""Q-07: the same commands in Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.messages import language, prefer
from tests.cli.runner import Person, note_text, process, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

ID = "MEM-zh"


@pytest.fixture
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who wants Chinese."""
    monkeypatch.setenv("TACIT_LANG", "zh")


@pytest.fixture
def note(root: Path) -> Path:
    """A note in Chinese."""
    path = write(root / f"L1_declarative/{ID}.md", note_text(ID, "数据库迁移"))
    assert tacit("list").code == 0  # heals INDEX.md
    return path


SPOKEN = [
    (["tag", ID, "发布"], f"{ID} 的标签：发布\n"),
    (["move", ID, "--layer", "L2"], f"{ID} 现在位于 L2_procedural/{ID}.md\n"),
    (["check"], "1 条笔记，没有发现问题。\n"),
    (["state"], "[记忆库: ON]\n检索方式：仅关键词。\n"),
    (["state", "paused"], "[记忆库: PAUSED]\n"),
    (["trash", "list"], "回收站是空的。\n"),
    (["trash", "empty"], "回收站里没有超过 30 天的内容。\n"),
    (["log", ID], "日志是空的。\n"),
    (["config", "lock.timeout_s", "5"], "lock.timeout_s = 5\n"),
]


@pytest.mark.parametrize(("words", "sentence"), SPOKEN, ids=[" ".join(words) for words, _ in SPOKEN])
@pytest.mark.usefixtures("chinese", "note")
def test_command_speaks_chinese(words: list[str], sentence: str) -> None:
    """What a command says to people is said in their language."""
    result = tacit(*words)

    assert (result.code, result.out, result.err) == (0, sentence, "")


@pytest.mark.parametrize(
    ("words", "question", "sentence"),
    [
        (["archive", ID], f"要归档 {ID}「数据库迁移」，以后不再召回吗？ [y/N] ", f"{ID} 已归档。\n"),
        (
            ["delete", ID],
            f"要把 {ID}「数据库迁移」移到回收站吗？ [y/N] ",
            f"{ID} 已在回收站；用 `tacit restore {ID}` 可恢复。\n",
        ),
        (
            ["trash", "empty", "--days", "0"],
            "要永久销毁 2 个已完成的操作吗？此后它们无法撤销，其中 0 条被删除的笔记将无法恢复。 [y/N] ",
            "已销毁 2 个已完成的操作。\n",
        ),
        (
            ["purge", ID],
            f"要永久销毁 {ID} 的一切痕迹（0 份私有副本）吗？此操作无法撤销。 [y/N] ",
            (
                f"{ID} 已从记忆库、回收站和缓存中清除。\n"
                "如果它曾被提交，请在一个新克隆里清理 git 历史，然后强制推送（INDEX.md 会重新生成）：\n"
                f"  git filter-repo --invert-paths --path .memory/L1_declarative/{ID}.md --path .memory/INDEX.md\n"
                "并通知所有持有克隆的人；如果内容是密钥，请立即更换。\n"
            ),
        ),
    ],
    ids=["archive", "delete", "trash empty", "purge"],
)
@pytest.mark.usefixtures("chinese", "note")
def test_question_is_asked_in_chinese(person: Person, words: list[str], question: str, sentence: str) -> None:
    """A question can be understood before it is answered, and may be answered in Chinese."""
    person.will_say("确认")

    result = tacit(*words)

    assert (result.code, result.out, result.err) == (0, sentence, "")
    assert person.was_asked() == question


@pytest.mark.usefixtures("chinese")
def test_init_and_new_speak_chinese(project: Path) -> None:
    """The first commands of a new user."""
    made = tacit("init", "--yes")
    empty = tacit("list")
    again = tacit("init", "--yes")
    written = tacit("new", "--title", "包管理", "--when", "添加依赖时", "--one-liner", "只用 pnpm。")

    assert made.out == f"已创建记忆库 {project}/.memory。\n"
    assert empty.out == "记忆库是空的。先写下你最在意的几条约束吧：tacit new\n"
    assert again.out == f"记忆库 {project}/.memory 已存在；补上了 0 个缺少的文件。\n"
    assert written.out == "已写入 MEM-00000004：L1_declarative/MEM-00000004.md\n"


@pytest.mark.usefixtures("chinese", "root")
def test_nothing_to_undo_is_said_in_chinese() -> None:
    """Q-07: where nothing is left to take back, no English word stands in the sentence."""
    assert "没有可撤销的操作。" in tacit("undo").err


@pytest.mark.usefixtures("chinese")
def test_undo_and_restore_speak_chinese(note: Path, person: Person) -> None:
    """Taking back."""
    person.will_say("y", "y")
    tacit("delete", ID)
    person.was_asked()

    undone = tacit("undo")
    restored = tacit("restore", ID)

    assert undone.out == "已撤销：OP-00000003。用 `tacit undo OP-00000004` 可重做。\n"
    assert person.was_asked().startswith("要撤销 OP-00000003（delete，")
    assert restored.err.startswith(f"tacit: 没有笔记 {ID}")
    assert restored.err.endswith(
        "\n  `tacit list` 显示现有笔记，`tacit trash list` 显示已移除的笔记；其他文档由 `tacit read` 回答。\n"
    )
    assert note.exists()


@pytest.mark.usefixtures("chinese")
def test_errors_and_problems_speak_chinese(root: Path) -> None:
    """An error and a problem come in Chinese; their codes and the fields of JSON stay."""
    write(root / "L1_declarative/broken.md", "")

    error = tacit("show", "MEM-nothing")
    problem = tacit("check")
    program = tacit("check", "--json")
    doctor = tacit("doctor")

    assert error.err.startswith("tacit: 没有笔记 MEM-nothing。 [note.not_found]\n")
    assert problem.out.startswith("L1_declarative/broken.md: 文件是空的，或含有 NUL 字节。 [note.empty]\n")
    assert problem.out.endswith("0 条笔记中有 1 个问题。\n")
    assert program.document["problems"][0]["code"] == "note.empty"
    assert "[记忆库: ON]\n11 项检查中有 1 项未通过。\n" in doctor.out


@pytest.mark.usefixtures("root")
def test_locale_chooses_the_language() -> None:
    """A Chinese locale is enough."""
    assert process("state", LANG="zh_CN.UTF-8").out.startswith("[记忆库: ON]\n")
    assert process("state", LANG="en_GB.UTF-8").out.startswith("[memory: ON]\n")


@pytest.mark.usefixtures("root")
def test_setting_chooses_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bank's setting beats the locale, and the user's own TACIT_LANG beats the bank's setting."""
    tacit("config", "language", "zh")

    by_setting = tacit("state")
    monkeypatch.setenv("TACIT_LANG", "en")
    by_variable = tacit("state")

    assert by_setting.out.startswith("[记忆库: ON]\n")
    assert by_variable.out.startswith("[memory: ON]\n")


@pytest.mark.usefixtures("root")
def test_setting_chooses_the_language_of_errors() -> None:
    """Errors follow the setting too, and what one bank prefers does not outlive the command."""
    tacit("config", "language", "zh")

    assert "没有笔记" in tacit("show", "MEM-nothing").err
    assert language() == "en"


def test_preference_is_taken_back() -> None:
    """A preference holds until another one is given."""
    prefer("zh")
    chosen = language()
    prefer("auto")

    assert (chosen, language()) == ("zh", "en")


@pytest.mark.usefixtures("chinese", "note")
def test_tables_questions_and_details_are_chinese(root: Path, person: Person) -> None:
    """Q-07: heads of columns, what a guard found and where, and why something was refused."""
    assert tacit("list").out.splitlines()[0].split() == ["编号", "层", "类型", "状态", "强度", "标题"]
    person.will_say("n")
    tacit("tag", ID, "password=hunter2")
    assert person.was_asked() == "这看起来像密钥或密码 (password) (tags 第 1 行)。仍要写入吗？ [y/N] "
    refused = {
        ("share", "status"): "share/ 没有挂载任何内容",
        ("task", "start", " "): "任务的标题应有 1 到 ",
        ("config", "language", "fr"): "language 是 'fr'，而应为其中之一：auto, en, zh",
    }
    for words, part in refused.items():
        assert part in tacit(*words).err
    (root / "INDEX.md").write_text("", encoding="utf-8")
    assert "INDEX.md 与笔记不一致。" in tacit("check").out
    assert "记忆库的格式是 1" in tacit("doctor").out


@pytest.mark.usefixtures("chinese")
def test_the_log_is_told_in_chinese(root: Path) -> None:
    """Q-07, A-03: what happened is said as the review page says it; an event of another version by its own name."""
    made = tacit("new", "--title", "迁移", "--when", "写迁移", "--one-liner", "先写回滚。", "--json").document
    told = f"写入笔记 {made['id']}（create，command）"
    assert told in tacit("log").out
    assert told in tacit("explain", made["id"]).out
    log = next((root / ".local/audit").iterdir())
    log.write_bytes(log.read_bytes().replace(b"memory_note_created", b"memory_note_charmed"))
    assert f"note charmed {made['id']} by create (command)" in tacit("log").out
