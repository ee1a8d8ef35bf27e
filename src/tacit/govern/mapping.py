"""From a payload to the note that it would become."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from tacit.errors import PayloadRefused
from tacit.govern import statement, vocabulary
from tacit.govern.scorecard import Allowed
from tacit.note.model import (
    MAX_TITLE_CHARS,
    Audience,
    Kind,
    Layer,
    Level,
    Note,
    Origin,
    Portability,
    Scope,
    Strength,
    Timing,
)
from tacit.note.payload import MAX_WHEN_LINES, Source
from tacit.text import clip, simplified
from tacit.text.tokens import STOP_EN, as_sentence, is_latin

if TYPE_CHECKING:
    from tacit.govern.scorecard import Scorecard
    from tacit.note.payload import Payload

# Kind → words that show it, and not only name a thing of that kind ("an error code", "a template literal"); the first
# that fits is taken, `decision` where alternatives were weighed.
_KIND_WORDS = (
    (
        Kind.TROUBLESHOOTING,
        (
            r"(?i)\b(?:(?:fails?|failed|breaks?|crash(?:es|ed)?|hangs?) (?:when|if|with|because|on|after)|root cause"
            r"|caused by|workaround)\b|根因|排查|故障"
            r"|(?:报错|失败|崩溃|卡死|超时|变慢)(?:时|.{0,20}(?:原因|因为|是由于))"
        ),
    ),
    (Kind.PATTERN, r"(?i)\b(?:how to|runbook|steps? to|checklist|workflow)\b|流程(?!图)|步骤|套路|设计模式"),
    (
        Kind.BUSINESS,
        r"(?i)\b(?:customers?|orders|invoices?|refunds?|price|pricing|tenants?)\b|客户(?!端)|订单|退款|价格|租户|业务",
    ),
    (
        Kind.REFERENCE,
        (
            r"(?i)\bhttps?://|\bwiki\b|\b(?:docs?|documentation|designs?|specs?) (?:is|are|lives?) (?:in|at|on|under)\b"
            r"|文档(?:在|见|位于)|参考|链接"
        ),
    ),
)
_HOW_TO = frozenset({Kind.PATTERN, Kind.TROUBLESHOOTING})
_NAMES = ("I", "Go")
_SCENE_WORD = re.compile(r"(?i)(?:when|while|if|before|after|in|on|for|during|with|at|whenever|as)\b")
# What the user asked for or chose holds until shown otherwise; what an agent noticed is a guess.
_ASKED = frozenset({Source.REMEMBER, Source.CHOICE, Source.INIT, Source.EXTRACT})


def candidate(
    payload: Payload, card: Scorecard, *, by_hand: bool, ts: str, session: str
) -> tuple[Note, tuple[str, ...]]:
    """Return the note a payload would become, without an id, and the names of the fields that were inferred."""
    kind = payload.kind or _kind(payload)
    layer = payload.layer or (Layer.PROCEDURAL if kind in _HOW_TO else Layer.DECLARATIVE)
    weak = card.allowed is Allowed.WEAK
    when = tuple(dict.fromkeys((payload.scene, *payload.when_to_load)))
    note = Note(
        id="",
        title=payload.title or clip(_title(payload), MAX_TITLE_CHARS // 2),
        layer=layer,
        kind=kind,
        level=_level(payload, card.allowed),
        strength=_strength(payload, weak=weak),
        scope=Scope.NARROW if weak else payload.scope or Scope.MEDIUM,
        audience=payload.apply,
        portability=Portability.CROSS_PROJECT if payload.apply is not Audience.PROJECT else Portability.PROJECT_ONLY,
        timing=payload.timing or Timing.PRE,
        source=str(payload.source),
        origin=Origin.USER if by_hand else Origin.IMPORT if payload.source is Source.IMPORT else Origin.AGENT,
        tags=payload.tags,
        created=ts,
        updated=ts,
        session=session[:MAX_TITLE_CHARS],
        when_to_load=when[:MAX_WHEN_LINES],
        one_liner=payload.one_liner or one_liner(payload.scene, payload.choice),
        decision=payload.choice,
        signals="\n".join((*filter(None, [payload.signals]), *(f"- {line}" for line in when[MAX_WHEN_LINES:]))),
        alternatives="\n".join(f"- {each}" for each in rejected(payload)),
        counter_signals=_limits(payload, weak=weak),
        fact=payload.fact or (payload.choice if card.allowed is Allowed.BOTH else ""),
        principle=payload.principle,
        evidence=_evidence(payload),
        pointers="\n".join(f"- {each}" for each in payload.pointers),
    )
    given = {"kind": payload.kind, "layer": payload.layer, "title": payload.title}
    inferred = [name for name, value in given.items() if not value]
    # What the scores or the user's words do not bear is less than the payload asked for: that is said.
    asked = {"strength": payload.strength, "scope": payload.scope}
    inferred += [name for name, value in asked.items() if value and value != getattr(note, name)]
    return note, tuple(inferred)


def key(payload: Payload) -> str:
    """Return what tells one candidate from another when it was declined: its scene, and its choice behind a dot."""
    texts = (" ".join(each.casefold().split()) for each in (payload.scene, payload.choice))
    return ".".join(sha256(each.encode()).hexdigest()[:32] for each in texts)


def rejected(payload: Payload) -> tuple[str, ...]:
    """Return the principles that were weighed and not chosen."""
    chosen = chosen_principle(payload)
    return tuple(each for each in payload.principles if each != chosen)


def chosen_principle(payload: Payload) -> str:
    """Return the principle that the choice equals or says again; nothing if there is none."""
    if payload.choice in payload.principles:
        return payload.choice
    choice = statement.read(payload.choice)
    best, found = 0.0, ""
    for each in payload.principles:
        other = statement.read(each)
        common = [
            word
            for word in choice.words.keys() & other.words.keys()
            if choice.words[word].polarity * other.words[word].polarity >= 0
        ]
        lighter = min(choice.weight(), other.weight()) or 1
        share = min(choice.weight(common), other.weight(common)) / lighter
        if share > best:
            best, found = share, each
    return found if best >= _SAYS_THE_SAME else ""


_SAYS_THE_SAME = 0.5


def one_liner(scene: str, choice: str) -> str:
    """Return the sentence to inject: in this scene, this choice; a remark that names no scene as it was said."""
    if scene == choice:
        return as_sentence(choice)
    if not is_latin(f"{scene}{choice}"):
        plain = simplified.read(scene)
        if not plain.endswith(("时", "时候", "前", "后", "中", "里", "下")):
            scene += "时" if plain == scene and simplified.read(choice) == choice else "時"
        start = "" if plain.startswith(("在", "当")) else "在"
        said = as_sentence(f"{scene}，{choice}")
        return f"{start}{said}"
    start = scene[:1].upper() + scene[1:] if _SCENE_WORD.match(scene) else f"In {scene}"
    # What begins with a little word goes on in lower case; anything else may be a name, as IT and US are.
    first = choice.partition(" ")[0]
    is_little = first.lower() in vocabulary.WEAK_EN | vocabulary.NEGATORS_EN | STOP_EN and first not in _NAMES
    said = choice[:1].lower() + choice[1:] if is_little and first[1:] == first[1:].lower() else choice
    return as_sentence(f"{start.rstrip('.,; ')}: {said.rstrip(' ')}")


def _title(payload: Payload) -> str:
    if payload.scene == payload.choice:
        return payload.choice.rstrip(".。")
    joint = ": " if is_latin(payload.scene) else "："
    return f"{payload.scene.rstrip('.。')}{joint}{payload.choice.rstrip('.。')}"


def _kind(payload: Payload) -> Kind:
    text = simplified.read(f"{payload.scene} {payload.choice}")
    for kind, words in _KIND_WORDS:
        if re.search(words, text):
            return kind
    return Kind.DECISION if len(payload.principles) > 1 else Kind.PRINCIPLE


def _level(payload: Payload, allowed: Allowed) -> Level:
    """Return the level of the note: what the payload asks for, as far as its scores bear it."""
    most = Level.PRINCIPLE if allowed in (Allowed.PRINCIPLE, Allowed.BOTH, Allowed.WEAK) else Level.FACT
    if payload.level is Level.PRINCIPLE and most is Level.FACT:
        raise PayloadRefused(
            field="level", reason="is principle, and its scores bear no more than a fact", fix="leave it out"
        )
    return payload.level or most


def _strength(payload: Payload, *, weak: bool) -> Strength:
    words = payload.origin.text if payload.origin else ""
    if weak:
        return Strength.HYPOTHESIS
    enforced = vocabulary.ENFORCES.search(
        simplified.read(words or (payload.choice if payload.source in _ASKED else ""))
    )
    if payload.strength is Strength.ENFORCED or enforced:
        return Strength.ENFORCED if enforced else Strength.VALIDATED
    return payload.strength or (Strength.VALIDATED if payload.source in _ASKED else Strength.HYPOTHESIS)


def _limits(payload: Payload, *, weak: bool) -> str:
    if not weak:
        return payload.counter_signals
    latin = is_latin(payload.scene)
    limit = f"Only known from one occasion: {payload.scene}." if latin else f"只在一次情形中得到：{payload.scene}。"
    return "\n".join(text for text in (payload.counter_signals, limit) if text)


def _evidence(payload: Payload) -> str:
    quote = payload.origin.text if payload.origin else ""
    lines = [payload.evidence, *(f"> {line}" for line in quote.splitlines() if line.strip())]
    return "\n\n".join(("\n".join(lines[:1]), "\n".join(lines[1:]))).strip()
