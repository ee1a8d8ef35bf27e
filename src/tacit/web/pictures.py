"""Numbers as small pictures, each with a name that can be read aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.web.markup import Safe, h, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH = 640
_HEIGHT = 160
_MARGIN = 28


def bar(value: float, *, label: str, most: float = 1.0, mark: float | None = None, kind: str = "") -> Safe:
    """Return a bar from nought to `most`, with a line where something begins to count."""
    share = 100 * min(max(value / most, 0.0), 1.0) if most else 0.0
    line = ""
    if mark is not None:
        at = 100 * min(mark / most, 1.0)
        line = h('<line class="mark" x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="8"></line>', at=at)
    return h(
        '<svg class="bar {kind}" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{label}">'
        '<rect class="track" width="100" height="8"></rect><rect class="fill" width="{share:.1f}" height="8"></rect>'
        "{line}</svg>",
        kind=kind,
        label=label,
        share=share,
        line=line,
    )


def growth(points: Sequence[tuple[str, float]], *, label: str) -> Safe:
    """Return a line that goes up and down with what it counts, oldest first, with its first, last and highest value."""
    most = max((value for _, value in points), default=0) or 1
    step = (_WIDTH - 2 * _MARGIN) / max(len(points) - 1, 1)
    floor = _HEIGHT - _MARGIN
    places = [
        (_MARGIN + number * step, floor - value / most * (_HEIGHT - 2 * _MARGIN))
        for number, (_, value) in enumerate(points)
    ]
    if len(places) == 1:  # one day alone is a line from side to side
        places.append((_WIDTH - _MARGIN, places[0][1]))
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    area = f"{places[0][0]:.1f},{floor} {line} {places[-1][0]:.1f},{floor}" if places else ""
    curve = h(
        '<polygon class="area" points="{area}"></polygon><polyline class="curve" points="{line}"></polyline>',
        area=area,
        line=line,
    )
    return _chart(curve, [day for day, _ in points], label=label, most=most)


def columns(points: Sequence[tuple[str, Sequence[float]]], *, kinds: Sequence[str], label: str) -> Safe:
    """Return a column for each day, made of one piece for each kind, oldest first."""
    most = max((sum(values) for _, values in points), default=0) or 1
    step = (_WIDTH - 2 * _MARGIN) / max(len(points), 1)
    pieces: list[Safe] = []
    for number, (_, values) in enumerate(points):
        top = float(_HEIGHT - _MARGIN)
        for kind, value in zip(kinds, values, strict=True):
            height, width = value / most * (_HEIGHT - 2 * _MARGIN), min(step * 0.8, 48)
            top -= height
            pieces.append(
                h(
                    '<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"></rect>',
                    kind=kind,
                    x=_MARGIN + number * step + (step - width) / 2,
                    y=top,
                    width=width,
                    height=height,
                )
            )
    return _chart(joined(pieces), [day for day, _ in points], label=label, most=most)


def numbers(head: Sequence[str], rows: Sequence[Sequence[object]], *, title: str) -> Safe:
    """Return the numbers behind a picture as a table that opens."""
    return h(
        '<details class="numbers"><summary>{title}</summary><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>'
        "</table></details>",
        title=title,
        head=joined(h('<th scope="col">{it}</th>', it=it) for it in head),
        rows=joined(h("<tr>{cells}</tr>", cells=joined(h("<td>{it}</td>", it=it) for it in row)) for row in rows),
    )


def _chart(inside: Safe, days: Sequence[str], *, label: str, most: float) -> Safe:
    """Return a picture over days, on its axis, with the first and the last of them and the highest value."""
    return h(
        '<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">'
        '<line class="axis" x1="{left}" x2="{right}" y1="{floor}" y2="{floor}"></line>{inside}'
        '<text x="{left}" y="{below}">{first}</text><text x="{right}" y="{below}" text-anchor="end">{last}</text>'
        '<text x="{left}" y="18">{most:,.0f}</text></svg>',
        width=_WIDTH,
        height=_HEIGHT,
        label=label,
        left=_MARGIN,
        right=_WIDTH - _MARGIN,
        floor=_HEIGHT - _MARGIN,
        below=_HEIGHT - 8,
        inside=inside,
        first=days[0] if days else "",
        last=days[-1] if len(days) > 1 else "",
        most=most,
    )
