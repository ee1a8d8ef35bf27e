"""Send a bank's notes at a commit to a team server: only what it has not, in pieces that it takes."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request

from tacit import fsio
from tacit.bank import hosted
from tacit.errors import ForeignRefused
from tacit.index.embed.remote import Elsewhere, headers, opened
from tacit.project import git
from tacit.store.layout import SETTINGS
from tacit.text import clip, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_TIMEOUT_S = 60.0
_MAX_ANSWER_BYTES = 64 * 1024 * 1024
_MAX_REASON_BYTES, _MAX_REASON_COLUMNS = 64 * 1024, 400
_NAMES = re.compile(r"/+([a-z0-9][a-z0-9._-]{0,63})/([a-z0-9][a-z0-9._-]{0,63})/*")
# What an answer has, by the kind of question.
_STATE = {"commit": str, "files": dict}
_TAKEN = {"changed": list, "dropped": list, "refused": dict}
_PASSING = (409, 429)
_BROKEN = 500
_FIX = "See that the address is right, and that the token in TACIT_TOKEN may write this bank."
_COMMIT = "Commit the bank with git first, or name a commit that holds it by --commit."
_LATER = "Push again in a while; what the server took is not sent again."
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
        raise _refused(place, f"git has no commit {commit!r} around this bank", _COMMIT)
    name, contents = found
    # The settings go too: they say what an answer to a proposal needs.
    files = {file: contents[file] for file in (*hosted.pushed(contents), SETTINGS) if file in contents}
    unreadable = {file: "the file is not valid UTF-8" for file, content in files.items() if not _is_text(content)}
    address = _address(place)
    told = headers("TACIT_TOKEN", token)
    there = _asked(address, told, None, _STATE)
    known, base = there["files"], there["commit"]
    if not (contents or known):
        raise _refused(place, f"the commit {name[:12]} holds nothing of this bank", _COMMIT)
    new = {
        file: content
        for file, content in files.items()
        if file not in unreadable and known.get(file) != fsio.digest(content)
    }
    gone = [file for file in known if file not in files or file in unreadable]
    changed = dropped = 0
    refused = hosted.left_out(contents) | unreadable
    for piece in _pieces(new):
        answer = _asked(address, told, {"commit": name, "base": base, "put": piece, "drop": gone}, _TAKEN)
        gone, base = [], name
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
        piece[file] = content.decode()
        size += len(content)
    yield piece


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _address(place: str) -> str:
    """Return where the notes of a bank are; a token is sent to another machine only in secret."""
    try:
        parts = urlsplit(place)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise _refused(place, "an address is https://host/organisation/bank") from None
    names = _NAMES.fullmatch(parts.path)
    is_private = parts.scheme == "https" or (parts.scheme == "http" and host in ("localhost", "127.0.0.1", "::1"))
    if not host or not names or not is_private or "@" in parts.netloc:  # a password would only be printed
        raise _refused(place.rpartition("@")[2], "an address is https://host/organisation/bank")
    return f"{parts.scheme}://{parts.netloc}/v1/{names[1]}/{names[2]}/notes"


def _asked(
    address: str, told: Mapping[str, str], body: Mapping[str, object] | None, shape: Mapping[str, type]
) -> dict[str, Any]:
    """Return what the server answers, with the members that it must have; raise ForeignRefused for anything else."""
    content = None if body is None else json.dumps(body).encode()
    found: object = None
    try:
        with opened(Request(address, content, dict(told)), _TIMEOUT_S) as answer:  # noqa: S310  checked above
            found = json.loads(answer.read(_MAX_ANSWER_BYTES))
    except HTTPError as error:
        raise _said(address, error) from None
    except Elsewhere as error:
        there = error.address.replace("/v1/", "/", 1).removesuffix("/notes")
        fix = "Use that address, if it may see the token."
        raise _refused(address, f"the server answers from elsewhere, {there}", fix) from None
    except OSError as error:
        raise _refused(address, str(getattr(error, "reason", error))) from None
    except (HTTPException, ValueError, RecursionError):
        pass  # their texts may quote what was sent
    if not isinstance(found, dict) or not all(isinstance(found.get(name), kind) for name, kind in shape.items()):
        raise _refused(address, "what answers there is no team server")
    return found


def _said(address: str, error: HTTPError) -> ForeignRefused:
    """Return why a server says no: in its own words, if it has any."""
    reason = error.reason
    with error, suppress(OSError, HTTPException, ValueError, RecursionError, LookupError, TypeError):
        reason = str(json.loads(error.read(_MAX_REASON_BYTES))["error"]["message"])
    is_passing = error.code in _PASSING or error.code >= _BROKEN
    said = clip(one_line(reason), _MAX_REASON_COLUMNS).rstrip(".")
    return _refused(address, f"it answers {error.code}: {said}", _LATER if is_passing else _FIX)


def _refused(place: str, reason: str, fix: str = _FIX) -> ForeignRefused:
    return ForeignRefused(path=place, reason=reason, fix=fix)
