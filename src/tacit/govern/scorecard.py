"""Five scores of a candidate, and what they allow: to write it as a fact, a principle or both, or not to write it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from tacit.govern import statement, vocabulary
from tacit.govern.statement import Weight
from tacit.note.model import Audience, Scope
from tacit.text.tokens import has_cjk

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.note.payload import Payload


class Allowed(StrEnum):
    """What a score vector allows."""

    SKIP = "skip"
    CONFIRM = "confirm"  # a fact, if the user says yes
    WEAK = "weak"  # a principle that says how narrow it is
    FACT = "fact"
    PRINCIPLE = "principle"
    BOTH = "both"


class Scores(NamedTuple):
    """Nought to two each: gain of a decision, transfer, trigger, verifiability, stability."""

    d1: int
    d2: int
    d3: int
    d4: int
    d5: int

    @property
    def total(self) -> int:
        """Their sum."""
        return sum(self)

    def named(self) -> dict[str, int]:
        """Return the scores by their names, with their sum."""
        return {**self._asdict(), "total": self.total}


class Rule(NamedTuple):
    """One line of the table: its name, when it holds, and what it allows."""

    name: str
    holds: Callable[[Scores, bool], bool]
    allowed: Allowed


_MOST_CHARS_OF_NOTHING = 2  # "好的"
# In this order; the first that holds decides, and one always does. `asked`: the user asked for it or chose it.
RULES = (
    Rule("unverifiable_but_asked", lambda s, asked: s.d4 == 0 and asked, Allowed.CONFIRM),
    Rule("unverifiable", lambda s, _: s.d4 == 0, Allowed.SKIP),
    Rule("one_off_of_weight", lambda s, _: s.d5 == 0 and s.d1 == 2 and s.d2 >= 1, Allowed.WEAK),  # noqa: PLR2004
    Rule("one_off", lambda s, _: s.d5 == 0, Allowed.SKIP),
    Rule("too_little", lambda s, _: s.total <= 3, Allowed.SKIP),  # noqa: PLR2004  the numbers are the rule
    Rule("fact_and_principle", lambda s, _: s.total >= 8 and s.d2 >= 1, Allowed.BOTH),  # noqa: PLR2004
    Rule("principle", lambda s, _: s.total >= 6 and s.d1 + s.d2 >= 3, Allowed.PRINCIPLE),  # noqa: PLR2004
    Rule("fact", lambda _, __: True, Allowed.FACT),
)


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The scores of a candidate, why each is what it is, and what they allow by which rule."""

    scores: Scores
    reasons: tuple[str, ...]
    allowed: Allowed
    rule: str
    brought: bool


def outcome(scores: Scores, *, asked: bool) -> Rule:
    """Return the rule that decides about a score vector."""
    return next(rule for rule in RULES if rule.holds(scores, asked))


def score(payload: Payload, *, asked: bool) -> Scorecard:
    """Return the scorecard of a payload: its own scores unchanged if it brings any, else an estimate."""
    if payload.scores:
        scores, reasons = Scores(*payload.scores), tuple[str, ...]()
    else:
        scores, reasons = estimate(payload)
    rule = outcome(scores, asked=asked)
    return Scorecard(scores, reasons, rule.allowed, rule.name, bool(payload.scores))


def estimate(payload: Payload) -> tuple[Scores, tuple[str, ...]]:
    """Return scores judged from the words alone, with the name of the reason for each."""
    found = [judge(payload) for judge in (_gain, _transfer, _trigger, _verifiability, _stability)]
    return Scores(*(points for points, _ in found)), tuple(reason for _, reason in found)


def _said(payload: Payload) -> str:
    words = payload.origin.text if payload.origin else ""
    return f"{payload.scene}\n{payload.choice}\n{payload.principle}\n{words}"


def _gain(payload: Payload) -> tuple[int, str]:
    """What it decides: one way over another, or merely something."""
    if len(payload.principles) > 1:
        return 2, "d1.alternatives"
    if _says_nothing(payload):
        return 0, "d1.empty"
    choice = statement.read(payload.choice)
    if any(word.polarity < 0 for word in choice.words.values()) or vocabulary.ENFORCES.search(payload.choice):
        return 2, "d1.rule"
    return (1, "d1.statement") if choice.weight() > Weight.WEAK else (0, "d1.empty")


def _says_nothing(payload: Payload) -> bool:
    """Whether scene and choice together are one word, or two Chinese characters: nothing that could be followed."""
    said = set(statement.pieces(f"{payload.scene} {payload.choice}".casefold()))
    chinese = sum(map(has_cjk, said))
    words = len(said) - chinese
    return not ((words and chinese) or words > 1 or chinese > _MOST_CHARS_OF_NOTHING)


def _transfer(payload: Payload) -> tuple[int, str]:
    """Whether it holds beyond the task at hand."""
    if vocabulary.TASK_STEPS.search(payload.choice) and vocabulary.ONE_OFF.search(_said(payload)):
        return 0, "d2.task"
    if payload.apply is not Audience.PROJECT or payload.scope is Scope.BROAD:
        return 2, "d2.beyond_project"
    return (0, "d2.one_task") if vocabulary.ONE_OFF.search(payload.choice) else (1, "d2.project")


def _trigger(payload: Payload) -> tuple[int, str]:
    """Whether one can tell when it matters."""
    weight = statement.read("; ".join((payload.scene, *payload.when_to_load))).weight()
    if weight >= 2 * Weight.PAIR:
        return 2, "d3.clear"
    return (1, "d3.vague") if weight else (0, "d3.none")


def _verifiability(payload: Payload) -> tuple[int, str]:
    """Whether one can see if it was followed."""
    choice = statement.read(payload.choice)
    empty = choice.weight() <= Weight.WEAK or _says_nothing(payload)
    if empty or (vocabulary.VAGUE.search(payload.choice) and not choice.literals):
        return 0, "d4.vague"
    if choice.weight() >= 2 * Weight.WORD or _weighty(choice) or payload.evidence or payload.fact:
        return 2, "d4.concrete"
    return 1, "d4.some"


def _weighty(choice: statement.Statement) -> bool:
    return any(word.weight >= Weight.NAME or word.polarity < 0 for word in choice.words.values())


def _stability(payload: Payload) -> tuple[int, str]:
    """Whether it will hold next month."""
    said = _said(payload)
    if vocabulary.ONE_OFF.search(said):
        return 0, "d5.one_off"
    if vocabulary.ENFORCES.search(said) or vocabulary.DECIDES.search(said):
        return 2, "d5.standing"
    return 1, "d5.usual"
