"""Names made quickly are the checked ones, equal facts are one, and no repr tells any."""

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import PersonName
from pseudonymizer.vault.rows.forms import Attribute, Mark, SurfaceForm, fullest

TOLSMA = PersonName(given="jan", particle="van", family="tolsma")


@given(st.lists(st.text(max_size=5), min_size=1, max_size=8))
def test_quick_names_are_the_checked_ones(texts: list[str]) -> None:
    quick = PersonName.of_texts(texts)
    checked = PersonName(*[each or None for each in texts])
    assert quick == checked
    assert hash(quick) == hash(checked)


def test_facts_are_equal_by_value() -> None:
    assert SurfaceForm("Jan", PersonName("jan")) == SurfaceForm("Jan", PersonName("jan"))
    assert len({SurfaceForm("Jan", TOLSMA), SurfaceForm("Jan", PersonName("jan")), Mark("Jan")}) == 3
    assert len({Attribute("a", "b"), Attribute("a", "c"), Mark("a")}) == 3


def test_the_fullest_form_has_most_parts() -> None:
    short, long = SurfaceForm("Jan", PersonName("jan")), SurfaceForm("Jan van Tolsma", TOLSMA)
    assert fullest([short, long]) == fullest([long, short]) == long
    assert fullest([]) is None


def test_no_repr_tells_a_fact() -> None:
    shown = f"{SurfaceForm('Jan van Tolsma', TOLSMA)} {Attribute('birth_date', '1951')} {Mark('registry:7')}"
    assert not any(word in shown for word in ("olsma", "1951", "registry"))
