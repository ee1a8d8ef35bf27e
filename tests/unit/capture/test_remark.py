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
