"""What became of a payload or an answer, for people: a sentence, and on request how it came about."""

from __future__ import annotations

from dataclasses import asdict
from shlex import quote
from typing import TYPE_CHECKING

from tacit.messages import say, say_or_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tacit.bank.values import Answer, Neighbour, Outcome

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
