"""Making a bank where something is already, and the pre-commit hook."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tacit.bank import extras, models
from tacit.errors import ModelUnusable
from tacit.index.embed.catalogue import CATALOGUE
from tests.cli.runner import Person, environment, fingerprint, note_text, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

START = "The bank is empty. Write down the few constraints you care most about: tacit new\n"
LATER = "Keywords answer alone until you fetch the models of meaning: tacit model get\n"
NEXT = "Next: `tacit install` wires your coding agent, `tacit remember` takes the first note.\n"
MODELS = (
    "Fetch the models that find notes by their meaning, for all your projects (91 MB)? Without them keywords answer"
    " alone. [y/N] "
)
OFFER = "Install a git pre-commit hook that checks the notes before each commit? [y/N] "


def git(folder: Path, *words: str) -> str:
    """Run git there."""
    return subprocess.run(
        ["git", "-C", str(folder), *words], check=True, env=environment(), capture_output=True, encoding="utf-8"
    ).stdout


@pytest.fixture
def repository(project: Path) -> Path:
    """A git project without hooks."""
    git(project, "init", "-q")
    for sample in (project / ".git/hooks").glob("*"):
        sample.unlink()
    return project


def test_a_folder_of_a_project_that_has_a_bank_is_told_so(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-05, B-06: who asks for a bank further down hears whose the one above is, and how to make an own one."""
    assert tacit("init", "--yes").err == ""
    assert tacit("new", "--title", "a", "--when", "b", "--one-liner", "c").code == 0
    assert "For one of this folder" not in tacit("init", "--yes").err
    (repository / "service").mkdir()
    monkeypatch.chdir(repository / "service")

    hint = tacit("init", "--yes").err
    assert f"It is that of {repository}, with 1 note. For one of this folder: `tacit init --bank .memory`." in hint
    assert tacit("init", "--yes", "--bank", ".memory").out == f"Made the bank {repository}/service/.memory.\n"


@pytest.mark.parametrize("name", ["L1_declarative", "details", ".local", "README.md/", "references/note-template.md/"])
def test_all_is_looked_at_before_anything_is_made(project: Path, name: str) -> None:
    """B-05: where something of the user's is in the way, init says so and makes nothing."""
    place = project / ".memory" / name
    if name.endswith("/"):
        place.mkdir(parents=True)
    else:
        write(place, "mine")
    before = fingerprint(project)

    result = tacit("init", "--yes")

    assert (result.code, result.error_code) == (3, "note.not_regular" if name.endswith("/") else "path.taken")
    assert name.strip("/") in result.err
    assert fingerprint(project) == before


@pytest.mark.parametrize("dangling", [False, True])
def test_file_where_the_bank_goes_is_told(repository: Path, *, dangling: bool) -> None:
    """B-05, T-03: a file of the user's stays, and so does a link that leads nowhere; the error names it."""
    place = repository / ".memory"
    place.symlink_to("nowhere") if dangling else write(place, "mine")

    result = tacit("init", "--yes")

    assert (result.code, result.error_code) == (7, "store.io")
    assert f"{place}: No" in result.err
    assert place.is_symlink() if dangling else place.read_text("utf-8") == "mine"


def test_gitignore_of_the_users_is_told_what_it_lacks(repository: Path) -> None:
    """B-05: init leaves the user's .gitignore alone and names the lines without which git takes private files."""
    write(repository / ".memory/.gitignore", "*.bak\n/staging/\n/.trash/\n")

    first, again = tacit("init", "--yes"), tacit("init", "--yes")

    assert first.code == 0
    assert first.err.splitlines()[1:] == ["  /conflicts/"]
    assert again.err == first.err
    write(repository / ".memory/.gitignore", "/memory.lock\n/L4_working/\n/staging/\n/.trash/\n/.local/\n/conflicts/\n")
    assert tacit("init", "--yes").err == ""


def test_nothing_of_the_users_is_overwritten(project: Path) -> None:
    """B-05: init into a folder with files of the user's adds what is missing and leaves every one of them."""
    own = {
        "README.md": "mine",
        "MEMORY.md": "mine too",
        ".gitignore": "*.bak\n",
        ".gitattributes": "* text=auto\n",
        "references/note-template.md": "my template",
        "details/tech.md": "# Tech\n",
        "L1_declarative/MEM-hand.md": note_text(),
        "L1_declarative/.keep": "",
        "notes.txt": "something else",
        "L2_procedural/sub/file.md": "deep",
    }
    for name, text in own.items():
        write(project / ".memory" / name, text)

    result = tacit("init", "--yes", "--json")

    assert result.code == 0
    assert {name: (project / ".memory" / name).read_text(encoding="utf-8") for name in own} == own
    assert not set(own) & set(result.document["created"])
    assert "MEM-hand" in (project / ".memory/INDEX.md").read_text(encoding="utf-8")


def test_foreign_index_is_not_taken_over(project: Path) -> None:
    """An INDEX.md that Tacit did not make is the user's: init refuses and makes nothing."""
    write(project / ".memory/INDEX.md", "# My own index\n")
    before = fingerprint(project)

    result = tacit("init", "--yes")

    assert (result.code, result.error_code) == (3, "path.taken")
    assert "INDEX.md already exists and was not made by Tacit" in result.err
    assert fingerprint(project) == before


def test_init_twice_is_init_once(root: Path) -> None:
    """B-05: a second init changes no byte."""
    before = fingerprint(root)

    assert tacit("init", "--yes").code == 0
    assert fingerprint(root) == before


@pytest.mark.parametrize("missing", ["INDEX.md", "L1_declarative", ".gitignore", "memory.lock", ".local"])
def test_init_adds_what_is_missing(root: Path, missing: str) -> None:
    """B-05, A-02: each part that was lost is made again; that the log went along shows."""
    path = root / missing
    if path.is_dir():
        for inner in sorted(path.rglob("*"), reverse=True):
            inner.rmdir() if inner.is_dir() else inner.unlink()
        path.rmdir()
    else:
        path.unlink()

    assert tacit("init", "--yes").code == 0
    assert path.exists()
    problems = [each["code"] for each in tacit("check", "--json").document["problems"]]
    assert problems == (["audit.damaged"] if missing == ".local" else [])


def test_hook_is_offered_and_installed(repository: Path, person: Person) -> None:
    """On a terminal init offers the hook; it is executable and checks what is staged."""
    person.will_say("y", "n")

    result = tacit("init")

    hook = repository / ".git/hooks/pre-commit"
    assert (result.code, person.was_asked()) == (0, OFFER + MODELS)
    assert result.err == f"Installed {hook}.\n{START}{LATER}{NEXT}"
    assert os.access(hook, os.X_OK)
    assert "exec tacit check --staged --bank .memory\n" in hook.read_text(encoding="utf-8")


def test_hook_is_declined(repository: Path, person: Person) -> None:
    """No is an answer, not an error."""
    person.will_say("n", "n")

    result = tacit("init")

    assert (result.code, result.err) == (0, START + LATER + NEXT)
    assert not (repository / ".git/hooks/pre-commit").exists()


def test_hook_is_not_offered_outside_git(project: Path, person: Person) -> None:
    """Without git there is nothing to offer."""
    person.will_say("n")

    assert tacit("init").code == 0
    assert person.was_asked() == MODELS
    assert not (project / ".git").exists()


@pytest.mark.usefixtures("project")
def test_models_are_offered_and_fetched(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: on a terminal init offers the models where there are none; a yes fetches them."""
    fetched: list[str] = []
    monkeypatch.setattr(models, "get", lambda name, **_: fetched.append(name))
    person.will_say("y")

    result = tacit("init")

    assert (result.code, person.was_asked()) == (0, MODELS)
    assert fetched == ["arctic-embed-s", "bge-small-zh", "use-multilingual"]
    assert "use-multilingual is ready" in result.err


@pytest.mark.usefixtures("project")
def test_models_that_cannot_be_fetched_leave_a_bank(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-09: without a network the bank is made, and how to fetch the models later is said."""

    def refuse(name: str, **_: object) -> None:
        raise ModelUnusable(name=name, reason="no network")

    monkeypatch.setattr(models, "get", refuse)
    person.will_say("y")

    result = tacit("init")

    assert result.code == 0
    assert "no network" in result.err
    assert result.err.endswith(LATER + NEXT)


@pytest.mark.usefixtures("project", "person")
def test_models_that_nothing_could_run_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the libraries that models need, the line that brings them is said instead of a question."""
    monkeypatch.setattr(extras, "is_here", lambda extra: extra != "semantic")

    result = tacit("init")

    assert result.code == 0
    assert f"To find notes by their meaning too: {extras.how('semantic')} && tacit model get\n" in result.err


@pytest.mark.usefixtures("project")
def test_models_that_are_here_are_not_offered(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has models is not asked again."""
    monkeypatch.setattr(models, "installed", lambda: list(CATALOGUE.values()))

    assert tacit("init").code == 0
    assert person.was_asked() == ""


def test_hook_of_the_users_is_left_alone(repository: Path, person: Person) -> None:
    """A pre-commit hook that is there stays; the line to add is told."""
    hook = write(repository / ".git/hooks/pre-commit", "#!/bin/sh\nmake lint\n")

    result = tacit("init", "--hook")

    assert result.code == 0
    assert result.err == f"{hook} exists and was left alone; add this line to it: tacit check --staged\n{NEXT}"
    assert hook.read_text(encoding="utf-8") == "#!/bin/sh\nmake lint\n"
    assert person.was_asked() == ""


def test_hook_that_is_there_needs_no_word(repository: Path) -> None:
    """Installing the hook twice is installing it once."""
    tacit("init", "--hook")
    before = fingerprint(repository / ".git/hooks")

    result = tacit("init", "--hook")

    assert (result.code, result.err) == (0, "")
    assert fingerprint(repository / ".git/hooks") == before


def test_hook_asks_nothing_when_it_is_wanted(repository: Path) -> None:
    """--hook needs no terminal; with --json its message stands on standard error."""
    result = tacit("init", "--hook", "--json")

    assert result.code == 0
    assert result.document["schema"] == "tacit.init/1"
    assert "Installed" in result.err
    assert (repository / ".git/hooks/pre-commit").exists()


def test_hook_that_is_wanted_outside_git_is_told(project: Path) -> None:
    """A wish is never passed over without a word."""
    result = tacit("init", "--hook", "--yes")

    assert (result.code, result.err) == (0, f"There is no git repository at {project}; the hook was not installed.\n")


def test_hook_goes_where_git_looks(repository: Path) -> None:
    """core.hooksPath is respected, and the folder is made."""
    git(repository, "config", "core.hooksPath", "tools/hooks")

    assert tacit("init", "--hook").code == 0
    assert (repository / "tools/hooks/pre-commit").exists()


def test_hook_in_a_worktree_names_its_own_bank(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-06: worktrees share the hook, so it names the bank from wherever git runs it."""
    git(repository, "-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-q", "--allow-empty", "-m", "one")
    git(repository, "worktree", "add", "-q", "../tree")
    monkeypatch.chdir(repository.parent / "tree")

    assert tacit("init", "--hook").code == 0

    hook = (repository / ".git/hooks/pre-commit").read_text(encoding="utf-8")
    assert "--bank .memory\n" in hook


def test_hook_of_a_bank_in_a_folder(repository: Path) -> None:
    """A bank elsewhere in the project is named from the top, whatever its name is."""
    assert tacit("init", "--hook", "--bank", "my docs/memory").code == 0

    hook = (repository / ".git/hooks/pre-commit").read_text(encoding="utf-8")
    assert "--bank 'my docs/memory'\n" in hook
