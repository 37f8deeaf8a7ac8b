"""Full names that are known replace what detection missed: in the files of a run, and of the project's vault.

A name that detection is sure of in one text, that the registry has, or that the vault knows, is a mention
wherever it stands exactly: between marks, behind a key, in a path, with an underscore in place of a blank. A
name of one word, and initials before an ordinary word, are not looked for.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol

from linkage.kinds import LITERAL, Kinds
from linkage.recognition.name_runs import NameRun, Window, name_key, windows
from linkage.records import (
    PERSON,
    Detector,
    Document,
    DocumentId,
    KnownIdentity,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
    mention_id_at,
)
from linkage.spans import SpanIndex
from pseudonymizer.document_ids import part_document_id
from pseudonymizer.engine.records import Analyzer, PartFound, PlacedValue, SourceFound
from pseudonymizer.engine.spelled import owner_of

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

# Confidence, 0 to 1, from which a detected name is looked for elsewhere. Chosen on office-train and
# kamerstukken: without it names found by mistake are carried into other texts there, with it none.
_SURE: Final = 0.8
_FOUND: Final = 0.9  # confidence, 0 to 1, of a mention that is made here; set, not measured
_MOST_NAME_WORDS: Final = 6  # of a stretch that the vault is asked about


class NameWords(Protocol):
    """What is asked of a gazetteer here."""

    def is_given_name(self, text: str) -> bool: ...
    def is_word(self, text: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class SearchedPart:
    """One text of a file with what stands in it. content: the id of the content of the file, with which the
    ids of its texts begin. mentions: those of persons.
    """

    part_id: str
    content: DocumentId
    runs: Sequence[NameRun] = field(repr=False)
    mentions: Sequence[tuple[Span, MentionId]]
    values: Sequence[PlacedValue] = field(repr=False)


@dataclass(frozen=True, slots=True)
class AddedNames:
    """The mentions that a text gets, and what they change of what stood in it.

    inside: by id of a mention that lies in one of these, that one; it goes. holders: the spans of the values
    that hold one of these. lost: the spans of values that give way to one.
    """

    mentions: tuple[NormalizedMention, ...] = ()
    inside: Mapping[MentionId, MentionId] = field(default_factory=dict)
    holders: frozenset[Span] = frozenset()
    lost: frozenset[Span] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.mentions)


class KnownNames:
    """Full names by their keys. kinds: those in use, for values that may hold a name."""

    def __init__(self, kinds: Kinds, names: Mapping[str, PersonName] | None = None) -> None:
        self._kinds = kinds
        self._names = dict(names or {})

    def __bool__(self) -> bool:
        return bool(self._names)

    @property
    def keys(self) -> Collection[str]:
        """The names as they are compared with stretches of texts."""
        return self._names.keys()

    def learn(self, mentions: Iterable[NormalizedMention], lists: NameWords) -> None:
        """Know the full names that detection is sure of in these mentions."""
        for found in mentions:
            if found.mention.confidence >= _SURE and is_telling(found.name, lists):
                self.add(found.mention.surface, found.name)
                self.add(written(found.name), found.name)

    def learn_registered(self, people: Iterable[KnownIdentity], lists: NameWords) -> None:
        """Know the full names of the people of the user's registry."""
        for person in people:
            for name in person.names:
                if is_telling(name, lists):
                    self.add(written(name), name)

    def add(self, text: str, name: PersonName) -> None:
        """Know the name as it is written in text; texts of another shape are passed over."""
        if (key := name_key(text)) is not None:
            self._names.setdefault(key, name)

    def unknown(self, parts: Iterable[SearchedPart], lists: NameWords) -> set[str]:
        """The stretches of these texts that may be a full name that the vault knows."""
        return {
            window.key
            for part in parts
            for run in part.runs
            for window in windows(run)
            if window.key not in self._names and _may_be_name(window, lists)
        }

    def added(self, part: SearchedPart) -> AddedNames:
        """The mentions of known names that the text lacks."""
        hits = list(self._hits(part)) if part.runs and self._names else []
        if not hits:
            return AddedNames()
        place_id = part_document_id(part.content, part.part_id)
        doc_id = part_document_id(part.content, owner_of(part.part_id))
        mentions: list[NormalizedMention] = []
        inside: dict[MentionId, MentionId] = {}
        holders: set[Span] = set()
        lost: set[Span] = set()
        for span, surface, name, taken in hits:
            own_id = mention_id_at(place_id, span)
            inside |= dict.fromkeys(taken, own_id)
            holder: MentionId | None = None
            for value in part.values:
                around = Span(value.start, value.end)
                if not around.overlaps(span) or value.kind == LITERAL:
                    continue
                may_hold = value.kind not in self._kinds or PERSON in self._kinds[value.kind].holds
                if around.contains(span) and (may_hold or around != span):
                    holders.add(around)
                    holder = mention_id_at(place_id, around, value.kind)
                else:
                    lost.add(around)
            mention = Mention(
                own_id, doc_id, span, surface, detector=Detector.CONSISTENCY, confidence=_FOUND, inside=holder
            )
            mentions.append(NormalizedMention(mention, name, context=MentionContext()))
        return AddedNames(tuple(mentions), inside, frozenset(holders), frozenset(lost))

    def _hits(self, part: SearchedPart) -> Iterator[tuple[Span, str, PersonName, list[MentionId]]]:
        spans = [span for span, _ in part.mentions]
        around = SpanIndex(spans)
        for run in part.runs:
            read_to = 0
            for window in windows(run):
                name = self._names.get(window.key)
                if name is None or window.span.start < read_to:
                    continue
                overlapping = list(around.overlapping(window.span))
                if not all(window.span.contains(spans[n]) and spans[n] != window.span for n in overlapping):
                    continue  # what is found already is the name, or more than it
                read_to = window.span.end
                surface = run.text[window.span.start - run.start : window.span.end - run.start]
                yield window.span, surface, name, [part.mentions[n][1] for n in overlapping]


def is_telling(name: PersonName, lists: NameWords) -> bool:
    """Whether the name, where it stands, tells of a person: a given name of the lists with a family name, or
    initials with a family name that is no ordinary word.
    """
    if name.family is None or len(name.family) < 2:
        return False
    if name.given is not None and len(name.given.split()[0]) > 1:
        return lists.is_given_name(name.given.split()[0])
    return name.initials is not None and not lists.is_word(name.family)


def written(name: PersonName) -> str:
    """The name as texts have it: forenames, particle, family name; a partner's name before one's own."""
    own = f"{name.particle or ''} {name.family or ''}".strip().replace("' ", "'")
    partner = f"{name.partner_particle or ''} {name.partner_family or ''}".strip()
    family = f"{partner}-{own}" if partner else own
    return f"{name.given or name.initials or ''} {family}".strip()


def _may_be_name(window: Window, lists: NameWords) -> bool:
    words = window.key.split()
    if len(words) > _MOST_NAME_WORDS:
        return False
    return words[0].endswith(".") or lists.is_given_name(words[0])


def known_to_vault(
    vault: "VaultApi", project: str, keys: Iterable[str], analyzer: Analyzer
) -> dict[str, PersonName]:
    """Those of these stretches that are the full name of a person of the project, each with its parts."""
    texts = sorted(keys)
    if not texts:
        return {}
    language = analyzer.gazetteer.language.code
    documents = [Document(DocumentId(str(number)), text, language) for number, text in enumerate(texts)]
    mentions = [
        [Mention.at(one, Span(0, len(one.text)), detector=Detector.CONSISTENCY, confidence=_FOUND)]
        for one in documents
    ]
    read = [found.name for found in analyzer.normalize(documents, mentions, [()] * len(documents))]
    asked = [
        (text, name) for text, name in zip(texts, read, strict=True) if is_telling(name, analyzer.gazetteer)
    ]
    known = vault.are_known_names(project, [name for _, name in asked]) if asked else ()
    return {text: name for (text, name), is_known in zip(asked, known, strict=True) if is_known}


def searched(part: PartFound) -> SearchedPart:
    """A text as detection left it, to be searched for known names."""
    return SearchedPart(
        part.part_id, part.content, part.runs, [(m.mention.span, m.mention_id) for m in part.mentions],
        part.placed_values,
    )  # fmt: skip


def with_known_names(
    found: Sequence[SourceFound],
    known: KnownNames,
    ask: Callable[[Iterable[SearchedPart]], Mapping[str, PersonName]],
) -> list[SourceFound]:
    """The sources with mentions of the names that are known. ask: gives those that the vault knows."""
    for text, name in ask(searched(part) for source in found for part in source.parts if part.runs).items():
        known.add(text, name)
    return [_with_names(source, known) for source in found]


def _with_names(source: SourceFound, known: KnownNames) -> SourceFound:
    parts: list[PartFound] = []
    professionals = set(source.professionals)
    for part in source.parts:
        added = known.added(searched(part)) if part.runs else AddedNames()
        professionals |= {new for old, new in added.inside.items() if old in professionals}
        parts.append(_with_added(part, added) if added else part)
    return replace(source, parts=tuple(parts), professionals=tuple(sorted(professionals)))


def _with_added(part: PartFound, added: AddedNames) -> PartFound:
    kept = [mention for mention in part.mentions if mention.mention_id not in added.inside]
    mentions = sorted([*kept, *added.mentions], key=lambda one: one.mention.span)
    values = tuple(value for value in part.values if value.mention.span not in added.lost)
    return replace(part, mentions=tuple(mentions), values=values)
