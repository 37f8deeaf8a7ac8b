"""The columns of the tables in a file, each with the kind that it is thought to have, without its values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from linkage.detection import finder_of
from linkage.detection.columns import ColumnKind, Why, column_kind
from linkage.kinds import PERSON
from linkage.language import Language
from linkage.records import Mention
from linkage.texts import KindId
from pseudonymizer import confined
from pseudonymizer.engine.engine import Engine, Source
from pseudonymizer.engine.records import SourceFailure
from pseudonymizer.engine.sources import read_file
from pseudonymizer.engine.table_mentions import MOSTLY_NAMES, share_of_names
from pseudonymizer.errors import UntreatedDocumentError
from pseudonymizer.formats import Column, FormatOptions, ParsedFile

_NAMES_BY_VALUES: Final = 0.99  # times the share of cells with a name: confidence, 0 to 1; set, not measured


@dataclass(frozen=True, slots=True)
class FoundColumn:
    """A column of a table. position: from 1, over all tables of the file in their order.

    title: what its header says; "" without a header, and where it is a name of a person. cells: how many are
    filled. kind, why, share, confidence: see linkage.detection.columns.ColumnKind.
    """

    position: int
    title: str = field(repr=False)
    cells: int
    kind: KindId | None
    why: str
    share: float
    confidence: float


def columns_of(engine: Engine, source: Source, options: FormatOptions) -> tuple[FoundColumn, ...]:
    """The columns of a file; of a large one, those of its first unit. Nothing is stored.

    Raises:
        UntreatedDocumentError: the file cannot be read.
    """
    (outcome,) = engine.find([source])
    if isinstance(outcome, SourceFailure):
        raise UntreatedDocumentError(f"{outcome.error}: {outcome.reason}")
    mentions: Mapping[str, Sequence[Mention]] = {
        part.part_id: [found.mention for found in part.mentions] for part in outcome.parts
    }
    told: list[FoundColumn] = []
    for part in _parsed(source, options).parts:
        names = {mention.surface for mention in mentions.get(part.part_id, ())}
        for column in part.columns:
            title = "" if column.title in names else column.title
            guess = _guess(column, part.text, mentions.get(part.part_id, ()), options)
            told.append(
                FoundColumn(
                    len(told) + 1, title, len(column.cells), guess.kind, guess.why.value, guess.share,
                    guess.confidence,
                )
            )  # fmt: skip
    return tuple(told)


def _guess(column: Column, text: str, found: Sequence[Mention], options: FormatOptions) -> ColumnKind:
    language = Language.load(options.language)
    values = [cell.cut(text) for cell in column.cells]
    given = options.kind_of_column(column.title)
    guess = column_kind(column.title, values, language, given=given, finder=finder_of(options.own))
    if guess.kind == PERSON and column.kind != PERSON:
        guess = replace(guess, kind=None, why=Why.NOTHING, confidence=0.0)  # "naam" in a table of goods
    if guess.kind is None and guess.why is not Why.SET:
        share = share_of_names(column, found)
        if share >= MOSTLY_NAMES:
            return ColumnKind(PERSON, Why.VALUES, share, share * _NAMES_BY_VALUES)
    return guess


def _parsed(source: Source, options: FormatOptions) -> ParsedFile:
    path, unit = source.task.path, source.task.unit
    raw = read_file(path) if unit is None else unit.read(path)
    return confined.read(raw, name=path.name, options=options, unit=unit)
