"""Dates, times, ages, amounts and other numbers: spellings, near misses, carriers, linear time."""

import re
import time

import pytest

from linkage.detection import find_values
from linkage.detection.finder import shipped_finder
from linkage.kinds import Kinds
from linkage.language import Language
from linkage.texts import KindId, Span

_DUTCH = Language.load("nl")
_OWN = [KindId(kind) for kind in ("DATE", "BIRTH_DATE", "TIME", "AGE", "MONEY", "NUMBER")]
_CARRIERS = (
    "{}",
    "Zie hieronder: {}.",
    "a;{};b",
    "> {}",
    "({})",
    "| {} | x |",
    "x\t{}\ty",
    '"{}"',
    "Gezien {}\n",
)

_DATES = [
    ("12-03-1951", "1951-03-12"), ("12/3/1951", "1951-03-12"), ("12.03.1951", "1951-03-12"),
    ("12 - 03 - 1951", "1951-03-12"), ("12-3-'51", "1951-03-12"), ("1951-03-12", "1951-03-12"),
    ("1951/03/12", "1951-03-12"), ("12 maart 1951", "1951-03-12"), ("12 mrt. 1951", "1951-03-12"),
    ("12-mrt-1951", "1951-03-12"), ("12 MAART 1951", "1951-03-12"), ("ma 12 maart 2024", "2024-03-12"),
    ("maandag 12 maart", "--03-12"), ("12 III 1951", "1951-03-12"), ("maart 2024", "2024-03"),
    ("mrt '24", "2024-03"), ("1e kwartaal 2024", "2024-Q1"), ("Q3 2024", "2024-Q3"), ("week 20", "-W20"),
    ("Pasen 2024", "2024 pasen"), ("Tweede Kerstdag", "--12-26"), ("16 op 17 februari", "--02-16/--02-17"),
    ("8 t/m 26 juli", "--07-08/--07-26"), ("najaar 2024", "2024-najaar"), ("woensdag", "-W-3"),
    ("2024-02-11T03:00:01Z", "2024-02-11T03:00:01"), ("20240219", "2024-02-19"),
    ("drie mei negentienhonderd vierenvijftig", "1954-05-03"), ("May 3, 2024", "2024-05-03"),
    ("12. Mai 2024", "2024-05-12"), ("3 mai 2024", "2024-05-03"), ("20 juni 2O24", "2024-06-20"),
]  # fmt: skip
_TIMES = [
    ("14:30", "14:30"), ("14.30 uur", "14:30"), ("9u20", "09:20"), ("23:14:05", "23:14:05"),
    ("9:04 AM", "09:04"), ("2:30 pm", "14:30"), ("half drie", "02:30"), ("kwart voor vijf", "04:45"),
    ("tien over half acht", "07:40"), ("14:03 +0100", "14:03+0100"),
]  # fmt: skip
_AMOUNTS = [
    ("€ 61.830,00", "EUR 61830.00"), ("€ 212,-", "EUR 212.00"), ("40.000 euro", "EUR 40000.00"),
    ("EUR 12,50", "EUR 12.50"), ("€ 4,2 miljoen", "EUR 4200000.00"), ("drie euro vijftig", "EUR 3.50"),
    ("twintigduizend euro", "EUR 20000.00"), ("$1,094.16", "USD 1094.16"), ("14 cent", "EUR 0.14"),
    ("£845", "GBP 845.00"), ("f 2.400,-", "NLG 2400.00"), ("€ 31k", "EUR 31000.00"),
]  # fmt: skip
_SAID = [  # in a sentence: the value stands between angle brackets
    ("DATE", "de keuring in <2019> bleek", "2019"),
    ("DATE", "Op <26/03> kwam zij", "--03-26"),
    ("DATE", "<ma 12/3> bellen", "--03-12"),
    ("DATE", "[<18/10/2024, 06:48>] Ans: ja", "2024-10-18T06:48"),
    ("DATE", "vóór <1 mei>. Bel ons", "--05-01"),
    ("DATE", "| <2024-03-01 10:15:02> | INFO", "2024-03-01T10:15:02"),
    ("BIRTH_DATE", "geboren te Laarne op <13 januari 1952>", "1952-01-13"),
    ("BIRTH_DATE", "geb. <12-3-'24>", "2024-03-12"),
    ("BIRTH_DATE", "Geb. datum : <23-08-1963>", "1963-08-23"),
    ("BIRTH_DATE", "Ans Bos (<1939>-2024)", "1939"),
    ("BIRTH_DATE", "dob: <12121984>", "1984-12-12"),
    ("TIME", "tussen <13.15> en 15.45", "13:15"),
    ("TIME", "kom om <9 uur>.", "09:00"),
    ("AGE", "een <42-jarige> man", "42"),
    ("AGE", "zij is <16>.", "16"),
    ("AGE", "een jongen van <veertien>, lang", "14"),
    ("AGE", "Toon (dochter, <6 jaar>)", "6"),
    ("AGE", "leeftijd: <77>", "77"),
    ("NUMBER", "saturatie <97> bij rust", "97"),
    ("NUMBER", "rente <4,11>%", "4.11"),
]
_NO_VALUES = [  # at most a NUMBER
    "artikel 27 Alcoholwet", "looptijd 20 jaar", "rente 4,11%", "MMSE 21/30", "Apgar 8/9", "RR 95/50",
    "kamer 2.04",
    "1800 cc", "3 tabletten", "5 x 200 mg", "zij wonnen met 3-1", "de 10-jarige looptijd", "art. 3:2",
    "36-44",
    "na drie weken", "versie 2.14", "pagina 12", "1,2 miljoen kijkers", "ICD F43.1", "Week 9-12",
]  # fmt: skip


def _found(text: str, kind: str, persons: list[Span] | None = None) -> list[tuple[str, str]]:
    found = find_values(text, _DUTCH, kinds={KindId(kind)}, persons=persons)
    return [(value.span.cut(text), value.normal) for value in found]


@pytest.mark.parametrize(
    ("kind", "spelling", "normal"),
    [
        *(("DATE", *row) for row in _DATES),
        *(("TIME", *row) for row in _TIMES),
        *(("MONEY", *row) for row in _AMOUNTS),
    ],
)
@pytest.mark.parametrize("carrier", _CARRIERS)
def test_a_spelling_is_found_whole_wherever_it_stands(
    kind: str, spelling: str, normal: str, carrier: str
) -> None:
    assert _found(carrier.format(spelling), kind) == [(spelling, normal)]


@pytest.mark.parametrize(("kind", "marked", "normal"), _SAID)
def test_what_stands_beside_a_value_says_its_kind(kind: str, marked: str, normal: str) -> None:
    value = re.search(r"<(.*?)>", marked)
    assert value is not None
    assert (value[1], normal) in _found(marked.replace("<", "").replace(">", ""), kind)


@pytest.mark.parametrize("text", _NO_VALUES)
def test_numbers_of_nobody_are_at_most_numbers(text: str) -> None:
    kinds = {value.kind for value in find_values(text, _DUTCH, kinds=_OWN)}
    assert kinds <= {KindId("NUMBER")}


def test_a_number_behind_a_person_is_an_age_and_a_day_long_past_a_birth_date() -> None:
    text = "Bart (77) en Ans, 12-03-1951, kamer (12), Leiden (33)"
    persons = [Span(0, 4), Span(13, 16)]
    assert _found(text, "AGE", persons) == [("77", "77")]
    assert _found(text, "BIRTH_DATE", persons) == [("12-03-1951", "1951-03-12")]


def test_what_a_value_is_does_not_depend_on_the_kinds_that_are_asked_for() -> None:
    assert _found("geb. 12-03-1951", "DATE") == []
    assert _found("op 12-03-2024", "NUMBER") == []


_MOST_GROWTH = 9  # for four times the length: linear time grows by 4, quadratic time by 16
_ROUNDS = 6  # of measuring again where a time looks too long


def _own_searches() -> list[tuple[str, re.Pattern[str]]]:
    table = shipped_finder().table(_DUTCH, frozenset(Kinds.load()))
    return [
        (rows[0].pattern.id, pattern)
        for (_, pattern), rows in table._searches.items()
        if isinstance(pattern, re.Pattern) and any(row.kind in _OWN for row in rows)
    ]


@pytest.mark.parametrize(
    ("name", "pattern"), _own_searches(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_pattern_takes_linear_time(name: str, pattern: re.Pattern[str]) -> None:
    for piece in (
        "1-",
        "12 ",
        "1.",
        "op ",
        "geb",
        "* a",
        "maart ",
        "twee",
        "eenentwintig",
        "(1, ",
        "€ 1.",
        "tot en ",
        "om 9 ",
    ):
        short, long = ((piece * (length // len(piece) + 1))[:length] for length in (20_000, 80_000))
        least, most = (min(_seconds(pattern, text) for _ in range(3)) for text in (short, long))
        for _ in range(_ROUNDS):  # other work may have had the machine
            if most < _MOST_GROWTH * least:
                break
            most = min(most, _seconds(pattern, long))
        assert most < max(_MOST_GROWTH * least, 0.04), (name, piece, least, most)


def _seconds(pattern: re.Pattern[str], text: str) -> float:
    start = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - start
