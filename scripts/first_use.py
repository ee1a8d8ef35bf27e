"""Be a new user: install by the README alone, in a clean home and environment, and do what it shows.

python scripts/first_use.py          with pipx and with uv, as far as they are on the PATH; needs a package index
"""
# ruff: noqa: INP001  a script, not a package

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile  # noqa: TID251  a home to be thrown away
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.project.transcripts import Session, blocks, steps  # noqa: E402  found by the line above

PAGES = {"en": ("README.md", "## Two minutes"), "zh": ("README.zh-CN.md", "## 两分钟上手")}
TOOLS = ("pipx", "uv")
MOST_S = 180.0
# How this machine reaches a package index is its own matter; all else of the environment is left out.
NETWORK = re.compile(r"(PIP|UV|SSL)_\w+|(HTTPS?|ALL|NO)_PROXY", re.IGNORECASE)


@dataclass
class Newcomer(Session):
    """A reader with an empty home, in which one tool installs commands."""

    tool: str = ""

    def environment(self) -> dict[str, str]:
        """Nothing but a home, a path, a language and the way to the package index."""
        found = shutil.which(self.tool) or ""
        places = [self.home / ".local/bin", Path(found).parent, Path(sys.executable).parent, "/usr/bin", "/bin"]
        network = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
        return network | {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(map(str, places)),
            "LANG": "zh_CN.UTF-8" if self.language == "zh" else "C.UTF-8",
            "NO_COLOR": "1",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
        }

    def install(self) -> str:
        """Run the line of the README that installs Tacit with this tool; return what went wrong."""
        page = (ROOT / PAGES[self.language][0]).read_text(encoding="utf-8")
        lines = "\n".join(block.text for block in blocks(page) if block.language == "sh").splitlines()
        (line,) = (each for each in lines if each.startswith(f"{self.tool} "))
        done = self._call(shlex.split(line), ROOT)
        tacit = self.home / ".local/bin/tacit"
        return "" if done.returncode == 0 and tacit.exists() else f"$ {line}\n{done.stdout}{done.stderr}"

    def has_a_project(self) -> None:
        """Make the project an existing one, with a file and a commit."""
        (self.folder / "package.json").write_text('{"name": "shop"}\n', encoding="utf-8")
        for words in (["git", "add", "-A"], ["git", "commit", "-q", "-m", "Begin"]):
            self._call(words, self.folder).check_returncode()

    def _call(self, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603  the README's own line
            words, cwd=folder, env=self.environment(), capture_output=True, encoding="utf-8", check=False
        )


def section(language: str) -> str:
    """Return the part of the README that a newcomer follows."""
    name, heading = PAGES[language]
    page = (ROOT / name).read_text(encoding="utf-8")
    return page.split(f"\n{heading}\n", 1)[1].split("\n## ", 1)[0]


def walk(tool: str, language: str) -> tuple[dict[str, float], list[str]]:
    """Go the newcomer's way with one tool; return how long each step took, and what was not as the README says."""
    took: dict[str, float] = {}
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="tacit-first-use-") as home:
        someone = Newcomer(Path(home).resolve(), language, tool=tool)
        someone.has_a_project()
        begun = time.monotonic()
        wrong += filter(None, [someone.install()])
        took["install"] = time.monotonic() - begun
        for step in [] if wrong else steps(section(language)):
            begun = time.monotonic()
            wrong += filter(None, [someone.difference(step)])
            took[step.command] = time.monotonic() - begun
        someone.run("tacit daemon stop", [])
    return took, wrong


def main() -> None:
    """Walk with every tool that is here, once in each language, and say what was found."""
    here = [tool for tool in TOOLS if shutil.which(tool)]
    if not here:
        sys.exit(f"None of these is on the PATH: {', '.join(TOOLS)}.")
    bad = False
    for tool, language in zip(here, ("en", "zh"), strict=False):
        took, wrong = walk(tool, language)
        total = sum(took.values())
        bad |= bool(wrong) or total > MOST_S
        sys.stdout.write(f"{tool} ({language}): {total:.1f} s, {len(wrong)} stumbles\n")
        sys.stdout.writelines(f"  {seconds:6.1f} s  {what}\n" for what, seconds in took.items())
        sys.stdout.writelines(f"{each}\n" for each in wrong)
    sys.exit(bad)


if __name__ == "__main__":
    main()
