"""Prove the wiring of VS Code with its real workbench, as code-server brings it: `python -m tests.e2e.vscode`."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.e2e.hosts import clients, isolation, report
from tests.e2e.hosts.clients import NODE, Package
from tests.e2e.hosts.model import Model
from tests.e2e.hosts.place import ROOT, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

CODE_SERVER = Package("code-server", "4.139.1", "code-server")
CHROMIUM = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), "")
MOST_BYTES = 200_000
_PORT = 18_080
_PATIENCE_MS = 120_000
_TRIES = 30
# The workbench says nowhere that it has taken in what was typed.
_MOMENT_MS = 2_000
_INSTALL_S = 900
_INNER = "node_modules/code-server/lib/vscode"
# What loads of the workbench's server without a native part of these is not a workbench.
_NATIVE = ("@vscode/spdlog", "node-pty", "native-watchdog", "@parcel/watcher")
_SETTINGS = {
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "window.commandCenter": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
}
_TOOLS = re.compile(r"Discovered (\d+) tools")


def main() -> int:
    """Walk VS Code; return 1 if it did not show the running server with its tools, 0 also where it cannot run."""
    given = argparse.ArgumentParser(prog="python -m tests.e2e.vscode", description=__doc__)
    given.add_argument("--cache", help="where clients and runs are kept (default: tacit-e2e in the user's cache)")
    given.add_argument("--docs", type=Path, help="where img/vscode.png and transcripts/vscode.txt are written")
    given.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    wish = given.parse_args()
    cache = clients.cache_folder(wish.cache)
    if wish.inside:
        isolation.settle()
        return walked(cache, wish.docs)
    why = "" if CHROMIUM else "no Chromium on this machine; on Debian: apt-get install chromium"
    why = why or isolation.missing() or clients.fetch(NODE, cache) or fetch(cache)
    if why:
        sys.stdout.write(f"skipped: {why}\n")
        return 0
    words = [sys.executable, "-m", "tests.e2e.vscode", *sys.argv[1:], "--inside"]
    return subprocess.run(isolation.inside(words), cwd=ROOT, timeout=_INSTALL_S, check=False).returncode


def fetch(cache: Path) -> str:
    """Install code-server unless it is there, without what only Kerberos needs; return why it could not be."""
    place = cache / f"code-server-{CODE_SERVER.version}"
    inner = place / _INNER
    if (inner / "node_modules" / _NATIVE[-1]).exists():
        return ""
    place.mkdir(parents=True, exist_ok=True)
    install = [
        "npm",
        "install",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        "--ignore-scripts",
        "--legacy-peer-deps",
    ]
    variables = {**os.environ, "PATH": f"{NODE.folder(cache)}:{os.environ['PATH']}"}
    for folder, words in (
        (place, [*install, "--prefix", str(place), f"{CODE_SERVER.name}@{CODE_SERVER.version}"]),
        (inner, [*install, "--omit=dev"]),
        (inner / "extensions", [*install, "--omit=dev"]),
        (inner, ["npm", "rebuild", "--loglevel=error", *_NATIVE]),
    ):
        done = subprocess.run(
            words, cwd=folder, env=variables, capture_output=True, encoding="utf-8", timeout=_INSTALL_S, check=False
        )
        if done.returncode:
            return f"npm could not install {CODE_SERVER.name}: {done.stderr.strip()[-300:]}"
    return ""


def walked(cache: Path, docs: Path | None) -> int:
    """Install, let the workbench start the server, keep what it showed, uninstall."""
    place = Place(cache / "runs" / "vscode", Model(), [NODE.folder(cache)])
    for words in (["tacit", "init", "--yes"], ["tacit", "install", "vscode", "--project", "--yes"]):
        place.show(words, place.run(words))
    place.write(".local/share/code-server/User/settings.json", json.dumps(_SETTINGS), at_home=True)
    picture = place.root / "vscode.png"
    with workbench(cache, place) as page:
        shown = server_started(page, place)
        page.screenshot(path=picture)
    found = _TOOLS.search(shown)
    sys.stdout.write(f"VS Code {CODE_SERVER.version}: {found[0] if found else f'no tools: {shown[-500:]}'}\n")
    if not found or picture.stat().st_size > MOST_BYTES:
        return 1
    words = ["tacit", "uninstall", "vscode", "--project", "--yes"]
    place.show(words, place.run(words))
    if docs:
        keep(place, picture, docs)
    return int((place.project / ".vscode").exists())


@contextmanager
def workbench(cache: Path, place: Place) -> Iterator[Page]:
    """Serve VS Code on loopback and open the project in a browser, as long as the block lasts."""
    entry = cache / f"code-server-{CODE_SERVER.version}" / "node_modules/code-server/out/node/entry.js"
    flags = ["--auth", "none", "--bind-addr", f"127.0.0.1:{_PORT}", "--disable-telemetry", "--disable-update-check"]
    with (place.root / "code-server.log").open("wb") as log:
        serving = subprocess.Popen(
            ["node", str(entry), *flags, str(place.project)], env=place.environment, stdout=log, stderr=log
        )
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1100, "height": 700})
            page.set_default_timeout(_PATIENCE_MS)
            _opened(page, place)
            yield page
            browser.close()
    finally:
        serving.terminate()
        serving.wait(30)


def server_started(page: Page, place: Place) -> str:
    """Start the server of the project's mcp.json by the workbench's own commands; return what its output shows."""
    listed = _servers(page)
    place.tell(f"(VS Code, command “MCP: List Servers”:)\n{listed}")
    _choose(page, "tacit", "Start Server")
    for what in ("Show Configuration", "Show Output"):
        listed = _servers(page)
        _choose(page, "tacit", what)
    place.tell(f"(“Start Server”; the list then:)\n{listed}")
    lines = page.locator(".output-view-content .view-lines, .panel .view-lines").first
    page.locator(".panel .view-line", has_text="Discovered").wait_for()
    shown = lines.inner_text().replace("\xa0", " ")
    place.tell(f"(“Show Output”:)\n{shown}")
    return shown


def keep(place: Place, picture: Path, docs: Path) -> None:
    """Write picture and transcript among the documents."""
    (docs / "img").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(picture, docs / "img" / "vscode.png")
    places = {place.project: "~/project", place.home: "~", Path(sys.prefix): "~/.venv", ROOT: "~/tacit"}
    head = f"VS Code as in code-server {CODE_SERVER.version}, taken by `make vscode` on {datetime.now(UTC).date()}.\n\n"
    told = report.cleaned("\n".join([*place.transcript, ""]), places)
    (docs / "transcripts" / "vscode.txt").write_text(head + told, encoding="utf-8")


def _opened(page: Page, place: Place) -> None:
    for _ in range(_TRIES):
        try:
            page.goto(f"http://127.0.0.1:{_PORT}/?folder={place.project}")
        except Exception:  # noqa: BLE001  it is not there yet
            page.wait_for_timeout(1_000)
        else:
            break
    page.wait_for_selector(".monaco-workbench")


def _servers(page: Page) -> str:
    """Open the list of servers until the project's is in it, for the workbench looks for it only after its start."""
    rows: list[str] = []
    for _ in range(_TRIES):
        page.keyboard.press("F1")
        page.wait_for_timeout(_MOMENT_MS)
        page.keyboard.type("MCP: List Servers")
        page.wait_for_timeout(_MOMENT_MS)
        page.keyboard.press("Enter")
        page.wait_for_timeout(_MOMENT_MS)
        rows = [" ".join(row.split()) for row in page.locator(".quick-input-list-row:visible").all_inner_texts()]
        if any(row.startswith("tacit") for row in rows):
            return "\n".join(filter(None, rows))
        page.keyboard.press("Escape")
        page.wait_for_timeout(_MOMENT_MS)
    message = f"the server is not in the list: {rows}"
    raise RuntimeError(message)


def _choose(page: Page, *rows: str) -> None:
    """Choose in one list after the other by typing what stands there."""
    for row in rows:
        page.keyboard.type(row)
        page.wait_for_timeout(_MOMENT_MS)
        page.keyboard.press("Enter")
        page.wait_for_timeout(_MOMENT_MS)


if __name__ == "__main__":
    sys.exit(main())
