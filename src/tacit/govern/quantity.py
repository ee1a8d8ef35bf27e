"""Numbers and units as people write them, brought to one form: "two hours", "120 min" and "两小时" are one length."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH = {word: number for number, word in enumerate(_SMALL.split())} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "k": 1000} | {
    "百": 100,
    "千": 1000,
    "万": 10**4,
    "亿": 10**8,
}
_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_SECTIONS = {"万": 10**4, "亿": 10**8}
# Unit → how many of which it is. Months and years stay apart from days, for they have no fixed length.
_UNITS: dict[str, tuple[Fraction, str]] = {
    name: (Fraction(size), base)
    for names, size, base in (
        ("ns nanosecond nanoseconds 纳秒", "1e-9", "second"),
        ("μs usec microsecond microseconds 微秒", "1e-6", "second"),
        ("ms msec millis millisecond milliseconds 毫秒", "0.001", "second"),
        ("s sec secs second seconds 秒 秒钟", "1", "second"),
        ("min mins minute minutes 分钟", "60", "second"),
        ("刻钟", "900", "second"),
        ("h hr hrs hour hours 小时 个小时 钟头 个钟头", "3600", "second"),
        ("d day days 天 日 个自然日 自然日 个工作日 工作日", "86400", "second"),
        ("w wk wks week weeks 周 星期 个星期 礼拜 个礼拜", "604800", "second"),
        ("fortnight fortnights", "1209600", "second"),
        ("month months 个月 月", "1", "month"),
        ("quarters 个季度 季度", "3", "month"),
        ("year years yr yrs 年", "12", "month"),
        ("decade decades", "120", "month"),
        ("byte bytes 字节 个字节", "1/1024", "kilobyte"),
        ("kb kib kilobyte kilobytes kibibyte kibibytes 千字节", "1", "kilobyte"),
        ("mb mib megabyte megabytes mebibyte mebibytes 兆 兆字节", "1024", "kilobyte"),
        ("gb gib gigabyte gigabytes gibibyte gibibytes 吉字节", "1048576", "kilobyte"),
        ("tb tib terabyte terabytes tebibyte tebibytes 太字节", "1073741824", "kilobyte"),
        ("qps rps tps", "1", "persecond"),
        ("% percent pct 个百分点 百分点", "1", "percent"),
        ("‰", "0.1", "percent"),
        ("yuan rmb cny 元 元钱 块钱", "1", "yuan"),
        ("dollar dollars usd 美元 美金", "1", "dollar"),
        ("euro euros eur 欧元", "1", "euro"),
        ("pounds gbp 英镑", "1", "pound"),
    )
    for name in names.split()
}
# What quantities are counted in, and a bound of one: they stand before their number or behind it.
BESIDE_NUMBERS = frozenset(base for _, base in _UNITS.values()) | {"limit"}
_SIGNS = {"$": "dollar", "€": "euro", "¥": "yuan", "£": "pounds"}
_ASIDE = "business working calendar full whole consecutive"
COUNTERS = "个次天日秒周位人行条份层台名遍格年月元件张字级倍批步种分钟小时毫秒星期成折页款单轮套组道项期"
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_WORD = "|".join(sorted(_ENGLISH, key=len, reverse=True))
_BELOW = rf"(?:(?:{'|'.join(_TENS)})[\s-](?:{'|'.join(_SMALL.split()[1:10])})|{_WORD})\b"
_MANY = "dozen|hundred|thousand|million|billion"
_ZH = "零〇一二两三四五六七八九十百千万亿"
_HALF = r"\sand\sa\shalf\b"
_NUMBER = re.compile(
    rf"""(?ix)
    (?: (?P<sign>[$€¥£])\s? | (?<![\w.\-/:]) )
      (?: (?P<figures>\d+(?:,\d{{3}})*(?:\.\d+)?)(?P<scale>\s?(?:k|{_MANY}|[百千万亿](?!字节))(?![a-z]))?
          (?! \d | [A-Za-z]*[:./_-]\w | (?!(?:{_UNIT})(?![a-z]))[A-Za-z] )
        | (?P<part>half\s)? (?P<word>{_BELOW}|an?(?=\s(?:{_MANY})\b))
          (?: (?P<many>\s(?:{_MANY})) (?:\s(?:and\s)?(?P<rest>{_BELOW}))? )? (?!\w) )
      (?P<more>{_HALF})?
      (?: [\s-]? (?:(?:{_ASIDE.replace(" ", "|")})\s)? (?P<unit>{_UNIT}) (?![a-z\d]) (?P<unit_more>{_HALF})? )?
  | 百分之\s?(?P<share>[{_ZH}\d]+) | 千分之\s?(?P<mille>[{_ZH}\d]+)
  | (?P<chinese>[{_ZH}]+) (?:
        (?P<zh_more>个半)? (?P<zh_unit>{_UNIT}) (?P<zh_unit_more>半(?![价数年月天小个]))?
      | (?=[{COUNTERS}]) | (?<=[十百千万亿]) | (?<![周期拜第][{_ZH}])(?![\w]) )
  | (?P<half>half\san?\s|半个?)(?P<half_unit>{_UNIT})(?![a-z])
  | (?<!once\s)(?<!twice\s)(?<!times\s)\b(?:an?|one)\s(?P<one_unit>year|hour|minute|month|week)\b(?P<one_more>{_HALF})?
  | \b(?P<twice>twice|thrice)\b
    """
)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return a text in which every number is in figures, lengths of time in seconds or months, sizes in kilobytes."""
    return _NUMBER.sub(_figures, text)


def _figures(found: re.Match[str]) -> str:
    part = found.groupdict()
    unit = part["unit"] or part["zh_unit"] or part["half_unit"] or part["one_unit"] or _SIGNS.get(part["sign"] or "")
    half = part["more"] or part["unit_more"] or part["zh_more"] or part["zh_unit_more"] or part["one_more"]
    if share := part["share"] or part["mille"]:
        return _measured(Fraction(share if share.isdecimal() else chinese(share)), "%" if part["share"] else "‰")
    if "." in (part["figures"] or "") and not (unit or half or part["scale"]):
        return found[0]  # 1.10 is a version as likely as a number, and then it is not 1.1
    number = _number(part)
    # "One" alone is more often a pronoun than a number; so it is in Chinese: 一个, 一次 and 一下 mostly count nothing.
    if number == 1 and not (unit or half or part["figures"]):
        return found[0]
    return _measured(number + (Fraction(1, 2) if half else 0), unit)


def _number(part: dict[str, str | None]) -> Fraction:
    if figures := part["figures"]:
        return Fraction(figures.replace(",", "")) * _scale(part["scale"])
    if word := part["word"]:
        whole = Fraction(english(word), 2 if part["part"] else 1) * _scale(part["many"])
        return whole + english(part["rest"] or "")
    if numeral := part["chinese"]:
        return Fraction(chinese(numeral))
    if part["half"]:
        return Fraction(1, 2)
    return Fraction({"twice": 2, "thrice": 3}.get((part["twice"] or "").lower(), 1))


def _scale(written: str | None) -> int:
    return _SCALES[written.strip().lower()] if written else 1


def _measured(number: Fraction, unit: str | None) -> str:
    size, base = _UNITS[unit.lower()] if unit else (Fraction(1), "")
    value = number * size
    shown = str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
    return f" {shown} {base} "


def english(words: str) -> int:
    """Return the number below a hundred that English words say; an article is one, nothing is nought."""
    return sum(_ENGLISH.get(word, 1) for word in words.lower().replace("-", " ").split())


def chinese(numeral: str) -> int:
    """Return the number that a Chinese numeral below a trillion says."""
    total = section = digit = 0
    for char in numeral:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _SECTIONS:
            total += (section + digit or 1) * _SECTIONS[char]
            section = digit = 0
        else:
            section += (digit or 1) * _PLACES[char]
            digit = 0
    # The digit behind a place stands for tenths of it where no nought is between: 一万二 is 12000, 一万零二 is 10002.
    last = _PLACES | _SECTIONS
    return total + section + digit * (last[numeral[-2]] // 10 if digit and numeral[-2:-1] in last else 1)
