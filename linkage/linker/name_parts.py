"""Names as an index keeps them: their parts as texts, "" for none, taken apart into folded words."""

from collections.abc import Sequence

from linkage.clustering.name_forms import read_through
from linkage.records import fold

Key = tuple[tuple[str, ...], ...]
SHORTEST_WORD = 4  # of a surname of several words, letters of one that may stand for it


class NameParts:
    """Takes parts of PersonName apart, equal texts once. The last two may be missing.

    It is forgotten with its index.
    """

    def __init__(self) -> None:
        self._folded: dict[str, tuple[str, ...]] = {}

    def words(self, text: str) -> tuple[str, ...]:
        """The folded words of a part."""
        words = self._folded.get(text)
        if words is None:
            words = self._folded[text] = tuple(read_through(fold(text)).split())
        return words

    def given(self, parts: Sequence[str]) -> tuple[str, ...]:
        """The words of the given names and of the nickname."""
        given = self.words(parts[0]) if parts[0] else ()
        return (*given, *self.words(parts[7])) if len(parts) > 7 and parts[7] else given

    def surnames(self, parts: Sequence[str]) -> list[str]:
        """The surnames without particles, each as a whole."""
        return [" ".join(self.words(family)) for family in (parts[3], parts[5]) if family]

    def words_in(self, parts: Sequence[str]) -> set[str]:
        """All words of a name but particles, and its surnames as a whole."""
        words = set(self.given(parts))
        for surname in self.surnames(parts):
            words.add(surname)
            if " " in surname:
                words.update(surname.split())
        return words

    def roles(self, parts: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        """The given names and the surnames of a name that has a surname, and a forename or its letters."""
        if not (parts[3] or parts[5]):
            return (), ()
        given = self.given(parts)
        return (given, self.surnames(parts)) if given or parts[1] else ((), ())

    def given_parts(self, parts: Sequence[str]) -> set[str]:
        """What blocking compares of given names: the whole, its words, and the nickname."""
        found = {" ".join(self.words(parts[0])), *self.words(parts[0])} if parts[0] else set()
        if len(parts) > 7 and parts[7]:
            found.add(" ".join(self.words(parts[7])))
        return found - {""}

    def family_parts(self, parts: Sequence[str]) -> set[str]:
        """What blocking compares of surnames: each whole, its longer words, and with its particle in one."""
        found: set[str] = set()
        for particle, family in ((parts[2], parts[3]), (parts[4], parts[5])):
            if not family:
                continue
            words = self.words(family)
            found.add(" ".join(words))
            if len(words) > 1:
                found.update([word for word in words if len(word) >= SHORTEST_WORD])
            if particle:
                found.add("".join((*self.words(particle), *words)))
        if parts[3] and parts[5]:
            found.add(" ".join((*self.words(parts[5]), *self.words(parts[3]))))
        return found - {""}

    def lone_word(self, parts: Sequence[str]) -> str | None:
        """The only word of a name, whether it seems a given name or a surname; the second of two given names,
        which may be a surname.
        """
        if parts[5] or (len(parts) > 7 and parts[7]) or bool(parts[0]) == bool(parts[3]):
            return None
        words = self.words(parts[0] or parts[3])
        return words[-1] if len(words) == 1 or (len(words) == 2 and parts[0]) else None

    def key(self, parts: Sequence[str]) -> Key:
        """Equal for names with equal folded parts."""
        key = tuple([self.words(part) if part else () for part in parts])
        while key and not key[-1]:
            key = key[:-1]
        return key
