"""Draw the moving pictures of the README: a minute at a terminal, begun with the README's own first commands.

python scripts/make_picture.py            run the commands; draw what was shown if README and script say the same
"""
# ruff: noqa: INP001  a script, not a package

from __future__ import annotations

import sys
import tempfile  # noqa: TID251  a project to be thrown away
from html import escape
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tacit.text import width  # noqa: E402  found by the line above, as are those below
from tests.project.transcripts import Session, steps  # noqa: E402

# Picture → the page and the section it begins with, what it shows after that, and its title.
PICTURES = {
    "docs/pictures/first.svg": (
        "README.md",
        "## Two minutes",
        "scripts/picture/more.md",
        "The first two minutes with Tacit",
    ),
    "docs/pictures/first.zh-CN.svg": (
        "README.zh-CN.md",
        "## 两分钟上手",
        "scripts/picture/more.zh-CN.md",
        "Tacit 上手两分钟",
    ),
}
COLUMNS, LINES = 104, 25
CHARACTER, LINE, EDGE, TOP = 7.8, 19, 16, 44
TYPED_A_SECOND = 24
READING_S, REST_S = 1.8, 6.0

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">
  <title id="title">{title}</title>
  <style>
    .pane {{ fill: #f6f8fa; stroke: #d0d7de }}
    .dot {{ fill: #d0d7de }}
    text {{ font: 13px ui-monospace, 'SF Mono', 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace }}
    text {{ white-space: pre }}
    .said {{ fill: #1f2328 }}
    .typed {{ fill: #0550ae; font-weight: 600 }}
    @media (prefers-color-scheme: dark) {{
      .pane {{ fill: #161b22; stroke: #30363d }}
      .dot {{ fill: #30363d }}
      .said {{ fill: #e6edf3 }}
      .typed {{ fill: #79c0ff }}
    }}
{moves}  </style>
  <rect class="pane" x="0.5" y="0.5" width="{inner}" height="{depth}" rx="8"/>
  <circle class="dot" cx="20" cy="18" r="5"/><circle class="dot" cx="38" cy="18" r="5"/>\
<circle class="dot" cx="56" cy="18" r="5"/>
  <clipPath id="screen"><rect x="0" y="{first}" width="{width}" height="{screen}"/></clipPath>
  <g clip-path="url(#screen)"><g class="roll">
"""


class Row(NamedTuple):
    """One line on the screen: what stands there, whether it was typed, and from when to when it comes up."""

    text: str
    is_typed: bool
    start: float
    end: float


def rows(markdown: str) -> tuple[list[Row], float]:
    """Return the lines that a part of a document shows, each with its time, and when the film begins again."""
    found: list[Row] = []
    now = 0.6
    for step in steps(markdown):
        for number, piece in enumerate(_folded(f"$ {step.command}")):
            end = now + (width(piece) - (0 if number else 2)) / TYPED_A_SECOND
            found.append(Row(piece, is_typed=True, start=now, end=end))
            now = end
        now += 0.4
        for line in step.expected.split("\n"):
            found += [Row(piece, is_typed=False, start=now, end=now) for piece in _folded(line)]
        now += READING_S
    return found, now + REST_S


def _folded(line: str) -> list[str]:
    """Return a line as the terminal would break it, by columns."""
    pieces, piece = [], ""
    for character in line:
        if width(piece + character) > COLUMNS:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


def draw(markdown: str, title: str) -> str:
    """Return the picture; who wants no motion sees its first screen at once."""
    found, whole = rows(markdown)
    moves, lines = "", ""
    for number, row in enumerate(found):
        begin, end = (f"{100 * moment / whole:.2f}%" for moment in (row.start, max(row.end, row.start + 0.01)))
        if row.is_typed:
            move = f"0%, {begin} {{ clip-path: inset(0 100% 0 0) }} {end}, 100% {{ clip-path: inset(0 0 0 0) }}"
            pace = f"steps({max(len(row.text), 1)})"
        else:
            move = f"0%, {begin} {{ opacity: 0 }} {end}, 100% {{ opacity: 1 }}"
            pace = "linear"
        moves += f"    @keyframes r{number} {{ {move} }}\n"
        moves += f"    .r{number} {{ animation: r{number} {whole:.1f}s {pace} infinite }}\n"
        place = f'x="{EDGE}" y="{TOP + number * LINE}"'
        kind = "typed" if row.is_typed else "said"
        lines += f'  <text class="{kind} r{number}" {place}>{escape(row.text)}</text>\n'
    moves += _rolled(found, whole)
    moves += "    @media (prefers-reduced-motion: reduce) { text, .roll { animation: none !important } }\n"
    across = round(2 * EDGE + COLUMNS * CHARACTER)
    down = TOP + LINES * LINE
    sizes = {"width": across, "height": down, "inner": across - 1, "depth": down - 1}
    head = HEAD.format(**sizes, first=TOP - LINE + 4, screen=LINES * LINE, title=escape(title), moves=moves)
    return f"{head}{lines}  </g></g>\n</svg>\n"


def _rolled(found: list[Row], whole: float) -> str:
    """Return how the lines move up, as in a terminal, so that the last one that has come is on the screen."""
    marks, gone = "0% { transform: none }", 0
    for moment in sorted({row.start for row in found}):
        above = sum(row.start <= moment for row in found) - LINES
        if above > gone:
            begin, end = (f"{100 * at / whole:.2f}%" for at in (moment - 0.01, moment))
            before = f"translateY({-gone * LINE}px)"
            marks += f" {begin} {{ transform: {before} }} {end} {{ transform: translateY({-above * LINE}px) }}"
            gone = above
    marks += f" 100% {{ transform: translateY({-gone * LINE}px) }}"
    return f"    @keyframes roll {{ {marks} }}\n    .roll {{ animation: roll {whole:.1f}s linear infinite }}\n"


def part(page: str, heading: str) -> str:
    """Return the section of a document that is shown."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return text.split(f"\n{heading}\n", 1)[1].split("\n## ", 1)[0]


def script(name: str) -> str:
    """Return all that a picture shows: the section of the README, and what comes after it."""
    page, heading, more, _ = PICTURES[name]
    return f"{part(page, heading)}\n{(ROOT / more).read_text(encoding='utf-8')}"


def untrue(name: str, home: Path) -> list[str]:
    """Run what a picture shows in a new project; return what came out differently."""
    session = Session(home, "zh" if ".zh-" in name else "en")
    return [each for step in steps(script(name)) if (each := session.difference(step))]


def pictures() -> dict[str, str]:
    """Return path → picture, as the documents have them drawn."""
    return {name: draw(script(name), title) for name, (_, _, _, title) in PICTURES.items()}


def main() -> None:
    """Run what is shown, insist that it is true, and draw it."""
    for name in PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            different = untrue(name, Path(folder).resolve())
        if different:
            sys.exit(f"{name} would show what is not so:\n{''.join(different)}")
    for name, picture in pictures().items():
        (ROOT / name).write_text(picture, encoding="utf-8")
        sys.stdout.write(f"wrote {name} ({len(picture.encode()) // 1024} KB)\n")


if __name__ == "__main__":
    main()
