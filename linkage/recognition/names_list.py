"""NamesList: persons found by name lists, cue words and the grammar of names, over a whole text."""

import bisect
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from linkage.gazetteer import Gazetteer, lookup_key
from linkage.kind_lists import TextsByKind
from linkage.kinds import PERSON, Kinds
from linkage.names import parse_name
from linkage.pieces import CutText, Gap
from linkage.recognition.known_persons import KnownPersons, Recognized
from linkage.recognition.name_context import NameContext, separates_names
from linkage.recognition.name_grammar import NameGrammar, UnitKind
from linkage.recognition.name_judgement import JudgedName, NameJudge
from linkage.recognition.name_reading import NameReader
from linkage.recognition.name_shapes import mended, spaced_words
from linkage.recognition.name_tokens import ExtraNames, Token, WordBook
from linkage.recognition.phrases import PhraseMatcher, phrase_words, read_phrases
from linkage.recognition.registry import Registry
from linkage.records import Detector, Document, Mention, PersonName, RecognizedSpan, RecognizedText, Span
from linkage.settings import RecognitionSettings
from linkage.spans import SpanIndex

_LEAST = 0.15  # what is less sure is not worth a look
_WEAK_NETWORK = 0.3  # below this a person span of the network supports nothing
_SURE_OTHER_NAME = 0.8


@dataclass(frozen=True, slots=True)
class UserLists:
    """What the user adds: names to know, phrases that always or never are one.

    allowed: phrases of the older list, which other evidence may outweigh. denied: with the phrases that are
    something else wherever they stand.
    """

    names: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    always: tuple[str, ...] = ()

    def __repr__(self) -> str:
        counts = f"{len(self.names)} names, {len(self.allowed)} allowed, {len(self.denied)} denied"
        return f"UserLists({counts}, {len(self.always)} always)"

    @classmethod
    def read(cls, settings: RecognitionSettings) -> Self:
        """Raises GazetteerError: if one of the files cannot be read."""
        names = [name for path in settings.names_files for name in read_phrases(path, what="list of names")]
        allowed = read_phrases(settings.allow_file, what="allow list") if settings.allow_file else ()
        denied = read_phrases(settings.deny_file, what="deny list") if settings.deny_file else ()
        denied = (*denied, *settings.never.get(PERSON, ()), *_something_else(settings.always))
        return cls(tuple(names), allowed, denied, settings.always.get(PERSON, ()))


class NamesList:
    """Finds names without a network.

    A mention's confidence says how sure the lists are; below 0.5 it needs the support of another detector.
    Names of the registry carry the person's id where only one person fits.
    """

    def __init__(
        self, gazetteer: Gazetteer, lists: UserLists | None = None, registry: Registry | None = None
    ) -> None:
        lists = lists if lists is not None else UserLists()
        self.registry = registry
        self._language = gazetteer.language
        own = [parse_name(name, gazetteer) for name in lists.names]
        own += registry.names() if registry is not None else ()
        self._book = WordBook(gazetteer, _extra_names(gazetteer, own))
        grammar, context = NameGrammar(gazetteer), NameContext(gazetteer)
        self._reader = NameReader(grammar, context, NameJudge(gazetteer, context))
        self._stuck_words = gazetteer.grammar_words("stuck_word")
        self._known = KnownPersons(registry) if registry is not None else None
        self._listed = PhraseMatcher.of((*lists.names, *lists.allowed, *lists.always))
        self._always = PhraseMatcher.of(lists.always)
        self._never = PhraseMatcher.of(lists.denied)

    @classmethod
    def load(cls, gazetteer: Gazetteer, settings: RecognitionSettings) -> Self:
        """With the user's lists and registry of persons that the settings name.

        Raises:
            GazetteerError: if one of the files cannot be read or has another layout.
        """
        registry = Registry.read(settings.persons_file, gazetteer) if settings.persons_file else None
        return cls(gazetteer, UserLists.read(settings), registry)

    def find(
        self, document: Document, recognized: RecognizedText | None = None, cut: CutText | None = None
    ) -> tuple[Mention, ...]:
        """Mentions in the order of the text, not overlapping.

        Where the network saw a person too, a weak name is raised; where it saw a name of something else, a
        name that no cue word supports is lowered. The text is taken as it stands: a readable view of what
        was written. cut: its pieces, where they are known.
        """
        text = document.text
        tokens = mended(self._book.tokens_of(cut or CutText.of(text)), self._book, self._stuck_words)
        read = list(self._reader.names(tokens, text))
        names = _with_neighbours(tokens, read, self._language.words("conjunction"))
        inside = {
            tokens[unit.first].text
            for name in names
            for unit in name.units[:-1]
            if unit.kind is UnitKind.CORE
        }
        found = [
            _Found(tokens[name.first].start, _name_end(tokens, name, inside), name.confidence, name)
            for name in names
        ]
        found += self._spaced(text)
        found += [
            _Found(tokens[first].start, tokens[last - 1].end, 0.95)
            for first, last, _ in self._listed.find(tokens)
        ]
        if self._known is not None:
            persons = self._known.recognize(tokens, names, text)
            found = [_recognized(one, persons.get((one.start, one.end))) for one in found]
            found += [
                _Found(tokens[first].start, tokens[last - 1].end, 0.95, person_id=_only(ids), known=True)
                for first, last, ids in self._known.aliases(tokens)
            ]
        denied = [(tokens[first].start, tokens[last - 1].end) for first, last, _ in self._never.find(tokens)]
        kept = [
            one
            for one in _without_overlap(found)
            if not any(a <= one.start and one.end <= b for a, b in denied)
        ]
        support = _Support(recognized)
        mentions = []
        for one in kept:
            span = Span(one.start, one.end)
            confidence = support.confidence(span, one)
            if confidence >= _LEAST:
                detector = Detector.REGISTRY if one.known else Detector.LIST
                mentions.append(
                    Mention.at(
                        document,
                        span,
                        detector=detector,
                        confidence=round(confidence, 3),
                        person_id=one.person_id,
                    )
                )
        return tuple(mentions)

    def denied(self, document: Document, cut: CutText | None = None) -> tuple[Span, ...]:
        """Spans of the phrases that never are a name: nothing inside one is a mention. cut: as in find."""
        return self._spans(document, cut, self._never)

    def always(self, document: Document, cut: CutText | None = None) -> tuple[Span, ...]:
        """Spans of the phrases that are a name wherever they stand. cut: as in find."""
        return self._spans(document, cut, self._always)

    def _spans(self, document: Document, cut: CutText | None, phrases: PhraseMatcher) -> tuple[Span, ...]:
        if not len(phrases):
            return ()
        tokens = self._book.tokens_of(cut or CutText.of(document.text))
        return tuple(
            Span(tokens[first].start, tokens[last - 1].end) for first, last, _ in phrases.find(tokens)
        )

    def _spaced(self, text: str) -> Iterator["_Found"]:
        for start, end, joined in spaced_words(text):
            tokens = self._book.tokens(joined)
            names = list(self._reader.names(tokens, joined))
            if (
                len(names) == 1
                and names[0].confidence >= 0.5
                and names[0].last - names[0].first == len(tokens)
            ):
                yield _Found(start, end, min(names[0].confidence, 0.8))


@dataclass(frozen=True, slots=True)
class _Found:
    """A name at text[start:end]."""

    start: int
    end: int
    confidence: float
    name: JudgedName | None = None
    person_id: str | None = None
    known: bool = False


class _Confidences:
    """The network's spans of one kind."""

    def __init__(self, found: Sequence[RecognizedSpan]) -> None:
        self._confidences = [span.confidence for span in found]
        self._index = SpanIndex([span.span for span in found])

    def highest(self, span: Span) -> float:
        """The highest confidence of those that overlap span, 0.0 where none does."""
        return max((self._confidences[number] for number in self._index.overlapping(span)), default=0.0)


class _Support:
    """What the network says about a span."""

    def __init__(self, recognized: RecognizedText | None) -> None:
        self._persons = _Confidences(recognized.persons if recognized is not None else ())
        self._others = _Confidences(recognized.names if recognized is not None else ())

    def confidence(self, span: Span, found: _Found) -> float:
        confidence = found.confidence
        if found.known or (found.name is not None and found.name.cue == "courtesy"):
            return confidence
        person = self._persons.highest(span)
        if person >= _WEAK_NETWORK:
            return max(confidence, 1 - (1 - confidence) * (1 - person))
        other = self._others.highest(span)
        has_cue = found.name is not None and found.name.cue != ""
        if other >= _SURE_OTHER_NAME and not has_cue:
            return confidence * 0.55
        return confidence


def _something_else(always: TextsByKind) -> Iterator[str]:
    """The texts that are of a kind which holds no names of persons."""
    for kind, texts in always.items():
        row = Kinds.load().get(kind)
        if kind != PERSON and (row is None or PERSON not in row.holds):
            yield from texts


def _extra_names(gazetteer: Gazetteer, names: Iterable[PersonName]) -> ExtraNames:
    """The words of the user's names, so that the lists know them."""
    given: set[str] = set()
    surnames: dict[str, set[str]] = {}
    for name in names:
        given.update(key for key in phrase_words(name.given or "") if len(key) > 1)
        for particle, family in ((name.particle, name.family), (name.partner_particle, name.partner_family)):
            usual = gazetteer.canonical_particle(particle or "") or lookup_key(particle or "")
            for key in phrase_words(family or ""):
                if len(key) > 1 and not gazetteer.is_particle(key):
                    surnames.setdefault(key, set()).add(usual)
    return ExtraNames(frozenset(given), {key: frozenset(value) for key, value in surnames.items()})


def _without_overlap(found: Sequence[_Found]) -> list[_Found]:
    """The finds in the order of the text; of two that overlap the known, the longer, the surer stays."""
    kept: list[_Found] = []  # in the order of the text
    ranked = sorted(found, key=lambda f: (-f.known, f.start - f.end, -f.confidence, f.start))
    for one in ranked:
        place = bisect.bisect_right(kept, one.start, key=lambda f: f.start)
        free_before = place == 0 or kept[place - 1].end <= one.start
        if free_before and (place == len(kept) or one.end <= kept[place].start):
            kept.insert(place, one)
    return kept


def _with_neighbours(
    tokens: Sequence[Token], names: Sequence[JudgedName], conjunctions: Collection[str]
) -> list[JudgedName]:
    """The names, those raised that stand in a list beside a sure one: "Jansen, Leijten (SP) en Visser"."""
    raised = list(names)
    for order in (range(1, len(raised)), range(len(raised) - 2, -1, -1)):
        step = 1 if order.step > 0 else -1
        for position in order:
            name, neighbour = raised[position], raised[position - step]
            left, right = (neighbour, name) if step > 0 else (name, neighbour)
            if not 0 < name.confidence < 0.6 <= neighbour.confidence:
                continue
            if separates_names(tokens, left.last, right.first, conjunctions):
                raised[position] = replace(
                    name, confidence=max(name.confidence, 0.6 if name.is_listed else 0.4)
                )
    return [name for name in raised if name.confidence >= _LEAST]


def _name_end(tokens: Sequence[Token], name: JudgedName, inside: Collection[str]) -> int:
    """End of the name in the text, a glued genitive s left out.

    inside: words of the text behind which a name goes on; "Jehannes" beside "Jehannes fan 'e Mar" has no
    genitive.
    """
    last = tokens[name.last - 1]
    # After a given name or a title the s is the family name's own: "Jannes Volkers", "dhr. Raaymakers".
    is_genitive = last.facts is not None and last.facts.has_genitive and len(name.units) == 1
    is_genitive = is_genitive and name.cue != "courtesy" and _has_possession(tokens, name.last)
    return last.end - (is_genitive and last.text not in inside)


def _has_possession(tokens: Sequence[Token], at: int) -> bool:
    """Whether something that can be owned follows in the line: "Annekes tas", but not "Koopmans  12-02"."""
    return at < len(tokens) and tokens[at].gap is Gap.SPACE and tokens[at].is_word


def _recognized(found: _Found, who: Recognized | None) -> _Found:
    if who is None:
        return found
    sure = max(found.confidence, who.confidence)
    return replace(found, person_id=who.person_id, confidence=sure, known=True)


def _only(ids: frozenset[str]) -> str | None:
    return next(iter(ids)) if len(ids) == 1 else None
