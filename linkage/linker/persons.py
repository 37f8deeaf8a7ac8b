"""Persons as the corpus sees them: those of the documents, and those known before."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.people import LocalPerson, Person
from linkage.constraints import Evidence
from linkage.linker.forms import FormTable
from linkage.records import DocumentId, EntityId, KnownIdentity, MentionId, NormalizedMention


def marks_of_documents(
    mentions: Sequence[NormalizedMention], known: Sequence[KnownIdentity]
) -> dict[int, frozenset[str]]:
    """What each document is about, by the numbers that documents and known people have below."""
    found: dict[DocumentId, set[str]] = defaultdict(set)
    documents: dict[DocumentId, int] = {}  # numbered as they come
    for mention in mentions:
        documents.setdefault(mention.mention.doc_id, len(documents))
        if marks := mention.context.marks:
            found[mention.mention.doc_id] |= marks
    result = {documents[doc_id]: frozenset(marks) for doc_id, marks in found.items()}
    for position, identity in enumerate(known):
        if identity.marks:
            result[len(mentions) + position] = identity.marks
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


def with_further_documents(
    persons: Iterable[Person], mentions: Sequence[NormalizedMention], further: Mapping[MentionId, int]
) -> None:
    """Note with the person of each of these mentions in how many further documents the person is."""
    for person in persons:
        person.further_documents = sum(further.get(mentions[m].mention_id, 0) for m in person.mentions)


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
        evidence = Evidence(None, ids, set(identity.attributes), set(identity.roles))
        persons.append(
            Person(f"\x00{identity.entity_id}", documents, [], dict.fromkeys(numbers, 1), evidence, kind,
                   entity=identity.entity_id)
        )  # fmt: skip
    return persons
