"""Tacit in a minute: make a bank, write notes, recall them, kill a writer, lose nothing, take it back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from demo.keyboard import at_terminal

TACIT = str(Path(sys.executable).parent / "tacit")

# A writer that dies by SIGKILL where it says: before its journal appears, or right after.
WRITER = """
import os, signal, sys
from tacit.bank import Bank
from tacit.note.model import Note
from tacit.store import apply, transaction

def die(*arguments, **options):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[1] == "before":
    transaction.Transaction._check_again = die
else:
    apply.roll_forward = die
Bank.open().add([Note(id="", title=sys.argv[2], when_to_load=("deploying",), one_liner="Deploy from main only.")])
"""


def main() -> None:
    """Show it all in a throw-away project."""
    with tempfile.TemporaryDirectory(prefix="tacit-demo-") as folder:
        show(Path(folder))


def show(project: Path) -> None:
    """Play the scenes."""
    run(project, "git", "init", "-q", ".", quiet=True)

    say("A bank is a folder of Markdown in your repository.")
    run(project, TACIT, "init", "--yes")

    say("Two notes by hand, one in Chinese.")
    pnpm = new(project, "Use pnpm", "adding or updating a package", "Use pnpm in this repository, never npm or yarn.")
    new(project, "数据库迁移", "修改表结构时", "先写回滚脚本，再执行迁移。", "--layer", "L2", "--kind", "pattern")
    run(project, TACIT, "list")

    say("A note is a file that you can read, edit and diff.")
    print(textwrap.indent((project / ".memory" / pnpm).read_text(encoding="utf-8"), "    "))

    show_recall(project)

    say("Now a writer is killed with SIGKILL in the middle of a write, before its commit point …")
    kill_writer(project, "before", "Half a thought")
    run(project, TACIT, "list")
    say("… nothing of it is there. The next one dies right after its commit point, with its file not yet in place …")
    kill_writer(project, "after", "Deploy from main")
    in_place = len(list((project / ".memory" / "L1_declarative").glob("*.md")))
    print(f"    files in L1_declarative right after the kill: {in_place}")
    run(project, TACIT, "list")
    say("… and the next command completed it. Before or after, never between.")
    run(project, TACIT, "check")

    say("Every operation can be taken back. Without a terminal the question waits; it is answered on yours alone.")
    print("    $ tacit undo      (no terminal: an agent, a script)")
    done = subprocess.run(
        [TACIT, "undo"], cwd=project, capture_output=True, text=True, check=False, start_new_session=True
    )
    print(textwrap.indent(done.stderr, "    "))
    by_a_person(project, "review", "y")

    show_governed(project)

    show_task(project)

    say("The log tells it all, and its lines are chained by their hashes.")
    run(project, TACIT, "log")
    run(project, TACIT, "doctor")


def show_task(project: Path) -> None:
    """Work on a task, and let its finding become a note at the end."""
    say("An agent works on a task: what fits is loaded, what it finds is on disk at once.")
    run(project, TACIT, "task", "start", "Updating a package with pnpm")
    run(project, TACIT, "task", "note", "When a release is tagged, never rewrite the changelog of an older one.")
    run(project, TACIT, "task", "note", "Done: looked at the release notes.")
    say("At its end you are asked what becomes a note; notes, episode and clearing are one transaction.")
    code, screen = at_terminal(
        [TACIT, "task", "finish"], answers=["y"], folder=project, environment=environment(project)
    )
    if code != 0:
        sys.exit(f"task finish failed with exit code {code}:\n{screen}")
    print(textwrap.indent(screen, "    "))
    print(textwrap.indent((project / ".memory/L3_episodic/INDEX.md").read_text(encoding="utf-8"), "    "))


def show_recall(project: Path) -> None:
    """Ask for what is worth saying, in both languages, and for something that no note is about."""
    say("Before it starts, an agent asks what is worth knowing. There is no model here: keywords alone answer.")
    recall(project, "npm install fails, should I use yarn?", expected="never npm or yarn")
    recall(project, "给订单表修改表结构", expected="先写回滚脚本")
    say("A prompt that no note is about gets silence. That is a result, too.")
    recall(project, "why is the sky blue?", expected="silence")
    say("Why? The score puts notes in order, the evidence decides: from 1 on a note may be said.")
    run(project, TACIT, "recall", "run npm audit every night", "--explain")


def show_governed(project: Path) -> None:
    """Let an agent propose what contradicts a note, the user answer, and take the answer back."""
    say("You say what to remember. An agent may only propose; what contradicts a note is asked, and you answer.")
    run(project, TACIT, "remember", "Before a release, run the smoke test instead of the whole suite")
    payload = {"scene": "before a release", "principles": ["run the whole suite", "run the smoke test"]}
    payload |= {"choice": "run the whole suite", "source": "extract"}
    (project / "payload.json").write_text(json.dumps(payload), encoding="utf-8")
    proposed = run(project, TACIT, "propose", "payload.json", "--explain")
    if "(veto)" not in proposed:
        sys.exit("the proposal was expected to be a conflict")
    by_a_person(project, "review", "t")
    by_a_person(project, "undo", "y")


def by_a_person(project: Path, word: str, key: str) -> None:
    """Run a command at a terminal, and answer its question with a key."""
    print(f"    $ tacit {word}      (a person, who presses {key})")
    around = {**environment(project), "NO_COLOR": "1"}
    code, screen = at_terminal([TACIT, word], answers=[key], folder=project, environment=around)
    if code != 0:
        sys.exit(f"{word} failed with exit code {code}:\n{screen}")
    print(textwrap.indent(screen, "    "))


def recall(project: Path, prompt: str, *, expected: str) -> None:
    """Show a recall, and insist on what it says."""
    shown = run(project, TACIT, "recall", prompt)
    if expected not in shown:
        sys.exit(f"recall was expected to say {expected!r}")


def new(project: Path, title: str, when: str, one_liner: str, *more: str) -> str:
    """Write a note; return its file."""
    words = ["new", "--title", title, "--when", when, "--one-liner", one_liner, *more]
    shown = run(project, TACIT, *words)
    return shown.strip().split(": ", 1)[1]


def kill_writer(project: Path, moment: str, title: str) -> None:
    """Start a writer that dies at `moment`, and insist that it did."""
    done = subprocess.run([sys.executable, "-c", WRITER, moment, title], cwd=project, check=False)
    if done.returncode != -signal.SIGKILL:
        sys.exit(f"the writer was expected to die, but ended with {done.returncode}")
    print(f"    (writer killed {moment} its commit point)\n")


def say(text: str) -> None:
    """Tell what comes next."""
    bold, plain = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("", "")
    print(f"{bold}▸ {text}{plain}", flush=True)


def run(project: Path, *words: str, quiet: bool = False) -> str:
    """Run a command in the project and print it with what it says."""
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, check=False, env=environment(project))
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed with exit code {done.returncode}:\n{done.stdout}{done.stderr}")
    if not quiet:
        print(f"    $ {' '.join(['tacit', *map(quoted, words[1:])])}")
        print(textwrap.indent(done.stdout, "    "), flush=True)
    return done.stdout


def quoted(word: str) -> str:
    """Show a word as one would type it."""
    return f'"{word}"' if " " in word or not word.isascii() else word


def environment(project: Path) -> dict[str, str]:
    """The environment without what could lead to another bank, with a home that has no models, in English."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TACIT_", "GIT_"))}
    return {**kept, "TACIT_HOME": str(project / "no-models"), "TACIT_LANG": "en"}


if __name__ == "__main__":
    main()
