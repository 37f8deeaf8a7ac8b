"""Judgements of people, met again in a run: by document name and place, for ids differ from run to run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from linkage.errors import InvalidRecordError
from linkage.records import Mention, NormalizedMention
from linkage.review import Judgement, MentionPlace, at_places
from pseudonymizer.batch.spelled import PATH_PART

Decode = Callable[[Any], Sequence[NormalizedMention]]


class JudgedPlaces:
    """Looks out for the judged mentions while those of a run go by."""

    def __init__(self, judgements: Sequence[Judgement]) -> None:
        """Raises InvalidRecordError for a judgement that names its mentions by ids of another run."""
        for number, judgement in enumerate(judgements, start=1):
            if judgement.left_mention is not None and judgement.left_at is None:
                raise InvalidRecordError(
                    f"judgement {number} does not say where its mentions stand; make it again with "
                    "`nymlink review --judgements FILE`"
                )
        self._judgements = tuple(judgements)
        places = [place for j in judgements for place in (j.left_at, j.right_at) if place is not None]
        self._documents = frozenset(place.document for place in places)
        self._wanted = frozenset(places)
        self._met: dict[MentionPlace, Mention] = {}

    def __bool__(self) -> bool:
        return bool(self._judgements)

    def passing(
        self,
        relative: str,
        analysis: Any,
        decode: Decode,
        is_unit: bool = False,  # noqa: FBT001, FBT002
    ) -> Iterator[NormalizedMention]:
        """The mentions of one source (codec.encode_found); those that were judged are noted."""
        names = document_names(relative, analysis, is_unit=is_unit) if self._documents else {}
        for part_id, rows, _ in analysis["parts"]:
            found = decode(rows)
            if (name := names.get(part_id)) in self._documents and name is not None:
                self._note(name, found)
            yield from found

    def note(self, document: str, found: Sequence[NormalizedMention]) -> None:
        """The mentions of one document, by the name that detection gives it."""
        if document in self._documents:
            self._note(document, found)

    def _note(self, document: str, found: Sequence[NormalizedMention]) -> None:
        for one in found:
            place = MentionPlace(document, one.mention.span.start, one.mention.span.end)
            if place in self._wanted:
                self._met[place] = one.mention

    def judgements(self) -> tuple[Judgement, ...]:
        """Those that hold here, with the ids of this run: both mentions are there, written as they were."""
        return at_places(self._judgements, self._met)


def document_names(relative: str, analysis: Any, *, is_unit: bool = False) -> Mapping[str, str]:
    """The names of the documents of one source by part id, as `nymlink detect` writes them. is_unit: the
    source is a unit of a file, which has more documents than these.
    """
    prose = [
        part_id
        for part_id, _, _ in analysis["parts"]
        if part_id != PATH_PART and part_id.rpartition("/")[2] != "technical"
    ]
    keys = analysis.get("keys", {})
    return {
        part_id: document_name(keys.get(part_id), part_id, relative, len(prose) + is_unit)
        for part_id in prose
    }


def document_name(key: str | None, part_id: str, relative: str, parts: int) -> str:
    """The id that a file gives a text, or the file's path; with the part behind it where it has several."""
    if key is not None:
        return key
    return relative if parts == 1 or not part_id else f"{relative}#{part_id}"
