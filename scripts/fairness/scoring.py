"""Whether detection serves names of all origins alike: names of each origin in the same carrier sentences."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from linkage.evaluation.detection import evaluate_detection
from linkage.evaluation.gold import GoldDocument, GoldMention
from linkage.records import Document, DocumentId, Span

# Steps through lists of names, so that given and family names meet in ever other pairs.
_STEP_GIVEN: Final = 7
_STEP_FAMILY: Final = 11
_BREAK: Final = "\\n"  # as carriers write a line end


@dataclass(frozen=True, slots=True)
class OriginNames:
    """Names of one origin: given names of women and men in turns, and family names."""

    given: tuple[tuple[str, bool], ...] = field(repr=False)  # a name, and whether women bear it
    family: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class OriginScore:
    """Of one origin: names, those of which a letter stays, and the share of their letters that stays."""

    origin: str
    names: int
    names_leaked: int
    letters_leaked: float


def read_names(file: Path) -> dict[str, OriginNames]:
    """By origin, the names of a table with the columns origin, part and name.

    part: "given f", "given m" or "family".
    """
    given: dict[str, list[tuple[str, bool]]] = {}
    family: dict[str, list[str]] = {}
    for row in _rows(file):
        if row["part"] == "family":
            family.setdefault(row["origin"], []).append(row["name"])
        else:
            given.setdefault(row["origin"], []).append((row["name"], row["part"] == "given f"))
    return {
        origin: OriginNames(tuple(sorted(names)), tuple(sorted(family[origin])))
        for origin, names in given.items()
    }


def read_carriers(file: Path) -> tuple[str, ...]:
    """The sentences of a table with a column text.

    Each holds {N} (given and family name), {I} (initial and family name), {S} or {G}, and {T} for a title.
    """
    return tuple(row["text"].replace(_BREAK, "\n") for row in _rows(file))


def read_titles(file: Path) -> dict[bool, tuple[str, ...]]:
    """Titles of women (True) and of men, in turns, of a table with the columns part and title."""
    rows = list(_rows(file))
    return {
        is_woman: tuple(row["title"] for row in rows if (row["part"] == "given f") is is_woman)
        for is_woman in (True, False)
    }


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as handle:
        yield from csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)


def carried(
    origin: str, names: OriginNames, carriers: Sequence[str], titles: Mapping[bool, Sequence[str]]
) -> tuple[GoldDocument, ...]:
    """A document for each carrier, with a name of the origin in its place; equal calls give equal names.

    titles: as of read_titles.
    """
    return tuple(
        _filled(f"{origin}-{place}", names, carrier, place, titles) for place, carrier in enumerate(carriers)
    )


def _filled(
    name: str, names: OriginNames, carrier: str, place: int, titles: Mapping[bool, Sequence[str]]
) -> GoldDocument:
    given, is_woman = names.given[place * _STEP_GIVEN % len(names.given)]
    family = names.family[place * _STEP_FAMILY % len(names.family)]
    title = titles[is_woman][place % len(titles[is_woman])]
    carrier = carrier.replace("{T}", title[0].upper() + title[1:] if carrier.startswith("{T}") else title)
    # Behind a given name or an initial a particle has a small letter.
    behind = family[0].lower() + family[1:] if " " in family and family[:2] in _PARTICLE_STARTS else family
    forms = {"{N}": f"{given} {behind}", "{I}": f"{given[0]}. {behind}", "{S}": family, "{G}": given}
    slot = next(slot for slot in forms if slot in carrier)
    start = carrier.index(slot)
    text = carrier.replace(slot, forms[slot], 1)
    span = Span(start, start + len(forms[slot]))
    return GoldDocument(Document(DocumentId(name), text), (GoldMention(span),))


_PARTICLE_STARTS: Final = ("De", "Va", "Te", "Vo")


def score_of(
    origin: str, golds: Sequence[GoldDocument], found: Mapping[DocumentId, Sequence[Span]]
) -> OriginScore:
    """The score of the documents of one origin. found: by document, the spans of people."""
    scores = evaluate_detection(golds, found)
    leaks = scores.leaks_of_documents()
    return OriginScore(origin, len(leaks), sum(leak > 0 for leak in leaks), scores.letters_leaked)


def above_twice_the_mean(scores: Sequence[OriginScore]) -> tuple[str, ...]:
    """The origins of which more than twice the mean share of letters leaks, in the order of scores."""
    mean = sum(score.letters_leaked for score in scores) / max(len(scores), 1)
    return tuple(score.origin for score in scores if score.letters_leaked > 2 * mean)
