"""Addresses, user names, links and paths that carry the name of a person, written with the person's label."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from linkage.records import PERSON, EntityId
from pseudonymizer.engine.records import Label, LabelledPerson
from pseudonymizer.engine.spelled import PATH_PART, path_parts
from pseudonymizer.identifiers import IdentifierKind, IdentifierMatch, PersonIndex, follow, rewrite_path

# Written in place of a name in an identifier that fits several people, or a person who is not known.
SOMEBODY: Final = "iemand"


class Follower:
    """Finds the names of a corpus's people in identifiers, and gives the text to write there."""

    def __init__(self, people: Sequence[LabelledPerson]) -> None:
        self.index = PersonIndex((person.entity_id, person.names) for person in people)
        self._in_corpus = {person.entity_id: person.label for person in people if person.label != SOMEBODY}
        self._in_document: Mapping[EntityId, str] = {}
        self._kinds = {person.entity_id: person.kinds for person in people if person.kinds}
        self._kept: frozenset[EntityId] = frozenset()
        self._keep_domain = False

    def within(self, labels: Sequence[Label], *, keep_domain: bool = False) -> "Follower":
        """The follower for one document.

        A person whose label holds in the whole corpus has that label; any other person has the label that
        stands in this document. keep_domain: e-mail addresses keep their domain.
        """
        narrowed = Follower.__new__(Follower)
        narrowed.index, narrowed._kinds, narrowed._keep_domain = self.index, self._kinds, keep_domain
        narrowed._in_corpus = self._in_corpus
        narrowed._in_document = {
            label.entity_id: label.person or label.label
            for label in reversed(labels)
            if label.entity_id is not None and label.label is not None
        }
        narrowed._kept = frozenset(
            label.entity_id for label in labels if label.label is None and label.entity_id is not None
        )
        return narrowed

    def follow(self, found: IdentifierMatch) -> tuple[EntityId | None, str] | None:
        """(person, text to write) for an identifier; None where the person stays readable in this document.

        The person is None where the name fits several people or an unknown one.
        """
        entity_id = self._person(found.keys)
        if entity_id in self._kept:
            return None
        return entity_id, follow(found, self._label(entity_id, found.kind), keep_domain=self._keep_domain)

    def _label(self, entity_id: EntityId | None, kind: IdentifierKind) -> str:
        if entity_id is None:
            return SOMEBODY
        of_kind = self._kinds.get(entity_id, {}).get(kind.value)
        return of_kind or self._in_corpus.get(entity_id) or self._in_document.get(entity_id, SOMEBODY)

    def path(self, relative: str, labels: Sequence[Label] = ()) -> str:
        """The relative path with labels in place of names; suffixes stay.

        labels: those of the document that lies there; labels of the part PATH_PART tell places in the path.
        """
        in_path = [label for label in labels if label.part_id == PATH_PART]
        named = [
            (one.span, one.entity_id) for one in in_path if one.kind == PERSON and one.entity_id is not None
        ]
        values = [(one.span, one.label) for one in in_path if one.kind != PERSON and one.label is not None]

        def label_of(keys: tuple[object, ...]) -> str | None:
            entity_id = self._person(keys)
            return None if entity_id in self._kept else self._label(entity_id, IdentifierKind.PATH)

        return rewrite_path(
            PurePosixPath(relative), self.index, label_of, path_parts(named, relative),
            path_parts(values, relative),
        ).as_posix()  # fmt: skip

    @staticmethod
    def _person(keys: Sequence[object]) -> EntityId | None:
        return EntityId(str(keys[0])) if len(keys) == 1 else None
