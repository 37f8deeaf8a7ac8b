"""Where names begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.recognition.boundaries import initials_start, trim
from linkage.recognition.words import Lexicon
from linkage.records import Span
from tests.fakes import FakeKnowledge, fake_lexicon, span_of


def _trim(text: str) -> str | None:
    lexicon = fake_lexicon()
    span = trim(lexicon.scan(text), Span(0, len(text)), lexicon)
    return None if span is None else span.cut(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("dr. Kees Mulder,", "Kees Mulder"),
        ("mevrouw Terpstra", "Terpstra"),
        ("dr. mw. Terpstra", "Terpstra"),
        ("Sanne's", "Sanne"),
        ("Hans'", "Hans"),
        ("Kees Mulder jr.", "Kees Mulder"),
        ("Kees M.", "Kees M."),
        ("Kees Mulder.", "Kees Mulder"),
        ("(Kees Mulder)", "Kees Mulder"),
        ("Kees (Keesje)", "Kees (Keesje)"),
        ("Mulder²*", "Mulder"),
        ("’t Hart", "’t Hart"),
        ("mulder, k.", "mulder, k."),
        ("Kees Ba", "Kees Ba"),
        ("Kees Mulder, k. 14", "Kees Mulder, k. 14"),
        ("Laan, Kees v.d.", "Laan, Kees v.d."),
        ("sanne.", "sanne"),
        ("Roelien Bouwma.txt", "Roelien Bouwma"),
        ("mevrouw Bouwma.PDF", "Bouwma"),
        ("Kees v.d. Md", "Kees v.d. Md"),
        ("@Sanne", "Sanne"),
        ("mevrouw", "mevrouw"),
        ("Heer, K.", "Heer, K."),
        ("heer Terpstra", "Terpstra"),
        ("...", None),
        (" 12 ", None),
    ],
)
def test_titles_marks_and_possessives_stay_outside(text: str, name: str | None) -> None:
    assert _trim(text) == name


@pytest.mark.parametrize(
    ("before", "initials"),
    [
        ("bij J.P. ", "J.P. "),
        ("bij Th.J.", "Th.J."),
        ("bij A.-M. ", "A.-M. "),
        ("einde. ", ""),
        ("bij IJ. ", "IJ. "),
    ],
)
def test_initials_before_a_name(before: str, initials: str) -> None:
    text = before + "Bos"
    assert text[initials_start(text, len(before), Language.load("nl")) : len(before)] == initials


@given(st.text(alphabet="aB .,'’s-(\n", min_size=1, max_size=20))
def test_trimming_stays_inside_and_twice_is_once(text: str) -> None:
    lexicon = fake_lexicon()
    scanned = lexicon.scan(text)
    span = trim(scanned, Span(0, len(text)), lexicon)
    if span is not None:
        assert trim(scanned, span, lexicon) == span


@pytest.mark.parametrize(
    ("text", "surface", "name"),
    [
        ("dhr. Kees Mulder, k. 14 belde", "Kees Mulder, k.", "Kees Mulder"),
        ("dhr. Kees Mulder, k. 14 belde", "Kees Mulder, k", "Kees Mulder"),
        ("kees mulder, k. 14", "kees mulder, k.", "kees mulder"),
        ("J. van Mulder, k. 14", "J. van Mulder, k.", "J. van Mulder"),
        ("mulder, k. 14 dagen", "mulder, k.", "mulder, k."),
        ("mulder, k. 14", "mulder, k.", "mulder, k."),
        ("mulder, k. 14-03-2024", "mulder, k.", "mulder, k."),
        ("van der mulder, k. 14", "van der mulder, k.", "van der mulder, k."),
        ("kees-mulder, k. 14", "kees-mulder, k.", "kees-mulder, k."),
        ("kees, k. 14", "kees, k.", "kees, k."),
        ("kees mulder, k. wel", "kees mulder, k.", "kees mulder, k."),
    ],
)
def test_the_letter_of_a_room_is_no_initial_where_the_name_has_one(
    text: str, surface: str, name: str
) -> None:
    lexicon = fake_lexicon()
    span = trim(lexicon.scan(text), span_of(text, surface), lexicon)
    assert span is not None
    assert span.cut(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("POH Terpstra", "Terpstra"),
        ("POH Sanne", "Sanne"),
        ("TC Sanne", "Sanne"),
        ("TC Terpstra", "TC Terpstra"),  # T.C. Terpstra
        ("TC TERPSTRA", "TC TERPSTRA"),
        ("TC Hamminga", "TC Hamminga"),
    ],
)
def test_two_capitals_that_may_be_initials_stay_before_a_family_name(text: str, name: str) -> None:
    role = frozenset({"role"})
    lexicon = Lexicon(FakeKnowledge(cues={"poh": role, "tc": role}))
    span = trim(lexicon.scan(text), Span(0, len(text)), lexicon)
    assert span is not None
    assert span.cut(text) == name


def test_a_title_of_courtesy_is_one_though_it_is_a_family_name_too() -> None:
    courtesy = frozenset({"courtesy"})
    surnames = frozenset({"herr", "terpstra"})
    lexicon = Lexicon(FakeKnowledge(surnames=surnames, cues={"herr": courtesy, "sanne": courtesy}))
    for text, name in (("Herr Terpstra", "Terpstra"), ("Sanne Terpstra", "Sanne Terpstra")):
        span = trim(lexicon.scan(text), Span(0, len(text)), lexicon)
        assert span is not None
        assert span.cut(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Kan Abdullah komen?", "Abdullah"),
        ("Vraag 3 Kan Abdullah komen?", "Abdullah"),
        ("aan Kan Abdullah onder", "Kan Abdullah"),
        ("Groet,\nKan Abdullah\nZwolle", "Kan Abdullah"),
    ],
)
def test_a_common_word_opens_a_sentence_and_no_name_inside_one(text: str, name: str) -> None:
    lexicon = Lexicon(Gazetteer.load())
    start = text.index("Kan")
    span = trim(lexicon.scan(text), Span(start, start + len("Kan Abdullah")), lexicon)
    assert span is not None
    assert text[span.start : span.end] == name


def test_letters_before_a_name_are_no_initials() -> None:
    lexicon = Lexicon(Gazetteer.load())
    text = "T.N.V. J BOUWMA"
    span = trim(lexicon.scan(text), Span(0, len(text)), lexicon)
    assert span == Span(7, len(text))
