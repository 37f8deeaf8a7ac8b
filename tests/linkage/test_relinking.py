"""What one go over everything finds, beside what is known."""

from collections.abc import Callable, Iterable, Sequence

import pytest

from linkage import relinking
from linkage.errors import TooManyMentionsError
from linkage.linker.earlier_runs import link_with_earlier
from linkage.records import (
    Beyond,
    EntityId,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    NormalizedMention,
    UnclearSighting,
)
from linkage.relinking import FoundAnew, KeptMentions, OpenAnew, found_anew
from linkage.review import Judgement
from linkage.sightings import known_people
from tests.fakes import linkage_result

TEXTS = {"a": "Jan Tolsma en Els Kok", "b": "Jan Tolsma", "c": "J. Tolsma"}
RESULT = linkage_result(
    TEXTS, [[("a", "Jan Tolsma"), ("c", "J. Tolsma")], [("b", "Jan Tolsma")], [("a", "Els Kok")]]
)


def met() -> tuple[KnownIdentity, ...]:
    """Its people, as known ones. Made anew each time: other tests count the known people in memory."""
    return known_people(RESULT, {i.identity_id: EntityId(i.identity_id) for i in RESULT.identities})


class Grouping:
    """A linker by whose word a mention is a person's."""

    def __init__(self, person_of: Callable[[NormalizedMention], str], unclear: str = "") -> None:
        self.person_of, self.unclear = person_of, unclear

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        del judgements

        def resolve(
            everything: tuple[NormalizedMention, ...],
            known: Sequence[KnownIdentity],
            judgements: Sequence[Judgement],
            *,
            beyond: Beyond | None,
        ) -> LinkageResult:
            del known, judgements, beyond
            groups: dict[str, list[NormalizedMention]] = {}
            for mention in everything:
                groups.setdefault(self.person_of(mention), []).append(mention)
            ids = {person: IdentityId(f"p{n:06d}") for n, person in enumerate(groups, start=1)}
            return LinkageResult(
                everything,
                tuple(
                    Identity(
                        ids[person],
                        frozenset(m.mention_id for m in members),
                        candidates=tuple(i for p, i in ids.items() if p != person)
                        if person == self.unclear
                        else (),
                    )
                    for person, members in groups.items()
                ),
            )

        return link_with_earlier(mentions, known, (), resolve)


def told(found: FoundAnew) -> list[tuple[tuple[str, ...], dict[str, int]]]:
    return sorted(
        (person.entities, {owner: len(ids) for owner, ids in person.parts.items()}) for person in found.people
    )


def test_nothing_is_otherwise_where_one_go_finds_the_same() -> None:
    owners = KeptMentions.of(met()).owners
    found = found_anew(met(), Grouping(lambda mention: owners[mention.mention_id]))
    assert told(found) == [(("i0",), {}), (("i1",), {}), (("i2",), {})]
    assert found.questions == ()
    assert len(found.mention_of) == 4


def test_who_is_one_person_and_what_is_somebody_elses() -> None:
    by_surname = Grouping(lambda m: m.name.family or "")
    assert told(found_anew(met(), by_surname)) == [(("i0", "i1"), {}), (("i2",), {})]
    by_form = Grouping(lambda m: m.mention.surface)
    # Of the two mentions of the first person one holds, the other is the second's.
    found = found_anew(met(), by_form)
    assert told(found) == [(("i0",), {}), (("i1",), {"i0": 1}), (("i2",), {})]
    (other,) = [person for person in found.people if "i1" in person.entities]
    assert [found.mention_of[m].mention.surface for m in other.parts[EntityId("i0")]] == ["Jan Tolsma"]
    by_place = Grouping(lambda m: m.mention_id)
    assert told(found_anew(met(), by_place))[0] == ((), {"i0": 1})
    assert "Tolsma" not in repr(found)


def test_a_mention_that_may_mean_several_asks_of_each() -> None:
    found = found_anew(met(), Grouping(lambda m: m.mention.surface, unclear="J. Tolsma"))
    (unclear,) = [n for n, person in enumerate(found.people) if person.is_unclear]
    assert {(q.left, q.right, q.may_be) for q in found.questions} == {
        (unclear, other, True) for other in range(3) if other != unclear
    }


def test_of_a_mention_that_was_given_to_two_the_ambiguous_one_holds() -> None:
    first, *others = met()
    (sighting, *_) = first.sightings
    ambiguous = UnclearSighting(EntityId("u"), sighting)
    kept = KeptMentions.of([first, KnownIdentity(EntityId("x"), (), unclear=(ambiguous,)), *others])
    assert sorted(kept.owners.values()) == ["i0", "i1", "i2", "u"]
    assert kept.unclear == {"u"}


def test_nobody_and_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_anew((), Grouping(lambda m: m.mention.surface)) == FoundAnew()
    monkeypatch.setattr(relinking, "MOST_SIGHTINGS", 3)
    with pytest.raises(TooManyMentionsError, match="4 mentions"):
        found_anew(met(), Grouping(lambda m: m.mention.surface))


def test_an_open_link_is_told_once_between_two_people() -> None:
    result = linkage_result(TEXTS, [[("a", "Jan Tolsma")], [("c", "J. Tolsma")]], open_links=[(0, 1, 0.7)])
    known = known_people(result, {i.identity_id: EntityId(i.identity_id) for i in result.identities})

    class Fixed:
        def link(
            self, mentions: Iterable[NormalizedMention], *, known: Sequence[KnownIdentity] = ()
        ) -> LinkageResult:
            del mentions, known
            return result

    (question,) = found_anew(known, Fixed()).questions
    assert (question.left, question.right, question.may_be) == (0, 1, False)
    assert question.link is not None
    assert question.link.match_probability == 0.7
    assert OpenAnew(0, 1) == OpenAnew(0, 1)
