"""Makers of numbers of accounts, cards, files, firms, professions, vehicles and devices."""

from collections.abc import Callable
from typing import Final

from stdnum import iban, luhn
from stdnum.be import vat as belgian_vat
from stdnum.ch import uid as swiss_uid
from stdnum.de import vat as german_vat
from stdnum.it import iva
from stdnum.nl import btw

from linkage.texts import KindId
from value_benchmark.citizens import bsn_of
from value_benchmark.making import NONZERO, Draw, Maker, grouped

_ACCOUNT: Final = KindId("BANK_ACCOUNT")
_CARD: Final = KindId("PAYMENT_CARD")
_FIRM: Final = KindId("COMPANY_NUMBER")
_LICENCE: Final = KindId("PROFESSIONAL_LICENCE")
_PATIENT: Final = KindId("PATIENT_NUMBER")
_CASE: Final = KindId("CASE_NUMBER")
_VEHICLE: Final = KindId("VEHICLE")
_DEVICE: Final = KindId("DEVICE")

_IBAN: Final = ("IBAN", "rekeningnummer", "Rek.nr.", "bankrekening")
# Bodies of accounts by country; "?" is a capital, "#" a figure. The bank of a Dutch one stands before it.
_BODIES: Final = {
    "DE": "##################",
    "AT": "################",
    "CH": "#################",
    "GB": "????##############",
    "IE": "????##############",
    "IT": "?######################",
    "FR": "#######################",
}
_DUTCH_BANKS: Final = ("ABNA", "RABO", "INGB", "TRIO", "ASNB", "SNSB", "KNAB", "BUNQ", "RBRB", "FVLB")
# First figures of a card and how many figures it has (ISO/IEC 7812-1).
_CARDS: Final = {"visa": ("4", 16), "mastercard": ("5", 16), "maestro": ("6", 16), "amex": ("37", 15)}
# Capitals that Dutch plates have: no vowels, no C, M, Q.
_PLATE_LETTERS: Final = "BDFGHJKLNPRSTVXZ"
_PLATES: Final = (
    "??-##-##",
    "##-##-??",
    "##-??-##",
    "??-##-??",
    "??-??-##",
    "##-??-??",
    "##-???-#",
    "#-???-##",
    "??-###-?",
    "?-###-??",
)


def _with_letters(draw: Draw, shape: str, letters: str) -> str:
    return "".join(
        draw.letters(1, letters) if sign == "?" else draw.digits(1) if sign == "#" else sign for sign in shape
    )


def iban_of(draw: Draw, country: str) -> str:
    if country == "NL":
        body = draw.one_of(_DUTCH_BANKS) + "0" + draw.digits(9)
    elif country == "BE":
        number = draw.digits(10)
        body = number + f"{int(number) % 97 or 97:02}"
    else:
        body = draw.shaped(_BODIES[country])
    return country + str(iban.calc_check_digits(f"{country}00{body}")) + body


def _iban(country: str, write: Callable[[str], str]) -> Callable[[Draw], str]:
    return lambda draw: write(iban_of(draw, country))


def card_of(draw: Draw, brand: str) -> str:
    first, length = _CARDS[brand]
    body = first + draw.digits(length - len(first) - 1)
    return body + str(luhn.calc_check_digit(body))


def _card(brand: str, sizes: tuple[int, ...]) -> Callable[[Draw], str]:
    return lambda draw: grouped(card_of(draw, brand), sizes)


def _masked(draw: Draw) -> str:
    whole = iban_of(draw, "NL")
    return f"{whole[:4]} {whole[4:8]} **** ** {whole[-2:]}"


def _german_plate(draw: Draw) -> str:
    district, letters, _ = draw.faker("de_DE").license_plate().split("-")
    return f"{district}-{letters} {draw.digits(3, first=NONZERO)}"


def _mac_with_hyphens(draw: Draw) -> str:
    return str(draw.faker("nl_NL").mac_address()).upper().replace(":", "-")


def imei_of(draw: Draw) -> str:
    body = "35" + draw.digits(12)
    return body + str(luhn.calc_check_digit(body))


def _dutch_vat(draw: Draw) -> str:
    while True:
        made = f"NL{bsn_of(draw)}B{draw.random.randrange(1, 100):02}"
        if btw.is_valid(made):
            return made


def _belgian_firm(draw: Draw) -> str:
    body = draw.one_of("01") + draw.digits(7)
    made = f"{body}{97 - int(body) % 97:02}"
    return made if belgian_vat.is_valid(made) else _belgian_firm(draw)


def _german_vat(draw: Draw) -> str:
    while not german_vat.is_valid(made := draw.digits(9, first="123")):
        pass
    return f"DE{made}"


def _swiss_firm(draw: Draw) -> str:
    while True:
        body = draw.digits(8, first="1")
        check = swiss_uid.calc_check_digit(body)
        if check != "10":
            return f"CHE-{grouped(body + check, (3,), '.')}"


def _italian_vat(draw: Draw) -> str:
    while not iva.is_valid(made := draw.digits(11, first="0")):
        pass
    return made


def _vin(draw: Draw) -> str:
    signs = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
    maker = draw.one_of(("WVW", "WBA", "VF1", "YV1", "WDB", "ZFA", "VSS", "TMB"))
    return maker + draw.letters(10, signs) + draw.digits(4)


def _case(draw: Draw) -> str:
    shape = draw.one_of(
        (
            "20##-#####",
            "???-20##-####",
            "??-2#-####",
            "#######",
            "##.###.###",
            "20##/####",
            "?#####",
            "??#######",
            "####-####",
            "#####-##",
            "20##.###.##",
            "???#####",
            "??-#####",
            "########",
            "##-######",
            "######-###",
            "?-20##-###",
            "???/2#/####",
        )
    )
    return draw.shaped(shape)


_CASE_LABELS: Final = (
    "dossiernummer",
    "Dossiernr.",
    "Ons kenmerk",
    "Uw kenmerk",
    "kenmerk",
    "polisnummer",
    "zaaknummer",
    "Zaaknr.",
    "factuurnummer",
    "klantnummer",
    "ordernummer",
    "leningnummer",
    "schadenummer",
    "contractnummer",
    "referentie",
    "personeelsnummer",
    "debiteurnummer",
    "offertenummer",
    "relatienummer",
    "ticketnummer",
    "meldingsnummer",
)
_PATIENT_LABELS: Final = (
    "patiëntnummer",
    "Pat.nr.",
    "patientnr",
    "cliëntnummer",
    "Cliëntnr.",
    "patiënt-ID",
    "EPD-nummer",
    "ZIS-nummer",
    "MRN",
    "verzekerdennummer",
    "opnamenummer",
)
_PLATE_LABELS: Final = ("kenteken", "Kenteken", "kentekennr.")

MAKERS: Final = (
    *(
        Maker(_ACCOUNT, country, spelling, _iban(country, write), _IBAN, alone=True)
        for country in ("NL", "BE", *_BODIES)
        for spelling, write in (
            ("plain", lambda text: text),
            ("fours", lambda text: grouped(text, (4,))),
        )
    ),
    Maker(_ACCOUNT, "NL", "small letters", _iban("NL", str.lower), _IBAN, alone=True),
    Maker(_ACCOUNT, "NL", "masked", _masked, _IBAN, alone=True),
    Maker(
        _ACCOUNT,
        "NL",
        "old",
        lambda d: grouped(d.digits(9, first=NONZERO), (2, 2, 2, 3), "."),
        ("rekeningnummer", "bankrekening", "rek.nr."),
        by_generator=False,
    ),
    *(
        Maker(
            _CARD,
            "international",
            f"{brand} {spelling}",
            _card(brand, sizes),
            ("creditcard", "Kaartnummer", "creditcardnummer"),
            alone=True,
        )
        for brand, groups in (("visa", (4,)), ("mastercard", (4,)), ("maestro", (4,)), ("amex", (4, 6, 5)))
        for spelling, sizes in (("plain", (16,)), ("groups", groups))
    ),
    Maker(
        _FIRM,
        "NL",
        "kvk",
        lambda d: d.digits(8, first=NONZERO),
        ("KvK", "KvK-nummer", "KvK nr.", "Kamer van Koophandel"),
        by_generator=False,
    ),
    Maker(_FIRM, "NL", "rsin", bsn_of, ("RSIN", "RSIN-nummer")),
    Maker(_FIRM, "NL", "vat", _dutch_vat, ("BTW-nummer", "btw-nr.", "BTW"), alone=True),
    Maker(
        _FIRM,
        "BE",
        "dots",
        lambda d: grouped(_belgian_firm(d), (4, 3), "."),
        ("ondernemingsnummer", "KBO", "KBO-nummer"),
        alone=True,
    ),
    Maker(_FIRM, "BE", "vat", lambda d: f"BE{_belgian_firm(d)}", ("BTW", "btw-nummer"), alone=True),
    Maker(_FIRM, "DE", "vat", _german_vat, ("USt-IdNr.", "USt-ID"), alone=True),
    Maker(
        _FIRM,
        "DE",
        "register",
        lambda d: d.shaped(d.one_of(("HRA %####", "HRB %####"))),
        ("Handelsregister", "Registergericht"),
        alone=True,
        by_generator=False,
    ),
    Maker(_FIRM, "CH", "uid", _swiss_firm, ("UID", "UID-Nr."), alone=True),
    Maker(_FIRM, "IT", "vat", _italian_vat, ("Partita IVA", "P. IVA")),
    Maker(
        _LICENCE,
        "NL",
        "big",
        lambda d: d.digits(11, first="01"),
        ("BIG", "BIG-nummer", "BIG-nr.", "BIG-registratie"),
        by_generator=False,
    ),
    Maker(
        _LICENCE, "NL", "agb", lambda d: f"0{d.digits(7)}", ("AGB-code", "AGB", "AGB-nr."), by_generator=False
    ),
    Maker(
        _LICENCE,
        "BE",
        "riziv",
        lambda d: d.shaped("%-#####-##-###"),
        ("RIZIV", "RIZIV-nr."),
        alone=True,
        by_generator=False,
    ),
    Maker(
        _PATIENT,
        "NL",
        "figures",
        lambda d: d.digits(d.one_of((6, 7, 8)), first=NONZERO),
        _PATIENT_LABELS,
        by_generator=False,
    ),
    Maker(
        _PATIENT,
        "NL",
        "letters",
        lambda d: d.shaped(d.one_of(("P#######", "PAT-#####", "C-#####", "?######"))),
        _PATIENT_LABELS,
        by_generator=False,
    ),
    Maker(_CASE, "NL", "shapes", _case, _CASE_LABELS, by_generator=False),
    Maker(
        _CASE,
        "NL",
        "court",
        lambda d: d.shaped(d.one_of(("C/1#/%##### / HA ZA 2#-%##", "C/0#/%##### / KG RK 2#-%##"))),
        ("zaaknummer", "Zaak-/rolnummer", "rolnummer"),
        alone=True,
        by_generator=False,
    ),
    Maker(
        _CASE,
        "international",
        "ecli",
        lambda d: f"ECLI:NL:{d.one_of(('RBAMS', 'GHARL', 'HR', 'RVS'))}:{d.shaped('202#:%###')}",
        ("uitspraak", "ECLI-nummer"),
        alone=True,
        by_generator=False,
    ),
    Maker(
        _VEHICLE,
        "NL",
        "plates",
        lambda d: _with_letters(d, d.one_of(_PLATES), _PLATE_LETTERS),
        _PLATE_LABELS,
        alone=True,
    ),
    Maker(
        _VEHICLE,
        "NL",
        "without hyphens",
        lambda d: _with_letters(d, d.one_of(_PLATES), _PLATE_LETTERS).replace("-", ""),
        _PLATE_LABELS,
    ),
    Maker(
        _VEHICLE,
        "BE",
        "plates",
        lambda d: d.shaped(d.one_of(("1-???-###", "2-???-###"))),
        ("nummerplaat", "kenteken"),
        alone=True,
    ),
    Maker(_VEHICLE, "DE", "plates", _german_plate, ("Kennzeichen", "kenteken"), alone=True),
    Maker(
        _VEHICLE,
        "GB",
        "plates",
        lambda d: str(d.faker("en_GB").license_plate()),
        ("kenteken", "registration number"),
    ),
    Maker(_VEHICLE, "IT", "plates", lambda d: str(d.faker("it_IT").license_plate()), ("targa", "kenteken")),
    Maker(_VEHICLE, "international", "vin", _vin, ("chassisnummer", "VIN"), alone=True),
    Maker(_DEVICE, "international", "imei", imei_of, ("IMEI", "IMEI-nummer"), alone=True),
    Maker(
        _DEVICE,
        "international",
        "mac",
        lambda d: str(d.faker("nl_NL").mac_address()),
        ("MAC-adres", "MAC"),
        alone=True,
    ),
    Maker(_DEVICE, "international", "mac hyphens", _mac_with_hyphens, ("MAC-adres", "MAC"), alone=True),
    Maker(
        _DEVICE,
        "international",
        "serial",
        lambda d: d.shaped(d.one_of(("?##???##??", "??-#####", "##-######", "????#####", "?#?##???"))),
        ("serienummer", "Serienr.", "S/N"),
        by_generator=False,
    ),
)
