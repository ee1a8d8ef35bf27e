"""A conversation for tests: what the user types, and what an agent makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tacit.bank.values import Context
from tests.files import held

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.bank import Bank
    from tacit.bank.values import Outcome

SCENE = "installing packages in the web client"
PNPM = "use pnpm to install packages"
NPM = "use npm to install packages"
# What belongs to this machine, or is on its way in or out: nobody else sees it.
PRIVATE = (".local", "staging", ".trash")


def payload(words: str = "", **members: Any) -> dict[str, Any]:  # noqa: ANN401  the members of a payload
    """A payload that quotes these words of the user, and chooses pnpm unless it is told otherwise."""
    choice = members.get("choice", PNPM)
    return {
        "scene": SCENE,
        "choice": choice,
        "principles": [choice, NPM if choice == PNPM else PNPM],
        "source": "auto",
        "confidence": "high",
        "origin": {"text": words, "spans": [{"start": 0, "end": len(words)}]},
        "claim": {"id": "c1", "digest": "which package manager"},
        **members,
    }


class Talk:
    """One conversation over one bank."""

    def __init__(self, bank: Bank, conversation_id: str = "conversation-1") -> None:
        self.bank = bank
        self.context = Context(conversation_id, "generation-1")
        self.words = ""

    def user(self, words: str) -> Talk:
        """The user types something."""
        self.words = words
        self.bank.session(self.context.conversation_id).saw_prompt(words)
        return self

    def agent(self, **members: Any) -> Outcome:  # noqa: ANN401  the members of a payload
        """The agent proposes something and quotes the last prompt."""
        return self.bank.propose([payload(self.words, **members)], self.context)[0]

    def written(self) -> Outcome:
        """The user decides for pnpm, and it is written without a word."""
        made = self.user(f"From now on {PNPM} in the web client.").agent()
        assert made.written, made
        return made

    def merge(self) -> Outcome:
        """The agent brings the same again with something new: a merge is asked about."""
        made = self.agent(signals=["the lockfile is pnpm-lock.yaml"], evidence="It took 42 s.")
        assert (made.decision, made.written) == ("merge", False), made
        return made

    def replace(self) -> Outcome:
        """The user changes their mind, in words that decide: a replacement is asked about."""
        made = self.user(f"From now on {NPM} in the web client.").agent(choice=NPM)
        assert (made.decision, made.written) == ("replace", False), made
        return made

    def veto(self) -> Outcome:
        """The agent contradicts a note and the user's words do not decide: it is asked which one holds."""
        made = self.user(f"{NPM} in the web client.").agent(choice=NPM)
        assert (made.decision, made.written) == ("veto", False), made
        return made

    def doubtful(self) -> Outcome:
        """The agent is not sure: a new note is asked about."""
        made = self.agent(scene="naming branches", choice="use short names", confidence="low")
        assert (made.decision, made.written) == ("new", False), made
        return made


def shared_files(root: Path) -> dict[str, bytes]:
    """Every file of a bank that others see, with its bytes."""
    return {name: content for name, content in held(root).items() if name.partition("/")[0] not in PRIVATE}


def lines(bank: Bank) -> list[dict[str, Any]]:
    """The lines of the operation log."""
    return list(bank._store.log.entries())
