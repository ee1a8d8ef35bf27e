"""Our own labelled texts for the guards: secrets are put together at run time, so that no file holds one."""

from __future__ import annotations

import base64
import random
import re
import string
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
HEX = "0123456789abcdef"
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "_-"
BASE64 = ALNUM + "+/"


@dataclass(frozen=True)
class Sample:
    """A text, whether a guard should speak, and what it is made of."""

    text: str
    is_bad: bool
    kind: str
    language: str


def draw(chance: random.Random, alphabet: str, length: int) -> str:
    """Return a string as a machine would draw it."""
    return "".join(chance.choices(alphabet, k=length))


def _token(prefix: str, alphabet: str, length: int, end: str = "") -> Callable[[random.Random], str]:
    return lambda chance: prefix + draw(chance, alphabet, length) + end


def _jwt(chance: random.Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    claims = f'{{"sub":"{draw(chance, LOWER, 8)}","exp":1900000000}}'
    body = base64.urlsafe_b64encode(claims.encode()).decode().rstrip("=")
    return f"{head}.{body}.{draw(chance, WORD, 43)}"


def _password(chance: random.Random) -> str:
    """Return something that a person might have chosen."""
    word = chance.choice(("Sunset", "kestrel", "Marble", "orbit", "Walnut", "tiger", "Falcon", "quartz"))
    return word + draw(chance, string.digits, chance.randint(2, 4)) + chance.choice("!@#%&*+") + draw(chance, ALNUM, 2)


def _pem(name: str) -> Callable[[random.Random], str]:
    def block(chance: random.Random) -> str:
        lines = "\n".join(draw(chance, BASE64, 64) for _ in range(6))
        return f"-----BEGIN {name}-----\n{lines}\n-----END {name}-----"

    return block


# Kinds that carry their issuer in their shape; any context will do. Prefixes are divided so that no scanner stumbles.
SHAPED: dict[str, Callable[[random.Random], str]] = {
    "github": _token("gh" + "p_", ALNUM, 36),
    "github-oauth": _token("gh" + "o_", ALNUM, 36),
    "github-server": _token("gh" + "s_", ALNUM, 36),
    "github-fine": lambda chance: "github" + "_pat_" + draw(chance, ALNUM, 22) + "_" + draw(chance, ALNUM, 59),
    "gitlab": _token("gl" + "pat-", WORD, 20),
    "gitlab-runner": _token("gl" + "rt-", WORD, 20),
    "slack-bot": lambda chance: (
        f"xox{'b'}-{draw(chance, string.digits, 12)}-{draw(chance, string.digits, 12)}-{draw(chance, ALNUM, 24)}"
    ),
    "slack-user": lambda chance: (
        f"xox{'p'}-{draw(chance, string.digits, 12)}-{draw(chance, string.digits, 12)}-{draw(chance, HEX, 32)}"
    ),
    "slack-hook": lambda chance: (
        f"https://hooks.slack{'.com'}/services/T{draw(chance, UPPER, 9)}/B0{draw(chance, UPPER, 8)}/"
        + draw(chance, ALNUM, 24)
    ),
    "discord-hook": lambda chance: (
        f"https://discord{'.com'}/api/webhooks/{draw(chance, '123456789', 18)}/{draw(chance, WORD, 68)}"
    ),
    "telegram": lambda chance: f"{draw(chance, '123456789', 10)}:A{'A'}{draw(chance, WORD, 33)}",
    "feishu-hook": lambda chance: (
        f"https://open.feishu.cn/open-apis/bot/v2/{'hook'}/{uuid.UUID(int=chance.getrandbits(128))}"
    ),
    "dingtalk-hook": lambda chance: f"https://oapi.dingtalk.com/robot/{'send'}?access_token={draw(chance, HEX, 64)}",
    "wecom-hook": lambda chance: (
        f"https://qyapi.weixin.qq.com/cgi-bin/webhook/{'send'}?key={uuid.UUID(int=chance.getrandbits(128))}"
    ),
    "aws": _token("AK" + "IA", string.ascii_uppercase + "234567", 16),
    "aws-session": _token("AS" + "IA", string.ascii_uppercase + "234567", 16),
    "google": _token("AI" + "za", WORD, 35),
    "google-oauth": _token("GOC" + "SPX-", WORD, 28),
    "google-access": _token("ya" + "29.", WORD, 120),
    "azure-client": lambda chance: draw(chance, ALNUM, 3) + "8" + "Q~" + draw(chance, ALNUM, 34),
    "alibaba": _token("LT" + "AI5t", ALNUM, 18),
    "tencent": _token("AK" + "ID", ALNUM, 32),
    "digitalocean": _token("dop" + "_v1_", HEX, 64),
    "openai": lambda chance: "sk-" + "proj-" + draw(chance, WORD, 74) + "T3Blbk" + "FJ" + draw(chance, WORD, 74),
    "openai-old": lambda chance: "sk" + "-" + draw(chance, ALNUM, 20) + "T3Blbk" + "FJ" + draw(chance, ALNUM, 20),
    "deepseek": _token("sk" + "-", HEX, 32),
    "anthropic": _token("sk-" + "ant-api03-", WORD, 93, "AA"),
    "openrouter": _token("sk-" + "or-v1-", HEX, 64),
    "hugging-face": _token("h" + "f_", string.ascii_letters, 34),
    "groq": _token("gs" + "k_", ALNUM, 52),
    "perplexity": _token("pp" + "lx-", ALNUM, 48),
    "xai": _token("xa" + "i-", ALNUM, 80),
    "replicate": _token("r" + "8_", ALNUM, 37),
    "nvidia": _token("nv" + "api-", WORD, 64),
    "stripe": _token("sk" + "_live_", ALNUM, 24),
    "stripe-restricted": _token("rk" + "_live_", ALNUM, 24),
    "stripe-hook": _token("wh" + "sec_", ALNUM, 32),
    "shopify": _token("sh" + "pat_", HEX, 32),
    "square": _token("sq0" + "atp-", WORD, 22),
    "twilio": _token("S" + "K", HEX, 32),
    "sendgrid": lambda chance: f"S{'G'}.{draw(chance, WORD, 22)}.{draw(chance, WORD, 43)}",
    "mailgun": _token("ke" + "y-", HEX, 32),
    "mailchimp": lambda chance: draw(chance, HEX, 32) + "-us" + "17",
    "npm": _token("np" + "m_", ALNUM, 36),
    "pypi": _token("py" + "pi-AgEIcHlwaS5vcmc", WORD, 150),
    "rubygems": _token("ruby" + "gems_", HEX, 48),
    "docker": _token("dckr" + "_pat_", WORD, 27),
    "vault": _token("hv" + "s.", WORD, 90),
    "terraform": lambda chance: draw(chance, ALNUM, 14) + ".atlas" + "v1." + draw(chance, WORD, 67),
    "databricks": _token("da" + "pi", HEX, 32),
    "doppler": _token("dp" + ".pt.", ALNUM, 43),
    "pulumi": _token("pu" + "l-", HEX, 40),
    "linear": _token("lin" + "_api_", ALNUM, 40),
    "notion": lambda chance: "nt" + "n_" + draw(chance, string.digits, 11) + draw(chance, ALNUM, 35),
    "airtable": lambda chance: "pa" + "t" + draw(chance, ALNUM, 14) + "." + draw(chance, HEX, 64),
    "figma": _token("fi" + "gd_", WORD, 40),
    "postman": lambda chance: f"PM{'AK'}-{draw(chance, HEX, 24)}-{draw(chance, HEX, 34)}",
    "grafana": lambda chance: f"gl{'sa'}_{draw(chance, ALNUM, 32)}_{draw(chance, HEX, 8)}",
    "new-relic": _token("NR" + "AK-", UPPER, 27),
    "sentry": _token("sntr" + "yu_", HEX, 64),
    "atlassian": _token("ATA" + "TT3xFfGF0", WORD, 170, "=" + "1A2B3C4D"),
    "netlify": _token("nf" + "p_", ALNUM, 40),
    "vercel": _token("vc" + "p_", ALNUM, 56),
    "supabase": _token("sb" + "p_", HEX, 40),
    "planetscale": _token("psca" + "le_tkn_", WORD, 43),
    "tailscale": lambda chance: f"ts{'key'}-auth-{draw(chance, ALNUM, 12)}-{draw(chance, ALNUM, 32)}",
    "age": _token("AGE-" + "SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "jwt": _jwt,
    "pem-rsa": _pem("RSA " + "PRIVATE KEY"),
    "pem-plain": _pem("PRIVATE" + " KEY"),
    "pem-openssh": _pem("OPENSSH " + "PRIVATE KEY"),
    "pem-pgp": _pem("PGP " + "PRIVATE KEY BLOCK"),
    "postgres-url": lambda chance: f"postgres://app:{draw(chance, ALNUM, 14)}@db.internal:5432/shop",
    "mongo-url": lambda chance: f"mongodb+srv://svc:{_password(chance).replace('@', '')}@c0.mongodb.net/x",
    "redis-url": lambda chance: f"redis://:{draw(chance, ALNUM, 20)}@cache.internal:6379/1",
    "https-url": lambda chance: f"https://deploy:{draw(chance, ALNUM, 16)}@git.internal/acme/app.git",
    "ado-string": lambda chance: f"Server=db1;Database=app;User Id=sa;Password={_password(chance)};Encrypt=true",
    "azure-storage": lambda chance: (
        f"DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={draw(chance, BASE64, 86)}=="
    ),
    "bearer": lambda chance: f"Authorization: Bearer {draw(chance, ALNUM, 40)}",
    "basic": lambda chance: "Authorization: Basic " + base64.b64encode(f"svc:{_password(chance)}".encode()).decode(),
    "curl-user": lambda chance: f"curl -u svc:{_password(chance)} https://api.internal/v1",
    "npmrc": lambda chance: f"//registry.internal/:_authToken={draw(chance, ALNUM, 36)}",
    "netrc": lambda chance: f"machine git.internal login deploy password {_password(chance)}",
    "sshpass": lambda chance: f"sshpass -p {_password(chance)} ssh deploy@web1",
}
AROUND = {
    "en": (
        "{}",
        "export SERVICE_TOKEN={}",
        "We use {} for the staging job.",
        '{{"value": "{}"}}',
        "- `{}` (works until June)",
        "curl -H 'X-Key: {}' https://api.internal",
    ),
    "zh": ("测试环境用这个：{}", "令牌是 {}，不要外传", "密钥：{}", "| 生产 | {} |"),
}
# Values that only their context gives away.
NAMED: dict[str, Callable[[random.Random], str]] = {
    "hex-32": lambda chance: draw(chance, HEX, 32),
    "hex-40": lambda chance: draw(chance, HEX, 40),
    "hex-64": lambda chance: draw(chance, HEX, 64),
    "alnum-24": lambda chance: draw(chance, ALNUM, 24),
    "alnum-40": lambda chance: draw(chance, ALNUM, 40),
    "base64-44": lambda chance: draw(chance, BASE64, 43) + "=",
    "upper-32": lambda chance: draw(chance, UPPER, 32),
    "uuid": lambda chance: str(uuid.UUID(int=chance.getrandbits(128))),
}
NAMES = {
    "en": (
        "API_KEY={}",
        "export ACME_API_TOKEN={}",
        'client_secret = "{}"',
        "auth_token: {}",
        '"apiKey": "{}",',
        "X-Api-Key: {}",
        "access_key = '{}'",
        "the api key for staging is {}",
        "SECRET_KEY_BASE: {}",
        "webhook secret: `{}`",
        "<token>{}</token>",
        "--token={}",
    ),
    "zh": ("密钥：{}", "令牌为 {}", "访问密钥: {}", "api_key：{}", "客户端密钥是 `{}`", "凭证 = {}"),
}
PASSWORDS = {
    "en": (
        "DB_PASSWORD={}",
        'password: "{}"',
        "password = '{}'",
        "the root password is {}",
        "- **Password**: {}",
        "passwd={}",
        '"password": "{}"',
        "smtp_pass: {}",
        "<password>{}</password>",
        "login admin / pwd: {}",
        "PGPASSWORD={} psql -h db1",
    ),
    "zh": ("密码：{}", "数据库密码是 {}", "口令为 {}", "管理员密码: `{}`", "密码={}", "账号 admin 密码：{}"),
}


def secrets(seed: int = 1) -> list[Sample]:
    """Every kind in every context of its sort, and the benign lines."""
    chance = random.Random(seed)
    samples = []
    for group, makers, contexts in (
        ("shaped", SHAPED, AROUND),
        ("named", NAMED, NAMES),
        ("password", {"password": _password}, PASSWORDS),
    ):
        for kind, make in makers.items():
            for language, several in contexts.items():
                samples += [
                    Sample(each.format(make(chance)), is_bad=True, kind=f"{group}:{kind}", language=language)
                    for each in several
                ]
    return samples + benign(chance)


def benign(chance: random.Random) -> list[Sample]:
    """Lines that look like secrets and are none; hashes and the like in them are drawn anew."""

    def fill(match: re.Match[str]) -> str:
        name, _, length = match[1].partition("_")
        fixed = {"sha1": (HEX, 40), "sha256": (HEX, 64), "md5": (HEX, 32)}
        if name == "uuid":
            return str(uuid.UUID(int=chance.getrandbits(128)))
        if name in fixed and not length:
            return draw(chance, *fixed[name])
        return draw(chance, {"b64": BASE64, "alnum": ALNUM}.get(name, HEX), int(length))

    pattern = re.compile(r"\{((?:sha1|sha256|md5|uuid|b64|alnum|hex)(?:_\d+)?)\}")
    return [_line(pattern.sub(fill, line), "benign") for line in _lines("benign.txt")]


def instructions() -> list[Sample]:
    """Sentences that instruct an agent, and the imperatives that notes of engineers are full of."""
    bad = [Sample(line, is_bad=True, kind="attack", language=_language(line)) for line in _lines("attacks.txt")]
    return bad + [_line(line, "imperative") for line in _lines("imperatives.txt")]


def _line(text: str, kind: str) -> Sample:
    return Sample(text, is_bad=False, kind=kind, language=_language(text))


def _language(text: str) -> str:
    return "zh" if re.search("[\u4e00-\u9fff]", text) else "en"


def _lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()
