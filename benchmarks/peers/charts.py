"""Bar charts of the comparison as SVG, readable on light and on dark pages."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from benchmarks.peers.rows import ROWS, TACIT, shown, value

if TYPE_CHECKING:
    from benchmarks.peers.rows import Row

# File → title and the keys of its rows; each row is a group of bars with a scale of its own.
CHARTS = {
    "side-speed.svg": (
        "Less is better",
        ("start_again_s", "add_p50_ms", "1000.search_p95_ms", "10000.search_p95_ms", "1000.memory_mb", "install_mb"),
    ),
    "side-trust.svg": (
        "Chinese hits: more is better. Lost and refused: less is better",
        (
            *("1000.chinese_worded_hit_1", "1000.chinese_free_hit_5"),
            *("not_written_share", "writers_lost", "writers_not_acknowledged"),
        ),
    ),
}
WIDTH, LABEL, VALUE, LINE, GAP, TOP = 760, 170, 90, 20, 40, 44
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; } .quiet { fill: #59636e; }
  .bar { fill: #8c959f; } .own { fill: #1a7f64; } .back { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
    .bar { fill: #656c76; } .own { fill: #3fb992; } .back { fill: #0d1117; }
  }
"""


def drawn(figures: dict[str, Any]) -> dict[str, str]:
    """Return the charts by the names of their files."""
    peers = [peer for peer in figures["peers"] if "left_out" not in peer]
    by_key = {row.key: row for row in ROWS}
    return {
        name: _chart(title, [by_key[key] for key in keys], peers, figures["taken"])
        for name, (title, keys) in CHARTS.items()
    }


def _chart(title: str, rows: list[Row], peers: list[dict[str, Any]], taken: str) -> str:
    height = TOP + len(rows) * (GAP + LINE * len(peers)) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="back" width="{WIDTH}" height="{height}" rx="6"/>',
        f'<text class="quiet" x="16" y="26">{escape(title)} · {escape(taken)}</text>',
    ]
    top = TOP
    for row in rows:
        parts += _group(row, peers, top)
        top += GAP + LINE * len(peers)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _group(row: Row, peers: list[dict[str, Any]], top: int) -> list[str]:
    """Draw the bars of one row; the longest fills the width, and a peer without a figure has none."""
    values = [value(row, peer) for peer in peers]
    most = max((each for each in values if each), default=1.0)
    parts = [f'<text class="title" x="16" y="{top + 14}">{escape(row.english)}</text>']
    for place, (peer, found) in enumerate(zip(peers, values, strict=True)):
        y = top + 22 + place * LINE
        length = round((WIDTH - LABEL - VALUE - 32) * (found or 0) / most, 1)
        least = 0 if found is None else 1
        kind = "own" if peer["name"].startswith(TACIT) else "bar"
        parts += [
            f'<text x="16" y="{y + 13}">{escape(peer["name"])}</text>',
            f'<rect class="{kind}" x="{LABEL}" y="{y + 2}" width="{max(length, least)}" height="14" rx="2"/>',
            f'<text class="quiet" x="{LABEL + length + 8}" y="{y + 13}">{escape(shown(row, peer))}</text>',
        ]
    return parts
