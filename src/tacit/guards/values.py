"""How a string looks: made by a machine at random, chosen by a person as a password, or only a placeholder."""

from __future__ import annotations

import math
from collections import Counter

from tacit.guards.anchors import compiled

# Where Chinese goes on right behind a value, for it puts no space there; the inside of a character class.
CHINESE = r"\u3000-\u9fff\uff00-\uffef"
UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
# What stands where a value will be put in: variables, templates, calls, and what documents write.
_TEMPLATE = (
    r"\$\{|\$\(|\{\{|\}\}|<[^<>]{0,80}>|%\w{1,40}%|\$[A-Za-z_]\w{0,60}$|\.\.\.|…|\*\*\*|\bos\.|process\.env|getenv"
    r"|^[{<\[(].{0,80}[}>\])]$|^%[sdv(]|^:\w{1,40}$|^@|&(?:quot|amp|lt|gt|apos|nbsp)$|^#\{|^!\w|x{4,}|X{4,}|•|●"
)
_FILLER_WORDS = (
    r"(?i:example|sample|placeholder|change[_-]?me|changeit|replace|redacted|not[_-]?a[_-]?real|foobar|abc123|示例|你的|您的|占位)"
    r"|(?<![A-Za-z])(?i:dummy|fake|your|masked|hidden|removed|insert|todo|tbd|mock|lorem)(?![A-Za-z0-9])"
)
# What people write where they do not mean a real password; with nothing else in the value, it is none.
_COMMON_WORDS = (
    "pass password passwd pwd secret token key user username root admin test guest none null nil true false yes "
    "no string str text required optional postgres mysql redis mongo rabbitmq minio default value abc abcd 123 "
    "1234 12345 123456 1234567 12345678 123456789 1234567890 654321 "
    "bar foo baz credential credentials api apikey undefined empty unset pw p psw my "
    "mypassword p4ssw0rd"
)
_COMMON = frozenset(_COMMON_WORDS.split())
# What names, places, numbers with units, dates, versions and algorithms look like.
_ORDINARY = (
    r"-----|[a-z][a-z0-9+.\-]{0,20}://|(?:~|\.{1,2})?/[\w.\-]+(?:/|$)|[A-Za-z]:\\"
    r"|[A-Za-z_]\w*[(\[]"
    r"|v?\d+(?:\.\d+)+|\d{4}-\d\d-\d\d|\d+[A-Za-z%]{0,8}$|[\w.+\-]+@[\w\-]+\.[\w.]+$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
    r"|(?i:argon2|bcrypt|scrypt|pbkdf2|sha-?\d|md5|aes|rsa|[her]s\d{3}|ed25519|oauth2|http|base64|utf-?8|ssh-|ecdsa|scram-|1password)"
)
_DOTTED = r"[A-Za-z_]\w*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)+(?:$|[(\[])"
_EXTENSION = (
    r"\.(?:pem|json|key|txt|env|ya?ml|toml|crt|cer|p12|pfx|jks|keytab|pub|py|tsx?|jsx?"
    r"|go|rs|java|md|html?|com|net|org|io)\b"
)
_WORDS = r"[A-Z]?[a-z]+|[A-Z]+|\d+"
_SWITCH = r"[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])"
_CAMEL = r"(?<![A-Z])[A-Z][a-z]{2,}"

_MIN_RANDOM = 16
_MIN_SWITCHES = 0.2
_MIN_ENTROPY = 3.0
_FEW_CHARACTERS = 5
_MIN_MIXED = 8
_RARE_SIGNS = "!@#$%^&*+?~"


def entropy(value: str) -> float:
    """Bits for each character, by how often each of them occurs."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


def is_filler(value: str) -> bool:
    """Whether the value is made of few characters or of one pattern again and again, as `xxxx` or `abab` are."""
    return len(set(value)) <= _FEW_CHARACTERS and not (len(value) < _MIN_RANDOM and len(set(value)) >= len(value) / 2)


def is_placeholder(value: str) -> bool:
    """Whether the value stands for another: a variable, a template, a word that says so, or a filler."""
    return (
        is_filler(value)
        or compiled(_TEMPLATE).search(value) is not None
        or compiled(_FILLER_WORDS).search(value) is not None
        or all(word.lower() in _COMMON for word in compiled(_WORDS).findall(value))
    )


def is_ordinary(value: str) -> bool:
    """Whether the value is a name, a place, a number, a version or the like, whatever stands before it."""
    if compiled(_ORDINARY).match(value) or compiled(_EXTENSION).search(value):
        return True
    # Some tokens begin with a letter or two and a dot.
    return compiled(_DOTTED).match(value) is not None and not (value.find(".") in {1, 2} and is_random(value))


def is_random(value: str, shortest: int = _MIN_RANDOM) -> bool:
    """Whether the value looks like a machine drew it.

    Kinds of characters change often in it, other than where a word begins with a capital; names, paths and versions
    change seldom.
    """
    if len(value) < shortest or entropy(value) < _MIN_ENTROPY:
        return False
    switches = len(compiled(_SWITCH).findall(compiled(_CAMEL).sub("a", value)))
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    return switches >= _MIN_SWITCHES * len(value) and letters and digits


def is_mixed(value: str) -> bool:
    """Whether no word of a sentence looks like this: eight characters or more, letters with digits or rare signs.

    Small letters and digits that a stroke or a dot joins are a name, as `staging-db1` is.
    """
    lower, upper, digit = (any(map(kind, value)) for kind in (str.islower, str.isupper, str.isdigit))
    sign = any(char in _RARE_SIGNS for char in value)
    if len(value) < _MIN_MIXED or not (lower or upper):
        return False
    return (digit or sign) if lower and upper else digit and (sign or value.isalnum())


def is_password(value: str) -> bool:
    """Whether a person may have chosen the value as a password: letters and digits or signs, not a plain word."""
    kinds = (
        any(map(str.islower, value)),
        any(map(str.isupper, value)),
        any(map(str.isdigit, value)),
        any(not char.isalnum() and char not in "-_./\\()" for char in value),
    )
    return sum(kinds) > 1 and (kinds[2] or kinds[3])
