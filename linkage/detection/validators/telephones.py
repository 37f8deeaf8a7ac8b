"""Checks of telephone numbers: number plans by phonenumbers, and how people group the figures."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import phonenumbers
from phonenumbers import PhoneNumber

from linkage.detection.candidate import Candidate, Checked, Validator

_GROUPS: Final = re.compile(r"\d+")
_EXTENSION: Final = re.compile(r"[^\d+()]*[A-Za-z#][^\d]*(\d{1,5})\)?$")
_REGIONS: Final = ("NL", "BE")  # where a number without a country may belong, in this order
_OTHER_REGIONS: Final = ("BE", "DE", "AT", "CH", "GB", "IE", "IT")
_FEWEST_DIGITS: Final = 8  # of a number with its country; ITU-T E.164 allows 15 at most
_MOST_DIGITS: Final = 15
_NL_DIGITS: Final = 10  # of a Dutch number with its zero
_BE_DIGITS: Final = 9  # of a Belgian one that is not mobile
# Figures in groups as Belgians write them: 02 123 45 67, 051 12 34 56, 0472 12 34 56, 0472 123 456.
_BELGIAN: Final = re.compile(
    r"0[2349] \d{3} \d\d \d\d|0\d\d \d\d \d\d \d\d|04\d\d (?:\d\d \d\d \d\d|\d{3} \d{3})"
)
# As the Dutch write them: 06, or an area of three or four figures, then at most four groups.
_DUTCH: Final = re.compile(r"(?:06|0\d\d|0\d{3})(?: \d{2,8}){1,4}|06(?: \d){1,2}(?: \d{2,7}){1,4}")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_DAY: Final = re.compile(r"\d{1,2}[-./]\d{1,2}[-./](?:\d\d$|(?:19|20)\d\d(?!\d))")


def checked_international(candidate: Candidate) -> Checked | None:
    """The number with its country, as "+31612345678"; it passes where the country exists and the length fits.

    The longest beginning that a number plan knows counts: another number may follow it.
    """
    return _without_bracket(candidate.text, _international(candidate.text))


def _international(whole: str) -> Checked | None:
    text, extension = _parted(whole)
    for beginning in _beginnings(text):
        number = _parsed(beginning, None)
        if number is not None and phonenumbers.is_valid_number(number):
            end = len(whole) if beginning == text else len(beginning)
            return Checked(_normal(number, extension if beginning == text else ""), length=end)
    digits = "".join(_GROUPS.findall(text)).removeprefix("00")
    if not _FEWEST_DIGITS <= len(digits) <= _MOST_DIGITS:
        return None
    number = _parsed(text, None)
    is_plausible = text.lstrip("(").startswith("+") and number is not None
    return Checked(_normal(number, extension) if number else f"+{digits}", passed=is_plausible)


def checked_national(candidate: Candidate) -> Checked | None:
    """The number with its country; it passes where a plan knows it, or where it is grouped as numbers are.

    None for a date and for too few figures.
    """
    return _without_bracket(candidate.text, _national(candidate.text))


def _national(whole: str) -> Checked | None:
    text, extension = _parted(whole)
    if _DAY.match(text):
        return None
    for beginning in _beginnings(text):
        groups = _GROUPS.findall(beginning)
        digits = "".join(groups)
        grouped = " ".join(groups)
        region = _region(digits, grouped)
        if region is None:
            continue
        number = _parsed(digits, region)
        if number is None:
            continue
        end = len(whole) if beginning == text else len(beginning)
        return Checked(_normal(number, extension if beginning == text else ""), length=end)
    digits = "".join(_GROUPS.findall(text))
    return Checked(digits + extension, passed=False) if len(digits) >= _FEWEST_DIGITS else None


def _region(digits: str, grouped: str) -> str | None:
    """The country of a number without one; None where neither a plan nor the groups tell it."""
    if len(digits) == _NL_DIGITS and (_DUTCH.fullmatch(grouped) or digits.startswith("06")):
        is_belgian = _BELGIAN.fullmatch(grouped) and not digits.startswith("06")
        return "BE" if is_belgian and _is_valid(digits, "BE") and not _is_valid(digits, "NL") else "NL"
    if len(digits) in (_BE_DIGITS, _NL_DIGITS) and _BELGIAN.fullmatch(grouped):
        return "BE"
    if len(digits) == _NL_DIGITS and _is_valid(digits, "NL"):
        return "NL"
    if len(digits) in (_BE_DIGITS, _NL_DIGITS) and " " not in grouped and _is_valid(digits, "BE"):
        return "BE"
    for region in _OTHER_REGIONS:
        number = _parsed(digits, region)
        if number is not None and phonenumbers.is_valid_number(number) and _has_area(number, grouped):
            return region
    return None


def _has_area(number: PhoneNumber, grouped: str) -> bool:
    """Whether the first group is the area, or the network, of the number."""
    first, _, rest = grouped.partition(" ")
    area = phonenumbers.length_of_national_destination_code(number)
    is_mobile = phonenumbers.number_type(number) == phonenumbers.PhoneNumberType.MOBILE
    return bool(rest) and area > 0 and (len(first) == area + 1 or (is_mobile and len(first) == area))


def checked_american(candidate: Candidate) -> Checked | None:
    """The number with its country; it passes where the North American plan knows it."""
    text, extension = _parted(candidate.text)
    number = _parsed(text, "US")
    if number is None:
        return None
    return Checked(_normal(number, extension), phonenumbers.is_valid_number(number))


def checked_any(candidate: Candidate) -> Checked | None:
    """The figures of a number that a cue announces; None for too few or too many, and for a date."""
    text, extension = _parted(candidate.text)
    digits = "".join(_GROUPS.findall(text))
    if _DAY.match(text) or len(digits) > _MOST_DIGITS:
        return None
    return _without_bracket(candidate.text, Checked(digits + extension))


def checked_short(candidate: Candidate) -> Checked | None:
    """The figures of an internal or emergency number; None for a year."""
    return None if _YEAR.fullmatch(candidate.text) else Checked(candidate.text)


def _without_bracket(text: str, checked: Checked | None) -> Checked | None:
    """What was checked, without a bracket at its beginning that is closed behind it: "(010-1234567)"."""
    own = text if checked is None else text[: checked.length]
    if checked is None or not own.startswith("(") or own.count("(") == own.count(")"):
        return checked
    return replace(checked, skipped=1)


def _parted(text: str) -> tuple[str, str]:
    """The number without its extension, and the figures of the extension: "" where it has none."""
    found = _EXTENSION.search(text)
    return (text[: found.start()].rstrip(), f"x{found[1]}") if found else (text, "")


def _beginnings(text: str) -> Iterator[str]:
    """The text, and what is left of it without its last groups; at least eight figures."""
    ends = [match.end() for match in _GROUPS.finditer(text)]
    yield text
    for end in reversed(ends[:-1]):
        if sum(map(str.isdigit, text[:end])) < _FEWEST_DIGITS:
            return
        yield text[:end]


def _parsed(text: str, region: str | None) -> PhoneNumber | None:
    try:
        return phonenumbers.parse(text.replace("(0)", ""), region or "NL")
    except phonenumbers.NumberParseException:
        return None


def _is_valid(digits: str, region: str) -> bool:
    number = _parsed(digits, region)
    return number is not None and phonenumbers.is_valid_number(number)


def _normal(number: PhoneNumber, extension: str) -> str:
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) + extension


VALIDATORS: Final[Mapping[str, Validator]] = {
    "phone_international": checked_international,
    "phone_national": checked_national,
    "phone_us": checked_american,
    "phone_any": checked_any,
    "phone_short": checked_short,
}
