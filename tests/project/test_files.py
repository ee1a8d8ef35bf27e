"""What the repository's files must not carry: traces of the machine they were made on."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Folders that exist on many machines: naming them gives nothing away.
SHARED_FOLDERS = re.compile(r"/(app|builds|code|home|mnt|opt|repo|root|src|srv|tmp|Users|usr|var)?")
LOCK_FILES = re.compile(r".*[.-]lock|.*-lock\.(json|yaml)|npm-shrinkwrap\.json|pylock.*\.toml", re.IGNORECASE)
# Where packages come from is each machine's own setting: index options, index pages, links to package archives.
REGISTRY = re.compile(
    r"--(?:extra-)?index-url|--find[-]links"
    r"|\b(?:https?|file)://\S*/simple(?:/|\b)"
    r"|\bhttps?://\S+\.(?:whl|tgz|tar\.gz)\b",
)


def machine_paths() -> list[Path]:
    """Absolute paths that only make sense here: the checkout, the folder around it, the home directory."""
    return [path for path in {ROOT, ROOT.parent, Path.home()} if not SHARED_FOLDERS.fullmatch(path.as_posix())]


def files() -> list[Path]:
    """Every file that is in git, or would be with the next `git add`."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    return [path for name in listing.split("\0") if name and (path := ROOT / name).is_file()]


def lines_matching(pattern: re.Pattern[str]) -> list[str]:
    """Where the pattern occurs in the repository's text, as `file:line`."""
    found = []
    for path in files():
        text = path.read_bytes().decode("utf-8", errors="replace")
        found += [
            f"{path.relative_to(ROOT)}:{number}"
            for number, line in enumerate(text.splitlines(), start=1)
            if pattern.search(line)
        ]
    return found


def test_no_file_names_a_path_of_this_machine() -> None:
    """No file mentions where this checkout or its owner's home lies."""
    paths = "|".join(re.escape(path.as_posix()) for path in machine_paths())
    assert lines_matching(re.compile(rf"(?<![\w.~-])(?:{paths})(?![\w-])")) == []


def test_no_file_names_a_package_registry() -> None:
    """No file says from which address packages are downloaded."""
    assert lines_matching(REGISTRY) == []


def test_no_lock_file_records_addresses() -> None:
    """Exact versions are in constraints.txt; lock files, which record download addresses, stay out."""
    locks = [path for path in files() if LOCK_FILES.fullmatch(path.name) and "golden" not in path.parts]
    assert locks == []


@pytest.mark.parametrize(
    "line",
    [
        "pip install --" + "index-url x",
        "url = https://" + "example.org/simple/click",
        "https://" + "example.org/click-8-py3-none-any.whl",
    ],
)
def test_registry_addresses_are_recognised(line: str) -> None:
    """The pattern finds index options, index pages and links to archives."""
    assert REGISTRY.search(line)
