"""Known people are fetched, not loaded: whom a text may mean, as the stores have them at that moment."""

import gc
import shutil
import string
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from linkage.linker.meetings import MOST_MET
from linkage.linker.people_index import PeopleIndex
from linkage.records import Beyond, KnownIdentity, LinkageResult, NormalizedMention, PersonName
from linkage.review import Judgement, Verdict
from pseudonymizer.assignment import assign
from pseudonymizer.errors import VaultError
from pseudonymizer.vault import Vault, known
from pseudonymizer.vault.rows import fact_reader, open_people
from pseudonymizer.vault.rows.often_met import OftenMet
from pseudonymizer.vault.rows.sealed_facts import SealedFacts, read_record
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in
from tests.pseudonymizer.vault.test_known import CHANGES, Two, erased, new_form, new_person, two

__all__ = ["two"]


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A project of three people is one of which not all are linked anew."""
    monkeypatch.setattr(known, "MOST_LINKED", 0)


class Fetching:
    """A linker that takes the candidates of its index and remembers them."""

    def __init__(self, most_met: int = MOST_MET) -> None:
        self.most_met = most_met
        self.known: tuple[KnownIdentity, ...] = ()
        self.beyond: Beyond | None = None
        self.indexes = 0

    def people_index(self) -> PeopleIndex:
        self.indexes += 1
        return PeopleIndex(lambda _: (), most_company=0, most_met=self.most_met)

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
        beyond: Beyond | None = None,
    ) -> LinkageResult:
        del mentions, judgements
        self.known, self.beyond = tuple(known), beyond
        return LinkageResult((), ())


NAMES = ("Jan Tolsma", "J. Tolsma", "Els Kok", "Bram Dijk", "Wim Postma", "Johan Tolsma", "Otto Lok")


def asked_for(vault: Vault, linker: Fetching, *names: str) -> set[KnownIdentity]:
    """The people whom a text with these names gets."""
    document = {"new": ". ".join(names)}
    mentions = linkage_result(document, [[("new", name)] for name in names]).mentions
    vault.linked("p", mentions, linker=lambda: linker)
    return set(linker.known)


def without_company(people: Iterable[KnownIdentity]) -> set[tuple[object, ...]]:
    return {
        (p.entity_id, p.names, p.attributes, p.sightings, p.unclear, p.apart, p.further_documents)
        for p in people
    }


@pytest.mark.parametrize("change", CHANGES)
def test_what_another_process_did_is_seen_by_the_next_text(two: Two, change: str) -> None:
    """What is kept equals what is read anew, after whatever happened to the stores."""
    linker = Fetching()
    asked_for(two.here, linker, *NAMES)
    CHANGES[change](two)
    kept = asked_for(two.here, linker, *NAMES)
    read = Fetching()
    with two.place.open() as fresh:
        assert without_company(kept) == without_company(asked_for(fresh, read, *NAMES))
    assert linker.beyond == read.beyond
    assert without_company(kept) == without_company(two.fresh().people)


@pytest.mark.parametrize("change", CHANGES)
def test_what_this_vault_did_itself_is_seen_by_the_next_text(two: Two, change: str) -> None:
    linker = Fetching()
    asked_for(two.there, linker, *NAMES)
    CHANGES[change](two)
    kept = asked_for(two.there, linker, *NAMES)
    assert without_company(kept) == without_company(two.fresh().people)
    read = Fetching()
    with two.place.open() as fresh:
        asked_for(fresh, read, *NAMES)
    assert linker.beyond == read.beyond


ANY_ORDER = ("new person", "new form", "erase", "split", "merge", "company", "rotate data", "rotate index")


@settings(max_examples=6, deadline=None)
@hypothesis.given(
    changes=st.lists(st.sampled_from(ANY_ORDER), min_size=3, max_size=6, unique=True),
    most_met=st.sampled_from([0, 1, MOST_MET]),
)
def test_counts_equal_a_recount_after_changes_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, changes: list[str], most_met: int
) -> None:
    """Counts and candidates that two processes keep, after each change by one of them; also where each
    person counts as one who was met often."""
    place = sqlite_place_in(tmp_path_factory.mktemp("counts"))
    two = Two(place)
    here, there = Fetching(most_met), Fetching(most_met)
    with two.here, two.there:
        for change in changes:
            asked_for(two.here, here, *NAMES)
            asked_for(two.there, there, *NAMES)
            CHANGES[change](two)
            read = Fetching(most_met)
            with place.open() as fresh:
                recounted = without_company(asked_for(fresh, read, *NAMES))
            for vault, linker in ((two.here, here), (two.there, there)):
                assert without_company(asked_for(vault, linker, *NAMES)) == recounted
                assert linker.beyond == read.beyond


def test_only_those_whom_the_names_may_mean_are_fetched(two: Two) -> None:
    found = asked_for(two.here, Fetching(), "Els Kok")
    assert {name.family for person in found for name in person.names} == {"kok"}
    assert asked_for(two.here, Fetching(), "Wim Postma") == set()


def test_what_was_added_is_added_and_nobody_is_read_again(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    linker = Fetching()
    asked_for(two.here, linker, *NAMES)
    monkeypatch.setattr(open_people, "opened_people", None)
    for change in (new_person, new_form):
        change(two)
        assert without_company(asked_for(two.here, linker, *NAMES)) == without_company(two.fresh().people)
    assert linker.indexes == 1


def test_another_linker_gets_an_index_of_its_own(two: Two) -> None:
    first, second = Fetching(), Fetching()
    assert asked_for(two.here, first, *NAMES) == asked_for(two.here, second, *NAMES)
    assert first.indexes == second.indexes == 1


def test_people_of_a_document_that_is_judged_are_fetched_whatever_they_are_called(two: Two) -> None:
    place = next(s for p in two.fresh().people for s in p.sightings if s.surface == "Bram Dijk")
    judgement = Judgement("x", "y", Verdict.REJECT, f"{place.doc_id}@0-9", "new@0-7")  # type: ignore[arg-type]
    linker = Fetching()
    mentions = linkage_result({"new": "Els Kok"}, [[("new", "Els Kok")]]).mentions
    two.here.linked("p", mentions, linker=lambda: linker, judgements=[judgement])
    assert {name.family for person in linker.known for name in person.names} == {"kok", "dijk"}
    everywhere = Judgement("Jan Tolsma", "J. Tolsma", Verdict.REJECT)
    two.here.linked("p", mentions, linker=lambda: linker, judgements=[everywhere])
    assert set(linker.known) == set(two.fresh().people)


def test_of_few_people_everybody_is_linked_anew(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MOST_LINKED", 3)
    linker = Fetching()
    assert without_company(asked_for(two.here, linker, "Otto Lok")) == without_company(two.fresh().people)
    assert linker.beyond is None


def test_of_a_text_with_many_names_everybody_is_linked_where_candidates_would_be_as_many(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "MOST_LINKED", 2)  # of the three people, for each ten names
    linker = Fetching()
    asked_for(two.here, linker, *[f"Otto {family}" for family in ("Lok", *"ABCDEFGHI")])
    assert linker.beyond is not None
    asked_for(two.here, linker, *[f"Otto {family}" for family in ("Lok", *"ABCDEFGHIJKLMNOPQRS")])
    assert linker.beyond is None


# -- erasure -------------------------------------------------------------------------------------------------


def in_memory(text: bytes) -> int:
    """How many bytes of rows of the people in memory hold a text."""
    gc.collect()
    found = [one for one in gc.get_objects() if type(one) is open_people.OpenPeople]
    rows = [row for people in found for kept in (people.people, people.ambiguous) for row in kept.values()]
    return sum(
        text in (row if isinstance(row, bytes) else b"".join(row))
        for row in rows
        if not isinstance(row, OftenMet)
    )


def test_nothing_of_an_erased_person_stays_where_a_text_was_linked(two: Two) -> None:
    here, there = Fetching(), Fetching()
    asked_for(two.here, here, *NAMES)
    asked_for(two.there, there, *NAMES)
    assert in_memory(b"Els Kok") == 2
    erased(two)  # by two.there, which forgets at once
    assert in_memory(b"Els Kok") == 1
    asked_for(two.here, here, "Jan Tolsma")
    assert in_memory(b"Els Kok") == 0
    here.known = there.known = ()
    two.here.close()
    two.there.close()
    assert in_memory(b"Jan Tolsma") == 0


def held_by_people(text: str) -> int:
    """How many texts and bytes with a text are reached from people in memory and from indexes of people."""
    gc.collect()
    reached: dict[int, object] = {}
    new = [one for one in gc.get_objects() if type(one) in (open_people.OpenPeople, OftenMet, PeopleIndex)]
    while new:
        reached.update((id(one), one) for one in new)
        parts = {id(part): part for part in gc.get_referents(*new)}
        new = [
            part
            for number, part in parts.items()
            if number not in reached and not isinstance(part, type | ModuleType | FunctionType)
        ]
    texts = [
        one if isinstance(one, bytes) else one.encode()
        for one in reached.values()
        if isinstance(one, str | bytes)
    ]
    return sum(text.encode() in one.lower() for one in texts)


def test_no_byte_of_an_erased_person_of_many_documents_stays_in_memory(two: Two) -> None:
    """With a linker to which each person counts as one who was met often."""
    here, there = Fetching(most_met=0), Fetching(most_met=0)
    asked_for(two.here, here, *NAMES)
    asked_for(two.there, there, *NAMES)
    gc.collect()
    assert sum(type(one) is OftenMet for one in gc.get_objects()) == 6  # three people, each kept twice
    assert held_by_people("els kok") >= 2
    assert held_by_people("kok") > held_by_people("els kok")  # parts of names
    erased(two)  # by two.there, which forgets at once
    asked_for(two.here, here, "Jan Tolsma")
    here.known = there.known = ()
    assert held_by_people("tolsma") > 0
    assert held_by_people("kok") == 0


def test_an_older_copy_of_the_vault_brings_no_erased_person_back_from_memory(
    sqlite_place: VaultPlace,
) -> None:
    """The rows in memory are those of the copy, to the byte; the key is gone, and with it the person."""
    two = Two(sqlite_place)
    linker = Fetching()
    asked_for(two.here, linker, *NAMES)
    address = two.there.store.address
    assert address.path is not None
    backup = address.path.with_suffix(".old")
    two.there.close()
    with two.place.open() as vault:
        vault.store.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(address.path, backup)
    erased(two)
    two.there.close()
    two.here.store.close()
    for suffix in ("-wal", "-shm"):
        address.path.with_name(address.path.name + suffix).unlink(missing_ok=True)
    shutil.copy(backup, address.path)
    linker.known = ()
    with pytest.raises(VaultError):
        asked_for(two.here, linker, *NAMES)
    assert linker.known == ()
    assert in_memory(b"Els Kok") == 0


# -- a person of every text ----------------------------------------------------------------------------------

LETTERS = string.ascii_lowercase
CLERK = PersonName(given="karin", family="hoogland")


def a_text_with_the_clerk(number: int) -> LinkageResult:
    """Four people, one of whom every text has."""
    chosen = Random(number)  # noqa: S311
    names = [
        "Karin Hoogland",
        *(" ".join("".join(chosen.sample(LETTERS, 9)).title() for _ in "12") for _ in "123"),
    ]
    document = f"d{number:05d}"
    return linkage_result({document: ". ".join(names)}, [[(document, name)] for name in names])


def test_what_is_read_for_a_text_does_not_grow_with_the_texts_that_a_person_is_in(
    sqlite_place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sightings that are linked, rows that are decoded and rows that are fetched, after 90 texts and 240."""
    vault = sqlite_place.create()
    decoded = 0
    rows_of = vault.store.rows

    def counted(row: bytes) -> SealedFacts:
        nonlocal decoded
        decoded += 1
        return read_record(row)

    fetched = 0

    def counted_rows(statement: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        nonlocal fetched
        found = rows_of(statement, parameters)
        fetched += len(found)
        return found

    monkeypatch.setattr(fact_reader, "read_record", counted)
    monkeypatch.setattr(vault.store, "rows", counted_rows)
    linker, label = Fetching(), ""
    costs: dict[int, tuple[int, int, int]] = {}
    for number in range(240):
        text = a_text_with_the_clerk(number)
        decoded = fetched = 0
        vault.linked("p", text.mentions, linker=lambda: linker)
        clerk = next((p.entity_id for p in linker.known if CLERK in p.names), None)
        identities = [
            replace(one, entity_id=clerk)
            if text.mention(min(one.mention_ids)).mention.surface == "Karin Hoogland"
            else one
            for one in text.identities
        ]
        given = assign(replace(text, identities=tuple(identities)), vault, project="p")
        vault.commit()
        costs[number + 1] = sum(len(p.sightings) for p in linker.known), decoded, fetched
        label = label or next(
            given[m.mention_id].label for m in text.mentions if "Karin" in m.mention.surface
        )
        assert label in {pseudonym.label for pseudonym in given.values()}
    vault.close()
    met = next(p for p in linker.known if CLERK in p.names)
    assert len(met.sightings) + met.further_documents == 239
    assert MOST_MET <= len(met.sightings) <= MOST_MET + 10
    assert all(late <= early for late, early in zip(costs[240], costs[90], strict=True)), (
        costs[90],
        costs[240],
    )
    assert costs[20] < costs[90], "a person who is in few texts is known by all of them"
