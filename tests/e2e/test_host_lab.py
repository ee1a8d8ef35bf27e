"""The laboratory of the real hosts, where it can be wrong without one: the model's APIs, the screen, the documents."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.hosts import report
from tests.e2e.hosts.hosts import HOSTS
from tests.e2e.hosts.journey import STEPS, Step
from tests.e2e.hosts.model import Model
from tests.e2e.hosts.screen import Screen
from tests.e2e.hosts.wire import Call, Say

CHAT = [{"type": "function", "function": {"name": "tacit-propose"}}]
REQUESTS: dict[str, dict[str, Any]] = {
    "/v1/messages?beta=true": {"stream": True, "tools": [{"name": "mcp__tacit__propose"}]},
    "/v1/chat/completions": {"stream": True, "tools": CHAT},
    "/v1/responses": {
        "stream": True,
        "tools": [{"type": "namespace", "name": "mcp__tacit", "tools": [{"name": "propose"}]}],
    },
    "/v1beta/models/m:streamGenerateContent?alt=sse": {
        "tools": [{"functionDeclarations": [{"name": "mcp_tacit_propose"}]}]
    },
}


def ask(model: Model, path: str, body: dict[str, Any]) -> str:
    """Send a request to the model as a client would; return all that it answers."""
    given = json.dumps(body).encode()
    request = urllib.request.Request(model.url + path, given, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  loopback
        return str(answer.read().decode())


@pytest.mark.parametrize("path", REQUESTS)
def test_model_calls_the_tool_by_the_hosts_name_for_it(path: str) -> None:
    """Each API gets the call and then the words, and the model hands on the conversation that it was told."""
    model = Model()
    model.rehearse(Call("propose", {"payloads": []}), Say("Done so."))
    body = {**REQUESTS[path], "text": "conversation_id: c-7 (hand it on)"}

    called, said = ask(model, path, body), ask(model, path, body)

    first, second = model.questions()
    assert isinstance(first.answer, Call)
    assert first.answer.arguments == {"payloads": [], "conversation_id": "c-7"}
    assert first.answer.tool.rpartition("/")[2] in called
    assert "c-7" in called
    assert "Done so." in said
    assert second.says("c-7 (hand")


def test_model_says_so_where_a_tool_is_not_offered() -> None:
    """A host that shows no such tool is not made to look as if it did; a request without tools gets one word."""
    model = Model()
    model.rehearse(Call("propose", {}))

    assert "is not offered" in ask(model, "/v1/chat/completions", {"tools": [{"function": {"name": "other"}}]})
    assert '"ok"' in ask(model, "/v1/chat/completions", {"messages": []})


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("one\r\ntwo", "one\ntwo"),
        ("\x1b[2;3Hhere", "\n  here"),
        ("abcdef\x1b[3G\x1b[K", "ab"),
        ("gone\x1b[2J\x1b[Hnew", "new"),
        ("\x1b]0;title\x07\x1b[1;31mred\x1b[0m", "red"),
        ("好\x1b[1;3Hx", "好x"),
        ("1\r\n2\r\n3\r\n4\r\n5", "2\n3\n4\n5"),
        ("a\r\nb\x1b[1;1H\x1b[L", "\na\nb"),
        ("abc\x1b[1;1H\x1b[P", "bc"),
    ],
)
def test_screen_shows_what_a_terminal_would(written: str, shown: str) -> None:
    """The same text stands there whether it arrives in one piece or character by character."""
    whole, pieces = Screen(10, 4), Screen(10, 4)
    whole.feed(written)
    for char in written:
        pieces.feed(char)

    assert whole.text == shown
    assert pieces.text == shown


def test_a_transcript_names_no_place_of_the_machine() -> None:
    """Paths become those of any user, the longest first; gaps are closed."""
    text = "at /x/run/project/a  \n\n\n\nand /x/run"
    assert report.cleaned(text, {Path("/x/run"): "~", Path("/x/run/project"): "~/project"}) == "at ~/project/a\n\nand ~"


def test_the_matrix_tells_why_something_did_not_pass() -> None:
    """Each step of each host is in the table, and a reason for each that did not pass."""
    steps = [Step(name, "pass") for name in STEPS if name != "dialog"] + [Step("dialog", "skipped", "it has none")]
    made = report.matrix([report.Row(HOSTS[0], steps, 12.0)], taken="Today.")

    assert all(f"| {told} | " in made for told in STEPS.values())
    assert "- Claude Code, *dialog* skipped: it has none" in made


def test_a_page_shows_the_telling_part_of_a_transcript() -> None:
    """What a page held before goes; a page without a place for it stays as it is."""
    page = "# Claude\n\n<!-- transcript of the real client: claude -->\nold\n<!-- end -->\n"
    told = f"\n# {STEPS['recall']}\n$ claude\n# {STEPS['answer']}\n(log: x)\n---\nid: x\n# {STEPS['known']}\nmore\n"
    made = report.shown(page, HOSTS[0], told)

    assert "$ claude" in made
    assert "(log: x)" in made
    assert "id: x" not in made
    assert "old" not in made
    assert report.shown(made, HOSTS[0], told) == made
    assert report.shown("# Claude\n", HOSTS[0], told) == "# Claude\n"
