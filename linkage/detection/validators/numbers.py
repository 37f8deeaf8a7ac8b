"""Checks of numbers of files, firms, vehicles, devices, and of secrets."""

import ipaddress
import re
from collections.abc import Mapping
from typing import Final

from stdnum import imei, iso6346
from stdnum.be import vat as be_vat
from stdnum.eu import vat as eu_vat
from stdnum.it import iva

from linkage.detection.candidate import Candidate, Checked, Validator
from linkage.detection.validators.citizens import by_library, compact

_DAY: Final = re.compile(
    r"(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|1[0-2])\1(?:\d\d|(?:19|20)\d\d)"
    r"|(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01])"
    r"|(?:0?[1-9]|[12]\d|3[01])[-/](?:0?[1-9]|1[0-2])"
)
_CLOCK: Final = re.compile(r"[012]?\d[.:][0-5]\d")
_YEAR: Final = re.compile(r"(?:19|20)\d\d(?:[-/](?:19|20)\d\d)?")
_FEWEST_DIGITS: Final = 3  # of a number of a file: "dossier 12" may count files
_FEWEST_MIXED: Final = 5  # signs of one with letters and two digits: "XK7Q2P"
_FEWEST_LONG: Final = 4  # digits of one that no word but "nr." announces
_SECRET: Final = re.compile(r"(?=.*[\d!@#$%^&*_+~?])(?!.*[@].*\.)(?!https?:|www\.).*|[a-z]+[A-Z][A-Za-z]+")
_VIN_LETTERS: Final = 3  # letters that a chassis number holds at least
_VIN_END: Final = re.compile(r"\d{4}$")  # ISO 3779: the last four signs are figures


def checked_file_number(candidate: Candidate) -> Checked | None:
    """The letters and digits of a number of a file; None for a date, a time, a year, too few digits."""
    text = candidate.text
    normal = compact(text)
    digits = sum(map(str.isdigit, normal))
    is_mixed = digits > 1 and len(normal) >= _FEWEST_MIXED and not normal.isdigit() and text.upper() == text
    if (digits < _FEWEST_DIGITS and not is_mixed) or _is_day_or_time(text):
        return None
    return Checked(normal)


def checked_long_file_number(candidate: Candidate) -> Checked | None:
    """As checked_file_number, of at least four digits."""
    checked = checked_file_number(candidate)
    return checked if checked and sum(map(str.isdigit, checked.normal)) >= _FEWEST_LONG else None


def _is_day_or_time(text: str) -> bool:
    return any(shape.fullmatch(text) for shape in (_DAY, _CLOCK, _YEAR))


def checked_document_number(candidate: Candidate) -> Checked | None:
    """The letters and digits of a number of a passport or licence: seven to eighteen of them."""
    normal = compact(candidate.text)
    is_number = 7 <= len(normal) <= 18 and sum(map(str.isdigit, normal)) > 1
    return Checked(normal) if is_number and not _is_day_or_time(candidate.text) else None


def checked_eu_vat(candidate: Candidate) -> Checked | None:
    """The longest beginning of the candidate that is a VAT number: words in capitals may follow it."""
    text = candidate.text
    ends = [match.end() for match in re.finditer(r"[^\W_]+", text)]
    for end in reversed(ends):
        normal = compact(text[:end])
        if eu_vat.is_valid(normal):
            return Checked(normal, length=end)
    normal = compact(text)
    return Checked(normal, passed=False) if sum(map(str.isdigit, normal)) > 6 else None


def checked_belgian_enterprise(candidate: Candidate) -> Checked | None:
    """The ten digits of a Belgian enterprise number."""
    digits = re.sub(r"\D", "", candidate.text).rjust(10, "0")
    return Checked(digits, be_vat.is_valid(digits))


def checked_plate(candidate: Candidate) -> Checked | None:
    """A licence plate in capitals without marks; None for a date with the name of its month ("5-MEI-24")."""
    normal = compact(candidate.text)
    letters = re.findall(r"[A-Z]+", normal)
    if any(word.lower() in candidate.language.months for word in letters if len(word) > 2):
        return None
    return Checked(normal)


def checked_vin(candidate: Candidate) -> Checked | None:
    """A chassis number; it passes where it begins with letters of a maker and ends with four figures."""
    text = candidate.text
    letters = sum(map(str.isalpha, text))
    return Checked(
        text, letters >= _VIN_LETTERS and _VIN_END.search(text) is not None and not text[:3].isdigit()
    )


def checked_mac(candidate: Candidate) -> Checked | None:
    """The twelve figures of a network address; None where all are decimal, in pairs: a time, a date."""
    normal = compact(candidate.text)
    return Checked(normal)


def checked_ip(candidate: Candidate) -> Checked | None:
    """An address of version 4 or 6, in its shortest form; None where it is none."""
    try:
        address = ipaddress.ip_address(candidate.text)
    except ValueError:
        return None
    return Checked(str(address), passed=any(map(str.isalnum, candidate.text.replace("::", ""))))


def checked_host(candidate: Candidate) -> Checked | None:
    """The name of a computer in small letters."""
    return Checked(candidate.text.casefold())


def checked_password(candidate: Candidate) -> Checked | None:
    """A secret as it is written, without the full stop behind it; None for a word without figure or sign."""
    return _secret(candidate, must_look_secret=True)


def checked_named_password(candidate: Candidate) -> Checked | None:
    """A secret that stands right behind its name and a colon: any word."""
    return _secret(candidate, must_look_secret=False)


def _secret(candidate: Candidate, *, must_look_secret: bool) -> Checked | None:
    text = candidate.text.rstrip(".").rstrip("*_") if candidate.text.endswith((".", "**")) else candidate.text
    if text.endswith("]") and "[" not in text:
        text = text[:-1]
    if len(text) < 4 or (must_look_secret and not _SECRET.fullmatch(text)) or _is_day_or_time(text):
        return None
    return Checked(text, length=len(text))


VALIDATORS: Final[Mapping[str, Validator]] = {
    "file_number": checked_file_number,
    "long_file_number": checked_long_file_number,
    "document_number": checked_document_number,
    "eu_vat": checked_eu_vat,
    "be_enterprise": checked_belgian_enterprise,
    "it_vat": by_library(iva.is_valid),
    "plate": checked_plate,
    "vin": checked_vin,
    "imei": by_library(imei.is_valid),
    "mac": checked_mac,
    "ip": checked_ip,
    "host": checked_host,
    "password": checked_password,
    "password_named": checked_named_password,
    "container": by_library(iso6346.is_valid),
}
