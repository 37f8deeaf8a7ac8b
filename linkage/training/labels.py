"""The labels of a network that finds identifiers of many kinds, and what labels of older sources may mean.

Not every source tells all kinds apart, and not every source marks all kinds. A label that a source uses for
several kinds stands for a set of the network's labels, and where a source marks nothing, the kinds that it
never marks may stand. Training counts every labelling that fits.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from linkage.network_kinds import NAME_KINDS, WORD_KINDS

PERSON: Final = "PER"
NAME: Final = "NAME"  # a name of none of the kinds, such as that of a book or a law
ANY: Final = "?"  # nothing is known of these tokens

_PLACES: Final = ("CITY", "REGION", "COUNTRY", "PLACE", "STREET")
_BODIES: Final = ("ORGANIZATION", "CARE_PROVIDER", "SCHOOL", "DEPARTMENT")

KINDS: Final = (*NAME_KINDS, *WORD_KINDS)  # beside persons, that a network of many kinds tells apart
LABELS: Final = (PERSON, *KINDS, NAME)
KIND_OF_GOLD: Final[Mapping[str, str]] = {**{kind: kind for kind in KINDS}, "BIRTH_DATE": "DATE"}
"""The network's label of a kind that gold marks; kinds that are not here are found by rule alone."""

MEANINGS: Final[Mapping[str, tuple[str, ...]]] = {
    **{label: (label,) for label in LABELS},
    NAME: (*NAME_KINDS, NAME),
    "LOC": _PLACES,
    "ORG": (*_BODIES, "GROUP"),
    "PROD": ("PRODUCT",),
    "WORK": (NAME, "PRODUCT"),
}
"""By label of a source, the network's labels that it may mean."""

UNMARKED: Final = frozenset({*WORD_KINDS, "DEPARTMENT", "PRODUCT", "GROUP", "OTHER", NAME})
"""What sources that mark names of persons and others leave out now and then."""


def tags_of(labels: tuple[str, ...]) -> list[str]:
    """The BIOES tags of labels, O first."""
    return ["O", *(f"{part}-{label}" for label in labels for part in "SBIE")]


def has_strict_tags(tags: Sequence[str]) -> bool:
    """Whether a network with these tags, one of many kinds, learns and reads only rows that BIOES allows."""
    return any(tag.endswith(f"-{KINDS[0]}") for tag in tags)


def may_follow(tag: str, earlier: str) -> bool:
    """Whether BIOES allows a tag behind an earlier one."""
    part, _, label = tag.partition("-")
    before, _, label_before = earlier.partition("-")
    if part in {"I", "E"}:
        return before in {"B", "I"} and label == label_before
    return part in {"O", "B", "S"} and before in {"O", "E", "S"}
