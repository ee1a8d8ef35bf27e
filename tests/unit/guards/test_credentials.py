"""Values that only their context makes a secret are asked about."""

from __future__ import annotations

import pytest

from tacit.guards import Tier, inspect, redact
from tests.unit.guards.planted import ALNUM, HEX, aws_secret, drawn

UUID = "0b9c1f3e-7d2a-4c5b-9e8f-1a2b3c4d5e6f"
TOKEN = drawn(ALNUM, 32)
PASSWORD = "Walnut42" + "!x"


def asked(text: str) -> list[str]:
    """The rules under which the user would be asked."""
    findings = inspect({"": text})
    assert all(each.tier is Tier.ASK for each in findings)
    return [each.rule for each in findings]


@pytest.mark.parametrize(
    "context",
    [
        "API_KEY={}",
        'client_secret = "{}"',
        '"accessToken": "{}",',
        "X-Api-Key: {}",
        "the token for staging is {}",
        "`secret` -> `{}`",
        "<token>{}</token>",
        "| token | {} |",
        "--token {}",
        "find a secret {} within",
        "密钥：{}",
        "客户端令牌为 {}。",
        "访问凭证是「{}」",
        "金鑰：{}",
        "部署密鑰為 {}。",
        "私鑰是「{}」",
        "訪問權杖是{}的",
        "憑證【{}】",
        "授權碼：{}",
        "ＡＰＩ_ＫＥＹ＝{}",
    ],
)
def test_random_values_after_a_telling_word_are_asked_about(context: str) -> None:
    """X-01: whatever the syntax, in English and Chinese."""
    assert asked(context.format(TOKEN)) == ["credential"]


@pytest.mark.parametrize("value", [drawn(HEX, 32), drawn(HEX, 64), drawn(ALNUM + "+/", 43) + "=", UUID])
def test_many_kinds_of_random_values_are_known(value: str) -> None:
    """Hex, base64 and UUIDs are keys where a name says so."""
    assert asked(f"api_key: {value}") == ["credential"]
    assert asked(f"secret {value}") == ["credential"]


@pytest.mark.parametrize(
    "context",
    [
        "password: {}",
        "DB_PASSWORD='{}'",
        "- **Password**: `{}`",
        "the root password is {}",
        "smtp_pass={}",
        "<password>{}</password>",
        "密码：{}",
        "数据库口令是 {}，别外传",
        "パスワード: {}",
        "密碼：{}",
        "資料庫密碼為【{}】，別外傳",
        "密码is {}",
    ],
)
def test_passwords_are_asked_about(context: str) -> None:
    """X-01: what a person may have chosen, after a word for it."""
    assert asked(context.format(PASSWORD)) == ["password"]


@pytest.mark.parametrize(
    "text",
    [
        "Set DB_PASSWORD to {} on staging",
        "ssh root@10.0.0.5 with password {}",
        "Log in to staging with user admin and password {}.",
        "the root password on db1 was changed to `{}`",
        "the password ({}) is old",
        "账号 admin 密码 {}",
        "测试库的密码改成 {} 了",
        "密码用{}登录",
        "密码改成了 {}，别外传",
        "它的密码叫 {}",
        "パスワードは{}",
        "the password's {} on staging",
        "密码【{}】",
        "root密码统一成{}",
        "root密码统一改成{}了",
        "初始密码默认 {}",
        "root密碼預設 {}",
        "密碼設成{}",
        "请set root password to {}",
        "{} 是密码",
        "{}是数据库的默认密码。",
        "用 {} 作为密码",
        "用{}作为root的密码登录",
        "以{}當作密碼",
        "{} is the password",
        "`{}` is our new root password for db1.",
        "**{}** was the DB_PASSWORD, now it is gone",
        "use {} as the password",
        "Use {} as root password on staging",
    ],
)
@pytest.mark.parametrize("value", ["tR7!kqz9w", "Zebra-Quartz-77", "tfjgVvVqE1SkHbn8", "walnut4291"])
def test_passwords_in_prose_are_asked_about(text: str, value: str) -> None:
    """X-01: no sign between the word and the value is needed."""
    assert asked(text.format(value)) == ["password"]


def test_tokens_that_prose_sets_are_asked_about() -> None:
    """X-01: as passwords are, if they look random."""
    assert asked("Set the token of CI to " + "3fjgVvVqE1" + "SkHbn8x") == ["credential"]


@pytest.mark.parametrize(
    "text",
    [
        "the password to staging-db1 and to buildhost2",
        "Set DB_PASSWORD to ${DB_PASSWORD1} or $DB_PASSWORD2",
        "set the password to <password1>",
        "change the password to /run/secrets/db1",
        "set the password to https://vault.internal/v1/db2",
        "Reset the password to v12.34.56",
        "Set password to getPassword(user1)",
        "set the password to xxxxxxxx1",
        "Use the password 1Password generates",
        "Set passwords to expire after 90days",
        "the password reset_flow_v2 page, the password checkStrength call and 2 more",
        "Set the password policy to Level-3x",
        "password scram-sha-256",
        "set the token to test-token-2",
        "密码用 argon2id 存，不要用 md5",
        "密码 12345678",
        "BCryptPasswordEncoder2 作为密码编码器",
        "PBKDF2WithHmacSHA256 是密码算法",
        "AuthService2 是管理密码的服务",
        "AuthService2 是负责密码。",
        "Vault2Go is the password manager",
        "Argon2idHash is the password hashing of choice",
        "use LoginForm2 as the password field",
        "use user.Email2 as the password",
        "use ${DB_PASSWORD1} as the password",
        "use xxxxxxxx1 as the password",
        "use the staging-db1 as the password store, AuthService2 is where the password is checked",
        "密码默认 bcrypt2b",
        "密码统一成大写字母加数字8位",
        "公開金鑰：3fjgVvVqE1SkHbn8xPzQ",
        "金鑰長度：3fjgVvVqE1SkHbn8xPzQ",
    ],
)
def test_prose_about_passwords_passes(text: str) -> None:
    """X-01: names, places, variables, versions, calls and placeholders are no values."""
    assert inspect({"": text}) == ()


@pytest.mark.parametrize(
    "text",
    [
        "密码是 {}",
        "口令:{}",
        "password is {}",
        "密碼為{}。",
        "密码{}",
        "密码改成{}了",
        "**密码**：`{}`",
        '"password": "{}",',
        "| password | {} |",
        "DB_PASS={}",
        "passcode: {}",
        "Set the password of the lab to 55, the wifi password to {}.",
    ],
)
@pytest.mark.parametrize("value", ["13579246", "482913", "20240102"])
def test_digits_right_behind_a_password_s_word_are_asked_about(text: str, value: str) -> None:
    """X-01: people choose them, so six or more are asked about; without a sign a date is none."""
    is_date = (text, value) == ("密码{}", "20240102")
    assert asked(text.format(value)) == ([] if is_date else ["password"])
    assert (value in redact(text.format(value))) is is_date


@pytest.mark.parametrize(
    "text",
    [
        "password is 13579",
        "password is 123456",
        "密码是 000000",
        "password: 2024-01-02",
        "password: 482913.5 and 482913/2 and password 3.1.482913",
        "the password limit is 100000, password length: 100000",
        "password hash rounds: 310000",
        "password is 100000 times harder, password 600000 iterations",
        "leaked passwords: 1000000",
        "Pass: 482913",
        "moved the password to 482913",
        "token count: 1000000, token limit 1000000",
        "key length: 482913, secret is 482913, port: 330600",
        "密码长度: 100000",
        "密码错误100000次，密码：100000次迭代",
        "密码缓存 600000 毫秒，密码 600000 毫秒后失效",
        "修改密码 20240512",
        "令牌上限：1000000，端口：330600",
    ],
)
def test_numbers_that_are_no_password_pass(text: str) -> None:
    """Counts, limits, lengths, ports, dates, units and what everybody writes for an example."""
    assert inspect({"": text}) == ()


def test_the_secret_of_an_aws_key_is_refused() -> None:
    """X-01: its length and its name leave no doubt."""
    (finding,) = inspect({"": f"aws_secret_access_key = {aws_secret()}"})
    assert (finding.rule, finding.tier) == ("aws-secret-key", Tier.REFUSE)


@pytest.mark.parametrize(
    "text",
    [
        f"commit {drawn(HEX, 40)} fixed the token cache",
        f"the token cache was fixed in {drawn(HEX, 40)}",
        f"the token of request {UUID} expired",
        f"token_hash = {drawn(HEX, 64)}",
        f"credentialsId: {UUID}",
        f"tokenId={UUID}",
        f"public key: {TOKEN}",
        f"csrf-token={TOKEN}",
        f"cache key: {TOKEN}",
        f"orders are keyed, key: {UUID}",
        f"密钥编号：{TOKEN}",
        "key = row-0042-b",
        "api_key = get_key('billing-2024-a')",
        "token: user.session.token2",
        "token_url = https://auth.internal/v2/token",
        "password: ${DB_PASSWORD}",
        "password: changeme",
        "password = hashed(form.password1)",
        'password: "must have 8 characters"',
        "password hashing: argon2id",
        "password: 2024-01-02",
        "password file: server-2024.pem",
        "secret: JWT_SECRET_V2",
        "password: ........",
        "secret: 'xxxxxxxxxxxxxxxxxxxxxxxx1'",
        "secret is 24h valid",
        "tokenizer: cl100k_base_2024_x1",
        "A secret ends with " + drawn(ALNUM, 30) + "...",
        "secret configuration-of-the-service",
        "密码长度：至少12位",
        "connect(key_password=self.key_password2, x=1); y",
        "password = auth[2]",
        'print(f"password={password!r}, 1")',
        "socks5h://<username>:<password>@proxy-host1",
        "if keyalg is PBES.PBESv1SHA1And3KeyTripleDESCBC:",
        "simply pass `v8::Isolate::GetCurrent2()` here",
        "&quot;Password is correct.&quot; 1",
    ],
)
def test_what_is_not_a_credential_passes(text: str) -> None:
    """Hashes, ids, names, places, calls, variables and rules about passwords are what notes are made of."""
    assert inspect({"": text}) == ()


def test_letters_that_grow_when_made_small_keep_their_place() -> None:
    """A Turkish capital before a secret does not shift where it is found."""
    (finding,) = inspect({"": f"İİ api_key={TOKEN}"})
    assert finding.column == len("İİ api_key=") + 1


def test_a_value_ends_where_chinese_goes_on() -> None:
    """Chinese puts no space around a value."""
    assert redact(f"密码是{PASSWORD}请保密") == "密码是[removed: password]请保密"
    assert redact(f"令牌为“{TOKEN}”。") == "令牌为“[removed: credential]”。"
    assert redact(f"令牌 {TOKEN}请保密") == "令牌 [removed: credential]请保密"
    assert redact(f"用{PASSWORD}作为密码") == "用[removed: password]作为密码"
    assert redact(f"密码【{PASSWORD}】") == "密码【[removed: password]】"


def test_what_follows_a_value_that_stands_first_is_still_read() -> None:
    """The search goes on behind the word, so the next value is found too, and no word is read twice."""
    assert redact(f"{PASSWORD} is the password, and the old password was Birch_7!77x.") == (
        "[removed: password] is the password, and the old password was [removed: password]."
    )
