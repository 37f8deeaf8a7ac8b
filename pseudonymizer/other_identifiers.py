"""Identifiers of other kinds than names, which stay in the text: counted, so that nobody takes it for
anonymous."""

import re
from collections import Counter
from collections.abc import Mapping

import phonenumbers
from stdnum import iban
from stdnum.nl import bsn, postcode

_KINDS = ("bsn", "iban", "phone", "email", "birth_date", "postcode")
_DIGIT = re.compile(r"\d")
# Bounds keep the time linear on lines of a million letters.
_EMAIL = re.compile(r"[\w.+%'&-]{1,128}@[\w-]+(?:\.[\w-]+)+")
_NINE_DIGITS = re.compile(
    r"(?<![\w.])\d{9}(?!\w)|(?<![\w.])\d{4}[. ]\d{2}[. ]\d{3}(?!\w)|(?<![\w.])\d{3}[. ]\d{3}[. ]\d{3}(?!\w)"
)
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)")
_PHONE = re.compile(r"(?<![\w/.-])(?:\+|00)?\(?\d(?:[ ()./-]{0,2}\d){7,13}(?![\w/-])")
_POSTCODE = re.compile(r"(?<!\w)[1-9]\d{3} ?[A-Z]{2}(?!\w)")
_MONTHS = "jan|feb|maart|mrt|apr|mei|juni|jun|juli|jul|aug|sep|okt|nov|dec"
_BIRTH = re.compile(
    r"(?:geb(?:oren|oortedatum|\.|oortedag)?|geboorte\w{0,20}|birth\w{0,20}|dob)[^\d\n]{0,25}"
    rf"(?:\d{{1,4}}[-/. ]\d{{1,2}}[-/. ]\d{{2,4}}|\d{{1,2}} (?:{_MONTHS})\w*\.? \d{{4}})",
    re.IGNORECASE,
)


def count_other_identifiers(text: str, *, region: str = "NL") -> Mapping[str, int]:
    """How many identifiers of each kind text holds; numbers count only with valid check digits or number
    plans."""
    counts: Counter[str] = Counter()
    taken: set[int] = set()
    if _DIGIT.search(text) is None:  # all of the others hold one
        counts["email"] = sum(1 for _ in _EMAIL.finditer(text)) if "@" in text else 0
        return {kind: counts[kind] for kind in _KINDS}
    for found in _IBAN.finditer(text):
        if _is_iban(found[0]):
            counts["iban"] += 1
            taken.update(range(*found.span()))
    for found in _NINE_DIGITS.finditer(text):
        if found.start() not in taken and bsn.is_valid(re.sub(r"\D", "", found[0])):
            counts["bsn"] += 1
            taken.update(range(*found.span()))
    for found in _PHONE.finditer(text):
        if found.start() not in taken and _is_phone(found[0], region):
            counts["phone"] += 1
    counts["email"] = sum(1 for _ in _EMAIL.finditer(text))
    counts["birth_date"] = sum(1 for _ in _BIRTH.finditer(text))
    counts["postcode"] = sum(1 for found in _POSTCODE.finditer(text) if postcode.is_valid(found[0]))
    return {kind: counts[kind] for kind in _KINDS}


def _is_iban(text: str) -> bool:
    """Whether text, or a beginning of it, is an IBAN: what follows may be the next word in capitals."""
    groups = text.split(" ")
    return any(iban.is_valid("".join(groups[:length])) for length in range(len(groups), 0, -1))


def _is_phone(text: str, region: str) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(text, region))
    except phonenumbers.NumberParseException:
        return False
