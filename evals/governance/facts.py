"""FactConsolidation: later facts overrule earlier ones, and the newest must be the first that is found.

A fact such as "Ada Lovelace is a citizen of France." becomes a payload by one rule for all sentences: the part up to
the value ("Ada Lovelace is a citizen of") is the scene, the sentence is the choice. The value begins after the first
verb and the lower-case words behind it, up to the last of them that links ("a citizen of"). The user follows a script
and always takes the newer fact. So this measures governed writing, not how well an agent fills in a payload.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from evals.governance.product import fresh, settle
from tacit.note.model import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from evals.governance.product import Governed, Payload

SIZES = ("6k", "32k", "64k")
BATCH = 100
_VERB = re.compile(r" (?:is|was|are|were|has|plays|died|works|worked|speaks|performed)(?= )")
_LINKS = frozenset({"is", "was", "as", "at", "by", "for", "from", "in", "of", "to", "with"})
_FACT = re.compile(r"(?m)^\d+\. (.+)$")


def payload(fact: str) -> Payload:
    """Return the fact as what a user asks to remember."""
    return {"scene": scene(fact), "principles": [fact], "choice": fact, "source": "remember"}


def scene(fact: str) -> str:
    """Return the part of the sentence that comes before its value: what the fact is about."""
    sentence = fact.rstrip(".")
    verb = _VERB.search(sentence)
    if verb is None:
        return sentence
    taken = 0
    for place, word in enumerate(sentence[verb.end() :].split(), 1):
        if not word[0].islower():
            break
        if word in _LINKS:
            taken = place
    return " ".join([sentence[: verb.end()], *sentence[verb.end() :].split()[:taken]])


def batches(facts: Sequence[str], size: int = BATCH) -> Iterator[list[Payload]]:
    """Yield payloads in order, in batches in which no scene occurs twice: the newer must meet a written older one."""
    batch: list[Payload] = []
    scenes: set[str] = set()
    for fact in facts:
        made = payload(fact)
        if len(batch) == size or made["scene"] in scenes:
            yield batch
            batch, scenes = [], set()
        batch.append(made)
        scenes.add(made["scene"])
    if batch:
        yield batch


def ingest(bank: Governed, facts: Sequence[str]) -> Counter[str]:
    """Write the facts in order, answering as the user who takes the newer; return how often each decision fell."""
    decisions: Counter[str] = Counter()
    done = 0
    for batch in batches(facts):
        rulings = bank.propose(batch, "facts")
        settle(bank, rulings)
        decisions.update(ruling.decision for ruling in rulings)
        done += len(batch)
        sys.stderr.write(f"\r  fact {done} of {len(facts)} …   ")
    sys.stderr.write("\r" + " " * 40 + "\r")
    return decisions


def share(first: Callable[[str], str], questions: Sequence[tuple[str, list[str]]]) -> float:
    """Return the share of questions for which the one-liner of the first note holds an answer."""
    held = sum(any(answer.lower() in first(question).lower() for answer in answers) for question, answers in questions)
    return round(held / len(questions), 3)


def plain_ranking(facts: Sequence[str]) -> Callable[[str], str]:
    """Return plain BM25 over the facts as they are, nothing governed."""
    terms = [Counter(re.findall(r"\w+", fact.lower())) for fact in facts]
    mean = sum(sum(each.values()) for each in terms) / len(terms)
    postings: dict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(terms):
        for term in each:
            postings[term].append(number)

    def first(query: str) -> str:
        scores: dict[int, float] = defaultdict(float)
        for term in set(re.findall(r"\w+", query.lower())):
            found = postings.get(term, [])
            weight = math.log(1 + (len(terms) - len(found) + 0.5) / (len(found) + 0.5))
            for number in found:
                count = terms[number][term]
                length = sum(terms[number].values()) / mean
                scores[number] += weight * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length))
        return facts[max(scores, key=lambda number: (scores[number], -number))] if scores else ""

    return first


def measure(data: Path) -> list[dict[str, Any]]:
    """Return a row for each size: the share of newest facts found first, governed and not."""
    rows = []
    for name, facts, questions in read(data):
        with fresh() as (product, _):
            product.bank.add(
                [Note(id="", title=scene(fact)[:180], when_to_load=(scene(fact),), one_liner=fact) for fact in facts]
            )
            product.bank.reindex()
            ungoverned = share(product.first, questions)
        with fresh() as (product, _):
            decisions = ingest(product, facts)
            product.bank.reindex()
            rows.append(
                {
                    "set": name,
                    "facts": len(facts),
                    "questions": len(questions),
                    "BM25": share(plain_ranking(facts), questions),
                    "ungoverned search": ungoverned,
                    "governed search": share(product.first, questions),
                    "governed recall": share(lambda query: product.first(query, recalled=True), questions),
                    "notes": len(product.bank.notes()),
                    "decisions": dict(sorted(decisions.items())),
                }
            )
    return rows


def read(data: Path) -> Iterator[tuple[str, list[str], list[tuple[str, list[str]]]]]:
    """Yield name, facts and questions with their answers of the single-hop sets."""
    cases = json.loads((data / "factconsolidation/Conflict_Resolution.json").read_text(encoding="utf-8"))
    for case in cases:
        name = case["metadata"]["source"].removeprefix("factconsolidation_")
        if name in {f"sh_{size}" for size in SIZES}:
            yield name, _FACT.findall(case["context"]), list(zip(case["questions"], case["answers"], strict=True))
