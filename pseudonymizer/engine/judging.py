"""Judgements of people, met again in a run: by document name and place, for ids differ from run to run."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from linkage.errors import InvalidRecordError
from linkage.judged_mentions import with_judgements
from linkage.records import Mention, NormalizedMention
from linkage.review import Judgement, MentionPlace, at_places
from pseudonymizer.engine.spelled import PATH_PART

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
        told = [t for j in judgements for t in ((j.left_at, j.left_form), (j.right_at, j.right_form))]
        self._form_at = {place: form for place, form in told if place is not None}
        places = self._form_at.keys()
        self._documents = frozenset(place.document for place in places)
        self._wanted = frozenset(places)
        self._met: dict[MentionPlace, Mention | None] = {}

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
            known = next((name for name in names.get(part_id, ()) if name in self._documents), None)
            if known is not None:
                self._note(known, found)
            yield from found

    def note(self, document: str, found: Sequence[NormalizedMention]) -> None:
        """The mentions of one document, by the name that detection gives it."""
        if document in self._documents:
            self._note(document, found)

    def _note(self, document: str, found: Sequence[NormalizedMention]) -> None:
        for one in found:
            place = MentionPlace(document, one.mention.span.start, one.mention.span.end)
            if place in self._wanted:
                # Two files may give one id to texts of theirs: which of them was judged cannot be told then.
                self._met[place] = one.mention if self._met.get(place, one.mention) == one.mention else None

    def judgements(self) -> tuple[Judgement, ...]:
        """Those that hold here, with the ids of this run: both mentions are there, written as they were."""
        return at_places(self._judgements, self._mention_at())

    def with_judgements(self, mentions: Iterable[NormalizedMention]) -> tuple[NormalizedMention, ...]:
        """The mentions with what was judged of them, also where the other one is of another run."""
        met = {
            place: mention.mention_id
            for place, mention in self._mention_at().items()
            if mention.surface == self._form_at.get(place)
        }
        return with_judgements(mentions, [j for j in self._judgements if j.left_at is not None], met)

    def _mention_at(self) -> dict[MentionPlace, Mention]:
        return {place: mention for place, mention in self._met.items() if mention is not None}


def document_names(relative: str, analysis: Any, *, is_unit: bool = False) -> Mapping[str, tuple[str, ...]]:
    """The names that the documents of one source may have, by part id, as `nymlink detect` writes them: what
    names the file first. is_unit: the source is a unit of a file, which has more documents than these.
    """
    prose = [
        part_id
        for part_id, _, _ in analysis["parts"]
        if part_id != PATH_PART and part_id.rpartition("/")[2] != "technical"
    ]
    keys = analysis.get("keys", {})
    several = len(prose) + is_unit
    names: dict[str, tuple[str, ...]] = {}
    for part_id in prose:
        own = place_name(part_id, relative, several)
        names[part_id] = (own,) if keys.get(part_id) is None else (own, keys[part_id])
    return names


def place_name(part_id: str, relative: str, parts: int) -> str:
    """The path of a file; with the part behind it where it has several."""
    return relative if parts == 1 or not part_id else f"{relative}#{part_id}"


class DocumentNames:
    """Names of documents, each once: the id that a file gives a text, or where that is taken, or there is
    none, its place.
    """

    def __init__(self) -> None:
        self._taken: set[int] = set()

    def of(self, key: str | None, part_id: str, relative: str, parts: int) -> str:
        """parts: how many texts the file has."""
        if key is not None and (known := hash(key)) not in self._taken:
            self._taken.add(known)
            return key
        return place_name(part_id, relative, parts)
