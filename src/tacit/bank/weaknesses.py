"""What could be better in a bank's notes: pairs that say the same or clash, and notes that are over, lost or vague."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.capture import remark
from tacit.errors import PointerRefused
from tacit.govern import relation, vocabulary
from tacit.note.model import Audience, Layer, Portability, Status, Strength
from tacit.note.payload import Relation
from tacit.note.pointer import BLOB, IN_TEXT, Pointer
from tacit.project import targets
from tacit.text import clip, one_line, simplified
from tacit.text.tokens import search_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tacit.note.model import Note

# How many of its nearest notes each one is compared with, and how common a word may be to bring two together.
_NEAREST = 5
_LEAST_ALIKE = 0.25
# What two notes must have in common to be called the same among all notes of a bank: a new note meets a few neighbours,
# a bank is full of strangers that share a name and a number.
_CLEARLY_THE_SAME = 0.4
_MOST_PAIRS = 30_000  # the likeliest; a larger bank of notes that look alike has more than anybody can answer
_COMMON_NOTES, _COMMON_SHARE = 40, 0.01
_TITLE_COLUMNS = 70
_EMPTY_TITLE = re.compile(
    r"(?i)(?:untitled|title|new note|note|notes|memo|todo|misc|stuff|test|tmp|temp|draft"
    r"|无标题|未命名|新笔记|笔记|标题|备忘|测试|临时|杂项)[\s#_-]*\d*|MEM-[\w-]+|[\W\d_]*"
)
_EMPTY_WHEN = re.compile(
    r"(?i)\W*(?:when(?:ever)? (?:needed|necessary|relevant|appropriate|required|applicable)|as needed|if needed"
    r"|always|any ?time|sometimes|general(?:ly)?|everything|n/?a|none|todo|tbd"
    r"|需要时|必要时|有需要时|任何时候|随时|总是|看情况|通用|无)\W*"
)
_DOUBT = re.compile(
    r"(?i)\b(?:maybe|perhaps|might|not sure|unsure|could try|we could|possibly|experiment\w*|tentativ\w*|tbd)\b"
    r"|to be decided|也许|或许|可能|不确定|待定|试试|暂定|没想好"
)


@dataclass(frozen=True, slots=True)
class Weakness:
    """One thing that could be better: its name, the notes concerned, the one to act on first, and a detail.

    `mended` is the note's text after the repair, where the repair is a change of words; `fields` where it is one of
    front matter.
    """

    problem: str
    notes: tuple[str, ...]
    detail: str = ""
    mended: str = ""
    fields: tuple[tuple[str, str], ...] = ()


def pairs(notes: Sequence[Note], *, progress: Callable[[int, int], None]) -> Iterator[Weakness]:
    """Yield pairs of active notes that say the same, or that cannot both be followed; the older of the two first.

    Both must see it so: what one adds to another is no reason to join them.
    """
    active = [each for each in notes if each.status is not Status.ARCHIVE]
    near = _near(active)
    for number, (one, other) in enumerate(near):
        progress(number, len(near))
        first, second = sorted((active[one], active[other]), key=lambda each: (each.created, each.id))
        found = relation.judge(second, first)
        if found.relation not in (Relation.SAME, Relation.CONFLICTING):
            continue
        if found.relation is Relation.SAME and found.score < _CLEARLY_THE_SAME:
            continue
        if relation.judge(first, second).relation is found.relation:
            problem = "same" if found.relation is Relation.SAME else "conflict"
            yield Weakness(problem, (first.id, second.id), " ".join(found.rules))


def superseded(notes: Sequence[Note]) -> Iterator[Weakness]:
    """Yield notes that another one says it has taken the place of."""
    active = {each.id for each in notes if each.status is not Status.ARCHIVE}
    for note in notes:
        for old in note.supersedes:
            if note.id in active and old in active and old != note.id:
                yield Weakness("superseded", (old,), note.id, fields=(("status", str(Status.ARCHIVE)),))


def unused(notes: Sequence[Note], last: Mapping[str, str], before: str, days: int) -> Iterator[Weakness]:
    """Yield notes that are older than a moment and were not recalled since; what is enforced stays in any case."""
    for note in notes:
        fresh = max(note.created, note.updated, last.get(note.id, "")) >= before
        if note.status is Status.ARCHIVE or note.strength is Strength.ENFORCED or fresh:
            continue
        yield Weakness("unused", (note.id,), str(days), fields=(("status", str(Status.ARCHIVE)),))


def vague(notes: Sequence[Note]) -> Iterator[Weakness]:
    """Yield notes whose title or when-to-load says nothing, with one made of what the note says elsewhere."""
    for note in notes:
        if note.status is Status.ARCHIVE:
            continue
        said = one_line(note.one_liner or note.decision)
        scene = str(remark.payload(said)["scene"]) if said else ""
        if said and _EMPTY_TITLE.fullmatch(note.title.strip()):
            yield Weakness("title", (note.id,), fields=(("title", clip(said, _TITLE_COLUMNS)),))
        when = [line for line in note.when_to_load if not _EMPTY_WHEN.fullmatch(line)]
        better = scene if scene and scene != said else note.title
        if not when and better and not _EMPTY_TITLE.fullmatch(better.strip()):
            yield Weakness("when", (note.id,), fields=(("When to load", f"- {clip(better, 2 * _TITLE_COLUMNS)}"),))


def inconsistent(notes: Sequence[Note]) -> Iterator[Weakness]:
    """Yield notes whose strength, scope or audience speak against each other or against their words."""
    for note in notes:
        if note.status is Status.ARCHIVE:
            continue
        words = simplified.read(f"{note.one_liner}\n{note.decision}")
        if note.strength is Strength.ENFORCED and _DOUBT.search(words) and not vocabulary.ENFORCES.search(words):
            fields = (("strength", str(Strength.HYPOTHESIS)),)
            yield Weakness("strength", (note.id,), "enforced, and in doubt", fields=fields)
        if note.audience is Audience.TEAM and note.portability is Portability.PROJECT_ONLY:
            fields = (("portability", str(Portability.CROSS_PROJECT)),)
            yield Weakness("scope", (note.id,), "for the team, and for this project only", fields=fields)


def stale(
    note: Note, text: str, known: Mapping[str, Layer], heirs: Mapping[str, str], project: targets.Project | None
) -> Weakness | None:
    """Return what is wrong with the pointers of a note, all in one, with its text after the repair."""
    mended, lost = text, []
    for match in dict.fromkeys(each[0] for each in IN_TEXT.finditer(text)):
        better = _led(match, known, heirs)
        if better != match:
            lost.append(match)
            mended = _replaced(mended, match, better)
    for target in targets.named(note.pointers) if project else ():
        found = project.look(target) if project else None
        if found is not None:
            lost.append(str(target))
            mended = _replaced(mended, str(target), found.nearest)
    return Weakness("stale", (note.id,), ", ".join(lost), mended) if lost and mended != text else None


def _led(pointer: str, known: Mapping[str, Layer], heirs: Mapping[str, str]) -> str:
    """Return a pointer that leads somewhere: itself, one to the note that took the place, or nothing."""
    if BLOB.fullmatch(pointer):
        return pointer
    try:
        parsed = Pointer.parse(pointer)
    except PointerRefused:
        return pointer  # broken in another way, which `check` reports
    if parsed.layer in (Layer.EPISODIC, Layer.WORKING, Layer.CORE) or known.get(parsed.id) is parsed.layer:
        return pointer
    heir = parsed.id if parsed.id in known else heirs.get(parsed.id, "")
    return f"mem://{known[heir]}/{heir}" if heir in known else ""


def _replaced(text: str, old: str, new: str) -> str:
    """Return a text with a pointer replaced; where there is nothing to put there, a line that was all pointer goes."""
    if not new:
        text = re.sub(rf"(?m)^[ \t]*[-*][ \t]+`?{re.escape(old)}`?(?![\w/#.-])[^\n]*\n?", "", text)
    return re.sub(rf"{re.escape(old)}(?![\w/-])", lambda _: new or f"({old.rpartition('/')[2]}, gone)", text)


def _near(notes: Sequence[Note]) -> list[tuple[int, int]]:
    """Return the pairs of places whose notes share enough of their rare words to be compared.

    Pairs that hang together stand together, so that a note is read once for all its comparisons.
    """
    words = [frozenset(search_tokens(_text(note))) for note in notes]
    counts = Counter(word for each in words for word in each)
    common = max(_COMMON_NOTES, int(len(notes) * _COMMON_SHARE))
    weight = {word: math.log(1 + len(notes) / count) for word, count in counts.items()}
    whole = [sum(map(weight.__getitem__, each)) for each in words]
    seen: dict[str, list[int]] = defaultdict(list)
    found: dict[tuple[int, int], float] = {}
    groups = _Groups(len(notes))
    for number, each in enumerate(words):
        shared: dict[int, float] = defaultdict(float)
        for word in each:
            if 1 < counts[word] <= common:
                for place in seen[word]:
                    shared[place] += weight[word]
                seen[word].append(number)
        # What most notes say counts as well, for those that rarer words have brought together.
        likely = heapq.nlargest(4 * _NEAREST, shared, key=shared.__getitem__)
        alike = {
            place: sum(map(weight.__getitem__, each & words[place])) / (min(whole[number], whole[place]) or 1)
            for place in likely
        }
        for place in heapq.nlargest(_NEAREST, alike, key=alike.__getitem__):
            if alike[place] >= _LEAST_ALIKE:
                found[place, number] = alike[place]
    likeliest = heapq.nlargest(_MOST_PAIRS, found, key=found.__getitem__)
    for pair in likeliest:
        groups.join(*pair)
    return sorted(likeliest, key=lambda pair: (groups.of(pair[0]), pair))


class _Groups:
    """Which places hang together by pairs."""

    def __init__(self, count: int) -> None:
        self._heads = list(range(count))

    def of(self, place: int) -> int:
        """Return the head of the group of a place."""
        while self._heads[place] != place:
            self._heads[place] = self._heads[self._heads[place]]
            place = self._heads[place]
        return place

    def join(self, one: int, other: int) -> None:
        """Make one group of two."""
        self._heads[self.of(one)] = self.of(other)


def _text(note: Note) -> str:
    return "\n".join((note.title, *note.when_to_load, note.one_liner, note.decision))
