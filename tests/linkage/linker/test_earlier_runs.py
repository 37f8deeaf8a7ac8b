"""What puts people together sees the mentions and judgements of both runs; the result is the later one's."""

from collections.abc import Sequence
from dataclasses import replace

from linkage.linker.earlier_runs import link_with_earlier
from linkage.records import (
    Beyond,
    EntityId,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
)
from linkage.review import Judgement, Verdict
from linkage.sightings import known_people
from tests.linkage.linker.linker_fakes import Writer

FENNA = PersonName(given="Fenna", family="Woudstra")


class OnePerson:
    """Takes all mentions for one person, and keeps what it was given."""

    def __init__(self) -> None:
        self.mentions: list[MentionId] = []
        self.beyond: Beyond | None = None
        self.known: list[EntityId] = []
        self.judged: set[tuple[MentionId | None, MentionId | None, Verdict]] = set()

    def __call__(
        self,
        everything: tuple[NormalizedMention, ...],
        known: Sequence[KnownIdentity],
        judgements: Sequence[Judgement],
        *,
        beyond: Beyond | None,
    ) -> LinkageResult:
        self.beyond = beyond
        self.mentions = [m.mention_id for m in everything]
        self.known = [k.entity_id for k in known]
        self.judged |= {(j.left_mention, j.right_mention, j.verdict) for j in judgements}
        return LinkageResult(everything, (Identity(IdentityId("p1"), frozenset(self.mentions)),))


def test_mentions_and_judgements_of_both_runs_are_put_together() -> None:
    write = Writer()
    early, again, late = write("e1", FENNA), write("e2", FENNA), write("l1", FENNA)
    accepted = Judgement("a", "b", Verdict.ACCEPT, early.mention_id, again.mention_id)
    known = known_people(link_with_earlier([early, again], (), [accepted], OnePerson()))
    stranger = KnownIdentity(EntityId("registry:7"), (PersonName(given="Piet", family="Kok"),))
    resolve = OnePerson()
    rejected = Judgement("a", "b", Verdict.REJECT, early.mention_id, late.mention_id)
    result = link_with_earlier([late], [*known, stranger], [rejected], resolve)
    assert sorted(resolve.mentions) == sorted(m.mention_id for m in (early, again, late))
    assert resolve.known == ["registry:7"]
    assert resolve.judged == {
        (early.mention_id, again.mention_id, Verdict.ACCEPT),
        (early.mention_id, late.mention_id, Verdict.REJECT),
    }
    (person,) = result.identities
    assert person.mention_ids == {late.mention_id}
    assert person.entity_id is None  # told apart from the one whom the earlier mention was given to
    assert result.mention(late.mention_id).context.judged


def test_documents_of_a_person_that_are_not_here_are_counted_with_the_form_that_most_documents_have() -> None:
    write = Writer()
    fuller = PersonName(given="Fenna", family="Woudstra", particle="van")
    early = [write("e1", fuller), write("e2", FENNA), write("e3", FENNA)]
    (person,) = known_people(link_with_earlier(early, (), (), OnePerson()))
    resolve = OnePerson()
    later = [write("l1", FENNA)]
    link_with_earlier(
        later, [replace(person, further_documents=7)], (), resolve, Beyond(words={"woudstra": 9})
    )
    assert resolve.beyond == Beyond(words={"woudstra": 9}, further={early[1].mention_id: 7})
    link_with_earlier(later, [person], (), resolve)
    assert resolve.beyond is None


def test_without_earlier_runs_the_result_is_that_of_the_run() -> None:
    write = Writer()
    mentions = [write("l1", FENNA), write("l2", FENNA)]
    resolve = OnePerson()
    result = link_with_earlier(mentions, (), (), resolve)
    assert result.mentions == tuple(mentions)
    assert resolve.judged == set()
