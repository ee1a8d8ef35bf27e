"""Tacit itself, installed from this source as a user would install it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.peers import contract
from benchmarks.peers.contract import Call, Peer, Server, UnavailableError, marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from benchmarks.peers.corpus import Entry

ROOT = Path(__file__).parents[2]
_FILL = """
import json, sys
from tacit import Bank
from tacit.note.model import Note
notes = []
for text in json.load(sys.stdin):
    when, _, line = text.replace("，", ", ", 1).partition(", ")
    notes.append(Note(id="", title=when, when_to_load=(when,), one_liner=line))
Bank.open(sys.argv[1]).add(notes)
"""


class Tacit(Peer):
    """Without models; the client answers its questions at once, as the user would."""

    name = "tacit"
    package = "tacit"
    extras = "mcp"
    remarks = "every write is governed and confirmed: the client answers Tacit's question at once"

    def install(self) -> None:
        """Install this source with what `tacit mcp` needs; the source itself anew each time."""
        contract.environment(self.place, [f"tacit[{self.extras}] @ {ROOT.as_uri()}"])
        uv = self.place.with_name("uv") / "bin/uv"
        words: list[str | Path] = [
            uv,
            "pip",
            "install",
            "-q",
            "--python",
            self.place / "bin/python",
            "--reinstall-package",
            "tacit",
        ]
        contract.run(self.name, [*words, "--no-deps", ROOT])

    def version(self) -> str:
        """Return the version of the package."""
        return contract.version_in(self.place, self.package)

    def prepare(self, home: Path) -> None:
        """Make a bank."""
        (home / "run").mkdir(mode=0o700)
        words = [str(self.place / "bin/tacit"), "init", "--bank", str(home / ".memory")]
        subprocess.run(words, check=True, capture_output=True, env={**os.environ, **self._known(home)})

    def server(self, home: Path) -> Server:
        """Start it in the role that may write."""
        words = [str(self.place / "bin/tacit"), "mcp", "--bank", str(home / ".memory"), "--role", "memory"]
        return Server(words, self._known(home))

    def _known(self, home: Path) -> dict[str, str]:
        return {"TACIT_HOME": self._models(home), "TACIT_RUNTIME_DIR": str(home / "run"), "TACIT_LANG": "en"}

    def _models(self, home: Path) -> str:
        return str(home / "tacit")

    def add(self, entry: Entry, *, insist: bool = False) -> Call:  # noqa: ARG002  the answer says what to keep
        """Remember a remark."""
        return Call("remember", {"text": entry.text})

    def search(self, query: str, most: int) -> Call:
        """Search."""
        return Call("search", {"query": query, "limit": most})

    def is_written(self, text: str, structured: Mapping[str, Any]) -> bool:  # noqa: ARG002  the result says it
        """It says so."""
        return all(each["written"] for each in structured["results"])

    def fill(self, home: Path, entries: Iterable[Entry]) -> bool:
        """Add notes through the Python API, in one transaction."""
        texts = json.dumps([entry.text for entry in entries])
        words = [str(self.place / "bin/python"), "-c", _FILL, str(home / ".memory")]
        subprocess.run(words, input=texts, check=True, encoding="utf-8", env={**os.environ, **self._known(home)})
        return True

    def stored(self, home: Path) -> set[str]:
        """Read the notes."""
        files = (path for layer in ("L1", "L2") for path in (home / ".memory").glob(f"{layer}_*/**/*.md"))
        return {mark for path in files for mark in marks(path.read_text(encoding="utf-8"))}

    def broken(self, home: Path) -> int:
        """Ask `tacit check`, which recovers what a crash left."""
        return len(self._told(home, "check")["problems"])

    def has_read_all(self, home: Path) -> bool:
        """Ask `tacit index status`; without models nothing is ever missing."""
        return not self._told(home, "index", "status")["missing"]

    def _told(self, home: Path, *command: str) -> dict[str, Any]:
        words = [str(self.place / "bin/tacit"), *command, "--bank", str(home / ".memory"), "--json"]
        env = {**os.environ, **self._known(home)}
        done = subprocess.run(words, check=False, capture_output=True, env=env, encoding="utf-8")
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


class TacitWithModels(Tacit):
    """The same with the models of this machine, if there are any in TACIT_HOME."""

    name = "tacit with models"
    extras = "mcp,semantic"
    finds_by = "keywords and its three models"
    remarks = "asked once all vectors are made, or after 150 s with those that there are"

    def install(self) -> None:
        """Refuse where there are no models."""
        if not any((Path(os.environ.get("TACIT_HOME", "")) / "models").glob("*/*")):
            reason = "no models in TACIT_HOME"
            raise UnavailableError(reason)
        super().install()

    def _models(self, home: Path) -> str:  # noqa: ARG002  the models are the machine's
        return os.environ["TACIT_HOME"]
