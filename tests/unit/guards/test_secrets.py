"""Secrets that are known by their shape are refused; what only looks similar is not."""

from __future__ import annotations

import base64
import re

import pytest

from tacit.guards import Tier, inspect, redact
from tacit.guards.secrets import FORMATS, SHAPES, Format
from tests.unit.guards.planted import ALNUM, HEX, UPPER, drawn, github_token, key_block


def rules(text: str, tier: Tier = Tier.REFUSE) -> list[str]:
    """The rules of one tier that a text falls under."""
    return [each.rule for each in inspect({"": text}) if each.tier is tier]


def body_of(form: Format, length: int) -> str:
    """A run of the characters that a format allows."""
    allowed = [chr(code) for code in range(33, 127) if re.fullmatch(f"[{form.alphabet}]", chr(code))]
    return drawn("".join(char for char in allowed if char.isalnum()), length)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.rule} {form.prefixes.split()[0]}")
def test_every_format_is_refused_in_any_context(form: Format) -> None:
    """X-01: each prefix with a body of the right length is a secret, in a sentence, an assignment and Chinese."""
    for prefix in form.prefixes.split():
        value = prefix + body_of(form, form.shortest)
        for context in ("{}", "see {} for now", "TOKEN='{}'", "令牌是「{}」。", '"x":"{}",'):
            assert rules(context.format(value)), (prefix, context)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form.rule} {form.prefixes.split()[0]}")
def test_a_body_of_the_wrong_length_is_no_format(form: Format) -> None:
    """What is too short, or goes on for too long, is something else; other formats with the prefix may still fit."""
    prefix = form.prefixes.split()[0]
    others = [each for each in FORMATS if each is not form and any(map(prefix.startswith, each.prefixes.split()))]
    if not others:
        assert form.rule not in rules(prefix + "0" + body_of(form, form.shortest - 2))
        assert form.rule not in rules(prefix + body_of(form, form.longest + 1))


@pytest.mark.parametrize("text", ["ghp_" + "x" * 36, "AKIAIOSFODNN7EXAMPLE", "sk-..." + "0" * 40, "glpat-<your token>"])
def test_mock_values_are_not_secrets(text: str) -> None:
    """Fillers and the examples of documentation may be written down."""
    assert inspect({"": f"export TOKEN={text}"}) == ()


SHAPED = {
    "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NSJ9." + drawn(ALNUM, 43),
    "url-password": "postgres://app:" + drawn(ALNUM, 12) + "@db.internal/shop",
    "authorization": "Authorization: Bearer " + drawn(ALNUM, 40),
    "command-password": "curl -u svc:" + drawn(ALNUM, 24) + " https://api.internal",
    "connection-string": "Server=db1;User Id=sa;Password=" + drawn(ALNUM, 12) + ";",
    "netrc-password": "machine git.internal login svc password " + drawn(ALNUM, 12),
    "registry-token": "//npm.internal/:_authToken=" + drawn(ALNUM, 36),
    "slack-webhook": "https://hooks.slack" + ".com/services/T0/B0/" + drawn(ALNUM, 24),
    "discord-webhook": "https://discord.com/api/webhooks/123456789012345678/" + drawn(ALNUM, 68),
    "discord-token": "MT" + drawn(ALNUM, 24) + "." + drawn(ALNUM, 6) + "." + drawn(ALNUM, 38),
    "session-cookie": "Set-Cookie: lang=en; connect.sid=" + drawn(ALNUM, 32) + "; Path=/",
    "teams-webhook": "https://acme.webhook.office.com/webhookb2/" + drawn(ALNUM, 80),
    "feishu-webhook": "https://open.feishu.cn/open-apis/bot/v2/hook/" + drawn(HEX, 32),
    "dingtalk-webhook": "https://oapi.dingtalk.com/robot/send?access_token=" + drawn(HEX, 64),
    "wecom-webhook": "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=" + drawn(HEX, 36),
    "telegram-token": "123456789:" + "AA" + drawn(ALNUM, 33),
    "azure-secret": "abc8" + "Q~" + drawn(ALNUM, 34),
    "azure-signature": "https://x.blob.core.windows.net/c?sv=1&sig=" + drawn(ALNUM, 44),
    "terraform-token": drawn(ALNUM, 14) + ".atlasv1." + drawn(ALNUM, 67),
    "mailchimp-key": drawn(HEX, 32) + "-us" + "17",
    "one-password-key": "A3-" + drawn(UPPER, 6) + "-" + drawn(UPPER, 11) + "-" + "-".join([drawn(UPPER, 5)] * 3),
    "maxmind-key": drawn(ALNUM, 6) + "_" + drawn(ALNUM, 29) + "_mmk",
}


def test_every_shape_has_an_example() -> None:
    """No rule stands in the book untried."""
    assert set(SHAPED) == {rule.name for rule in SHAPES}


@pytest.mark.parametrize("name", SHAPED)
def test_secrets_with_telling_surroundings_are_refused(name: str) -> None:
    """X-01: addresses, headers, commands and connection strings with a value in them."""
    assert rules(SHAPED[name]) == [name]
    assert rules(f"生产环境：{SHAPED[name]}") == [name]


@pytest.mark.parametrize("name", SHAPED)
def test_chinese_right_beside_a_value_is_no_part_of_it(name: str) -> None:
    """X-01: without a space before or behind it the value is found, and the words around it stay."""
    text = f"这是{SHAPED[name]}的"
    assert rules(text) == [name]
    assert f"[removed: {name}]" in redact(text)
    assert (redact(text)[:2], redact(text)[-1]) == ("这是", "的")


@pytest.mark.parametrize(
    "command",
    ["sshpass -p {} ssh web1", "mysql -uroot -p{} shop", "redis-cli -h cache -a {} ping", "curl --user 'svc:{}' x"],
)
def test_passwords_in_commands_are_asked_about_or_refused(command: str) -> None:
    """X-01: behind the option of a well-known command what a machine drew is refused, what a person chose is asked."""
    assert rules(command.format(drawn(ALNUM, 24))) == ["command-password"]
    asked = inspect({"": command.format("Walnut42" + "!x")})
    assert [(each.rule, each.tier) for each in asked] == [("command-password", Tier.ASK)]


def test_basic_credentials_are_decoded() -> None:
    """A header with `user:password` in base64 is refused, one with anything else is not."""
    secret = base64.b64encode(b"svc:walnut").decode()
    assert rules(f"Authorization: Basic {secret}") == ["authorization"]
    assert rules(f"Authorization: Basic {base64.b64encode(b'nothing').decode()}") == []
    assert rules("Authorization: Basic credentials") == []


@pytest.mark.parametrize(
    "text",
    [
        "postgres://postgres:postgres@localhost/db",
        "mysql://user:password@host/db",
        "redis://:${REDIS_PASSWORD}@cache:6379",
        "https://example.com:8080/a@b",
        "curl -u $USER:$PASS x",
        "Authorization: Bearer <token>",
        "Server=db1;Password=${DB_PASSWORD};",
        "sshpass -p 这里填密码 ssh web1",
        "mysql -uroot -p密码在保险箱 shop",
    ],
)
def test_defaults_and_templates_are_not_secrets(text: str) -> None:
    """A password that equals its user, a variable and a placeholder give nothing away."""
    assert inspect({"": text}) == ()


@pytest.mark.parametrize("name", ["RSA PRIVATE", "PRIVATE", "OPENSSH PRIVATE", "EC PRIVATE", "ENCRYPTED PRIVATE"])
def test_private_keys_are_refused_and_removed_whole(name: str) -> None:
    """X-01: from the first line of the key to its last."""
    block = key_block(name)
    assert rules(f"before\n{block}\nafter") == ["private-key"]
    assert redact(f"before\n{block}\nafter") == "before\n[removed: private-key]\nafter"


def test_private_keys_in_other_clothes() -> None:
    """X-01: PGP blocks, PuTTY files, one line of JSON, and a key whose end is missing."""
    body = "\n".join(drawn(ALNUM, 64, seed) for seed in range(3))
    assert rules(f"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{body}") == ["private-key"]
    putty = f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 3\n{body}\nPrivate-MAC: 00ff\nafter"
    assert redact(putty) == "[removed: private-key]\nafter"
    in_json = key_block().replace("\n", "\\n")
    assert rules(f'{{"private_key": "{in_json}"}}') == ["private-key"]


@pytest.mark.parametrize("body", ["...", "xxx", "x" * 80, "<your key>", ""])
def test_a_key_without_a_body_is_a_mention(body: str) -> None:
    """To write about keys is not to write one down."""
    text = f"It begins with -----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----"
    assert inspect({"": text}) == ()
    assert (
        inspect({"": f"Never commit -----BEGIN PRIVATE KEY-----\n{body}\n" + "and many words that follow " * 20}) == ()
    )


def test_a_secret_across_the_cut_of_a_long_line_is_found() -> None:
    """Lines are looked at in pieces; what a cut divides is whole in one of them."""
    for before in (4000, 4090, 8000, 20_000):
        address = SHAPED["url-password"]
        assert rules("a " * (before // 2) + address) == ["url-password"]
        assert rules("a " * (before // 2) + github_token() + " b" * 3000) == ["github-token"]
