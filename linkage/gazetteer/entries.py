"""What the gazetteer answers with."""

from dataclasses import dataclass, field

from linkage.records import Gender


@dataclass(frozen=True, slots=True)
class GivenName:
    """frequency: bearers in Belgium on 1 January 2022 (Statbel); 0 = unknown."""

    name: str = field(repr=False)
    gender: Gender | None
    frequency: int


@dataclass(frozen=True, slots=True)
class Surname:
    """A family name without its particle. particles: those it is known with. bare: known without."""

    name: str = field(repr=False)
    particles: tuple[str, ...]
    bare: bool
    frequency: int


@dataclass(frozen=True, slots=True)
class Title:
    """position: "pre" (before the name), "post" (after it) or "mid" (between given name and family name)."""

    text: str
    category: str
    position: str
    gender: Gender | None


@dataclass(frozen=True, slots=True)
class Variant:
    """Another form of a given name. kind: diminutive, nickname, spelling, form (other language).

    confidence: "high" curated by hand, "medium" two sources, "auto" a spelling rule over attested names.
    """

    name: str = field(repr=False)
    kind: str
    confidence: str


@dataclass(frozen=True, slots=True)
class WordUse:
    """How a string is used as an ordinary word.

    zipf: log10 of occurrences per billion words, 0.0 = not among the 150,000 commonest.
    classes: dictionary readings written in lower case: n noun, v verb, a adjective, o other; "" = none.
    word_share: share of its occurrences inside sentences that are an ordinary word and no name, in [0, 1].
    person_share: of a name that places or firms have too, the share of its uses for a person; else 1.0.
    """

    zipf: float
    classes: str
    word_share: float
    person_share: float = 1.0
