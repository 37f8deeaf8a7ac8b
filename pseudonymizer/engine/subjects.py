"""The subject of a text: the person whose secret number of days shifts the dates of the text."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from linkage.records import DocumentId, EntityId, MentionId
from pseudonymizer.engine.records import PartPlaces

NOBODY: Final = EntityId("")
# Kinds of facts that tell whom a text is about. A telephone number, a mail address or a street may be that
# of whoever writes it.
FACTS_OF_SUBJECTS: Final = frozenset({"birth_date", "bsn", "dossier"})
_Unit = tuple[DocumentId, int]  # the text, and the row of its tables, from 0; 0 without a table


class Named(NamedTuple):
    """A person at one mention. facts: how many FACTS_OF_SUBJECTS the text tells of the person."""

    person: EntityId
    facts: int


class Subjects:
    """The person whom each text is about, and in a table each row.

    That is the person of whom most facts are told (birth date, citizen number, number of a file); of several
    the one who is named most often; of several still the one who is named first.
    """

    def __init__(self, parts: Iterable[PartPlaces], named: Callable[[MentionId], Named]) -> None:
        weights: dict[_Unit, dict[EntityId, tuple[int, int]]] = {}
        for part in parts:
            for start, _, mention_id in part.mentions:
                person, facts = named(mention_id)
                of_unit = weights.setdefault(_unit(part, start), {})
                told, times = of_unit.get(person, (0, 0))
                of_unit[person] = told + facts, times + 1
        # max gives the first of several equal ones.
        self._subjects = {
            unit: max(people, key=lambda person: people[person]) for unit, people in weights.items()
        }

    def at(self, part: PartPlaces, start: int) -> EntityId:
        """The person whom the text is about at this offset, in code points; NOBODY where it names nobody."""
        return self._subjects.get(_unit(part, start), NOBODY)


def _unit(part: PartPlaces, start: int) -> _Unit:
    return part.unit, max(bisect_right(part.rows, start) - 1, 0)
