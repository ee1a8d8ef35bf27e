"""The list of commands; each is loaded when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from tacit.messages import say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# Word → what it does, in the order of `tacit --help`.
COMMANDS = {
    "init": "Make a memory bank here.",
    "status": "Show where you are and what to do next, as `tacit` alone does.",
    "install": "Wire a coding agent to the memory.",
    "uninstall": "Take out what install put in.",
    "new": "Write a note by hand.",
    "remember": "Remember what you say; what meets another note is asked.",
    "extract": "Find what is worth keeping of a conversation.",
    "list": "List the notes.",
    "show": "Show a note, a file or what a pointer leads to.",
    "search": "Find notes by their words and their meaning.",
    "recall": "Give the notes worth saying for a prompt, or silence.",
    "propose": "Propose what an agent would have remembered.",
    "review": "Answer the questions that wait.",
    "answer": "Answer one proposal.",
    "ui": "Open the page on which you answer questions and browse notes.",
    "explain": "Explain how a proposal, a note or an operation came to be.",
    "edit": "Change a note in your editor.",
    "tag": "Add or remove tags of a note.",
    "move": "Move a note to another layer.",
    "confirm": "Vouch for notes that came by git or by hand.",
    "archive": "Take a note out of recall.",
    "delete": "Move a note to the trash.",
    "restore": "Bring a removed note back.",
    "trash": "List or empty the trash.",
    "log": "Tell what was done to the bank or to one note.",
    "undo": "Take back an operation.",
    "govern": "Look after the whole bank: sync INDEX.md, propose merges, archivals and repairs.",
    "stats": "Show what was recalled, what never, and how questions were answered.",
    "check": "Find what is wrong in the bank.",
    "doctor": "Prove the bank's promises, changing nothing.",
    "state": "Show or change whether the bank may be read and written.",
    "config": "Show or change the bank's settings.",
    "index": "Show the state of the search index, or make it anew.",
    "model": "List, fetch, add or remove models.",
    "hook": "Answer an event of a coding agent on standard input.",
    "daemon": "Show or stop the process that keeps banks warm.",
    "sessions": "List or delete what is kept of conversations.",
    "purge": "Destroy every trace of a note, for a leak.",
    "mcp": "Serve the bank to an agent over MCP.",
    "refresh": "Bring the entry document up to date, or an older memory bank over.",
    "focus": "Show or set the current focus, next steps and blockers.",
    "detail": "Write or propose details: decisions, learnings, requirements, designs.",
    "read": "Read what the details say to a question, with evidence where it is needed.",
    "drift": "Find where documents and project differ.",
    "context": "Print what an agent is told at the start of a session.",
    "share": "Mount, pull and give team notes.",
    "push": "Send the notes of a commit to a team server.",
    "serve": "Answer for many banks: the team server.",
    "token": "Make, list and take back tokens of the team server.",
    "beside": "Say which banks of the team server are heard beside which.",
    "import": "Bring another memory in: memory banks, AGENTS.md, Cursor rules and others.",
    "export": "Write the bank out in another format.",
    "mount": "Let another memory take part in recall where it is.",
    "completion": "Print the completion script of a shell.",
    "task": "Keep the working memory of a task, and finish it into notes.",
}
# Kind → words that share the file `<kind>_commands.py`, each with a function `<word>_command`.
TOGETHER = {
    "answering": ("answer", "review"),
    "entry": ("context", "detail", "focus", "read", "refresh"),
    "exchanging": ("export", "import", "mount", "share"),
    "finding": ("list", "recall", "search", "show"),
    "history": ("explain", "log", "sessions", "undo"),
    "installing": ("init", "install", "uninstall"),
    "machine": ("completion", "daemon", "hook", "index", "model"),
    "note": ("archive", "confirm", "delete", "move", "purge", "restore", "tag", "trash"),
    "remembering": ("extract", "propose", "remember"),
    "serving": ("mcp", "serve", "ui"),
    "state": ("config", "state", "status"),
    "task": ("task",),
    "team": ("beside", "push", "token"),
    "upkeep": ("check", "doctor", "drift", "govern", "stats"),
    "writing": ("edit", "new"),
}
# What other tools call it → what it is here; by its letters each is near to another word, or to none.
_MEANT = {
    "add": "remember",
    "find": "search",
    "help": "--help",
    "remove": "delete",
    "rm": "delete",
    "version": "--version",
}


class _Commands(click.Group):
    """A group that imports a command only when it runs, so that `tacit` starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  as above
        if cmd_name not in COMMANDS:
            return None
        kind = next(kind for kind, words in TOGETHER.items() if cmd_name in words)
        command: click.Command = getattr(import_module(f"tacit.cli.{kind}_commands"), f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = [_MEANT[args[0]]] if args[0] in _MEANT else get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(say("command.near" if near else "command.unknown", word=args[0], near="".join(near)))
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        # click's own would import all commands to see which are hidden
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        from click.shell_completion import CompletionItem

        return [CompletionItem(word, help=text) for word, text in COMMANDS.items() if word.startswith(incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  as above
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog="Exit codes, error codes and JSON shapes: docs/scripting.md. Example: tacit init",
)
@click.version_option(package_name="tacit", message="tacit %(version)s")
@click.pass_context
def app(context: click.Context) -> None:
    """Tacit (心有灵犀): the memory that people and their coding agents share.

    A bank of plain Markdown notes in your repository; every change is a transaction that can be undone. Without a
    command `tacit` shows where you are and what to do next.
    """
    if context.invoked_subcommand is None:
        app.main(["status"], prog_name="tacit")
