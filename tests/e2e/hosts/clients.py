"""The real clients: which version of each is proved, and how it comes from npm into a cache folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_INSTALL_S = 600


@dataclass(frozen=True, slots=True)
class Package:
    """One package of npm at one version, with the command that it brings."""

    name: str
    version: str
    command: str

    def folder(self, cache: Path) -> Path:
        """Return the folder of its commands."""
        return cache / f"{self.command}-{self.version}" / "node_modules" / ".bin"


# Claude Code and Qwen Code need a newer Node.js than many machines have.
NODE = Package("node", "24.21.0", "node")
CLAUDE = Package("@anthropic-ai/claude-code", "2.1.325", "claude")
CODEX = Package("@openai/codex", "0.166.0", "codex")
CLINE = Package("cline", "3.0.65", "cline")
COPILOT = Package("@github/copilot", "1.0.102", "copilot")
GEMINI = Package("@google/gemini-cli", "0.61.0", "gemini")
OPENCODE = Package("opencode-ai", "1.18.33", "opencode")
QWEN = Package("@qwen-code/qwen-code", "0.24.4", "qwen")


def cache_folder(named: str | None) -> Path:
    """Return where clients are kept: as named, else in the user's cache, never in the repository."""
    if named:
        return Path(named).resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tacit-e2e"


def fetch(package: Package, cache: Path) -> str:
    """Install a package unless it is there; return why it could not be, or nothing."""
    if (package.folder(cache) / package.command).exists():
        return ""
    if shutil.which("npm") is None:
        return "npm is not on the PATH"
    place = cache / f"{package.command}-{package.version}"
    place.mkdir(parents=True, exist_ok=True)
    words = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(place)]
    try:
        done = subprocess.run(
            [*words, f"{package.name}@{package.version}"],
            capture_output=True,
            encoding="utf-8",
            timeout=_INSTALL_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"npm did not finish within {_INSTALL_S} s"
    if (package.folder(cache) / package.command).exists():
        return ""
    return f"npm could not install {package.name}@{package.version}: {done.stderr.strip()[-300:]}"
