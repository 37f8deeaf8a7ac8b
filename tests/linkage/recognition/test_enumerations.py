"""Names in a list."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.language import Language
from linkage.recognition.enumerations import Listing, listing
from tests.fakes import span_of

LEDEN = "Vragen van de leden Van der Mei (SP), Terpstra (CU), Ten Have en Kok over iets."


def _listing(text: str, surface: str, **sure: float) -> Listing:
    spans: Mapping[str, float] = {name.replace("_", " "): confidence for name, confidence in sure.items()}
    places = {name: span_of(text, name) for name in spans}
    return listing(
        text,
        span_of(text, surface).start,
        span_of(text, surface).end,
        Language.load("nl"),
        sure_starts={places[name].start: confidence for name, confidence in spans.items()},
        sure_ends={places[name].end: confidence for name, confidence in spans.items()},
        first_of_end={places[name].end: places[name].start for name in spans},
    )


@pytest.mark.parametrize(
    ("surface", "best", "share"),
    [
        ("Terpstra", 0.9, 2 / 3),
        ("Kok", 0.9, 2 / 3),
        ("Van der Mei", 0.7, 1 / 3),
        ("leden", 0.0, 0.0),
    ],
)
def test_the_others_of_a_list_are_counted(surface: str, best: float, share: float) -> None:
    found = _listing(LEDEN, surface, Van_der_Mei=0.9, Ten_Have=0.7)
    assert found.best == best
    assert found.sure_share == pytest.approx(share)


def test_the_head_of_a_list_is_where_its_first_member_begins() -> None:
    start = LEDEN.index("Van der Mei")
    assert _listing(LEDEN, "Kok", Van_der_Mei=0.9).head == start
    assert _listing(LEDEN, "Van der Mei").head == start
    assert _listing(LEDEN, "Kok", Ten_Have=0.9).head == -1  # nobody knows where the first one begins


@pytest.mark.parametrize(
    "text",
    [
        "Kees belde. Anneke, Mulder niet",
        "met kees en Mulder",
        "Anneke; Mulder",
        "Anneke\nMulder",
        "Anneke Mulder",
    ],
)
def test_what_is_no_list_says_nothing(text: str) -> None:
    if "Anneke, " in text:
        assert _listing(text, "Mulder", Kees=0.9).best == 0.0
    else:
        first = text.split()[0].strip(";")
        assert _listing(text, "Mulder", **{first: 0.9}).best == 0.0


@given(st.text(alphabet="aB ,/(en)\n.", min_size=1, max_size=60), st.data())
def test_any_text_has_an_answer(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    places = dict.fromkeys(range(len(text) + 1), 0.9)
    found = listing(
        text,
        start,
        end,
        Language.load("nl"),
        sure_starts=places,
        sure_ends=places,
        first_of_end={p: max(0, p - 1) for p in places},
    )
    assert 0 <= found.best <= 1
    assert 0 <= found.sure_share <= 1
    assert -1 <= found.head <= start
