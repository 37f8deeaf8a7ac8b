"""What is told once as an identifier stands all over the document."""

from typing import Final

from linkage.recognition.kind_consistency import spread_identifiers
from linkage.records import RecognizedSpan, Span
from linkage.texts import KindId
from tests.fakes import fake_lexicon, span_of

LEXICON: Final = fake_lexicon()


def spread(
    text: str, told: dict[str, str], taken: tuple[str, ...] = (), confidence: float = 0.9
) -> list[str]:
    identifiers = [RecognizedSpan(span_of(text, one), confidence, KindId(kind)) for one, kind in told.items()]
    found = spread_identifiers(LEXICON.scan(text), identifiers, [span_of(text, one) for one in taken])
    assert list(found) == sorted(found, key=lambda one: one.span)
    return [f"{one.kind} {one.span.cut(text)}" for one in found]


def test_a_text_that_is_told_once_holds_everywhere() -> None:
    text = "Zorggroep Xandu belde. Morgen belde zorggroep Xandu; ZORGGROEP XANDU niet."
    assert spread(text, {"Zorggroep Xandu": "ORGANIZATION"}) == [
        "ORGANIZATION Zorggroep Xandu", "ORGANIZATION zorggroep Xandu", "ORGANIZATION ZORGGROEP XANDU",
    ]  # fmt: skip


def test_a_misspelt_form_holds_too() -> None:
    text = "Naar Xantrovo. Later Xantrvo en Xanttrovo, niet Xandroxo."
    assert spread(text, {"Xantrovo": "CITY"}) == ["CITY Xantrovo", "CITY Xantrvo", "CITY Xanttrovo"]


def test_a_word_with_small_letters_does_not_hold_for_one_with_a_capital() -> None:
    assert spread("Naar Xantrovo. Een xantrovo.", {"Xantrovo": "CITY"}) == ["CITY Xantrovo"]
    assert spread("De smid belde. De smid zei iets.", {"smid": "PROFESSION"}) == [
        "PROFESSION smid", "PROFESSION smid",
    ]  # fmt: skip


def test_nothing_is_added_where_a_person_is_mentioned() -> None:
    text = "Naar Xantrovo. Later belde Sanne van Xantrovo."
    assert spread(text, {"Xantrovo": "CITY"}, taken=("Sanne van Xantrovo",)) == ["CITY Xantrovo"]


def test_unsure_ones_and_figures_do_not_hold_elsewhere() -> None:
    assert spread("Naar Xantrovo en Xantrovo.", {"Xantrovo": "CITY"}, confidence=0.2) == ["CITY Xantrovo"]
    assert spread("Op 12 mei, niet 12 mei.", {"12 mei": "DATE"}) == ["DATE 12 mei"]


def test_most_frequent_kind_counts() -> None:
    text = "Xandu, Xandu en Xandu, later Xandu."
    places = [Span(0, 5), Span(7, 12), Span(16, 21)]
    kinds = ("PRODUCT", "ORGANIZATION", "ORGANIZATION")
    identifiers = [
        RecognizedSpan(place, 0.9, KindId(kind)) for place, kind in zip(places, kinds, strict=True)
    ]
    assert spread_identifiers(LEXICON.scan(text), identifiers, [])[-1].kind == "ORGANIZATION"
