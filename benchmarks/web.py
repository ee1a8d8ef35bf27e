"""How long each view of the review page takes in a bank of ten thousand notes, and how large it is.

The page is a process of its own, asked over its port; the first request to each view is told apart from the later ones.
Keywords answer the search unless TACIT_HOME has models.
"""

from __future__ import annotations

import http.client
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.listing import _note
from benchmarks.run import table
from tacit import Bank
from tacit.bank import Context

NOTES = 10_000
PROPOSALS = 30
EDITS = 20
ROUNDS = 7
TACIT = str(Path(sys.executable).parent / "tacit")
VIEWS = {
    "inbox": "/",
    "notes": "/notes",
    "notes, last page": "/notes?page=200",
    "notes, filtered": "/notes?kind=pattern&words=service+77",
    "note": "/notes/{note}",
    "edit": "/notes/{note}/edit",
    "search": "/search?words=how+does+service+42+handle+retries",
    "health": "/health",
    "audit": "/audit",
    "operation": "/audit/{operation}",
    "tasks": "/tasks",
}


def measure() -> dict[str, object]:
    """Measure every view; the slowest and the largest are what the page is judged by."""
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as folder:
        root = Path(folder) / ".memory"
        print(f"  making {NOTES} notes …", flush=True)
        names = _fill(root)
        process = subprocess.Popen(
            [TACIT, "ui", "--no-browser", "--bank", str(root)], stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert process.stdout is not None
        try:
            rows = _measure(process.stdout.readline().strip(), names)
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()
    table(
        ["view", "first s", "median s", "slowest later s", "KB"],
        [[row["view"], row["first_s"], row["median_s"], row["most_s"], row["kilobytes"]] for row in rows],
    )
    return {
        "notes": NOTES,
        "proposals": PROPOSALS,
        "rounds": ROUNDS,
        "slowest_median_s": max(float(str(row["median_s"])) for row in rows),
        "largest_kilobytes": max(float(str(row["kilobytes"])) for row in rows),
        "views": rows,
    }


def _fill(root: Path) -> dict[str, str]:
    """Make a bank that was used: many notes, some changed, many questions, a log; return what the views name."""
    bank = Bank.init(root)
    added = bank.add([_note(number) for number in range(NOTES)])
    for note_id in added.note_ids[:EDITS]:
        bank.tag(note_id, add=["looked-at"])
    for number in range(PROPOSALS):
        choice = f"use library {number}"
        payload = {
            "scene": f"adding feature number {number}",
            "principles": [choice],
            "choice": choice,
            "source": "extract",
        }
        bank.propose([payload], Context("bench"))
    return {"note": added.note_ids[0], "operation": bank.log()[-1].operation_id}


def _measure(link: str, names: dict[str, str]) -> list[dict[str, object]]:
    place = urlsplit(link)
    connection = http.client.HTTPConnection(place.netloc, timeout=120)
    connection.request("GET", f"{place.path}?{place.query}")
    answer = connection.getresponse()
    answer.read()
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
    rows: list[dict[str, object]] = []
    for view, path in VIEWS.items():
        seconds = []
        size = 0
        for _ in range(1 + ROUNDS):
            began = time.perf_counter()
            connection.request("GET", path.format(**names), headers={"Cookie": cookie})
            answer = connection.getresponse()
            size = len(answer.read())
            seconds.append(time.perf_counter() - began)
            assert answer.status == 200, (view, answer.status)
        first, *later = seconds
        rows.append(
            {
                "view": view,
                "first_s": first,
                "median_s": statistics.median(later),
                "most_s": max(later),
                "kilobytes": size / 1000,
            }
        )
    return rows
