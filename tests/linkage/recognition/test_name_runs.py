"""Runs of words in which a full name may stand, and the keys by which names are known again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.recognition.name_runs import blanked, name_key, name_runs, windows
from linkage.records import Span

PARTICLES = {"van", "de", "der", "'t", "la"}


def is_particle(text: str) -> bool:
    return text in PARTICLES


def keys(text: str) -> set[str]:
    return {window.key for run in name_runs(text, is_particle) for window in windows(run)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("- **Anouk Visser** meldt dat", "Anouk Visser"),
        ("dat *Henk Groot* tevreden is", "Henk Groot"),
        ("SUMMARY:Keukentafelgesprek Henk Groot", "Henk Groot"),
        ("Jolanda_Dijkstra_cv", "Jolanda Dijkstra"),
        ("__Jolanda_Dijkstra__", "Jolanda Dijkstra"),
        (r"C:\Users\Lotte Huisman\Desktop", "Lotte Huisman"),
        ("Henk Groot's fiets", "Henk Groot"),
        ("Henk\u00a0 Groot.", "Henk Groot"),
        ("zegt Henk Groot\u00b2 later", "Henk Groot"),
        ("J. P. van der Berg", "J.P. van der Berg"),
        ("J.P.Berg", "J.P. Berg"),
        ("Jan van 't Hart", "Jan van 't Hart"),
        ("D\u2019Angelo Tolsma", "D'Angelo Tolsma"),
    ],
)
def test_a_name_is_a_window_between_whatever_signs(text: str, name: str) -> None:
    assert name in keys(text)
    assert name_key(name) in keys(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Henk Grootjans", "Henk Groot"),
        ("Anouk Visser-de Boer", "Anouk Visser"),
        ("Henk Groot2", "Henk Groot"),
        ("henk groot", "Henk Groot"),
        ("Henk en Groot", "Henk Groot"),
        ("Henk Bos. Jan Smit", "Bos Jan"),
        ("Henk\n\nGroot", "Henk Groot"),
    ],
)
def test_what_is_more_or_less_than_the_name_is_no_window_of_it(text: str, name: str) -> None:
    assert name not in keys(text)


@pytest.mark.parametrize("text", ["Henk", "henk groot", "Groot, Henk", "", "Henk Groot belde"])
def test_texts_of_another_shape_have_no_key(text: str) -> None:
    assert name_key(text) is None


def test_the_longest_window_of_a_word_comes_first() -> None:
    (run,) = name_runs("Anna Maria de Boer", is_particle)
    found = [window.key for window in windows(run)]
    assert found == ["Anna Maria de Boer", "Anna Maria", "Maria de Boer"]


def test_nothing_stands_where_spans_are_blanked() -> None:
    text = "Henk Groot en Jan Smit"
    assert blanked(text, [Span(5, 10), Span(0, 6)]) == "\n" * 10 + " en Jan Smit"
    assert keys(blanked(text, [Span(0, 10)])) == {"Jan Smit"}


@given(st.text(alphabet="Jan dBe.'_-\n1É\u2019", max_size=60))
def test_windows_lie_in_the_text_and_read_as_their_key(text: str) -> None:
    for run in name_runs(text, is_particle):
        assert run.span.cut(text) == run.text
        for window in windows(run):
            assert run.span.contains(window.span)
            shown = window.span.cut(text)
            assert window.key.split()[0][0] == shown[0]
            assert name_key(shown) == window.key
