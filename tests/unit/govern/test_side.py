"""What a note is compared by, where a remark has no scene of its own."""

from __future__ import annotations

import pytest

from tacit.govern import relation
from tacit.govern.side import side, task_evidence, texts
from tacit.note.model import Note
from tacit.note.payload import Relation


def remark(text: str) -> Note:
    """A note as a remark without a scene becomes one: what it says stands for when it is needed."""
    return Note(id="MEM-0001", title=text, when_to_load=(text,), one_liner=text, decision=text)


@pytest.mark.parametrize(
    ("text", "scene", "choice"),
    [
        ("Use tabs for indentation", "indentation", "Use tabs"),
        ("We never use mocks in integration tests, fakes only", "integration tests", "We never use mocks, fakes only"),
        ("Use pnpm, never npm", "", "Use pnpm, never npm"),
        ("Webhooks are signed with HMAC", "Webhooks", "are signed with HMAC"),
        ("不要在前端用 moment", "前端", "不要用 moment"),
        ("不要直接改表", "", "不要直接改表"),
        ("缩进用两个空格", "缩进", "用两个空格"),
        ("接口超时 3 秒", "接口超时", "3 秒"),
        ("CI 超时设为 5 分钟", "CI 超时", "设为 5 分钟"),
        ("不要在 CI 里用 npm", "CI 里", "不要用 npm"),
        ("Cats sleep in the rack", "Cats sleep in the rack", "Cats sleep in the rack"),
    ],
)
def test_a_remark_is_parted_into_what_it_is_about_and_what_it_says(text: str, scene: str, choice: str) -> None:
    """G-01: a sentence names its situation itself; where that cannot be told it is all of it."""
    assert texts(remark(text)) == (scene, choice)


def test_a_scene_of_its_own_is_taken_as_it_is() -> None:
    """G-01: what was named apart is not parted again."""
    note = Note(id="MEM-0001", title="t", when_to_load=("a", "b"), one_liner="l", decision="Use tabs for indentation")
    assert texts(note) == ("a; b", "Use tabs for indentation")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Use npm for installs", "Use pnpm, never npm"),
        ("Use 2 spaces for indentation", "Use tabs for indentation"),
        ("Use MySQL for new services", "Use PostgreSQL for new services"),
        ("Failed uploads are retried 5 times", "Retry failed uploads three times"),
        ("Use merge commits for pull requests, no squashing", "Always squash merge pull requests"),
        ("安装依赖用 npm", "用 pnpm，不要用 npm"),
        ("缩进用 tab", "缩进用两个空格"),
        ("接口超时设为 5 秒", "接口超时 3 秒"),
        ("CI 超时设为 5 分钟", "CI 超时设为 10 分钟"),
        ("PR 标题用英文", "PR 标题用中文"),
        ("在 API 里用下划线命名", "在 API 里用驼峰命名，不用下划线命名"),
        ("日志只保留 7 天", "日志保留 30 天"),
        ("生产环境可以保留 console.log", "不要在生产环境用 console.log"),
    ],
)
def test_two_remarks_that_cannot_both_hold_conflict(new: str, old: str) -> None:
    """G-03: nobody has to name a scene for a contradiction to be seen, whichever comes first."""
    for one, other in ((new, old), (old, new)):
        assert relation.judge(remark(one), remark(other)).relation is Relation.CONFLICTING


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The billing service listens on port 8002", "The orders service listens on port 8001"),
        ("Never call the search database directly", "Never call the billing database directly"),
        ("Write auth tests with vitest", "Write media tests with storybook"),
        ("Use dayjs for dates", "Use zod for validation"),
        ("支付服务由 Ana 负责", "物流服务由 Ben 负责"),
        ("账单日志保留 10 天", "订单日志保留 5 天"),
    ],
)
def test_remarks_about_different_things_both_hold(new: str, old: str) -> None:
    """G-01: the same sentence about something else is another note."""
    assert relation.judge(remark(new), remark(old)).relation in (Relation.COMPLEMENTARY, Relation.UNRELATED)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("日志里打印用户密码", "日志里禁止打印用户密码"),
        ("周五发布新版本", "周五不能发布新版本"),
        ("代码里写注释", "代码里不得写注释"),
        ("接口里返回用户手机号", "接口里不能返回用户手机号"),
        ("提交前跑测试", "提交前不要跑测试"),
        ("前端允许直接调用数据库接口", "前端不许直接调用数据库接口"),
        ("合并要两个人评审", "合并不必两个人评审"),
        ("Deploy on Fridays", "Do not deploy on Fridays"),
        ("Interns may merge to main", "Interns may not merge to main"),
        ("Admins can delete orders", "Admins cannot delete orders"),
    ],
)
def test_a_prohibition_is_never_the_same_as_its_opposite(one: str, other: str) -> None:
    """G-03: a no is not lost in what is only read as the situation, whichever of the two was there first."""
    for new, old in ((one, other), (other, one)):
        assert relation.judge(remark(new), remark(old)).relation is Relation.CONFLICTING


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Keep secrets in Vault", "Keep secrets in 1Password"),
        ("Write comments in English", "Write comments in German"),
        ("Always store dates in UTC", "Store dates in local time"),
        ("Name tables in singular", "Name tables in plural"),
        ("Deploy the driver app on Tuesdays", "Deploy the driver app on Thursdays"),
        ("Send invoices on the 1st", "Send invoices on the 15th"),
        ("Send invoices by e-mail", "Send invoices by post"),
        ("Return errors as JSON", "Return errors as XML"),
        ("Keep logs for 30 days in production", "Keep logs for 90 days in production"),
        ("Commit messages are written in English", "Commit messages are written in German"),
        ("Never keep secrets in the repository", "Keep secrets in the repository"),
        ("周二发布司机端", "周四发布司机端"),
        ("每周日备份", "每周五备份"),
        ("周五不要发布", "周五发布"),
        ("每月 1 号发发票", "每月15号发发票"),
    ],
)
def test_where_in_what_form_and_when_is_what_an_order_chooses(one: str, other: str) -> None:
    """G-03: two remarks that put the same elsewhere, in another form or on another day are asked about."""
    for new, old in ((one, other), (other, one)):
        assert relation.judge(remark(new), remark(old)).relation is Relation.CONFLICTING


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Keep secrets in Vault", "Keep feature flags in Vault"),
        ("Write commit messages in English", "Write docs in German"),
        ("Keep logs for 30 days in production", "Keep logs for 3 days in staging"),
        ("Run the backup on Sundays", "Run the cleanup on Fridays"),
        ("Return 404 for missing users", "Return 410 for deleted users"),
        ("Use Swift on iOS", "Use Kotlin on Android"),
        ("周日备份", "周一清理日志"),
        ("每天站会", "每年体检"),
        ("每月 7 号清理 mailer 的日志", "每月 8 号清理 gateway 的日志"),
    ],
)
def test_other_things_are_put_and_done_as_they_like(one: str, other: str) -> None:
    """G-02: what is put somewhere, or done on a day, and where it holds, tell two remarks apart."""
    for new, old in ((one, other), (other, one)):
        assert relation.judge(remark(new), remark(old)).relation in (Relation.COMPLEMENTARY, Relation.UNRELATED)


def test_what_need_not_be_done_may_be_done() -> None:
    """G-03: to lift a duty is not to forbid; and a no about something else turns nothing round."""
    for new, old in (
        ("Interns need not squash commits", "Interns may squash commits"),
        ("Log everything in tests", "Never log anything in production"),
    ):
        assert relation.judge(remark(new), remark(old)).relation is not Relation.CONFLICTING


def finding(text: str, *, title: str = "Sort the exports", when: tuple[str, ...] = (), fact: str = "") -> Note:
    """A note as a finding of a task becomes one."""
    return Note(
        id="MEM-0002",
        title=f"{title}: {text}",
        when_to_load=when or (title,),
        one_liner=f"In {title}: {text}",
        decision=text,
        fact=fact,
        evidence=f"Looked at twice.\n{task_evidence('T-1', title, '2026-01-01T00:00:00Z')}",
    )


@pytest.mark.parametrize(
    ("title", "when", "scene"),
    [
        ("Sort the exports", (), ""),
        ("Say “no”, 2026-01 or later", (), ""),
        ("Sort the exports", ("naming modules",), "naming modules"),
        ("Sort the exports", ("naming modules", "Sort the exports"), "naming modules"),
    ],
)
def test_the_title_of_a_task_is_no_scene(title: str, when: tuple[str, ...], scene: str) -> None:
    """G-01: all findings of a task have its title; a situation of their own is taken as it is."""
    read = side(finding("Keep prices as integer cents", title=title, when=when))
    assert (read.scene_text, read.choice_text) == (scene, "Keep prices as integer cents")


def test_a_title_that_was_lent_counts_in_no_other_place() -> None:
    """G-01: a note's title and one-liner say the task's title again; what the finding itself says is never left out."""
    read = side(finding("Keep prices as cents", title="Node 22", fact="Keep prices as cents: Node 22 has no decimals."))
    assert {"22", "decim"} <= read.whole.words.keys()
    bare = side(finding("Keep prices as cents", title="Node 22"))
    assert not {"22", "node"} & bare.whole.words.keys()
    own = side(finding("Keep prices as cents", title="Node 22", when=("storing prices",)))
    assert "22" in own.whole.words


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Use npm for installs", "Use pnpm, never npm"),
        ("Use MySQL for new services", "Use PostgreSQL for new services"),
        ("Never deploy on Fridays", "Deploy on Fridays"),
        ("接口超时设为 5 秒", "接口超时 3 秒"),
    ],
)
def test_findings_that_cannot_both_hold_conflict(new: str, old: str) -> None:
    """G-03: a contradiction that can be named needs no situation."""
    for one, other in ((finding(new), finding(old)), (finding(new), remark(old)), (remark(new), finding(old))):
        assert relation.judge(one, other).relation is Relation.CONFLICTING


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("We decided to keep prices as integer cents, by default", "Always run migrations inside a transaction"),
        ("The export fails when the quota of the agent is reached", "Exports are named by their day, by convention"),
        ("导出失败的原因是磁盘满了", "导出文件统一按日期命名"),
    ],
)
def test_findings_about_different_things_both_hold(new: str, old: str) -> None:
    """G-01: two findings of one task, whatever its title."""
    for title in ("Sort the exports", "导出"):
        judged = relation.judge(finding(new, title=title), finding(old, title=title))
        assert judged.relation in (Relation.COMPLEMENTARY, Relation.UNRELATED)
