"""The rows of the comparison: what each is called in both languages, which way is better, and why Tacit is behind."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

REASONS = Path(__file__).with_name("reasons.toml")
TACIT = "tacit"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: where it stands among those of a peer, its names, its unit, and whether more is better."""

    key: str
    english: str
    chinese: str
    unit: str = ""
    more: bool = False
    digits: int = 0


ROWS = (
    Row("install_mb", "installed", "安装大小", "MB"),
    Row("schema_kb", "schema of the tools", "工具模式大小", "kB", digits=1),
    Row("start_s", "start → tools/list, nothing of it running", "启动到 tools/list，此前没有它的进程", "s", digits=2),
    Row(
        "start_again_s", "start → tools/list, beside an open session", "启动到 tools/list，已有一个会话", "s", digits=2
    ),
    Row("add_p50_ms", "write a note, p50", "写一条笔记，p50", "ms", digits=1),
    Row("add_p95_ms", "write a note, p95", "写一条笔记，p95", "ms", digits=1),
    Row("add_cpu_ms", "write a note, CPU", "写一条笔记，CPU", "ms", digits=1),
    Row("not_written_share", "different notes refused at first", "互不相同却先被拒绝的笔记", "%", digits=1),
    Row("1000.search_p50_ms", "search among 1,000 notes, p50", "在 1,000 条中搜索，p50", "ms", digits=1),
    Row("1000.search_p95_ms", "search among 1,000 notes, p95", "在 1,000 条中搜索，p95", "ms", digits=1),
    Row("1000.search_cpu_ms", "search among 1,000 notes, CPU", "在 1,000 条中搜索，CPU", "ms", digits=1),
    Row("10000.search_p50_ms", "search among 10,000 notes, p50", "在 10,000 条中搜索，p50", "ms", digits=1),
    Row("10000.search_p95_ms", "search among 10,000 notes, p95", "在 10,000 条中搜索，p95", "ms", digits=1),
    Row("10000.search_cpu_ms", "search among 10,000 notes, CPU", "在 10,000 条中搜索，CPU", "ms", digits=1),
    Row("1000.memory_mb", "memory with 1,000 notes", "1,000 条时的内存", "MB"),
    Row("10000.memory_mb", "memory with 10,000 notes", "10,000 条时的内存", "MB"),
    Row("1000.hit_1", "right note first, among 1,000", "首条即正确，1,000 条中", "%", more=True),
    Row("10000.hit_1", "right note first, among 10,000", "首条即正确，10,000 条中", "%", more=True),
    Row("1000.chinese_worded_hit_1", "Chinese, the note's words: first", "中文，用笔记原词：首条", "%", more=True),
    Row("1000.chinese_worded_hit_5", "Chinese, the note's words: among 5", "中文，用笔记原词：前五条", "%", more=True),
    Row("1000.chinese_free_hit_5", "Chinese, other words: among 5", "中文，换一种说法：前五条", "%", more=True),
    Row("writers_lost", "8 writers × 20: acknowledged and lost", "8 个写入者 × 20：已确认却丢失"),
    Row("writers_not_acknowledged", "8 writers × 20: refused or failed", "8 个写入者 × 20：被拒或失败"),
    Row("kills_lost", "5 × kill -9: acknowledged and lost", "5 次 kill -9：已确认却丢失"),
    Row("kills_broken", "5 × kill -9: unreadable afterwards", "5 次 kill -9：之后无法读取"),
    Row("kills_left_over", "5 × kill -9: temporary files left", "5 次 kill -9：残留的临时文件"),
)


def value(row: Row, peer: dict[str, Any]) -> float | None:
    """Return a peer's figure, rounded as it is shown; None if there is none."""
    found: Any = peer
    for part in row.key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    if not isinstance(found, int | float):
        return None
    return round(found * 100 if row.unit == "%" else found, row.digits)


def shown(row: Row, peer: dict[str, Any]) -> str:
    """Return a figure with its unit; a dash if there is none, or the time within which there was none."""
    found = value(row, peer)
    if found is not None:
        return f"{found:,.{row.digits}f} {row.unit}".strip()
    size = peer.get(row.key.partition(".")[0])
    return f"> {size['not_within_s']:.0f} s" if isinstance(size, dict) and "not_within_s" in size else "–"


def ahead(row: Row, peers: list[dict[str, Any]]) -> list[str]:
    """Return who is better than Tacit without models in a row, best first; none where it is ahead or level.

    Where Tacit has no figure, everybody who has one is ahead.
    """
    own = own_value(row, peers)
    others = [(peer["name"], value(row, peer)) for peer in peers if not peer["name"].startswith(TACIT)]
    better = [(name, each) for name, each in others if each is not None and (own is None or _beats(row, each, own))]
    return [name for name, _ in sorted(better, key=lambda pair: -pair[1] if row.more else pair[1])]


def own_value(row: Row, peers: list[dict[str, Any]]) -> float | None:
    """Return the figure of Tacit without models."""
    return next((value(row, peer) for peer in peers if peer["name"] == TACIT), None)


def _beats(row: Row, one: float, other: float) -> bool:
    return one > other if row.more else one < other


def reasons(told: Collection[str] = ()) -> dict[str, dict[str, str]]:
    """Return why Tacit is behind in a row, by the row's key, in both languages.

    Where the reason of another row holds, that row is named if it is among those that are `told`.
    """
    found: dict[str, dict[str, str]] = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    named = {row.key: {"english": f"As for “{row.english}”.", "chinese": f"同“{row.chinese}”。"} for row in ROWS}
    return {
        key: why if "like" not in why else named[why["like"]] if why["like"] in told else found[why["like"]]
        for key, why in found.items()
    }
