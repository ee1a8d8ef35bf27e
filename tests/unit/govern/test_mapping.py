"""From a payload to the note that it would become, field by field."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.errors import PayloadRefused
from tacit.govern import mapping
from tacit.govern.scorecard import Allowed, Scorecard, Scores
from tacit.note.model import (
    Audience,
    Kind,
    Layer,
    Level,
    Note,
    Origin,
    Portability,
    Scope,
    Status,
    Strength,
    Timing,
)
from tacit.note.payload import Payload, parse

TS = "2026-01-02T03:04:05Z"
MEMBERS: dict[str, Any] = {
    "scene": "installing packages",
    "principles": ["use pnpm", "use npm", "use yarn"],
    "choice": "use pnpm",
    "source": "remember",
}


def payload(**members: object) -> Payload:
    """A payload that names the least, and these members."""
    return parse({**MEMBERS, **members})


def candidate(*, allowed: Allowed = Allowed.PRINCIPLE, by_hand: bool = False, **members: object) -> Note:
    """The note that it becomes."""
    card = Scorecard(Scores(2, 1, 2, 2, 1), (), allowed, "principle", brought=False)
    return mapping.candidate(payload(**members), card, by_hand=by_hand, ts=TS, session="c1")[0]


def test_the_least_payload_becomes_a_whole_note() -> None:
    """M-01: title from scene and choice, when from scene, the one-liner from both, the rest turned down."""
    assert candidate() == Note(
        id="",
        title="installing packages: use pnpm",
        kind=Kind.DECISION,
        layer=Layer.DECLARATIVE,
        level=Level.PRINCIPLE,
        status=Status.ACTIVE,
        strength=Strength.VALIDATED,
        scope=Scope.MEDIUM,
        audience=Audience.PROJECT,
        portability=Portability.PROJECT_ONLY,
        timing=Timing.PRE,
        source="remember",
        origin=Origin.AGENT,
        created=TS,
        updated=TS,
        session="c1",
        when_to_load=("installing packages",),
        one_liner="In installing packages: use pnpm.",
        decision="use pnpm",
        alternatives="- use npm\n- use yarn",
    )


def test_what_is_given_is_taken() -> None:
    """M-01: fields that the payload brings are not made up anew."""
    made = candidate(
        title="Packages",
        when_to_load=["adding a dependency", "in CI"],
        one_liner="Use pnpm everywhere.",
        kind="reference",
        layer="L2",
        timing="both",
        scope="broad",
        tags=["web"],
        signals=["a lockfile"],
        counter_signals="vendored code",
        fact="It took 9 s.",
        principle="Prefer speed.",
        pointers=["mem://L1/MEM-a", "src/app.py"],
        evidence="measured",
        origin={"text": "use pnpm\n\nplease"},
    )

    assert (made.title, made.kind, made.layer, made.timing) == (
        "Packages",
        Kind.REFERENCE,
        Layer.PROCEDURAL,
        Timing.BOTH,
    )
    scene = made.when_to_load[0]
    assert (made.when_to_load, made.one_liner) == ((scene, "adding a dependency", "in CI"), "Use pnpm everywhere.")
    assert (made.scope, made.tags, made.signals, made.counter_signals) == (
        Scope.BROAD,
        ("web",),
        "- a lockfile",
        "vendored code",
    )
    assert (made.fact, made.principle) == ("It took 9 s.", "Prefer speed.")
    assert made.pointers == "- mem://L1/MEM-a\n- src/app.py"
    assert made.evidence == "measured\n\n> use pnpm\n> please"


@pytest.mark.parametrize(
    ("apply", "audience", "portability"),
    [
        ("project", Audience.PROJECT, Portability.PROJECT_ONLY),
        ("team", Audience.TEAM, Portability.CROSS_PROJECT),
        ("personal", Audience.PERSONAL, Portability.CROSS_PROJECT),
    ],
)
def test_audience_and_portability_come_from_apply(apply: str, audience: Audience, portability: Portability) -> None:
    """M-01: whom it is for says whether it makes sense elsewhere."""
    made = candidate(apply=apply)

    assert (made.audience, made.portability) == (audience, portability)


@pytest.mark.parametrize(
    ("kind", "layer", "members"),
    [
        (Kind.TROUBLESHOOTING, Layer.PROCEDURAL, {"scene": "the build fails with ENOENT"}),
        (Kind.TROUBLESHOOTING, Layer.PROCEDURAL, {"scene": "构建报错时"}),
        (Kind.PATTERN, Layer.PROCEDURAL, {"scene": "the release workflow"}),
        (Kind.BUSINESS, Layer.DECLARATIVE, {"scene": "customers with refunds"}),
        (Kind.REFERENCE, Layer.DECLARATIVE, {"scene": "the wiki"}),
        (Kind.DECISION, Layer.DECLARATIVE, {}),
        (Kind.PRINCIPLE, Layer.DECLARATIVE, {"principles": ["use pnpm"]}),
    ],
)
def test_kind_and_layer_are_inferred(kind: Kind, layer: Layer, members: dict[str, Any]) -> None:
    """M-01: how-to kinds go to L2, the rest to L1."""
    made = candidate(**members)

    assert (made.kind, made.layer) == (kind, layer)


def test_inferred_fields_are_named() -> None:
    """M-02: what the payload did not say is marked, so that the question can show it."""
    card = Scorecard(Scores(2, 1, 2, 2, 1), (), Allowed.FACT, "fact", brought=False)

    def inferred(**members: object) -> tuple[str, ...]:
        return mapping.candidate(payload(**members), card, by_hand=False, ts=TS, session="")[1]

    assert inferred() == ("kind", "layer", "title")
    assert inferred(kind="tech", layer="L1", title="T") == ()
    assert inferred(kind="tech", layer="L1", title="T", strength="enforced") == ("strength",)


@pytest.mark.parametrize(
    ("allowed", "level", "fact"),
    [
        (Allowed.FACT, Level.FACT, ""),
        (Allowed.CONFIRM, Level.FACT, ""),
        (Allowed.SKIP, Level.FACT, ""),
        (Allowed.PRINCIPLE, Level.PRINCIPLE, ""),
        (Allowed.BOTH, Level.PRINCIPLE, "use pnpm"),
        (Allowed.WEAK, Level.PRINCIPLE, ""),
    ],
)
def test_the_level_follows_the_scores(allowed: Allowed, level: Level, fact: str) -> None:
    """S-02: what the scores allow is what the note says it is; both carries its fact too."""
    made = candidate(allowed=allowed)

    assert (made.level, made.fact) == (level, fact)


def test_a_level_is_used_or_refused() -> None:
    """P-01: a payload may ask for less than its scores allow, not for more, and is never passed over."""
    assert candidate(allowed=Allowed.BOTH, level="fact").level is Level.FACT
    assert candidate(allowed=Allowed.PRINCIPLE, level="principle").level is Level.PRINCIPLE
    with pytest.raises(PayloadRefused, match="level"):
        candidate(allowed=Allowed.FACT, level="principle")


def test_what_is_given_is_never_cut() -> None:
    """P-01: a long title stays whole, and a condition for which there is no room becomes a signal."""
    made = candidate(title="long title " * 14, when_to_load=["a", "b", "c"], signals="s")

    assert made.title == ("long title " * 14).strip()
    assert (made.when_to_load, made.signals) == (("installing packages", "a", "b"), "s\n- c")


@pytest.mark.parametrize(
    ("members", "limit"),
    [
        ({}, "Only known from one occasion: installing packages."),
        ({"scene": "安装依赖时"}, "只在一次情形中得到：安装依赖时。"),
        ({"counter_signals": "in CI"}, "in CI\nOnly known from one occasion: installing packages."),
    ],
)
def test_a_weak_principle_says_its_limits(members: dict[str, Any], limit: str) -> None:
    """S-02: a one-off of weight is a hypothesis of narrow scope that says where it comes from."""
    made = candidate(allowed=Allowed.WEAK, strength="enforced", scope="broad", **members)

    assert (made.strength, made.scope, made.counter_signals) == (Strength.HYPOTHESIS, Scope.NARROW, limit)


@pytest.mark.parametrize(
    ("strength", "members"),
    [
        (Strength.HYPOTHESIS, {"source": "auto"}),
        (Strength.VALIDATED, {"source": "remember"}),
        (Strength.VALIDATED, {"source": "choice"}),
        (Strength.ENFORCED, {"source": "auto", "origin": {"text": "you must use pnpm"}}),
        (Strength.ENFORCED, {"source": "auto", "origin": {"text": "必须 use pnpm"}}),
        (Strength.ENFORCED, {"choice": "never use npm", "principles": ["never use npm"]}),
        (Strength.HYPOTHESIS, {"source": "auto", "choice": "never use npm", "principles": ["never use npm"]}),
        (Strength.VALIDATED, {"strength": "enforced"}),
        (Strength.HYPOTHESIS, {"strength": "hypothesis"}),
    ],
)
def test_strength(strength: Strength, members: dict[str, Any]) -> None:
    """N-02: hypothesis for auto, validated for what was asked for, enforced only where the user said must or never."""
    assert candidate(**members).strength is strength


@pytest.mark.parametrize(
    ("origin", "by_hand", "source"),
    [
        (Origin.USER, True, "remember"),
        (Origin.AGENT, False, "remember"),
        (Origin.AGENT, False, "auto"),
        (Origin.IMPORT, False, "import"),
    ],
)
def test_origin(origin: Origin, by_hand: bool, source: str) -> None:  # noqa: FBT001  one of the cases
    """M-01: only what the user typed into a command of ours is the user's; a payload's word is the agent's."""
    assert candidate(by_hand=by_hand, source=source).origin is origin


@pytest.mark.parametrize(
    ("scene", "choice", "line"),
    [
        ("installing packages", "Use pnpm.", "In installing packages: use pnpm."),
        ("when installing", "use pnpm", "When installing: use pnpm."),
        ("the API layer", "HTTP only", "In the API layer: HTTP only."),
        ("deploys", "never push on Friday", "In deploys: never push on Friday."),
        ("安装依赖", "用 pnpm。", "在安装依赖时，用 pnpm。"),
        ("在安装依赖时", "不要用 npm", "在安装依赖时，不要用 npm。"),
        ("当构建失败后", "清缓存", "当构建失败后，清缓存。"),
        ("use pnpm, never npm", "use pnpm, never npm", "Use pnpm, never npm."),
        ("一律用 pnpm", "一律用 pnpm", "一律用 pnpm。"),
        ("onboarding", "IT creates the accounts", "In onboarding: IT creates the accounts."),
        ("billing", "US customers pay no VAT", "In billing: US customers pay no VAT."),
        ("new services", "Go is preferred", "In new services: Go is preferred."),
        ("npm ci is used in CI", "npm ci is used in CI", "npm ci is used in CI."),
        ("src/gen is never edited", "src/gen is never edited", "src/gen is never edited."),
        ("never use var!", "never use var!", "Never use var!"),
    ],
)
def test_one_liners(scene: str, choice: str, line: str) -> None:
    """M-01, N-06: in this scene, this choice, or its prohibition; in the language of both; once if there is but one."""
    assert mapping.one_liner(scene, choice) == line


def test_title_of_a_remark_without_a_scene() -> None:
    """M-01: what was said without naming a situation is not said twice in the title."""
    remark = "Use pnpm in this repository, never npm."
    assert candidate(scene=remark, choice=remark, principles=[remark]).title == remark.rstrip(".")


def test_chinese_titles() -> None:
    """M-01: a Chinese scene is joined as Chinese is written."""
    assert candidate(scene="安装依赖。", choice="用 pnpm。", principles=["用 pnpm。"]).title == "安装依赖：用 pnpm"


def test_titles_are_cut() -> None:
    """X-05: a title made of a long scene stays a title."""
    assert len(candidate(scene="long scene " * 100).title) <= 100


@pytest.mark.parametrize(
    ("choice", "chosen"),
    [
        ("use pnpm", "use pnpm"),
        ("use pnpm for all packages", "use pnpm"),
        ("Use yarn!", "use yarn"),
        ("never use pnpm", ""),
        ("write tests first", ""),
        ("!", ""),
    ],
)
def test_the_choice_is_one_of_the_principles(choice: str, chosen: str) -> None:
    """P-02: a choice equals one of the principles or says the same; what says no to it does not."""
    asked = payload(choice=choice)

    assert mapping.chosen_principle(asked) == chosen
    assert mapping.rejected(asked) == tuple(each for each in MEMBERS["principles"] if each != chosen)


def test_the_key_of_a_candidate() -> None:
    """Q-06: a candidate is told from others by scene and choice, whatever else the payload says next time."""
    one = mapping.key(payload())

    assert mapping.key(payload(scene="Installing Packages", confidence="high", source="auto", title="x")) == one
    assert mapping.key(payload(scene="other")) != one
    assert mapping.key(payload(choice="use npm")) != one


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("Bitrise", "In mobile CI: Bitrise."),
        ("Use Bitrise", "In mobile CI: use Bitrise."),
        ("Never Jenkins.", "In mobile CI: never Jenkins."),
        ("Kafka for all events", "In mobile CI: Kafka for all events."),
    ],
)
def test_a_name_keeps_its_capital(choice: str, said: str) -> None:
    """M-01: the sentence to inject spells names as the user did."""
    assert mapping.one_liner("mobile CI", choice) == said
