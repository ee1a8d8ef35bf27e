"""Secrets that carry their kind in their shape: how they begin, of what they are made, how long they are."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, NamedTuple

from tacit.guards import credentials
from tacit.guards.anchors import Rule, Rulebook, compiled
from tacit.guards.finding import Spot, Tier
from tacit.guards.values import CHINESE, is_filler, is_ordinary, is_placeholder, is_random

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

# The characters that follow a prefix, as the inside of a character class.
HEX = "0-9a-fA-F"
UPPER = "0-9A-Z"
ALNUM = "0-9A-Za-z"
WORD = r"0-9A-Za-z_\-"
DOTTED = r"0-9A-Za-z_.=\-"
BASE64 = r"0-9A-Za-z_+/=%\-"


class Format(NamedTuple):
    """A token: one of the prefixes, then a run of the given characters whose length lies within the bounds."""

    rule: str
    prefixes: str
    alphabet: str
    shortest: int
    longest: int = 4000


# No prefix is shorter than three characters: the guard finds its candidates by the first three.
FORMATS = (
    # ── Code hosting, packages, builds ──
    Format("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", ALNUM, 36, 255),
    Format("github-token", "github_pat_", WORD, 60, 120),
    Format(
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",
        DOTTED,
        20,
        300,
    ),
    Format("gitlab-token", "GR1348941", WORD, 20, 40),
    Format("bitbucket-token", "ATBB", ALNUM, 28, 40),
    Format("atlassian-token", "ATATT3 ATCTT3", DOTTED, 100, 250),
    Format("npm-token", "npm_", ALNUM, 36, 40),
    Format("pypi-token", "pypi-", WORD, 80, 600),
    Format("rubygems-token", "rubygems_", HEX, 48, 48),
    Format("crates-token", "cio", ALNUM, 32, 32),
    Format("nuget-key", "oy2", ALNUM, 43, 43),
    Format("clojars-token", "CLOJARS_", ALNUM, 60, 60),
    Format("docker-token", "dckr_pat_ dckr_oat_", WORD, 24, 60),
    Format("jfrog-key", "AKCp", ALNUM, 60, 80),
    Format("circleci-token", "CCIPAT_", WORD, 30, 120),
    Format("buildkite-token", "bkua_ bkct_", HEX, 40, 40),
    Format("sonarqube-token", "sqp_ squ_ sqa_", HEX, 40, 40),
    Format("sourcegraph-token", "sgp_local_ sgp_ sgd_ slk_", HEX + "_", 40, 100),
    Format("octopus-key", "API-", UPPER, 25, 27),
    Format("harness-token", "pat. sat.", DOTTED, 65, 80),
    Format("scalingo-token", "tk-us-", WORD, 48, 48),
    # ── Clouds and hosting ──
    Format("aws-access-key", "AKIA ASIA ABIA ACCA", UPPER, 16, 16),
    Format("aws-bedrock-key", "ABSK bedrock-api-key-", BASE64, 100, 140),
    Format("google-key", "AIza", WORD, 35, 35),
    Format("google-oauth", "ya29.", DOTTED, 30, 2000),
    Format("google-oauth", "GOCSPX-", WORD, 28, 28),
    Format("google-oauth", "1//0", WORD, 40, 120),
    Format("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", HEX, 64, 64),
    Format("alibaba-key", "LTAI", ALNUM, 16, 26),
    Format("tencent-key", "AKID", ALNUM, 32, 32),
    Format("volcengine-key", "AKLT", WORD, 40, 60),
    Format("baidu-key", "bce-v3/ALTAK-", WORD + "/", 40, 100),
    Format("yandex-key", "AQVN", WORD, 35, 40),
    Format("yandex-key", "y0_", WORD, 50, 70),
    Format("cloudflare-token", "cfut_ cfat_ cfk_", ALNUM, 48, 48),
    Format("cloudflare-token", "v1.0-", HEX + r"\-", 150, 180),
    Format("heroku-key", "HRKU-", WORD, 36, 80),
    Format("vercel-token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", WORD, 24, 80),
    Format("netlify-token", "nfp_ nfc_ nfo_ nfu_", ALNUM, 36, 60),
    Format("render-key", "rnd_", ALNUM, 28, 40),
    Format("fly-token", "fo1_ fm1a_ fm1r_ fm2_", BASE64, 40, 2000),
    Format("openshift-token", "sha256~", WORD, 43, 43),
    Format("tailscale-key", "tskey-", WORD, 20, 100),
    Format("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", DOTTED, 32, 64),
    Format("neon-key", "napi_", ALNUM, 40, 80),
    Format("supabase-key", "sbp_ sb_secret_", WORD, 30, 60),
    Format("databricks-token", "dapi", HEX, 32, 32),
    Format("pulumi-token", "pul-", HEX, 40, 40),
    Format("prefect-key", "pnu_", ALNUM, 36, 36),
    Format("vault-token", "hvs. hvb. hvr.", WORD, 24, 400),
    Format("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", DOTTED, 40, 70),
    Format("infracost-key", "ico-", ALNUM, 32, 32),
    Format("dynatrace-token", "dt0c01. dt0s01. dt0s02.", UPPER + ".", 80, 100),
    Format("one-password-token", "ops_eyJ", BASE64, 200),
    Format("age-key", "AGE-SECRET-KEY-1", UPPER, 58, 58),
    Format("apify-token", "apify_api_", ALNUM, 30, 50),
    # ── Models ──
    Format("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", WORD, 40, 250),
    Format("anthropic-key", "sk-ant-", WORD, 98, 130),
    Format("openrouter-key", "sk-or-v1-", HEX, 64, 64),
    Format("langfuse-key", "sk-lf-", WORD, 36, 36),
    Format("model-key", "sk-", ALNUM, 32, 64),
    Format("hugging-face-token", "hf_ api_org_", ALNUM, 30, 40),
    Format("groq-key", "gsk_", ALNUM, 52, 52),
    Format("perplexity-key", "pplx-", ALNUM, 40, 60),
    Format("xai-key", "xai-", ALNUM, 60, 90),
    Format("replicate-token", "r8_", ALNUM, 37, 40),
    Format("nvidia-key", "nvapi-", WORD, 60, 80),
    Format("cerebras-key", "csk-", ALNUM, 40, 60),
    Format("langsmith-key", "lsv2_pt_ lsv2_sk_", ALNUM + "_", 40, 60),
    Format("pinecone-key", "pcsk_", ALNUM + "_", 60, 80),
    Format("tavily-key", "tvly-", WORD, 24, 60),
    Format("firecrawl-key", "fc-", HEX, 32, 32),
    Format("e2b-key", "e2b_", HEX, 40, 40),
    Format("voyage-key", "pa-", WORD, 43, 43),
    Format("jina-key", "jina_", WORD, 50, 80),
    Format("elevenlabs-key", "sk_", HEX, 48, 48),
    Format("together-key", "tgp_v1_", WORD, 40, 60),
    Format("fireworks-key", "fw_", ALNUM, 22, 30),
    Format("runpod-key", "rpa_", ALNUM, 40, 60),
    Format("coze-token", "pat_", ALNUM, 64, 64),
    Format("dify-key", "app- dataset-", ALNUM, 24, 24),
    # ── Payment and shops ──
    Format("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", ALNUM, 16, 250),
    Format("webhook-secret", "whsec_", BASE64, 24, 80),
    Format("square-token", "sq0atp- sq0csp- sq0idp-", WORD, 22, 50),
    Format("square-token", "EAAA", WORD, 60, 60),
    Format("shopify-token", "shpat_ shpca_ shppa_ shpss_", HEX, 32, 32),
    Format("flutterwave-key", "FLWSECK_TEST- FLWSECK-", WORD, 12, 50),
    Format("razorpay-key", "rzp_live_", ALNUM, 14, 30),
    Format("plaid-token", "access-sandbox- access-development- access-production-", WORD, 36, 36),
    Format("braintree-token", "access_token$", ALNUM + "$", 40, 80),
    Format("easypost-key", "EZAK EZTK", ALNUM, 54, 54),
    Format("duffel-token", "duffel_live_ duffel_test_", DOTTED, 40, 50),
    Format("shippo-token", "shippo_live_ shippo_test_", HEX, 40, 40),
    # ── Mail, chat, social ──
    Format("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe. xapp-", BASE64 + ".", 15, 400),
    Format("sendgrid-key", "SG.", DOTTED, 60, 72),
    Format("mailgun-key", "key-", HEX, 32, 32),
    Format("brevo-key", "xkeysib- xsmtpsib-", WORD, 64, 90),
    Format("resend-key", "re_", ALNUM + "_", 30, 40),
    Format("twilio-key", "SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf", HEX, 31, 31),
    Format("dingtalk-secret", "SEC", HEX, 64, 64),
    Format("facebook-token", "EAA", ALNUM, 90, 300),
    Format("twitter-token", "AAAAAAAAAAAAAAAAAAAAA", ALNUM + "%", 70, 120),
    Format("dropbox-token", "sl.", WORD, 100),
    Format("intra42-secret", "s-s4t2ud- u-s4t2ud-", HEX, 64, 64),
    # ── Work and observation ──
    Format("linear-key", "lin_api_ lin_oauth_", ALNUM, 32, 64),
    Format("notion-token", "ntn_", ALNUM, 43, 50),
    Format("notion-token", "secret_", ALNUM, 43, 43),
    Format("airtable-token", "pat", ALNUM + ".", 79, 79),
    Format("figma-token", "figd_ figo_ figu_", WORD, 36, 60),
    Format("postman-key", "PMAK-", WORD, 59, 59),
    Format("typeform-token", "tfp_", WORD, 40, 80),
    Format("contentful-token", "CFPAT-", WORD, 40, 60),
    Format("readme-key", "rdme_", ALNUM, 60, 80),
    Format("frameio-token", "fio-u-", WORD, 60, 70),
    Format("mapbox-token", "sk.eyJ", DOTTED, 60, 200),
    Format("adafruit-key", "aio_", ALNUM, 28, 28),
    Format("posthog-key", "phx_", ALNUM, 40, 60),
    Format("grafana-token", "glc_", BASE64, 32, 400),
    Format("grafana-token", "glsa_", ALNUM + "_", 41, 41),
    Format("newrelic-key", "NRAK- NRII- NRRA-", WORD, 25, 42),
    Format("sentry-token", "sntrys_ sntryu_", BASE64, 60, 500),
    Format("honeycomb-key", "hcaik_ hcbik_", ALNUM, 50, 70),
    Format("defined-key", "dnkey-", WORD, 60, 90),
    Format("settlemint-token", "sm_pat_ sm_aat_ sm_sat_", ALNUM, 16, 40),
    Format("zuplo-key", "zpka_", ALNUM + "_", 30, 60),
)


# Secrets known by what surrounds them; the group `value` is the secret.
# A host is not a part of these patterns, so that `@` inside a password does not end it too early.
SHAPES = (
    Rule(
        "jwt",
        ("eyJ",),
        rf"(?<![{ALNUM}])(?P<value>eyJ[{WORD}]{{10,2000}}\.ey[{WORD}+/]{{8,2000}}\.[{WORD}+/]{{16,2000}})",
    ),
    Rule(
        "url-password",
        ("://",),
        r"://(?P<user>[^\s/:@?#'\"`<>]{0,80}):(?!(?P=user)@)(?P<value>[^\s/'\"`<>]{2,120})@[\w\[]",
    ),
    Rule(
        "authorization",
        ("uthorization",),
        r"uthorization[\"'\]]{0,2}[ \t]{0,3}[:=][ \t]{0,3}[\"']?"
        r"(?:Basic|Bearer|Token|Bot|ApiKey|Api-Token|GenieKey|SSWS|Key)[ \t]{1,3}"
        rf"(?P<value>[{WORD}.~+/=%:]{{8,2000}})",
    ),
    Rule(
        "command-password",
        ("curl",),
        r"(?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"'$]{1,60}:[\"']?"
        rf"(?P<value>[^\s\"'{CHINESE}]{{2,120}})",
    ),
    Rule(
        "command-password",
        ("sshpass",),
        rf"sshpass[ \t]{{1,3}}-p[ \t]{{0,3}}[\"']?(?P<value>[^\s\"'{CHINESE}]{{2,120}})",
    ),
    Rule(
        "command-password",
        ("mysql",),
        rf"mysql(?:dump|admin)?[ \t][^\n|;]{{0,80}}?[ \t]-p(?P<value>[^\s\"'{CHINESE}\-][^\s\"'{CHINESE}]{{3,80}})",
    ),
    Rule(
        "command-password",
        ("redis-cli",),
        rf"redis-cli[ \t][^\n|;]{{0,80}}?-a[ \t]{{1,3}}[\"']?(?P<value>[^\s\"'{CHINESE}]{{4,120}})",
    ),
    Rule(
        "connection-string",
        ("assword=", "wd=", "WD=", "PASSWORD="),
        rf"(?:(?<=;)|(?<=; )|(?<![{ALNUM}_])(?=\w{{3,8}}=[^\s;]{{4,200}}; ?\w))"
        r"(?i:password|pwd)=(?P<value>[^\s;,\"'<>{}()\[\]]{4,200})",
        (";",),
    ),
    Rule("connection-string", ("Key=",), r"(?:Account|SharedAccess)Key=(?P<value>[A-Za-z0-9+/]{40,100}={0,2})"),
    Rule(
        "netrc-password",
        ("machine ",),
        r"machine[ \t]{1,3}\S{1,80}[ \t]{1,3}login[ \t]{1,3}\S{1,80}[ \t]{1,3}password[ \t]{1,3}"
        rf"(?P<value>[^\s\"'{{}}$<>{CHINESE}]{{4,120}})",
    ),
    Rule(
        "registry-token",
        ("_authToken",),
        rf"_authToken[ \t]{{0,3}}=[ \t]{{0,3}}[\"']?(?P<value>[{WORD}.+/=]{{16,400}})",
    ),
    Rule("registry-token", ('"auth"',), r"\"auth\"[ \t]{0,3}:[ \t]{0,3}\"(?P<value>[A-Za-z0-9+/]{16,400}={0,2})\""),
    Rule(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[A-Za-z0-9/]{20,120})",
    ),
    Rule("discord-webhook", ("/api/webhooks/",), rf"/api/webhooks/\d{{15,21}}/(?P<value>[{WORD}]{{40,100}})"),
    Rule(
        "discord-token",
        ("MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"),
        rf"(?<![{WORD}.])(?P<value>[MNO][{WORD}]{{23,27}}\.[{WORD}]{{6}}\.[{WORD}]{{27,40}})(?![{WORD}.])",
    ),
    Rule(
        "session-cookie",
        ("ookie:",),
        rf"ookie:[^\n]{{0,200}}?(?i:sess|sid|auth|token|jwt)[\w.\-]{{0,20}}=(?P<value>[{WORD}.~%+/]{{16,400}})",
    ),
    Rule("teams-webhook", ("webhook.office.com",), rf"webhook\.office\.com/webhookb2/(?P<value>[{WORD}@/]{{60,250}})"),
    Rule("feishu-webhook", ("/open-apis/bot/",), rf"/open-apis/bot/(?:v2/)?hook/(?P<value>[{WORD}]{{20,60}})"),
    Rule("dingtalk-webhook", ("/robot/send?",), rf"/robot/send\?access_token=(?P<value>[{WORD}]{{40,80}})"),
    Rule("wecom-webhook", ("/webhook/send?",), rf"/webhook/send\?key=(?P<value>[{WORD}]{{32,60}})"),
    Rule("telegram-token", (":AA",), rf"(?<!\d)(?P<value>\d{{8,10}}:AA[{WORD}]{{32,35}})(?![{WORD}])"),
    Rule("azure-secret", ("Q~",), rf"(?<![{WORD}~.])(?P<value>[{WORD}~.]{{3}}\dQ~[{WORD}~.]{{31,34}})(?![{WORD}~.])"),
    Rule("azure-signature", ("sig=",), r"[?&;]sig=(?P<value>[A-Za-z0-9%+/]{40,80})"),
    Rule("terraform-token", (".atlasv1.",), rf"(?<![{ALNUM}])(?P<value>[{ALNUM}]{{14}}\.atlasv1\.[{WORD}=]{{60,70}})"),
    Rule("mailchimp-key", ("-us",), r"(?<![0-9A-Za-z])(?P<value>[0-9a-f]{32}-us\d{1,2})(?![0-9A-Za-z])"),
    Rule(
        "one-password-key",
        ("A3-",),
        r"(?<![0-9A-Za-z])(?P<value>A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3})",
    ),
    Rule("maxmind-key", ("_mmk",), r"(?<![0-9A-Za-z])(?P<value>[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk)"),
)

GUARD = "secret"
_BOOK = Rulebook(SHAPES)
_BY_HEAD: dict[str, list[tuple[str, Format]]] = {}
for _format in FORMATS:
    for _prefix in _format.prefixes.split():
        _BY_HEAD.setdefault(_prefix[:3], []).append((_prefix, _format))

# A run begins behind another kind of character, which is cheap to look for.
_LONG = r"[^\x21-\x7e]([\x21-\x7e]{20,})"
_HEAD = r"(?<![0-9A-Za-z])(?=([0-9A-Za-z][\x21-\x7e]{2}))"
_KEY_BEGIN = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:"
    r"|BEGIN SSH2 ENCRYPTED PRIVATE"
)
_KEY_END = r"-----END [A-Z0-9 ]{1,40}-----|Private-MAC: [0-9a-f]{1,128}|(?=-----BEGIN |PuTTY-User-Key)"
_KEY_BODY = r"[A-Za-z0-9+/]{48}"
_MAX_KEY = 16_000
# How far behind the first line its body may begin, and how much is taken for one that has no last line.
_KEY_HEADERS = 400
_OPEN_KEY = 4_000


def find(text: str) -> Iterator[Spot]:
    """Yield every secret of the text, the surest rules first; one value may be found by several."""
    yield from _key_blocks(text)
    yield from _formats(text)
    yield from _shapes(text)
    yield from credentials.find(text)


def _spot(rule: str, start: int, end: int) -> Spot:
    return Spot(GUARD, rule, Tier.REFUSE, start, end)


def _key_blocks(text: str) -> Iterator[Spot]:
    """Private keys from their first to their last line; a key that is only hinted at has no body."""
    at = 0
    while ("PRIVATE" in text or "PuTTY-User" in text) and (begin := compiled(_KEY_BEGIN).search(text, at)):
        last = compiled(_KEY_END).search(text, begin.end(), begin.end() + _MAX_KEY)
        at = last.end() if last else begin.end()
        end = last.end() if last else len(text)
        body = compiled(_KEY_BODY).search(text, begin.end(), min(end, begin.end() + _KEY_HEADERS))
        if body and not is_filler(body.group()):
            yield _spot("private-key", begin.start(), at if last else min(len(text), at + _OPEN_KEY))


def _formats(text: str) -> Iterator[Spot]:
    text = f" {text}"
    for run in compiled(_LONG).finditer(text):
        for head in compiled(_HEAD).finditer(text, run.start(1), run.end()):
            for prefix, form in _BY_HEAD.get(head[1], ()):
                start = head.start()
                if text.startswith(prefix, start):
                    body = _body(form).match(text, start + len(prefix))
                    if body and len(body.group()) <= form.longest and not _is_mock(body.group()):
                        yield _spot(form.rule, start - 1, body.end() - 1)
                        break


def _body(form: Format) -> re.Pattern[str]:
    """Return the pattern of a body that may be one too long; it never reads further than that."""
    return compiled(f"[{form.alphabet}]{{{form.shortest},{form.longest + 1}}}")


def _is_mock(body: str) -> bool:
    return is_filler(body) or body.endswith("EXAMPLE") or "xxxx" in body.lower()


def _shapes(text: str) -> Iterator[Spot]:
    for name, offset, match in _BOOK.matches(text, text):
        if _is_meant(name, match["value"]):
            spot = _spot(name, offset + match.start("value"), offset + match.end("value"))
            # A word that a person chose may be the default of a container on their machine: theirs to say.
            chosen = name == "command-password" and not is_random(match["value"])
            yield spot._replace(tier=Tier.ASK) if chosen else spot


def _is_meant(name: str, value: str) -> bool:
    """Whether the value is there, and not only the place for one."""
    if name == "authorization":
        return (is_random(value) and not is_placeholder(value)) or _is_basic(value)
    return not is_placeholder(value) and not (name == "connection-string" and is_ordinary(value))


def _is_basic(value: str) -> bool:
    """Whether this is `user:password` in base64."""
    try:
        return ":" in base64.b64decode(value, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return False
