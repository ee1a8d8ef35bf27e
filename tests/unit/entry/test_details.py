"""Details are complete or refused, and a crowded folder has a router."""

from __future__ import annotations

import pytest

from tacit.entry import details
from tacit.errors import DetailIncomplete, FieldRefused

TS = "2026-01-02T03:04:05Z"


@pytest.mark.parametrize("kind", list(details.PARTS))
def test_each_kind_needs_all_its_parts(kind: str) -> None:
    """E-04: leaving out any part refuses the whole, naming exactly what is missing."""
    whole = {part.option: "words" for part in details.PARTS[kind]}

    assert f"# {'Decision: ' if kind == 'decision' else ''}Title" in details.render(kind, "Title", whole, TS)
    for part in details.PARTS[kind]:
        with pytest.raises(DetailIncomplete) as caught:
            details.render(kind, "Title", {**whole, part.option: " "}, TS)
        assert caught.value.details["missing"] == part.heading.lower()
    with pytest.raises(FieldRefused):
        details.render(kind, " ", whole, TS)


@pytest.mark.parametrize("kind", ["decision", "learning", "requirement"])
def test_a_rendered_detail_lacks_nothing(kind: str) -> None:
    """E-04: what `add` writes passes the same look as a draft."""
    text = details.render(kind, "Title", {part.option: "words" for part in details.PARTS[kind]}, TS)

    assert details.lacking(kind, text) == []
    assert [part.option for part in details.lacking(kind, "# Title\n\nno parts\n")]


def test_a_chinese_draft_is_understood() -> None:
    """E-04: headings in Chinese count."""
    assert details.lacking("learning", "# 丢单\n\n## 现象\na\n## 根因\nb\n## 修复\nc\n## 预防\nd\n") == []
    assert [part.option for part in details.lacking("requirement", "**状态**: proposed\n")] == ["criteria", "history"]


def test_status_changes_keep_a_history() -> None:
    """E-04: each change of a requirement's status adds one line; the same status adds none."""
    text = details.render("requirement", "Guests", {"what": "a", "criteria": "b"}, TS)
    accepted = details.with_status(text, "accepted", "", TS, "f")
    done = details.with_status(accepted, "done", "shipped", "2026-02-01T00:00:00Z", "f")

    assert "Status: done" in done
    assert done.endswith(
        "- 2026-01-02 proposed\n- 2026-01-02 proposed → accepted\n- 2026-02-01 accepted → done: shipped\n"
    )
    assert details.with_status(done, "done", "again", TS, "f") == done
    assert "## History\n\n- 2026-01-02 new → done\n" in details.with_status("状态：new\n", "done", "", TS, "f").replace(
        "\n\n- ", "\n\n- "
    )
    middle = details.with_status("Status: proposed\n\n## History\n\n- x\n\n## Rest\n", "done", "", TS, "f")
    assert middle.endswith("- x\n- 2026-01-02 proposed → done\n\n## Rest\n")


@pytest.mark.parametrize(("text", "status"), [("Status: proposed\n", "finished"), ("no status\n", "done")])
def test_wrong_statuses_are_refused(text: str, status: str) -> None:
    """E-04: an unknown status, and a document without one, are refused."""
    with pytest.raises(FieldRefused):
        details.with_status(text, status, "", TS, "f")


def test_names_of_new_files_are_free() -> None:
    """E-04: a second detail of the same title gets a name of its own; decisions share a file."""
    first = details.target("learning", "Lost orders!", [])

    assert first == "details/learnings/lost-orders.md"
    assert details.target("learning", "Lost orders", [first]) == "details/learnings/lost-orders-2.md"
    assert details.target("requirement", "…", []) == "details/requirements/REQ-requirement.md"
    assert details.target("decision", "x", []) == details.DECISIONS


@pytest.mark.parametrize(
    ("file", "text", "kind"),
    [
        ("details/learnings/a.md", "", "learning"),
        ("details/requirements/index.md", "", ""),
        ("details/requirements/REQ-a.md", "", "requirement"),
        ("details/design/a.md", "", ""),
        ("details/decisions/a.md", "", "decision"),
        ("details/patterns.md", "## Decision: x\n", "decision"),
        ("details/tech.md", "# Tech\n", ""),
    ],
)
def test_the_kind_of_a_draft(file: str, text: str, kind: str) -> None:
    """E-04: the folder, or a heading that says so, tells which parts a draft needs."""
    assert details.kind_of(file, text) == kind


def test_a_router_names_every_file() -> None:
    """E-04: the router leads to each file by its title."""
    text = details.router(
        "details/learnings", [("details/learnings/a.md", "Alpha"), ("details/learnings/b.md", "Beta")]
    )

    assert "- About Alpha: read `a.md`\n- About Beta: read `b.md`" in text
    assert details.heading("no heading", "details/x.md") == "x"
