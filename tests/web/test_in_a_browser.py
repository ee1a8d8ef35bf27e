"""The review page as a person uses it: with a mouse, with keys alone, in two languages, on a phone, two at once."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tacit.bank import Bank, Context, State, wiring
from tacit.errors import InputRefused
from tacit.note.model import Note
from tests.web.attacks import ATTACKS
from tests.web.browsers import PATIENCE_MS, VIEWS, Window, axe_faults, chromium, serving, window
from tests.web.visitors import ask, fill, uv_payload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

# More than any look at a small bank takes, however busy the machine is.
RELOADS = 1_000
NARROW = """share => [...document.querySelectorAll("details[open] .diff tbody tr:not(.gap)")].some(row =>
  [...row.querySelectorAll(".old, .new")].some(cell =>
    cell.offsetWidth && cell.offsetWidth < share * row.closest(".diff-frame").offsetWidth))"""
IMAGES = Path(__file__).parents[2] / "docs/img"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all of these; no other test may run while it does, for its loop is this thread's."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Window]:
    """A window on a bank with notes, questions and a task, for tests that only look."""
    root = tmp_path_factory.mktemp("shared") / ".memory"
    bank = fill(root)
    ask(bank)
    word = "AWordWithoutAnyBlankThatGoesOn" * 3
    bank.add([Note(id="MEM-longword", title=word, when_to_load=(word,), one_liner=word, tags=(word[:60],))])
    task = bank.tasks.start("adding with pnpm")
    bank.tasks.note("The lock file is made by pnpm.", task=task.id)
    bank.recall("adding a package with pnpm", session="s")
    with serving(root) as link, window(browser) as opened:
        opened.enter(link)
        yield opened


def test_review_flow(bank: Bank, questions: tuple[str, str, str], browser: Browser) -> None:
    """U-01: see what would change, say yes, take it back, say no, and go on to the next question."""
    with serving(bank.root) as link, window(browser) as one:
        page = one.enter(link)
        expect(page).to_have_url(f"{one.origin}/")  # the link is gone from the address
        page.locator(f'a[href="/inbox/{questions[0]}"]').click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("always put keywords in capitals")
        expect(page.locator("mark")).to_contain_text("always put keywords in capitals")
        expect(page.locator(".diff").last).to_contain_text("always put keywords in capitals")

        page.get_by_role("button", name="Yes, do it").click()
        expect(page.get_by_role("status")).to_contain_text("Done: New")
        assert any("in capitals" in one.title for one in bank.notes())

        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status")).to_contain_text("Taken back")
        assert not any("in capitals" in one.title for one in bank.notes())

        page.locator("[data-row]").first.click()
        page.locator('button[data-key="n"]').click()
        expect(page.get_by_role("status")).to_contain_text("Left as it was")
        expect(page.locator("[data-row]")).to_have_count(1)
    assert {one.channel for one in bank.log() if one.event == "memory_proposal_answered"} == {"web"}


def test_review_without_javascript(bank: Bank, questions: tuple[str, str, str], browser: Browser) -> None:
    """U-01: answering, notes, search and health work by links, buttons and a plain reload."""
    with serving(bank.root) as link, window(browser, scripts=False) as one:
        page = one.enter(link)
        page.locator(f'a[href="/inbox/{questions[0]}"]').click()
        page.get_by_role("button", name="Yes, do it").click()
        expect(page.get_by_role("status")).to_contain_text("Done: New")
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("status")).to_contain_text("Taken back")
        page.locator("[data-row]").first.click()
        page.locator('button[data-key="n"]').click()
        expect(page.get_by_role("status")).to_contain_text("Left as it was")

        page.get_by_role("link", name="Notes").click()
        page.get_by_label("Words").fill("缓存")
        page.get_by_role("button", name="Show").click()
        page.locator("main [data-row]").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("缓存失效时重建索引")

        page.get_by_role("link", name="Search").click()
        page.locator("main input[type=search]").fill("adding a package with pnpm")
        page.keyboard.press("Enter")
        expect(page.locator("#found")).to_contain_text("pnpm")

        page.get_by_role("link", name="Health").click()
        for _ in range(RELOADS):
            if not page.locator("[data-busy]").count():
                break
            page.reload()
        expect(page.locator("main")).to_contain_text("No problem was found.")
        expect(page.locator("main")).to_contain_text("The documents say what the project says.")


def test_keys_alone(bank: Bank, questions: tuple[str, str, str], browser: Browser) -> None:
    """U-01: everything can be done without a mouse."""
    with serving(bank.root) as link, window(browser) as one:
        page = one.enter(link)
        first, second = (row.get_attribute("href") for row in page.locator("[data-row]").all()[:2])
        one.press("j")
        expect(page).to_have_url(f"{one.origin}{second}")
        one.press("k")
        expect(page).to_have_url(f"{one.origin}{first}")

        expect(page.locator("details[data-diff]").first).to_have_attribute("open", "")
        one.press("d")
        expect(page.locator("details[data-diff]").first).not_to_have_attribute("open", "")

        one.go(f"/inbox/{questions[0]}")
        one.press("y")
        expect(page.get_by_role("status")).to_contain_text("Done: New")
        expect(page.get_by_text("Done: New")).to_be_focused()  # it is read out, and its way back comes next
        one.press("Tab")
        expect(page.get_by_role("button", name="Undo")).to_be_focused()
        one.press("u")
        expect(page.get_by_role("status")).to_contain_text("Taken back")
        one.press("n")
        expect(page.get_by_role("status")).to_contain_text("Left as it was")
        one.press("u")
        expect(page.get_by_role("status")).to_contain_text("The question waits again")

        one.press("g", "n")
        expect(page).to_have_url(f"{one.origin}/notes")
        one.press("/")
        page.keyboard.type("缓存")
        page.keyboard.press("Enter")
        expect(page.locator("[data-row]")).to_have_count(1)
        one.press("j", "Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("缓存失效时重建索引")
        one.press("e")
        expect(page.get_by_role("textbox")).to_be_visible()
        one.press()
        leaves = "dispatchEvent(new Event('beforeunload', {cancelable: true}))"
        assert page.evaluate(leaves)
        page.get_by_role("textbox").press("Control+End")
        page.keyboard.type("\nAnd drink tea.\n")
        assert not page.evaluate(leaves)  # the browser asks before the text is lost
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Saved")
        one.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
    assert "And drink tea." in bank.text("MEM-reindex1")


def test_both_languages(bank: Bank, questions: tuple[str, str, str], browser: Browser) -> None:
    """Q-07: the page follows the browser, can be switched, and remembers it; the review works in Chinese too."""
    with serving(bank.root) as link, window(browser, locale="zh-CN") as one:
        page = one.enter(link)
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        one.go(f"/inbox/{questions[0]}")
        expect(page.get_by_role("heading", level=1)).to_contain_text("要记住")
        page.get_by_role("button", name="是，就这样做").click()
        expect(page.get_by_role("status")).to_contain_text("已完成：新增")

        page.get_by_role("button", name="English").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        page.reload()
        expect(page.get_by_role("link", name="Inbox")).to_be_visible()


def test_two_browsers_at_once(bank: Bank, questions: tuple[str, str, str], browser: Browser) -> None:
    """Q-04: two browsers answer the same question: one wins, the other is told; who only watches is told as well."""
    question = f"/inbox/{questions[0]}"
    with serving(bank.root) as link, window(browser) as one, window(browser) as other, window(browser) as watcher:
        one.enter(link)
        for late in (other, watcher):
            one.go("/health").get_by_role("button", name="Make a link").click()
            late.enter(one.page.locator(".copy").inner_text())
        other.page.route("**/live", lambda route: route.abort())  # it hears no news
        other.may_say = watcher.may_say = "Failed to load resource"  # the news, and a question that is gone
        for each in (one, other, watcher):
            each.go(question)

        one.page.get_by_role("button", name="Yes, do it").click()
        expect(one.page.get_by_role("status")).to_contain_text("Done: New")
        other.page.locator('button[data-key="n"]').click()

        expect(other.page.get_by_role("status")).to_contain_text("was already answered elsewhere")
        expect(watcher.page.get_by_role("status")).to_contain_text("just answered elsewhere")
        expect(watcher.page.get_by_role("button", name="Yes, do it")).to_be_disabled()
    answered = [one for one in bank.log() if one.event == "memory_proposal_answered"]
    assert len(answered) == 1


def test_new_question_appears_by_itself(bank: Bank, browser: Browser) -> None:
    """U-01: what an agent proposes appears without a reload, in an empty inbox and beside what is being read."""
    with serving(bank.root) as link, window(browser) as one:
        page = one.enter(link)
        expect(page.get_by_role("heading", level=1)).to_have_text("No question is waiting")

        bank.propose([uv_payload()], Context("talk"))
        expect(page.get_by_role("heading", level=1)).to_contain_text("always put keywords in capitals")
        reading = page.get_by_role("heading", level=1).inner_text()

        bank.remember("When adding a package, use npm instead of pnpm")
        expect(page.locator("[data-row]")).to_have_count(2)
        expect(page.get_by_role("status")).to_contain_text("A new question has arrived")
        expect(page.get_by_role("heading", level=1)).to_have_text(reading)
        expect(page.locator("#waiting-count")).to_contain_text("2")


def test_page_that_follows_the_bank_goes_on_working(
    bank: Bank, questions: tuple[str, str, str], browser: Browser
) -> None:
    """U-01: news leave the reader in place and the field alive; the state follows; the end of the server is told."""

    def change(page: Page, title: str) -> None:
        page.evaluate("document.querySelector('#main').dataset.old = 'yes'")
        bank.add([Note(id="", title=title, when_to_load=(title,), one_liner=f"{title}, slowly.")])
        expect(page.locator("#main[data-old]")).to_have_count(0)

    with window(browser) as one:
        with serving(bank.root) as link:
            page = one.enter(link)
            one.go("/notes")
            one.press("j", "j")
            second = page.locator(":focus").get_attribute("href")
            change(page, "Roasting coffee")
            expect(page.locator(":focus")).to_have_attribute("href", str(second))

            one.go("/search")
            one.press("j")
            change(page, "Baking rye bread")
            page.get_by_role("searchbox").press_sequentially("baking rye bread")
            expect(page.locator(".hits")).to_contain_text("Baking rye bread, slowly.")

            one.go(f"/inbox/{questions[0]}")
            one.press("Tab")
            expect(page.locator(".skip")).to_be_focused()
            bank.set_state(State.PAUSED)
            expect(page.locator(".state")).to_have_text("Memory: PAUSED")
            one.go("/search")
            one.press("j")
            one.may_say = "Failed to load resource"
        expect(page.get_by_role("status")).to_contain_text("The page has lost its server", timeout=PATIENCE_MS)


def test_search_while_typing(shared: Window) -> None:
    """F-07: results follow what is typed, with the threshold drawn."""
    page = shared.go("/search")

    page.get_by_role("searchbox").press_sequentially("add a package with npm")

    expect(page.locator(".hits tbody tr").first).to_contain_text("use pnpm instead of npm")
    expect(page.locator(".hits .mark").first).to_be_attached()
    expect(page).to_have_url(f"{shared.origin}/search?words=add%20a%20package%20with%20npm")


def test_hostile_notes_do_nothing(bank: Bank, browser: Browser) -> None:
    """U-01: in a real browser no hostile note runs, loads or sends anything; the policy has nothing to forbid."""
    kept: list[str] = []
    for attack in ATTACKS:
        line = attack.replace("\n", " ")
        note = Note(id="", title=line, when_to_load=(line,), one_liner=line, decision=attack)
        with suppress(InputRefused):  # what a guard refuses never gets here
            kept += bank.add([note]).note_ids
    assert len(kept) >= 40
    bank.propose([{**uv_payload(), "origin": {"text": " ".join(ATTACKS)}}], Context("talk"))
    with serving(bank.root) as link, window(browser) as one:
        page = one.enter(link)
        foreign: list[str] = []
        page.on("request", lambda asked: foreign.append(asked.url) if not asked.url.startswith(one.origin) else None)
        for path in ("/", "/notes", "/notes?page=2", "/search?words=script+alert", "/health", "/audit"):
            one.go(path)
        for note_id in kept[::6]:
            one.go(f"/notes/{note_id}")
        assert foreign == []


def test_many_tabs_at_once(shared: Window) -> None:
    """U-01: a tab behind others holds no connection, so one more always opens; it catches up when it is looked at."""
    turn = """hidden => {
      Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    shared.go("/tasks")
    tabs = [shared.page.context.new_page() for _ in range(8)]
    for tab in tabs:
        tab.goto(f"{shared.origin}/tasks")
        tab.locator("body[data-ready]").wait_for(state="attached")
        tab.evaluate(turn, arg=True)
    expect(tabs[-1].get_by_role("heading", level=1)).to_have_text("Tasks")

    tabs[0].evaluate("seen = 'long ago'; document.querySelector('#main').dataset.old = 'yes'")
    tabs[0].evaluate(turn, arg=False)

    expect(tabs[0].locator("#main[data-old]")).to_have_count(0)
    for tab in tabs:
        tab.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (360, "light")])
def test_everybody_can_use_it(shared: Window, browser: Browser, width: int, scheme: str) -> None:
    """U-01: axe finds nothing on any view, light, dark or on a phone, where nothing is wider than the screen."""
    shared.go("/health").get_by_role("button", name="Make a link").click()
    link = shared.page.locator(".copy").inner_text()
    with window(browser, width=width, scheme=scheme, locale="zh-CN" if width < 1000 else "en-GB") as one:
        one.enter(link)
        found = {}
        for path in VIEWS:
            page = one.go(path)
            page.locator("main").wait_for()
            found[path] = axe_faults(page, rules=["color-contrast"] if scheme == "dark" else [])
            if page.evaluate("document.documentElement.scrollWidth") > width:
                found[path].append("wider than the screen")
            if page.evaluate(NARROW, 0.6 if width < 1000 else 0.2):
                found[path].append("a column of a difference is too narrow to be read")
    assert {path: faults for path, faults in found.items() if faults} == {}


@pytest.mark.skipif(not os.environ.get("TACIT_SCREENSHOTS"), reason="pictures are made when TACIT_SCREENSHOTS is set")
def test_pictures_for_the_documents(tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures in docs/img are what the page looks like, with a bank that was used for some days."""
    began = datetime.now(UTC) - timedelta(days=9)
    day = 0
    monkeypatch.setattr(wiring, "utc_now", lambda: f"{began + timedelta(days=day):%Y-%m-%dT%H:%M:%SZ}")
    bank = fill(tmp_path / "shop" / ".memory")
    prompts = ("adding a package with pnpm", "writing a migration", "the weather of tomorrow", "缓存与索引不一致")
    for day in range(1, 10):
        for number, prompt in enumerate(prompts * (1 + day % 3)):
            bank.recall(prompt, session=f"{day}-{number}")
        if day % 2:
            bank.add([Note(id="", title=f"Service {day}", when_to_load=("calling it",), one_liner="Retry twice.")])
    merge = ask(bank)[2]
    with serving(bank.root) as link, window(browser) as light:
        light.enter(link)
        for name, path in {
            "inbox": f"/inbox/{merge}",
            "search": "/search?words=add+a+package+with+npm",
            "health": "/health",
            "note": "/notes/MEM-reindex1",
        }.items():
            light.go(path)
            light.page.screenshot(path=IMAGES / f"{name}.png")
        light.go("/health").get_by_role("button", name="Make a link").click()
        with window(browser, locale="zh-CN", scheme="dark") as dark:
            dark.enter(light.page.locator(".copy").inner_text())
            dark.go(f"/inbox/{merge}")
            dark.page.screenshot(path=IMAGES / "inbox.zh-CN.png")
