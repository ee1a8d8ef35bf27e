"""A proposal on the terminal, with a key for each answer; and what became of a payload or an answer."""

from __future__ import annotations

from dataclasses import asdict
from shlex import quote
from typing import TYPE_CHECKING

from tacit.audit.record import Channel
from tacit.errors import TacitError
from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, KEEP_OLD, NEW_INSTEAD, SHOW_DIFF, TAKE_NEW
from tacit.messages import explain, say, say_or_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tacit.bank import Bank
    from tacit.bank.values import Answer, Neighbour, Outcome, Pending
    from tacit.cli.terminal import Terminal

KEYS = {CONFIRM: "y", CANCEL: "n", NEW_INSTEAD: "b", BOTH: "b", KEEP_OLD: "o", TAKE_NEW: "t", SHOW_DIFF: "d"}
SKIP, QUIT = "s", "q"
_SHOWN_LINES = 40


class Left(Exception):
    """The person left without answering."""


def present(terminal: Terminal, pending: Pending) -> None:
    """Show a proposal: the question with its reasons and losses, the user's words, and what would change."""
    terminal.show(f"{pending.proposal_id}  {pending.created}", bold=True)
    terminal.show(pending.question.question)
    if pending.evidence:
        terminal.show(say("review.evidence", words=" ".join(pending.evidence.split())))
    lines = pending.diff.splitlines()
    terminal.show_diff(lines[:_SHOWN_LINES])
    if len(lines) > _SHOWN_LINES:
        terminal.show(say("review.more", count=len(lines) - _SHOWN_LINES))


def ask(terminal: Terminal, bank: Bank, pending: Pending) -> Answer | None:
    """Show a proposal and carry out the answer; None if it is left for later. Raises Left if the person has enough.

    What is carried out is what was shown, or nothing. If the bank changed meanwhile, the new question is asked at once.
    """
    while True:
        present(terminal, pending)
        option = _option(terminal, pending)
        if not option:
            return None
        try:
            answer = bank.answer(pending.proposal_id, option, Channel.TERMINAL, shown=pending.digest)
        except TacitError as error:
            terminal.show(explain(error)[0], fg="red")
            return None
        if answer.status != "asked_again":
            return answer
        terminal.show(say("review.again"))
        pending = next(each for each in bank.pending() if each.proposal_id == answer.proposal_id)


def _option(terminal: Terminal, pending: Pending) -> str:
    """Return the option that the person chose; nothing if they skip it."""
    labels = {KEYS[each.id]: each.label for each in pending.question.options}
    options = {KEYS[each.id]: each.id for each in pending.question.options}
    for key, label in {**labels, SKIP: say("review.skip"), QUIT: say("review.quit")}.items():
        terminal.show(f"  {key}  {label}")
    while True:
        key = terminal.press([*labels, SKIP, QUIT])
        if key in ("", QUIT):
            raise Left
        if key == SKIP:
            return ""
        if options[key] != SHOW_DIFF:
            return options[key]
        terminal.show_diff(pending.diff.splitlines())


_DIMENSIONS = ("d1", "d2", "d3", "d4", "d5")


def outcome_document(outcome: Outcome) -> dict[str, object]:
    """Return an outcome as JSON knows it."""
    return asdict(outcome)


def answer_document(answer: Answer) -> dict[str, object]:
    """Return what an answer led to as JSON knows it."""
    members = asdict(answer)
    del members["outcome"]
    return members


def outcome_sentence(outcome: Outcome) -> str:
    """Return in one sentence what became of a payload; a refusal says what to do as well."""
    told = " ".join(outcome.reasons)
    match outcome.decision:
        case "refused":
            return told
        case "skip":
            return say("outcome.skip", reasons=told)
        case "dedupe":
            return say("outcome.dedupe", id=outcome.note_id)
        case _ if outcome.written and outcome.bank:
            return say("outcome.personal", id=outcome.note_id, place=outcome.bank)
        case _ if outcome.written:
            return say("outcome.written", id=outcome.note_id, operation=outcome.operation_id)
        case _ if outcome.proposal_id:
            return say("outcome.asked", proposal=outcome.proposal_id, decision=outcome.decision)
        case _ if outcome.rules == ("clear",):
            return say("outcome.would_write")
        case _:
            return say("outcome.would_ask", decision=outcome.decision, reasons=told)


def answer_sentence(answer: Answer) -> str:
    """Return in one sentence what an answer led to."""
    match answer.status:
        case "applied":
            what = answer.note_id or answer.proposal_id
            command = f"tacit undo {answer.operation_id}"
            if answer.bank:
                return say(
                    "answer.personal",
                    decision=answer.decision,
                    id=what,
                    place=answer.bank,
                    command=f"{command} --bank {quote(answer.bank)}",
                )
            return say("answer.applied", decision=answer.decision, id=what, command=command)
        case "asked_again":
            return say("answer.asked_again", proposal=answer.proposal_id)
        case "decided_anew" if answer.outcome is not None:
            return say("answer.decided_anew", outcome=outcome_sentence(answer.outcome))
        case _:
            return say("answer.declined")


def explained(outcome: Outcome) -> Iterator[str]:
    """Yield the lines that tell how a decision came about: neighbours, scores, rules, completed fields."""
    yield from neighbours(outcome.neighbours)
    yield from scores(outcome.scores, outcome.score_reasons)
    yield from rules(outcome.reasons, outcome.rules)
    if outcome.completed:
        yield say("explain.completed", fields=", ".join(outcome.completed))


def neighbours(near: Sequence[Neighbour]) -> Iterator[str]:
    """Yield the neighbours of a candidate with relation, score and the rules that made it."""
    if not near:
        return
    yield say("explain.neighbours")
    for each in near:
        why = " ".join(say_or_name(f"reason.relation.{rule}", rule, detail="") for rule in each.rules)
        yield f"    {each.id} “{each.title}”: {each.relation}, {each.score:.2f}. {why} [{', '.join(each.rules)}]"


def scores(found: Mapping[str, int], reasons: Sequence[str]) -> Iterator[str]:
    """Yield the five scores, each with its reason, and what they allow; `reasons` end with the rule that decided."""
    if not found:
        return
    *why, rule = reasons or ("",)
    yield say("explain.scores", total=found["total"], allows=say_or_name(f"score.rule.{rule}", rule))
    for number, name in enumerate(_DIMENSIONS):
        reason = say_or_name(f"score.{why[number]}", why[number]) if number < len(why) else say("score.brought")
        yield f"    {name.upper()} {found[name]}  {say(f'score.{name}')}: {reason}"


def rules(sentences: Iterable[str], names: Sequence[str]) -> Iterator[str]:
    """Yield the rules that fired, in words and by name."""
    told = list(sentences)
    if not told:
        return
    yield say("explain.rules")
    for number, sentence in enumerate(told):
        name = f" [{names[number]}]" if len(names) == len(told) else ""
        yield f"    {sentence}{name}"
