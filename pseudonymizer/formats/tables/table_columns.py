"""A column of a table while its rows come in: where its cells stand, what they hold, which are names."""

from dataclasses import dataclass, field
from typing import Final

from linkage.detection import finder_of
from linkage.detection.columns import SAMPLE, column_kind, may_be_name
from linkage.kinds import PERSON
from linkage.language import Language
from linkage.records import Span
from linkage.texts import KindId
from pseudonymizer.formats.records import Column, FormatOptions
from pseudonymizer.formats.tables.name_fields import NameField, header_of
from pseudonymizer.formats.tree.textmap import TextBuilder

_MOST_VALUES: Final = 10 * SAMPLE  # filled cells of which a column keeps the values
# Shares of the values, 0 to 1; set, not measured.
_MOSTLY_NAMES: Final = 0.8  # so many can be names: those in small letters are names, too
_CHOSEN_NAMES: Final = 0.5  # of a chosen column whose header says nothing: it is one of names


@dataclass(slots=True)
class ColumnCells:
    """The cells of one column. role: what its header says of names; whole: spans that are one whole name."""

    title: str = field(repr=False)
    role: NameField | None = None
    is_chosen: bool = True
    cells: list[Span] = field(default_factory=list)
    titles: list[Span] = field(default_factory=list)
    values: list[str] = field(default_factory=list, repr=False)
    whole: list[Span] = field(default_factory=list)
    _parts: list[tuple[int, str]] = field(default_factory=list, repr=False)

    def add(self, span: Span, value: str, *, is_whole_name: bool = False) -> None:
        """A filled cell: where it stands and what it says. is_whole_name: it was put together of columns."""
        self.cells.append(span)
        if len(self.values) < _MOST_VALUES:
            self.values.append(value)
        if is_whole_name:
            self.whole.append(span)
        else:
            self._parts.append((span.start, value))

    def close(self, builder: TextBuilder, options: FormatOptions, *, were_chosen: bool) -> None:
        """Tell the builder the column, and the names in it. were_chosen: the user chose columns."""
        language = Language.load(options.language)
        given = options.kind_of_column(self.title)
        header = header_of(self.title, options.language)
        is_thing = header is not None and header.kind == PERSON and self.role is None
        found = column_kind(
            "" if is_thing else self.title, self.values, language, given=given, finder=finder_of(options.own)
        )
        kind = found.kind
        is_told = given is not None or (header is not None and not is_thing)
        if self.is_chosen and options.name_columns:
            kind = self._add_names(builder, language, kind, is_wanted=were_chosen and not is_told)
        builder.column(Column(self.title, tuple(self.cells), tuple(self.titles), kind, self.is_chosen))

    def _add_names(
        self, builder: TextBuilder, language: Language, kind: KindId | None, *, is_wanted: bool
    ) -> KindId | None:
        """The kind of the column, once its names are told. is_wanted: chosen, by no header known."""
        if kind != PERSON and not (is_wanted and kind is None):
            return kind
        share = self._share(language)
        if kind is None and share < _CHOSEN_NAMES:
            return None
        kind = PERSON
        for span in self.whole:
            builder.name(span.start, span.end)
        needs_capital = self.role is NameField.FULL and share < _MOSTLY_NAMES
        for begin, value in self._parts:
            if self.role is not NameField.PARTICLE and may_be_name(
                value, language, with_capital=needs_capital
            ):
                start, end = _trimmed(value)
                builder.name(begin + start, begin + end)
        return kind

    def _share(self, language: Language) -> float:
        """The share of the values that can be names with a capital, 0 to 1."""
        if not self.values:
            return 0.0
        return sum(may_be_name(value, language) for value in self.values) / len(self.values)


def _trimmed(value: str) -> tuple[int, int]:
    """The value without white space around it, and without quotes of another kind ('Jan'); nothing if no
    name."""
    inner = value.strip()
    if len(inner) > 2 and inner[0] in "'\u2018" and inner[-1] in "'\u2019":
        inner = inner[1:-1]
    if not any(c.isalpha() for c in inner):
        return 0, 0
    start = value.find(inner)
    return start, start + len(inner)
