"""What the labels of a network mean: persons, kinds of identifiers, or names of something else."""

from typing import Final

from linkage.texts import PERSON, KindId

PERSON_LABELS: Final = frozenset({"PER", "PERSON", "PERS", "persName"})
NAME_KINDS: Final = (
    "ORGANIZATION", "CARE_PROVIDER", "SCHOOL", "DEPARTMENT", "PRODUCT",
    "CITY", "REGION", "COUNTRY", "PLACE", "STREET", "GROUP", "OTHER",
)  # fmt: skip
"""The kinds whose mentions are names, beside persons, that a network tells apart."""

WORD_KINDS: Final = ("PROFESSION", "DATE", "AGE", "TIME", "MONEY", "CASE_NUMBER")
"""The kinds whose mentions are words or figures that a network tells apart."""

NETWORK_KINDS: Final = frozenset({*NAME_KINDS, *WORD_KINDS})
"""The kinds that a network tells apart, beside persons."""


def kind_of_label(label: str) -> KindId | None:
    """The kind that a label of a network stands for; None for a name of something else, such as "LOC"."""
    if label in PERSON_LABELS:
        return PERSON
    return KindId(label) if label in NETWORK_KINDS else None
