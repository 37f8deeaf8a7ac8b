"""What a page says of mentions and kinds, in the language of the reader."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pseudonymizer.desk.answered import KindsInUse, WrittenMention
from pseudonymizer.web import words
from pseudonymizer.web.frame import Reader
from pseudonymizer.web.languages import marked as _
from pseudonymizer.web.reading import Look


@dataclass(frozen=True, slots=True)
class Legend:
    """A row of the legend. count: how many mentions of the kind there are."""

    kind: str
    look: Look
    count: int


def looks_of(kinds: KindsInUse) -> Mapping[str, Look]:
    """How each kind looks, by its place in the table of kinds."""
    return {one.kind: Look.of(place, one.letter) for place, one in enumerate(kinds.kinds)}


def kind_told(reader: Reader, kind: str) -> str:
    """The name of a kind."""
    return reader.says(words.KINDS[kind]) if kind in words.KINDS else kind.replace("_", " ").lower()


def mention_told(reader: Reader, surface: str, mention: WrittenMention) -> str:
    """A mention of the text as it was: its words, kind or person, how it was found, what it becomes."""
    return ", ".join((*_head(reader, surface, mention), reader.says(_("becomes %s")) % mention.label))


def place_told(reader: Reader, label: str, mention: WrittenMention) -> str:
    """A label in the new text."""
    return ", ".join(_head(reader, label, mention))


def _head(reader: Reader, surface: str, mention: WrittenMention) -> Iterator[str]:
    yield surface
    yield kind_told(reader, mention.kind) + ("" if mention.person is None else f" {mention.person}")
    if mention.detector is not None:
        found = reader.says(words.DETECTORS[mention.detector])
        yield found if mention.confidence is None else f"{found} ({reader.percent(mention.confidence)})"
