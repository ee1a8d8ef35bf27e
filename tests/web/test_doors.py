"""Who is not let in: other machines, other sites, other users, used links, forged forms."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tacit.web.app import ACTS, READS
from tacit.web.doorkeeper import MAX_BODY_BYTES
from tests.cli.runner import fingerprint
from tests.web.visitors import HOST, ORIGIN, PORT, Visitor, ask, fill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.web.doorkeeper import Address

FORM = "application/x-www-form-urlencoded"
HOSTS = [
    "evil.example",
    f"evil.example:{PORT}",
    "127.0.0.1",
    "127.0.0.1:80",
    f"127.0.0.1:{PORT}0",
    f"127.0.0.1:{PORT}.evil.example",
    f"127.0.0.1.evil.example:{PORT}",
    "localhost",
    "localhost:evil",
    f"localhost:{PORT}@evil.example",
    f"0.0.0.0:{PORT}",
    f"[::1]:{PORT}",
    f"LOCALHOST.:{PORT}",
    f"127.1:{PORT}",
    f"2130706433:{PORT}",
    "",
    f"127.0.0.1:{PORT},evil.example",
]
ORIGINS = [
    "null",
    "http://evil.example",
    f"http://evil.example:{PORT}",
    f"https://{HOST}",
    "http://127.0.0.1",
    f"http://127.0.0.1:{PORT + 1}",
    f"http://localhost:{PORT}",
    f"{ORIGIN}.evil.example",
    f"{ORIGIN}/",
    "file://",
    "chrome-extension://abcdef",
    "",
]
TYPES = [
    "application/json",
    "text/plain",
    "multipart/form-data; boundary=x",
    "",
    "application/x-www-form-urlencoded2",
    "text/html",
]
METHODS = ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"]
SITES = ["cross-site", "same-site"]


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    """One bank for all: none of these requests may change it."""
    return fill(tmp_path_factory.mktemp("doors") / ".memory")


@pytest.fixture(scope="module")
def questions(bank: Bank) -> tuple[str, str, str]:
    """Three questions that wait."""
    return ask(bank)


@pytest.fixture
def waiting(visitor: Visitor, questions: tuple[str, str, str]) -> tuple[Visitor, dict[str, str]]:
    """A visitor, and the form by which the first question would be answered with yes."""
    shown = re.search(r'name="shown" value="(\w+)"', visitor.get(f"/inbox/{questions[0]}").text)
    assert shown is not None
    return visitor, {"csrf": visitor.csrf, "proposal": questions[0], "option": "confirm", "shown": shown[1]}


def unchanged(visitor: Visitor, before: dict[str, str]) -> bool:
    """Whether nothing of the bank differs."""
    return fingerprint(visitor.root) == before


@pytest.mark.parametrize("host", HOSTS)
def test_other_hosts_are_refused(waiting: tuple[Visitor, dict[str, str]], host: str) -> None:
    """U-01: a name that was rebound to this machine reaches nothing, though the browser has a session."""
    visitor, fields = waiting
    before = fingerprint(visitor.root)

    read = visitor.get("/", headers={"Host": host})
    wrote = visitor.client.post("/answer", data=fields, headers={"Host": host, "Origin": f"http://{host}"})

    assert (read.status_code, wrote.status_code) == (421, 421)
    assert "in capitals" not in read.text
    assert unchanged(visitor, before)


def test_two_hosts_are_none(waiting: tuple[Visitor, dict[str, str]]) -> None:
    """A request with two Host lines is not served."""
    visitor, _ = waiting
    page = visitor.get("/", headers=[("Host", HOST), ("Host", "evil.example")])

    assert page.status_code == 421


@pytest.mark.parametrize("origin", ORIGINS)
def test_other_origins_are_refused(waiting: tuple[Visitor, dict[str, str]], origin: str) -> None:
    """U-01: another site cannot answer, though it has the browser's session and the token."""
    visitor, fields = waiting
    before = fingerprint(visitor.root)

    assert visitor.client.post("/answer", data=fields, headers={"Origin": origin}).status_code == 403
    assert visitor.get("/", headers={"Origin": origin}).status_code == 403
    assert unchanged(visitor, before)


@pytest.mark.parametrize("site", SITES)
def test_other_sites_are_refused_by_what_the_browser_says(waiting: tuple[Visitor, dict[str, str]], site: str) -> None:
    """U-01: a browser tells when another site asks; a page of another port is another site here."""
    visitor, fields = waiting
    before = fingerprint(visitor.root)
    headers = {"Sec-Fetch-Site": site}

    assert visitor.client.post("/answer", data=fields, headers={"Origin": ORIGIN, **headers}).status_code == 403
    assert visitor.get("/notes", headers=headers).status_code == 403
    assert unchanged(visitor, before)


def test_no_origin_is_no_answer(waiting: tuple[Visitor, dict[str, str]]) -> None:
    """U-01: a change that does not say where it comes from is refused."""
    visitor, fields = waiting
    before = fingerprint(visitor.root)

    assert visitor.client.post("/answer", data=fields).status_code == 403
    assert unchanged(visitor, before)


@pytest.mark.parametrize("kind", TYPES)
def test_other_kinds_of_content_are_refused(waiting: tuple[Visitor, dict[str, str]], kind: str) -> None:
    """U-01: only a form is taken, so that nothing a foreign page can send by itself is."""
    visitor, fields = waiting
    before = fingerprint(visitor.root)
    body = "&".join(f"{name}={value}" for name, value in fields.items())

    sent = visitor.client.post("/answer", content=body, headers={"Origin": ORIGIN, "Content-Type": kind})

    assert sent.status_code == 415
    assert unchanged(visitor, before)


@pytest.mark.parametrize("method", METHODS)
def test_other_methods_are_refused(waiting: tuple[Visitor, dict[str, str]], method: str) -> None:
    """U-01: the page is read by GET and changed by POST."""
    visitor, fields = waiting
    before = fingerprint(visitor.root)

    sent = visitor.client.request(method, "/answer", data=fields, headers={"Origin": ORIGIN})

    assert sent.status_code == 405
    assert unchanged(visitor, before)


@pytest.mark.parametrize("token", [None, "", "wrong", "\u4e2d"], ids=["none", "empty", "wrong", "not ASCII"])
def test_form_without_its_token_is_refused(waiting: tuple[Visitor, dict[str, str]], token: str | None) -> None:
    """U-01: a form must bear the session's own token."""
    visitor, fields = waiting
    before = fingerprint(visitor.root)
    forged = {name: value for name, value in fields.items() if name != "csrf"} | (
        {} if token is None else {"csrf": token}
    )

    assert visitor.client.post("/answer", data=forged, headers={"Origin": ORIGIN}).status_code == 403
    assert unchanged(visitor, before)


def test_token_of_another_session_is_refused(waiting: tuple[Visitor, dict[str, str]]) -> None:
    """U-01: the token of one browser is of no use in another."""
    visitor, fields = waiting
    other = visitor.browser()
    other.get(visitor.door.new_link())

    assert other.post("/answer", data=fields, headers={"Origin": ORIGIN}).status_code == 403


@pytest.mark.parametrize("path", sorted(ACTS))
def test_every_act_needs_its_token(visitor: Visitor, path: str) -> None:
    """U-01: no act is without the token, whatever it does."""
    before = fingerprint(visitor.root)
    path = path.format(note="MEM-reindex1")
    fields = {"state": "OFF", "operation": "OP-1", "text": "x", "language": "zh", "theme": "dark"}

    assert visitor.client.post(path, data=fields, headers={"Origin": ORIGIN}).status_code == 403
    assert unchanged(visitor, before)


@pytest.mark.parametrize("path", sorted({*READS, *ACTS, "/live"}))
def test_without_a_session_nothing_is_shown(visitor: Visitor, questions: tuple[str, str, str], path: str) -> None:
    """U-01: who did not come by a link sees nothing of the bank and changes nothing."""
    before = fingerprint(visitor.root)
    stranger = visitor.browser()
    place = path.format(proposal=questions[0], note="MEM-reindex1", operation="OP-1", task="T-1")

    read = stranger.get(place)
    wrote = stranger.post(place, data={"csrf": visitor.csrf, "state": "OFF"}, headers={"Origin": ORIGIN})

    assert (read.status_code, wrote.status_code) == (403, 403)
    assert str(visitor.root) not in read.text
    assert "MEM-" not in read.text
    assert unchanged(visitor, before)


@pytest.mark.parametrize("cookie", ["", "wrong", '"', "x" * 5000, "\u00e9", "a; b"])
def test_forged_session_is_refused(visitor: Visitor, cookie: str) -> None:
    """U-01: a session is known or it is none."""
    stranger = visitor.browser()
    headers = {b"Cookie": f"{visitor.door.cookie}={cookie}".encode("latin-1")}

    assert stranger.get("/", headers=headers).status_code == 403


def test_link_works_once(visitor: Visitor) -> None:
    """U-01: a link that was used lets nobody else in; who is in already is led on."""
    link = visitor.door.new_link()
    first, second = visitor.browser(), visitor.browser()

    assert first.get(link).status_code == 200
    replayed = second.get(link)
    again = first.get(link)

    assert replayed.status_code == 403
    assert "set-cookie" not in replayed.headers
    assert (again.status_code, again.headers["location"]) == (303, "/")


@pytest.mark.parametrize("key", ["", "wrong", "%00", "x" * 3000])
def test_made_up_link_lets_nobody_in(visitor: Visitor, key: str) -> None:
    """U-01: a key is known or it is none."""
    page = visitor.browser().get(f"/open?key={key}")

    assert page.status_code == 403
    assert "set-cookie" not in page.headers


def test_session_cookie_is_for_this_page_alone(visitor: Visitor) -> None:
    """U-01: scripts cannot read the cookie, other sites cannot send it, it ends with the browser."""
    cookie = visitor.browser().get(visitor.door.new_link()).headers["set-cookie"]

    assert re.fullmatch(rf"tacit_{PORT}=[\w-]{{43}}; HttpOnly; Path=/; SameSite=strict", cookie)


@pytest.mark.parametrize(
    "path", ["/", "/notes", "/search?words=x", "/health", "/static/page.js", "/no-such-page", "/open"]
)
def test_every_answer_forbids_what_a_page_does_not_need(visitor: Visitor, path: str) -> None:
    """U-01: no foreign script, frame, form, picture or copy; refusals too."""
    headers = visitor.get(path).headers

    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert not re.search(r"unsafe|\*|https?:|data:", policy)
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "same-origin"


def test_pages_need_nothing_inline(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: no page has a script, style or handler of its own, so that the policy can forbid them all."""
    for path in (
        "/",
        f"/inbox/{questions[1]}",
        "/notes",
        "/notes/MEM-reindex1",
        "/search?words=npm",
        "/health",
        "/audit",
    ):
        page = visitor.get(path).text
        assert not re.search(r"<script(?! src=\"/static/page.js\" defer></script>)|<style|\sstyle=|\son\w+=", page), (
            path
        )


def test_reading_changes_nothing(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: no GET has an effect on the bank."""
    visitor.get("/search?words=warm")  # the search index is made by the first question
    before = {name: mark for name, mark in fingerprint(visitor.root).items() if not name.startswith(".local/")}
    for path in READS:
        visitor.get(
            path.format(proposal=questions[0], note="MEM-reindex1", operation="OP-1", task="T-1") + "?words=npm"
        )
    for path in ACTS:
        assert visitor.get(path.format(note="MEM-reindex1") + "?state=OFF&option=confirm").status_code in (200, 405)

    after = {name: mark for name, mark in fingerprint(visitor.root).items() if not name.startswith(".local/")}
    assert after == before


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"x" * (MAX_BODY_BYTES + 1), 413),
        (b"&".join(b"a%d=1" % number for number in range(100)), 400),
        (b"csrf=%ff%fe", 400),
        (b"\xff\xfe", 400),
    ],
    ids=["too long", "too many fields", "no UTF-8", "no ASCII"],
)
def test_form_that_cannot_be_read(visitor: Visitor, body: bytes, status: int) -> None:
    """X-05: a form is bounded, and text."""
    sent = visitor.client.post("/answer", content=body, headers={"Origin": ORIGIN, "Content-Type": FORM})

    assert sent.status_code == status


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/page.js/../../app.py",
        "/notes/..%2f..%2ftacit.toml",
        "/notes/%2e%2e%2fmemory.lock",
        "/notes/%00",
        "/notes/L1_declarative%2f..%2f..%2f..%2fetc%2fpasswd",
        "/inbox/..%2f..%2ftacit.toml",
        "/tasks/..%2f..%2ftacit.toml",
        "/audit/%3Cscript%3E",
    ],
)
def test_paths_lead_nowhere_else(visitor: Visitor, path: str) -> None:
    """X-04: no address leads out of what the page shows."""
    page = visitor.get(path)

    assert page.status_code in (400, 404)
    assert "format =" not in page.text
    assert "<script>" not in page.text


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", ""]
)
def test_nobody_is_led_to_another_site(visitor: Visitor, back: str) -> None:
    """U-01: after a choice of language one stays on this page."""
    sent = visitor.post("/language", {"language": "zh", "back": back})

    assert (sent.status_code, sent.headers["location"]) == (303, "/")


class Kernel:
    """What the kernel would say of who holds a connection."""

    def __init__(self) -> None:
        self.trusted = True

    def __call__(self, client: Address, server: Address) -> bool:
        """Whether it is the same user."""
        assert (client, server) == (("127.0.0.1", 50_000), ("127.0.0.1", PORT))
        return self.trusted


@pytest.fixture
def kernel() -> Kernel:
    """Who connects is the same user until a test says otherwise."""
    return Kernel()


@pytest.fixture
def guarded(bank: Bank, kernel: Kernel) -> Iterator[Visitor]:
    """A visitor of a page that knows whose a connection is."""
    someone = Visitor(bank.root, trust=kernel).enter()
    yield someone
    someone.leave()


def test_other_users_of_the_machine_are_refused(guarded: Visitor, kernel: Kernel) -> None:
    """U-01: even with the link or the cookie, another user of this machine gets nothing."""
    link = guarded.door.new_link()
    assert guarded.get("/").status_code == 200
    kernel.trusted = False

    assert guarded.get("/").status_code == 403
    assert guarded.browser().get(link).status_code == 403
    assert guarded.post("/state", {"state": "OFF"}).status_code == 403
    kernel.trusted = True
    assert guarded.browser().get(link).status_code == 200


def test_web_sockets_are_closed(visitor: Visitor) -> None:
    """U-01: there is no other protocol to come in by."""
    from starlette.websockets import WebSocketDisconnect

    with pytest.raises(WebSocketDisconnect), visitor.client.websocket_connect("/live"):
        pass


def test_role_of_the_process_is_obeyed(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """K-02: a page that was started as a reader shows, and changes nothing."""
    monkeypatch.setenv("TACIT_ROLE", "reader")
    visitor = Visitor(bank.root).enter()
    try:
        assert visitor.post("/state", {"state": "OFF"}).status_code == 403
        assert visitor.post("/notes/MEM-reindex1/delete", {}).status_code == 403
    finally:
        visitor.leave()
    assert bank.state == "ON"


def test_failure_inside_is_told_without_details(bank: Bank, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """W-02: a disk that refuses is told in a sentence."""
    visitor = Visitor(bank.root).enter()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, os.strerror(13), str(tmp_path))

    monkeypatch.setattr(Bank, "tasks", property(refuse))
    page = visitor.get("/tasks")
    visitor.leave()

    assert page.status_code == 500
    assert "store.io" in page.text
