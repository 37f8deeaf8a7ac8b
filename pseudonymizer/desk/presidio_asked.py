"""Requests in the form of Presidio's services, and their answers. Fields that mean nothing here are taken and
passed by.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from pseudonymizer.desk.asked import MOST_TEXTS, Confidence, Name, Text

_MOST_RESULTS: Final = 100_000
OPERATORS: Final = ("encrypt", "hash", "keep", "mask", "redact", "replace")  # those that need no program code

Entities = Annotated[tuple[Name, ...], Meta(max_length=500)]


class Analyze(msgspec.Struct, frozen=True):
    """What POST /analyze takes. text: one, or several. language: is passed by; that of each text is told."""

    text: Text | Annotated[tuple[Text, ...], Meta(min_length=1, max_length=MOST_TEXTS)]
    language: Name = "en"
    score_threshold: Confidence = 0.0
    entities: Entities | None = None
    ad_hoc_recognizers: tuple[Any, ...] | None = None

    def __repr__(self) -> str:
        return "Analyze()"


class ResultGiven(msgspec.Struct, frozen=True):
    """A stretch that an analyzer found. Places are half-open and count code points."""

    start: Annotated[int, Meta(ge=0)]
    end: Annotated[int, Meta(ge=0)]
    entity_type: Name
    score: Confidence = 1.0


class Anonymize(msgspec.Struct, frozen=True):
    """What POST /anonymize takes. anonymizers: by entity type, or DEFAULT, what becomes of it: {"type": ...}
    with the parameters of Presidio's operators; what is left out gets a pseudonym of the project.
    """

    text: Text
    analyzer_results: Annotated[tuple[ResultGiven, ...], Meta(max_length=_MOST_RESULTS)] = ()
    anonymizers: Mapping[str, dict[str, Any]] | None = None

    def __repr__(self) -> str:
        return f"Anonymize({len(self.analyzer_results)} results)"


class EntitiesOfPresidio(msgspec.Struct, frozen=True):
    """The names that Presidio has for kinds."""


class ResultShown(msgspec.Struct, frozen=True):
    """What was found, as Presidio's analyzer says it."""

    start: int
    end: int
    score: float
    entity_type: str
    analysis_explanation: None = None


class ResultsShown(msgspec.Struct, frozen=True):
    """What was found in each text."""

    texts: tuple[tuple[ResultShown, ...], ...]


class ItemShown(msgspec.Struct, frozen=True):
    """What stands in the new text in place of a stretch, as Presidio's anonymizer says it."""

    start: int
    end: int
    entity_type: str
    text: str
    operator: str

    def __repr__(self) -> str:
        return f"ItemShown({self.entity_type})"


class Anonymized(msgspec.Struct, frozen=True):
    """The new text."""

    text: str
    items: tuple[ItemShown, ...]

    def __repr__(self) -> str:
        return f"Anonymized({len(self.items)} items)"


class EntityNames(msgspec.Struct, frozen=True):
    """Names of entities."""

    names: tuple[str, ...]


PresidioAsked = Analyze | Anonymize | EntitiesOfPresidio
