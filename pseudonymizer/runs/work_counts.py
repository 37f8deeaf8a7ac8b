"""Counts of the sources of a run: no personal data, in clear in the work file and in the report."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Self, TypeVar

import msgspec

from pseudonymizer.engine.records import SourceFound, SourceRendered

_Number = TypeVar("_Number", int, float)
_SECONDS_DIGITS: Final = 4


_JSON_NAMES: Final = {"format_name": "format", "size": "bytes"}


class SourceCounts(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, rename=_JSON_NAMES):
    """Counts of a source, in the order in which the report has them; None: not counted (yet).

    Detection gives those from format_name to ocr_confidence, assigning pseudonyms those from is_output to
    tokens_escaped, rewriting the others. seconds are of work on this source alone. ocr_confidence is a mean
    over its pages, 0 to 1. marked: whether a changed output says that it is pseudonymized. changed: whether
    the output of a unit is another text. values_replaced: by kind; addresses_replaced: e-mail
    addresses alone, all that runs before 0.2 counted. one_way: replacements without a way back. comes_back:
    whether a unit has a way back. units: how many a file has, in the counts of the file. notes: lines, rows
    or messages that are read each by itself. rejected: why lines are left out, by their numbers.
    crowded: labels of pages that found too little room. kept_original: bytes of an original that is kept
    whole. text_only: the text alone of the source comes back.
    """

    format_name: str | None = None
    size: int | None = None
    characters: int | None = None
    mentions: int | None = None
    detectors: Mapping[str, int] | None = None
    misspelt: int | None = None
    identifiers: Mapping[str, int] | None = None
    unread: Mapping[str, int] | None = None
    seconds: float | None = None
    unread_places: Mapping[str, int] | None = None
    ocr_pages: int | None = None
    ocr_confidence: float | None = None
    is_output: bool | None = None
    people: int | None = None
    people_readable: int | None = None
    tokens_kept: int | None = None
    tokens_escaped: int | None = None
    names_in_identifiers: int | None = None
    addresses_replaced: int | None = None
    values_replaced: Mapping[str, int] | None = None
    one_way: int | None = None
    unplaced: int | None = None
    seconds_rewrite: float | None = None
    marked: bool | None = None
    changed: bool | None = None
    comes_back: bool | None = None
    units: int | None = None
    notes: int | None = None
    rejected: Mapping[str, str] | None = None
    crowded: int | None = None
    kept_original: int | None = None
    text_only: bool | None = None

    @classmethod
    def of_found(cls, found: SourceFound) -> Self:
        """The counts of detection."""
        mentions = found.mentions
        pages = len(found.recognized)
        return cls(
            format_name=found.format_name,
            size=found.size,
            characters=sum(part.characters for part in found.parts),
            mentions=len(mentions),
            detectors=dict(Counter(m.mention.detector.value for m in mentions)),
            misspelt=sum(m.mention.typo_of is not None for m in mentions),
            identifiers=dict(found.identifiers),
            unread=dict(found.unread),
            seconds=round(found.seconds, _SECONDS_DIGITS),
            unread_places=dict(found.unread_places) or None,
            ocr_pages=pages or None,
            ocr_confidence=round(sum(found.recognized) / pages, 4) if pages else None,
            notes=found.notes or None,
            rejected={str(line.number): line.reason for line in found.rejected} or None,
        )

    def with_rendered(self, rendered: SourceRendered) -> Self:
        """These and the counts of rewriting."""
        return msgspec.structs.replace(
            self,
            format_name=rendered.format_name,
            names_in_identifiers=rendered.identifiers,
            addresses_replaced=rendered.replaced.get("EMAIL", 0),
            values_replaced=dict(rendered.replaced) or None,
            one_way=rendered.one_way or None,
            unplaced=rendered.unplaced,
            seconds_rewrite=round(rendered.seconds, _SECONDS_DIGITS),
            marked=rendered.is_marked if rendered.edits else self.marked,
            crowded=rendered.crowded or None,
            kept_original=rendered.kept_original or None,
            text_only=rendered.is_text_only or None,
        )

    @classmethod
    def of_units(cls, units: Sequence[Self]) -> Self:
        """The counts of a file from those of its units. People cannot be added, and are left out; no format
        with pictures has units.
        """
        formats = [one.format_name for one in units if one.format_name is not None]
        return cls(
            format_name=formats[-1] if formats else None,
            size=_sum(one.size for one in units),
            characters=_sum(one.characters for one in units),
            mentions=_sum(one.mentions for one in units),
            detectors=_sums(one.detectors for one in units),
            misspelt=_sum(one.misspelt for one in units),
            identifiers=_sums(one.identifiers for one in units),
            unread=_sums(one.unread for one in units),
            seconds=_sum(one.seconds for one in units),
            unread_places=_sums(one.unread_places for one in units),
            is_output=_all(one.is_output for one in units),
            tokens_kept=_sum(one.tokens_kept for one in units),
            tokens_escaped=_sum(one.tokens_escaped for one in units),
            names_in_identifiers=_sum(one.names_in_identifiers for one in units),
            addresses_replaced=_sum(one.addresses_replaced for one in units),
            values_replaced=_sums(one.values_replaced for one in units),
            one_way=_sum(one.one_way for one in units),
            unplaced=_sum(one.unplaced for one in units),
            seconds_rewrite=_sum(one.seconds_rewrite for one in units),
            marked=_all(one.marked for one in units),
            changed=_all(one.changed for one in units),
            units=len(units),
            notes=_sum(one.notes for one in units),
            rejected={number: why for one in units for number, why in (one.rejected or {}).items()} or None,
        )

    @classmethod
    def of_json(cls, raw: bytes | None) -> Self:
        """What to_json wrote; nothing counted for None."""
        return cls() if raw is None else msgspec.json.decode(raw, type=cls)

    def to_json(self) -> bytes:
        return msgspec.json.encode(self)

    def as_dict(self) -> dict[str, Any]:
        """What is counted, by name."""
        return dict(msgspec.to_builtins(self))


def _sum(numbers: Iterable[_Number | None]) -> _Number | None:
    counted = [number for number in numbers if number is not None]
    return sum(counted) if counted else None


def _sums(counts: Iterable[Mapping[str, int] | None]) -> dict[str, int] | None:
    counted = [each for each in counts if each is not None]
    found: dict[str, int] = {}
    for each in counted:
        for kind, count in each.items():
            found[kind] = found.get(kind, 0) + count
    return found if counted else None


def _all(flags: Iterable[bool | None]) -> bool | None:
    told = [flag for flag in flags if flag is not None]
    return all(told) if told else None
