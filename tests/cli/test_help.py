"""Every command can be found, explains itself, and shows an example that is a command line of its own."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

import tacit as package
from tacit import link
from tacit.cli import main
from tacit.cli.app import COMMANDS, TOGETHER, app
from tests.cli.runner import TACIT, environment, process, tacit

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[2] / "src/tacit/cli"
# Every way to call a command: the words before its options.
GROUPS = {
    "trash": ["list", "empty"],
    "index": ["status", "rebuild"],
    "model": ["list", "get", "add", "remove"],
    "sessions": ["list", "clear"],
    "daemon": ["status", "stop"],
    "detail": ["add", "status", "propose"],
    "beside": ["add", "list", "remove"],
    "token": ["create", "list", "revoke"],
    "share": ["add", "update", "status", "export", "override"],
    "task": ["start", "note", "show", "list", "resume", "finish", "clear"],
}
WAYS = [*([name] for name in COMMANDS), *([name, word] for name, words in GROUPS.items() for word in words)]


def command_of(words: list[str]) -> click.Command:
    """The command that these words lead to."""
    found: click.Command = app
    for word in words:
        assert isinstance(found, click.Group)
        inner = found.get_command(click.Context(found), word)
        assert inner is not None
        found = inner
    return found


def content_words(sentence: str) -> set[str]:
    """The words of a sentence that carry its meaning, by their stems."""
    return {word[:4] for word in re.findall(r"[a-z]{3,}", sentence.lower())} - {"the", "and", "what", "with"}


def test_interrupt_while_commands_are_loaded_is_told_in_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C shows no traceback, however early it comes."""
    monkeypatch.delitem(sys.modules, "tacit.cli.app")
    # Here too it must be looked for: a hook that is there would begin in this very process.
    monkeypatch.delitem(sys.modules, "tacit.link", raising=False)
    monkeypatch.delattr(package, "link", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted()])

    with pytest.raises(SystemExit, match="Aborted!"):
        main(["list"])
    with pytest.raises(SystemExit) as ended:
        main(["hook", "prompt"])
    assert ended.value.code == 0


class Interrupted:
    """Ctrl-C in place of a module."""

    def find_spec(self, *_: object) -> None:
        """Find nothing, and be interrupted."""
        raise KeyboardInterrupt


def test_list_and_files_agree() -> None:
    """Each command of the list shares a file with its kind, and each file of commands is in the list of kinds."""
    assert sorted(COMMANDS) == sorted(word for words in TOGETHER.values() for word in words)
    assert sorted(TOGETHER) == sorted(path.name.removesuffix("_commands.py") for path in FOLDER.glob("*_commands.py"))


@pytest.mark.parametrize("group", GROUPS)
def test_help_of_a_group_tells_each_word_whole(group: str) -> None:
    """What a word of several does is told to the end, in a narrow terminal too."""
    assert "..." not in tacit(group, "--help").out.replace("COMMAND [ARGS]...", "")


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_help_explains_and_shows_an_example(words: list[str]) -> None:
    """--help says what the command does and gives an example of that very command."""
    result = tacit(*words, "--help")

    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: tacit {' '.join(words)} ")
    example = re.search(r"Example: (tacit .+)", result.out.replace("\n  ", " "))
    assert example is not None
    assert shlex.split(example[1])[1 : 1 + len(words)] == words


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_example_is_a_valid_command_line(words: list[str]) -> None:
    """Options and arguments of the example are ones that the command takes."""
    example = (command_of(words).epilog or "").removeprefix("Example: ")
    _, *given = shlex.split(example)
    if words[0] in GROUPS:
        words = given[:2]

    around = click.Context(app, help_option_names=["-h", "--help"])
    command_of(words).make_context("tacit", given[len(words) :], parent=around)


@pytest.mark.parametrize("words", [words for words in WAYS if words[-1] not in GROUPS], ids=" ".join)
def test_every_command_takes_bank_and_json(words: list[str]) -> None:
    """All commands take --bank and --json."""
    options = {option for parameter in command_of(words).params for option in parameter.opts}

    assert {"--bank", "--json"} <= options


@pytest.mark.parametrize(("name", "summary"), COMMANDS.items(), ids=COMMANDS)
def test_summary_is_near_the_help(name: str, summary: str) -> None:
    """What `tacit --help` says of a command, without loading it, is what the command says of itself."""
    first = (command_of([name]).help or "").strip()

    assert content_words(summary) & content_words(first)


def test_no_option_replaces_an_answer() -> None:
    """No command that asks has an option that would answer for the person; init's --yes only leaves questions out."""
    asking = [["edit"], ["archive"], ["delete"], ["restore"], ["undo"], ["purge"], ["trash", "empty"]]
    asking += [["review"], ["answer"], ["propose"], ["remember"], ["config"]]
    for words in asking:
        options = {option for parameter in command_of(words).params for option in parameter.opts}
        assert not options & {"--yes", "-y", "--force", "-f", "--no-confirm", "--confirm", "--assume-yes"}, words


def test_help_lists_the_commands_in_order() -> None:
    """`tacit --help` shows every command in the order of the list, with what it does, and an example."""
    text = tacit("--help").out

    found = re.findall(r"^  ([a-z]+) {2,}", text.partition("Commands:")[2], re.MULTILINE)
    assert found == list(COMMANDS)
    assert "Example: tacit init" in text.replace("\n  ", " ")


def test_commands_can_be_completed() -> None:
    """What a shell may offer after `tacit` is the list of commands."""
    assert app.list_commands(click.Context(app)) == list(COMMANDS)


def test_short_help_option() -> None:
    """-h is --help, but for `tag`, where it takes away a tag."""
    assert tacit("-h").out == tacit("--help").out
    assert tacit("list", "-h").out == tacit("list", "--help").out


@pytest.mark.parametrize("words", [["--version"], ["-V"]], ids=" ".join)
def test_version(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """--version says the version."""
    main(words)

    assert capsys.readouterr().out == f"tacit {package.__version__}\n"


def test_version_of_the_installed_package() -> None:
    """The version that the installed package gives is the one in the source."""
    assert tacit("--version").out == f"tacit {package.__version__}\n"


def test_installed_command() -> None:
    """The command that is installed runs and finds its parts."""
    result = process("--version")

    assert (result.code, result.out, result.err) == (0, f"tacit {package.__version__}\n", "")


@pytest.fixture(scope="module")
def runtime() -> Iterator[str]:
    """Where the daemon that a hook starts has its socket; it ends with these tests."""
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder, pytest.MonkeyPatch.context() as patch:
        place = f"{folder}/run"
        yield place
        patch.setenv("TACIT_RUNTIME_DIR", place)
        patience = threading.Event()
        for _ in range(600 if Path(place).exists() else 0):  # it may be about to begin
            if link.ask(b"stop") is not None:
                break
            patience.wait(0.05)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["hook prompt", "hook session-start", "--version"])
def test_closed_pipes_fail_nobody(words: str, closed: str, runtime: str) -> None:
    """Whatever a host closes before it starts us, what it runs all the time ends well and complains of nothing."""
    command = ["/bin/sh", "-c", f'"$0" {words} {closed}', TACIT]
    surroundings = environment(TACIT_RUNTIME_DIR=runtime)
    done = subprocess.run(command, capture_output=True, env=surroundings, stdin=subprocess.DEVNULL, check=False)

    assert (done.returncode, done.stderr) == (0, b"")


def test_main_runs_a_command(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    """The entry point hands on to the command and ends with its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(["state", "--bank", str(root)])

    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("[memory: ON]\n")


@pytest.mark.parametrize("words", [["nonsense"], ["list", "--nonsense"], ["show"], ["trash", "burn"]], ids=" ".join)
def test_wrong_command_line(words: list[str]) -> None:
    """A wrong command line ends with exit code 2, and one sentence that says what is wrong and where help is."""
    result = tacit(*words)

    assert (result.code, result.out) == (2, "")
    assert re.search(r"^Error: .+\.$", result.err, re.MULTILINE)
    assert "--help' for help." in result.err.replace("-h' for help", "--help' for help")
