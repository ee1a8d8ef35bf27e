"""A unified diff as two columns, with the words that changed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from tacit.messages import on_page
from tacit.web.markup import EMPTY, Safe, h, joined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*")
# A run of letters, of blanks, or one character: those that have no blanks between words are compared one by one.
_WORDS = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)
_NOWHERE = "/dev/null"
MOST_ROWS = 1_000
# Lines that are less alike than this are shown as removed and added, without marks inside.
_ALIKE = 0.4
_MOST_PAIRS = 2_500


class Line(NamedTuple):
    """One line of a file, with its number."""

    number: int
    text: str


class Row(NamedTuple):
    """What stands side by side; `None` where one side has nothing, both sides None where lines were left out."""

    old: Line | None
    new: Line | None

    @property
    def kind(self) -> str:
        """What happened to the line."""
        if self.old and self.new:
            return "same" if self.old.text == self.new.text else "changed"
        return "removed" if self.old else "added" if self.new else "gap"


@dataclass
class Comparison:
    """Two versions of a file, or of a note that took another one's place."""

    old: str = ""
    new: str = ""
    rows: list[Row] = field(default_factory=list)

    @property
    def one_sided(self) -> bool:
        """Whether there is only one version: a file that is new, or goes."""
        return all(row.old is None for row in self.rows) or all(row.new is None for row in self.rows)


def parse(text: str) -> list[Comparison]:
    """Return the files of a unified diff; the counts in its heads tell a line of text from a head that looks alike."""
    found: list[Comparison] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        hunk = _HUNK.fullmatch(line)
        if hunk is None:
            following = lines[at + 1] if at + 1 < len(lines) else ""
            if line.startswith("--- ") and following.startswith("+++ "):
                found.append(Comparison(line[4:], following[4:]))
                at += 1
            at += 1
            continue
        if not found:
            found.append(Comparison())
        at = _take(hunk, lines, at + 1, found[-1].rows)
    return found


def _take(hunk: re.Match[str], lines: Sequence[str], at: int, rows: list[Row]) -> int:
    """Add the rows of one hunk; return where the next thing begins."""
    old, new = int(hunk[1]), int(hunk[3])
    old_left, new_left = (int(count) if count is not None else 1 for count in (hunk[2], hunk[4]))
    if rows or old > 1:
        rows.append(Row(None, None))
    removed: list[Line] = []
    added: list[Line] = []
    while at < len(lines) and (old_left > 0 or new_left > 0):
        mark, text = lines[at][:1], lines[at][1:]
        at += 1
        if mark == "-":
            removed.append(Line(old, text))
        elif mark == "+":
            added.append(Line(new, text))
        else:
            rows += _paired(removed, added)
            removed, added = [], []
            rows.append(Row(Line(old, text), Line(new, text)))
        old, old_left = (old, old_left) if mark == "+" else (old + 1, old_left - 1)
        new, new_left = (new, new_left) if mark == "-" else (new + 1, new_left - 1)
    rows += _paired(removed, added)
    return at


def _paired(removed: Sequence[Line], added: Sequence[Line]) -> list[Row]:
    """Return removed and added lines side by side: the most alike first, then what stands before and behind them."""
    if not removed or not added or len(removed) * len(added) > _MOST_PAIRS:
        return [Row(old, new) for old, new in zip_longest(removed, added)]
    best, i, j = max(
        ((_likeness(old.text, new.text), -i, -j) for i, old in enumerate(removed) for j, new in enumerate(added))
    )
    if best < _ALIKE:
        return [*(Row(old, None) for old in removed), *(Row(None, new) for new in added)]
    i, j = -i, -j
    before, behind = _paired(removed[:i], added[:j]), _paired(removed[i + 1 :], added[j + 1 :])
    return [*before, Row(removed[i], added[j]), *behind]


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, _WORDS.findall(one), _WORDS.findall(other), autojunk=False).ratio()


def words(old: str, new: str) -> tuple[Safe, Safe]:
    """Return two lines with the words that only one of them has marked."""
    one, other = _WORDS.findall(old), _WORDS.findall(new)
    left: list[Safe] = []
    right: list[Safe] = []
    for kind, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        gone, come = "".join(one[a:b]), "".join(other[c:d])
        if kind == "equal":
            left.append(h("{it}", it=gone))
            right.append(h("{it}", it=come))
            continue
        if gone:
            left.append(h("<del>{it}</del>", it=gone))
        if come:
            right.append(h("<ins>{it}</ins>", it=come))
    return joined(left), joined(right)


def render(text: str) -> Safe:
    """Return a unified diff as tables; of a very long one the beginning, and how much is left out."""
    return joined(_table(each) for each in parse(text))


def _table(found: Comparison) -> Safe:
    old = "" if found.old == _NOWHERE else found.old
    new = "" if found.new == _NOWHERE else found.new
    name = old if old == new or not new else new if not old else f"{old} → {new}"
    rows = found.rows
    more = h("<p>{it}</p>", it=on_page("diff.more", count=len(rows) - MOST_ROWS)) if len(rows) > MOST_ROWS else ""
    if not rows:
        return h('<p class="quiet">{name}: {it}</p>', name=name, it=on_page("diff.same"))
    shown = rows[:MOST_ROWS]
    if found.one_sided:
        front = _front_matter(shown)
        folded = EMPTY
        if front:
            folded = h(
                '<details class="front"><summary>{title}</summary>{table}</details>',
                title=on_page("diff.front", count=front),
                table=_frame(name, _single(shown[:front])),
            )
        return h("{folded}{table}{more}", folded=folded, table=_frame(name, _single(shown[front:])), more=more)
    return h("{table}{more}", table=_frame(name, _double(shown)), more=more)


def _front_matter(rows: Sequence[Row]) -> int:
    """Return how many lines of front matter stand first; those who read a new note look for its text."""
    texts = [(row.new or row.old or Line(0, "")).text for row in rows]
    return texts.index("---", 1) + 1 if texts[:1] == ["---"] and "---" in texts[1:] else 0


def _frame(name: str, inside: Safe) -> Safe:
    label = on_page("diff.label", name=name) if name else on_page("note.diff")
    return h(
        '<div class="diff-frame" tabindex="0" role="group" aria-label="{label}"><table class="diff">'
        "<caption>{name}</caption>{inside}</table></div>",
        label=label,
        name=name,
        inside=inside,
    )


def _single(rows: Sequence[Row]) -> Safe:
    """Return the lines of a file that comes or goes."""
    removed, added = on_page("diff.removed"), on_page("diff.added")
    return h(
        '<colgroup><col class="no"><col></colgroup>'
        '<thead class="sr"><tr><th scope="col">{number}</th><th scope="col">{text}</th></tr></thead>'
        "<tbody>{rows}</tbody>",
        number=on_page("diff.number"),
        text=on_page("diff.after" if rows and rows[0].new else "diff.before"),
        rows=joined(
            h(
                '<tr class="{kind}"><td class="no">{number}</td>'
                '<td class="{side}"><span class="sr">{said}</span>{text}</td></tr>',
                kind=row.kind,
                number=line.number,
                side="new" if row.new else "old",
                said=added if row.new else removed,
                text=line.text,
            )
            for row in rows
            if (line := row.new or row.old)
        ),
    )


def _double(rows: Sequence[Row]) -> Safe:
    """Return two versions side by side."""
    return h(
        '<colgroup><col class="no"><col><col class="no"><col></colgroup>'
        '<thead class="sr"><tr><th scope="col">{number}</th><th scope="col">{before}</th>'
        '<th scope="col">{number}</th><th scope="col">{after}</th></tr></thead><tbody>{rows}</tbody>',
        number=on_page("diff.number"),
        before=on_page("diff.before"),
        after=on_page("diff.after"),
        rows=joined(_rows(rows)),
    )


def _rows(rows: Sequence[Row]) -> Iterator[Safe]:
    removed, added = on_page("diff.removed"), on_page("diff.added")
    for row in rows:
        if row.kind == "gap":
            yield Safe('<tr class="gap"><td colspan="4"><span aria-hidden="true">⋯</span></td></tr>')
            continue
        left, right = h("{it}", it=row.old.text if row.old else ""), h("{it}", it=row.new.text if row.new else "")
        if row.old and row.new and row.kind == "changed":
            left, right = words(row.old.text, row.new.text)
        yield h(
            '<tr class="{kind}"><td class="no">{old_no}</td><td class="old">{removed}{left}</td>'
            '<td class="no">{new_no}</td><td class="new">{added}{right}</td></tr>',
            kind=row.kind,
            old_no=row.old.number if row.old else "",
            new_no=row.new.number if row.new else "",
            removed=h('<span class="sr">{it}</span>', it=removed) if row.old and row.kind != "same" else "",
            added=h('<span class="sr">{it}</span>', it=added) if row.new and row.kind != "same" else "",
            left=left,
            right=right,
        )
