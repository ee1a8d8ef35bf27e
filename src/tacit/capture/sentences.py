"""From a turn to the sentences in it that are the user's own prose: no code, no logs, no quotations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tacit.text import simplified

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# Lines that were pasted: quoted mail, a diff, a stack trace, a log, a table, a shell prompt, a line of source.
_PASTED = re.compile(
    r"""(?x)
    ^\s*> | ^\s*\|.*\|\s*$ | ^(?:\+\+\+|---|@@|diff\s--git|[+-]\s{2,}) | ^\s+at\s\S+ | ^\s*(?:\$|%|❯)\s
  | ^\s*(?:Traceback|File\s".*",\sline|[\w.]*(?:Error|Exception|Warning):)
  | ^\s*(?:\[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE)\b)
  | ^\s*(?:日志|报错信息|错误信息|输出)\s*[:：] | [{};]\s*$
  | ^\s*(?:import|from|const|let|var|def|class|return|func)\s.*[=({:;]
    """
)
_END = re.compile(r"(?<=[.!?])[\"”')]*\s+(?=[^\s,;])|(?<=[。！？])[”」』）]*|\n+")
# A full stop that ends no sentence: an abbreviation, a number in a list.
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|Mr|Mrs|Dr|No|Fig)\.|^\s*\d{1,2}\.)$", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)、]|[（(]\d{1,2}[)）])\s+")
# Words in quotation marks are somebody else's, or a name; a short one is kept as a name.
_QUOTED = re.compile(
    r"“[^”]{1,400}”|\"[^\"\n]{1,400}\"|「[^」]{1,400}」|『[^』]{1,400}』|(?<!\w)'[^'\n]{12,400}'(?!\w)"
)
_CODE = re.compile(r"`[^`\n]{1,200}`")
_NAME_CHARS = 20


class Sentence(NamedTuple):
    """A sentence as it stands in the turn, and the same with quotations and code blanked out, to be judged by."""

    text: str
    bare: str


def sentences(turn: str) -> Iterator[Sentence]:
    """Yield the sentences that a person wrote in a turn, in their order, each word for word."""
    prose = _FENCE.sub("\n\n", turn)
    for line in prose.split("\n"):
        if _PASTED.search(line):
            continue
        for text in _divided(_BULLET.sub("", line)):
            bare = _CODE.sub(" ` ", _QUOTED.sub(' " ', simplified.read(text)))
            if text.strip():
                yield Sentence(text.strip(), " ".join(bare.split()))


def prose(turn: str) -> str:
    """Return what a person wrote in a turn, without what they quote; a short quotation is a name."""
    kept = (
        _QUOTED.sub(lambda found: found[0] if len(found[0]) <= _NAME_CHARS else " ", each.text)
        for each in sentences(turn)
    )
    return "\n".join(kept)


def _divided(line: str) -> Iterator[str]:
    """Yield the sentences of a line; quotation marks keep together what stands between them."""
    held = _QUOTED.sub(lambda found: "\x00" * len(found[0]), line)
    start = 0
    for end in _END.finditer(held):
        if _NO_END.search(held[start : end.start()]):
            continue
        yield line[start : end.end()]
        start = end.end()
    yield line[start:]
