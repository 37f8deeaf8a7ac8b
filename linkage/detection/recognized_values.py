"""Values by pattern and the identifiers that the network recognized, told together."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from linkage.kinds import REST
from linkage.network_kinds import NAME_KINDS, WORD_KINDS
from linkage.records import Detector, Mention, ValueMention
from linkage.spans import SpanIndex
from linkage.texts import KindId

_SURE: Final = 0.9  # confidence, 0 to 1, from which a pattern is right against the network; set, not measured
_LEAST: Final = 0.2  # confidence, 0 to 1, of a recognized mention that counts; chosen on tuning documents
_BIRTH_DATE: Final = KindId("BIRTH_DATE")
_FAMILIES: Final = {
    **{kind: kind for kind in (*NAME_KINDS, *WORD_KINDS)},
    _BIRTH_DATE: "DATE",
    **dict.fromkeys(("CARE_PROVIDER", "SCHOOL"), "ORGANIZATION"),
}
"""By kind that the network tells, what stands for it and the kinds that the network may take for it."""


def with_recognized(
    values: Sequence[ValueMention],
    recognized: Iterable[Mention],
    normal_form: Callable[[KindId, str], str],
) -> tuple[ValueMention, ...]:
    """The values by pattern and the recognized mentions, in the order of the text and without overlap.

    Of a value and a recognized mention of like kinds the value counts. Of other overlapping ones the value
    counts where a cue, a check digit or a list speaks for it, or where the network does not know its kind;
    else the recognized mention. normal_form: of a text of a kind.
    """
    around = SpanIndex([value.mention.span for value in values])
    gone: set[int] = set()
    added: list[ValueMention] = []
    for seen in recognized:
        places = list(around.overlapping(seen.span))
        if seen.confidence < _LEAST or any(_is_stronger(values[number], seen) for number in places):
            continue
        gone.update(places)
        added.append(ValueMention(seen, normal_form(seen.kind, seen.surface)))
    kept = [value for number, value in enumerate(values) if number not in gone]
    return tuple(sorted([*kept, *added], key=lambda value: value.mention.span))


def _is_stronger(value: ValueMention, seen: Mention) -> bool:
    """Whether a value counts against an overlapping recognized mention."""
    if value.kind == REST:
        return False
    family = _FAMILIES.get(value.kind)
    is_sure = value.mention.confidence >= _SURE or value.mention.detector == Detector.LIST
    return is_sure or family is None or family == _FAMILIES.get(seen.kind)
