"""Send a bank's notes at a commit to a team server: only what it has not, in pieces that it takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tacit import fsio
from tacit.bank import hosted
from tacit.errors import ForeignRefused
from tacit.project import git
from tacit.store.layout import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_TIMEOUT_S = 60.0
_MAX_ANSWER_BYTES = 64 * 1024 * 1024
# A piece has so many files and so many characters at most; the server takes more.
_FILES = 200
_CHARS = 2_000_000


class Pushed(NamedTuple):
    """What was sent: the commit, how many files the server took and forgot, and those not sent or taken, with why."""

    commit: str
    changed: int
    dropped: int
    refused: Mapping[str, str]


def push(root: Path, place: str, token: str, commit: str) -> Pushed:
    """Bring a server to a bank's notes at a commit; `place` is `https://host/organisation/bank`.

    Raises ForeignRefused where the server cannot be reached or says no.
    """
    found = git.committed(root, commit)
    if found is None:
        raise _refused(place, f"git has no commit {commit!r} around this bank")
    name, contents = found
    # The settings go too: they say what an answer to a proposal needs.
    files = {file: contents[file] for file in (*hosted.pushed(contents), SETTINGS) if file in contents}
    address = _address(place)
    known: dict[str, str] = _asked(address, token, None)["files"]
    new = {file: content for file, content in files.items() if known.get(file) != fsio.digest(content)}
    gone = [file for file in known if file not in files]
    changed = dropped = 0
    refused = hosted.left_out(contents)
    for piece in _pieces(new):
        answer = _asked(address, token, {"commit": name, "put": piece, "drop": gone})
        gone = []
        changed += len(answer["changed"])
        dropped += len(answer["dropped"])
        refused |= answer["refused"]
    return Pushed(name, changed, dropped, refused)


def _pieces(files: Mapping[str, bytes]) -> Iterator[dict[str, str]]:
    """Yield the files in pieces; one that is empty if there is none, for the commit is told in any case."""
    piece: dict[str, str] = {}
    size = 0
    for file, content in files.items():
        if piece and (len(piece) >= _FILES or size + len(content) > _CHARS):
            yield piece
            piece, size = {}, 0
        piece[file] = content.decode("utf-8", "replace")
        size += len(content)
    yield piece


def _address(place: str) -> str:
    """Return where the notes of a bank are; a token is sent to another machine only in secret."""
    parts = urlsplit(place)
    names = parts.path.strip("/").split("/")
    is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if len(names) != len(("organisation", "bank")) or not (
        parts.scheme == "https" or (parts.scheme == "http" and is_here)
    ):
        raise _refused(place, "an address is https://host/organisation/bank")
    return f"{parts.scheme}://{parts.netloc}/v1/{'/'.join(names)}/notes"


def _asked(address: str, token: str, body: Mapping[str, object] | None) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(address, content, headers), timeout=_TIMEOUT_S) as answer:  # noqa: S310  checked above
            found: dict[str, Any] = json.loads(answer.read(_MAX_ANSWER_BYTES))
            return found
    except HTTPError as error:
        error.close()
        raise _refused(address, f"it answers {error.code} {error.reason}") from None
    except (URLError, OSError, ValueError, RecursionError) as error:
        raise _refused(address, str(getattr(error, "reason", error))) from None


def _refused(place: str, reason: str) -> ForeignRefused:
    fix = "See that the address is right, and that the token in TACIT_TOKEN may write this bank."
    return ForeignRefused(path=place, reason=reason, fix=fix)
