"""What a shell may offer for an argument: the ids of the notes at hand, the names of settings and of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.errors import TacitError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click
    from click.shell_completion import CompletionItem


def note_ids(context: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the notes of the bank whose ids begin so; none where the bank cannot be read."""
    from tacit.bank import Bank

    try:
        notes = Bank.open(context.params.get("bank"), settle=False, heal=False).notes()
    except (TacitError, OSError):
        return []
    return _begun(((note.id, note.title) for note in notes), begun)


def setting_names(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the settings whose names begin so."""
    from tacit.settings import SETTINGS

    return _begun(((setting.name, setting.meaning) for setting in SETTINGS), begun)


def model_names(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the models that Tacit knows and those that are here, as far as their names begin so."""
    from tacit.bank import models
    from tacit.index.embed.catalogue import CATALOGUE

    every = {**CATALOGUE, **{each.name: each for each in models.installed()}}
    return _begun(((name, each.licence) for name, each in every.items()), begun)


def _begun(pairs: Iterable[tuple[str, str]], begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem  # only a shell that asks pays for it

    return [CompletionItem(word, help=meaning) for word, meaning in pairs if word.startswith(begun)]
