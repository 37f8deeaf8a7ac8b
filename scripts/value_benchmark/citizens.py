"""Makers of numbers that states give to people, with their check digits calculated."""

from collections.abc import Callable
from string import ascii_uppercase
from typing import Final

from stdnum.at import vnr
from stdnum.be import eid
from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.gb import nhs
from stdnum.ie import pps
from stdnum.iso7064 import mod_11_10
from stdnum.it import codicefiscale
from stdnum.nl import bsn

from linkage.texts import KindId
from value_benchmark.making import NONZERO, Draw, Maker, grouped

_CITIZEN: Final = KindId("NATIONAL_ID")
_DOCUMENT: Final = KindId("IDENTITY_DOCUMENT")
_PENSION_WEIGHTS: Final = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)


def bsn_of(draw: Draw) -> str:
    return _until(lambda: draw.digits(9, first=NONZERO), bsn.is_valid)


def belgian_of(draw: Draw) -> str:
    born, number = draw.day(1935, 2009), f"{draw.random.randrange(1, 998):03}"
    body = f"{born:%y%m%d}{number}"
    whole = int(body) if born.year < 2000 else int(f"2{body}")
    return f"{body}{97 - whole % 97:02}"


def german_tax_of(draw: Draw) -> str:
    def number() -> str:
        figures = draw.random.sample("0123456789", 9)
        figures.insert(draw.random.randrange(1, 10), draw.one_of(figures))
        body = "".join(figures)
        return body + mod_11_10.calc_check_digit(body)

    return _until(number, idnr.is_valid)


def german_pension_of(draw: Draw) -> str:
    letter = draw.one_of(ascii_uppercase)
    body = f"{draw.digits(2, first='1234567')}{draw.day():%d%m%y}{letter}{draw.digits(2)}"
    figures = f"{body[:8]}{ord(letter) - 64:02}{body[9:]}"
    total = sum(
        sum(map(int, str(int(figure) * weight)))
        for figure, weight in zip(figures, _PENSION_WEIGHTS, strict=True)
    )
    return f"{body}{total % 10}"


def austrian_of(draw: Draw) -> str:
    return _until(lambda: f"{draw.digits(4, first=NONZERO)}{draw.day():%d%m%y}", vnr.is_valid)


def swiss_of(draw: Draw) -> str:
    return _until(lambda: f"756{draw.digits(10)}", ahv.is_valid)


def italian_of(draw: Draw) -> str:
    consonants = "BCDFGLMNPRSTVZ"
    born = draw.day()
    body = (
        f"{draw.letters(6, consonants)}{born:%y}{'ABCDEHLMPRST'[born.month - 1]}"
        f"{born.day + draw.one_of((0, 40)):02}{draw.one_of('ABCDEFGHIL')}{draw.digits(3)}"
    )
    return body + str(codicefiscale.calc_check_digit(body))


def british_of(draw: Draw) -> str:
    prefix = draw.letters(1, "ABCEHJKLMPRSTWXY") + draw.letters(1, "ACEHJLMPRSWXYZ")
    return prefix + draw.digits(6) + draw.letters(1, "ABCD")


def _until(make: Callable[[], str], is_valid: Callable[[str], bool]) -> str:
    """The first that is valid."""
    while not is_valid(made := make()):
        pass
    return made


def _identity_card(draw: Draw) -> str:
    body = draw.digits(10)
    return _until(lambda: f"{body}{int(body) % 97 or 97:02}", eid.is_valid) if int(body) % 97 else f"{body}97"


def _belgian_with_dots(draw: Draw) -> str:
    year, month, day, number, check = grouped(belgian_of(draw), (2, 2, 2, 3, 2)).split()
    return f"{year}.{month}.{day}-{number}.{check}"


def _british_health(draw: Draw) -> str:
    return grouped(_until(lambda: draw.digits(10, first="4679"), nhs.is_valid), (3, 3, 4))


def _irish(draw: Draw) -> str:
    return _until(lambda: draw.digits(7) + draw.letters(1, ascii_uppercase[:23]), pps.is_valid)


def _american(draw: Draw) -> str:
    numbers = draw.random.randrange(100, 660), draw.random.randrange(1, 100), draw.random.randrange(1, 10000)
    return "{:03}-{:02}-{:04}".format(*numbers)


def _dutch_document(draw: Draw) -> str:
    signs = "ABCDEFGHKLMNPRSTVWXYZ0123456789"
    return draw.letters(2, "NBSIX") + draw.letters(6, signs) + draw.digits(1)


def _german_document(draw: Draw) -> str:
    signs = "CFGHJKLMNPRTVWXYZ"
    return draw.letters(1, signs) + draw.letters(8, f"{signs}0123456789") + draw.digits(1)


_BSN: Final = ("BSN", "bsn", "BSN-nummer", "burgerservicenummer", "Sofinummer", "BSN nr.")
_RRN: Final = ("Rijksregisternummer", "rijksregisternr.", "INSZ", "RRN")
_IDENTITY: Final = ("paspoortnummer", "ID-kaart", "rijbewijsnummer", "identiteitskaart nr.")

MAKERS: Final = (
    Maker(_CITIZEN, "NL", "plain", bsn_of, _BSN),
    Maker(_CITIZEN, "NL", "dots", lambda d: grouped(bsn_of(d), (4, 2, 3), "."), _BSN),
    Maker(_CITIZEN, "NL", "threes", lambda d: grouped(bsn_of(d), (3,)), _BSN),
    Maker(_CITIZEN, "BE", "dots", _belgian_with_dots, _RRN, alone=True),
    Maker(_CITIZEN, "BE", "plain", belgian_of, _RRN),
    Maker(_CITIZEN, "DE", "tax", german_tax_of, ("Steuer-ID", "Steueridentifikationsnummer", "IdNr.")),
    Maker(_CITIZEN, "DE", "tax groups", lambda d: grouped(german_tax_of(d), (2, 3)), ("Steuer-ID", "IdNr.")),
    Maker(
        _CITIZEN, "DE", "pension", german_pension_of, ("SV-Nummer", "Rentenversicherungsnummer"), alone=True
    ),
    Maker(_CITIZEN, "AT", "insurance", lambda d: grouped(austrian_of(d), (4, 6)), ("SVNR", "SV-Nr.")),
    Maker(
        _CITIZEN,
        "CH",
        "dots",
        lambda d: grouped(swiss_of(d), (3, 4, 4, 2), "."),
        ("AHV-Nummer", "AHV"),
        alone=True,
    ),
    Maker(
        _CITIZEN,
        "GB",
        "nino",
        lambda d: grouped(british_of(d), (2,)),
        ("NI number", "National Insurance number"),
        alone=True,
    ),
    Maker(_CITIZEN, "GB", "nhs", _british_health, ("NHS number", "NHS no.")),
    Maker(_CITIZEN, "IE", "pps", _irish, ("PPS number", "PPSN"), alone=True),
    Maker(_CITIZEN, "US", "ssn", _american, ("SSN", "Social Security Number"), alone=True),
    Maker(_CITIZEN, "IT", "fiscal", italian_of, ("codice fiscale", "C.F."), alone=True),
    Maker(_DOCUMENT, "NL", "passport", _dutch_document, _IDENTITY, by_generator=False),
    Maker(
        _DOCUMENT,
        "NL",
        "licence",
        lambda d: d.digits(10, first="345"),
        ("rijbewijsnummer", "rijbewijs nr."),
        by_generator=False,
    ),
    Maker(
        _DOCUMENT,
        "BE",
        "card",
        lambda d: grouped(_identity_card(d), (3, 7, 2), "-"),
        ("identiteitskaart", "eID"),
        alone=True,
    ),
    Maker(
        _DOCUMENT,
        "DE",
        "card",
        _german_document,
        ("Personalausweis", "Ausweisnummer", "Reisepass"),
        by_generator=False,
    ),
)
