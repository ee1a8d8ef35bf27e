"""Two notes into one without losing a fact, and the count of what would be lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.formats import native
from tacit.govern import mapping, merging
from tacit.note.model import MAX_TAGS, Audience, Note, Scope, Strength, Timing

TS = "2026-01-02T03:04:05Z"
SECTIONS = ("signals", "alternatives", "counter_signals", "evidence", "pointers", "decision", "fact", "principle")
CODE = "```sh\npnpm install --frozen-lockfile\n```"


def note(**members: Any) -> Note:  # noqa: ANN401  the fields of a note
    """A small note."""
    known = {"id": "MEM-a", "title": "Packages", "when_to_load": ("installing packages",), "one_liner": "Use pnpm."}
    return Note(**{**known, **members})


def merged(old: Note, new: Note) -> Note:
    """The note that both become."""
    document = merging.merged(native.parse(native.compose(old), "L1_declarative/MEM-a.md"), new, ts=TS)
    return native.parse(document.render(), "L1_declarative/MEM-a.md").note


def facts(of: Note) -> list[str]:
    """Every item, condition, tag, pointer and block of a note, as it stands there."""
    lines = [*of.when_to_load, of.one_liner, *of.tags]
    for name in SECTIONS:
        text = getattr(of, name)
        lines += [text] if "```" in text else [line.strip(" -") for line in text.splitlines() if line.strip(" -")]
    return lines


def test_nothing_new_changes_only_the_time() -> None:
    """G-02: merging a note with itself adds no line."""
    same = note(signals="- a red build", tags=("ci",), decision="Use pnpm.")

    assert merged(same, same) == replace(same, updated=TS, file="L1_declarative/MEM-a.md")


def test_both_notes_in_one() -> None:
    """G-02: the old note keeps its words, and gets every list item, text, tag and condition that the new one adds."""
    old = note(
        signals="- a red build",
        decision="Use pnpm.",
        fact="It took 9 s.",
        tags=("ci",),
        strength=Strength.VALIDATED,
        evidence="measured",
    )
    new = note(
        when_to_load=("adding a package", "Installing packages."),
        one_liner="Never call npm.",
        signals="- a RED build\n- no lockfile",
        decision="Use pnpm.\nPin its version.",
        alternatives="- npm",
        fact=CODE,
        tags=("ci", "web"),
    )
    both = merged(old, new)

    assert both.when_to_load == ("installing packages", "adding a package")
    assert both.one_liner == "Use pnpm."
    assert both.signals == "- a red build\n- no lockfile\n- Never call npm."
    assert both.decision == "Use pnpm.\n\nPin its version."
    assert both.alternatives == "- npm"
    assert both.fact == f"It took 9 s.\n\n{CODE}"
    assert (both.tags, both.strength, both.updated) == (("ci", "web"), Strength.VALIDATED, TS)
    assert merging.lost(old, both) == merging.lost(replace(new, when_to_load=()), both) == ()


def test_a_fuller_one_liner_takes_over() -> None:
    """G-02: a one-liner that says all of the old one and more is taken; the old one stays among the signals."""
    both = merged(note(), note(one_liner="Use pnpm. Pin its version."))

    assert both.one_liner == "Use pnpm. Pin its version."
    assert both.signals == "- Use pnpm."


def test_a_one_liner_that_goes_on_takes_over() -> None:
    """G-02: what is told to agents afterwards says what the new note adds, and nothing of the old one is lost."""
    old = note(when_to_load=("Use pnpm",), decision="Use pnpm", one_liner="Use pnpm.")
    new = note(when_to_load=("Use pnpm",), decision="Use pnpm", one_liner="Use pnpm, never npm.", counter_signals="CI")
    both = merged(old, new)

    assert (both.one_liner, both.signals) == ("Use pnpm, never npm.", "")
    assert merging.lost(old, both) == ()
    assert merged(new, old).one_liner == "Use pnpm, never npm."
    assert merged(old, note(one_liner="Use pnpm or npm.")).one_liner == "Use pnpm."


def test_a_one_liner_of_scene_and_choice_is_no_fact_of_its_own() -> None:
    """G-02: what only joins the scene and the decision is not kept a second time, and not told as lost."""
    line = mapping.one_liner("adding a package", "Use pnpm")
    new = note(when_to_load=("adding a package",), decision="Use pnpm", one_liner=line)
    both = merged(note(), new)

    assert both.signals == ""
    assert merging.lost(new, both) == ()


def test_the_fourth_condition_becomes_a_signal() -> None:
    """N-01, G-02: a note has at most three lines of when to load; the others stay as signals."""
    both = merged(note(when_to_load=("a", "b")), note(when_to_load=("c", "d")))

    assert both.when_to_load == ("a", "b", "c")
    assert both.signals == "- d"


def test_what_was_said_about_the_whole_note_is_told() -> None:
    """G-02: a title, kind, scope or timing that the payload named and the merged note does not have is a loss."""
    new = replace(note(title="Managers"), scope=Scope.BROAD, timing=Timing.POST, audience=Audience.TEAM)
    kept = note()

    assert merging.set_aside(new, {"scope", "kind", "choice"}, kept) == ("scope: broad",)
    assert merging.set_aside(new, {"apply", "title", "timing"}, kept) == (
        "audience: team",
        "title: Managers",
        "timing: post",
    )
    assert merging.set_aside(new, (), kept) == ()


def test_tags_beyond_the_limit_are_told() -> None:
    """X-05, G-02: a note has at most so many tags; those without room are named as lost."""
    new = note(tags=("x", "y"))
    both = merged(note(tags=tuple(f"t{number}" for number in range(MAX_TAGS - 1))), new)

    assert len(both.tags) == MAX_TAGS
    assert merging.lost(new, both) == ("tag: y",)


def test_the_same_code_is_kept_once() -> None:
    """G-02: a block that stands there already is not added again."""
    assert merged(note(fact=f"Run:\n\n{CODE}"), note(fact=CODE)).fact == f"Run:\n\n{CODE}"


def test_a_section_that_cannot_grow_stays_whole() -> None:
    """N-04: where two texts cannot stand in one section the old one stays, and the new lines are told as lost."""
    old = native.parse(native.compose(note()) + b"\n## Notes\n\n```\nopen", "L1_declarative/MEM-a.md")
    new = note(pointers="- mem://L1/MEM-b", signals="# heading")
    both = merging.merged(old, new, ts=TS).note

    assert both.signals == ""
    assert "signals: # heading" in merging.lost(new, both)


ALMOST = [
    ("- wait 5 s", "- wait 15 s"),
    ("- use tabs", "- never use tabs"),
    ("- run lint before test", "- run test before lint"),
    ("- copy from a to b", "- copy from b to a"),
    ("- use pnpm", "- use pnpm only in the web client"),
    ("- 用制表符", "- 不要用制表符"),
    ("- see v1", "- see v1.2"),
]


@pytest.mark.parametrize(("one", "other"), [*ALMOST, *((b, a) for a, b in ALMOST)])
def test_what_looks_alike_is_not_the_same(one: str, other: str) -> None:
    """G-02: a line that is part of another, or has the same words, is a fact of its own."""
    old, new = note(signals=one, one_liner="Look."), note(signals=other, one_liner="Look.")

    assert merged(old, new).signals == f"{one}\n{other}"
    assert merging.lost(old, new) == (f"signals: {one[2:]}",)


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ({"when_to_load": ("deploying",)}, "when: deploying"),
        ({"fact": CODE}, "code: ```sh …"),
        ({"pointers": "- mem://L1/MEM-b"}, "pointer: mem://L1/MEM-b"),
        ({"evidence": "see https://example.org/a"}, "pointer: https://example.org/a"),
        ({"signals": "- `Foo.bar` fails"}, "pointer: `Foo.bar`"),
        ({"counter_signals": "> quoted"}, "counter_signals: quoted"),
        ({"one_liner": "Use yarn."}, "one_liner: Use yarn."),
        ({"tags": ("ci",)}, "tag: ci"),
    ],
)
def test_what_is_lost_is_named(old: dict[str, object], told: str) -> None:
    """Q-01: what the old note has and the new one lacks is counted before the user is asked."""
    assert told in merging.lost(note(**old), note(pointers="- mem://L1/MEM-bc", evidence="https://example.org/abc"))


def test_a_pointer_is_missed_once() -> None:
    """Q-01: an item that is a pointer and nothing else is one loss, not two."""
    assert merging.lost(note(pointers="- mem://L1/MEM-b"), note()) == ("pointer: mem://L1/MEM-b",)


words = st.text("abcdefghij 0123456789-_./用不前后", min_size=1, max_size=16).map(lambda text: " ".join(text.split()))
items = st.lists(words.filter(lambda text: bool(text.strip(" -"))), max_size=4).map(
    lambda lines: "\n".join(f"- {line}" for line in lines)
)
notes = st.builds(
    note,
    when_to_load=st.lists(words.filter(lambda text: text.strip(" -*>") == text != ""), min_size=1, max_size=3).map(
        tuple
    ),
    one_liner=words.filter(lambda text: text.strip(" -*>#") == text != ""),
    tags=st.lists(st.text("abc", min_size=1, max_size=3), max_size=3, unique=True).map(tuple),
    **dict.fromkeys(SECTIONS, items),
)


@given(old=notes, new=notes)
def test_no_fact_of_either_is_lost_unseen(old: Note, new: Note) -> None:
    """G-02: each item, tag, condition, pointer and text of both stands in the result or is named as lost."""
    old = native.parse(native.compose(old), "L1_declarative/MEM-a.md").note
    new = native.parse(native.compose(new), "L1_declarative/MEM-a.md").note
    both = merged(old, new)
    gone = merging.lost(old, both) + merging.lost(new, both)
    named = [each.partition(": ")[2] for each in gone]
    standing = {merging._plain(each) for each in (*facts(both), *named, "")}

    assert [fact for fact in facts(old) + facts(new) if merging._plain(fact) not in standing] == []
    assert set(old.tags) | set(new.tags) == set(both.tags)


@given(full=notes, choose=st.randoms(use_true_random=False))
def test_each_line_that_was_taken_out_is_found(full: Note, choose: Any) -> None:  # noqa: ANN401  hypothesis' random
    """Q-01: whichever single line is removed, `lost` names it, unless the note says it elsewhere too."""
    filled = [name for name in SECTIONS if getattr(full, name)]
    if not filled:
        return
    name = choose.choice(filled)
    lines = getattr(full, name).splitlines()
    line = lines.pop(choose.randrange(len(lines)))
    fewer: dict[str, Any] = {name: "\n".join(lines)}
    less = replace(full, **fewer)
    elsewhere = {merging._plain(each) for each in facts(less)} | {merging._plain(full.title)}

    told = {merging._plain(each.partition(": ")[2]) for each in merging.lost(full, less)}
    assert merging._plain(line) in told | elsewhere | {""}  # marks alone say nothing
