"""Numbers that prove themselves: cards, accounts and national numbers by their check digits."""

from __future__ import annotations


def luhn(digits: str) -> bool:
    """Whether the last digit of a card fits the others."""
    doubled = "".join(str(int(digit) * (2 - place % 2)) for place, digit in enumerate(reversed(digits), 1))
    return sum(map(int, doubled)) % 10 == 0


def mod_97(account: str) -> bool:
    """Whether the two check digits of an IBAN fit the account."""
    moved = account[4:] + account[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def chinese(digits: str) -> bool:
    """Whether the last sign of an 18-digit identity number fits."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))
    return digits[17].upper() == "10X98765432"[total % 11]


def brazilian(digits: str) -> bool:
    """Whether the last two digits of a CPF fit the first nine."""

    def check(length: int) -> int:
        return sum(int(digit) * (length + 1 - place) for place, digit in enumerate(digits[:length])) * 10 % 11 % 10

    return len(set(digits)) > 1 and check(9) == int(digits[9]) and check(10) == int(digits[10])


def korean(digits: str) -> bool:
    """Whether the last digit of a resident number fits."""
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))
    return (11 - total % 11) % 10 == int(digits[12])


def french(digits: str) -> bool:
    """Whether the key of a social security number fits."""
    return 97 - int(digits[:13]) % 97 == int(digits[13:])


def spanish(number: str) -> bool:
    """Whether the letter of a DNI fits its digits."""
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number[:8]) % 23] == number[8]


def taiwanese(number: str) -> bool:
    """Whether letter and digits of an identity number fit."""
    first = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0]) + 10
    total = first // 10 + first % 10 * 9
    total += sum(int(digit) * weight for digit, weight in zip(number[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True))
    return total % 10 == 0


def unchecked(_: str) -> bool:
    """True for numbers without a check digit, which need a word beside them."""
    return True
