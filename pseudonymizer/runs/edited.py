"""The way back of text that was edited or pasted: labels give way to names, and what stays is listed."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from linkage.normalization.shipped import parse_by_shipped_lists
from linkage.records import EntityId, Span
from linkage.spans import SpanCover
from pseudonymizer.engine.notation import Notation
from pseudonymizer.engine.pasted import LabelFinder, LeftLabel, ReadText, TextOrigin
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import ParsedFile
from pseudonymizer.records import LabelState

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_PLAIN: Final = frozenset({"txt", "md"})  # formats whose text may be JSON or HTML that nothing escapes


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
    """Restores the labels in edited files, for a stated purpose.

    made_from: the bytes of outputs from which the texts were made. is_confirmed: the user says that the texts
    are of this project. with_grant: the request works with a grant, which covers no edited text.
    """

    open_vault: Callable[[], "AbstractContextManager[VaultApi]"]
    project: str
    purpose: str
    ticket: str = ""
    made_from: Sequence[bytes] = ()
    is_confirmed: bool = False
    with_grant: bool = False

    def restored(self, parsed: ParsedFile) -> tuple[bytes | None, LabelCounts]:
        """(the file with names in place of labels, what was restored and left); None: nothing changes."""
        texts = [part.text for part in parsed.parts]
        with self.open_vault() as vault:
            found = LabelFinder(vault, self.project, self._origin(vault)).find_all(texts)
            vault.rollback()
            forms, addresses = self._names_behind(vault, found)
        replacements: dict[str, dict[Span, str]] = {}
        counts: list[LabelCounts] = []
        for part, read in zip(parsed.parts, found, strict=True):
            notation = Notation(part.text) if parsed.format_name in _PLAIN else None
            places, left = name_places(read, forms, addresses, notation)
            replacements.setdefault(part.part_id, {}).update(places)
            counts.append(
                LabelCounts(len(places), Counter((one.label, one.state) for one in (*read.left, *left)))
            )
        is_changed = any(replacements.values())
        return parsed.render(replacements).raw if is_changed else None, LabelCounts.sum(counts)

    def _names_behind(
        self, vault: "VaultApi", found: Sequence[ReadText]
    ) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
        """(the fullest name, the addresses) by label."""
        from pseudonymizer.reidentification import stored_addresses, stored_forms

        labels = sorted({one.label for read in found for one in read.labels})
        followed = sorted({one.label for read in found for one in read.addresses})
        asked = {"project": self.project, "purpose": self.purpose, "ticket": self.ticket}
        if self.with_grant:
            return {}, {}
        addresses = stored_addresses(vault, labels=followed, **asked) if followed else {}
        return stored_forms(vault, labels=labels, **asked) if labels else {}, addresses

    def _origin(self, vault: "VaultApi") -> TextOrigin:
        """What is known of the texts.

        Raises:
            BatchError: a file of made_from is no output of the project as it was written.
        """
        from pseudonymizer.reidentification import restore

        if not self.made_from:
            return TextOrigin(self.is_confirmed)
        rewrites = restore(
            vault, project=self.project, outputs=list(self.made_from), purpose=self.purpose,
            ticket=self.ticket,
        )  # fmt: skip
        persons: set[EntityId] = set()
        for number, rewrite in enumerate(rewrites, start=1):
            if rewrite is None:
                raise BatchError(
                    f"the text cannot have been made from output {number}: the project has no output with "
                    "these bytes; give the output as the run wrote it"
                )
            persons.update(edit.entity_id for edit in rewrite.edits if edit.entity_id is not None)
        return TextOrigin(self.is_confirmed, frozenset(persons))


def name_places(
    read: ReadText,
    forms: Mapping[str, str],
    addresses: Mapping[str, tuple[str, ...]],
    notation: Notation | None,
) -> tuple[dict[Span, str], list[LeftLabel]]:
    """(what to write where, labels without a name behind them).

    forms: the name by label. addresses: the e-mail addresses by label. notation: writes a name as the text
    around it needs it; None: as it is.
    """
    places: dict[Span, str] = {}
    left: list[LeftLabel] = []
    for address in read.addresses:
        if (whole := address.original(addresses)) is not None:
            places[address.span] = whole
    whole_addresses = SpanCover(places)
    for one in read.labels:
        if whole_addresses.overlaps(one.span):
            continue
        if (name := one.original(forms, parse_by_shipped_lists)) is None:
            left.append(LeftLabel(one.label, LabelState.UNKNOWN, one.span))
        else:
            places[one.span] = name if notation is None else notation.written(name, one.span)
    return places, left
