"""Personal data: numbers that prove themselves are refused, lists of people are asked about."""

from __future__ import annotations

import pytest

from tacit.guards import Tier, inspect, redact
from tacit.guards.personal import luhn


def found(text: str) -> list[tuple[str, Tier]]:
    """What is found in a text, and what follows from it."""
    return [(each.rule, each.tier) for each in inspect({"": text})]


def card(start: str, length: int) -> str:
    """A number that passes for a card of that issuer."""
    body = (start + "739205618402731")[: length - 1]
    return next(body + str(digit) for digit in range(10) if luhn(body + str(digit)))


@pytest.mark.parametrize(
    ("start", "length"),
    [("4", 16), ("51", 16), ("2221", 16), ("37", 15), ("6011", 16), ("62", 16), ("3528", 16), ("36", 14)],
)
def test_cards_are_refused(start: str, length: int) -> None:
    """X-01: grouped as on a card, or with a word for it."""
    number = card(start, length)
    grouped = " ".join(number[place : place + 4] for place in range(0, length, 4))
    assert found(f"pays with {grouped}") == [("card", Tier.REFUSE)]
    assert found(f"卡号：{number}") == [("card", Tier.REFUSE)]
    assert found(f"the number {number} again") == [("card", Tier.ASK)]


@pytest.mark.parametrize(
    "text",
    [
        "card 4242 4242 4242 4242",
        "card 378282246310005",
        f"card {card('4', 16)[:-1]}{(int(card('4', 16)[-1]) + 1) % 10}",
        f"card {card('9', 16)}",
        "snowflake 1793456789012345678",
        "order 2024061100012345",
    ],
)
def test_test_cards_and_other_numbers_pass(text: str) -> None:
    """Published test numbers, wrong check digits and unknown issuers are no cards."""
    assert found(text) == []


@pytest.mark.parametrize("text", ["GB29 NWBK 6016 1331 9268 19", "pay to FR1420041010050500013M02606 now"])
def test_accounts_are_refused(text: str) -> None:
    """X-01: an IBAN with the right length and check digits."""
    assert found(text) == [("iban", Tier.REFUSE)]


@pytest.mark.parametrize("text", ["GB28 NWBK 6016 1331 9268 19", "ZZ29 NWBK 6016 1331 9268 19"])
def test_wrong_accounts_pass(text: str) -> None:
    """Wrong check digits and unknown countries."""
    assert found(text) == []


NATIONAL = {
    "cn-id": "客户 11010519491231002" + "X 已实名",
    "us-ssn": "SSN 536-28-" + "4719",
    "br-cpf": "529.982.247-" + "25",
    "kr-rrn": "resident 900101-123456" + "8",
    "fr-nir": "NIR 2 55 08 14 168 025 " + "38",
    "es-dni": "DNI 12345678" + "Z",
    "tw-id": "national id A12345678" + "9",
    "uk-nino": "National Insurance QQ 12 34 56 " + "C",
}


@pytest.mark.parametrize("rule", NATIONAL)
def test_national_numbers_are_refused(rule: str) -> None:
    """X-01: by their check digits, and with a word where these are weak."""
    text = NATIONAL[rule].replace("QQ", "AB")
    assert (rule, Tier.REFUSE) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "id 110105194912310021",
        "part 536-28-4719",
        "SSN 111-22-3333",
        "529.982.247-26",
        "111.111.111-11",
        "900101-1234569",
        "DNI 12345678A",
    ],
)
def test_numbers_that_do_not_prove_themselves_pass(text: str) -> None:
    """A wrong check digit, or no word for what the number is."""
    assert found(text) == []


CHINESE_NUMBERS = {
    "cn-id": "11010519491231002" + "X",
    "card": "4532015112830366",
    "us-ssn": "536-28-" + "4719",
    "br-cpf": "529.982.247-" + "25",
    "kr-rrn": "900101-123456" + "8",
    "fr-nir": "2550814168025" + "38",
    "es-dni": "12345678" + "Z",
    "tw-id": "A12345678" + "9",
    "uk-nino": "AB123456" + "C",
    "iban": "GB29 NWBK 6016 1331 9268 19",
}


@pytest.mark.parametrize("rule", CHINESE_NUMBERS)
def test_numbers_are_refused_without_a_space_around_them(rule: str) -> None:
    """X-01: Chinese puts no space between a number and the words around it."""
    number = CHINESE_NUMBERS[rule]
    words = "SSN、NIR、DNI、身份證、National Insurance、卡号"
    assert (rule, Tier.REFUSE) in found(f"{words}：客户{number}的")
    assert f"客户[removed: {rule}]的" in redact(f"{words}：客户{number}的")


def test_numbers_in_one_chinese_sentence_are_all_refused() -> None:
    """X-01: an identity number and a card, each right behind its word; a card's groups between words."""
    text = f"给客户张三开票时，身份证{CHINESE_NUMBERS['cn-id']}，银行卡{CHINESE_NUMBERS['card']}"
    assert redact(text) == "给客户张三开票时，身份证[removed: cn-id]，银行卡[removed: card]"
    assert found("卡号是4532 0151 1283 0366有效") == [("card", Tier.REFUSE)]
    assert found("编号4532015112830366的") == [("card", Tier.ASK)]


@pytest.mark.parametrize(
    "text",
    [
        "卡号是4532 0151 1282 0366有效",
        "身份证110105194912310021的",
        "卡号a4532015112830366有效",
        "卡号4532015112830366b有效",
        "路径/4532015112830366是文件",
        "订单2024061100012345已付",
        "客户536-28-4719的",
        "手机13812345678和13987654321的",
        "邮箱a@qq.com和b@qq.com的",
        "邮箱a@example.com和b@example.com和c@example.com的",
    ],
)
def test_other_numbers_between_chinese_words_pass(text: str) -> None:
    """Wrong check digits, parts of longer names, numbers without their word, and two contacts."""
    assert found(text) == []


def test_lists_without_a_space_are_asked_about() -> None:
    """X-01: three phones or three addresses, each right behind a Chinese word, and nothing of the words goes."""
    assert redact("手机13812345678，手机13987654321和手机13711223345的") == (
        "手机[removed: phones]，手机[removed: phones]和手机[removed: phones]的"
    )
    assert redact("邮箱a@qq.com，邮箱b@qq.com和邮箱c@qq.com的") == (
        "邮箱[removed: emails]，邮箱[removed: emails]和邮箱[removed: emails]的"
    )


def test_many_addresses_are_asked_about() -> None:
    """X-01: three people or more are a list, counted over all fields; two are a contact."""
    people = ["ann@acme.io", "bob@acme.io", "cy@acme.io"]
    assert found(" ".join(people)) == [("emails", Tier.ASK)]
    assert found(" ".join(people[:2] * 3)) == []
    assert found("a@example.com b@example.org c@example.net d@test noreply@acme.io git@github.com") == []
    across = inspect([("title", people[0]), ("one_liner", people[1]), ("decision", people[2])])
    assert [each.field for each in across] == ["title", "one_liner", "decision"]


def test_many_phones_are_asked_about() -> None:
    """X-01: three different numbers; those that belong to nobody do not count."""
    phones = ["+44 20 7946 0958", "13812345678", "(212) 736-5000"]
    assert found("\n".join(phones)) == [("phones", Tier.ASK)] * 3
    assert found("\n".join(phones[:2])) == []
    assert found("212-555-0100\n212-555-0101\n212-555-0102") == []


def test_personal_data_is_removed() -> None:
    """P-06: what is recorded keeps the sentence and loses the number."""
    assert redact("IBAN GB29 NWBK 6016 1331 9268 19, thanks") == "IBAN [removed: iban], thanks"
