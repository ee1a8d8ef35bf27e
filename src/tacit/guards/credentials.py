"""Values that only their context makes a secret: what looks random, or like a password, after a word that says so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tacit.guards.finding import Spot, Tier, windows
from tacit.guards.values import UUID, is_password, is_placeholder, is_random

if TYPE_CHECKING:
    from collections.abc import Iterator

GUARD = "secret"

# The three kinds of words that tell what a value is. Harmless ones are tried first: `public key` is no `key`.
_HARMLESS = (
    r"(?:public|pub|cache|primary|foreign|sort|partition|idempotency|host|map|object|row|query|i18n|lookup)[ _-]?keys?"
    r"|(?:csrf|xsrf|page|next|continuation|sync|cursor|cancel\w{0,6}|design|stop|eos|bos|pad)[ _-]?tokens?"
    r"|key(?:board|frame|store|word|path|vault|chain|tab|size|code|stroke|note|press|up|down|file|str)s?"
    r"|(?:sha|md)-?\d{0,3}|hash(?:es|ed)?|digests?|checksums?|chksum|commits?|revisions?|fingerprints?|etag|integrity"
    r"|uuid|guid|ids?|urls?|uris?|paths?|files?|names?|versions?|hosts?|endpoints?|types?|class(?:es)?|branch(?:es)?"
    r"|images?|alg(?:orithm)?s?|issuer|audience|providers?|length|size|limit|ttl|expir\w{0,8}|format|prefix|models?"
    r"|公钥|主键|外键|哈希|摘要|提交|版本|长度|格式|算法"
)
_PASSWORD = r"pass(?:word|wd|phrase|code|wort)s?\d?|pass|pwd|密码|口令|パスワード"
_STRONG = (
    r"secrets?|tokens?|apikeys?|credentials?|creds?|authtoken|bearer|密钥|秘钥|令牌|私钥|凭证|凭据|授权码|トークン"
    r"|(?:api|access|private|secret|signing|encryption|master|account|auth|service|license|storage|client|shared|app"
    r"|deploy|webhook|admin|personal|consumer|session|server|write|read|rest|team|project|function)[ _-]?keys?"
)
_WEAK = r"keys?|auth|pin|pw|sid|dsn|login|oauth|jwt|signature|salt|pat"
_TELLING = re.compile(
    rf"(?i:(?P<harmless>{_HARMLESS})|(?P<password>{_PASSWORD})|(?P<strong>{_STRONG})|(?P<weak>{_WEAK}))(?![a-z])"
)
_HINT = re.compile(
    r"(?i)pass|pwd|secret|token|key|auth|cred|bearer|login|jwt|signature|salt|\bp(?:in|w|at)\b|\bsid|dsn|"
    r"密|口令|秘钥|令牌|私钥|凭|授权码|パスワード|トークン"
)
# From a telling word to its value: the rest of the name, then a sign or a word that gives it.
_GIVEN = re.compile(
    r"(?P<rest>[\w \t.\-\]\"'`*）)（(/]{0,32}?)"
    r"(?::=|=>|->|→|[=:：＝|]|\b(?:is|are|was)\b|是|为|设为|改为|>)"
    r"[ \t*({\[]{0,6}(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{6,400})(?P=quote)|[\"'`]?(?P<bare>[^\s\"'`,;|<>，。；、]{6,400}))"
)
_LOOSE = re.compile(r"(?P<rest>[^\n=]{0,32}?[ \t\"'`:=])(?P<bare>[\w+/\-]{20,400}={0,2})(?![\w(])")
# What a name or a place looks like.
_ORDINARY = re.compile(
    r"[a-z][a-z0-9+.\-]{0,20}://|(?:~|\.{1,2})?/[\w.\-]+(?:/|$)|[A-Za-z]:\\"
    r"|[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+(?:$|[(\[])"
    r"|v?\d+(?:\.\d+)+|\d{4}-\d\d-\d\d|\d+[A-Za-z%]{0,8}$|[\w.+\-]+@[\w\-]+\.[\w.]+$"
    r"|(?i:argon2|bcrypt|scrypt|pbkdf2|sha-?\d|md5|aes|rsa|hs256|rs256|es256|ed25519|oauth2|http|base64|utf-?8|ssh-|ecdsa)",
)
_EXTENSION = re.compile(r"\.(?:pem|json|key|txt|env|ya?ml|crt|cer|p12|pfx|jks|keytab|pub|py|ts|js|go|md|html?|com|net|org|io)\b")
_DIGEST_LENGTHS = frozenset((32, 40, 56, 64, 96, 128))
_HEX = re.compile(r"[0-9a-fA-F]+")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_AWS = re.compile(r"[A-Za-z0-9/+]{40}")
_LONGEST_PASSWORD = 64
_WEAK_LENGTH = 24


def find(text: str) -> Iterator[Spot]:
    """Yield each value that a telling word makes a credential."""
    if not _HINT.search(text):
        return
    for offset, line in windows(text):
        if _HINT.search(line):
            yield from _of_line(line, offset)


def _of_line(line: str, offset: int) -> Iterator[Spot]:
    at = 0
    while word := _TELLING.search(line, at):
        at = word.end()
        if word["harmless"]:
            continue
        found = _GIVEN.match(line, word.end())
        if found is None and word["strong"]:
            found = _LOOSE.match(line, word.end())
        if found is None or _names_something_else(found["rest"]):
            continue
        group = "quoted" if found.groupdict().get("quoted") else "bare"
        value = found[group].rstrip(".,;:!?*_)]}\\")
        start = found.start(group)
        if found.re is _GIVEN and line[start + len(value) : start + len(value) + 1] == "(":
            continue
        rule, tier = _judge(word, found, value, line)
        if rule:
            yield Spot(GUARD, rule, tier, offset + start, offset + start + len(value))
            at = start + len(value)


def _names_something_else(rest: str) -> bool:
    return any(word["harmless"] for word in _TELLING.finditer(rest))


def _judge(word: re.Match[str], found: re.Match[str], value: str, line: str) -> tuple[str, Tier]:
    """Return the rule that the value falls under, or none."""
    if not value or " " in value or is_placeholder(value) or _is_ordinary(value):
        return "", Tier.ASK
    if word["strong"] and _AWS.fullmatch(value) and is_random(value) and "secret" in word["strong"].lower() and re.search("(?i)aws|secret_?access", line):
        return "aws-secret-key", Tier.REFUSE
    if word["password"] and found.re is _GIVEN and len(value) <= _LONGEST_PASSWORD and is_password(value):
        return "password", Tier.ASK
    if word["weak"]:
        random = found.re is _GIVEN and is_random(value, _WEAK_LENGTH)
    elif found.re is _LOOSE:
        random = is_random(value, 20) and not (_HEX.fullmatch(value) and len(value) in _DIGEST_LENGTHS)
    else:
        random = is_random(value) or UUID.fullmatch(value) is not None
    return ("credential" if random else ""), Tier.ASK


def _is_ordinary(value: str) -> bool:
    return bool(_ORDINARY.match(value) or _EXTENSION.search(value) or _CONSTANT.fullmatch(value) and "_" in value)
