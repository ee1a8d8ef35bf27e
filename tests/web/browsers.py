"""A real browser before a real `tacit ui`: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
import signal
import subprocess
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.cli.runner import TACIT, environment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Dialog

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
PATIENCE_MS = 30_000
NOTE = "/notes/MEM-reindex1"
VIEWS = (
    "/",
    "/notes",
    NOTE,
    f"{NOTE}/edit",
    "/notes/MEM-longword",
    "/search?words=package+npm",
    "/health",
    "/audit",
    "/tasks",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser; a test that needs one is skipped where there is none."""
    if not CHROMIUM:
        pytest.skip("no Chromium on this machine; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def serving(root: Path, **variables: str) -> Iterator[str]:
    """Run `tacit ui` for a while; gives its link."""
    process = subprocess.Popen(
        [TACIT, "ui", "--no-browser", "--bank", str(root)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(TACIT_HOME=str(root.parent / "home"), **variables),
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert said.strip() == "Press ^C here to end the page."


def axe_faults(page: Page, *, rules: list[str]) -> list[str]:
    """Return what axe-core finds wrong for people who use a keyboard or a screen reader, by all rules or by some."""
    package = find_spec("axe_playwright_python")
    assert package is not None
    assert package.origin is not None
    page.evaluate(Path(package.origin).with_name("axe.min.js").read_text(encoding="utf-8"))
    wanted = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = page.evaluate("wanted => axe.run(wanted)", wanted)
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]


class Window:
    """A window of a browser, with its own cookies; what its console complains about fails the test at the end."""

    def __init__(
        self,
        browser: Browser,
        *,
        locale: str = "en-GB",
        width: int = 1280,
        scheme: str = "light",
        scripts: bool = True,
    ) -> None:
        self._context = browser.new_context(
            locale=locale,
            java_script_enabled=scripts,
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        self._context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self._context.new_page()
        self.complaints: list[str] = []
        # What it may complain about, at any moment until it is closed.
        self.may_say = ""
        self.page.on("dialog", self._dismiss)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)

    def _dismiss(self, dialog: Dialog) -> None:
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def enter(self, link: str) -> Page:
        """Come in by a link."""
        self.page.goto(link)
        return self.page

    def go(self, path: str) -> Page:
        """Open a part of the page."""
        self.page.goto(path if path.startswith("http") else f"{self.origin}{path}")
        return self.page

    def press(self, *keys: str) -> None:
        """Press keys once the page listens to them."""
        self.page.locator("body[data-ready]").wait_for(state="attached")
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def origin(self) -> str:
        """Where the page comes from."""
        scheme, _, rest = self.page.url.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}"

    def close(self) -> None:
        """Close it; nothing must have gone wrong meanwhile."""
        self._context.close()
        assert [each for each in self.complaints if not self.may_say or self.may_say not in each] == []


@contextmanager
def window(
    browser: Browser, *, locale: str = "en-GB", width: int = 1280, scheme: str = "light", scripts: bool = True
) -> Iterator[Window]:
    """Open a window for a while, with scripts or without."""
    opened = Window(browser, locale=locale, width=width, scheme=scheme, scripts=scripts)
    yield opened
    opened.close()
