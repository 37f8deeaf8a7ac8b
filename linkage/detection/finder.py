"""What finds values: the shipped kinds, or these with a user's own kinds and lists."""

from collections.abc import Collection
from functools import lru_cache

from linkage.detection.patterns import FoundValue, PatternTable
from linkage.kinds import REST, Kinds
from linkage.language import Language
from linkage.language_contents import installed_languages
from linkage.own_kinds import OwnValues
from linkage.texts import KindId, Span


class ValueFinder:
    """Finds values of kinds in texts. Its tables are compiled when they are first needed."""

    def __init__(self, own: OwnValues) -> None:
        """Raises SettingsError: the user's kinds or lists cannot be used like this."""
        self.own = own
        self.kinds: Kinds = own.all_kinds
        self._own_names = frozenset(one.name for one in own.kinds)
        self._first = self._own_names | own.always.keys()  # of whose values no other kind takes one
        self._tables: dict[tuple[Language, frozenset[KindId]], PatternTable] = {}

    def table(self, language: Language, wanted: frozenset[KindId]) -> PatternTable:
        """The compiled patterns of these kinds, made once for each language and choice of kinds."""
        key = language, wanted
        if key not in self._tables:
            self._tables[key] = PatternTable(self.kinds, language, wanted, self.own)
        return self._tables[key]

    def find(
        self,
        text: str,
        language: Language,
        *,
        kinds: Collection[KindId] | None = None,
        column: KindId | None = None,
        persons: Collection[Span] | None = None,
    ) -> tuple[FoundValue, ...]:
        """The values in text, in its order and without overlap.

        kinds: those that are told; None: all that have patterns. What a value is does not depend on them: a
        date that is a birth date is not told as a date. column: the kind of the column of a table in which
        the text stands. persons: where text mentions persons; None: nobody has looked, and a word with a
        capital counts as a name before a value that needs one.

        Raises:
            KindsError: the tables of kinds or of the language are damaged, or a pattern of the user's is too
                slow for this text.
            SettingsError: a pattern of the user's cannot be used.
        """
        if kinds is None:
            every = frozenset(self.kinds)
            return self.table(language, every).find(text, column=column, persons=persons)
        told = frozenset(kinds)
        found = self.table(language, self._with_rivals(told)).find(text, column=column, persons=persons)
        return tuple(value for value in found if value.kind in told)

    def _with_rivals(self, told: frozenset[KindId]) -> frozenset[KindId]:
        """The kinds that are looked for where these are told: those that a value of theirs may be instead.

        A kind for what no other kind holds has every other kind for a rival. A user's own kind, or list,
        goes before any.
        """
        if REST in told:
            return frozenset(self.kinds)
        return told | self._first | {key for key, kind in self.kinds.items() if kind.like in told}

    def refuse_wrong(self) -> None:
        """Nothing where each kind of the user's can be used: its patterns compile, and are quick.

        Raises:
            SettingsError: one cannot; the message names file and line.
        """
        for code in installed_languages() if self.own.kinds else ():
            for pattern in self.table(Language.load(code), self._own_names).own_patterns:
                pattern.refuse_slow()


@lru_cache(maxsize=8)
def finder_of(own: OwnValues) -> ValueFinder:
    """The finder of the shipped kinds with what a user adds to them. One process makes it once.

    Raises:
        SettingsError: the user's kinds or lists cannot be used like this.
    """
    return ValueFinder(own)


def shipped_finder() -> ValueFinder:
    """The finder of the shipped kinds alone."""
    return finder_of(_NOTHING)


_NOTHING = OwnValues()


def find_values(
    text: str,
    language: Language,
    *,
    kinds: Collection[KindId] | None = None,
    column: KindId | None = None,
    persons: Collection[Span] | None = None,
) -> tuple[FoundValue, ...]:
    """The values of shipped kinds in text; see ValueFinder.find.

    Raises:
        KindsError: the tables of kinds or of the language are damaged.
    """
    return shipped_finder().find(text, language, kinds=kinds, column=column, persons=persons)
