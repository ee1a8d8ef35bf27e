"""Hold the figures of the suites to what was kept: none may become worse by more than its tolerance."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

WATCHED = Path(__file__).with_name("watched.toml")
KEPT, HISTORY = "kept.json", "history.jsonl"
# A difference below this is how a number is written down, not what it says.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Figure:
    """One watched figure: its name, what it is now, which way is better, and by how much it may fall short."""

    name: str
    value: float
    more: bool
    tolerance: float

    def gain(self, kept: float) -> float:
        """Return by how much it is better than what was kept; negative if it is worse."""
        return self.value - kept if self.more else kept - self.value

    def is_worse(self, kept: float) -> bool:
        """Whether it fell short of what was kept by more than it may."""
        return self.gain(kept) < -self.tolerance - _ROUNDING


def watched(suite: str, results: Mapping[str, Any], *, with_models: bool) -> list[Figure]:
    """Return what is watched in the figures of a suite; what needs models is left out where there are none."""
    rules = tomllib.loads(WATCHED.read_text(encoding="utf-8"))["watch"]
    return [
        figure
        for rule in rules
        if rule["suite"] == suite and (with_models or not rule.get("with_models"))
        for figure in _taken(rule, results)
    ]


def _taken(rule: Mapping[str, Any], results: Mapping[str, Any]) -> Iterator[Figure]:
    wanted = rule.get("match", {})
    for path in rule["path"]:
        for row in _rows(results, path):
            if any(row.get(name) != value for name, value in wanted.items()):
                continue
            about = [rule["suite"], path.partition(".")[0], *(str(row[name]) for name in rule.get("by", ()))]
            for column in (*rule.get("more", ()), *rule.get("less", ())):
                if isinstance(row.get(column), int | float):
                    is_more = column in rule.get("more", ())
                    yield Figure(" · ".join([*about, column]), float(row[column]), is_more, float(rule["tolerance"]))


def _rows(results: Mapping[str, Any], path: str) -> list[Mapping[str, Any]]:
    """Return the rows at a path, a single one as a list of one; none if that set was not measured."""
    found: Any = results
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def judged(figures: list[Figure], kept: Mapping[str, float]) -> list[tuple[Figure, float | None, str]]:
    """Return each figure with what was kept of it and a word: new, better, same, within (its tolerance) or worse."""
    verdicts = []
    for figure in figures:
        before = kept.get(figure.name)
        if before is None:
            word = "new"
        elif figure.is_worse(before):
            word = "worse"
        else:
            gain = figure.gain(before)
            word = "better" if gain > _ROUNDING else "within" if gain < -_ROUNDING else "same"
        verdicts.append((figure, before, word))
    return verdicts


def raised(
    kept: Mapping[str, float], verdicts: list[tuple[Figure, float | None, str]], *, anyway: bool
) -> dict[str, float]:
    """Return what is kept from now on: the new and the better figures, and all of them if a person says so."""
    taken = {figure.name: figure.value for figure, _, word in verdicts if anyway or word in ("new", "better")}
    return dict(sorted({**kept, **taken}.items()))


def show(verdicts: list[tuple[Figure, float | None, str]]) -> None:
    """Print one table of all watched figures."""
    print(f"── watched figures\n  {'figure':62}{'kept':>8}{'now':>8}{'may lose':>10}  verdict")
    for figure, kept, word in verdicts:
        before = "–" if kept is None else f"{kept:.3f}"
        told = "WORSE" if word == "worse" else word
        print(f"  {figure.name:62}{before:>8}{figure.value:8.3f}{figure.tolerance:10.3f}  {told}")


def hold(figures: list[Figure], folder: Path, *, anyway: bool) -> bool:
    """Compare with what is kept in a folder, add to its history, keep what is better; return whether all is well.

    If any figure became worse, nothing is kept unless `anyway`.
    """
    file = folder / KEPT
    kept: dict[str, float] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    verdicts = judged(figures, kept)
    show(verdicts)
    line = {
        "taken": datetime.now(UTC).isoformat(timespec="seconds"),
        "figures": {each.name: each.value for each in figures},
    }
    with (folder / HISTORY).open("a", encoding="utf-8") as history:
        history.write(json.dumps(line, ensure_ascii=False) + "\n")
    worse = [figure.name for figure, _, word in verdicts if word == "worse"]
    if anyway or not worse:
        text = json.dumps(raised(kept, verdicts, anyway=anyway), indent=1, ensure_ascii=False)
        file.write_text(text + "\n", encoding="utf-8")
        return True
    print(f"  {len(worse)} of {len(verdicts)} became worse: {'; '.join(worse)}")
    print("  If that is meant, run again with --keep.")
    return False
