"""A person of many documents says the same, read by document, as read whole."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId, JudgedSide, PersonName, Role, RoleClass, Sighting
from linkage.told import Verdict
from pseudonymizer.vault.rows.fact_reader import FactReader
from pseudonymizer.vault.rows.forms import Attribute, Fact, SurfaceForm
from pseudonymizer.vault.rows.often_met import OftenMet
from pseudonymizer.vault.rows.sealed_facts import as_kept, pack

NAMES = [
    PersonName(given="Karin", family="Hoogland"),
    PersonName(given="Karin"),
    PersonName(family="Hoogland"),
]
FORMS = st.sampled_from([SurfaceForm(str(n), name) for n, name in enumerate(NAMES)])
SIGHTINGS = st.builds(
    Sighting,
    st.sampled_from([DocumentId(f"d{n}") for n in range(6)]),
    st.integers(0, 3),
    st.sampled_from(["K. Hoogland", "Karin"]),
    st.sampled_from(NAMES),
    attributes=st.sampled_from([(), (("birth_date", "1951-03-12"),), (("email", "k@example.nl"),)]),
    roles=st.sampled_from([(), (Role(RoleClass.PROFESSIONAL, "arts"),)]),
    marks=st.sampled_from([(), ("zaak 7",)]),
)
FACTS = st.lists(
    st.one_of(FORMS, SIGHTINGS, st.just(Attribute("birth_date", "1951-03-12"))), min_size=1, max_size=6
)
EVERYWHERE = frozenset(DocumentId(f"d{n}") for n in range(6))


def rows_of(texts: Sequence[list[Fact]]) -> list[bytes]:
    return [as_kept(row) for facts in texts for row in pack(list(dict.fromkeys(facts)))]


@given(st.lists(FACTS, min_size=1, max_size=8), st.integers(0, 7))
def test_all_documents_together_say_what_all_rows_say(texts: list[list[Fact]], at_first: int) -> None:
    reader, rows = FactReader(), rows_of(texts)
    often = OftenMet(reader, rows[:at_first])
    for row in rows[at_first:]:
        often.add([row])
    often.add(rows[::2])  # what was there already
    found, told = often.met_in(EVERYWHERE), reader.told_in(rows)
    assert set(found.sightings) == set(reader.sightings(rows))
    assert len(found.sightings) == found.told.sighting_count == told.sighting_count
    assert (set(found.told.names), found.told.attributes) == (set(told.names), told.attributes)
    assert found.further == 0
    whole = reader.index_keys(tuple(rows))
    assert set(often.index_names) == set(whole[0])
    assert often.document_count == len({doc_id for doc_id, _, _ in whole[1]})
    met_as = {whole[0][name] for _, name, _ in whole[1]}
    assert often.has_unmet_names is any(parts not in met_as for parts in whole[0])


@given(st.lists(FACTS, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_a_document_says_what_no_other_one_says_whatever_the_order(
    texts: list[list[Fact]], chosen: Random
) -> None:
    reader, rows = FactReader(), rows_of(texts)
    found = OftenMet(reader, rows).met_in(frozenset())
    everywhere = reader.sightings(rows)
    for told in ("name", "attributes", "roles"):
        values = {getattr(sighting, told) for sighting in found.sightings}
        assert {v for s in everywhere for v in _each(getattr(s, told))} == {
            v for one in values for v in _each(one)
        }
    chosen.shuffle(rows)
    again = OftenMet(reader, rows).met_in(frozenset())
    assert set(again.sightings) == set(found.sightings)
    assert found.further == len({s.doc_id for s in everywhere} - {s.doc_id for s in found.sightings})


def _each(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def test_what_is_judged_and_what_is_asked_for_is_there_and_the_rest_is_counted() -> None:
    name = NAMES[0]
    judged = Sighting(
        DocumentId("d077"), 0, "K. Hoogland", name, judged=(JudgedSide("1", 0, Verdict.ACCEPT, ""),)
    )
    plain = [Sighting(DocumentId(f"d{n:03d}"), 0, "K. Hoogland", name) for n in range(70)]
    often = OftenMet(
        FactReader(), rows_of([[SurfaceForm("K. Hoogland", name), one] for one in (*plain, judged)])
    )
    found = often.met_in(frozenset({DocumentId("d044"), DocumentId("unknown")}))
    assert [sighting.doc_id for sighting in found.sightings] == ["d000", "d044", "d077"]
    assert found.further == 68
    assert "Hoogland" not in repr(often) + repr(found)
