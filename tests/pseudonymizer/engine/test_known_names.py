"""Known full names where detection missed them: which names count, and what becomes of what stood there."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import permutations
from pathlib import Path

import pytest

from linkage.kinds import Kinds
from linkage.recognition.name_runs import name_runs
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    EntityId,
    KindId,
    KnownIdentity,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
    mention_id_at,
)
from pseudonymizer.engine.engine import Engine, Treated
from pseudonymizer.engine.known_names import KnownNames, SearchedPart, is_telling, written
from pseudonymizer.engine.records import PlacedValue
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, FakeLists, load_fake, make_vault
from tests.pseudonymizer.engine.test_engine import source, styling

OpenVault = Callable[[], AbstractContextManager[Vault]]
JAN = PersonName(given="Jan", family="Tolsma")
LISTS = FakeLists()


def known(*names: tuple[str, PersonName]) -> KnownNames:
    made = KnownNames(Kinds.load())
    for text, name in names:
        made.add(text, name)
    return made


def part(text: str, *, mentions: tuple[Span, ...] = (), values: tuple[PlacedValue, ...] = ()) -> SearchedPart:
    doc_id = DocumentId("d#1")
    return SearchedPart(
        "1", DocumentId("d"), list(name_runs(text, LISTS.is_particle)),
        [(span, mention_id_at(doc_id, span)) for span in mentions], values,
    )  # fmt: skip


def found(text: str, surface: str, confidence: float, name: PersonName) -> NormalizedMention:
    start = text.index(surface)
    document = Document(DocumentId("other"), text)
    span = Span(start, start + len(surface))
    mention = Mention.at(document, span, detector=Detector.NER, confidence=confidence)
    return NormalizedMention(mention, name)


# -- which names count ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tells"),
    [
        (JAN, True),
        (PersonName(given="Jan Peter", family="Tolsma"), True),
        (PersonName(given="Kwik", family="Tolsma"), False),  # no given name of the lists
        (PersonName(initials="J.", family="Tolsma"), True),
        (PersonName(initials="J.", family="Mol"), False),  # an ordinary word
        (PersonName(given="Jan"), False),
        (PersonName(family="Tolsma"), False),
    ],
)
def test_a_name_counts_with_a_listed_given_name_or_initials_before_no_ordinary_word(
    name: PersonName, tells: bool
) -> None:
    assert is_telling(name, LISTS) is tells


def test_a_name_that_detection_is_unsure_of_is_not_looked_for() -> None:
    names = KnownNames(Kinds.load())
    names.learn([found("Jan Tolsma", "Jan Tolsma", 0.7, JAN)], LISTS)
    assert not names
    names.learn([found("Jan Tolsma", "Jan Tolsma", 0.8, JAN)], LISTS)
    assert names.added(part("*Jan Tolsma*"))


def test_the_names_of_the_registry_are_known() -> None:
    names = KnownNames(Kinds.load())
    person = KnownIdentity(EntityId("1"), (PersonName(given="Jan", particle="van", family="Tolsma"),))
    names.learn_registered([person], LISTS)
    (mention,) = names.added(part("*Jan_van_Tolsma*")).mentions
    assert (mention.mention.surface, mention.name) == ("Jan_van_Tolsma", person.names[0])


def test_a_name_is_written_with_a_partners_name_first() -> None:
    name = PersonName("Els", None, "van", "Wiersma", None, "Douma")
    assert written(name) == "Els Douma-van Wiersma"


# -- what becomes of what stood there ------------------------------------------------------------------------


def test_a_mention_of_a_part_of_the_name_gives_way_to_the_whole() -> None:
    text = "Beste Jan Tolsma"
    given = part(text, mentions=(Span(6, 9),))
    added = known(("Jan Tolsma", JAN)).added(given)
    (mention,) = added.mentions
    assert mention.mention.span == Span(6, 16)
    assert added.inside == {given.mentions[0][1]: mention.mention_id}


@pytest.mark.parametrize("span", [Span(6, 16), Span(0, 16), Span(10, 22)])
def test_what_is_found_as_the_name_or_as_more_stays(span: Span) -> None:
    text = "Beste Jan Tolsma Smits"
    assert not known(("Jan Tolsma", JAN)).added(part(text, mentions=(span,)))


def test_a_value_that_may_hold_a_name_holds_it_and_others_give_way() -> None:
    text = "x:/Jan Tolsma/y"
    path = PlacedValue(0, 15, KindId("FILE"), "", text)
    plate = PlacedValue(7, 13, KindId("VEHICLE"), "", "Tolsma")
    added = known(("Jan Tolsma", JAN)).added(part(text, values=(path, plate)))
    (mention,) = added.mentions
    assert mention.mention.inside == mention_id_at(DocumentId("d#1"), Span(0, 15), KindId("FILE"))
    assert (added.holders, added.lost) == (frozenset({Span(0, 15)}), frozenset({Span(7, 13)}))


def test_a_name_in_technical_fields_belongs_to_the_document_beside_them() -> None:
    runs = list(name_runs("Jan Tolsma", LISTS.is_particle))
    technical = SearchedPart("1/technical", DocumentId("d"), runs, (), ())
    (mention,) = known(("Jan Tolsma", JAN)).added(technical).mentions
    assert mention.mention.doc_id == "d#1"
    assert mention.mention_id == mention_id_at(DocumentId("d#1/technical"), Span(0, 10))


# -- through the engine --------------------------------------------------------------------------------------


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path)


def treated(vault: Vault, *texts: str) -> list[str]:
    sources = [source(f"{number}", text) for number, text in enumerate(texts)]
    outcomes = Engine(load_fake).pseudonymize(vault, PROJECT, sources, styling()).outcomes
    vault.commit()
    return [one.rendered.raw.decode() for one in outcomes if isinstance(one, Treated)]


def test_a_name_of_one_text_is_replaced_in_all_in_whatever_order(open_vault: OpenVault) -> None:
    texts = ("Jan Tolsma belde.", "Zie Jan_Tolsma_cv.", "Niets.")
    with open_vault() as vault:
        vault.ensure_project(PROJECT)
        for order in permutations(texts):
            outputs = treated(vault, *order)
            label = outputs[order.index(texts[0])].partition(" ")[0]
            assert outputs[order.index(texts[1])] == f"Zie {label}_cv."


def test_a_name_of_the_vault_is_replaced_until_the_person_is_erased(open_vault: OpenVault) -> None:
    with open_vault() as vault:
        vault.ensure_project(PROJECT)
        label = treated(vault, "Jan Tolsma belde.")[0].partition(" ")[0]
        assert treated(vault, "Zie Jan_Tolsma_cv.") == [f"Zie {label}_cv."]
        vault.erase(project=PROJECT, pseudonyms=[label], purpose="test", ticket="1")
        vault.commit()
        assert treated(vault, "Zie Jan_Tolsma_cv en meer.") == ["Zie Jan_Tolsma_cv en meer."]


def test_names_of_other_projects_are_not_known(open_vault: OpenVault) -> None:
    with open_vault() as vault:
        vault.ensure_project("other")
        vault.ensure_project(PROJECT)
        sources = [source("a", "Jan Tolsma belde.")]
        Engine(load_fake).pseudonymize(vault, "other", sources, styling())
        assert treated(vault, "Zie Jan_Tolsma_cv.") == ["Zie Jan_Tolsma_cv."]
        assert vault.are_known_names("other", [JAN, PersonName(given="Jan")]) == (True, False)
        assert vault.are_known_names(PROJECT, [JAN]) == (False,)
        assert vault.are_known_names("none", [JAN]) == (False,)
