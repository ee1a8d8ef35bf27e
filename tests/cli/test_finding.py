"""Which bank a command works on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.bank import Bank
from tests.cli.runner import Result, process, tacit, write


def bank_of(result: Result) -> str:
    """The directory that init said it made or found, which is the bank of that place."""
    assert result.code == 0, result.err
    return result.document["bank"]


def only_note(result: Result) -> str:
    """The title of the only note in a list."""
    (note,) = result.document["notes"]
    return note["title"]


@pytest.fixture
def two_banks(project: Path) -> Path:
    """A project with a bank whose one note is called outer, and in its folder `inner` a bank with a note inner."""
    for place, title in ((project, "outer"), (project / "inner", "inner")):
        Bank.init(place / ".memory")
        assert tacit("new", "--bank", place, "--title", title, "--when", "w", "--one-liner", "l").code == 0
    return project


def test_walking_up(two_banks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-01: the bank is found from every folder below the project."""
    deep = two_banks / "src" / "deep" / "deeper"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)

    assert only_note(tacit("list", "--json")) == "outer"


@pytest.mark.parametrize("place", ["inner", "inner/src", "inner/.memory", "inner/.memory/L1_declarative"])
def test_nearest_bank_wins(two_banks: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """B-06: of two banks on the way up the nearer one is taken, from inside the bank too."""
    (two_banks / place).mkdir(exist_ok=True)
    monkeypatch.chdir(two_banks / place)

    assert only_note(tacit("list", "--json")) == "inner"


@pytest.mark.parametrize("place", ["inner", "inner/.memory", "./inner", "inner/../inner/.memory/"])
@pytest.mark.usefixtures("two_banks")
def test_bank_can_be_named(place: str) -> None:
    """B-01: --bank takes the bank's directory or the project that holds it."""
    assert only_note(tacit("list", "--bank", place, "--json")) == "inner"


def test_variable_names_the_bank(two_banks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-01: TACIT_BANK is taken before walking up, and --bank before TACIT_BANK."""
    monkeypatch.setenv("TACIT_BANK", str(two_banks / "inner"))

    assert only_note(tacit("list", "--json")) == "inner"
    assert only_note(tacit("list", "--bank", two_banks, "--json")) == "outer"


def test_variable_names_the_bank_of_a_process(two_banks: Path) -> None:
    """B-01: the same holds for the installed command."""
    assert only_note(process("list", "--json", TACIT_BANK=str(two_banks / "inner"))) == "inner"
    assert only_note(process("list", "--json", TACIT_BANK="")) == "outer"


def test_init_goes_to_the_root_of_the_git_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-01: by default the bank is .memory at the project's root, wherever in it init is called."""
    (project / ".git").mkdir()
    (project / "src").mkdir()
    monkeypatch.chdir(project / "src")

    assert bank_of(tacit("init", "--yes", "--json")) == str(project / ".memory")


def test_init_without_git_is_here(project: Path) -> None:
    """Without git the bank is .memory in the working directory."""
    assert bank_of(tacit("init", "--yes", "--json")) == str(project / ".memory")


@pytest.mark.parametrize("place", ["notes", "deep/er/notes"])
def test_init_makes_the_bank_that_was_named(project: Path, place: str) -> None:
    """--bank names the directory itself; what is missing above it is made."""
    assert bank_of(tacit("init", "--yes", "--bank", place, "--json")) == str(project / place)
    assert tacit("list", "--bank", place).code == 0


def test_init_in_a_named_git_project(project: Path) -> None:
    """A named git project gets its bank in .memory, never its own root turned into one."""
    (project / "other/.git").mkdir(parents=True)

    assert bank_of(tacit("init", "--yes", "--bank", "other", "--json")) == str(project / "other/.memory")


def test_no_bank_anywhere(project: Path) -> None:
    """Without a bank the error says where was looked and what to do."""
    result = tacit("list")

    assert result.code == 4
    assert result.err == (
        f"tacit: There is no bank at {project} or above. [bank.not_found]\n"
        "  Run `tacit init` in your project, or name one with --bank or TACIT_BANK.\n"
    )


def test_bank_behind_a_link(two_banks: Path) -> None:
    """A link to a bank from outside leads to the bank; only links inside it are refused."""
    link = two_banks.parent / "link"
    link.symlink_to(two_banks / "inner", target_is_directory=True)

    assert only_note(tacit("list", "--bank", link, "--json")) == "inner"
    assert Path(bank_of(tacit("init", "--yes", "--bank", link / ".memory", "--json"))) == two_banks / "inner/.memory"


def test_a_text_with_the_line_ends_of_windows_is_shown_as_others(root: Path) -> None:
    """N-04, Z-01: what is shown of it ends its lines as a terminal does; the file keeps its own."""
    write(root / "L0_core/values.md", "# Values\r\n\r\nBe careful.\r\n")
    assert tacit("show", "mem://L0/CORE-values").out == "# Values\n\nBe careful.\n"
    assert tacit("show", "CORE-values").out.endswith("\n# Values\n\nBe careful.\n")
