"""Personal data: cards, accounts and national numbers by their check digits, addresses and phones in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tacit.guards.anchors import compiled, lines_at, lines_with, small_letters
from tacit.guards.finding import Spot, Tier
from tacit.guards.values import is_filler
from tacit.text import simplified

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator


def luhn(digits: str) -> bool:
    """Whether the last digit of a card fits the others."""
    doubled = "".join(str(int(digit) * (2 - place % 2)) for place, digit in enumerate(reversed(digits), 1))
    return sum(map(int, doubled)) % 10 == 0


def mod_97(account: str) -> bool:
    """Whether the two check digits of an IBAN fit the account."""
    moved = account[4:] + account[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def chinese(digits: str) -> bool:
    """Whether the last sign of an 18-digit identity number fits."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))
    return digits[17].upper() == "10X98765432"[total % 11]


def brazilian(digits: str) -> bool:
    """Whether the last two digits of a CPF fit the first nine."""

    def check(length: int) -> int:
        return sum(int(digit) * (length + 1 - place) for place, digit in enumerate(digits[:length])) * 10 % 11 % 10

    return len(set(digits)) > 1 and check(9) == int(digits[9]) and check(10) == int(digits[10])


def korean(digits: str) -> bool:
    """Whether the last digit of a resident number fits."""
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))
    return (11 - total % 11) % 10 == int(digits[12])


def french(digits: str) -> bool:
    """Whether the key of a social security number fits."""
    return 97 - int(digits[:13]) % 97 == int(digits[13:])


def spanish(number: str) -> bool:
    """Whether the letter of a DNI fits its digits."""
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number[:8]) % 23] == number[8]


def taiwanese(number: str) -> bool:
    """Whether letter and digits of an identity number fit."""
    first = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0]) + 10
    total = first // 10 + first % 10 * 9
    total += sum(int(digit) * weight for digit, weight in zip(number[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True))
    return total % 10 == 0


def unchecked(_: str) -> bool:
    """True for numbers without a check digit, which need a word beside them."""
    return True


GUARD = "personal"
_BULK = 3
_DIGITS = r"\D"
_SEPARATORS = r"[ .\-]"
# Letters and digits that would make a number part of something longer. Not `\w`: Chinese puts no space around a number.
_W = "0-9A-Za-z_"
_ALONE = rf"(?<![{_W}])"
_ENDS = rf"(?![{_W}])"

# ── Cards ──
_CARD = rf"(?<![{_W}.\-/])\d{{4}}(?:[ \-]?\d){{8,14}}\d(?![{_W}\-])"
_ISSUERS = (
    r"4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}"
    r"|62\d{14,17}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}"
)
_CARD_WORD = rf"(?i)card|visa|master|amex|pan{_ENDS}|credit|debit|payment|cvv|银行|卡号|信用卡|储蓄卡|支付"
# Numbers that payment companies publish for tests.
_PUBLISHED = (
    "378282246310005 371449635398431 30569309025904 38520000023237 6011000990139424 3530111333300000 "
    "3566002020360505 5105105105105100 4012888888881881 5200828282828210 4000056655665556 2223003122003222"
)
_TEST_CARDS = frozenset(_PUBLISHED.split())

# ── Accounts ──
_IBAN = r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])"
_IBAN_LENGTHS = {
    code: int(length)
    for length, codes in (
        ("15", "NO"),
        ("16", "BE"),
        ("18", "DK FI FO GL NL"),
        ("19", "MK SI"),
        ("20", "AT BA EE KZ LT LU XK"),
        ("21", "CH HR LI LV"),
        ("22", "BG BH CR DE GB GE IE ME RS VA"),
        ("23", "AE GI IL IQ TL"),
        ("24", "AD CZ ES MD PK RO SA SE SK TN VG"),
        ("25", "LY PT ST"),
        ("26", "IS TR"),
        ("27", "FR GR IT MC MR SM"),
        ("28", "AL AZ BY CY DO GT HU LB PL SV"),
        ("29", "BR EG PS QA UA"),
        ("30", "JO KW MU"),
        ("31", "MT SC"),
    )
    for code in codes.split()
}


class National(NamedTuple):
    """A national number: its shape, its check, and the words one of which must stand in its line, if any."""

    rule: str
    pattern: str
    check: Callable[[str], bool]
    words: tuple[str, ...] = ()


_MONTH = "(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
NATIONAL = (
    National("cn-id", rf"(?<![{_W}.\-])[1-9]\d{{5}}(?:19|20)\d\d{_MONTH}{_DAY}\d{{3}}[\dXx]{_ENDS}", chinese),
    National("br-cpf", rf"(?<![{_W}.])\d{{3}}\.\d{{3}}\.\d{{3}}-\d\d{_ENDS}", brazilian),
    National("kr-rrn", rf"(?<![{_W}\-])\d\d{_MONTH}{_DAY}-[1-8]\d{{6}}(?![{_W}\-])", korean),
    National(
        "us-ssn",
        rf"(?<![{_W}\-])(?!000|666|9)\d{{3}}-(?!00)\d\d-(?!0000)\d{{4}}(?![{_W}\-])",
        unchecked,
        ("ssn", "social security", "社会安全"),
    ),
    National(
        "fr-nir",
        rf"{_ALONE}[12] ?\d\d ?{_MONTH} ?\d\d ?\d{{3}} ?\d{{3}} ?\d\d{_ENDS}",
        french,
        ("nir", "sécu", "securite sociale"),
    ),
    National("es-dni", rf"{_ALONE}\d{{8}}-?[A-Z]{_ENDS}", spanish, ("dni", "nif", "identidad")),
    National(
        "tw-id",
        rf"{_ALONE}[A-Z][12]\d{{8}}{_ENDS}",
        taiwanese,
        ("身分证", "身份证", "national id"),
    ),
    National(
        "uk-nino",
        rf"{_ALONE}[A-CEGHJ-PR-TW-Z]{{2}} ?\d\d ?\d\d ?\d\d ?[A-D]{_ENDS}",
        unchecked,
        ("national insurance", "nino"),
    ),
)

_SAID = [(word, kind) for kind in NATIONAL for word in kind.words]
_UNSAID = [kind for kind in NATIONAL if not kind.words]

# ── Bulk ──
_EMAIL = (
    rf"(?<![{_W}.+\\\-])[A-Za-z0-9][{_W}.+\-]{{0,63}}@(?:[A-Za-z0-9\-]{{1,63}}\.){{1,4}}[A-Za-z]{{2,24}}(?![{_W}\-])"
)
_NOBODY = (
    r"(?i)@(?:[\w\-]+\.)*(?:example|test|invalid|localhost|domain|email|company|yourdomain|noreply\.github)\b"
    r"|^(?:git|no-?reply)@"
)
_PHONE = (
    rf"(?<![{_W}.+\-/])(?:\+\d{{1,3}}[ \-.]?\(?\d{{1,4}}\)?(?:[ \-.]?\d{{2,4}}){{2,4}}"
    rf"|1[3-9]\d[ \-]?\d{{4}}[ \-]?\d{{4}}"
    rf"|\(\d{{3}}\) ?\d{{3}}-\d{{4}}|\d{{3}}-\d{{3}}-\d{{4}})(?![{_W}\-])"
)


# Enough digits in a row for any of the numbers that need no word.
_MANY_DIGITS = r"\d(?:[ \-.()]{0,2}\d){9}"


def find(text: str) -> Iterator[Spot]:
    """Yield the numbers and addresses that belong to people."""
    text = simplified.read(text)
    yield from _bulk("emails", _EMAIL, lines_with(text, ("@",), text), _is_somebody)
    numbers = [*lines_at(text, (match.start() for match in compiled(_MANY_DIGITS).finditer(text)))]
    yield from _bulk("phones", _PHONE, numbers, _is_phone)
    for offset, line in numbers:
        yield from _cards(line, offset)
        yield from _accounts(line, offset)
        for kind in _UNSAID:
            yield from _national(kind, line, offset)
    small = small_letters(text)
    for word, kind in _SAID:
        if word in small:
            for offset, line in lines_with(text, (word,), small):
                yield from _national(kind, line, offset)


def _national(kind: National, line: str, offset: int) -> Iterator[Spot]:
    for match in compiled(kind.pattern).finditer(line):
        number = compiled(_SEPARATORS).sub("", match.group())
        if not is_filler(number) and kind.check(number):
            yield _spot(kind.rule, match, offset)


def _spot(rule: str, match: re.Match[str], offset: int, tier: Tier = Tier.REFUSE) -> Spot:
    return Spot(GUARD, rule, tier, offset + match.start(), offset + match.end())


def _cards(line: str, offset: int) -> Iterator[Spot]:
    """Grouped as on a card, or with a word for it: a card. A bare number that could be one is asked about."""
    for match in compiled(_CARD).finditer(line):
        digits = compiled(_DIGITS).sub("", match.group())
        if (
            compiled(_ISSUERS).fullmatch(digits)
            and luhn(digits)
            and not is_filler(digits)
            and digits not in _TEST_CARDS
        ):
            is_sure = digits != match.group() or compiled(_CARD_WORD).search(line)
            yield _spot("card", match, offset, Tier.REFUSE if is_sure else Tier.ASK)


def _accounts(line: str, offset: int) -> Iterator[Spot]:
    for match in compiled(_IBAN).finditer(line):
        account = match.group().replace(" ", "")
        if len(account) == _IBAN_LENGTHS.get(account[:2]) and mod_97(account):
            yield _spot("iban", match, offset)


def _bulk(rule: str, pattern: str, lines: Iterable[tuple[int, str]], is_one: Callable[[str], bool]) -> Iterator[Spot]:
    """A few addresses are ordinary; as many as a list has are asked about, all of them."""
    found = [
        (match, offset) for offset, line in lines for match in compiled(pattern).finditer(line) if is_one(match.group())
    ]
    if len({match.group().lower() for match, _ in found}) >= _BULK:
        yield from (_spot(rule, match, offset, Tier.ASK) for match, offset in found)


def _is_somebody(address: str) -> bool:
    return compiled(_NOBODY).search(address) is None


def _is_phone(number: str) -> bool:
    digits = compiled(_DIGITS).sub("", number)
    return "555" not in digits and not is_filler(digits)
