"""Values that only their context makes a secret: what looks random, or like a password, after a word that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.guards.anchors import compiled, lines_with, small_letters
from tacit.guards.finding import Spot, Tier
from tacit.guards.values import CHINESE, UUID, is_mixed, is_ordinary, is_password, is_placeholder, is_random
from tacit.text import simplified

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

GUARD = "secret"

# Cheap looks that most lines fail: a word that may speak of a credential, and a sign that is rare in prose.
_HINTS = (
    *("pass", "pwd", "secret", "token", "key", "auth", "cred", "bearer", "jwt"),
    *("密码", "密钥", "口令", "秘钥", "令牌", "私钥", "凭证", "凭据", "授权码", "パスワード", "トークン"),
    *("金钥", "权杖"),
)
_SIGN = r"[0-9!@#$%^&*+]"
# Looked for in small letters.
_TELLING = (
    r"(?P<password>pass(?:word|wd|phrase|code|wort)s?|(?<=[_\-])pass(?![a-z])|pass(?=[\"']?\s{0,2}[=:：])|pwd|密码|口令|パスワード)"
    r"|(?P<strong>secret|token|cred(?:ential)?|bearer|[密金秘私]钥|令牌|权杖|凭[证据]|授权码"
    r"|トークン)s?"
    r"|(?P<weak>keys?|auth(?!or)|jwt)"
)
# A key of this kind opens something; any other key may be one of a map.
_OPENING = (
    r"(?:api|access|private|signing|encryption|master|account|auth|service|storage|client|shared|app|deploy|webhook"
    r"|admin|personal|consumer|session|server|rest|team|function)[ _-]?$"
)
_HARMLESS_BEFORE = (
    r"(?:public|pub|cache|primary|foreign|sort|partition|idempotency|host|map|object|row|query|i18n|lookup|csrf|xsrf"
    r"|page|next|continuation|sync|cursor|cancel|cancellation|design|stop|eos|bos|pad|公|公开)[ _-]?$"
)
# Words behind the telling one that make the name speak of something else: `token_url`, `secret name`, `keyboard`.
_THINGS = (
    "arn id ids url uri urls path paths file files name names version host hosts endpoint type types class length "
    "size limit ttl expiry expires expiration format prefix model models hash hashes hashed digest checksum sha "
    "md commit fingerprint uuid guid algorithm alg issuer audience provider branch image count budget usage vault "
    "store tab board boards frame frames word words chain code codes stroke press up down str izer ization ized "
    "ise ize selector policy rotation manager results"
)
_HARMLESS_AFTER = frozenset(_THINGS.split())
_HARMLESS_SIGNS = r"哈希|杂凑|摘要|提交|版本|长度|格式|算法|演算法|公钥|编号"
_CAMEL = r"(?<=[a-z])(?=[A-Z])"
_LETTERS = r"[a-z]+"

# Without quotes a value ends at a space or a sign, and where Chinese goes on.
_BARE = rf"[^\s\"'`,;|<>“”‘’{CHINESE}]"
# An English word stands alone, also between Chinese ones.
_A, _Z = r"(?<![0-9A-Za-z_])", r"(?![0-9A-Za-z_])"
# From a telling word to its value: the rest of the name, then a sign or a word that gives it.
_GIVEN = (
    r"(?P<rest>[\w \t.\-\]\"'`*）)（(/]{0,32}?)"
    rf"(?::=|=>|->|→|[=：＝|>]|:(?!//|:)|{_A}(?:is|are|was){_Z}|是|为|は)"
    r"[ \t*“‘「『（【]{0,6}(?:(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{6,400})(?P=quote)"
    rf"|[\"'`]?(?P<bare>{_BARE}{{6,400}}))"
)
_NEAR = r"(?P<rest>[^\n=]{0,32}?[ \t\"'`:=“‘「『【])(?P<bare>[0-9A-Za-z_+/\-]{20,400}={0,2})(?![0-9A-Za-z_(]|\.\.\.|…)"
_ALL = "统一|默认|预设"
# In prose: the value right behind the word, or behind a word that hands it over; "to" does where something is set.
_SAID = (
    rf"(?:['’]s|[ \t]{{0,2}}(?:{_ALL})?(?:用|填|叫|输入|[设改换]?成)?了?"
    r"|(?P<rest>[\w \t.\-\"'`*]{0,32}?)[ \t](?P<to>to)(?=[ \t]))?"
    rf"[ \t\"'`*“‘「『（(【]{{0,6}}(?![=:\-])(?P<bare>{_BARE}{{8,64}})(?!{_BARE})"
)
_SETS = rf"{_A}(?:set|sets|change|changed|reset|rotate|rotated|update|updated|switch|switched|defaults?){_Z}"
# The value first: `… is the password`, `use … as root password`, `用 … 作为数据库的密码`.
_FIRST = (
    rf"(?<!{_BARE})[(*]{{0,3}}(?P<bare>{_BARE}{{8,64}})(?!{_BARE})[\"'`”’」』】）]{{0,2}}[ \t]{{0,2}}"
    r"(?:(?<=[ \t])(?:(?:is|was|as)[ \t](?:the|our|its|my|your|their)[ \t]|as[ \t])(?:[0-9A-Za-z\-]{1,20}[ \t_]){0,2}"
    r"|(?:是|作为|当作?|做)(?:[0-9A-Za-z_ \-\u4e00-\u9fff]{0,12}的)?[0-9A-Za-z_ \-]{0,12}"
    r"(?:[新旧]|初始|默认|预设|登[录入陆]|管理员|数据库|资料库|测试|临时)?)$"
)
_FIRST_WITHIN = 128  # how far before its word such a value is looked for
# There the word ends its phrase: `… is the password manager` and `… 作为密码算法` speak of something else.
_ENDS_PHRASE = (
    r"[\"'`*”’」』】]{0,3}[ \t]{0,2}"
    rf"(?:$|[.,;!?)，。；、！？）]|[登进连来用了吧]|(?<=[ \t])(?:for|of|on|in|to|at|and|now){_Z})"
)
# Digits alone are a password right behind the word for it, if they count nothing and are no part of more.
_COUNTED = (
    r"times|iterations|rounds|attempts|tries|guesses|users|accounts|entries|records|rows|hashes|requests|combinations"
    r"|bits|bytes|ms|seconds|minutes|hours|days|per|[次个条位轮种组万亿秒天年月日毫]"
)
_DIGITS = (
    rf"[\"'`*）)]{{0,3}}[ \t]{{0,2}}(?:{_ALL})?"
    r"(?P<sign>(?::=|=>|->|→|[=:：＝|>]|(?:is|was|to)(?=[ \t])|是|[设改换]?[为成]|用)?)[ \t*\"'`“‘「『（(【]{0,6}"
    rf"(?P<bare>[0-9]{{6,32}})(?![0-9A-Za-z_%/\\\-+*=:@#$^&]|[.,][0-9A-Za-z])(?![ \t]{{0,2}}(?:{_COUNTED}))"
)
_DATE = r"(?:19|20)\d\d[01]\d[0-3]\d"
# Words that more often speak of something else: many passwords, and a test that is passed.
_LOOSE = r"(?<![_\-])pass|[a-z]{5,16}s"
# Hashes and identifiers, which stand everywhere.
_NAMELESS = rf"[0-9a-fA-F]{{32}}|[0-9a-fA-F]{{40}}|[0-9a-fA-F]{{56,128}}|{UUID}"
_AWS_VALUE = r"[A-Za-z0-9/+]{40}"
_AWS_NAME = r"aws|secret.?access"
_LONGEST_PASSWORD = 64
_WEAK_LENGTH = 24
_NEAR_LENGTH = 20
_BEFORE = 16  # how far before a word its kind is looked for
_PUNCTUATION = ".,:!?*_)]}\\"


def find(text: str) -> Iterator[Spot]:
    """Yield each value that a telling word makes a credential."""
    text = simplified.read(text)
    small = small_letters(text)
    for offset, line in lines_with(text, [hint for hint in _HINTS if hint in small], small):
        if compiled(_SIGN).search(line):
            yield from _of_line(line, offset)


def _of_line(line: str, offset: int) -> Iterator[Spot]:
    small = small_letters(line)
    at = 0
    while word := compiled(_TELLING).search(small, at):
        at = word.end()
        if not compiled(_HARMLESS_BEFORE).search(small, max(0, word.start() - _BEFORE), word.start()):
            for judge in (_judge_given, _judge_digits, _judge_said, _judge_near, _judge_first):
                if spot := judge(word, line, small):
                    yield spot._replace(start=offset + spot.start, end=offset + spot.end)
                    at = max(at, spot.end)
                    break


def _judge_given(word: re.Match[str], line: str, small: str) -> Spot | None:
    """Return what the word gives a value to, as `token = …` and `密码是 …` do."""
    found = compiled(_GIVEN).match(line, word.end())
    if found is None or _is_of_something_else(found["rest"]):
        return None
    group = "quoted" if found["quoted"] else "bare"
    whole, start = found[group], found.start(group)
    value = whole.rstrip(_PUNCTUATION)
    if not value or " " in value or is_placeholder(whole) or is_ordinary(value):
        return None
    end = start + len(value)
    if word["password"]:
        is_one = len(value) <= _LONGEST_PASSWORD and is_password(value)
        return Spot(GUARD, "password", Tier.ASK, start, end) if is_one or is_random(value) else None
    if compiled(_AWS_VALUE).fullmatch(value) and compiled(_AWS_NAME).search(small) and is_random(value):
        return Spot(GUARD, "aws-secret-key", Tier.REFUSE, start, end)
    if word["weak"] and not compiled(_OPENING).search(small, max(0, word.start() - _BEFORE), word.start()):
        is_one = is_random(value, _WEAK_LENGTH) and compiled(UUID).fullmatch(value) is None
    else:
        is_one = is_random(value) or compiled(UUID).fullmatch(value) is not None
    return Spot(GUARD, "credential", Tier.ASK, start, end) if is_one else None


def _judge_said(word: re.Match[str], line: str, small: str) -> Spot | None:
    """Return the value that prose names, as `with password …`, `set the token to …` and `密码用 …` do."""
    found = compiled(_SAID).match(line, word.end())
    if found is None or _is_of_something_else(found["rest"] or ""):
        return None
    start = found.start("bare")
    if start == word.end() and word[0].isascii():
        return None  # the word goes on
    if found["to"] and not compiled(_SETS).search(small, 0, found.start("to")):
        return None  # "the password to the build server"
    value = found["bare"].rstrip(_PUNCTUATION)
    if is_placeholder(found["bare"]) or is_ordinary(value):
        return None
    end = start + len(value)
    if word["password"]:
        return Spot(GUARD, "password", Tier.ASK, start, end) if is_mixed(value) else None
    is_one = found["to"] and word["strong"] and is_random(value)
    return Spot(GUARD, "credential", Tier.ASK, start, end) if is_one else None


def _judge_digits(word: re.Match[str], _: str, small: str) -> Spot | None:
    """Return the digits right behind a password's word, as `口令:482913` and `password is 13579246` have them."""
    if not word["password"] or compiled(_LOOSE).fullmatch(small, *word.span()):
        return None
    found = compiled(_DIGITS).match(small, word.end())
    if found is None or is_placeholder(found["bare"]):
        return None
    if found["sign"] == "to" and not compiled(_SETS).search(small, 0, found.start("sign")):
        return None
    if not found["sign"] and compiled(_DATE).fullmatch(found["bare"]):
        return None
    return Spot(GUARD, "password", Tier.ASK, *found.span("bare"))


def _judge_first(word: re.Match[str], line: str, _: str) -> Spot | None:
    """Return the value that stands before a password's word, as `… is the password` and `用 … 作为密码` have it."""
    if not word["password"] or not compiled(_ENDS_PHRASE).match(line, word.end()):
        return None
    found = compiled(_FIRST).search(line, max(0, word.start() - _FIRST_WITHIN), word.start())
    if found is None or is_placeholder(found["bare"]):
        return None
    value = found["bare"].rstrip(_PUNCTUATION)
    if is_ordinary(value) or not is_mixed(value):
        return None
    return Spot(GUARD, "password", Tier.ASK, found.start("bare"), found.start("bare") + len(value))


def _judge_near(word: re.Match[str], line: str, _: str) -> Spot | None:
    """Return the random value that stands a few words after a strong word; a hash or a UUID only right after it."""
    found = compiled(_NEAR).match(line, word.end()) if word["strong"] else None
    if found is None or _is_of_something_else(found["rest"]):
        return None
    value = found["bare"]
    is_next = not found["rest"].strip(" \t“‘「『【")
    if is_placeholder(value) or is_ordinary(value) or not (is_next or compiled(_NAMELESS).fullmatch(value) is None):
        return None
    return Spot(GUARD, "credential", Tier.ASK, *found.span("bare")) if is_random(value, _NEAR_LENGTH) else None


def _is_of_something_else(rest: str) -> bool:
    """Whether what follows the telling word belongs to its name and turns it into that of an ordinary thing."""
    words = compiled(_LETTERS).findall(compiled(_CAMEL).sub(" ", rest).lower())
    return not _HARMLESS_AFTER.isdisjoint(words) or compiled(_HARMLESS_SIGNS).search(rest) is not None
