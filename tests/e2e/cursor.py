"""Prove the wiring of Cursor with the runtime of its own SDK, as PyPI brings it: `python -m tests.e2e.cursor`.

Its model lives behind a protocol of Cursor's own, and nobody plays it here: what stands on loopback lets the runtime
start and refuses the rest. So hooks and server are Cursor's doing, and what a model would call is called by hand.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tacit import Bank
from tests.e2e.hosts import clients, isolation, report
from tests.e2e.hosts.journey import MATCHING, MIGRATIONS, PACKAGES, RULE, UNRELATED, YES, payload
from tests.e2e.hosts.model import Model
from tests.e2e.hosts.place import ROOT, Place

VERSION = "1.1.0"
START, END = "<!-- transcript of the real client: cursor -->\n", "<!-- end -->"
_RUNTIME = "cursor_sdk/_vendor/bridge"
_RUN_S = 600
_ANSWERS = {"/auth/exchange_user_api_key": {"accessToken": "none"}, "/v1/models": {"items": [{"id": "none"}]}}
# In the launcher's place: it writes down what the runtime says to Tacit and what it hears.
_LISTENER = """#!/bin/sh
heard="$HOME/heard/$1"
[ "$1" = hook ] && heard="$heard-$2"
tee -a "$heard.in" | "$0-itself" "$@" | tee -a "$heard.out"
"""


def main() -> int:
    """Walk Cursor's runtime; return 1 if a step failed, 0 also where it cannot run."""
    given = argparse.ArgumentParser(prog="python -m tests.e2e.cursor", description=__doc__)
    given.add_argument("--cache", help="where clients and runs are kept (default: tacit-e2e in the user's cache)")
    given.add_argument("--docs", type=Path, help="where transcripts/ and the page are")
    given.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    wish = given.parse_args()
    cache = clients.cache_folder(wish.cache)
    if wish.inside:
        isolation.settle()
        return walked(cache, wish.docs)
    why = isolation.missing() or fetch(cache)
    if why:
        sys.stdout.write(f"skipped: {why}\n")
        return 0
    words = [sys.executable, "-m", "tests.e2e.cursor", *sys.argv[1:], "--inside"]
    return subprocess.run(isolation.inside(words), cwd=ROOT, timeout=_RUN_S, check=False).returncode


def fetch(cache: Path) -> str:
    """Unpack the SDK with its runtime unless it is there; return why it could not be, or nothing."""
    place = cache / f"cursor-sdk-{VERSION}"
    node = place / _RUNTIME / "bin" / "node"
    if node.exists():
        return ""
    words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(place)]
    done = subprocess.run(
        [*words, f"cursor-sdk=={VERSION}"], capture_output=True, encoding="utf-8", timeout=_RUN_S, check=False
    )
    for wheel in place.glob("*.whl"):
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(place)
        wheel.unlink()
    if not node.exists():
        return f"pip could not fetch cursor-sdk {VERSION} with a runtime: {done.stderr.strip()[-300:]}"
    node.chmod(0o755)
    return ""


class _Backend(BaseHTTPRequestHandler):
    """What the runtime asks before it starts an agent; anything else gets an empty answer."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.dumps(_ANSWERS.get(self.path, {})).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(ConnectionError):  # the runtime may be gone
            self.wfile.write(body)

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def walked(cache: Path, docs: Path | None) -> int:
    """Take every step; write down what was seen."""
    backend = ThreadingHTTPServer(("127.0.0.1", 0), _Backend)
    Thread(target=backend.serve_forever, daemon=True).start()
    place = Place(cache / "runs" / "cursor", Model(), [])
    place.variables["CURSOR_BACKEND_URL"] = f"http://127.0.0.1:{backend.server_port}"
    try:
        _journey(place, cache / f"cursor-sdk-{VERSION}" / _RUNTIME)
    except AssertionError as error:
        sys.stdout.write("\n".join([*place.transcript, f"failed: {error}", ""]))
        return 1
    sys.stdout.write(f"Cursor SDK {VERSION}: all steps passed\n")
    if docs:
        keep(place, docs)
    return 0


def _journey(place: Place, runtime: Path) -> None:
    _tacit(place, "init", "--yes")
    for title, when, rule in (PACKAGES, MIGRATIONS):
        _tacit(place, "new", "--title", title, "--when", when, "--one-liner", rule)
    before = place.files()
    _tacit(place, "install", "cursor", "--project", "--yes")
    launcher = place.home / ".tacit" / "bin" / "tacit"
    (place.home / "heard").mkdir()
    launcher.rename(f"{launcher}-itself")
    launcher.write_text(_LISTENER, encoding="utf-8")
    launcher.chmod(0o755)

    place.tell("# the session starts: Cursor runs the hook and is told the bank's state")
    agent = _prompts(place, runtime, "-", UNRELATED)
    said, told = _heard(place, "hook-session-start")
    assert json.loads(said)["hook_event_name"] == "sessionStart", said
    assert "[memory: ON]" in told, told
    begin = "\n".join(_context(told).split("\n")[:2])
    place.tell(f"(Cursor to the hook:)\n{said}\n(the hook to Cursor, its beginning:)\n{begin}")

    place.tell("# Cursor starts the server and asks for its tools")
    said, told = _heard(place, "mcp")
    asked = [json.loads(line) for line in said.splitlines()]
    answers = [json.loads(line) for line in told.splitlines()]
    tools = next(each["result"]["tools"] for each in answers if "tools" in each.get("result", {}))
    assert asked[0]["params"]["clientInfo"]["name"] == "Cursor", said
    assert {"recall", "propose"} <= {tool["name"] for tool in tools}, told
    place.tell(f"(Cursor to the server:)\n{said.splitlines()[0]}")
    place.tell(f"(the server's tools:) {', '.join(tool['name'] for tool in tools)}")

    place.tell("# an unrelated prompt brings no note, a matching one the right note and that alone")
    assert PACKAGES[2] not in _heard(place, "hook-prompt")[1]
    _prompts(place, runtime, agent, MATCHING)
    told = _heard(place, "hook-prompt")[1]
    assert PACKAGES[2] in told, told
    assert MIGRATIONS[2] not in told, told
    place.tell(f"(the hook to Cursor:)\n{_context(told)}")

    place.tell("# a note is proposed in this conversation; the user's next prompt “好，写吧” writes it")
    given = payload(RULE, "tagging a release", "sign the tag with the team key", "leave it unsigned")
    place.write("payload.json", json.dumps(given))
    _tacit(place, "propose", "payload.json", "--conversation", agent)
    (place.project / "payload.json").unlink()
    notes = place.notes()
    _prompts(place, runtime, agent, YES)
    (name,) = place.notes().keys() - notes.keys()
    line = [each for each in Bank.open(place.bank).log() if each.file == name][-1]
    assert line.channel == "prompt", line
    place.tell(f"(the hook to Cursor:)\n{_context(_heard(place, 'hook-prompt')[1])}")
    place.tell(f"(log: {line.event} {name} channel={line.channel})")

    place.tell("# `tacit uninstall` gives every byte back")
    Path(f"{launcher}-itself").rename(launcher)
    _tacit(place, "uninstall", "cursor", "--project", "--yes")
    assert place.files() == before, "not as before"


def _tacit(place: Place, *words: str) -> None:
    ran = place.run(["tacit", *words])
    place.show(["tacit", *words], ran)
    assert ran.code == 0, ran.err or ran.out


def _prompts(place: Place, runtime: Path, agent: str, prompt: str) -> str:
    """Hand a prompt to an agent of the SDK; return the agent's id, which is the conversation's."""
    driver = Path(__file__).with_suffix(".mjs")
    words = [str(runtime / "bin" / "node"), str(driver), str(runtime / "node_modules" / "@cursor" / "sdk")]
    ran = place.run([*words, agent, prompt])
    place.tell(f"> {prompt}")
    assert ran.code == 0, ran.out + ran.err
    return ran.out.split()[0]


def _heard(place: Place, what: str) -> tuple[str, str]:
    """Return what the runtime said to Tacit and what Tacit answered, so far."""
    heard = place.home / "heard"
    return ((heard / f"{what}.in").read_text(encoding="utf-8"), (heard / f"{what}.out").read_text(encoding="utf-8"))


def _context(told: str) -> str:
    """Return what the last answer of a hook puts before the model."""
    _, brace, last = told.rpartition('{"additional')
    return str(json.loads(brace + last)["additional_context"])


def keep(place: Place, docs: Path) -> None:
    """Write the transcript among the documents, and all but the wiring into the page."""
    places = {place.project: "~/project", place.home: "~", Path(sys.prefix): "~/.venv", ROOT: "~/tacit"}
    head = f"Cursor's runtime as in cursor-sdk {VERSION}, taken by `make cursor` on {datetime.now(UTC).date()}.\n\n"
    told = head + report.cleaned("\n".join([*place.transcript, ""]), places)
    (docs / "transcripts" / "cursor.txt").write_text(told, encoding="utf-8")
    page = docs / "cursor.md"
    before, found, rest = page.read_text(encoding="utf-8").partition(START)
    _, closed, after = rest.partition(END)
    if found and closed:
        part = told[told.index("# the session starts") :].partition("# `tacit uninstall`")[0].strip()
        said = "Shortened; [all of it](transcripts/cursor.txt).\n"
        page.write_text(f"{before}{START}{said}\n```text\n{part}\n```\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
