"""What is drift and what is not, by kind of claim."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from evals.drift import run as samples
from tacit.entry import claims, drift
from tacit.entry.claims import Said
from tacit.entry.drift import Source, Type
from tacit.entry.sentence import Thing
from tacit.messages import english, say, speaking
from tacit.project.values import Manifest, Survey

MAKE = Manifest("Makefile", "make", tasks={"make": ("test", "build")})
NODE = Manifest(
    "package.json", "node", "shop", tasks={"npm": ("dev", "test")}, versions={"react": "^18.2.0", "node": ">=20"}
)
LOCK = Manifest("pnpm-lock.yaml", "pnpm", versions={"react": "18.3.1"}, is_lock=True)
WORDS = {"src/cart.ts": frozenset({"addToCart", "SHOP_KEY", "CartStore"}), "src/pay.ts": frozenset({"chargeCard"})}
SHOP = Survey("shop", frozenset({"src/cart.ts", "src/pay.ts", "docs/a.md"}), (MAKE, NODE, LOCK), WORDS, bank=".memory")


def found(text: str, survey: Survey = SHOP) -> list[drift.Finding]:
    """What is found in one detail."""
    return drift.find([Source("details/tech.md", text)], survey, say)


@pytest.mark.parametrize(
    ("text", "type_", "trust", "new"),
    [
        ("Run `make tests`.", Type.STALE, "Makefile", "make test"),
        ("Run `npm run dev`.", Type.INCONSISTENT, "pnpm-lock.yaml", "pnpm run dev"),
        ("React 17", Type.STALE, "package.json", "18"),
        ("Node 18+", Type.STALE, "package.json", "20"),
        ("See `lib/pay.ts`.", Type.STALE, "src/pay.ts", "src/pay.ts"),
        ("Set `SHOP_KEYS`.", Type.STALE, "the project's sources", "SHOP_KEY"),
        ("`addToBasket()` adds.", Type.STALE, "the project's sources", ""),
        ("`chargeCard` in `src/cart.ts`", Type.INCONSISTENT, "src/pay.ts", ""),
        ("```sh\n$ make deploy\n```", Type.STALE, "Makefile", ""),
        ("It begins in lib/pay.ts, as ever.", Type.STALE, "src/pay.ts", "src/pay.ts"),
        ("| CART_LIMIT | how many |", Type.STALE, "the project's sources", ""),
        ("```bash\nexport CART_LIMIT=3\n```", Type.STALE, "the project's sources", ""),
        ("Look at `eslint src/basket`.", Type.STALE, "the project's files", ""),
    ],
)
def test_each_kind_of_drift_has_type_trust_and_fix(text: str, type_: Type, trust: str, new: str) -> None:
    """D-03: commands, versions, paths, variables and symbols are compared; code wins; the least fix is named."""
    (finding,) = found(text)

    assert (finding.type, finding.trust_source, finding.new) == (type_, trust, new)
    assert finding.severity in {"high", "medium", "low"}
    assert finding.minimal_fix
    assert finding.description


def test_a_version_without_end_is_none() -> None:
    """X-05, D-03: what a manifest has in place of a version stops nothing, and fills no message."""
    endless = replace(SHOP, manifests=(Manifest("package.json", "node", versions={"react": "1" * 6000}),))
    assert found("React 17", endless) == []


def test_drift_is_told_in_chinese() -> None:
    """D-03: what differs, whom to trust and the fix are sentences in the reader's language."""
    text = "Run `make tests`.\n\nRun `make deploy`.\n\nSet `SHOP_KEYS`.\n\nReact 17\n\nSee `docs/b.md`."
    with speaking("zh"):
        told = [(each.description, each.minimal_fix, each.trust_source) for each in found(text)]

    assert told == [
        ("`make tests`：Makefile 中没有目标 tests", "把 `make tests` 改为 `make test`", "Makefile"),
        ("`make deploy`：Makefile 中没有目标 deploy", "写明取代目标 deploy 的是什么，或删去", "Makefile"),
        ("没有源码使用变量 SHOP_KEYS；最接近的名称是 SHOP_KEY", "把 SHOP_KEYS 改为 SHOP_KEY", "项目源码"),
        ("文中说 react 是 17，但 package.json 写的是 ^18.2.0", "把 17 改为 18", "package.json"),
        ("docs/b.md 不存在；最接近的是 docs/a.md", "写明取代文件 docs/b.md 的是什么，或删去", "项目文件"),
    ]


def test_whatever_can_be_missing_has_a_word() -> None:
    """D-03: mypy sees to it that no other word is used."""
    assert {f"drift.kind.{each}" for each in get_args(Thing)} <= english.MESSAGES.keys()


@pytest.mark.parametrize(
    "text",
    [
        "Run `make test`, then `pnpm dev`.",
        "React 18, React 18.2 and React 18.3.1",
        "Node 20+",
        "`src/cart.ts`, `cart.ts`, `src/` and `dist/bundle.js`",
        "`SHOP_KEY` and `CartStore`",
        "The old `src/basket.ts` was removed.",
        "For example `src/whatever.ts`.",
        "```python\nimport nothing_here\n```",
        "`feature/login`, `application/json`, `/api/users`, `src/*.ts`",
        "See [the notes](../MEMORY.md) and [a page](https://example.org/x.md).",
        "<!-- `make gone` -->",
        "```\nmake sure that it runs\njust run it\n```",
        "Functions are `snake_case`, classes `PascalCase`, files `kebab-case.ts`, `MyComponent.tsx`",
        "`console.log()`, `GitHub` and `NODE_ENV`; `AWS_REGION`",
        "see https://example.org/lib/pay.ts for more",
    ],
)
def test_what_is_true_planned_or_gone_is_no_drift(text: str) -> None:
    """D-03: no false alarm for true statements, for what is said to be gone, made or planned, or for examples."""
    bank = replace(SHOP, bank_files=frozenset({".memory/MEMORY.md"}))

    assert found(text, bank) == []


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("`uvicorn shop.main:app --reload`", False),
        ("`uvicorn shop.server:app`", True),
        ("`celery -A shop.jobs worker`", True),
        ("`python -m shop.main`", False),
        ("`python -m shop.gone`", True),
        ("`python -m pytest`", False),
        ("`pytest tests/unit`", False),
        ("`pytest tests/slow`", True),
        ("`poetry run python -m shop.gone`", True),
        ("Postgres 15", True),
        ("PostgreSQL 16", False),
        ("`pip install -r requirements-dev.txt`", True),
        ("`docker compose exec web sh`", True),
        ("`docker compose exec db sh`", False),
        ("`make -C other anything`", False),
        ("`python manage.py '`", False),
    ],
)
def test_commands_of_a_python_project(text: str, *, is_wrong: bool) -> None:
    """D-03: modules, folders, requirement files, services and images are looked up where their tools look."""
    files = frozenset({"shop/__init__.py", "shop/main.py", "tests/unit/test_a.py", "manage.py"})
    python = Manifest("pyproject.toml", "python", "shop", tasks={"python": ()})
    compose = Manifest("compose.yaml", "docker", tasks={"compose": ("db",)}, versions={"postgresql": "16"})

    assert bool(found(text, Survey("shop", files, (python, compose, MAKE), {}))) is is_wrong


def test_a_project_that_says_two_things_is_ambiguous() -> None:
    """D-03: where manifests disagree about a runtime, the document is not blamed."""
    two = Survey("x", frozenset(), (NODE, Manifest(".nvmrc", "node", versions={"node": "18"})), {})

    (finding,) = found("Node 18", two)
    assert (finding.type, finding.new) == (Type.AMBIGUOUS, "")


def test_details_win_over_the_entry_document_and_newer_over_older() -> None:
    """D-03: what the project does not say is compared among the documents, each with its winner."""
    empty = Survey("x", frozenset(), (), {})
    entry = Source("MEMORY.md", "PostgreSQL 14\n", "2026-05-01T00:00:00Z")
    old = Source("details/a.md", "PostgreSQL 15\n", "2026-01-01T00:00:00Z")
    new = Source("details/b.md", "PostgreSQL 16\n", "2026-02-01T00:00:00Z")

    told = drift.find([entry, old, new], empty, say)
    assert [(each.type, each.file, each.trust_source, each.new) for each in told] == [
        (Type.INCONSISTENT, "MEMORY.md", "details/b.md", "16"),
        (Type.INCONSISTENT, "details/a.md", "details/b.md", "16"),
    ]


def test_nothing_is_missing_in_a_project_that_was_not_seen_whole() -> None:
    """D-03: conflicts are found, not guessed."""
    part = replace(SHOP, is_whole=False)

    assert found("`src/none.ts`, `make none`, `NO_KEY`", part) == []


@pytest.mark.parametrize(
    ("said", "or_newer", "wanted", "verdict"),
    [
        ("3.11", True, ">=3.11", True),
        ("3.10", True, ">=3.11", False),
        ("3.12", False, ">=3.11,<4", True),
        ("3.10", False, ">=3.11", False),
        ("5.0", False, ">=3.11,<5", False),
        ("18", False, "^18.2.0", True),
        ("18.3", False, "^18.2.0", True),
        ("19", False, "^18.2.0", False),
        ("0.3", False, "^0.2.1", False),
        ("5.4.9", False, "~5.4.0", True),
        ("5.5", False, "~5.4.0", False),
        ("7.2", False, "~> 7.1.3", False),
        ("1.21", False, "1.22", False),
        ("20", True, "22.1.0", True),
        ("1", False, "*", None),
        ("1", False, "workspace:", None),
        ("1", False, "<2", None),
        ("18", False, "^18 || ^20", None),
    ],
)
def test_versions_are_compared_as_manifests_mean_them(
    said: str, wanted: str, verdict: object, *, or_newer: bool
) -> None:
    """D-03: a version is wrong only if the manifest's own words do not allow it."""
    assert claims.agrees(Said(said, or_newer), wanted) is verdict


def test_claims_have_their_lines() -> None:
    """D-03: each claim names the line it stands on, with fences and comments counted."""
    text = "# T\n\n```\nmake a\n```\n<!-- x\ny -->\n`src/b.py`\n"

    assert [(claim.kind, claim.line) for claim in claims.of(text, ())] == [("command", 4), ("path", 8)]


def test_sample_projects_are_judged_well_enough() -> None:
    """D-03: on the reporting half of the sample projects at least 85 % are found with at most 5 % false alarms."""
    figures = samples.measure()["report"]

    assert figures["drifts"] + samples.measure()["tune"]["drifts"] >= 60
    assert figures["found_share"] >= 0.85
    assert figures["false_alarm_share"] <= 0.05


@pytest.mark.parametrize(
    "text", ["`Main" + "H" * 80 + ".`", "3" + " " * 100_000, "<!--" * 50_000, "`" + "a/" * 50_000], ids=range(4)
)
def test_no_document_keeps_the_reader_busy(text: str) -> None:
    """X-05: long names, blanks and comments that never end are passed over."""
    assert claims.of(text, ["python"]) == []
