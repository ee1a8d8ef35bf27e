"""How the measurements of governed writes count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from evals.governance import facts
from evals.governance.product import Ruling, settle
from evals.governance.run import evidenced, judge, measure_distinct, summary

if TYPE_CHECKING:
    from collections.abc import Sequence


class Scripted:
    """A bank that keeps one note for each scene and decides by equality alone."""

    def __init__(self, neighbour: str = "MEM-old") -> None:
        self.kept: dict[str, str] = {}
        self.answers: list[tuple[str, str]] = []
        self.seen: list[dict[str, Any]] = []
        self.neighbour = neighbour

    def remember(self, payload: dict[str, Any]) -> Ruling:
        """Keep the first payload of a scene."""
        if payload["scene"] in self.kept:
            return Ruling("dedupe")
        if payload["scene"] == "doubtful":
            return Ruling("new", proposal_id=f"doubtful={payload['choice']}")
        self.kept[payload["scene"]] = payload["choice"]
        return Ruling("new", "MEM-old")

    def propose(self, payloads: Sequence[dict[str, Any]], conversation: str, prompt: str = "") -> list[Ruling]:
        """Decide by equality of scene and choice; "now" decides for the new one."""
        assert conversation
        self.seen += payloads
        return [self._rule(payload, prompt) for payload in payloads]

    def answer(self, proposal_id: str, option: str) -> str:
        """Note the answer and take the new choice."""
        self.answers.append((proposal_id, option))
        scene, choice = proposal_id.split("=")
        self.kept[scene] = choice
        return "MEM-old"

    def first(self, query: str, *, recalled: bool = False) -> str:
        """Return what is kept for exactly this scene."""
        return "" if recalled else self.kept.get(query, "")

    def _rule(self, payload: dict[str, Any], prompt: str) -> Ruling:
        scene, choice = payload["scene"], payload["choice"]
        waiting = f"{scene}={choice}"
        if scene not in self.kept:
            return Ruling("new", proposal_id=waiting)
        if self.kept[scene] == choice:
            return Ruling("dedupe", "MEM-old", (self.neighbour,))
        return Ruling("replace" if "now" in prompt else "veto", "", (self.neighbour,), waiting)


def pair(relation: str, old: str, new: str, **fields: object) -> dict[str, Any]:
    """A pair whose payloads are `scene:choice`."""
    made = []
    for text in (old, new):
        scene, choice = text.split(":")
        made.append({"scene": scene, "choice": choice, "principles": [choice]})
    plain = {"pair": "g-001", "half": "report", "language": "en", "hard": False, "decides": False, "words": "words"}
    return {**plain, "relation": relation, "old": made[0], "new": made[1], **fields}


@pytest.mark.parametrize(
    ("old", "new", "decision"),
    [("a:1", "a:1", "dedupe"), ("a:1", "a:2", "veto"), ("a:1", "b:1", "new"), ("doubtful:1", "doubtful:1", "dedupe")],
)
def test_the_decision_about_the_old_note_counts(old: str, new: str, decision: str) -> None:
    """What the bank decided is what is counted, also where the old note had to be confirmed."""
    assert judge(Scripted(), pair("same", old, new)) == decision


def test_acting_upon_another_note_is_no_hit() -> None:
    """A veto because of a note of the background found nothing."""
    assert judge(Scripted("MEM-background"), pair("conflicting", "a:1", "a:2")) == "elsewhere"


def test_an_old_payload_that_became_no_note_is_told() -> None:
    """Without the old note there is nothing to judge."""
    bank = Scripted()
    bank.kept["a"] = "1"
    assert judge(bank, pair("same", "a:1", "a:1")) == "unset"


def test_the_new_payload_quotes_the_prompt() -> None:
    """The span lies in the words that the user typed."""
    made = evidenced({"choice": "use uv"}, "please use uv")
    span = made["origin"]["spans"][0]
    assert made["origin"]["text"][span["start"] : span["end"]] == "please use uv"
    assert set(made["claim"]) == {"id", "digest"}
    assert "scores" in made
    assert "scores" not in evidenced({"choice": "use uv"}, "please use uv", estimate=True)


def test_shares_are_of_the_pairs_that_a_measure_is_about() -> None:
    """One of two conflicts found, asked the right way, and one of three distinct pairs spoilt."""
    judged = [
        (pair("conflicting", "a:1", "a:2", decides=True), "replace"),
        (pair("conflicting", "a:1", "a:2"), "merge"),
        (pair("same", "a:1", "a:1", hard=True), "dedupe"),
        (pair("different_scope", "a:1", "b:1"), "new"),
        (pair("unrelated", "a:1", "b:1"), "new"),
        (pair("unrelated", "a:1", "b:1", half="tune"), "merge"),
        (pair("unrelated", "a:1", "c:1"), "veto"),
    ]
    rows = {(row["half"], row["group"]): row for row in summary(judged)}
    everything = rows["report", "all"]
    assert everything["pairs"] == 6
    assert everything["conflict"] == everything["conflict lost"] == 0.5
    assert everything["right question"] == everything["dup dedupe"] == 1
    assert everything["wrong"] == 0.333
    assert everything["merge"] is None
    assert everything["decisions"]["unrelated"] == {"new": 1, "veto": 1}
    assert rows["report", "hard"]["pairs"] == 1
    assert rows["tune", "all"]["wrong"] == 1


def test_siblings_that_are_not_new_are_wrong() -> None:
    """What waits is confirmed, so that the next one meets it."""
    bank = Scripted()
    made = [{"scene": scene, "choice": choice} for scene, choice in (("a", "1"), ("b", "1"), ("a", "1"), ("a", "2"))]
    assert measure_distinct(bank, made) == {"payloads": 4, "wrong": 2, "decisions": {"dedupe": 1, "new": 2, "veto": 1}}
    assert bank.answers == [("a=1", "confirm"), ("b=1", "confirm")]


def test_the_scripted_user_takes_the_newer() -> None:
    """A veto is answered by taking the new one, everything else that waits is confirmed."""
    bank = Scripted()
    settle(bank, [Ruling("veto", proposal_id="a=1"), Ruling("replace", proposal_id="b=1"), Ruling("dedupe")])
    assert bank.answers == [("a=1", "take_new"), ("b=1", "confirm")]


@pytest.mark.parametrize(
    ("fact", "about"),
    [
        ("Ada Lovelace is a citizen of United Kingdom of Old.", "Ada Lovelace is a citizen of"),
        ("The capital of Middle March is Bree.", "The capital of Middle March is"),
        ("Bree Rovers is associated with the sport of table tennis.", "Bree Rovers is associated with the sport of"),
        ("The school where Ada was educated is School of Hard Knocks.", "The school where Ada was educated is"),
        ("Nothing here.", "Nothing here"),
    ],
)
def test_a_fact_is_about_what_stands_before_its_value(fact: str, about: str) -> None:
    """One rule finds the scene of every sentence."""
    assert facts.scene(fact) == about


def test_the_newest_fact_is_found_after_governed_writing() -> None:
    """An older fact is written before the newer one meets it; plain ranking finds either."""
    told = ["Ada is a citizen of Norway.", "Bo is a citizen of Peru.", "Ada is a citizen of Chile."]
    assert [len(batch) for batch in facts.batches(told)] == [2, 1]
    bank = Scripted()
    assert facts.ingest(bank, told) == {"new": 2, "veto": 1}
    questions = [("Ada is a citizen of", ["Chile"]), ("Bo is a citizen of", ["Peru"])]
    assert facts.share(bank.first, questions) == 1
    assert facts.share(facts.plain_ranking(told), questions) == 0.5
