"""The one shape in which a write may arrive: what is taken, what is refused, and that nothing else happens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit.errors import PayloadRefused
from tacit.note.model import Audience, Kind, Layer, Level, Scope, Strength, Timing
from tacit.note.payload import (
    MAX_ITEMS,
    MAX_LINE_CHARS,
    MAX_SPANS,
    MAX_TEXT_CHARS,
    Claim,
    Confidence,
    Payload,
    Relation,
    Said,
    Source,
    Span,
    is_picked,
    one_for_each_pick,
    parse,
)

LEAST = {"scene": "writing tests", "principles": ["test first"], "choice": "test first", "source": "remember"}


def refused(**members: object) -> PayloadRefused:
    """The refusal of a payload that is right but for these members."""
    with pytest.raises(PayloadRefused) as caught:
        parse({**LEAST, **members})
    return caught.value


def test_the_least_payload() -> None:
    """P-01: four fields are enough, and everything else has its default."""
    taken = parse(LEAST)

    assert taken == Payload(
        scene="writing tests", principles=("test first",), choice="test first", source=Source.REMEMBER
    )
    assert (taken.apply, taken.confidence, taken.relations) == (Audience.PROJECT, None, {})


def test_every_field_is_taken() -> None:
    """P-01: each optional field arrives as the value that it names."""
    taken = parse(
        {
            **LEAST,
            "source": "auto",
            "confidence": "high",
            "evidence": " measured ",
            "apply": "team",
            "kind": "pattern",
            "layer": "procedural",
            "level": "fact",
            "timing": "post",
            "tags": ["ci", "ci", " "],
            "title": "Test  first",
            "when_to_load": ["one", "two"],
            "one_liner": "In tests: test first.",
            "signals": ["red build"],
            "counter_signals": "a spike",
            "pointers": ["mem://L1/MEM-a"],
            "fact": "It was so.",
            "principle": "Do so.",
            "strength": "validated",
            "scope": "broad",
            "scores": {"D1": 2, "d2": 1, "d3": 0, "d4": 2, "d5": 1, "total": 6},
            "selected_candidates": "test first",
            "origin": {"text": "test first", "spans": [{"start": 0, "end": 4, "label": "verb"}], "turn": 7},
            "claim": {"id": "c1", "digest": "wants tests first"},
            "relations": [{"id": "MEM-a", "relation": "same"}],
        }
    )

    assert taken == Payload(
        scene="writing tests",
        principles=("test first",),
        choice="test first",
        source=Source.AUTO,
        confidence=Confidence.HIGH,
        evidence="measured",
        apply=Audience.TEAM,
        kind=Kind.PATTERN,
        layer=Layer.PROCEDURAL,
        level=Level.FACT,
        timing=Timing.POST,
        tags=("ci",),
        title="Test first",
        when_to_load=("one", "two"),
        one_liner="In tests: test first.",
        signals="- red build",
        counter_signals="a spike",
        pointers=("mem://L1/MEM-a",),
        fact="It was so.",
        principle="Do so.",
        strength=Strength.VALIDATED,
        scope=Scope.BROAD,
        scores=(2, 1, 0, 2, 1),
        selected_candidates=("test first",),
        origin=Said("test first", (Span(0, 4, "verb"),), "7"),
        claim=Claim("c1", "wants tests first"),
        relations={"MEM-a": Relation.SAME},
    )


@pytest.mark.parametrize("source", list(Source))
def test_all_sources_are_known(source: Source) -> None:
    """P-01: auto, remember, extract, choice, init, distill and import, and no other."""
    assert parse({**LEAST, "source": str(source)}).source is source


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (0, "low"),
        (0.49, "low"),
        (0.5, "medium"),
        (0.79, "medium"),
        (0.8, "high"),
        (1, "high"),
        ("low", "low"),
        ("medium", "medium"),
        ("high", "high"),
        (None, None),
    ],
)
def test_confidence_is_a_word_or_a_number(number: object, word: str | None) -> None:
    """P-01: from 0.8 on a number counts as high, from 0.5 on as medium."""
    assert parse({**LEAST, "confidence": number}).confidence == word


def test_null_is_absent() -> None:
    """A member that is null counts as not given, inside of origin and claim too."""
    nothing = dict.fromkeys(("kind", "layer", "scores", "origin", "claim", "relations", "tags", "level", "title"))
    half = {
        "origin": {"text": None, "spans": None, "turn": None},
        "claim": {"id": None, "digest": None},
    }

    assert parse({**LEAST, **nothing}) == parse(LEAST)
    assert parse({**LEAST, **half}).origin == Said("")
    assert parse({**LEAST, **half}).claim == Claim("", "")
    assert parse({**LEAST, "origin": {"text": "a", "spans": [{"start": 0, "end": 1, "label": None}]}}).origin == Said(
        "a", (Span(0, 1),)
    )


@pytest.mark.parametrize("name", ["scene", "principles", "choice", "source"])
@pytest.mark.parametrize("value", ["absent", None, "", "  ", [], 5, {}, [1]])
def test_required_fields_are_required(name: str, value: object) -> None:
    """P-02: without one of the four the payload is refused, and the sentence names the field and the fix."""
    members = {key: each for key, each in LEAST.items() if key != name}
    if value != "absent":
        members[name] = value  # type: ignore[assignment]

    with pytest.raises(PayloadRefused) as caught:
        parse(members)

    assert str(caught.value).startswith(f"{name}: ")
    assert caught.value.details["fix"]


ILLEGAL: dict[str, list[object]] = {
    "source": ["user", "manual", "AUTO", ["auto"], True],
    "confidence": ["certain", -0.1, 1.1, float("nan"), float("inf"), True, [], {}],
    "evidence": [5, ["a"], "x" * (MAX_TEXT_CHARS + 1), "half \ud800", "a\x00b"],
    "apply": ["everybody", 1],
    "kind": ["rule", []],
    "layer": ["L0", "core", "L3", "L4", "L9", 1, ""],
    "level": ["L0", "both"],
    "timing": ["now"],
    "tags": ["ci", 5, [5], ["x"] * 33, ["x" * 65], {"a": 1}, [b"bytes"], b"bytes", ["\udfff"]],
    "title": ["x" * 201, 3, ["a"]],
    "when_to_load": [["a", "b", "c", "d"], 1, "in CI"],
    "one_liner": [["a"], "x" * (MAX_LINE_CHARS + 1)],
    "signals": [5, [5], {"a": 1}],
    "counter_signals": [5],
    "pointers": [
        "src/x.py",
        [1],
        *(
            [each]
            for each in (
                *("../../../etc/passwd", "src/../../x", "..", "- ../x.py", "see ../x.py", "src\\..\\..\\x"),
                *("/etc/shadow", "`/etc/x`", "~/notes.md", "C:\\Windows", "\\\\host\\x", "file:///etc/passwd"),
                *("mem://L1/../x", "mem://L9/MEM-a", "mem://L1/", "mem://", "MEM://L1/../x"),
            )
        ),
    ],
    "fact": [1],
    "principle": [1],
    "strength": ["weak"],
    "scope": ["wide"],
    "scores": [
        [2, 2, 2, 2, 2],
        {},
        {"d1": 2},
        {"d1": 3, "d2": 0, "d3": 0, "d4": 0, "d5": 0},
        {"d1": -1, "d2": 0, "d3": 0, "d4": 0, "d5": 0},
        {"d1": True, "d2": 0, "d3": 0, "d4": 0, "d5": 0},
        {"d1": 1.5, "d2": 0, "d3": 0, "d4": 0, "d5": 0},
        {"d1": 1, "d2": 0, "d3": 0, "d4": 0, "d5": 0, "d6": 2},
        {"d1": 1, "d2": 0, "d3": 0, "d4": 0, "d5": 0, "total": 10},
        {"d1": 1, "d2": 0, "d3": 0, "d4": 0, "d5": 0, "t": "1"},
    ],
    "selected_candidates": [[1], ["x"] * (MAX_ITEMS + 1)],
    "principles": ["test first", ["x"] * (MAX_ITEMS + 1), ["x" * (MAX_LINE_CHARS + 1)]],
    "origin": [
        "words",
        {"text": 5},
        {"text": "a", "spans": "all"},
        {"text": "a", "spans": 7},
        {"text": "a", "spans": [{}] * (MAX_SPANS + 1)},
        {"text": "a", "spans": [[0, 1]]},
        {"text": "a", "spans": [{"start": "0", "end": 1}]},
        {"text": "a", "spans": [{"start": 0, "end": True}]},
        {"text": "a", "spans": [{"start": 0, "end": 10**5000}]},
        {"text": "a", "spans": [{"start": 0, "end": 1, "label": 7}]},
        {"text": "a", "spans": [{"start": 0, "end": 1, "label": "x" * 201}]},
        {"text": "a", "spans": [{"start": 0, "end": 1, "verified": True}]},
        {"text": "a", "turn": {"id": 1}},
        {"text": "a", "turn": "x" * 201},
        {"text": "a", "turn": 10**5000},
        {"text": "a", "verified": True},
        {"text": "a", 1: 2},
    ],
    "claim": ["c", {"id": 5}, {"id": "x" * 201}, {"digest": ["d"]}, {"id": "c", "digest": "d", "confirmed": True}],
    "relations": [
        "same",
        {"MEM-a": "same"},
        [5],
        [{"id": "MEM-a"}],
        [{"id": "MEM-a", "relation": "identical"}],
        [{"id": "MEM-a", "relation": ["same"]}],
        [{"id": "../x", "relation": "same"}],
        [{"id": 5, "relation": "same"}],
        [{"id": "MEM-a", "relation": "same", "why": "trust me"}],
        [{"id": "MEM-a", "relation": "same"}] * (MAX_ITEMS + 1),
    ],
}


def test_pointers_into_the_project_and_to_addresses_are_taken() -> None:
    """P-02: what NOTE-FORMAT.md names, and prose beside it."""
    pointers = (
        *("src/x.py", "docs/a.md#L3", "`src/a.py:12` the way in", "./src/x.py", ".github/workflows/ci.yml", "src/..."),
        *("https://a.example/b/../c", "https://a.example/compare/v1...v2", "Wiki: the /health page", "a..b"),
        *("mem://L1/MEM-a", "see mem://L2/MEM-b#one-liner, too", f"mem://blobs/{'a' * 64}"),
    )
    assert parse({**LEAST, "pointers": list(pointers)}).pointers == pointers


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param(name, value, id=f"{name}-{number}")
        for name, values in ILLEGAL.items()
        for number, value in enumerate(values)
    ],
)
def test_illegal_values_are_refused(name: str, value: object) -> None:
    """P-02, X-05: a value of the wrong kind, outside of its range or too long names its field and the fix."""
    error = refused(**{name: value})

    assert str(error.details["field"]).startswith(name)
    assert error.details["fix"]


@pytest.mark.parametrize("given_", [None, "text", 5, ["list"], [], True])
def test_only_objects_are_payloads(given_: object) -> None:
    """P-01: raw conversation, a number or a list is no payload."""
    with pytest.raises(PayloadRefused, match="payload: is not a JSON object"):
        parse(given_)


@pytest.mark.parametrize(
    "name", ["confirm", "approved", "force", "written", "channel", "by_hand", "id", "status", "Scene", "", "x\ny"]
)
def test_unknown_fields_are_refused(name: str) -> None:
    """P-02: what Tacit does not know is refused by its name, so that nothing is lost or believed without a word."""
    error = refused(**{name: True})

    assert error.details["field"] == (name if name.isalpha() or "_" in name else "?")
    assert "is no field of a payload" in str(error)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.sampled_from(["auto", "MEM-a"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
SHAPED = st.dictionaries(
    st.sampled_from(sorted(Payload.__dataclass_fields__)),
    JSON
    | st.fixed_dictionaries({"text": JSON, "spans": st.lists(st.fixed_dictionaries({"start": JSON, "end": JSON}))})
    | st.fixed_dictionaries({"id": JSON, "digest": JSON})
    | st.lists(st.fixed_dictionaries({"id": JSON, "relation": JSON}), max_size=3)
    | st.dictionaries(st.sampled_from(["d1", "d2", "d3", "d4", "d5", "total"]), JSON),
)


@given(JSON | SHAPED | SHAPED.map(lambda members: {**LEAST, **members}))
@example({**LEAST, "origin": {"text": "\ud83d"}})
def test_parse_takes_or_refuses(value: Any) -> None:  # noqa: ANN401  any JSON at all
    """P-02: whatever JSON arrives, it is a payload with legal values or refused with a sentence."""
    try:
        taken = parse(value)
    except PayloadRefused:
        return
    assert taken.scene
    assert taken.choice
    assert taken.principles
    assert all(0 <= score <= 2 for score in taken.scores)
    assert len(taken.scores) in (0, 5)


def test_each_pick_is_a_payload_of_its_own() -> None:
    """What else was picked was not turned down, and words that were found for another choice are left out."""
    given = {
        **LEAST,
        "choice": "a",
        "principles": ["a", "b", "c"],
        "title": "A",
        "selected_candidates": ["a", "b", "a"],
    }
    first, second = one_for_each_pick(given)

    assert first == {**given, "principles": ["a", "c"], "selected_candidates": ["a"]}
    assert second == {**LEAST, "choice": "b", "principles": ["b", "c"], "selected_candidates": ["b"]}
    assert is_picked(first)


@pytest.mark.parametrize("given", [None, LEAST, {**LEAST, "selected_candidates": []}, {"selected_candidates": 5}])
def test_what_has_no_picks_stays_as_it_is(given: object) -> None:
    """What makes no sense is refused when it is read."""
    assert one_for_each_pick(given) == [given]


def test_a_pick_needs_nothing_that_was_weighed() -> None:
    """What a payload lacks is found when it is read."""
    assert one_for_each_pick({"selected_candidates": "a"}) == [{"choice": "a", "selected_candidates": ["a"]}]
