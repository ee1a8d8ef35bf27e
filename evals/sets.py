"""The sets that recall is measured on, as banks of notes and prompts with the notes that answer them."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.note.model import Note, from_plain
from tuning import material

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OWN = Path(__file__).parent / "recall"
_MAX_TITLE = 180


@dataclass(frozen=True)
class Prompt:
    """A prompt, the ids of the notes that answer it (none: silence is right), and the half it belongs to.

    `groups` are the parts of the set that it counts for; `room` is how many notes whoever asks takes at most.
    """

    text: str
    gold: frozenset[str]
    half: str
    groups: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    room: int = 2


@dataclass
class Case:
    """One bank with its prompts; with `ranking_only` they are searched for, since no silence is right."""

    notes: list[Note]
    prompts: list[Prompt] = field(default_factory=list)
    ranking_only: bool = False


def own(which: str = "") -> list[Case]:
    """The project's own notes and prompts: English, Chinese, across, and none; those of files that begin as said."""
    lines = (OWN / f"{which}notes.jsonl").read_text(encoding="utf-8").splitlines()
    keys = ("title", "when_to_load", "one_liner", "decision", "kind", "layer", "tags")
    rows = [json.loads(line) for line in lines]
    notes = [from_plain(Note, {"id": f"MEM-{row['id']}", **{key: row[key] for key in keys}}) for row in rows]
    prompts = []
    for line in (OWN / f"{which}prompts.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold = frozenset(f"MEM-{each}" for each in row["gold"])
        kind, language = row["kind"], "en" if row["lang"] == "en" else "zh"
        groups = (kind, f"{kind} {language}")
        prompts.append(Prompt(row["prompt"], gold, row["half"], groups, tuple(row.get("turns", ()))))
    return [Case(notes, prompts)]


def fresh() -> list[Case]:
    """Notes and prompts about other things, which nothing was chosen by."""
    return own("fresh-")


def others() -> list[Case]:
    """Notes and prompts by other authors: two organisations in one bank, an English and a Chinese one."""
    return own("others-")


def held_out() -> list[Case]:
    """Banks that models are not taught with (tuning/README.md): each Chinese one beside an English one, two alone."""
    banks = material.read(held_out=True)
    english, chinese = ([bank for bank in banks if bank.english is wanted] for wanted in (True, False))
    return [_of_banks(together) for together in zip_longest(english, chinese)]


def _of_banks(together: Sequence[material.Bank | None]) -> Case:
    case = Case([])
    for bank in filter(None, together):
        ids = [f"MEM-{bank.name}-{place}" for place in range(len(bank.notes))]
        keys = ("title", "when_to_load", "one_liner")
        case.notes += [
            from_plain(Note, {"id": each, **{key: note[key] for key in keys}})
            for each, note in zip(ids, bank.notes, strict=True)
        ]
        for asked in bank.asked():
            gold = frozenset() if asked.note == material.NOTHING else frozenset([ids[asked.note]])
            kind = "none" if not gold else "same" if asked.same_language else "cross"
            language = "en" if bank.english == asked.same_language else "zh"
            case.prompts.append(Prompt(asked.text, gold, "tune", (kind, f"{kind} {language}")))
    return case


def devmembench(data: Path) -> list[Case]:
    """Coding sessions as notes; questions with the sessions that answer them, and unanswerable ones."""
    sessions = json.loads((data / "devmembench/sessions.json").read_text(encoding="utf-8"))
    notes = []
    for session in sessions:
        texts = [message["content"] for message in session["messages"]]
        notes.append(_note(session["sessionId"], session["metadata"]["project"], texts[0], "\n\n".join(texts[1:])))
    rows = json.loads((data / "devmembench/questions.json").read_text(encoding="utf-8"))
    prompts = [
        Prompt(row["question"], _ids(row["haystackSessionIds"]), _half(number), (row["questionType"],))
        for number, row in enumerate(rows)
    ]
    return [Case(notes, prompts)]


def locomo_turns(data: Path) -> list[Case]:
    """Ten long conversations, every turn a note; ranking alone."""
    cases = []
    for conversation in json.loads((data / "locomo/locomo10.json").read_text(encoding="utf-8")):
        turns = [turn for _, _, several in _sessions(conversation["conversation"]) for turn in several]
        notes = [_note(turn["dia_id"], turn["speaker"], _spoken(turn), "") for turn in turns]
        known = {turn["dia_id"] for turn in turns}
        case = Case(notes, ranking_only=True)
        for number, row in enumerate(conversation["qa"]):
            gold = [each for each in row.get("evidence", []) if each in known]
            if row["category"] in (1, 2, 3, 4) and gold:
                case.prompts.append(
                    Prompt(row["question"], _ids(gold), _half(number), (f"category {row['category']}",))
                )
        cases.append(case)
    return cases


def locomo_sessions(data: Path) -> list[Case]:
    """The 272 sessions of all conversations in one bank; ranking alone."""
    case = Case([], ranking_only=True)
    for conversation in json.loads((data / "locomo/locomo10.json").read_text(encoding="utf-8")):
        name = conversation["sample_id"]
        known = set()
        for number, when, turns in _sessions(conversation["conversation"]):
            known.add(f"D{number}")
            text = "\n".join(_spoken(turn) for turn in turns)
            case.notes.append(_note(f"{name}-D{number}", when, _spoken(turns[0]), text))
        for number, row in enumerate(conversation["qa"]):
            gold = {each.split(":")[0] for each in row.get("evidence", [])} & known
            if row["category"] in (1, 2, 3, 4) and gold:
                ids = _ids(f"{name}-{each}" for each in gold)
                case.prompts.append(Prompt(row["question"], ids, _half(number), (f"category {row['category']}",)))
    return [case]


def memdaily(data: Path, per_set: int = 12) -> list[Case]:
    """Chinese messages of one person each; every trajectory is a bank."""
    with gzip.open(data / "memdaily/memdaily_zh.json.gz") as file:
        rows = json.loads(file.read())
    taken: dict[str, int] = {}
    cases = []
    for row in rows:
        taken[row["set"]] = taken.get(row["set"], 0) + 1
        if taken[row["set"]] > per_set:
            continue
        case = Case([_note(str(message["mid"]), "消息", message["message"], "") for message in row["message_list"]])
        for question in row["question_list"]:
            gold = [str(step[0] if isinstance(step, list) else step) for step in question["target_step_id"]]
            case.prompts.append(Prompt(question["question"], _ids(gold), _half(row["tid"]), (row["set"],)))
        cases.append(case)
    return cases


def precisionmembench(data: Path) -> list[Case]:
    """Beliefs as notes, a bank for each user and scope; what must not come back is counted against precision.

    Pinned beliefs and open questions are another channel there, superseded and resolved ones are archived.
    """
    folder = data / "precisionmembench"
    beliefs = json.loads((folder / "beliefs.seed.json").read_text(encoding="utf-8"))
    cases: dict[tuple[str, ...], Case] = {}
    rows = json.loads((folder / "retrieval.cases.json").read_text(encoding="utf-8"))
    for number, row in enumerate(rows):
        expected = row["expect"].get("relevantBeliefs", {}).get("shouldOnlyInclude")
        here = [
            belief
            for belief in beliefs
            if belief["user_id"] == row.get("userId", "test-user")
            and set(row["scope"]) & set(belief["scope"])
            and not (belief["superseded_by"] or belief["resolved_at"] or belief["type"] == "open_question")
        ]
        found = [belief for belief in here if not belief["pinned"]]
        if expected is None or not found or not row["query"].strip():
            continue
        case = cases.setdefault(tuple(belief["_id"] for belief in found), Case([_belief(each) for each in found]))
        room = max(0, row.get("budget", {}).get("maxBeliefs", 20) - (len(here) - len(found)))
        case.prompts.append(Prompt(row["query"], _ids(expected), _half(number), (row["category"],), room=min(2, room)))
    return list(cases.values())


def _belief(belief: dict[str, str]) -> Note:
    title = belief["canonical_name"].replace("_", " ")
    return Note(
        id=_id(belief["_id"]),
        title=title,
        when_to_load=tuple(belief["aliases"]) or (title,),
        one_liner=belief["content"],
        decision=belief["why_it_matters"],
    )


def _note(name: str, title: str, one_liner: str, decision: str) -> Note:
    first = " ".join(one_liner.split())
    return Note(
        id=_id(name),
        title=" ".join(title.split())[:_MAX_TITLE] or name,
        when_to_load=(" ".join(title.split()) or name,),
        one_liner=first or name,
        decision="\n".join(
            f"\\{line}" if line.startswith(("#", "```", "~~~")) else line for line in decision.splitlines()
        ),
    )


def _id(name: str) -> str:
    return "MEM-" + "".join(char if char.isalnum() else "-" for char in name)


def _ids(names: Iterable[str]) -> frozenset[str]:
    return frozenset(_id(name) for name in names)


def _half(number: int) -> str:
    return "tune" if number % 2 == 0 else "report"


def _spoken(turn: dict[str, str]) -> str:
    caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{caption}"


def _sessions(conversation: dict[str, object]) -> list[tuple[int, str, list[dict[str, str]]]]:
    found = []
    for number in range(1, 100):
        turns = conversation.get(f"session_{number}")
        if isinstance(turns, list) and turns:
            found.append((number, str(conversation.get(f"session_{number}_date_time", "")), turns))
    return found
