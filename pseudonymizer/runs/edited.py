"""The way back of text that was edited or pasted: labels give way to names, and what stays is listed."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from linkage.names.shipped import parse_by_shipped_lists
from linkage.records import Span
from linkage.spans import SpanCover
from pseudonymizer.engine.notation import Notation
from pseudonymizer.engine.pasted import LeftLabel, ReadText
from pseudonymizer.formats import ParsedFile
from pseudonymizer.records import LabelState
from pseudonymizer.runs.label_names import Names, NameSource

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_PLAIN: Final = frozenset({"txt", "md"})  # formats whose text may be JSON or HTML that nothing escapes


class Written(Protocol):
    """How names are written in a text, such as engine.notation.Notation."""

    def written(self, name: str, span: Span) -> str:
        """The name as it has to be written at this place."""
        ...


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Labels of edited texts: how many were restored, and how often each that was left stands there."""

    restored: int = 0
    left: Mapping[tuple[str, LabelState], int] = field(default_factory=dict)

    @classmethod
    def sum(cls, counts: Iterable["LabelCounts"]) -> "LabelCounts":
        """The counts of several texts together."""
        restored, left = 0, Counter[tuple[str, LabelState]]()
        for one in counts:
            restored += one.restored
            left.update(one.left)
        return cls(restored, dict(sorted(left.items())))

    @property
    def labels_left(self) -> int:
        """How many places look like labels and were not restored."""
        return sum(self.left.values())

    @property
    def unknown(self) -> tuple[str, ...]:
        """The labels that were left though nothing is wrong with their letters, in order."""
        return tuple(sorted({label for label, state in self.left if state is not LabelState.MALFORMED}))

    @property
    def malformed(self) -> tuple[str, ...]:
        """The labels that were left for their letters: mistyped, or of another project; in order."""
        return tuple(sorted({label for label, state in self.left if state is LabelState.MALFORMED}))


@dataclass(frozen=True, slots=True)
class EditedTexts:
    """Restores the labels in edited files. source: says what is behind them, on record."""

    open_vault: Callable[[], "AbstractContextManager[VaultApi]"]
    source: NameSource

    def restored(self, parsed: ParsedFile) -> tuple[bytes | None, LabelCounts]:
        """(the file with names in place of labels, what was restored and left); None: nothing changes."""
        texts = [part.text for part in parsed.parts]
        with self.open_vault() as vault:
            finder = self.source.finder(vault)
            found = finder.find_all(texts)
            names, origin = self.source.behind(vault, finder, found)
            if origin is not None:
                found = finder.of_origin(origin).find_all(texts)
            vault.rollback()
        return written(parsed, found, names)


def written(parsed: ParsedFile, found: Sequence[ReadText], names: Names) -> tuple[bytes | None, LabelCounts]:
    """(the file with names in place of the labels that were found, what was restored and left); None: nothing
    changes.
    """
    replacements: dict[str, dict[Span, str]] = {}
    counts: list[LabelCounts] = []
    for part, read in zip(parsed.parts, found, strict=True):
        notation = Notation(part.text) if parsed.format_name in _PLAIN else None
        places, left = replaced_labels(read, names, notation)
        replacements.setdefault(part.part_id, {}).update(places)
        counts.append(counted(places, (*read.left, *left)))
    is_changed = any(replacements.values())
    return parsed.render(replacements).raw if is_changed else None, LabelCounts.sum(counts)


def counted(places: Mapping[Span, str], left: Iterable[LeftLabel]) -> LabelCounts:
    """The counts of one text."""
    return LabelCounts(len(places), Counter((one.label, one.state) for one in left))


def replaced_labels(
    read: ReadText, names: Names, notation: "Written | None"
) -> tuple[dict[Span, str], list[LeftLabel]]:
    """(what to write where, labels without a name behind them)."""
    places: dict[Span, str] = {}
    left: list[LeftLabel] = []
    for address in read.addresses:
        if (whole := address.original(names.addresses)) is not None:
            places[address.span] = whole
    whole_addresses = SpanCover(places)
    for one in read.labels:
        if whole_addresses.overlaps(one.span):
            continue
        if (name := one.original(names.forms, parse_by_shipped_lists)) is None:
            left.append(LeftLabel(one.label, LabelState.UNKNOWN, one.span))
        else:
            places[one.span] = name if notation is None else notation.written(name, one.span)
    return places, left
