"""What people read, in English and Chinese."""

from __future__ import annotations

import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.errors import TacitError


_of_bank: ContextVar[str] = ContextVar("language of the bank", default="auto")
_of_reader: ContextVar[str] = ContextVar("language of who is reading", default="auto")


def prefer(wish: str) -> None:
    """Speak as the settings of the bank at hand say from now on; `auto` leaves it to the environment."""
    _of_bank.set(wish)


@contextmanager
def speaking(wish: str) -> Iterator[None]:
    """Speak one language for a while, whatever the environment and the bank say: that of who is reading."""
    before = _of_reader.set(wish)
    try:
        yield
    finally:
        _of_reader.reset(before)


def language(wish: str = "auto") -> str:
    """Return `en` or `zh`: the wish, else the reader's, TACIT_LANG, what the bank prefers, or the locale."""
    own, *locale = (os.environ.get(name, "") for name in ("TACIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    wishes = (wish, _of_reader.get(), own, _of_bank.get(), *locale)
    chosen = next((word for word in wishes if word not in ("", "auto")), "")
    return "zh" if chosen.lower().startswith("zh") else "en"


class _Count(int):
    """A number that a template follows with what is counted: `{count:note}` is 1 note or 2 notes."""

    def __format__(self, noun: str) -> str:
        one, _, many = noun.partition("|")
        return f"{int(self)} {one if self == 1 else many or f'{one}s'}" if noun else str(int(self))


def say(key: str, wish: str = "auto", /, **values: object) -> str:
    """Return the message called `key` in the language of the user."""
    from tacit.messages import english

    text = english.MESSAGES[key]
    if language(wish) == "zh":
        from tacit.messages import chinese

        text = chinese.MESSAGES[key]
    return text.format(**{name: _Count(value) if type(value) is int else value for name, value in values.items()})


def on_page(key: str, /, **values: object) -> str:
    """Return the text called `key` of the review page in the language of who is reading."""
    from tacit.messages import page

    return page.TEXTS[key][language() == "zh"].format(**values)


def say_or_name(key: str, name: str, **values: object) -> str:
    """Return the message called `key`, or `name` where there is none: a log may name a rule of another version."""
    from tacit.messages import english

    return say(key, **values) if key in english.MESSAGES else name


def translated(detail: str) -> str:
    """Return a detail of an error or a question in the language of the user."""
    if language() == "zh":
        from tacit.messages import chinese_errors

        return str(chinese_errors.detail(detail))
    return detail


def head(word: str) -> str:
    """Return the head of a column in the language of the user."""
    if language() == "zh":
        from tacit.messages import chinese

        return chinese.HEADS.get(word, word)
    return word


def answered_by(mode: str) -> str:
    """Return in the user's language by what recall answers, from the words that programs get."""
    names = mode.removeprefix("keywords and ")
    return say("mode.keywords") if names == mode else say("mode.models", names=names)


def explain(error: TacitError, wish: str = "auto") -> tuple[str, str]:
    """Return the sentence and the next step of an error in the language of the user.

    Where the usual next step would lead astray, the error brings another among its details.
    """
    own = str(error.details.get("next_step", ""))
    if language(wish) == "zh":
        from tacit.messages import chinese_errors

        sentence, hint = chinese_errors.ERRORS[error.code]
        told = {name: chinese_errors.detail(value) for name, value in error.details.items()}
        return sentence.format(**told), own or hint.format(**told)
    return error.message, own or error.next_step
