"""Made-up values that look like secrets, put together at run time so that no file holds one."""

from __future__ import annotations

import random
import string

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits


def drawn(alphabet: str, length: int, seed: int = 7) -> str:
    """A string that looks like a machine drew it; the same one each time."""
    return "".join(random.Random(seed).choices(alphabet, k=length))  # noqa: S311 - no secret is made here


def github_token() -> str:
    """A token of GitHub in shape only."""
    return "gh" + "p_" + drawn(ALNUM, 36)


def aws_secret() -> str:
    """A secret access key in shape only."""
    return drawn(ALNUM + "+/", 40)


def key_block(name: str = "RSA PRIVATE", lines: int = 4) -> str:
    """A private key in shape only."""
    body = "\n".join(drawn(ALNUM + "+/", 64, seed) for seed in range(lines))
    return f"-----BEGIN {name} KEY-----\n{body}\n-----END {name} KEY-----"
