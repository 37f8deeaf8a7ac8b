"""Makers of telephone numbers, addresses of all sorts, user names, passwords and file names."""

from collections.abc import Callable
from typing import Final

import phonenumbers

from linkage.texts import KindId
from value_benchmark.making import NONZERO, Draw, Made, Maker, grouped

_PHONE: Final = KindId("PHONE")
_FAX: Final = KindId("FAX")
_TELEPHONE: Final = ("tel.", "Tel", "Telefoon", "telefoonnummer", "mobiel", "gsm", "bel")
_FACSIMILE: Final = ("fax", "Fax", "faxnummer", "telefax")
# First figures of numbers by country, and how many figures follow them.
_AREAS: Final = {
    "NL": (("020", 7), ("010", 7), ("030", 7), ("0570", 6), ("0223", 6), ("06", 8), ("085", 7)),
    "BE": (("02", 7), ("03", 7), ("09", 7), ("051", 6), ("016", 6), ("0475", 6), ("0494", 6)),
    "DE": (("030", 7), ("0221", 7), ("089", 7), ("0151", 8), ("0176", 8)),
    "AT": (("01", 7), ("0316", 6), ("0664", 7)),
    "CH": (("044", 7), ("031", 7), ("079", 7)),
    "GB": (("0161", 7), ("0113", 7), ("07700", 6), ("020", 8)),
    "IE": (("01", 7), ("087", 7), ("085", 7)),
    "IT": (("02", 8), ("06", 8), ("0471", 6)),
    "US": (("212", 7), ("415", 7), ("617", 7)),
}
_FEWEST_LISTS: Final = 200  # tries for a number that its plan knows


def _parts_of(draw: Draw, country: str) -> tuple[str, str]:
    """Area and number, as dialled inside the country, that the number plan knows."""
    for _ in range(_FEWEST_LISTS):
        area, length = draw.one_of(_AREAS[country])
        number = draw.digits(length, first="23456789")
        if phonenumbers.is_valid_number(phonenumbers.parse(area + number, country)):
            return area, number
    raise ValueError(f"no number of {country} is valid: the number plan has changed; mend _AREAS")


def _abroad(area: str, country: str) -> tuple[str, str]:
    """The code of the country, and the area without the zero that is not dialled from abroad."""
    code = str(phonenumbers.country_code_for_region(country))
    return code, area if country == "IT" else area.removeprefix("0")


def _national(draw: Draw, country: str) -> str:
    area, number = _parts_of(draw, country)
    if country == "US":
        return draw.one_of((f"({area}) {number[:3]}-{number[3:]}", f"{area}-{number[:3]}-{number[3:]}"))
    choices = [f"{area} {grouped(number, _sizes(number))}", f"{area}-{number}", f"{area}/{number}"]
    if country in ("NL", "BE"):
        choices += [
            area + number,
            f"({area}) {number}",
            f"{area} - {grouped(number, _sizes(number))}",
            f"{area}.{grouped(number, _sizes(number), '.')}",
        ]
    return draw.one_of(choices)


def _sizes(number: str) -> tuple[int, ...]:
    return (2,) if len(number) % 2 == 0 else (3, 2)


def _international(draw: Draw, country: str) -> str:
    area, number = _parts_of(draw, country)
    code, bare = _abroad(area, country)
    choices = [
        f"+{code}{bare}{number}",
        f"+{code} {bare} {grouped(number, _sizes(number))}",
        f"+{code} {bare} {number}",
        f"00{code} {bare} {number}",
        f"00{code}{bare}{number}",
        f"+{code}-{bare}-{number}",
    ]
    if country not in ("IT", "US"):
        choices += [f"+{code} (0){bare} {grouped(number, _sizes(number))}", f"+{code}(0){bare}{number}"]
    return draw.one_of(choices)


def _telephones(kind: KindId, labels: tuple[str, ...], country: str, *, alone: bool) -> tuple[Maker, Maker]:
    return (
        Maker(
            kind,
            country,
            "national",
            lambda d: _national(d, country),
            labels,
            alone=alone and country in ("NL", "BE"),
        ),
        Maker(kind, country, "international", lambda d: _international(d, country), labels, alone=alone),
    )


def _street(locale: str) -> Callable[[Draw], str]:
    def make(draw: Draw) -> str:
        while True:
            street = str(draw.faker(locale).street_address())
            name, _, number = street.rpartition(" ")
            has_number = number[:1].isdigit() and not number.startswith("0")
            if has_number and "\n" not in street and not name[:1].isdigit():
                return street

    return make


def _flemish_street(draw: Draw) -> str:
    street = _street("nl_BE")(draw)
    return draw.one_of((street, f"{street} bus {draw.digits(1, first=NONZERO)}"))


def _dutch_street(draw: Draw) -> str:
    addition = draw.one_of(("", "", "", "a", " B", "-2", " bis", "-III", " hs", "/4"))
    return _street("nl_NL")(draw) + addition


def _british_street(draw: Draw) -> str:
    name, ending = (
        draw.one_of(("Church", "High", "Victoria", "Mill", "Queens", "Elm")),
        draw.one_of(("Street", "Road", "Lane", "Avenue", "Close")),
    )
    return f"{draw.digits(2, first=NONZERO)} {name} {ending}"


def _italian_street(draw: Draw) -> str:
    return f"Via {draw.faker('it_IT').last_name()} {draw.digits(2, first=NONZERO)}"


def _postcode(locale: str, shape: Callable[[str], str] = str) -> Callable[[Draw], Made]:
    def make(draw: Draw) -> Made:
        code = shape(str(draw.faker(locale).postcode()))
        while code.startswith("0"):
            code = shape(str(draw.faker(locale).postcode()))
        return Made(code, after=f" {str(draw.faker(locale).city()).split('-')[0]}")

    return make


def _dutch_postcode(draw: Draw) -> Made:
    letters = draw.letters(2, "ABCDEGHJKLMNPRSTVWXZ")
    while letters in ("SA", "SD", "SS"):
        letters = draw.letters(2, "ABCDEGHJKLMNPRSTVWXZ")
    code = f"{draw.digits(4, first=NONZERO)}{draw.one_of((' ', ' ', ''))}{letters}"
    return Made(code, after=f" {draw.faker('nl_NL').city()}")


def _behind_street(locale: str) -> Callable[[Draw], Made]:
    def make(draw: Draw) -> Made:
        made = _postcode(locale)(draw)
        return Made(made.value, f"{_street(locale)(draw)}, ", made.after)

    return make


def _british_postcode(draw: Draw) -> str:
    letters = draw.letters(2, "ABDEFGHJLNPQRSTUWXYZ")
    return f"{draw.one_of('BELMNSW')}{draw.shaped('% #')}{letters}"


def _mail(locale: str) -> Callable[[Draw], str]:
    return lambda draw: str(draw.faker(locale).email())


def _disguised(draw: Draw) -> str:
    local, _, domain = str(draw.faker("nl_NL").email()).partition("@")
    spelt = domain.replace(".", " dot ")
    return draw.one_of((f"{local} [at] {domain}", f"{local}(at){domain}", f"{local} at {spelt}"))


def _file(draw: Draw) -> str:
    name = str(draw.faker("nl_NL").file_name(category="office")).partition(".")[0]
    ending = draw.one_of(("pdf", "docx", "xlsx", "jpg", "txt", "csv", "msg", "eml", "pptx", "odt", "zip"))
    return draw.one_of(
        (f"{name}.{ending}", f"{name}_{draw.digits(4)}.{ending}", f"{name}-{draw.day():%Y%m%d}.{ending}")
    )


def _path(draw: Draw) -> str:
    user, file = draw.faker("nl_NL").user_name(), _file(draw)
    return draw.one_of(
        (
            f"C:\\Users\\{user}\\{file}",
            f"/home/{user}/{file}",
            f"\\\\server01\\{user}\\{file}",
            f"~/{user}/{file}",
        )
    )


def _password(draw: Draw) -> str:
    return str(draw.faker("nl_NL").password(length=draw.one_of((8, 10, 12)), special_chars=False))


_USER: Final = ("gebruikersnaam", "Gebruikersnaam", "username", "login", "inlognaam")
_MAIL: Final = ("e-mail", "E-mail", "mail", "E-mailadres")
_ADDRESS: Final = ("adres", "Adres", "woonadres", "bezoekadres")
_LOCK: Final = ("wachtwoord", "Wachtwoord", "ww", "password")

MAKERS: Final = (
    *(maker for country in _AREAS for maker in _telephones(_PHONE, _TELEPHONE, country, alone=True)),
    *(
        maker
        for country in ("NL", "BE", "DE")
        for maker in _telephones(_FAX, _FACSIMILE, country, alone=False)
    ),
    *(
        Maker(
            KindId("EMAIL"),
            locale[-2:],
            "plain",
            _mail(locale),
            _MAIL,
            alone=True,
        )
        for locale in ("nl_NL", "nl_BE", "de_DE", "en_GB", "it_IT")
    ),
    Maker(KindId("EMAIL"), "NL", "disguised", _disguised, _MAIL, alone=True),
    Maker(
        KindId("URL"), "NL", "whole", lambda d: str(d.faker("nl_NL").uri()), ("website", "zie"), alone=True
    ),
    Maker(
        KindId("URL"),
        "NL",
        "bare",
        lambda d: f"www.{d.faker('nl_NL').domain_name()}",
        ("website", "zie"),
        alone=True,
    ),
    Maker(
        KindId("IP_ADDRESS"),
        "international",
        "v4",
        lambda d: str(d.faker("nl_NL").ipv4()),
        ("IP-adres", "IP"),
        alone=True,
    ),
    Maker(
        KindId("IP_ADDRESS"),
        "international",
        "v6",
        lambda d: str(d.faker("nl_NL").ipv6()),
        ("IP-adres", "IPv6"),
        alone=True,
    ),
    Maker(KindId("USERNAME"), "NL", "name", lambda d: str(d.faker("nl_NL").user_name()), _USER),
    Maker(
        KindId("USERNAME"),
        "NL",
        "handle",
        lambda d: f"@{d.faker('nl_NL').user_name()}",
        ("Instagram", "X"),
        alone=True,
    ),
    Maker(KindId("STREET"), "NL", "with number", _dutch_street, _ADDRESS, alone=True),
    Maker(
        KindId("STREET"),
        "NL",
        "post box",
        lambda d: f"Postbus {d.digits(d.one_of((3, 4, 5)), first=NONZERO)}",
        _ADDRESS,
        alone=True,
        by_generator=False,
    ),
    Maker(KindId("STREET"), "BE", "with number", _flemish_street, _ADDRESS, alone=True),
    Maker(KindId("STREET"), "DE", "with number", _street("de_DE"), ("Anschrift", "adres"), alone=True),
    Maker(KindId("STREET"), "AT", "with number", _street("de_AT"), ("Anschrift", "adres"), alone=True),
    Maker(KindId("STREET"), "CH", "with number", _street("de_CH"), ("Anschrift", "adres"), alone=True),
    Maker(
        KindId("STREET"),
        "GB",
        "with number",
        _british_street,
        ("address", "adres"),
        alone=True,
        by_generator=False,
    ),
    Maker(
        KindId("STREET"),
        "IT",
        "with number",
        lambda d: f"Via {d.faker('it_IT').last_name()} {d.digits(2, first=NONZERO)}",
        ("indirizzo", "adres"),
        alone=True,
    ),
    Maker(KindId("POSTCODE"), "NL", "before town", _dutch_postcode, ("postcode", "Postcode"), alone=True),
    Maker(KindId("POSTCODE"), "BE", "before town", _postcode("nl_BE"), ("postcode", "Postcode")),
    Maker(KindId("POSTCODE"), "BE", "behind street", _behind_street("nl_BE"), ("adres", "Adres"), alone=True),
    Maker(
        KindId("POSTCODE"), "DE", "behind street", _behind_street("de_DE"), ("Anschrift", "adres"), alone=True
    ),
    Maker(
        KindId("POSTCODE"),
        "DE",
        "with country",
        _postcode("de_DE", lambda code: f"D-{code}"),
        ("postcode", "PLZ"),
        alone=True,
    ),
    Maker(
        KindId("POSTCODE"),
        "GB",
        "shape",
        _british_postcode,
        ("postcode", "Postcode"),
        alone=True,
        by_generator=False,
    ),
    Maker(KindId("FILE"), "international", "name", _file, ("bijlage", "bestand"), alone=True),
    Maker(KindId("FILE"), "international", "path", _path, ("bestand", "map"), alone=True),
    Maker(KindId("PASSWORD"), "international", "random", _password, _LOCK),
    Maker(
        KindId("PASSWORD"),
        "international",
        "pin",
        lambda d: d.digits(4),
        ("pincode", "PIN"),
        by_generator=False,
    ),
)
