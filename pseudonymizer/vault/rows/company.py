"""Who shares a rewritten document with whom, in columns: a project may have millions of such pairs."""

from array import array
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from pseudonymizer.records import EntityKind
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys

if TYPE_CHECKING:
    import numpy
    import numpy.typing as npt

_MOST_COMPANY: Final = 50  # people; a document that names more says nothing of who goes with whom


_VALUE: Final = int(EntityKind.VALUE)
_EDITS: Final = (  # without values in the project, and with
    "SELECT document_id, entity_id FROM edit WHERE project_id = ? AND entity_id > 0 ORDER BY document_id",
    "SELECT d.document_id, d.entity_id FROM edit d JOIN entity e ON e.entity_id = d.entity_id "  # noqa: S608
    f"WHERE d.project_id = ? AND d.entity_id > 0 AND e.kind <> {_VALUE} ORDER BY d.document_id",
)
_DOCUMENT: Final = itemgetter(0)
_PERSON: Final = itemgetter(1)


class Company:
    """The people of each document, and the documents of each person."""

    __slots__ = ("_documents", "_first_person", "_first_place", "_numbers", "_people")

    def __init__(self, documents: Iterable[Iterable[int]]) -> None:
        """documents: the numbers of the people in each. Documents of one person, or of very many, are left
        out."""
        import numpy as np  # known people alone need it, and whoever reads them links them with it

        people, first_person = array("q"), array("q", [0])
        for document in documents:
            together = set(document)
            if 1 < len(together) <= _MOST_COMPANY:
                people.extend(sorted(together))
                first_person.append(len(people))
        self._people: npt.NDArray[numpy.int64] = np.array(people, dtype=np.int64)
        self._first_person: npt.NDArray[numpy.int64] = np.array(first_person, dtype=np.int64)
        numbered = np.repeat(np.arange(len(first_person) - 1, dtype=np.int32), np.diff(self._first_person))
        by_person = np.argsort(self._people, kind="stable")
        self._documents: npt.NDArray[numpy.int32] = numbered[by_person]
        self._numbers, first = np.unique(self._people[by_person], return_index=True)
        self._first_place: npt.NDArray[numpy.int64] = np.append(first, len(people))

    def of(self, number: int) -> set[int]:
        """The numbers of those who share a document with this person."""
        place = int(self._numbers.searchsorted(number))
        if place == len(self._numbers) or self._numbers[place] != number:
            return set()
        found: set[int] = set()
        for document in self._documents[self._first_place[place] : self._first_place[place + 1]]:
            found.update(
                self._people[self._first_person[document] : self._first_person[document + 1]].tolist()
            )
        found.discard(number)
        return found


def read_company(vault: VaultCore, keys: ProjectKeys) -> Company:
    """The company of a project, from the edits of its documents that belong to no value of another kind.

    Which entities are values is read from their rows without a check: their reader checks them all.
    """
    with vault.store.streaming(_EDITS[_has_values(vault, keys)], (keys.project_id,)) as rows:
        return Company(map(_PERSON, group) for _, group in groupby(rows, key=_DOCUMENT))


def _has_values(vault: VaultCore, keys: ProjectKeys) -> bool:
    found = vault.store.scalar(
        "SELECT 1 FROM entity WHERE project_id = ? AND kind = ? LIMIT 1", (keys.project_id, _VALUE)
    )
    return found is not None
