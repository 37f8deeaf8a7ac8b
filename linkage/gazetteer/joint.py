"""Lists of several languages as one, by which names are compared that stand in texts of these languages."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from linkage.gazetteer.entries import GivenName, Surname, Variant, WordUse
from linkage.gazetteer.lookup import Gazetteer
from linkage.records import Gender

_Entry = TypeVar("_Entry", GivenName, Surname)


class JointGazetteer(Gazetteer):
    """Answers of several gazetteers about one name or word.

    Of a name that more than one has, the entry with the most bearers counts; of a word, the commonest use.
    Variants are those of each. Titles, particles, cues and markers are those of the first.
    """

    def __init__(self, gazetteers: Sequence[Gazetteer]) -> None:
        super().__init__(gazetteers[0].language)
        self._all = tuple(gazetteers)

    def given_name(self, text: str) -> GivenName | None:
        return _most_borne(one.given_name(text) for one in self._all)

    def is_given_name(self, text: str) -> bool:
        return any(one.is_given_name(text) for one in self._all)

    def gender(self, text: str) -> Gender | None:
        """Gender that a given name has in each language that knows it; BOTH where it is not one."""
        genders = {gender for one in self._all if (gender := one.gender(text)) is not None}
        return genders.pop() if len(genders) == 1 else Gender.BOTH if genders else None

    def surname(self, text: str) -> Surname | None:
        return _most_borne(one.surname(text) for one in self._all)

    def word_use(self, text: str) -> WordUse:
        return max((one.word_use(text) for one in self._all), key=lambda use: use.zipf)

    def is_word(self, text: str) -> bool:
        return any(one.is_word(text) for one in self._all)

    def variants(self, text: str) -> tuple[Variant, ...]:
        return tuple(dict.fromkeys(found for one in self._all for found in one.variants(text)))

    def full_forms(self, text: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(found for one in self._all for found in one.full_forms(text)))


def _most_borne(entries: Iterable[_Entry | None]) -> _Entry | None:
    known = [entry for entry in entries if entry is not None]
    return max(known, key=lambda entry: entry.frequency, default=None)
