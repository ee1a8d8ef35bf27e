"""Write the comparison with other memories from the figures of the last run and the table of features.

python scripts/make_comparison.py     write what is out of date, and say what that was
"""
# ruff: noqa: INP001  a script, not a package

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.peers import charts  # noqa: E402  run as a script, it finds its neighbours only now
from benchmarks.peers.rows import ROWS, ahead, own_value, reasons, shown, value  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.peers.rows import Row

RESULTS = ROOT / "benchmarks/results"
FIGURES = RESULTS / "side_by_side.json"
FEATURES = ROOT / "benchmarks/peers/features.toml"
SENTENCES = ROOT / "benchmarks/peers/page.toml"
SIGNS = {"yes": "✔", "partly": "◐", "no": "✘", "unknown": "?"}


PAGES = {"docs/comparison.md": "english", "docs/comparison.zh-CN.md": "chinese"}
Words = dict[str, Any]


def pages() -> dict[str, str]:
    """Return path → text of the pages and charts."""
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    features = tomllib.loads(FEATURES.read_text(encoding="utf-8"))
    drawn = {f"benchmarks/results/{name}": text for name, text in charts.drawn(figures).items()}
    sentences = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    words = {name: {**sentences[language], "language": language} for name, language in PAGES.items()}
    return {name: page(each, figures, features) for name, each in words.items()} | drawn


def page(words: Words, figures: dict[str, Any], features: dict[str, Any]) -> str:
    """Return the page in one language."""
    peers = [peer for peer in figures["peers"] if "left_out" not in peer]
    parts = [
        f"# {words['title']}",
        words["intro"],
        f"## {words['measured']}",
        "\n".join(f"- {line}" for line in _how(words, figures)),
        "\n".join(_measured(words, peers)),
        *(f"![{title}](../benchmarks/results/{name})" for name, (title, _) in charts.CHARTS.items()),
        "\n".join(_remarks(words, figures["peers"])),
        f"### {words['behind']}",
        "\n".join(_behind(words, peers)) or words["behind_none"],
        f"## {words['features']}",
        words["features_intro"].format(read=features["read"]),
        "\n".join(_features(words, features)),
        f"### {words['about']}",
        "\n".join(_about(words, features)),
    ]
    return "\n\n".join(parts) + "\n"


def _how(words: Words, figures: dict[str, Any]) -> list[str]:
    size, large = figures["sizes"]
    known = {
        **{name: figures[name] for name in ("taken", "cores", "machine")},
        "minutes": round(sum(peer.get("minutes", 0) for peer in figures["peers"])),
        "size": size,
        "large": large,
    }
    lines = [words["separately"] if figures.get("separately") else words["together"], *words["how"]]
    return [line.format(**known) for line in lines]


def _measured(words: Words, peers: list[dict[str, Any]]) -> Iterator[str]:
    yield _line([words["figure"], *(f"{peer['name']} {peer['version']}" for peer in peers)])
    yield _line(["---", *("---:" for _ in peers)])
    yield _line([words["finds_by"], *(words["notes"].get(peer["finds_by"], peer["finds_by"]) for peer in peers)])
    yield _line([words["load"], *(" → ".join(map(str, peer.get("load", "–"))) for peer in peers)])
    for row in ROWS:
        best = _best(row, peers)
        cells = [shown(row, peer) for peer in peers]
        yield _line([getattr(row, words["language"]), *(f"**{cell}**" if cell in best else cell for cell in cells)])


def _best(row: Row, peers: list[dict[str, Any]]) -> set[str]:
    """Return how the best figure of a row is shown."""
    found = [(number, peer) for peer in peers if (number := value(row, peer)) is not None]
    if not found:
        return set()
    most = (max if row.more else min)(number for number, _ in found)
    return {shown(row, peer) for number, peer in found if number == most}


def _remarks(words: Words, peers: list[dict[str, Any]]) -> Iterator[str]:
    """Say what had to be done for a peer, what it did not get through, and why it is left out."""
    for peer in peers:
        said = [words["notes"].get(peer["remarks"], peer["remarks"])] if peer["remarks"] else []
        said += [words["left_out"].format(reason=peer["left_out"])] if "left_out" in peer else []
        said += [words["failed"].format(what=what, reason=why) for what, why in peer.get("failed", {}).items()]
        if said:
            yield words["remark"].format(name=peer["name"], said="; ".join(said))


def _behind(words: Words, peers: list[dict[str, Any]]) -> Iterator[str]:
    behind = {row: names for row in ROWS if (names := ahead(row, peers))}
    why = reasons([row.key for row in behind])
    yield from [words["judged"], ""] if behind else []
    for row, names in behind.items():
        has_figure = own_value(row, peers) is not None
        reason = why.get(row.key, {}).get(words["language"], "") if has_figure else words["no_figure"]
        yield words["ahead"].format(row=getattr(row, words["language"]), names=", ".join(names), reason=reason)


def _features(words: Words, features: dict[str, Any]) -> Iterator[str]:
    products = features["product"]
    yield _line([words["feature"], *(product["name"] for product in products)])
    yield _line(["---", *(":---:" for _ in products)])
    for feature in features["feature"]:
        yield _line([feature[words["language"]], *(SIGNS[feature["marks"][product["key"]]] for product in products)])
    yield _line([words["licence"], *(product["licence"] for product in products)])


def _about(words: Words, features: dict[str, Any]) -> Iterator[str]:
    for product in features["product"]:
        targets = " · ".join(f"[{number}]({target})" for number, target in enumerate(product["sources"], 1))
        yield f"- **{product['name']}**: {product[words['language']]} {words['sources']}: {targets}"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Write what is out of date."""
    for name, text in pages().items():
        path = ROOT / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
