"""Make the table of src/tacit/text/simplified.py anew from OpenCC's table of characters.

python scripts/make_simplified.py TSCharacters.txt      the file is in the package `opencc-python-reimplemented`

Taken are characters that are common in Big5 whose simplified one is common in GB 2312; of several the first. What comes
out is deflated text: the steps from each traditional character to the next, and from each simplified one to the next
with the sign in the last bit, all as characters.
"""
# ruff: noqa: INP001  a script, not a package

from __future__ import annotations

import base64
import sys
import zlib
from itertools import pairwise
from pathlib import Path

MODULE = Path(__file__).parents[1] / "src/tacit/text/simplified.py"
# A particle that is common in its own form too, and forms of Hong Kong.
BESIDES = {"著": "着", "裏": "里", "綫": "线", "爲": "为"}
# The rows of these standards that hold their common characters.
BIG5, GB_2312 = range(0xA4, 0xC7), range(0xB0, 0xD8)
LINE = 116


def is_common(char: str, encoding: str, rows: range) -> bool:
    """Whether a character is in the first part of a standard, which holds the common ones."""
    code = char.encode(encoding, "ignore")
    return bool(code[1:]) and code[0] in rows


def main(table: str) -> None:
    """Write the table into the module."""
    found = dict(BESIDES)
    for line in Path(table).read_text(encoding="utf-8").splitlines():
        traditional, simplified = line.split("\t")
        new = simplified.split()[0]
        both = is_common(traditional, "big5", BIG5) and is_common(new, "gb2312", GB_2312)
        if both and traditional != new:
            found.setdefault(traditional, new)
    pairs = sorted(found.items())
    steps = [ord(other) - ord(one) for one, other in pairwise(["\0", *(each for each, _ in pairs)])]
    turns = [ord(other) - ord(one) for one, other in pairwise(["\0", *(each for _, each in pairs)])]
    text = "".join(map(chr, [*steps, *(2 * each if each >= 0 else -2 * each - 1 for each in turns)]))
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    lines = "\n".join(packed[at : at + LINE] for at in range(0, len(packed), LINE))
    before, _, rest = MODULE.read_text(encoding="utf-8").partition('_TABLE = """\n')
    MODULE.write_text(f'{before}_TABLE = """\n{lines}\n"""{rest.partition(chr(34) * 3)[2]}', encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
