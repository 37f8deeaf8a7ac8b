"""Persons as the corpus sees them: those of the documents, those known before, and what people decided."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from linkage.clustering.document import LocalPerson
from linkage.clustering.evidence import MARK_KIND, Evidence, values_of
from linkage.clustering.names import NameForm, NameKind
from linkage.clustering.people import Person
from linkage.linker.forms import FormTable
from linkage.records import DocumentId, EntityId, KnownIdentity, NormalizedMention
from linkage.review import Judgement, Verdict
from linkage.sightings import APART_KIND, SIGHTING_KIND, UNCLEAR_KIND

# Attributes of a known person that are no evidence of it.
_KEPT_KINDS = frozenset({MARK_KIND, SIGHTING_KIND, UNCLEAR_KIND, APART_KIND})


def marks_of_documents(
    mentions: Sequence[NormalizedMention], known: Sequence[KnownIdentity]
) -> dict[int, frozenset[str]]:
    """What each document is about, by the numbers that documents and known people have below."""
    found: dict[DocumentId, set[str]] = defaultdict(set)
    documents: dict[DocumentId, int] = {}  # numbered as they come
    for mention in mentions:
        documents.setdefault(mention.mention.doc_id, len(documents))
        marks = values_of(mention.context.attributes, MARK_KIND)
        if marks:
            found[mention.mention.doc_id] |= marks
    result = {documents[doc_id]: frozenset(marks) for doc_id, marks in found.items()}
    for position, identity in enumerate(known):
        if marks := values_of(identity.attributes, MARK_KIND):
            result[len(mentions) + position] = frozenset(marks)
    return result


def placed(local: Sequence[LocalPerson], document: int, offset: int) -> list[Person]:
    """The people of one document, whose mentions are numbered in the order of the documents."""
    return [
        Person(
            f"{min(person.mentions):012d}", {document}, person.mentions, person.forms,
            person.evidence, person.kind, tuple(c + offset for c in person.candidates),
            {a + offset for a in person.apart},
        )
        for person in local
    ]  # fmt: skip


def known_persons(
    known: Sequence[KnownIdentity],
    table: FormTable,
    forms: Sequence[NameForm],
    person_ids: set[str],
    *,
    first_document: int,
) -> list[Person]:
    """Known people as persons without mentions; whom they were seen with is a document of two.

    Where mentions carry ids of a registry that is among the known people, those ids decide.
    """
    registry_ids = {k.entity_id for k in known} if person_ids & {str(k.entity_id) for k in known} else set()
    persons: list[Person] = []
    meetings: dict[frozenset[EntityId], int] = {}
    for identity in known:
        numbers = sorted({table.number_of[name] for name in identity.names})
        documents = {
            first_document
            + len(known)
            + meetings.setdefault(frozenset((identity.entity_id, other)), len(meetings))
            for other in sorted(identity.seen_with)
        }
        documents.add(first_document + len(persons))
        kind = max((forms[f].kind for f in numbers), default=NameKind.LETTERS)
        ids = {str(identity.entity_id)} if identity.entity_id in registry_ids else set()
        attributes = {a for a in identity.attributes if a[0] not in _KEPT_KINDS}
        evidence = Evidence(None, ids, attributes)
        persons.append(
            Person(f"\x00{identity.entity_id}", documents, [], dict.fromkeys(numbers, 1), evidence, kind,
                   entity=identity.entity_id)
        )  # fmt: skip
    return persons


def _held_apart(
    left: Collection[int],
    right: Collection[int],
    persons: Sequence[Person],
    rejected: Sequence[tuple[int, int]],
) -> bool:
    """Whether what is decisive speaks against an accepted pair: a rejection, the text, an id, a birth date.

    A verdict may overrule a guess, such as the gender of a name, but joins nobody whom others hold apart.
    """
    if any((a in left and b in right) or (a in right and b in left) for a, b in rejected):
        return True
    return any(
        b in persons[a].apart
        or persons[a].evidence.excludes(persons[b].evidence, by_gender=False, by_side=False)
        for a in left
        for b in right
    )


def judged_persons(
    persons: Sequence[Person], mentions: Sequence[NormalizedMention], judgements: Sequence[Judgement]
) -> list[Person]:
    """Persons with what people decided: accepted pairs are one person, rejected ones stand apart."""
    holder = {
        mentions[m].mention_id: number for number, person in enumerate(persons) for m in person.mentions
    }
    parent = list(range(len(persons)))

    def root(number: int) -> int:
        while parent[number] != number:
            number = parent[number]
        return number

    rejected: list[tuple[int, int]] = []
    accepted_pairs: list[tuple[int, int]] = []
    for judgement in judgements:
        if judgement.left_mention is None or judgement.right_mention is None:
            continue  # a judgement of two forms, which changes the score of the forms
        left, right = holder.get(judgement.left_mention), holder.get(judgement.right_mention)
        if left is None or right is None:
            continue
        pair = (min(left, right), max(left, right))
        (accepted_pairs if judgement.verdict is Verdict.ACCEPT else rejected).append(pair)
    members: dict[int, set[int]] = {number: {number} for number in range(len(persons))}
    for left, right in sorted(set(accepted_pairs)):
        first, second = sorted((root(left), root(right)))
        if first != second and not _held_apart(members[first], members[second], persons, rejected):
            parent[second] = first
            members[first] |= members.pop(second)
    roots = [root(number) for number in range(len(persons))]
    place = {number: n for n, number in enumerate(sorted(set(roots)))}
    sizes = Counter(roots)
    merged: dict[int, Person] = {}
    for number, person in enumerate(persons):
        into = merged.get(roots[number])
        candidates = tuple(sorted({place[roots[c]] for c in person.candidates}))
        apart = {place[roots[a]] for a in person.apart}
        if into is None:
            accepted = sizes[roots[number]] > 1
            merged[roots[number]] = replace(person, candidates=() if accepted else candidates, apart=apart)
            continue
        forms = dict(into.forms)
        for form, count in person.forms.items():
            forms[form] = forms.get(form, 0) + count
        into.evidence.add(person.evidence)
        merged[roots[number]] = replace(
            into,
            order=min(into.order, person.order),
            documents=into.documents | person.documents,
            mentions=into.mentions + person.mentions,
            forms=forms,
            kind=max(into.kind, person.kind),
            apart=into.apart | apart,
        )
    result = [merged[number] for number in sorted(merged)]
    for left, right in rejected:
        a, b = place[roots[left]], place[roots[right]]
        if a != b:
            result[a].apart.add(b)
            result[b].apart.add(a)
            for one, other in ((a, b), (b, a)):
                kept = tuple(c for c in result[one].candidates if c != other)
                if kept != result[one].candidates:
                    result[one] = replace(result[one], candidates=kept)
    return result
