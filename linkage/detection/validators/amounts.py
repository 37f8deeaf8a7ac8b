"""Checks of amounts of money and of other numbers."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from linkage.detection.candidate import Candidate, Checked, Validator
from linkage.language import Language
from linkage.language.number_words import number_of_words

_SYMBOLS: Final[Mapping[str, str]] = {
    "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "JPY", "$": "USD", "us$": "USD", "a$": "AUD", "c$": "CAD",
    "\u20a6": "NGN", "\u20b9": "INR", "\u20ba": "TRY", "\u20bd": "RUB", "\u20aa": "ILS", "\u0192": "NLG",
}  # fmt: skip
_SHORT_MULTIPLES: Final[Mapping[str, int]] = {"k": 10**3, "m": 10**6, "mm": 10**6, "bn": 10**9}
_DIGITS: Final = re.compile(r"\d[\d.,'\u2019 ]*\d|\d")
_WORDS: Final = re.compile(
    r"[^\W\d_]+\.?|(?:us|a|c)?\$|[\u20ac\u00a3\u00a5\u20a6\u20b9\u20ba\u20bd\u20aa\u0192]"
)


def checked_money(candidate: Candidate) -> Checked | None:
    """The amount with two decimals behind its currency, "EUR 61830.00"; without one where none is named."""
    text = candidate.text.lower()
    language = candidate.language
    found = _DIGITS.search(text)
    words = _WORDS.findall(text)
    currency, cents = _currency(words, language)
    if found is None:
        value = _in_words(text, language)
        if value is None:
            return None
    else:
        value = decimal_of(found[0])
        for word in words:
            value *= language.multiples.get(word.rstrip("."), _SHORT_MULTIPLES.get(word, 1))
        if re.match(r"\W*-", text[: found.start()] + "") or "-" in text[: found.start()]:
            value = -value
    if cents:
        value /= 100
    return Checked(f"{currency} {value:.2f}".strip())


def checked_number(candidate: Candidate) -> Checked | None:
    """The number with a decimal point and without separators of thousands."""
    return Checked(f"{decimal_of(candidate.text):f}")


def decimal_of(text: str) -> Decimal:
    """The number that digits with points, commas, blanks or apostrophes stand for.

    The last point or comma divides off decimals unless three digits follow it, or it stands there twice.
    """
    plain = re.sub(r"['\u2019\s]", "", text)
    marks = [place for place, letter in enumerate(plain) if letter in ".,"]
    if not marks:
        return Decimal(plain)
    last = marks[-1]
    is_thousands = len(plain) - last - 1 == 3 and (len(marks) > 1 or plain[:last] not in ("0", ""))
    if is_thousands and len({plain[place] for place in marks}) > 1:
        is_thousands = False
    if is_thousands or (len(marks) > 1 and len({plain[place] for place in marks}) == 1):
        return Decimal(re.sub(r"[.,]", "", plain))
    return Decimal(re.sub(r"[.,]", "", plain[:last]) + "." + (plain[last + 1 :] or "0"))


def _currency(words: list[str], language: Language) -> tuple[str, bool]:
    """The code of the currency, empty where the words name none, and whether the amount is in cents."""
    for word in words:
        code = (
            _SYMBOLS.get(word) or language.currencies.get(word) or language.currencies.get(word.rstrip("."))
        )
        if code is not None:
            return code.removesuffix("/100"), code.endswith("/100")
    return "", False


def _in_words(text: str, language: Language) -> Decimal | None:
    """An amount in words: "drie euro vijftig"."""
    before, after = "", ""
    for word in text.split():
        if language.currencies.get(word.rstrip(".")) is not None and before:
            after = text.split(word, 1)[1]
            break
        before = f"{before} {word}".strip()
    whole = number_of_words(before, language)
    if whole is None:
        return None
    return Decimal(whole) + Decimal(number_of_words(after, language) or 0) / 100


VALIDATORS: Final[Mapping[str, Validator]] = {"money": checked_money, "number": checked_number}
