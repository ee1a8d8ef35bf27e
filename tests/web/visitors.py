"""Somebody who visits the review page: by requests alone, and what the bank that they see holds."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

from starlette.testclient import TestClient

from tacit.bank import Bank, Context
from tacit.note.model import Kind, Layer, Note, Status, Strength
from tacit.web.app import Site
from tacit.web.doorkeeper import Doorkeeper
from tacit.web.keeper import Keeper, Slow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import httpx2

    from tacit.web.doorkeeper import Trust

PORT = 8123
HOST = f"127.0.0.1:{PORT}"
ORIGIN = f"http://{HOST}"
SAID = "When writing SQL, always put keywords in capitals, never in small letters. Then lunch."
RULE = SAID.index(" Then")
OLD = "When adding a package, use pnpm instead of npm"


def uv_payload() -> dict[str, Any]:
    """A new note of which the agent is not quite sure."""
    return {
        "scene": "writing SQL",
        "principles": ["always put keywords in capitals", "put keywords in small letters"],
        "choice": "always put keywords in capitals",
        "source": "auto",
        "confidence": "medium",
        "kind": "principle",
        "origin": {"text": SAID, "spans": [{"start": 0, "end": RULE, "label": "rule"}]},
        "claim": {"id": "sql-capitals", "digest": "keywords in capitals"},
    }


def npm_payload() -> dict[str, Any]:
    """A note that contradicts the old one."""
    return {
        "scene": "adding a package",
        "principles": ["use npm", "use pnpm"],
        "choice": "use npm",
        "source": "extract",
        "origin": {"text": "just use npm"},
    }


def fill(root: Path) -> Bank:
    """Make a bank with a few notes."""
    bank = Bank.init(root)
    bank.remember("when writing a migration, add a rollback script instead of editing the old one")
    bank.remember(OLD)
    bank.add(
        [
            Note(
                id="MEM-reindex1",
                title="缓存失效时重建索引",
                kind=Kind.TROUBLESHOOTING,
                layer=Layer.PROCEDURAL,
                strength=Strength.ENFORCED,
                when_to_load=("缓存与索引不一致时",),
                one_liner="先清缓存，再运行 make reindex。",
                decision="1. `make cache-clear`\n2. `make reindex`\n\nSee mem://L1/MEM-archived.",
                tags=("cache",),
            ),
            Note(
                id="MEM-archived",
                title="Deploy on Fridays",
                status=Status.ARCHIVE,
                when_to_load=("deploying",),
                one_liner="Deploy on Fridays.",
            ),
        ]
    )
    return bank


def ask(bank: Bank) -> tuple[str, str, str]:
    """Let three questions wait: a new note, a conflict and a merge; return their ids."""
    bank.session("talk").saw_prompt(SAID)
    new, conflict = bank.propose([uv_payload(), npm_payload()], Context("talk"))
    merge = bank.remember(f"{OLD}, because the lock file is shared with CI")
    assert (new.decision, conflict.decision, merge.decision) == ("new", "veto", "merge")
    return new.proposal_id, conflict.proposal_id, merge.proposal_id


class Visitor:
    """A browser without a window: it keeps its cookie, follows no redirect, and fills in the forms of the page."""

    def __init__(self, root: Path, *, trust: Trust | None = None) -> None:
        self.keeper = Keeper(root)
        self.slow = Slow(root)
        self.door = Doorkeeper(PORT, trust)
        self.root = root
        self.app = Site(self.keeper, self.slow, self.door, Bank.open(root, heal=False).pulse).application()
        self.client = self.browser()
        self.csrf = ""

    def browser(self) -> TestClient:
        """Return another browser, which has not been let in yet."""
        headers = {"Accept-Language": "en"}
        client = ("127.0.0.1", 50_000)
        return TestClient(self.app, base_url=ORIGIN, client=client, follow_redirects=False, headers=headers)

    def enter(self) -> Visitor:
        """Come in by a link."""
        page = self.client.get(self.door.new_link())
        assert page.status_code == 200, page.text
        self.csrf = csrf_of(page.text)
        return self

    def get(self, path: str, headers: Mapping[str, str] | list[tuple[str, str]] | None = None) -> httpx2.Response:
        """Open a page."""
        return self.client.get(path, headers=headers)

    def see(self, path: str) -> str:
        """Return what stands on a page that is there, as text without markup."""
        page = self.client.get(path)
        assert page.status_code == 200, page.text
        return text_of(page.text)

    def post(self, path: str, fields: Mapping[str, str], **headers: str) -> httpx2.Response:
        """Send a form of the page."""
        return self.client.post(
            path, data={"csrf": self.csrf, **fields}, headers={"Origin": ORIGIN, "Accept-Language": "en", **headers}
        )

    def press(self, path: str, fields: Mapping[str, str]) -> str:
        """Send a form and return what the page that follows says."""
        sent = self.post(path, fields)
        assert sent.status_code == 303, sent.text
        return self.see(sent.headers["location"])

    def answer(self, proposal: str, option: str) -> str:
        """Answer a question as its page shows it; return what the next page says."""
        page = self.client.get(f"/inbox/{proposal}").text
        shown = re.search(r'name="shown" value="(\w+)"', page)
        assert shown is not None
        return self.press("/answer", {"proposal": proposal, "option": option, "shown": shown[1]})

    def leave(self) -> None:
        """Let the threads end."""
        self.slow.close()
        self.keeper.close()


def csrf_of(page: str) -> str:
    """Return the token of the forms on a page."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None
    return found[1]


def text_of(page: str) -> str:
    """Return what a page says, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())
