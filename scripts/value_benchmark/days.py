"""Makers of dates, times of day, ages and amounts, in the spellings of Dutch texts."""

from datetime import date
from typing import Final

from linkage.texts import KindId
from value_benchmark.making import Draw, Maker

_DATE: Final = KindId("DATE")
_BIRTH: Final = KindId("BIRTH_DATE")
_MONTHS: Final = (
    "januari",
    "februari",
    "maart",
    "april",
    "mei",
    "juni",
    "juli",
    "augustus",
    "september",
    "oktober",
    "november",
    "december",
)
_SHORT: Final = ("jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec")
_WEEKDAYS: Final = ("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag")


def in_numbers(day: date, draw: Draw) -> str:
    return draw.one_of(
        (
            f"{day:%d-%m-%Y}",
            f"{day:%d/%m/%Y}",
            f"{day:%d.%m.%Y}",
            f"{day:%Y-%m-%d}",
            f"{day.day}-{day.month}-{day:%Y}",
            f"{day:%d-%m-%y}",
            f"{day.day}/{day.month}/{day:%Y}",
            f"{day.day}-{day.month}-'{day:%y}",
            f"{day:%d - %m - %Y}",
        )
    )


def in_words(day: date, draw: Draw) -> str:
    month, short = _MONTHS[day.month - 1], _SHORT[day.month - 1]
    return draw.one_of(
        (
            f"{day.day} {month} {day.year}",
            f"{day.day} {short}. {day.year}",
            f"{day.day} {short} {day.year}",
            f"{day.day}-{short}-{day.year}",
            f"{day.day} {month.upper()} {day.year}",
            f"{day.day} {month} '{day:%y}",
        )
    )


def _with_weekday(draw: Draw) -> str:
    day = draw.day(2015, 2029)
    weekday, month = _WEEKDAYS[day.weekday()], _MONTHS[day.month - 1]
    return draw.one_of(
        (
            f"{weekday} {day.day} {month}",
            f"{weekday} {day.day} {month} {day.year}",
            f"{weekday[:2]} {day.day} {month}",
            f"{weekday} {day:%d-%m-%Y}",
        )
    )


def _part(draw: Draw) -> str:
    day = draw.day(2015, 2029)
    return draw.one_of(
        (
            f"{_MONTHS[day.month - 1]} {day.year}",
            f"{_SHORT[day.month - 1]}. {day.year}",
            f"{day.day} {_MONTHS[day.month - 1]}",
            f"Q{(day.month + 2) // 3} {day.year}",
            f"week {day.isocalendar().week}",
        )
    )


def _clock(draw: Draw) -> str:
    hour, minute = draw.random.randrange(0, 24), draw.random.randrange(0, 60)
    return draw.one_of(
        (
            f"{hour:02}:{minute:02}",
            f"{hour}.{minute:02} uur",
            f"{hour:02}:{minute:02} uur",
            f"{hour}u{minute:02}",
            f"{hour:02}:{minute:02}:{draw.random.randrange(0, 60):02}",
        )
    )


def _age(draw: Draw) -> str:
    years = draw.random.randrange(1, 100)
    return draw.one_of((f"{years}-jarige", f"{years} jarige"))


def _amount(draw: Draw) -> str:
    whole, cents = draw.random.randrange(1, 10 ** draw.random.randrange(1, 7)), draw.random.randrange(0, 100)
    dotted = f"{whole:,}".replace(",", ".")
    return draw.one_of(
        (
            f"€ {dotted},{cents:02}",
            f"€ {dotted},-",
            f"€{whole},{cents:02}",
            f"{dotted} euro",
            f"EUR {dotted},{cents:02}",
            f"{dotted},{cents:02} euro",
            f"€ {dotted}",
            f"{dotted} EUR",
        )
    )


_BORN: Final = ("geboortedatum", "Geboortedatum", "geb.", "geboren", "geboren op", "Geb.datum", "dob")

MAKERS: Final = (
    Maker(
        _DATE,
        "NL",
        "numbers",
        lambda d: in_numbers(d.day(2010, 2029), d),
        ("datum", "d.d.", "Datum"),
        alone=True,
        by_generator=False,
    ),
    Maker(
        _DATE,
        "NL",
        "words",
        lambda d: in_words(d.day(2010, 2029), d),
        ("datum", "d.d.", "Datum"),
        alone=True,
        by_generator=False,
    ),
    Maker(_DATE, "NL", "weekday", _with_weekday, ("datum", "Datum"), alone=True, by_generator=False),
    Maker(_DATE, "NL", "parts", _part, ("periode", "sinds"), alone=True, by_generator=False),
    Maker(_BIRTH, "NL", "numbers", lambda d: in_numbers(d.day(1935, 2009), d), _BORN, by_generator=False),
    Maker(_BIRTH, "NL", "words", lambda d: in_words(d.day(1935, 2009), d), _BORN, by_generator=False),
    Maker(
        KindId("TIME"), "NL", "clock", _clock, ("tijd", "aanvang", "Tijdstip"), alone=True, by_generator=False
    ),
    Maker(KindId("AGE"), "NL", "aged", _age, ("leeftijd", "een"), alone=True, by_generator=False),
    Maker(
        KindId("AGE"),
        "NL",
        "figure",
        lambda d: f"{d.random.randrange(1, 100)} jaar",
        ("leeftijd", "Leeftijd"),
        by_generator=False,
    ),
    Maker(
        KindId("MONEY"),
        "NL",
        "amounts",
        _amount,
        ("bedrag", "totaal", "Bedrag"),
        alone=True,
        by_generator=False,
    ),
)
