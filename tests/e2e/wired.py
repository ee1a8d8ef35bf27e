"""What hosts that cannot be run here get of Tacit, written down: `python -m tests.e2e.wired --docs FOLDER`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import tacit
from tests.e2e.hosts import report
from tests.e2e.hosts.model import Model
from tests.e2e.hosts.place import ROOT, Place

TITLES = {"windsurf": "Windsurf", "zed": "Zed"}
START, END = "<!-- transcript of the wiring: {host} -->\n", "<!-- end -->"


def main() -> int:
    """Write a transcript for each host, and its telling part into the host's page."""
    given = argparse.ArgumentParser(prog="python -m tests.e2e.wired", description=__doc__)
    given.add_argument("--docs", type=Path, required=True, help="where transcripts/ and the pages are")
    docs = given.parse_args().docs
    for host in TITLES:
        with tempfile.TemporaryDirectory() as folder:
            told = transcript(host, Place(Path(folder) / "run", Model(), []))
        (docs / "transcripts" / f"{host}.txt").write_text(told, encoding="utf-8")
        page = docs / f"{host}.md"
        page.write_text(shown(page.read_text(encoding="utf-8"), host, told), encoding="utf-8")
    return 0


def transcript(host: str, place: Place) -> str:
    """Return what install, doctor and uninstall print in a project of its own."""
    for words in (["init", "--yes"], ["install", host, "--yes"], ["doctor"], ["uninstall", host, "--yes"]):
        place.show(["tacit", *words], place.run(["tacit", *words]))
    places = {place.project: "~/project", place.home: "~", Path(sys.prefix): "~/.venv", ROOT: "~/tacit"}
    day = datetime.now(UTC).date()
    head = f"{TITLES[host]}, wired by Tacit {tacit.__version__} on {day}; {TITLES[host]} itself was not run.\n\n"
    return head + report.cleaned("\n".join([*place.transcript, ""]), places)


def shown(page: str, host: str, told: str) -> str:
    """Return a page with what install and doctor said in its place."""
    start = START.format(host=host)
    before, found, rest = page.partition(start)
    _, closed, after = rest.partition(END)
    if not found or not closed:
        return page
    part = told.partition("$ tacit install")[2].partition("$ tacit uninstall")[0]
    said = f"Printed, not run in {TITLES[host]}; [all of it](transcripts/{host}.txt).\n"
    return f"{before}{start}{said}\n```text\n$ tacit install{part.rstrip()}\n```\n{END}{after}"


if __name__ == "__main__":
    sys.exit(main())
