"""A name found once in a document is found everywhere in it, whole or by one of its words, in any case."""

from collections.abc import Mapping, Sequence

from linkage.recognition.boundaries import NO_S_AFTER
from linkage.recognition.known_names import Chunk, Hit, KnownNames, chunks
from linkage.recognition.words import Lexicon, ScannedText, Word
from linkage.records import Detector, Document, Mention

_COMPOUND_LETTERS = 5


def spread(
    document: Document,
    mentions: Sequence[Mention],
    lexicon: Lexicon,
    *,
    scanned: ScannedText | None = None,
    known: KnownNames | None = None,
    hits: Mapping[int, Hit] | None = None,
) -> tuple[Mention, ...]:
    """Where the names of the mentions stand again, sorted by span; may repeat the mentions themselves.

    known adds names from elsewhere: the corpus, a registry. Confidence tells how little doubt there is that
    the word means the person and not what the word means otherwise, in [0, 1].
    """  # fmt: skip
    text = scanned if scanned is not None else lexicon.scan(document.text)
    names = known if known is not None else KnownNames.of(text, mentions)
    hits = hits if hits is not None else exact_hits(text, names)
    found = [
        Mention.at(
            document, chunk.span, detector=Detector.CONSISTENCY, confidence=_confidence(text, chunk, names)
        )
        for chunk in chunks(text, hits, names)
    ]
    return tuple(sorted(found, key=lambda mention: mention.span))


def exact_hits(scanned: ScannedText, known: KnownNames) -> dict[int, Hit]:
    """Words that are known name words, also with a possessive s or as the first part of a compound."""
    hits: dict[int, Hit] = {}
    known_words, street_ends = known.words, scanned.language.endings_for("compound")
    lengths = {length for key in known_words if (length := len(key)) >= _COMPOUND_LETTERS}
    for index, word in enumerate(scanned.words):
        key = word.facts.key
        if key in known_words:
            hits[index] = Hit(key)
        elif key.endswith("s") and len(key) > 3 and key[:-1] in known_words and _can_be_possessive(word):
            hits[index] = Hit(key[:-1], cut=1)
        elif (
            word.capitalized
            and len(word.surface) == len(key) > _COMPOUND_LETTERS + 3
            and not word.facts.surname
        ):
            hits |= _compound_hit(index, word, known, lengths, street_ends)
    return hits


def _can_be_possessive(word: Word) -> bool:
    facts = word.facts
    if facts.key[-2] in NO_S_AFTER:  # "Jochemss" is a misspelt Jochems
        return False
    return not facts.given and not facts.surname and (word.capitalized or facts.word_share < 0.5)


def _compound_hit(
    index: int, word: Word, known: KnownNames, lengths: set[int], street_ends: tuple[str, ...]
) -> dict[int, Hit]:
    """A name at the start of a longer word ("Koendersmissie"), unless that is a street, school or place."""
    key = word.facts.key
    if word.facts.word or word.facts.place or key.endswith(street_ends):
        return {}
    for length in sorted(lengths, reverse=True):
        if length + 3 < len(key) and key[:length] in known.words and word.surface[length:].islower():
            return {index: Hit(key[:length], cut=len(word.surface) - length)}
    return {}


def _confidence(scanned: ScannedText, chunk: Chunk, known: KnownNames) -> float:
    words = [scanned.words[index] for index in chunk.hits]
    keys = [hit.key for hit in chunk.hits.values()]
    support = max(known.words[key].confidence for key in keys)
    if len(keys) > 1:
        return support
    word, name = words[0], known.words[keys[0]]
    doubt = word.facts.word_share
    if chunk.span.start < word.start:  # it has its initials or particle with it
        doubt *= 0.3
    if not word.capitalized:
        doubt = max(doubt, 0.9 if word.facts.word else 0.15)
    elif name.family and name.particles and chunk.span.start == word.start:
        doubt = max(doubt, 0.8 if word.facts.place or word.facts.word else 0.3)  # "Boer" for "de Boer"
    elif scanned.starts_sentence(chunk.first):
        doubt = min(1.0, doubt * 1.2)
    else:
        doubt *= 0.6  # a capital inside a sentence
    if chunk.hits[chunk.last].cut > 1:  # the first part of a compound
        doubt = max(doubt, 0.4)
    return support * (1 - doubt)
