"""Payloads in, outcomes out: what is written without a word, what is asked, and what is told apart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit.audit.record import Channel
from tacit.bank.values import Context
from tacit.errors import StateRefused
from tacit.note.model import Layer, Note
from tests.unit.bank.talk import NPM, PNPM, SCENE, Talk, lines, payload, shared_files

if TYPE_CHECKING:
    from tacit.bank import Bank


def test_a_clear_decision_is_written(talk: Talk) -> None:
    """Q-01, M-01: the user's own words, high confidence, no doubt, no conflict: a new note, audited with its reason."""
    made = talk.written()

    note = talk.bank.get(made.note_id)
    assert (made.decision, made.payload, made.rules, made.proposal_id) == ("new", 0, ("clear",), "")
    assert made.scores == {"d1": 2, "d2": 1, "d3": 2, "d4": 2, "d5": 2, "total": 9}
    assert made.level == "both"
    assert made.completed == ("kind", "layer", "title")
    assert (note.decision, note.alternatives, note.session) == (PNPM, f"- {NPM}", "conversation-1")
    assert (note.source, note.origin, note.confirmed) == ("auto", "agent", "")
    last = lines(talk.bank)[-1]
    assert (last["event"], last["note_id"], last["operation_id"]) == (
        "memory_note_created",
        made.note_id,
        made.operation_id,
    )
    assert (last["conversation_id"], last["generation_id"], last["channel"]) == (
        "conversation-1",
        "generation-1",
        "python",
    )
    assert last["reason"] == "new: clear; scores 21222 fact_and_principle; "


CLEAR = f"From now on {PNPM} in the web client."
MISSING: dict[str, tuple[str, dict[str, Any]]] = {
    "high confidence (medium)": (CLEAR, {"confidence": "medium"}),
    "high confidence (low)": (CLEAR, {"confidence": 0.3}),
    "high confidence (not said)": (CLEAR, {"confidence": None, "source": "choice"}),
    "literal words": ("From now on the fast package manager.", {}),
    "words without doubt": (f"Maybe {PNPM} in the web client.", {}),
    "words without doubt (Chinese)": (f"{PNPM}，先别记", {}),
    "spans that lie in the text": (CLEAR, {"origin": {"text": CLEAR, "spans": [{"start": 0, "end": 999}]}}),
    "words at all": (CLEAR, {"source": "choice", "origin": None}),
    "words that were typed": (CLEAR, {"origin": {"text": f"Use {PNPM}!", "spans": [{"start": 0, "end": 4}]}}),
    "words of the user and not of a document": (CLEAR, {"source": "init"}),
    "words of the user and not of working memory": (CLEAR, {"source": "distill"}),
    "words of this conversation and not of a transcript": (CLEAR, {"source": "extract"}),
    "scores": (CLEAR, {"source": "choice", "scores": {"d1": 0, "d2": 0, "d3": 1, "d4": 1, "d5": 1}}),
    "something to check": (CLEAR, {"source": "choice", "scores": {"d1": 2, "d2": 2, "d3": 2, "d4": 0, "d5": 2}}),
}


@pytest.mark.parametrize("name", sorted(MISSING))
def test_one_missing_condition_makes_it_a_question(talk: Talk, name: str) -> None:
    """Q-01: without any one of the conditions a new note is asked about and nothing is written."""
    words, members = MISSING[name]
    before = shared_files(talk.bank.root)
    made = talk.user(words).agent(**members)

    assert (made.decision, made.written) == ("new", False)
    assert made.question is not None
    assert made.question.question_id == made.proposal_id
    assert [each.id for each in made.question.options] == ["confirm", "cancel", "show_diff"]
    assert shared_files(talk.bank.root) == before


def test_words_of_an_earlier_turn_are_asked_about(talk: Talk) -> None:
    """P-03: an automatic memory must come from this turn."""
    talk.user(CLEAR)
    talk.bank.session("conversation-1").saw_prompt("Now fix the login page.")

    assert talk.agent().rules == ("evidence.other_turn",)


def test_words_of_another_conversation_are_none(talk: Talk) -> None:
    """P-04: prompts count in the conversation in which they were typed."""
    talk.user(CLEAR)

    assert Talk(talk.bank, "conversation-2").agent().rules == ("evidence.missing:origin.text",)
    made = talk.bank.propose([payload(CLEAR)], Context("conversation-2"))[0]
    assert (made.written, made.rules) == (False, ("evidence.no_prompt_seen",))


@pytest.mark.parametrize(
    ("missing", "members"),
    [
        ("origin.text", {"origin": {}}),
        ("origin.spans", {"origin": {"text": CLEAR}}),
        ("claim", {"claim": None}),
        ("confidence", {"confidence": None}),
    ],
)
def test_automatic_payloads_without_evidence_are_dropped(talk: Talk, missing: str, members: dict[str, Any]) -> None:
    """P-03: they are dropped with a reason, audited, and nothing is asked."""
    made = talk.user(CLEAR).agent(**members)

    assert (made.decision, made.written, made.proposal_id) == ("skip", False, "")
    assert made.rules == (f"evidence.missing:{missing}",)
    assert missing in made.reasons[0]
    assert lines(talk.bank)[-1]["event"] == "memory_write_skipped"


def test_low_scores_are_dropped_with_a_reason(talk: Talk) -> None:
    """S-02: what helps too little is not written, and the outcome says by which rule."""
    made = talk.user(CLEAR).agent(scores={"d1": 0, "d2": 0, "d3": 1, "d4": 1, "d5": 1})

    assert (made.decision, made.rules, made.scores["total"]) == ("skip", ("score.too_little",), 3)


def test_what_is_asked_for_by_hand_is_never_dropped(bank: Bank) -> None:
    """S-04: a low score becomes a question that says why, each time it is asked for."""
    vague = {"scene": "coding", "principles": ["write good code"], "choice": "write good code"}
    for _ in range(2):
        made = bank.remember(vague, Context("c1"))
        assert (made.decision, made.written) == ("new", False)
        assert made.question is not None
        assert "Nobody can check" in made.question.question
        assert bank.answer(made.proposal_id, "cancel", "terminal").status == "declined"


def test_remember_writes(bank: Bank) -> None:
    """Q-01: the user's own command writes a new note and records through which channel it came."""
    made = bank.remember("When deploying, run the smoke tests first", Context(channel=Channel.TERMINAL))

    note = bank.get(made.note_id)
    assert made.written
    assert (note.origin, note.source, note.confirmed) == ("user", "remember", "terminal 2026-01-02T03:04:05Z")
    assert (note.when_to_load, note.decision) == (("When deploying",), "run the smoke tests first")


def test_remember_asks_about_a_conflict(talk: Talk) -> None:
    """Q-01: even by hand what contradicts a note is asked about."""
    talk.written()
    made = talk.bank.remember({"scene": SCENE, "choice": NPM, "principles": [NPM, PNPM]})

    assert (made.decision, made.written) == ("veto", False)


@pytest.mark.parametrize(
    ("rule", "against", "limit"),
    [
        (
            "Don't use lodash in the frontend, except in the legacy admin page",
            "Use lodash in the frontend",
            "- in the legacy admin page",
        ),
        ("不要在前端用 moment，除非是旧的报表页面", "在前端用 moment", "- 旧的报表页面"),
    ],
)
def test_a_ban_with_an_exception(bank: Bank, rule: str, against: str, limit: str) -> None:
    """N-06, G-03: the exception is a counter-signal and no trigger, and the ban is contradicted all the same."""
    made = bank.remember(rule)
    note = bank.get(made.note_id)

    assert (note.counter_signals, note.one_liner.rstrip(".。")) == (limit, rule)
    assert limit.removeprefix("- ") not in " ".join(note.when_to_load)
    assert (bank.remember(against).decision, len(bank.pending())) == ("veto", 1)


def test_remember_nothing(bank: Bank) -> None:
    """P-02: an empty remark is refused with a sentence."""
    made = bank.remember("  ")

    assert (made.decision, made.rules) == ("refused", ("payload.refused",))


def test_duplicates_are_told_apart(talk: Talk) -> None:
    """G-02: same and nothing new: nothing is asked, nothing is written, and it is audited."""
    first = talk.written()
    before = shared_files(talk.bank.root)
    made = talk.agent()

    assert (made.decision, made.written, made.note_id, made.question) == ("dedupe", False, first.note_id, None)
    assert shared_files(talk.bank.root) == before
    last = lines(talk.bank)[-1]
    assert (last["event"], last["note_id"]) == ("memory_duplicate_found", first.note_id)


def test_a_merge_is_asked_about(talk: Talk) -> None:
    """G-02, Q-02: something new for the same note is a merge; its question shows what would happen."""
    first = talk.written()
    before = shared_files(talk.bank.root)
    made = talk.merge()

    assert [(each.id, each.relation) for each in made.neighbours] == [(first.note_id, "same")]
    assert made.question is not None
    assert [each.id for each in made.question.options] == ["confirm", "cancel", "new_instead", "show_diff"]
    assert not made.question.allow_multiple
    assert shared_files(talk.bank.root) == before
    (waiting,) = talk.bank.pending()
    assert waiting.proposal_id == made.proposal_id
    assert "+- the lockfile is pnpm-lock.yaml" in waiting.diff
    assert (waiting.created, waiting.expires) == ("2026-01-02T03:04:05Z", "2026-01-16T03:04:05Z")
    assert waiting.evidence == talk.words


def test_a_replacement_says_what_is_lost(talk: Talk) -> None:
    """G-02: words that decide propose a replacement, and the question counts what the old note has beyond the new."""
    talk.written()
    made = talk.replace()

    assert made.rules[-1] == "words.decide"
    assert made.question is not None
    assert "would be gone" in made.question.question
    (waiting,) = talk.bank.pending()
    assert any(PNPM in each for each in waiting.lost)


def test_a_veto_asks_which_one_holds(talk: Talk) -> None:
    """G-02: a conflict that the words do not decide asks which to keep."""
    talk.written()
    made = talk.veto()

    assert made.rules[-1] == "words.undecided"
    assert made.question is not None
    assert [each.id for each in made.question.options] == ["take_new", "keep_old", "both", "cancel", "show_diff"]


def test_unverified_words_never_replace(talk: Talk) -> None:
    """G-02: where the deciding words are not the user's the conflict is a veto."""
    talk.written()
    made = talk.bank.propose([payload(f"From now on {NPM}.", choice=NPM)], Context("elsewhere"))[0]

    assert (made.decision, made.rules[-1]) == ("veto", "words.unverified")


def test_complementary_notes_point_at_each_other(talk: Talk) -> None:
    """G-02: a neighbour that it adds to gets a pointer in the new note."""
    first = talk.written()
    words = "Always commit the lockfile after installing packages."
    made = talk.user(words).agent(
        scene="finishing a change of packages in the web client",
        choice="always commit the lockfile",
        principles=["always commit the lockfile"],
    )

    assert [(each.id, each.relation) for each in made.neighbours] == [(first.note_id, "complementary")]
    assert made.written
    assert f"mem://L1/{first.note_id}" in talk.bank.get(made.note_id).pointers


def test_an_agent_can_raise_a_question(talk: Talk) -> None:
    """G-04: an agent's stricter judgement holds, and the reason says whose it is."""
    first = talk.written()
    made = talk.agent(relations=[{"id": first.note_id, "relation": "conflicting"}])

    assert (made.decision, made.written) == ("replace", False)
    assert "relation.caller" in made.rules


@pytest.mark.parametrize("word", ["unrelated", "complementary", "same"])
def test_an_agent_cannot_wave_a_question_away(talk: Talk, word: str) -> None:
    """G-04: a milder judgement than Tacit's own changes nothing."""
    first = talk.written()
    talk.user(f"{NPM} in the web client.")

    assert talk.agent(choice=NPM, relations=[{"id": first.note_id, "relation": word}]).decision == "veto"


def test_one_refusal_does_not_stop_the_others(talk: Talk) -> None:
    """P-02: a payload that is refused is named with its fix, the others go on, in the order in which they came."""
    talk.user(CLEAR)
    done = talk.bank.propose(
        [
            "raw conversation",
            payload(CLEAR, scene=""),
            payload(CLEAR),
            payload(CLEAR, choice="buy milk", principles=["use tabs"]),
            payload(CLEAR, title="x" * 500),
            payload(CLEAR, evidence="## Decision\n\nsmuggled"),
            payload(CLEAR, scene="naming files", choice="use kebab case", confidence="low"),
        ],
        talk.context,
    )

    assert [(each.payload, each.decision, each.written) for each in done] == [
        (0, "refused", False),
        (1, "refused", False),
        (2, "new", True),
        (3, "refused", False),
        (4, "refused", False),
        (5, "refused", False),
        (6, "new", False),
    ]
    assert done[1].reasons == (
        "scene: is missing or empty.",
        "Mend the payload: say in which situation it holds.",
    )
    assert done[3].reasons[0] == "choice: is none of the principles."


def test_a_merge_that_would_be_no_note_is_refused(talk: Talk) -> None:
    """P-02, X-05: where both together are too large for one note the payload is refused, and the others go on."""
    first = talk.written()
    words = "\n".join(f"- point{number} of a long list" for number in range(2_000))
    path = talk.bank.root / talk.bank.locate(first.note_id)
    path.write_text(path.read_text(encoding="utf-8") + f"\n## Signals\n\n{words}\n", encoding="utf-8")
    # Each text is short enough to stay in the note; together with what is there they are too much.
    names = ("signals", "counter_signals", "fact", "principle", "evidence")
    more = {name: " ".join(f"{name[:3]}{place:04}" for place in range(480)) for name in names}
    done = talk.bank.propose([payload(talk.words, **more), payload(talk.words)], talk.context)

    assert [each.decision for each in done] == ["refused", "dedupe"]
    assert path.exists()


def test_picks_are_governed_first(talk: Talk) -> None:
    """P-01: what the user picked is governed before the rest, one payload for each pick, in its own words."""
    talk.user(f"{PNPM}, and always commit the lockfile")
    other = payload(talk.words, scene="naming branches", choice="use short names")
    picked = payload(
        talk.words,
        principles=[PNPM, "always commit the lockfile"],
        selected_candidates=[PNPM, "always commit the lockfile"],
        title="About pnpm",
        one_liner="Use pnpm, please.",
    )
    done = talk.bank.propose([other, picked], talk.context)

    assert [each.payload for each in done] == [0, 1, 1]
    made = [line for line in lines(talk.bank) if line["conversation_id"]]
    ids = [line["operation_id"] for line in made]
    assert ids.index(done[1].operation_id) < ids.index(done[2].operation_id) < ids.index(done[0].operation_id)
    one, two = (talk.bank.get(each.note_id) for each in done[1:])
    assert (one.title, one.decision, one.one_liner) == ("About pnpm", PNPM, "Use pnpm, please.")
    assert (two.title, two.decision) == (f"{SCENE}: always commit the lockfile", "always commit the lockfile")


@pytest.mark.parametrize("picks", [["x"] * 33, [5], [""], ["none of them"], [PNPM, 7]])
def test_picks_that_make_no_sense_are_refused(talk: Talk, picks: list[object]) -> None:
    """P-02, X-05: too many picks, or picks that are none of the principles, are refused and no more is made of them."""
    done = talk.bank.propose([payload(talk.words, selected_candidates=picks)], talk.context)

    assert "refused" in [each.decision for each in done]
    assert len(done) <= 2


def test_one_pick_as_text(talk: Talk) -> None:
    """P-01: a single pick may be a text; what was picked is written, not what the agent chose."""
    made = talk.user(f"{NPM} please").agent(selected_candidates=NPM)

    assert (made.decision, made.rules) == ("new", ("clear",))
    assert talk.bank.get(made.note_id).decision == NPM


def test_dry_run_changes_nothing(talk: Talk) -> None:
    """P-01, T-01: a dry run decides as the real one would and leaves no trace, neither note nor proposal nor line."""
    talk.written()
    before, log = shared_files(talk.bank.root), len(lines(talk.bank))
    given_ = [
        payload(talk.words),
        payload(talk.words, signals=["the lockfile is pnpm-lock.yaml"]),
        payload(talk.words, scene=""),
        payload(talk.words, scene="naming branches", choice="use short names", confidence="low"),
    ]
    done = talk.bank.propose(given_, talk.context, dry_run=True)

    assert [(each.decision, each.written, each.proposal_id) for each in done] == [
        ("dedupe", False, ""),
        ("merge", False, ""),
        ("refused", False, ""),
        ("new", False, ""),
    ]
    assert shared_files(talk.bank.root) == before
    assert len(lines(talk.bank)) == log
    assert talk.bank.pending() == []
    assert not (talk.bank.root / "staging/proposals").exists()


def test_refusals_are_audited_without_content(talk: Talk) -> None:
    """A-01: the log says that and where something was refused, never what it said."""
    talk.user(CLEAR).agent(scene="")

    assert lines(talk.bank)[-1]["reason"] == "payload.refused scene"
    talk.agent(confirm=True)
    assert lines(talk.bank)[-1]["reason"] == "payload.refused "


@pytest.mark.parametrize("state", ["OFF", "PAUSED", "PADDING"])
def test_nothing_is_taken_in_another_state(talk: Talk, state: str) -> None:
    """K-01: only a bank that is ON takes payloads."""
    (talk.bank.root / "memory.lock").write_text(f"{state}\n", encoding="utf-8")
    with pytest.raises(StateRefused):
        talk.agent()
    with pytest.raises(StateRefused):
        talk.bank.remember("Use tabs")


def test_a_broken_index_is_made_anew(talk: Talk) -> None:
    """B-04, F-05: a damaged search index does not stop a governed write."""
    first = talk.written()
    talk.bank.recaller.reindexer.index.close()
    index = talk.bank.root / ".local/index.db"
    index.write_bytes(b"SQLite format 3\0" + b"\xff" * 8_000)
    made = talk.agent()

    assert (made.decision, made.note_id) == ("dedupe", first.note_id)


def test_broken_notes_and_details_are_no_neighbours(talk: Talk) -> None:
    """G-01, N-05: neighbours are valid notes of L1 and L2."""
    talk.written()
    bank = talk.bank
    (bank.root / "details/tech.md").write_text(f"# Packages\n\n{SCENE}: {PNPM}\n", encoding="utf-8")
    (bank.root / "L0_core/values.md").write_text(f"# Values\n\n{SCENE}: {PNPM}\n", encoding="utf-8")
    (bank.root / "L1_declarative/MEM-broken.md").write_text(f"{SCENE} {PNPM}", encoding="utf-8")

    assert len(talk.agent().neighbours) == 1


def test_at_most_five_neighbours(bank: Bank) -> None:
    """G-01: up to five neighbours are judged, over L1 and L2."""
    layers = (Layer.DECLARATIVE, Layer.PROCEDURAL)
    bank.add(
        [
            Note(
                id=f"MEM-n{number}",
                title=f"Packages {number}",
                layer=layers[number % 2],
                when_to_load=(SCENE,),
                one_liner=f"In folder{number}: use tool{number} to install packages.",
                decision=f"use tool{number} to install packages",
            )
            for number in range(8)
        ]
    )
    made = Talk(bank).user(CLEAR).agent()

    assert len(made.neighbours) == 5
    assert {each.score for each in made.neighbours} <= {each.score for each in made.neighbours if 0 <= each.score <= 1}


def test_every_decision_is_explained(talk: Talk) -> None:
    """G-06: an outcome carries neighbours with scores and rules, the five scores and the names of the reasons."""
    talk.written()
    made = talk.veto()

    (near,) = made.neighbours
    assert near.title
    assert near.rules
    assert set(made.scores) == {"d1", "d2", "d3", "d4", "d5", "total"}
    assert made.rules
    assert len(made.reasons) == len(made.rules)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_speak_the_users_language(talk: Talk, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """Q-07: questions, options and reasons come in English or Chinese."""
    monkeypatch.setenv("TACIT_LANG", language)
    talk.written()
    made = talk.veto()
    assert made.question is not None
    told = made.question.question + "".join(each.label for each in made.question.options) + "".join(made.reasons)

    assert ("记" in told or "的" in told) is (language == "zh")


def test_conversations_may_be_called_anything(bank: Bank) -> None:
    """X-05: a conversation's id is a name of somebody else's; long or odd ones do no harm."""
    for name in ("x" * 5_000, "a\nb", "\ud800", "../../etc", "\x00"):
        talk = Talk(bank, name)
        talk.user(CLEAR)
        assert talk.agent(confidence="low").decision in ("new", "dedupe", "merge")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from(["scene", "choice", "title", "one_liner", "evidence", "signals", "fact", "tags", "pointers"]),
        st.text(min_size=1, max_size=40) | st.lists(st.text(max_size=10), max_size=3),
    )
)
def test_no_text_breaks_the_pipeline(talk: Talk, members: dict[str, Any]) -> None:
    """P-02: whatever the texts of a payload are, there is an outcome, and each note that is written can be read."""
    if "choice" in members:
        members["principles"] = [members["choice"]] if isinstance(members["choice"], str) else members["choice"]
    made = talk.agent(**members)

    assert made.decision in ("new", "dedupe", "merge", "replace", "veto", "skip", "refused")
    assert talk.bank.left_out() == []
    json.dumps([each.proposal_id for each in talk.bank.pending()])
