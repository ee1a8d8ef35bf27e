"""What one remark is about, and what it says then."""

from __future__ import annotations

import pytest

from tacit.capture import remark


def divided(text: str) -> tuple[object, object]:
    """The scene and the choice of a remark."""
    found = remark.payload(text)
    return found["scene"], found["choice"]


@pytest.mark.parametrize(
    "text",
    [
        "The docs live at https://docs.example.com/guide",
        "每天 10:30 之前不要部署",
        "每天 10：30 之前不要部署",
        "Use std::string_view for parameters",
        "The dev server listens on localhost:8080",
        "Store the logs in C:\\logs",
        "Tag images as name:version",
        "Set `retries: 3` in the config",
        "10: is no topic",
    ],
)
def test_what_holds_a_colon_stays_whole(text: str) -> None:
    """M-01: addresses, times, ports, scopes, drives, pairs and code are not cut in two."""
    assert divided(text) == (text, text)


@pytest.mark.parametrize(
    ("text", "scene", "choice"),
    [
        ("Deploys: always use the blue script", "Deploys", "always use the blue script"),
        ("部署：先跑测试", "部署", "先跑测试"),
        ("部署前:先跑测试", "部署前", "先跑测试"),
        ("`make all`: only on the build host", "`make all`", "only on the build host"),
        ("For the parser: use tables", "For the parser", "use tables"),
        ("If localhost:8080 is taken, use 8081", "If localhost:8080 is taken", "use 8081"),
        ("For 1,000 users, add a cache", "For 1,000 users", "add a cache"),
    ],
)
def test_scene_is_told_from_the_choice(text: str, scene: str, choice: str) -> None:
    """M-01: a colon with a blank behind it, a wide colon and a comma divide a remark."""
    assert divided(text) == (scene, choice)


@pytest.mark.parametrize(
    "text",
    [
        "Customers can cancel an order until it ships, but not after payment by invoice",
        "The CI fails when the cache is older than 7 days; clear it with make cache-clear",
        "Access tokens expire after 15 minutes and refresh tokens after 30 days",
        "Feature flags are removed two weeks after full rollout",
        "Invoices are never changed after they are sent",
        "Don't ask before running tests, just run them",
        "Do not merge until QA signs off, even when the change is small",
        "A refund takes 5 days while a chargeback takes 30",
        "In tests use factories, not fixtures",
        "On Windows use CRLF, elsewhere LF",
        "At most 3 retries, then give up",
        "Before 2024 we used Travis, now GitHub Actions",
        "I prefer small PRs: under 400 lines",
        "调用第三方 API 时必须设置超时，否则线程会被占满",
        "任务最多运行 2 小时，超过就杀掉",
        "推送要实时，不要轮询",
        "密钥存在 Vault 中，不要写进代码",
        "新代码不要写在 legacy 目录下，要写在 src 下",
        "默认情况下，所有接口都需要鉴权",
        "我喜欢小的 PR：不超过 400 行",
    ],
)
def test_what_may_be_meant_otherwise_stays_whole(text: str) -> None:
    """M-01: a rule is not turned round by cutting off what only looks like its situation."""
    assert divided(text) == (text, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Remember: never edit generated files", "never edit generated files"),
        ("Please note that port 8080 is taken", "port 8080 is taken"),
        ("请记住：预发环境叫 bluebird", "预发环境叫 bluebird"),
        ("注意：不要改 generated 目录", "不要改 generated 目录"),
    ],
)
def test_what_leads_in_is_no_situation(text: str, said: str) -> None:
    """M-01: "remember" names no situation; the words as they were typed stay with the note."""
    assert divided(text) == (said, said)
    assert remark.payload(text)["origin"] == {"text": text}


@pytest.mark.parametrize(
    ("text", "rejected"),
    [
        ("Use PostgreSQL instead of MySQL because of JSONB support", ["MySQL"]),
        ("Use flags instead of long-lived branches when the change is big", ["long-lived branches"]),
        ("Use Vite 6.1 instead of Webpack 5.9 for the shop", ["Webpack 5.9"]),
        ("Instead of deleting rows, set deleted_at", ["deleting rows"]),
        ("Instead of deleting rows set deleted_at", []),
        ("用 Zustand 而不是 Redux 来管理状态", ["Redux"]),
    ],
)
def test_an_alternative_ends_where_the_reason_begins(text: str, rejected: list[str]) -> None:
    """M-01: what was turned down is named, and no more than that."""
    found = remark.payload(text)
    assert found["principles"] == [found["choice"], *rejected]


def test_the_sentence_to_inject_is_what_was_said() -> None:
    """J-01: a short remark is said again as it was said; of a long one its situation and its choice."""
    assert remark.payload("run the linter before pushing")["one_liner"] == "Run the linter before pushing."
    assert remark.payload("部署前，先跑迁移")["one_liner"] == "部署前，先跑迁移。"
    long = f"Before pushing, run {'a very ' * 40}strict linter"
    assert "one_liner" not in remark.payload(long)


def test_lists_and_code_keep_their_lines() -> None:
    """S-04: what is more than a sentence stands in the note as it was typed."""
    text = "Read settings like this:\n\n```python\nwith open(path) as file:\n    # whole\n    text = file.read()\n```"
    found = remark.payload(text)
    assert (found["choice"], found["fact"]) == ("Read settings like this", text)

    steps = remark.payload("1. Freeze the branch.\n2. Tag it.\n# Not a section of ours")
    assert steps["choice"] == "Freeze the branch."
    assert "fact" not in steps

    long = remark.payload(f"Ship on Mondays. {'And so on it goes. ' * 150}")
    assert long["choice"] == "Ship on Mondays."


@pytest.mark.parametrize(
    ("text", "choice", "limit"),
    [
        (
            "Don't use lodash in the frontend, except in the legacy admin page",
            "Don't use lodash in the frontend",
            "in the legacy admin page",
        ),
        ("Don't merge unless CI is green. Ask Ann.", "Don't merge. Ask Ann.", "CI is green"),
        ("Unless it is vendored, use pnpm", "use pnpm", "it is vendored"),
        ("All commits, except merges, must be signed", "All commits must be signed", "merges"),
        ("No deploys on Friday except for hotfixes", "No deploys on Friday", "hotfixes"),
        ("Use UTC everywhere (except in reports)", "Use UTC everywhere", "in reports"),
        (
            "Use the logger everywhere, except in the CLI, where print is fine.",
            "Use the logger everywhere.",
            "in the CLI, where print is fine",
        ),
        ("Squash commits unless told otherwise, and sign them", "Squash commits, and sign them", "told otherwise"),
        ("Use tabs other than in src/old.js", "Use tabs", "in src/old.js"),
        (
            "Only admins may delete, unless the record is locked, in which case nobody may",
            "Only admins may delete",
            "the record is locked, in which case nobody may",
        ),
        ("不要在前端用 moment，除非是旧的报表页面", "不要在前端用 moment", "旧的报表页面"),
        ("除非是旧页面，否则不要用 moment", "不要用 moment", "旧页面"),
        ("除了旧报表页面以外，不要用 moment", "不要用 moment", "旧报表页面"),
        ("前端用 dayjs，除非是报表页，那里用 moment", "前端用 dayjs", "报表页，那里用 moment"),
        ("先跑测试，除非是热修复，并通知运维", "先跑测试，并通知运维", "热修复"),
    ],
)
def test_exception_is_a_counter_signal(text: str, choice: str, limit: str) -> None:
    """N-06: when it does not hold stands apart, and the sentence to inject still says it."""
    found = remark.payload(text)

    assert (found["scene"], found["choice"], found["counter_signals"]) == (choice, choice, [limit])
    assert str(found["one_liner"]).rstrip(".。") == (text[0].upper() + text[1:]).rstrip(".。")
    assert found["origin"] == {"text": text}


def test_exception_is_neither_scene_nor_alternative() -> None:
    """N-06: the rest of the remark is read without it."""
    found = remark.payload("When adding a package, use pnpm instead of npm unless it is vendored")

    assert (found["scene"], found["choice"]) == ("When adding a package", "use pnpm instead of npm")
    assert (found["principles"], found["counter_signals"]) == (["use pnpm instead of npm", "npm"], ["it is vendored"])


@pytest.mark.parametrize(
    "text",
    [
        "All commits except merges must be signed",
        "Don't use anything other than pnpm",
        "We accept no currencies other than EUR",
        "Never use a bare except in Python",
        f"Squash commits unless {'someone says so and ' * 20}it is late",
        "除了单元测试以外，还要写集成测试",
        "除此之外，不要用 moment",
        "除非紧急才能在周五发布",
        "前端除了报表页面都用 dayjs",
        "扣除运费，再算税",
    ],
)
def test_what_only_looks_like_an_exception_stays(text: str) -> None:
    """A sentence that means nothing without its middle is not cut, nor is one that names what is allowed."""
    assert "counter_signals" not in remark.payload(text)
    assert divided(text) == (text, text)
