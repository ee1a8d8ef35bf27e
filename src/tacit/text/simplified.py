"""Traditional Chinese read as simplified, character by character: what is compared must not depend on the script."""

from __future__ import annotations

import zlib
from binascii import a2b_base64
from collections.abc import Mapping
from functools import cache
from itertools import accumulate
from typing import Any

Table = dict[int, str]

# Which character is read as which: those that are common in Big5 and in GB 2312, by OpenCC's table of characters; made
# and told about by scripts/make_simplified.py.
_TABLE = """
eNolV/lzIted93t9cwkQ6NbomEuambUdz4zHjuPEsdeTxEfsuOzysZv1Lylv1p6Ns15nNt61N5IQCEmISyABEkigC4GkETpAg66q14A0hzXxEdd6vZXl
dUOD8lfsUxaqmq6u933v+zm+3/5S2pri3qJbUELTYdC3A/WpcxRkGfOpi4A3cUBQsxBynIbWa3iOpkENp+bNDGuGHe2na8xXmFaa0sIGqKEhoOhHTTSE
gDZAirpiMJ2FjzGGtl9QGjT1Zn0NeEoPAKRNvOaSjjKyZzpooBPMFMvqVExjB2QABcUp3QVI1WnVtbTBaGTUgoZhgYpVU6ch1dhN0Y/87Oq5s2++coZX
d2m5R67QgBwmAAOJBE9wNSzkr77BmVj4weMQmOlXWJ5StdG8jvmbOnKukQFkMdfRAWsgDdUa1qRltGoNjUba2r/HndFf6Oa0UOApnoU0zwJBxXEERzcN
AIH0KKSR/18vnJxlhmxbE6htE0Bbt14NtDzBwgkUIJApILCshkRAFlC8wDAUYAELL4JWSgW61cyLT3Gmi01CM1Wv0agvPvfcj9HQqfO1PK9+S2jiv8e3
QrZdB2oI94wZGE2U0K3TChTfWSewlw3QYGBAexMPafbZZr5Wr+5ooC/+WotsdbwOqpk2qGaNmlb+PKcz8IBrpyiGA7DjJCHOSHGCRs8atFo9NFIUzXAM
EGg1VPG1ulpODRqfNr/WpdfQ3W1alYpjORZwHDBQaiPD0/y1s0zjk3RLqw6QHAlGCJDlB92AAdebXtTS1xiBYQ3UK9xFyOrYZr2WmIBj1KfahUZIllLU
6wbts9215tcvfd8AT11RaxnQfUHXyFO665TJSNVogYmDPwQ0UKsAc+lV7vv0VZppP0PrWwAjmGiC9rluQdBB+kQEiiZbAlYLKVYgHKsYljBOQwFwhAIo
kDuy7uRQCNVExRNJiKkIEe08T8ShWMAYACH0RB+W0lNkMYui6i4G6k6D7vO/5A0n0UQyDvVQzSzUmRsYnulkBRNU0WqOpYxaAMArWjWLthue0WheFoyd
rboaQ+MlFXP6XA3kfwCoVo4yUnqTnjdpyVadxroTJyDfOwaoP0e/wAoqnviaaeDhR1pAt6gunjERThtpmjLpKeoJQgKkiWuIoSHNEbwsACYCE/4/KuIs
I6kTnmIhyRRCyEKO4KNojmbVHFlMjE0e0gK5Uhotz7PkjtIDsg+lIq5AK8TbDedVJJgIePI54YBcyfevP5AHJ7EnZQoBR07hKSIjTTH/Ttc8+ciZi8w5
6rKKhDHaRjVLbkjF0UQoIgMDSGsw/IQjuzx7VqUDDYCkQ/SCgkDqDjIUy7xnEswsdQMyPDABFWGWyNdOkwbDGFSQ0bCkekwUw2g4up6mWVKiRlZH8xqe
mIBITxgCUGcQBPKI5kmAuR62NNcxkHjoFGTIIeKWQIihT7AJf0XDq9Q0VLEM+A+SMNlZS3PEPCe0NhMjETZrhLq6DtPl+nYGcF0ngSdPCcnEj5oTn5Ca
ApCgE2gaXhOgoZ7TkkImGjGkwEn6nFbgNEDz8xO9gLaG+BLqaR3Uqus5jtMT91Evn4ZNDZxWTTpPt7mztbnt4uM65NQBs4ZVw1raqKlhnz3d+SlNgSZd
DSm7ZpWm4yrgSIdSN1M0f5zql/rinNTT+xre9mK/FQeW8EBE7l8ozOLZbMmaLic2kfcwmfcU+vFOAGdntDk3EDNyn0Pum8Eu758iODaHrIcbh8nDjXup
A9uBpbBXvd1f3ZtqfOPAh+w4No3D2/dG7k/fncwPnkaO73q/c+O5JTw78kzX783awsTB5NNoDI1Wx1aqY/sogcIvdLWK07Xa18ursXLK09Bw+bxok4ec
sj14AccTeGHqUeaj4vJIcXXtid8hG57MKrfWqvbbectBopi5XVzZKi6Hi/G++77cABpAQ6IVbRX33MXscL4v3yP23g/j4BgO7uMeXzG7/5Ocq3hrHFt2
ytFAeXa70NNg0D5Wcw1PDuFAsDgfKq7v4An/96XUmJQaKM5tFKdHxGHkzyfySeRE/j9PFaedyPr+y/dj+v/yfrOPd5yyI4g9PW+90XmzOb/2tngbinti
iEbbd/uaeNT3q8+efAa7Xdhjf5IRvfjWHL7lplg0ebrz0aefwGNJHJhHDjw4hIfDeGUYr22J+3/36/c+ubvF6i9B89V3CKOzM3huHo9vN+kYGo/HcGAZ
B7I/6sQBf44kvXQFx8M4PnnehOOreKFX2Y5Ut9eLJGJiSbImsWevuB5XF1bkfa+8s6gkYtXoHN6c1UgjCexexz3JA6eKPgiW1iKlPf//xLF9FYf8h/ZC
GKfCeKvvhrhYjA8Wp7fyoaPdLxMH3qOZfOCm6DscPgoZXhXtObucmZQzg3g3ijPxG7n+H5fTQ+XMgLh8sPTJxwfug4FC772eA1fOcqcfZe7M34t+iCaQ
pxACyC5mCpOFUWlgQhp0oEzei0bRoP5wA43enTjK5la/mvhy6GiOP9z42HTHcyeCBmvKg+7K0Lg0PP/TbqJTMTXFS1u7xbk1yR9BidbHcGYap63SeEYa
C6EMSkv74/m43JOQ7XPSXLy4mMjvPo77trG1R3QzLfkJZJMdUXnYie3h0kJMjuy+hEYP3VB2p2RP7CB9b1EczCUOrYUsit/xP5g/yB6NoKw0PyVNTT9I
P9j9OvGHLyyF8XLSVrUGpduTAt7sxQObOBLA0bXWYjSD14LS2GTjO++15NceEtdl/4Q8PimPh1k5EEF+2T8lyEGHHByVxx337IVBtCNHFuTILEpq5Il9
OZy+45J92/LY2n0fWjq69WfHN56D9S/ihRHZPydPLOkKwSP/3SVxUhwU3YVRNKr6Mv15spAtrIsWsSc/WrCJSeOdwOe90m5ayvpR6K5PdJO1VrT3wCPO
/bfv2yBO7kuWla9Hj1ZEv+i+v1ryDpyRduJ4bOv6jV9Kvj5pdP1dNCGu8lJwQwoPF+e2i/GNlrwjb33jw49KnhQKl6ayUsr63abs3LrQ9vvf/OzVf/4t
IztuyY6lZsm2Jlk9JUe05Jr+LNf/DOoRHThrk3q2u3Kh/GxpbUSJupXosLwYwMMOKZVCMSnVV3IslFxeORyRI55m5P231hppNiwt9n/wnDm39WHJu14a
63kGZy14210j+2ZkX1xXmkiW9/eU2Ghxb63UF0MxHHeSroH6Jeu6NOC9+ZgYvPA6CuUm/vMPRxtooV52LsuO9E0UIG3IJdkWJdvWdcnrlLwuedMpb6Ru
YIcd29dxshcvpq90GVprUfqGobzQW45PF7PuXF9xd8YkruKBHTwUpeTksLyyJC5+gvrFeeQq7brKVpuGL62Ml3Z3TBxnbFGbmmldRzsrz4zLM6tAL8i7
FnlnR2M0GWvIq07bpNgsim2oo0ue3JUnve+w2n95H1lyeygq7yzL2RByNqqOJo5sV9Ag8qk0PMU0o9TD38a+WS+HNsuhnQZxoUOMyel1eXOy5V3RiVIt
7VePbhdTgf+dE4cf07ynl+c35diK2C8tRyqJ9dL+nhx0y4F9M/IpQ7ceVoZXy9bFSnpVWh65VNpeL2XdJlN5er88vffbT5G7PG0pxlPKkE2MUmgezaC0
uM6j2dxQfhGFXnjl49+Vl13Fxbni8lbxluU7x7dJadcrx3wA9bDKwLriDJXmLaVZHwooPePyUkwam1WWR4u3IqWQD086c1k5S3iPlWb3ZasXz28pfUll
MHL5cLi2MHh/LL9aDljLofSDkcLq3YU/er+yHiSOQl8nX/vT0FebisOj+EPlQKqcWDIr3lvFpKvS78gtUo15cv1y+9uhwvalgkP3Nlr+J7Qm7+5KkYHP
U9WeDTw8IvZgu7OykyymV8p7K2j/0VIsWYo6UN9hnPw/qQQWKoEVoP7p51uQatGqqPLQXHlo1choyLSn7oRyxiKn13Qc1Cu3t5XsPGym29XkFW1W/Nbi
xl45Evr4HHe2E7Iahm5iQJOWpTtakB/Ns8q2S9kaM9382x916u977ttb9LS4IE5DI6dko0rGd+1Z0ckrKyNK0vl8zlF2TJX2h+7NVnqtld49ceLzhGLL
yGvx8tywErPhrAfKrlkyopGxl4wm9XW0ylDZzFTSTlrgaT2gVGqqRXGMK45ZoHq34pyoONNXnqdeMvFv/z2jJ+PF03UXzoFLX03+ceDCg8hR+CnkOQjk
Vwj+lWBlZVKjOqUuR/fLMXdtHZl/L1+nGR1eiuKlafCLdy63VuZnKvGeJqqyGiwm+isDaVVlIlmZmC+NWEuOVYPhhzk32tR/8NLzTyE3msyt17U/nSM1
UvUGq97VFz+9WPWPVkMBaXak7NispJZa8OA6dgxVUjPVgRioUzxTiifSwsB2bfPrDKWkk0p6o/UcuIacnOmyzoRnU3huq63zH/+B9C6ftvb9XFBJBJWV
aWAUM2KiXlfzMJ53SbvjpZj3pkCZc+F8fzuaui5m8m6DBoXrRR9aED2FGJMf/83XAw99ESvE3nxZdFX9mepkj+ilWSUTVDLT9EM0bwJVV6rqWlWzemN5
I1zeSDDPVWcy1dlscT1a3FyqBiaq45Ogizp7/uFfPY98L/4cecRIdWxc8c0r/mg1YCvvBJX0XmlmWI7bjnuDpU07tiyXvT2lDU8pY68MT8lT/aUNV3XO
RibqatBVDbvhyfSto8kfQj0wVbKZSnaJqqM0UAWU7G1lu0+ODsrTtpeU0WHF60Te6vz2kaW66dPknHoydwMTfdzTW93faKCOPcPH7qVLsDo9UJ0OsW93
Xjjog8fW7WPrHg14PaWq0dQBI6fRyPaUbN/SvXtOX3FaKs6Nd2XnsNinjGSKMztSOCQP26SdDWV8QLH0VwcXK1NZHE6rGk7pu+rO6e/2HUc3j6N77CmK
o85QGtokXPkMjR0Hxu/GS1NrD3rL/XN/sXiV3QXFMn1sX/+LZau86pezu9XlSDVx+3jZXnEOVlxx1fHS6HfxY3e2pTqwWR3YUv0fin+kBQ==
"""


def read(text: str) -> str:
    """Return a text in simplified characters, each in its place."""
    return text if text.isascii() else text.translate(table())


def both_ways(text: str) -> tuple[Table, Table]:
    """Return what brings this text into simplified characters and what brings each piece of it back.

    A character stays as it is where that could not be undone, beside the simplified one itself.
    """
    back = {ord(new): each for each in sorted(set(text)) if (new := read(each)) != each and new not in text}
    return {ord(each): chr(new) for new, each in back.items()}, back


def turned(value: object, by: Table) -> Any:  # noqa: ANN401  of the same shape
    """Return a value as JSON has it with all its texts translated, names of members aside."""
    match value:
        case str():
            return value.translate(by)
        case Mapping():
            return {name: turned(each, by) for name, each in value.items()}
        case list() | tuple():
            return [turned(each, by) for each in value]
        case _:
            return value


@cache
def table() -> Table:
    """Return the simplified character of each traditional one."""
    steps = [*map(ord, zlib.decompress(a2b_base64(_TABLE)).decode())]
    traditional, turns = steps[: len(steps) // 2], steps[len(steps) // 2 :]
    simplified = accumulate(-(each // 2) - 1 if each % 2 else each // 2 for each in turns)
    return dict(zip(accumulate(traditional), map(chr, simplified), strict=True))
