"""Makers of what only looks like a value: wrong check digits, cues of other kinds, numbers of nobody."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stdnum import ean

from linkage.texts import KindId
from value_benchmark.citizens import belgian_of, bsn_of, german_tax_of
from value_benchmark.making import NONZERO, Draw, grouped
from value_benchmark.numbers import card_of, iban_of, imei_of


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Makes texts of nobody's numbers. cue: what stands before it, "" for nothing.

    may_be: the kinds that it may be taken for beside NUMBER: behind "factuurnummer" it is one of a case.
    """

    name: str
    make: Callable[[Draw], str]
    cue: str = ""
    may_be: frozenset[KindId] = frozenset()


def _wrong(make: Callable[[Draw], str]) -> Callable[[Draw], str]:
    """Values with another last figure."""

    def changed(draw: Draw) -> str:
        value = make(draw)
        return value[:-1] + str((int(value[-1]) + draw.random.randrange(1, 10)) % 10)

    return changed


_CASE: Final = frozenset({KindId("CASE_NUMBER")})
_DAY: Final = frozenset({KindId("DATE")})


def _isbn(draw: Draw) -> str:
    body = f"97890{draw.digits(7)}"
    whole = body + str(ean.calc_check_digit(body))
    return draw.one_of((whole, f"{whole[:3]}-{whole[3:5]}-{whole[5:9]}-{whole[9:12]}-{whole[12]}"))


def _dose(draw: Draw) -> str:
    amount = draw.one_of(("500", "20", "2,5", "0,25", "40", "1.000", "850"))
    return draw.one_of(
        (
            f"{amount} mg",
            f"2 x {amount} mg",
            f"{amount} mg/dag",
            f"{draw.digits(1)}-0-0-{draw.digits(1)}",
            f"3dd {amount} mg",
            f"{amount} IE",
        )
    )


def _laboratory(draw: Draw) -> str:
    return draw.one_of(
        (
            f"Hb {draw.digits(1, first='56789')},{draw.digits(1)} mmol/l",
            f"CRP {draw.digits(2)}",
            f"eGFR {draw.digits(2)}",
            f"HbA1c {draw.digits(2)} mmol/mol",
            f"RR 1{draw.digits(2)}/{draw.digits(2, first='789')}",
            f"sat {draw.digits(2, first='9')}%",
            f"natrium 1{draw.digits(2)}",
            f"leuko's {draw.digits(1)},{draw.digits(1)}",
        )
    )


def _code_of_goods(draw: Draw) -> str:
    return draw.one_of(
        (
            f"M{draw.digits(1, first='3456789')}x{draw.digits(2, first=NONZERO)}",
            f"RAL {draw.digits(4, first=NONZERO)}",
            f"DIN {draw.digits(3, first=NONZERO)}",
            f"NEN {draw.digits(4, first=NONZERO)}",
            f"IP{draw.digits(2, first='456')}",
            f"A{draw.digits(1, first='345')}-papier",
            f"{draw.digits(3, first=NONZERO)} x {draw.digits(2)} x {draw.digits(2)} cm",
            f"ISO {draw.digits(4, first=NONZERO)}",
            f"{draw.digits(3, first='1')}/{draw.digits(2, first='456')} R1{draw.digits(1, first='5678')}",
            f"R{draw.digits(3, first='134')}a-koudemiddel",
        )
    )


def _law(draw: Draw) -> str:
    return draw.one_of(
        (
            f"art. 6:{draw.digits(3, first='12')} BW",
            draw.shaped("artikel %.%.% lid 2"),
            f"artikel {draw.digits(3, first='123')} Sr",
            f"Verordening (EU) 2016/{draw.digits(3, first='6')}",
            f"art. {draw.digits(2, first=NONZERO)} Rv",
            f"Richtlijn 95/{draw.digits(2)}/EG",
        )
    )


def _page(draw: Draw) -> str:
    return draw.one_of(
        (
            f"blz. {draw.digits(3, first=NONZERO)}",
            f"p. {draw.digits(2, first=NONZERO)}-{draw.digits(3, first=NONZERO)}",
            f"pagina {draw.digits(4, first='1')}",
            f"hoofdstuk {draw.digits(2, first='1')}",
            f"tabel {draw.digits(1)}.{draw.digits(1)}",
            f"regel {draw.digits(4, first='123')}",
        )
    )


def _disease(draw: Draw) -> str:
    return draw.one_of(
        (
            f"ICD-10 {draw.letters(1, 'FGIJKM')}{draw.digits(2)}.{draw.digits(1)}",
            f"ATC {draw.letters(1, 'ABCN')}0{draw.digits(1)}{draw.letters(2)}{draw.digits(2)}",
            f"{draw.letters(1, 'FGIJKM')}{draw.digits(2)}.{draw.digits(1)}",
            f"diagnosecode {draw.digits(3)}",
            f"DBC {draw.digits(4)}",
        )
    )


def _score(draw: Draw) -> str:
    return draw.one_of(
        (
            f"{draw.digits(1)}-{draw.digits(1)}",
            f"{draw.digits(2, first='12')}/30",
            f"{draw.digits(2, first='12')},{draw.digits(1)} %",
            f"{draw.digits(1, first=NONZERO)}.{draw.digits(1)}.{draw.digits(2, first=NONZERO)}",
            f"{draw.digits(2, first='56')} dB",
            f"52,{draw.digits(6)}",
            f"{draw.digits(3, first=NONZERO)} pk",
        )
    )


NEAR_MISSES: Final = (
    NearMiss("citizen number, wrong figure", _wrong(bsn_of)),
    NearMiss("citizen number in threes, wrong figure", lambda d: grouped(_wrong(bsn_of)(d), (3,))),
    NearMiss("Belgian number, wrong figure", _wrong(belgian_of)),
    NearMiss("German tax number, wrong figure", _wrong(german_tax_of)),
    NearMiss("IBAN, wrong figure", _wrong(lambda d: iban_of(d, "NL"))),
    NearMiss("IBAN in fours, wrong figure", lambda d: grouped(_wrong(lambda e: iban_of(e, "BE"))(d), (4,))),
    NearMiss("card, wrong figure", lambda d: grouped(_wrong(lambda e: card_of(e, "visa"))(d), (4,))),
    NearMiss("IMEI, wrong figure", _wrong(imei_of)),
    NearMiss("citizen number that passes, no cue", bsn_of),
    NearMiss("citizen number behind the cue of a case", bsn_of, "factuurnummer", _CASE),
    NearMiss(
        "account figures behind the cue of a case",
        lambda d: d.digits(10, first=NONZERO),
        "klantnummer",
        _CASE,
    ),
    NearMiss(
        "telephone figures behind the cue of a case", lambda d: f"06{d.digits(8)}", "ordernummer", _CASE
    ),
    NearMiss(
        "card figures behind the cue of a case", lambda d: card_of(d, "mastercard"), "polisnummer", _CASE
    ),
    NearMiss("short number behind a cue for numbers", lambda d: d.digits(4, first="3456789"), "kamernummer"),
    NearMiss(
        "version",
        lambda d: f"{d.digits(1, first='123')}.{d.digits(2, first='123')}.{d.digits(2, first='456')}",
        "versie",
    ),
    NearMiss("EAN", lambda d: f"87{d.digits(11)}", "EAN"),
    NearMiss("ISBN", _isbn, "ISBN"),
    NearMiss("bare figures", lambda d: d.digits(d.one_of((5, 6, 7)), first="3456789")),
    NearMiss("count", lambda d: f"{d.digits(2, first=NONZERO)}.{d.digits(3)} stuks"),
    NearMiss("dose", _dose),
    NearMiss("laboratory", _laboratory),
    NearMiss("code of goods", _code_of_goods),
    NearMiss("law", _law),
    NearMiss("page", _page),
    NearMiss("disease", _disease),
    NearMiss("score", _score),
    NearMiss(
        "parliament", lambda d: f"Kamerstukken II 2022/23, {d.digits(2, first='3')} {d.digits(3)}", "", _DAY
    ),
)
