"""A stored person is a KnownIdentity like any other, though sightings and company are read late."""

import copy
import pickle
from dataclasses import replace

import msgspec
import pytest

from linkage.known_rows import KnownReader, KnownRow
from linkage.records import DocumentId, EntityId, KnownIdentity, PersonName, UnclearSighting
from linkage.sightings import sighting_of
from pseudonymizer.assignment import assign
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.vault import Vault
from pseudonymizer.vault.rows.stored_person import StoredPerson
from tests.fakes import linkage_result

RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok, J. Tolsma en Tolsma", "b": "Jan Tolsma"},
    [
        [("a", "Jan Tolsma"), ("a", "J. Tolsma"), ("b", "Jan Tolsma")],
        [("a", "Els Kok")],
        [("a", "Tolsma")],
    ],
    candidates={2: (0, 1)},
)


@pytest.fixture
def people(vault: Vault) -> tuple[KnownIdentity, KnownIdentity]:
    """Jan, who was met under two forms and perhaps once more, and Els; both are in a rewritten document."""
    pseudonyms = assign(RESULT, vault, project="p")
    ids = {m.mention.surface: pseudonyms[m.mention_id].entity_id for m in RESULT.mentions}
    edits = tuple(
        RewriteEdit(n, "", n, n + 1, b"x", ids[name]) for n, name in enumerate(["Jan Tolsma", "Els Kok"])
    )
    vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits), output=b"uit")
    vault.commit()
    jan, els = vault.known_identities("p")
    return jan, els


def plain(known: KnownIdentity) -> KnownIdentity:
    return KnownIdentity(
        known.entity_id, known.names, known.attributes, known.seen_with, known.sightings, known.unclear,
        known.apart,
    )  # fmt: skip


def test_everything_is_there(people: tuple[KnownIdentity, KnownIdentity]) -> None:
    jan, els = people
    by_surface = {(m.mention.doc_id, m.mention.surface): m for m in RESULT.mentions}
    forms = [("a", "Jan Tolsma"), ("a", "J. Tolsma"), ("b", "Jan Tolsma")]
    met = [by_surface[DocumentId(doc), surface] for doc, surface in forms]
    assert type(jan) is StoredPerson
    assert jan.names == tuple(dict.fromkeys(m.name for m in met))
    assert jan.sighting_count == 3
    assert set(jan.sightings) == {sighting_of(m) for m in met}
    assert (set(jan.seen_with), set(els.seen_with)) == ({els.entity_id}, {jan.entity_id})
    unclear = sighting_of(by_surface[DocumentId("a"), "Tolsma"])
    assert {u.sighting for one in people for u in one.unclear} == {unclear}
    assert (els.attributes, els.apart) == (frozenset(), frozenset())


def test_it_is_equal_to_a_plain_one(people: tuple[KnownIdentity, KnownIdentity]) -> None:
    for one in people:
        assert one == plain(one)
        assert plain(one) == one
        assert hash(one) == hash(plain(one))
        assert one != plain(people[0 if one is people[1] else 1])


def test_it_travels_as_a_plain_one(people: tuple[KnownIdentity, KnownIdentity]) -> None:
    jan, _ = people
    for other in (pickle.loads(pickle.dumps(jan)), copy.copy(jan), copy.deepcopy(jan)):  # noqa: S301  our own
        assert type(other) is KnownIdentity
        assert other == jan
    (read,) = KnownReader().read(
        [msgspec.msgpack.decode(msgspec.msgpack.encode(KnownRow.of(jan)), type=KnownRow)]
    )
    assert read == jan


def test_it_can_be_replaced_and_not_changed(people: tuple[KnownIdentity, KnownIdentity]) -> None:
    jan, _ = people
    changed = replace(jan, apart=frozenset({EntityId("vault:9")}))
    assert set(changed.apart) == {EntityId("vault:9")}
    assert (changed.names, changed.sightings) == (jan.names, jan.sightings)
    with pytest.raises(AttributeError):
        jan.names = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        jan.apart = frozenset()  # type: ignore[misc]


def test_its_repr_tells_nothing(people: tuple[KnownIdentity, KnownIdentity]) -> None:
    assert "olsma" not in f"{people} {people[0].sightings} {[UnclearSighting]}"
    assert PersonName(family="Tolsma") not in people[1].names
