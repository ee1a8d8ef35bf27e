"""The review page of the team server: who gets in, what they see, and that an answer there is an answer."""

from __future__ import annotations

import pytest

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytest.importorskip("starlette.testclient", exc_type=ImportError)

import re  # noqa: E402  as above
from types import SimpleNamespace  # noqa: E402  as above
from typing import TYPE_CHECKING  # noqa: E402  as above

from starlette.testclient import TestClient  # noqa: E402  as above

from tacit import Bank  # noqa: E402  as above
from tacit.bank import wiring  # noqa: E402  as above
from tacit.server import page, page_views  # noqa: E402  as above
from tacit.server.visit import Rate, Refused  # noqa: E402  as above
from tests.notes import note  # noqa: E402  as above
from tests.server import writers  # noqa: E402  as above
from tests.server.writers import LOCAL, PNPM, PORT, PUBLIC, Team, git, payload, tree  # noqa: E402  as above
from tests.web.visitors import csrf_of, text_of  # noqa: E402  as above

if TYPE_CHECKING:
    from pathlib import Path

    from httpx2 import Response

    from tacit.server.app import Server
    from tacit.server.visit import Visit

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("trusted")]


@pytest.fixture
def browser(team: Team, bank: str, clone: Path) -> Browser:
    """A browser that a reviewer has signed in for that bank."""
    assert clone.is_dir()
    return Browser(team).sign_in(bank)


class Browser:
    """A browser without a window: it keeps its cookies and fills in the forms of the page."""

    def __init__(self, team: Team, server: Server | None = None, base: str = LOCAL) -> None:
        self.team = team
        app = (server or team.server).application()
        headers = {"Accept-Language": "en"}
        self.client = TestClient(app, base_url=base, follow_redirects=False, headers=headers)
        self.origin = base
        self.csrf = ""

    def sign_in(self, bank: str, token: str = "reviewer") -> Browser:
        """Sign in; that it worked is what the next page shows."""
        assert self.send_token(bank, self.team.tokens[token]).status_code == 303
        self.csrf = csrf_of(self.client.get("/").text)
        return self

    def send_token(self, bank: str, secret: str) -> Response:
        """Send the form that takes a token."""
        organisation, name = bank.split("/")
        form = {"organisation": organisation, "bank": name, "token": secret}
        return self.client.post("/sign-in", data=form, headers={"Origin": self.origin})

    def post(self, path: str, **fields: str) -> Response:
        """Send a form of the page."""
        return self.client.post(path, data={"csrf": self.csrf, **fields}, headers={"Origin": self.origin})

    def form(self, proposal: str, option: str = "confirm") -> dict[str, str]:
        """The form by which a question is answered as its page shows it."""
        shown = re.search(r'name="shown" value="(\w+)"', self.client.get(f"/inbox/{proposal}").text)
        assert shown is not None
        return {"proposal": proposal, "option": option, "shown": shown[1]}

    def see(self, path: str) -> str:
        """What stands on a page, without markup."""
        found = self.client.get(path)
        assert found.status_code == 200, found.text
        return text_of(found.text)


def test_a_person_answers_on_the_page(team: Team, bank: str, clone: Path, browser: Browser) -> None:
    """Y-03: a question is shown with what would change; the yes is a commit on a branch, and is noted."""
    proposal = team.propose(bank)[0]["proposal_id"]
    shown = browser.see("/")
    assert PNPM in shown
    assert bank in shown
    done = browser.post("/answer", **browser.form(proposal))
    assert (done.status_code, f"tacit/{proposal}" in text_of(done.text)) == (200, True)
    told = team.shown(bank, proposal)
    assert (told["status"], told["channel"]) == ("applied", "web")
    (file,) = [each for each in tree(clone, told["branch"]) if each not in tree(clone, "main")]
    assert b"confirmed: web 2026-11-16T08:00:00Z" in tree(clone, told["branch"])[file]
    assert ("reviewer", "answer", 200) in team.accesses()
    assert PNPM not in browser.see("/")
    assert browser.client.get(f"/inbox/{proposal}/patch").content.startswith(b"From ")


def test_without_a_clone_the_page_gives_the_patch(team: Team, bank: str, tmp_path: Path) -> None:
    """Y-03: the page works on what was pushed, too."""
    team.push(bank, writers.repository(tmp_path / "project"))
    browser = Browser(team).sign_in(bank)
    proposal = team.propose(bank)[0]["proposal_id"]
    assert "Download the patch" in browser.post("/answer", **browser.form(proposal)).text
    assert PNPM.encode() in browser.client.get(f"/inbox/{proposal}/patch").content


def test_a_no_leaves_everything(team: Team, bank: str, clone: Path, browser: Browser) -> None:
    """Y-03: a question that was declined is gone from the page, and from git nothing is seen."""
    proposal = team.propose(bank)[0]["proposal_id"]
    assert "Left as it was" in text_of(browser.post("/answer", **browser.form(proposal, "cancel")).text)
    assert team.shown(bank, proposal)["status"] == "declined"
    assert "tacit" not in git(clone, "for-each-ref")


def test_the_page_is_as_sure_as_a_terminal(team: Team, bank: str, clone: Path) -> None:
    """Y-03: what a bank lets only a terminal answer, the page may answer and a program with the token may not."""
    with (clone / ".memory/tacit.toml").open("a", encoding="utf-8") as settings:
        settings.write('\n[gate]\nnew = "terminal"\n')
    writers.committed(clone)
    team.push(bank, clone)
    proposal = team.propose(bank)[0]["proposal_id"]
    assert team.answer(bank, proposal).status_code == 403
    browser = Browser(team).sign_in(bank)
    assert browser.post("/answer", **browser.form(proposal)).status_code == 200
    assert team.shown(bank, proposal)["status"] == "applied"


@pytest.mark.parametrize(
    ("change", "status"),
    [({"shown": "0" * 64}, 409), ({"shown": ""}, 409), ({"option": "both"}, 400), ({"proposal": "P-x"}, 404)],
)
def test_a_forged_form_answers_nothing(
    team: Team, bank: str, browser: Browser, change: dict[str, str], status: int
) -> None:
    """Y-03: an answer counts for what was shown, and for a question of this bank."""
    proposal = team.propose(bank)[0]["proposal_id"]
    done = browser.post("/answer", **{**browser.form(proposal), **change})
    assert done.status_code == status
    assert team.shown(bank, proposal)["status"] == "waiting"


def test_a_form_counts_once(team: Team, bank: str, browser: Browser) -> None:
    """Y-03: a form that is sent again, or after the answer came from elsewhere, is told so."""
    proposal = team.propose(bank)[0]["proposal_id"]
    form = browser.form(proposal)
    assert team.answer(bank, proposal, "cancel").status_code == 200
    done = browser.post("/answer", **form)
    assert (done.status_code, "waits no more" in text_of(done.text)) == (409, True)


@pytest.mark.parametrize("token", ["reader", "writer", "rival-reviewer", "nobody"])
def test_only_a_reviewer_signs_in(team: Team, bank: str, clone: Path, token: str) -> None:
    """Y-03: no other token opens the page, whatever else it is good for."""
    assert clone.is_dir()
    browser = Browser(team)
    done = browser.send_token(bank, team.tokens.get(token, token))
    assert (done.status_code, "set-cookie" in done.headers) == (403, False)
    assert "may not answer" in text_of(done.text)
    assert browser.client.get("/").headers["location"] == "/sign-in"


@pytest.mark.parametrize("bank", ["acme/nothing", "rival/shop", "acme/\0"])
def test_nobody_signs_in_for_a_bank_that_is_not_there(team: Team, bank: str) -> None:
    """Y-03: a bank that was never pushed, and one of another organisation, open no page."""
    assert Browser(team).send_token(bank, team.tokens["reviewer"]).status_code == 403


def test_a_session_is_of_one_bank(team: Team, bank: str, tmp_path: Path, browser: Browser) -> None:
    """Y-03: who signed in for one bank neither sees nor answers questions of another."""
    other = f"{bank}-other"
    team.push(other, writers.repository(tmp_path / "other"))
    proposal = team.propose(other)[0]["proposal_id"]
    assert browser.client.get(f"/inbox/{proposal}").status_code == 404
    shown = team.shown(other, proposal)["digest"]
    assert browser.post("/answer", proposal=proposal, option="confirm", shown=shown).status_code == 404
    assert team.shown(other, proposal)["status"] == "waiting"
    assert bank in browser.see("/")


def test_a_session_ends(team: Team, bank: str, clone: Path) -> None:
    """Y-03: by signing out, when its token is taken back, and after its time."""
    assert clone.is_dir()
    issuer = wiring.issuer(team.url)
    name, team.tokens["leaving"] = issuer.create("acme", "", "reviewer")
    first, second, third = (Browser(team).sign_in(bank, token) for token in ("reviewer", "leaving", "reviewer"))
    cookie = first.client.cookies["tacit_page"]
    assert first.post("/sign-out").headers["location"] == "/sign-in"
    first.client.cookies.set("tacit_page", cookie)
    assert first.client.get("/").status_code == 303
    issuer.revoke(name)
    assert second.client.get("/").status_code == 303
    assert third.client.get("/").status_code == 200
    with psycopg.connect(team.url, autocommit=True) as owner:
        owner.execute("UPDATE tacit.sessions SET until = now()")
    assert third.client.get("/").status_code == 303


def test_another_process_knows_the_session(team: Team, bank: str, browser: Browser) -> None:
    """Y-03: a session, and the forms it was given, count in every process of a server; only hashes are kept."""
    proposal = team.propose(bank)[0]["proposal_id"]
    form = browser.form(proposal)
    other = team.another()
    elsewhere = Browser(team, other)
    elsewhere.client.cookies = browser.client.cookies
    elsewhere.csrf = browser.csrf
    assert PNPM in elsewhere.see("/")
    with psycopg.connect(team.url) as owner:
        kept = str(owner.execute("SELECT s::text FROM tacit.sessions s").fetchall())
    assert browser.client.cookies["tacit_page"] not in kept
    assert team.tokens["reviewer"] not in kept
    assert elsewhere.post("/answer", **form).status_code == 200
    other.close()


def test_a_public_page_has_a_cookie_of_its_own(team: Team, bank: str, clone: Path) -> None:
    """Y-03: under its public name the session goes over TLS alone, and neither scripts nor other sites see it."""
    assert clone.is_dir()
    browser = Browser(team, base=PUBLIC)
    given = browser.send_token(bank, team.tokens["reviewer"]).headers["set-cookie"]
    assert given.startswith("__Host-tacit=")
    assert {"HttpOnly", "Secure", "SameSite=strict", "Path=/"} <= set(given.split("; "))
    assert "Domain" not in given
    assert team.tokens["reviewer"] not in given


HOSTS = ["evil.example", f"127.0.0.1:{PORT}0", "127.0.0.1", "memory.example.org.evil.example", ""]
FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": PUBLIC},
    {"Origin": LOCAL, "Sec-Fetch-Site": "cross-site"},
    {"Origin": LOCAL, "Content-Type": "application/json"},
    {},
]


@pytest.mark.parametrize("host", HOSTS)
def test_other_names_reach_no_page(team: Team, bank: str, browser: Browser, host: str) -> None:
    """Y-03: a name that was rebound to the server reaches nothing of the page, though the browser has a session."""
    proposal = team.propose(bank)[0]["proposal_id"]
    for path in ("/", "/notes", "/sign-in", "/static/page.css"):
        found = browser.client.get(path, headers={"Host": host})
        assert (found.status_code, PNPM in found.text) == (421, False)
    sent = browser.client.post(
        "/answer",
        data=browser.form(proposal) | {"csrf": browser.csrf},
        headers={"Host": host, "Origin": f"http://{host}"},
    )
    assert sent.status_code == 421
    assert team.shown(bank, proposal)["status"] == "waiting"


@pytest.mark.parametrize("headers", FOREIGN)
def test_other_sites_answer_nothing(team: Team, bank: str, browser: Browser, headers: dict[str, str]) -> None:
    """Y-03: another site cannot answer or sign in, though it has the session and the token of the forms."""
    proposal = team.propose(bank)[0]["proposal_id"]
    form = browser.form(proposal) | {"csrf": browser.csrf}
    for path in ("/answer", "/sign-in", "/sign-out"):
        assert browser.client.post(path, data=form, headers=headers).status_code in (403, 415)
    assert team.shown(bank, proposal)["status"] == "waiting"
    assert browser.client.get("/").status_code == 200


@pytest.mark.parametrize("csrf", ["", "0" * 64, "other"])
def test_a_form_of_nobody_is_refused(team: Team, bank: str, browser: Browser, csrf: str) -> None:
    """Y-03: a form without the token of this session, or with that of another one, changes nothing."""
    proposal = team.propose(bank)[0]["proposal_id"]
    form = browser.form(proposal)
    browser.csrf = Browser(team).sign_in(bank).csrf if csrf == "other" else csrf
    assert browser.post("/answer", **form).status_code == 403
    assert browser.post("/sign-out").status_code == 403
    assert team.shown(bank, proposal)["status"] == "waiting"


def test_every_page_is_behind_the_door(team: Team) -> None:
    """Y-03: without a session each address leads to the form that takes a token, and says nothing."""
    stranger = Browser(team)
    for path in page.READS:
        found = stranger.client.get(path.format(proposal="P-x", note="MEM-deploy"))
        assert (found.status_code, found.headers["location"]) == (303, "/sign-in")
    for path in ("/answer", "/sign-out", *page.WISHES):
        assert stranger.post(path).status_code == 303
    headers = stranger.client.get("/sign-in").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert (headers["x-frame-options"], headers["cache-control"]) == ("DENY", "no-store")
    assert stranger.client.put("/", headers={"Origin": LOCAL}).status_code == 405


def test_notes_and_search_follow_what_was_pushed(team: Team, bank: str, clone: Path, browser: Browser) -> None:
    """Y-03: the page shows the pushed commit: notes that came, none that went, and no way to change them there."""
    assert "MEM-deploy" in browser.client.get("/notes").text
    shown = browser.client.get("/notes/MEM-deploy").text
    assert "blue green" in shown
    assert not re.search(r'action="/notes/|href="[^"]*/edit"|/audit/', shown)
    own = Bank.open(clone / ".memory")
    own.add([note("logs", "logs are kept for a week <script>alert(1)</script>")])
    own.delete("MEM-deploy")
    writers.committed(clone)
    assert "MEM-logs" not in browser.client.get("/notes").text
    team.push(bank, clone)
    listed = browser.client.get("/notes").text
    assert ("MEM-logs" in listed, "MEM-deploy" in listed, "<script>alert" in listed) == (True, False, False)
    assert "MEM-logs" in browser.client.get("/search?words=logs+are+kept").text
    assert browser.client.get("/notes/MEM-deploy").status_code == 404


def test_what_the_server_has_not_is_not_there(team: Team, browser: Browser) -> None:
    """Y-03: health is the server's own; edits, undo, the log and tasks are where the clone is."""
    assert browser.client.get("/health").json() == {"status": "ok"}
    for path in ("/audit", "/tasks", "/notes/MEM-deploy/edit"):
        assert browser.client.get(path).status_code == 404
    for path in ("/undo", "/state", "/again", "/notes/MEM-deploy/delete"):
        assert browser.post(path).status_code == 404
    assert browser.client.get("/live").status_code == 204
    assert browser.client.get("/static/page.css").status_code == 200
    assert browser.client.get("/static/nothing").status_code == 404
    assert team.client.get("/v1/acme/none/of/these").json()["error"]["code"] == "address.not_found"


def test_nothing_of_whoever_runs_the_server_is_shown(
    team: Team, bank: str, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Y-03: the personal bank of the server's own user takes no part in any page, question or answer."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path))
    own = Bank.init(tmp_path / "personal")
    own.propose([payload(scene="the operator's own machine")])
    own.add([note("private", f"the operator says {PNPM}")])
    proposal = team.propose(bank)[0]["proposal_id"]
    for path in ("/", "/notes", "/search?words=the+operator+says"):
        assert "operator" not in browser.see(path).replace("the operator says", "")
    assert "MEM-private" not in browser.see("/search?words=pnpm+install+packages")
    assert browser.post("/answer", **browser.form(proposal)).status_code == 200
    assert len(own.pending()) == 1


def test_the_page_speaks_the_readers_language(team: Team, bank: str, clone: Path) -> None:
    """Y-03: the way in and the page are in English and Chinese; the choice is remembered."""
    assert clone.is_dir()
    browser = Browser(team)
    assert "令牌" in browser.client.get("/sign-in", headers={"Accept-Language": "zh-CN"}).text
    browser.sign_in(bank)
    sent = browser.post("/language", language="zh", back="/notes")
    assert (sent.status_code, sent.headers["location"]) == (303, "/notes")
    assert "退出登录" in browser.see("/notes")


@pytest.mark.usefixtures("clone")
def test_so_many_sign_in_and_no_more(team: Team, bank: str) -> None:
    """Y-03: whoever tries tokens is slowed down, and keeps nobody out who has one."""
    other = team.another()
    other._page._sign_ins = Rate(60, clock=lambda: 0.0)
    browser = Browser(team, other)
    codes = {browser.send_token(bank, f"tacit_{number}").status_code for number in range(61)}
    assert codes == {403, 429}
    assert browser.send_token(bank, team.tokens["reviewer"]).status_code == 303  # whoever else tries
    other.close()


@pytest.mark.usefixtures("clone")
def test_why_an_answer_did_not_count_is_said_in_the_readers_language(team: Team, bank: str, browser: Browser) -> None:
    """Y-03, Q-07: who reads Chinese is told in Chinese; what has no Chinese sentence is told all the same."""
    browser.post("/language", language="zh", back="/")
    form = browser.form(team.propose(bank)[0]["proposal_id"])
    assert browser.post("/answer", **form).status_code == 200
    assert "这个问题已不再等待回答" in browser.post("/answer", **form).text
    assert "没有你可以查看或回答的这个问题" in browser.post("/answer", proposal="prop-none").text
    told = page_views.refused(Refused(400, "payload.refused", "That is none."), SimpleNamespace())  # type: ignore[arg-type]
    assert "That is none." in told.main


def test_settings_that_cannot_be_read_are_told(team: Team, bank: str, clone: Path, browser: Browser) -> None:
    """Y-03: push, page and proposals say what is wrong with what was pushed; it is no fault of the server."""
    with (clone / ".memory/tacit.toml").open("a", encoding="utf-8") as settings:
        settings.write("\n[gate\n")
    writers.committed(clone)
    commit, put = writers.git(clone, "rev-parse", "HEAD").strip(), {"tacit.toml": "format = 1\n[gate\n"}
    done = team.ask("writer", f"{bank}/notes", {"commit": commit, "put": put, "drop": []})
    assert (done.status_code, list(done.json()["refused"])) == (200, ["tacit.toml"])
    found = browser.client.get("/")
    assert (found.status_code, "tacit.toml" in found.text) == (409, True)
    done = team.ask("writer", f"{bank}/proposals", {"payloads": [payload()]})
    assert (done.status_code, done.json()["error"]["code"]) == (400, "setting.broken")


def test_a_bank_that_cannot_be_shown_says_why(team: Team, bank: str, browser: Browser) -> None:
    """Y-03: where the clone lacks the pushed commit, the page says so and keeps the session."""
    team.ask("writer", f"{bank}/notes", {"commit": "ab" * 20, "put": {}, "drop": []})
    found = browser.client.get("/")
    assert (found.status_code, "has not the commit" in found.text) == (409, True)


@pytest.mark.parametrize("where", ["clone", "database"])
def test_files_are_read_once_for_each_state(
    team: Team, bank: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Y-03: pages of a bank that was looked at are made of what was read then, until something is pushed."""
    place = writers.repository(team.clones / bank if where == "clone" else tmp_path / "project")
    team.push(bank, place)
    browser = Browser(team).sign_in(bank)
    assert "deploy" in browser.see("/notes")
    with monkeypatch.context() as cut:
        cut.setattr("tacit.server.writing_git.Clone.files", None)
        cut.setattr("tacit.index.postgres.contents.Contents.all", None)
        assert "deploy" in browser.see("/notes")
        assert "deploy" in browser.see("/search?words=deploy")
    Bank.open(place / ".memory").add([note("invoice", "invoices are numbered in the ledger")])
    writers.committed(place)
    team.push(bank, place)
    assert "invoice" in browser.see("/notes")
    settings = place / ".memory/tacit.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + '\n[gate]\nnew = "terminal"\n', encoding="utf-8")
    writers.committed(place)
    team.push(bank, place)
    with team.server.writing.bench(visit_of(team, bank)) as held:
        assert held.settings.text("gate.new") == "terminal"


def test_few_banks_are_kept(team: Team, bank: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: of more banks than a server keeps, the one that was not asked for longest is forgotten."""
    monkeypatch.setattr("tacit.server.writing_source._MOST_KEPT", 2)
    place = writers.repository(tmp_path / "project")
    source = team.server.writing.source
    visits = []
    for name in (f"{bank}-{number}" for number in range(3)):
        team.push(name, place)
        visits.append(visit_of(team, name))
    first, second = (source.files(each) for each in visits[:2])
    assert (source.files(visits[0]) is first, source.files(visits[1]) is second) == (True, True)
    source.files(visits[2])
    assert (source.files(visits[1]) is second, source.files(visits[0]) is first) == (True, False)


def visit_of(team: Team, bank: str) -> Visit:
    """A reviewer's visit."""
    organisation, name = bank.split("/")
    return team.server._let_in((team.tokens["reviewer"], organisation, name))
