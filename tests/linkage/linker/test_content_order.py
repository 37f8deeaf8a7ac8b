"""Who is who does not depend on what the documents are called, nor on their order. All names are invented."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.linker.content_order import content_order
from linkage.records import Gender, MentionId, NormalizedMention, PersonName
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, Writer
from tests.linkage.linker.relabelled import relabelled, told

NAMES = [
    PersonName(given="Piet", family="Woudstra"),
    PersonName(given="Pieter", family="Woudstra"),
    PersonName(given="Petra", family="Woudstra"),
    PersonName(initials="P.", family="Woudstra"),
    PersonName(given="Piet"),
    PersonName(family="Woudstra"),
    PersonName(given="Robert", family="Bakker"),
    PersonName(given="Bert", family="Bakker"),
    PersonName(given="Albert", family="Bakker"),
    PersonName(given="Bert"),
    PersonName(initials="B.", family="Bakker"),
    PersonName(family="Bakker"),
    PersonName(given="Fenna", family="Zandvliet"),
    PersonName(given="Fena", family="Zandvliet"),
    PersonName(given="Fenna", family="Zandvleit"),
    PersonName(initials="F.Z."),
]
MENTION = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from([None, None, Gender.FEMALE, Gender.MALE]),
    st.sampled_from([(), (), (), (("birth_date", "1951-03-12"),), (("birth_date", "1980-01-01"),)]),
)
DOCUMENTS = st.lists(
    st.lists(MENTION, min_size=1, max_size=5), min_size=2, max_size=9, unique_by=lambda d: repr(d)
)


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(documents=DOCUMENTS, seed=st.integers(0, 1 << 30))
def test_other_ids_and_another_order_change_nothing(
    linker: Linker,
    documents: list[list[tuple[PersonName, Gender | None, tuple[tuple[str, str], ...]]]],
    seed: int,
) -> None:
    write, chance = Writer(), random.Random(seed)  # noqa: S311
    mentions: list[NormalizedMention] = []
    for number, document in enumerate(documents):
        before = None
        for name, gender, attributes in document:
            joined: frozenset[MentionId] = (
                frozenset((before,)) if before is not None and chance.random() < 0.2 else frozenset()
            )
            mention = write(
                f"d{number}", name, gender=gender, attributes=frozenset(attributes), joined_with=joined
            )
            mentions.append(mention)
            before = mention.mention_id
    ids = [f"d{number}" for number in range(len(documents))]
    new_ids = {old: f"{chance.getrandbits(64):016x}" for old in ids}
    old_ids = {new: old for old, new in new_ids.items()}
    others = relabelled(mentions, new_ids.__getitem__)
    chance.shuffle(others)
    assert told(linker.link(others), old_ids.__getitem__) == told(linker.link(mentions))


def test_documents_come_by_their_names_and_what_is_known_of_them() -> None:
    write = Writer()
    first = write("z", PersonName(given="Bauke"))
    second = write("z", PersonName(given="Inge"))
    dated = write("m", PersonName(given="Inge"), attributes=frozenset({("birth_date", "1951-03-12")}))
    plain = write("n", PersonName(given="Inge"))
    mentions = [second, dated, plain, first]
    number = {"Bauke": 0, "Inge": 1}
    order = content_order(mentions, [number[m.name.given or ""] for m in mentions])
    assert [mentions[index] for index in order] == [first, second, plain, dated]
