"""Misspelt names: words near a name of the document, of the registry, or of the lists.

Every word that the language does not know, or that is capitalized, is compared with the name words known so
far (optimal string alignment, see edit_distance). The correction goes into Mention.typo_of; the text stays.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from linkage.recognition.boundaries import NO_S_AFTER, is_name_word
from linkage.recognition.consistency import exact_hits
from linkage.recognition.edit_distance import typing_distance
from linkage.recognition.known_names import Chunk, Hit, KnownNames, KnownWord, chunks
from linkage.recognition.listed_names import ListedNames
from linkage.recognition.near_words import near_pairs
from linkage.recognition.words import Lexicon, ScannedText, Word, without_lookalikes
from linkage.records import Detector, Document, Mention, RecognizedText, Span
from linkage.settings import RecognitionSettings

_SHORTEST = 3
_COMMON_WORD_ZIPF = 2.0
_BLANKS = frozenset({" ", "\n"})


class Knowledge(Protocol):
    """Where a TypoFinder gets the lists from."""

    @property
    def given_names(self) -> Mapping[str, object]: ...
    @property
    def surnames(self) -> Mapping[str, object]: ...


class TypoFinder:
    """Finds misspelt names; load once, use for many documents."""

    def __init__(self, lexicon: Lexicon, listed: ListedNames | None = None) -> None:
        self._lexicon = lexicon
        self._listed = listed

    @classmethod
    def load(
        cls, lexicon: Lexicon, settings: RecognitionSettings, lists: Knowledge | None = None
    ) -> "TypoFinder":
        """settings are for a later choice of keyboard; lists give names that no text needs to hold."""
        del settings
        return cls(lexicon, None if lists is None else ListedNames(lists.given_names, lists.surnames))

    def find(
        self,
        document: Document,
        mentions: Sequence[Mention],
        recognized: RecognizedText | None = None,
        *,
        scanned: ScannedText | None = None,
        known: KnownNames | None = None,
        hits: Mapping[int, Hit] | None = None,
    ) -> tuple[Mention, ...]:
        """Mentions with at least one misspelt word, typo_of set, sorted by span."""
        text = scanned if scanned is not None else self._lexicon.scan(document.text, recognized)
        names = known if known is not None else KnownNames.of(text, mentions)
        hits = hits if hits is not None else exact_hits(text, names)
        misspelt = self.misspelt_words(text, names, hits)
        found = [
            self._mention(document, text, chunk, names)
            for chunk in chunks(text, {**hits, **misspelt}, names)
            if any(index in misspelt for index in chunk.hits)
        ]
        found += self._split_and_joined(document, text, names, hits)
        return tuple(sorted(found, key=lambda mention: mention.span))

    def set_apart_misspelt(self, known: KnownNames) -> None:
        """Take words out of known that are misspelt forms of others in it, so that they are found as such.

        A word is held to be misspelt if no list and no dictionary has it, and it is near one that is listed,
        or that occurs at least three times as often.
        """
        targets = [key for key in known.words if len(key) >= _SHORTEST]
        doubtful = [key for key in targets if not self._is_listed(known.words[key].surface)]
        if not doubtful or len(targets) < 2:
            return
        misspelt: set[str] = set()
        for row, column, edits in near_pairs(doubtful, targets):
            key, other = doubtful[row], targets[column]
            known_word, model = known.words[key], known.words[other]
            if not edits or other in misspelt or key in misspelt:
                continue
            if not self._is_listed(model.surface) and model.count < 3 * known_word.count:
                continue
            largest = _largest_distance(key, other, known_word.surface, ordinary=False)
            if typing_distance(key, other, most=largest) <= largest:
                misspelt.add(key)
        for key in misspelt:
            del known.words[key]

    def _is_listed(self, surface: str) -> bool:
        facts = self._lexicon.facts(surface)
        return facts.given or facts.surname or facts.word or facts.place

    def misspelt_words(
        self, scanned: ScannedText, known: KnownNames, hits: Mapping[int, Hit]
    ) -> dict[int, Hit]:
        """Words that are no known name word but near one, with the nearest and its typing distance."""
        places: dict[str, list[int]] = {}
        for index, word in enumerate(scanned.words):
            facts = word.facts
            if facts.word and not facts.capitalized:  # most words by far
                continue
            if index not in hits and _may_be_misspelt(word) and not _is_user_name(scanned, word):
                places.setdefault(word.surface, []).append(index)
        targets = [key for key in known.words if len(key) >= _SHORTEST]
        if not places or not targets:
            return {}
        found: dict[int, Hit] = {}
        for surface, hit in self._nearest(list(places), targets, known.words).items():
            found |= dict.fromkeys(places[surface], hit)
        return found

    def _nearest(
        self, surfaces: Sequence[str], targets: Sequence[str], known: Mapping[str, KnownWord]
    ) -> dict[str, Hit]:
        keys: list[str] = []
        owners: list[int] = []
        for number, surface in enumerate(surfaces):
            facts = self._lexicon.facts(surface)
            variants = {facts.key, without_lookalikes(facts.key)}
            if facts.key.endswith("s") and len(facts.key) > 4 and facts.key[-2] not in NO_S_AFTER:
                variants.add(facts.key[:-1])  # a misspelt name with a possessive s
            keys += variants
            owners += [number] * len(variants)
        best: dict[int, tuple[float, int, str, int]] = {}
        for row, column, _ in near_pairs(keys, targets):
            surface, target = surfaces[owners[row]], targets[column]
            facts, written = self._lexicon.facts(surface), keys[row]
            largest = _largest_distance(written, target, surface, ordinary=facts.word)
            # Read with look-alikes or without its s a word may equal the name: that still is an edit.
            shift = 0.0 if written == facts.key else 0.4
            distance = typing_distance(written, target, most=largest) + shift
            if distance > largest:
                continue
            cut = 1 if written == facts.key[:-1] and distance < 1.5 and facts.key.endswith("s") else 0
            rank = (distance, -known[target].count, target, cut)
            if owners[row] not in best or rank < best[owners[row]]:
                best[owners[row]] = rank
        return {surfaces[owner]: Hit(rank[2], rank[0], rank[3]) for owner, rank in best.items()}

    def _mention(self, document: Document, scanned: ScannedText, chunk: Chunk, known: KnownNames) -> Mention:
        corrected = _corrected(scanned, chunk, known)
        support = max(known.words[hit.key].confidence for hit in chunk.hits.values())
        exact = any(not hit.distance for hit in chunk.hits.values())
        doubts = [_doubt(scanned, index, hit) for index, hit in chunk.hits.items() if hit.distance]
        confidence = support * (1 - max(doubts) * (0.3 if exact else 1.0))
        return Mention.at(
            document, chunk.span, detector=Detector.TYPO, confidence=confidence, typo_of=corrected
        )

    def _split_and_joined(
        self, document: Document, scanned: ScannedText, known: KnownNames, hits: Mapping[int, Hit]
    ) -> Iterable[Mention]:
        """Names with a blank too many ("Wil helmina") or too few ("JanBakker", "deBoer")."""
        words = scanned.words
        beginnings = {key[:2] for key in known.words} | {key[:1] for key in known.words}
        if not known.words:
            return
        for index, word in enumerate(words):
            facts = word.facts
            joined = known.joined.get(facts.key)
            is_new = index not in hits and not facts.word and not _is_user_name(scanned, word)
            if joined is not None and is_new:
                yield Mention.at(document, word.span, detector=Detector.TYPO, confidence=0.9, typo_of=joined)
            if (
                index + 1 < len(words)
                and (facts.key[:2] in beginnings)
                and scanned.gap(index, index + 1) in _BLANKS
            ):
                following = words[index + 1]
                whole = known.words.get(facts.key + following.facts.key)
                if whole is None or following.facts.particle or (word.facts.word and following.facts.word):
                    continue
                if index in hits and index + 1 in hits:
                    continue
                yield Mention.at(
                    document, Span(word.start, following.end),
                    detector=Detector.TYPO, confidence=0.8 if word.capitalized else 0.5,
                    typo_of=whole.surface,
                )  # fmt: skip

    def correct(self, document: Document, mention: Mention, scanned: ScannedText) -> str | None:
        """How a mention is spelt of which words are unknown and near exactly one listed name; else None."""
        if self._listed is None or mention.typo_of is not None:
            return mention.typo_of
        text, start = document.text, mention.span.start
        corrected, changed = mention.surface, False
        words = [word for word in scanned.words_in(mention.span) if is_name_word(word)]
        for word in reversed(words):
            facts = word.facts
            if facts.given or facts.surname or facts.word or len(facts.key) < 5:
                continue
            given = word is words[0] and len(words) > 1
            name = self._listed.only_near(facts.key, given=given)
            if name is not None:
                shown = _in_case_of(word.surface, name)
                corrected = corrected[: word.start - start] + shown + corrected[word.end - start :]
                changed = True
        del text
        return corrected if changed else None


def _may_be_misspelt(word: Word) -> bool:
    facts = word.facts
    if len(facts.key) < _SHORTEST or facts.particle or facts.title:
        return False
    if not any(character.isalpha() for character in word.surface):
        return False
    if word.capitalized:
        return True
    return not facts.word and facts.zipf < _COMMON_WORD_ZIPF


def _is_user_name(scanned: ScannedText, word: Word) -> bool:
    """Whether figures touch a word in small letters, as in "sdeboer88": a user name is no misspelt name."""
    beside = scanned.text[word.start - 1 : word.start] + scanned.text[word.end : word.end + 1]
    return not word.capitalized and any(character.isdecimal() for character in beside)


def _largest_distance(written: str, target: str, surface: str, *, ordinary: bool) -> float:
    """The typing distance up to which a word of this length is taken for the name."""
    length = min(len(written), len(target))
    if length <= 3:
        return 0.8 if sorted(written) == sorted(target) or not written.isalpha() else 0.6
    if ordinary:
        return 1.0 if length >= 6 and surface[0].isupper() else 0.6
    if length <= 4:
        return 1.0
    if length <= 6:
        return 1.0 if surface[0].islower() else 1.5
    return 2.0


def _doubt(scanned: ScannedText, index: int, hit: Hit) -> float:
    """How likely the misspelt word is something else, in [0, 1]."""
    word = scanned.words[index]
    facts = word.facts
    length = min(len(facts.key), len(hit.key))
    doubt = min(0.9, hit.distance / length * 1.2)
    if facts.word or facts.place:
        doubt = max(doubt, 0.8 if scanned.starts_sentence(index) or not word.capitalized else 0.6)
    elif facts.zipf > _COMMON_WORD_ZIPF:
        doubt = max(doubt, 0.4)
    if not word.capitalized:
        doubt = max(doubt, 0.3)
    return doubt


def _corrected(scanned: ScannedText, chunk: Chunk, known: KnownNames) -> str:
    """The chunk as it should be spelt, its misspelt words replaced."""
    span, text = chunk.span, scanned.text
    pieces: list[str] = []
    position = span.start
    for index in sorted(chunk.hits):
        word, hit = scanned.words[index], chunk.hits[index]
        end = word.end - hit.cut
        pieces.append(text[position : word.start])
        surface = known.words[hit.key].surface
        pieces.append(_in_case_of(word.surface, surface) if hit.distance else text[word.start : end])
        position = end
    return "".join(pieces) + text[position : span.end]


def _in_case_of(written: str, name: str) -> str:
    if len(written) > 2 and written.isupper():
        return name.upper()
    if written[:1].islower() and not any(character.isupper() for character in written):
        return name.lower()
    return name[:1].upper() + name[1:].lower() if name.isupper() or name.islower() else name
