"""Where names begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.recognition.boundaries import initials_start, trim
from linkage.records import Span
from tests.fakes import fake_lexicon


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
        ("@Sanne", "Sanne"),
        ("mevrouw", "mevrouw"),
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
    assert text[initials_start(text, len(before)) : len(before)] == initials


@given(st.text(alphabet="aB .,'’s-(\n", min_size=1, max_size=20))
def test_trimming_stays_inside_and_twice_is_once(text: str) -> None:
    lexicon = fake_lexicon()
    scanned = lexicon.scan(text)
    span = trim(scanned, Span(0, len(text)), lexicon)
    if span is not None:
        assert trim(scanned, span, lexicon) == span


def test_the_letter_of_a_room_is_no_initial() -> None:
    lexicon, text = fake_lexicon(), "dhr. Kees Mulder, k. 14 belde; mulder, k. 2x niet; mulder, k. wel"
    scanned = lexicon.scan(text)
    found = [
        trim(scanned, Span(text.index(surface, at), text.index(surface, at) + len(surface)), lexicon)
        for surface, at in (("Kees Mulder, k.", 0), ("mulder, k.", 51))
    ]
    assert [None if span is None else span.cut(text) for span in found] == ["Kees Mulder", "mulder, k."]
