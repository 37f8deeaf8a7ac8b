"""Addresses, user names and file names follow the pseudonym of the person whose name they carry."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from linkage.records import EntityId
from pseudonymizer.engine.records import Label, LabelledPerson
from pseudonymizer.engine.spelled import PATH_PART, path_parts
from pseudonymizer.identifiers import IdentifierKind, IdentifierMatch, PersonIndex, follow, rewrite_path

# Written where a name in an address fits several people, or somebody who is not known: it must not stay.
SOMEBODY: Final = "iemand"


class Follower:
    """The labelled people of a corpus, and what to write in place of their names in identifiers."""

    def __init__(self, people: Sequence[LabelledPerson]) -> None:
        self.index = PersonIndex((person.entity_id, person.names) for person in people)
        self._labels: Mapping[EntityId, str] = {person.entity_id: person.label for person in people}
        self._kinds = {person.entity_id: person.kinds for person in people if person.kinds}
        self._kept: frozenset[EntityId] = frozenset()
        self._keep_domain = False

    def within(self, labels: Sequence[Label], *, keep_domain: bool = False) -> "Follower":
        """The same for one document. Its own labels hold for those who have none in the whole corpus."""
        narrowed = Follower.__new__(Follower)
        narrowed.index, narrowed._kinds, narrowed._keep_domain = self.index, self._kinds, keep_domain
        own = {
            label.entity_id: label.person or label.label
            for label in reversed(labels)
            if label.entity_id is not None and label.label is not None
        }
        reaching = {entity: label for entity, label in self._labels.items() if label != SOMEBODY}
        narrowed._labels = {**own, **reaching} if own else self._labels
        narrowed._kept = frozenset(
            label.entity_id for label in labels if label.label is None and label.entity_id is not None
        )
        return narrowed

    def follow(self, found: IdentifierMatch) -> tuple[EntityId | None, str] | None:
        """(the one person whose name it is, what to write); None where that person stays readable."""
        entity_id = self._person(found.keys)
        if entity_id in self._kept:
            return None
        return entity_id, follow(found, self._label(entity_id, found.kind), keep_domain=self._keep_domain)

    def _label(self, entity_id: EntityId | None, kind: IdentifierKind) -> str:
        if entity_id is None:
            return SOMEBODY
        of_kind = self._kinds.get(entity_id, {}).get(kind.value)
        return of_kind or self._labels.get(entity_id, SOMEBODY)

    def path(self, relative: str, labels: Sequence[Label] = ()) -> str:
        """A relative path with the names of people in it replaced; suffixes stay. labels: of its document,
        those in the path among them.
        """
        named = [(one.span, one.entity_id) for one in labels if one.part_id == PATH_PART and one.entity_id]

        def label_of(keys: tuple[object, ...]) -> str | None:
            entity_id = self._person(keys)
            return None if entity_id in self._kept else self._label(entity_id, IdentifierKind.PATH)

        return rewrite_path(
            PurePosixPath(relative), self.index, label_of, path_parts(named, relative)
        ).as_posix()

    @staticmethod
    def _person(keys: Sequence[object]) -> EntityId | None:
        return EntityId(str(keys[0])) if len(keys) == 1 else None
