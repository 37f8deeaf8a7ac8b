"""Addresses, user names and file names follow the pseudonym of the person whose name they carry."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from linkage.records import EntityId
from pseudonymizer.batch.tasks import Label, LabelledPerson
from pseudonymizer.identifiers import IdentifierMatch, PersonIndex, follow, rewrite_path

# Written where a name in an address fits several people, or somebody who is not known: it must not stay.
SOMEBODY: Final = "iemand"


class Follower:
    """The labelled people of a corpus, and what to write in place of their names in identifiers."""

    def __init__(self, people: Sequence[LabelledPerson]) -> None:
        self.index = PersonIndex((person.entity_id, person.names) for person in people)
        self._labels: Mapping[EntityId, str] = {person.entity_id: person.label for person in people}

    def within(self, labels: Sequence[Label]) -> "Follower":
        """The same for one document, whose own labels come first: they may reach no further."""
        narrowed = Follower.__new__(Follower)
        narrowed.index = self.index
        own = {label.entity_id: label.label for label in reversed(labels) if label.entity_id is not None}
        narrowed._labels = {**self._labels, **own} if own else self._labels
        return narrowed

    def follow(self, found: IdentifierMatch) -> tuple[EntityId | None, str]:
        """(the one person whose name it is, what to write)."""
        entity_id = self._person(found.keys)
        label = SOMEBODY if entity_id is None else self._labels.get(entity_id, SOMEBODY)
        return entity_id, follow(found, label)

    def path(self, relative: str) -> str:
        """A relative path with the names of people in it replaced; suffixes stay."""

        def label_of(keys: tuple[object, ...]) -> str:
            entity_id = self._person(keys)
            return SOMEBODY if entity_id is None else self._labels.get(entity_id, SOMEBODY)

        return rewrite_path(PurePosixPath(relative), self.index, label_of).as_posix()

    @staticmethod
    def _person(keys: Sequence[object]) -> EntityId | None:
        return EntityId(str(keys[0])) if len(keys) == 1 else None
