"""Numbers and units as people write them, brought to one form: "two hours", "120 min" and "两小时" are one length."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

_ENGLISH = {
    word: number
    for number, word in (
        *enumerate("zero one two three four five six seven eight nine ten eleven twelve".split()),  # noqa: SIM905
        *zip((15, 20, 30, 40, 50, 60, 90, 100), "fifteen twenty thirty forty fifty sixty ninety hundred".split()),  # noqa: SIM905, B905
        (1000, "thousand"),
    )
}
_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"两": 2, "半": 0}
_PLACES = {"十": 10, "百": 100, "千": 1000, "万": 10000}
# Unit → how many of which it is. Months and years stay apart from days, for they have no fixed length.
_UNITS: dict[str, tuple[Fraction, str]] = {
    name: (Fraction(size), base)
    for names, size, base in (
        ("ms millis millisecond milliseconds 毫秒", "0.001", "second"),
        ("s sec secs second seconds 秒 秒钟", "1", "second"),
        ("min mins minute minutes 分钟", "60", "second"),
        ("h hr hrs hour hours 小时 个小时 钟头", "3600", "second"),
        ("d day days 天 日 个自然日", "86400", "second"),
        ("w week weeks 周 星期 个星期", "604800", "second"),
        ("month months 个月 月", "1", "month"),
        ("year years yr yrs 年", "12", "month"),
        ("kb kib", "1", "kilobyte"),
        ("mb mib", "1024", "kilobyte"),
        ("gb gib", "1048576", "kilobyte"),
        ("tb tib", "1073741824", "kilobyte"),
        ("% percent 个百分点", "1", "percent"),
    )
    for name in names.split()
}
_ASIDE = "business working calendar full whole consecutive"
_COUNTERS = "个次天日秒周位人行条份层台名遍格年月元件张字级倍批步种分钟小时毫秒星期成折页款单"
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_ZH = "零一二两三四五六七八九十百千万"
_NUMBER = re.compile(
    rf"""(?ix)
    (?<![\w.\-/:]) (?: (?P<figures>\d+(?:,\d{{3}})*(?:\.\d+)?)(?P<scale>\s?(?:k|thousand|million|万|千|百)(?![a-z]))?
        (?! \d | [A-Za-z]*[:./_-]\w | (?!(?:{_UNIT})(?![a-z]))[A-Za-z] )
      | (?P<word>{"|".join(_ENGLISH)})(?P<hundreds>\s(?:hundred|thousand))?(?=[\s-]) )
    (?: [\s-]? (?:(?:{_ASIDE.replace(" ", "|")})\s)? (?P<unit>{_UNIT}) (?![a-z\d]) )?
  | 百分之(?P<share>[{_ZH}]+) | 千分之(?P<mille>[{_ZH}]+)
  | (?P<chinese>[{_ZH}]+) (?: (?P<zh_unit>{_UNIT}) | (?=[{_COUNTERS}]) | (?<=[十百千万]) )
  | (?P<half>half\sa\s|半个?)(?P<half_unit>{_UNIT})(?![a-z])
  | (?<!once\s)(?<!twice\s)(?<!times\s)\b(?P<one>an?|one)\s(?P<one_unit>year|hour|minute|month|week)\b
    """
)
_SCALES = {"k": 1000, "thousand": 1000, "million": 1000000, "万": 10000, "千": 1000, "百": 100}


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return a text in which every number is in figures, lengths of time in seconds or months, sizes in kilobytes."""
    return _NUMBER.sub(_figures, text)


def _figures(found: re.Match[str]) -> str:
    part = found.groupdict()
    if part["figures"]:
        number = Fraction(part["figures"].replace(",", "")) * _SCALES.get((part["scale"] or "").strip().lower(), 1)
        return _measured(number, part["unit"])
    if part["word"]:
        word = Fraction(_ENGLISH[part["word"].lower()]) * _ENGLISH.get((part["hundreds"] or "").strip().lower(), 1)
        # "One" alone is more often a pronoun than a number.
        return found[0] if word == 1 and not part["unit"] else _measured(word, part["unit"])
    if share := part["share"] or part["mille"]:
        return _measured(Fraction(chinese(share)) / (1 if part["share"] else 10), "%")
    if part["chinese"]:
        count = chinese(part["chinese"])
        # So it is in Chinese: 一个, 一次 and 一下 mostly do not count anything.
        return found[0] if count == 1 and not part["zh_unit"] else _measured(Fraction(count), part["zh_unit"])
    if part["half"]:
        return _measured(Fraction(1, 2), part["half_unit"])
    return _measured(Fraction(1), part["one_unit"])


def _measured(number: Fraction, unit: str | None) -> str:
    size, base = _UNITS[unit.lower()] if unit else (Fraction(1), "")
    value = number * size
    shown = str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
    return f" {shown} {base} "


def chinese(numeral: str) -> int:
    """Return the number that a Chinese numeral below a hundred million says."""
    total = section = digit = 0
    for char in numeral:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char == "万":
            total += (section + digit or 1) * _PLACES[char]
            section = digit = 0
        else:
            section += (digit or 1) * _PLACES[char]
            digit = 0
    return total + section + digit
