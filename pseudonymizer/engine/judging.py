"""Judgements of reviewers, applied in a run: mentions are known again by document name and place.

Mention ids do not do: they differ from run to run.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from linkage.errors import InvalidRecordError
from linkage.judged_mentions import with_judgements
from linkage.records import Mention, NormalizedMention
from linkage.review import Judgement, MentionPlace, at_places
from pseudonymizer.engine.spelled import PATH_PART, TECHNICAL


class JudgedPlaces:
    """Notes the judged mentions among those of a run, and gives the judgements that hold for them."""

    def __init__(self, judgements: Sequence[Judgement]) -> None:
        """Raises InvalidRecordError for a judgement that tells its mentions by ids of another run alone."""
        for number, judgement in enumerate(judgements, start=1):
            if judgement.left_mention is not None and judgement.left_at is None:
                raise InvalidRecordError(
                    f"judgement {number} does not say where its mentions stand; make it again with "
                    "`nymlink review --judgements FILE`"
                )
        self._judgements = tuple(judgements)
        sides = [s for j in judgements for s in ((j.left_at, j.left_form), (j.right_at, j.right_form))]
        self._form_at = {place: form for place, form in sides if place is not None}
        places = self._form_at.keys()
        self._documents = frozenset(place.document for place in places)
        self._wanted = frozenset(places)
        self._met: dict[MentionPlace, Mention | None] = {}

    def __bool__(self) -> bool:
        return bool(self._judgements)

    def passing(
        self, names: "SourceNames", parts: Iterable[tuple[str, Sequence[NormalizedMention]]]
    ) -> Iterator[NormalizedMention]:
        """The mentions of one source, part after part. Judged mentions among them are noted.

        parts: part ids, each with the mentions of the part.
        """
        by_part = names.by_part() if self._documents else {}
        for part_id, found in parts:
            known = next((name for name in by_part.get(part_id, ()) if name in self._documents), None)
            if known is not None:
                self._note(known, found)
            yield from found

    def note(self, document: str, found: Sequence[NormalizedMention]) -> None:
        """Note the judged mentions of one document. document: its name as `nymlink detect` writes it."""
        if document in self._documents:
            self._note(document, found)

    def _note(self, document: str, found: Sequence[NormalizedMention]) -> None:
        for normalized in found:
            mention = normalized.mention
            place = MentionPlace(document, mention.span.start, mention.span.end)
            if place in self._wanted:
                # Two files may give one id to a text each: then nothing tells which text was judged.
                self._met[place] = mention if self._met.get(place, mention) == mention else None

    def judgements(self) -> tuple[Judgement, ...]:
        """The judgements that hold in this run, with mention ids of this run.

        A judgement holds where both mentions stand at their places, with the text that was judged.
        """
        return at_places(self._judgements, self._mention_at())

    def with_judgements(self, mentions: Iterable[NormalizedMention]) -> tuple[NormalizedMention, ...]:
        """The mentions, each judged one with its judgements.

        The other mention of the pair may belong to an earlier or a later run.
        """
        met = {
            place: mention.mention_id
            for place, mention in self._mention_at().items()
            if mention.surface == self._form_at.get(place)
        }
        return with_judgements(mentions, [j for j in self._judgements if j.left_at is not None], met)

    def _mention_at(self) -> dict[MentionPlace, Mention]:
        return {place: mention for place, mention in self._met.items() if mention is not None}


@dataclass(frozen=True, slots=True)
class SourceNames:
    """The ids and the path from which the documents of one source get their names.

    relative: the path of the file below its input. part_ids: the parts of the file. keys: by part id, the id
    that the file itself gives a text. is_unit: the source is one of several units of a file.
    """

    relative: str = field(repr=False)
    part_ids: tuple[str, ...]
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    is_unit: bool = False

    @property
    def documents(self) -> int:
        """How many documents of running text the file has; of a file in units more than one."""
        return sum(map(is_prose, self.part_ids)) + self.is_unit

    def by_part(self) -> Mapping[str, tuple[str, ...]]:
        """The possible names of each document as `nymlink detect` writes them, by part id.

        The name that holds the path of the file comes first, the id that the file gives second.
        """
        names: dict[str, tuple[str, ...]] = {}
        for part_id in self.part_ids:
            if not is_prose(part_id):
                names[part_id] = (f"{self.relative}#{part_id}",)
                continue
            own = place_name(part_id, self.relative, self.documents)
            names[part_id] = (own,) if (key := self.keys.get(part_id)) is None else (own, key)
        return names


def is_prose(part_id: str) -> bool:
    """Whether a part is running text: neither the path of the file nor its technical fields."""
    return part_id != PATH_PART and part_id.rpartition("/")[2] != TECHNICAL


def place_name(part_id: str, relative: str, parts: int) -> str:
    """The path of a file, followed by the part id where the file has several parts."""
    return relative if parts == 1 or not part_id else f"{relative}#{part_id}"


class DocumentNames:
    """Gives each document a name that no other has: the id that its file gives it if that is free, or else
    the path of the file with the part.
    """

    def __init__(self) -> None:
        self._taken: set[int] = set()

    def of(self, key: str | None, part_id: str, relative: str, parts: int) -> str:
        """The name of a document. key: the id that the file gives it. parts: how many texts the file has."""
        if not is_prose(part_id):
            return f"{relative}#{part_id}"
        if key is not None and (known := hash(key)) not in self._taken:
            self._taken.add(known)
            return key
        return place_name(part_id, relative, parts)
