"""The first notes that a project suggests."""

from __future__ import annotations

import pytest

from tacit.capture import starters
from tacit.note import payload as payloads
from tacit.project.values import Manifest, Survey

README = """# Shop

[English](README.md) · [中文](README.zh.md)

The shop sells books to people who read, and nothing else at all.

## Non-goals

- no marketplace

## How it works

Orders go through a queue.

## Development

Run `make dev`.

```
not this
```
"""


def survey(readme: str = README, files: tuple[str, ...] = (), *manifests: Manifest) -> Survey:
    """A project with a README and more."""
    return Survey("shop", frozenset(("README.md", *files)), manifests, {}, readme)


PACKAGE = Manifest(
    "package.json",
    "node",
    name="bookshop",
    tasks={"npm": ("dev", "test", "deploy")},
    versions={"express": "^4"},
)


def test_service_suggests_notes_from_what_it_says() -> None:
    """C-01: goals and non-goals, development, structure, release and flows, each with its files."""
    found = starters.starters(
        survey(README, ("src/app.js", "Dockerfile", "GLOSSARY.md"), PACKAGE), {"GLOSSARY.md": "**SKU**: what is sold."}
    )

    topics = {each.topic: each for each in found}
    assert list(topics) == ["goals", "development", "architecture", "release", "flows", "glossary"]
    assert "sells books" in topics["goals"].line
    assert "no marketplace" in topics["goals"].text
    assert "`test`" in topics["development"].text
    assert "not this" not in topics["development"].text
    assert "`deploy`" in topics["release"].text
    assert topics["glossary"].files == ("GLOSSARY.md",)
    assert topics["goals"].title == "What bookshop is for, and what it is not"


def test_kind_of_project_decides_the_order() -> None:
    """A library, a service, a workspace of several packages and bare documents are told apart."""
    several = tuple(Manifest(f"packages/{name}/package.json", "node", name=name) for name in "abc")

    assert starters.kind(survey()) == "documents"
    assert starters.kind(survey("", (), Manifest("pyproject.toml", "python", name="lib"))) == "library"
    assert starters.kind(survey("", (), PACKAGE)) == "service"
    assert starters.kind(survey("", (), *several)) == "workspace"


def test_manifest_alone_is_enough_for_three() -> None:
    """Without a README the manifest and the folders speak."""
    manifest = Manifest("pyproject.toml", "python", name="lib", description="Counts sheep.", tasks={"make": ("test",)})
    seen = Survey("lib", frozenset({"pyproject.toml", "src/lib.py"}), (manifest,), {})

    assert [each.topic for each in starters.starters(seen, {})] == ["goals", "development", "architecture"]


def test_chinese_project_gets_chinese_titles() -> None:
    """The language is that of the README."""
    found = starters.starters(
        survey("# 书店\n\n这个项目只卖书，面向喜欢阅读的人，别的什么都不卖。\n\n## 流程\n\n订单先进队列。\n"), {}
    )

    assert [each.title for each in found] == ["shop 的目标与非目标", "shop 的主要流程"]


def test_empty_project_suggests_nothing() -> None:
    """Where nothing is said, nothing is invented."""
    assert starters.starters(Survey("new", frozenset(), (), {}), {}) == []


def test_few_documents_are_read() -> None:
    """Only documents whose name promises something, and a few at most."""
    seen = survey("", ("docs/architecture.md", "CONTRIBUTING.md", "docs/other.md", "src/design.md"))

    assert starters.documents(seen) == ["CONTRIBUTING.md", "docs/architecture.md"]


def test_payloads_are_legal() -> None:
    """Each becomes a payload of source init with the project's files as evidence."""
    for each in starters.starters(survey(README, ("src/app.js",), PACKAGE), {}):
        parsed = payloads.parse(each.payload())
        assert parsed.source == "init"
        assert parsed.evidence


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        ("本项目向园丁出售植物。", "本项目向园丁出售植物。"),
        ("Sells plants.", "Sells plants."),
        ("[English](README.md) · [中文](README.zh.md)", "A shop for gardeners"),
        ("", "A shop for gardeners"),
    ],
)
def test_a_short_opening_is_not_replaced_by_a_later_section(opening: str, said: str) -> None:
    """C-01: what a project is for is its first sentence, however short, or its manifest's; never a later section."""
    readme = f"# Shop\n\n{opening}\n\n## 开发\n\n运行 `make dev`。提交前必须运行 `make lint`，否则会被拒绝。\n"
    manifest = Manifest("pyproject.toml", "python", name="shop", description="A shop for gardeners")
    (goals,) = [each for each in starters.starters(survey(readme, (), manifest), {}) if each.topic == "goals"]
    assert goals.text == said


def test_a_section_about_the_project_says_what_it_is_for() -> None:
    """C-01: a README that opens with a heading is read below the one that is about the project; others are not."""
    about = survey("# Shop\n\n## Development\n\nRun make dev before you do anything.\n\n## About\n\nSells plants.\n")
    topics = {each.topic: each for each in starters.starters(about, {})}
    assert topics["goals"].text == "Sells plants."
    silent = survey("# Shop\n\n## Development\n\nRun make dev before you do anything else in here.\n")
    assert "goals" not in {each.topic for each in starters.starters(silent, {})}


def test_what_is_suggested_reads_as_a_sentence() -> None:
    """C-01: a situation begins with when, lines stay apart in one, and scripts are those of the manager in use."""
    lock = Manifest("pnpm-lock.yaml", "pnpm", is_lock=True)
    found = {each.topic: each for each in starters.starters(survey(README, ("src/app.js",), PACKAGE, lock), {})}
    assert all(each.when.startswith("when ") for each in found.values())
    assert found["development"].line == "pnpm (package.json): dev, test; Run make dev."
