"""Documents linked to known people give what one go over all of them gives. All names are invented."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import EntityId, KnownIdentity, LinkageResult, MentionId, NormalizedMention, PersonName
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, Writer

PEOPLE = [("Piet", "Woudstra"), ("Fenna", "Zandvliet"), ("Inge", "Terpstra"), ("Bauke", "Oosterloo")]
# A document names each of its people in full before it shortens the name: then it needs no other document.
DOCUMENT = st.lists(
    st.tuples(st.sampled_from(range(len(PEOPLE))), st.sampled_from(["", "given", "family", "initials"])),
    min_size=1, max_size=4,
)  # fmt: skip


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())


def written(write: Writer, document: str, told: Sequence[tuple[int, str]]) -> list[NormalizedMention]:
    mentions = []
    for person, shorter in told:
        given_name, family = PEOPLE[person]
        mentions.append(write(document, PersonName(given=given_name, family=family)))
        if shorter == "given":
            mentions.append(write(document, PersonName(given=given_name)))
        elif shorter == "family":
            mentions.append(write(document, PersonName(family=family)))
        elif shorter == "initials":
            mentions.append(write(document, PersonName(initials=f"{given_name[0]}.", family=family)))
    return mentions


def known_of(result: LinkageResult) -> list[KnownIdentity]:
    documents = {
        EntityId(f"vault:{i.identity_id}"): {result.mention(m).mention.doc_id for m in i.mention_ids}
        for i in result.identities
    }
    return [
        KnownIdentity(
            entity,
            tuple({result.mention(m).name for m in identity.mention_ids}),
            seen_with=frozenset(o for o, d in documents.items() if o != entity and d & documents[entity]),
        )
        for identity, entity in zip(result.identities, documents, strict=True)
    ]


def partition(pairs: dict[MentionId, object]) -> set[frozenset[MentionId]]:
    groups: dict[object, set[MentionId]] = {}
    for mention, label in pairs.items():
        groups.setdefault(label, set()).add(mention)
    return {frozenset(members) for members in groups.values()}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(early=st.lists(DOCUMENT, min_size=1, max_size=3), late=st.lists(DOCUMENT, min_size=1, max_size=3))
def test_later_documents_give_what_one_go_gives(
    linker: Linker, early: list[list[tuple[int, str]]], late: list[list[tuple[int, str]]]
) -> None:
    write = Writer()
    first = [m for n, told in enumerate(early) for m in written(write, f"a{n}", told)]
    second = [m for n, told in enumerate(late) for m in written(write, f"b{n}", told)]
    whole = linker.link([*first, *second])
    before = linker.link(first)
    after = linker.link(second, known=known_of(before))
    labels: dict[MentionId, object] = {
        m: f"vault:{identity.identity_id}" for identity in before.identities for m in identity.mention_ids
    }
    for identity in after.identities:
        label = identity.entity_id or f"new:{identity.identity_id}"
        labels.update(dict.fromkeys(identity.mention_ids, label))
    assert partition(labels) == {identity.mention_ids for identity in whole.identities}
