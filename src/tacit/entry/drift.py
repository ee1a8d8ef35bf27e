"""Where documents and project disagree: what is stale, inconsistent or ambiguous, whom to trust, and the least fix."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TYPE_CHECKING

from tacit.entry import claims, commands
from tacit.entry.claims import Claim, Kind, simple
from tacit.entry.sentence import FILES, SOURCES, Sentence, changed, phrase, replaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.entry.sentence import Say, Thing
    from tacit.project.values import Survey

# Servers and systems that documents give versions of and manifests mostly do not.
_KNOWN = frozenset(
    """
    node python go rust java ruby php postgresql postgres mysql mariadb redis mongodb kafka nginx elasticsearch rabbitmq
    kubernetes terraform ubuntu debian alpine docker sqlite clickhouse cassandra memcached opensearch typescript
    """.split()  # noqa: SIM905  words, not a column of quotes
)
_RUNTIMES = frozenset({"node", "python", "go", "rust", "java", "ruby", "php", "net", "elixir"})
# Files that a person makes on a machine of their own, and what programs leave behind.
_MADE = re.compile(
    r"(?:^|/)(?:\.git|node_modules|dist|build|out|target|coverage|htmlcov|\.venv|venv|__pycache__|\.next|\.cache|\.local"
    r"|\.trash|staging|tmp|logs?)(?:/|$)|(?:^|/)\.env(?:\.\w+)?$|\.(?:log|pid|sqlite3?|db|pem|key)$|memory\.lock$"
)
_ALSO_CALLED = {"postgresql": "postgres", "postgres": "postgresql", "mongodb": "mongo"}
_NEAR = 0.75
# What is longer is no version, and Python makes no number of thousands of digits.
_LONGEST_VERSION = 200


class Type(StrEnum):
    """What is wrong: the document is behind, two sources disagree, or the project itself says two things."""

    STALE = "stale"
    INCONSISTENT = "inconsistent"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Source:
    """A document that is compared: its path inside the bank, its text, when it was changed."""

    file: str
    text: str
    mtime: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One disagreement. `old` and `new` are the words to exchange in the line, where that alone mends it."""

    type: Type
    severity: str
    description: str
    trust_source: str
    minimal_fix: str
    file: str
    line: int
    kind: str
    subject: str
    old: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What a claim turned out to be, before it is put in words."""

    type: Type
    severity: str
    reason: Sentence
    trust: str | Sentence
    fix: Sentence
    new: str = ""


def find(sources: Sequence[Source], survey: Survey, say: Say) -> list[Finding]:
    """Return every disagreement between the documents and the project, and among the documents, as `say` puts it."""
    known = _versions_of(survey)
    subjects = frozenset(known) | _KNOWN
    found: list[Finding] = []
    unknown: dict[str, list[tuple[Source, Claim]]] = defaultdict(list)
    for source in sources:
        for claim in dict.fromkeys(claims.of(source.text, subjects)):
            if claim.kind is Kind.VERSION and claim.subject not in known:
                unknown[claim.subject].append((source, claim))
                continue
            verdict = _judge(claim, source, survey, known)
            if verdict is not None:
                found.append(_finding(verdict, claim, source, say))
    for about in unknown.values():
        found += (_finding(verdict, claim, source, say) for verdict, claim, source in _among_documents(about))
    return sorted(set(found), key=lambda each: (each.file, each.line, each.kind, each.subject))


def _judge(
    claim: Claim, source: Source, survey: Survey, known: dict[str, list[tuple[str, str, bool]]]
) -> _Verdict | None:
    match claim.kind:
        case Kind.VERSION:
            return _version(claim, known[claim.subject])
        case Kind.COMMAND:
            wrong = commands.judge(claim.text, survey)
            if wrong is None:
                return None
            type_ = Type.INCONSISTENT if wrong.is_other_tool else Type.STALE
            return _Verdict(type_, "high", wrong.reason, wrong.trust, wrong.fix, wrong.new)
        case Kind.PATH:
            return _path(claim, source, survey)
        case Kind.VARIABLE:
            return _word(claim, survey, "medium")
        case Kind.SYMBOL:
            return _symbol(claim, survey)


def _finding(verdict: _Verdict, claim: Claim, source: Source, say: Say) -> Finding:
    trust = verdict.trust
    return Finding(
        type=verdict.type,
        severity=verdict.severity,
        description=verdict.reason.spoken(say),
        trust_source=trust if isinstance(trust, str) else trust.spoken(say),
        minimal_fix=verdict.fix.spoken(say),
        file=source.file,
        line=claim.line,
        kind=str(claim.kind),
        subject=claim.subject if claim.kind is Kind.VERSION else claim.text,
        old=claim.text if verdict.new else "",
        new=verdict.new,
    )


# ── Versions ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _versions_of(survey: Survey) -> dict[str, list[tuple[str, str, bool]]]:
    """Return subject → where the project says a version of it, which, and whether that is a lock."""
    found: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    for manifest in survey.manifests:
        for name, wanted in manifest.versions.items():
            if len(wanted) <= _LONGEST_VERSION and claims.numbers(wanted):
                found[simple(name.rpartition("/")[2] if name.startswith("@") else name)].append(
                    (manifest.file, wanted, manifest.is_lock)
                )
    for name, other in [(each, _otherwise(each)) for each in found]:
        found.setdefault(other, found[name])
    return {name: said for name, said in found.items() if any(not lock for _, _, lock in said)}


def _otherwise(name: str) -> str:
    """Return what else people call a subject."""
    return _ALSO_CALLED.get(name) or name.removesuffix("js").removesuffix("css")


def _version(claim: Claim, said: list[tuple[str, str, bool]]) -> _Verdict | None:
    assert claim.said is not None  # noqa: S101  every claim about a version says one
    judged = [(file, wanted, claims.agrees(claim.said, wanted)) for file, wanted, lock in said if not lock]
    locked = [(file, version) for file, version, lock in said if lock and claims.numbers(version)]
    against = [(file, wanted) for file, wanted, verdict in judged if verdict is False]
    agreeing = [file for file, _, verdict in judged if verdict]
    if against and agreeing:
        if claim.subject not in _RUNTIMES:
            return None  # packages of one repository may differ in what they use
        (file, wanted), first = against[0], agreeing[0]
        return _Verdict(
            Type.AMBIGUOUS,
            "medium",
            phrase("agrees", subject=claim.subject, version=claim.text, first=first, file=file, wanted=wanted),
            file,
            phrase("decide", subject=claim.subject, first=first, file=file),
        )
    if against:
        file, wanted = against[0]
        new = claims.plain(locked[0][1] if locked and not claim.said.or_newer else wanted, claim.text)
        return _stale_version(claim, file, wanted, new)
    stated = [wanted for _, wanted, verdict in judged if verdict]
    parts = claim.said.numbers
    exact = [wanted for wanted in stated if claims.is_exactly(claim.said, wanted)]
    if locked and len(parts) > 1 and not exact and not any(claims.is_exactly(claim.said, each) for _, each in locked):
        return _stale_version(claim, locked[0][0], locked[0][1], claims.plain(locked[0][1], claim.text))
    return None


def _stale_version(claim: Claim, file: str, wanted: str, new: str) -> _Verdict:
    major = claim.said is not None and claim.said.numbers[:1] != claims.numbers(wanted)[:1]
    return _Verdict(
        Type.STALE,
        "high" if major else "medium",
        phrase("version", subject=claim.subject, version=claim.text, file=file, wanted=wanted),
        file,
        changed(claim.text, new),
        new,
    )


def _among_documents(about: list[tuple[Source, Claim]]) -> Iterable[tuple[_Verdict, Claim, Source]]:
    """Yield the claims about one subject, of which the project says nothing, that another document contradicts."""
    best = max(about, key=lambda pair: (pair[0].file.startswith("details/"), pair[0].mtime, pair[0].file))
    trusted, right = best
    for source, claim in about:
        assert claim.said is not None  # noqa: S101  as above
        assert right.said is not None  # noqa: S101  as above
        short = min(len(claim.said.numbers), len(right.said.numbers))
        if claim.said.numbers[:short] != right.said.numbers[:short]:
            reason = phrase(
                "two_versions", subject=claim.subject, version=claim.text, other=right.text, file=trusted.file
            )
            fix = changed(claim.text, right.text)
            yield _Verdict(Type.INCONSISTENT, "medium", reason, trusted.file, fix, right.text), claim, source


# ── Paths and names ───────────────────────────────────────────────────────────────────────────────────────────────────


def _path(claim: Claim, source: Source, survey: Survey) -> _Verdict | None:
    path = claim.text.removeprefix("./")
    if not survey.is_whole or _MADE.search(path) or _stands(path, source, survey):
        return None
    first = path.partition("/")[0]
    name = path.rstrip("/").rpartition("/")[2]
    looks_sure = "." in name.strip(".") or path.endswith("/") or claim.subject == "link"
    if not looks_sure and first not in survey.folders:
        return None  # a branch, an address, a pair of words
    if "/" not in path.rstrip("/") and f"/{name}" in survey.vocabulary:
        return None  # the program itself speaks of it, so it makes or looks for it where it runs
    same = sorted(file for file in survey.files | survey.folders if file.rpartition("/")[2] == name)
    if len(same) == 1:
        new = same[0] + ("/" if path.endswith("/") else "")
        return _Verdict(Type.STALE, "medium", phrase("moved", path=path, new=new), new, changed(claim.text, new), new)
    beside = path.rstrip("/").rpartition("/")[0]
    siblings = [each for each in survey.files | survey.folders if each.rpartition("/")[0] == beside]
    near = get_close_matches(path.rstrip("/"), siblings, n=1, cutoff=_NEAR)
    reason = phrase("path_near", path=path, near=near[0]) if near else phrase("path", path=path)
    return _Verdict(Type.STALE, "medium", reason, FILES, replaced("file", path))


def _stands(path: str, source: Source, survey: Survey) -> bool:
    bare = path.rstrip("/")
    if any(mark in path for mark in ("*", "<", ">", "{", "$", "…")):
        return True
    folder = source.file.rpartition("/")[0]
    beside = _joined(folder, bare)
    bank = survey.bank
    tries = {bare, beside, *(_joined(f"{bank}/{folder}" if folder else bank, bare),), f"{bank}/{bare}"}
    everything = survey.files | survey.folders
    if tries & everything or tries & survey.bank_files:
        return True
    if "/" not in bare:
        return any(file.rpartition("/")[2] == bare for file in everything)
    return any(file.endswith(f"/{bare}") for file in everything)


def _joined(folder: str, path: str) -> str:
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", ".."):
            parts.append(part)
    return "/".join(parts)


def _symbol(claim: Claim, survey: Survey) -> _Verdict | None:
    parts = re.split(r"\.|::|#", claim.text)
    if claim.subject and claim.subject in survey.words:
        missing = [part for part in parts if part not in survey.words[claim.subject]]
        if missing:
            holders = sorted(file for file, words in survey.words.items() if set(parts) <= words)
            if len(holders) == 1:
                return _Verdict(
                    Type.INCONSISTENT,
                    "medium",
                    phrase("elsewhere", name=claim.text, file=claim.subject, other=holders[0]),
                    holders[0],
                    changed(claim.subject, holders[0]),
                )
            if not holders:
                return _gone(claim, missing[-1], survey, "medium")
    return _word(claim, survey, "medium")


def _word(claim: Claim, survey: Survey, severity: str) -> _Verdict | None:
    if not survey.is_whole or not survey.words:
        return None
    parts = [part for part in re.split(r"\.|::|#", claim.text) if part]
    folded = survey.folded
    missing = [part for part in parts if part.lower() not in folded]
    return _gone(claim, missing[-1], survey, severity) if missing else None


def _gone(claim: Claim, missing: str, survey: Survey, severity: str) -> _Verdict:
    parts = _parts(missing)
    likely = [word for word in survey.vocabulary if word.isupper() == missing.isupper() and parts & _parts(word)]
    near = get_close_matches(missing, likely, n=1, cutoff=_NEAR)
    new = claim.text.replace(missing, near[0]) if near else ""
    kind: Thing = "variable" if claim.kind is Kind.VARIABLE else "name"
    fix = changed(claim.text, new) if new else replaced(kind, claim.text)
    reason = phrase("unused", kind=kind, name=missing)
    if near:
        reason = phrase("unused_near", kind=kind, name=missing, near=near[0])
    return _Verdict(Type.STALE, severity, reason, SOURCES, fix, new)


def _parts(name: str) -> set[str]:
    """Return the words that a name is put together from."""
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]{3,}", name)}
