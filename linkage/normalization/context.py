"""Mentions -> normalized mentions: names taken apart in the light of their document, and what it says."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rapidfuzz.distance import OSA

from linkage.context.attributes import attach_attributes
from linkage.context.facts import Fact, facts_of
from linkage.context.marks import group_mark, marks_of
from linkage.context.relations import NamedText, RelationKind, relations_of
from linkage.context.roles import roles_of
from linkage.detection.values import value_mentions
from linkage.gazetteer import Gazetteer, Title
from linkage.kept_words import remembered
from linkage.language import Language, Meaning, Place
from linkage.language.expressions import any_of
from linkage.names.parsing import parse_name
from linkage.names.spelling import pet_stems
from linkage.names.titles import is_familiar, title_of
from linkage.names.words import WordReader
from linkage.normalization.beginnings import with_beginnings
from linkage.records import (
    Correction,
    Document,
    Gender,
    Mention,
    MentionContext,
    MentionId,
    NormalizedMention,
    PersonName,
    ValueMention,
    fold,
)

_SENTENCE_END = re.compile(
    r"(?<=[.!?…])[\"'\u201d\u2019)]*\s+(?=[\"'\u201c(]*[A-Z\u00c0-\u00de\d])"
    r"|\n\s*\n|\n(?=[ \t]*[-*•\d>])|\n(?=\S[^\n]{0,40}:\s)"
)
_NAMES_KEPT = 8_192  # taken apart, for when they come again; about 3 MB
_LONGEST_TITLE = 40  # characters before a mention in which a title is looked for
_NUMERAL_AFTER = re.compile(r"^\s(?P<suffix>II|III|IV)\b")


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Expressions for what stands around a mention. given: what a given name is expected behind."""

    abbreviation: re.Pattern[str]
    suffix: re.Pattern[str]
    gender: re.Pattern[str]
    couple: re.Pattern[str]
    born: re.Pattern[str]
    given: re.Pattern[str]


@cache
def _phrases(language: Language) -> _Phrases:
    short = any_of(language.words("abbreviation"))
    suffix = language.phrases(Meaning.SUFFIX, Place.AFTER)
    male, female = (language.phrases(meaning, Place.AFTER) for meaning in (Meaning.MALE, Meaning.FEMALE))
    couple = language.phrases(Meaning.COUPLE, Place.BEFORE)
    born = language.phrases(Meaning.BORN, Place.BEFORE)
    called = language.phrases(Meaning.CALLED, Place.BEFORE)
    return _Phrases(
        re.compile(rf"(?:^|\W)(?:[^\W\d_]|{short})\.$", re.IGNORECASE),
        re.compile(rf"^,?\s*\(?(?P<suffix>{suffix})\b\.?\)?", re.IGNORECASE),
        re.compile(rf"^\s*\(\s*(?:(?P<male>{male})|{female})\b", re.IGNORECASE),
        re.compile(rf"\b{couple}\s*$", re.IGNORECASE),
        re.compile(rf"\b{born}\s*:?\s*$", re.IGNORECASE),
        re.compile(rf"\b(?:{any_of(language.greetings('given'))}|{called})\s+[\"']?$", re.IGNORECASE),
    )


@cache
def _genders(language: Language) -> Mapping[str, Gender]:
    """The gender of the person that each word of the language is said of."""
    return {word.word: word.gender for word in language.people if word.gender is not None}


def normalize(
    document: Document,
    mentions: Sequence[Mention],
    gazetteer: Gazetteer,
    values: Sequence[ValueMention] | None = None,
) -> tuple[NormalizedMention, ...]:
    """The mentions of one document with their names taken apart, in the order given.

    values: the values of the document, whose facts its people get; None: they are looked for.

    Each mention inside stays as it is. A lone word that the document elsewhere uses as a surname, or as a
    given name, is read the same way here; context holds all that linking needs of the text.
    """
    if not mentions:
        return ()
    order = sorted(range(len(mentions)), key=lambda index: mentions[index].span)
    in_order = [mentions[index] for index in order]
    language = Language.load(document.language)
    cues = [_Cue.before(document.text, mention, gazetteer, language) for mention in in_order]
    read = [_read(mention, cue, gazetteer) for mention, cue in zip(in_order, cues, strict=True)]
    names = [
        _with_suffix(document.text, mention, name, language)
        for mention, name in zip(
            in_order, with_beginnings(in_order, _in_light_of_document(read, cues, gazetteer)), strict=True
        )
    ]
    if values is None:
        persons = [mention.span for mention in in_order]
        values = value_mentions(document, persons=persons)
    facts = facts_of(document.text, values, language)
    contexts = _contexts(document.text, in_order, names, facts, gazetteer, language)
    if document.group:
        marks = contexts[0].marks | {group_mark(document.group)}
        contexts[0] = replace(contexts[0], marks=marks)
    normalized: dict[int, NormalizedMention] = {}
    for position, index in enumerate(order):
        mention, name, cue = in_order[position], names[position], cues[position]
        normalized[index] = NormalizedMention(
            mention, name,
            corrections=_corrections(mention, name, cue, gazetteer),
            gender=cue.gender
            or _gender_after(document.text, mention, language)
            or gender_of(name, gazetteer),
            context=contexts[position],
        )  # fmt: skip
    return tuple(normalized[index] for index in range(len(mentions)))


def gender_of(name: PersonName, gazetteer: Gazetteer) -> Gender | None:
    """The gender the lists know for the first given name, else the call name; BOTH for a unisex name.

    Behind an initial of another name no word is the first: of "S. Lie Sem Fat" nobody knows.
    """
    is_second = name.given and name.initials and fold(name.initials[0]) != fold(name.given[0])
    if is_second and name.nickname is None:
        return None
    for given in (name.given, name.nickname):
        if given is not None:
            for word in (given, given.split()[0]):
                if (gender := gazetteer.gender(word)) is not None:
                    alone = name.family is None and name.partner_family is None and name.initials is None
                    return Gender.BOTH if alone and _may_be_pet_name(word, gender, gazetteer) else gender
    return None


def _may_be_pet_name(word: str, gender: Gender, gazetteer: Gazetteer) -> bool:
    """Whether a woman's name is also what a man may be called: Jantje for Jan, Pietje for Piet. Beside a
    surname it is her own: Albertje Hoekstra is not Albert Hoekstra.
    """
    return gender is Gender.FEMALE and any(
        gazetteer.gender(stem) is Gender.MALE for stem in pet_stems(word, gazetteer.language)
    )


class _Cue:
    """What stands right before a mention: a title, a kinship word, a greeting, "geb."."""

    __slots__ = ("gender", "is_given", "is_surname")

    def __init__(self, *, gender: Gender | None, is_surname: bool, is_given: bool) -> None:
        self.gender, self.is_surname, self.is_given = gender, is_surname, is_given

    @classmethod
    def before(cls, text: str, mention: Mention, gazetteer: Gazetteer, language: Language) -> "_Cue":
        phrases = _phrases(language)
        before = text[max(0, mention.span.start - _LONGEST_TITLE) : mention.span.start]
        words = re.split(r"[\n,;:()]", before)[-1].split() if not before.rstrip(" ").endswith("\n") else []
        title = _title_at_end(words, gazetteer)
        gender = title.gender if title is not None else None
        if gender is Gender.BOTH or phrases.couple.search(before):
            gender = None
        familiar = title is not None and is_familiar(title, language)
        if gender is None and words:
            gender = _genders(language).get(words[-1].lower())
            familiar = familiar or gender is not None
        inner = _title_at_start(mention.surface, gazetteer)
        if gender is None and inner is not None and inner.gender is not Gender.BOTH:
            gender = inner.gender
        is_surname = (title is not None and not familiar) or phrases.born.search(before) is not None
        return cls(gender=gender, is_surname=is_surname, is_given=phrases.given.search(before) is not None)


def _title_at_end(words: Sequence[str], gazetteer: Gazetteer) -> Title | None:
    for length in range(min(3, len(words)), 0, -1):
        tail = " ".join(words[-length:])
        title = title_of(tail, gazetteer)
        if title is not None and title.position == "pre":
            # "dr." tells no gender, but "mevrouw dr." does.
            if title.gender in (None, Gender.BOTH) and len(words) > length:
                further = _title_at_end(words[:-length], gazetteer)
                return further if further is not None else title
            return title
    return None


def _title_at_start(surface: str, gazetteer: Gazetteer) -> Title | None:
    words = surface.split()
    for length in range(min(3, len(words) - 1), 0, -1):
        head = " ".join(words[:length])
        title = title_of(head, gazetteer)
        if title is not None and title.position == "pre":
            return title
    return None


def _read(mention: Mention, cue: _Cue, gazetteer: Gazetteer) -> PersonName:
    surface = mention.typo_of or mention.surface
    return _parsed(surface, gazetteer, titled=cue.is_surname)


@remembered(_NAMES_KEPT)
def _parsed(surface: str, gazetteer: Gazetteer, *, titled: bool) -> PersonName:
    """parse_name, once for a name that a corpus has many times."""
    return parse_name(surface, gazetteer, titled=titled)


def _in_light_of_document(
    names: Sequence[PersonName], cues: Sequence[_Cue], gazetteer: Gazetteer
) -> list[PersonName]:
    given_words, family_words = Counter[str](), Counter[str]()
    for name in names:
        if name.given and name.family:
            given_words.update(fold(name.given).split())
        if name.family and (name.given or name.initials or name.particle):
            family_words[fold(name.family)] += 1
    orders = {_bare_order(name) for name in names} - {None}
    return [
        _reread(name, cue, given_words, family_words, orders, gazetteer)
        for name, cue in zip(names, cues, strict=True)
    ]


def _bare_order(name: PersonName) -> tuple[str, str] | None:
    """Given name and surname as keys, if the name is two words that could stand the other way round."""
    is_bare = name.given and name.family and not any((name.particle, name.initials, name.partner_family))
    return (fold(name.given or ""), fold(name.family or "")) if is_bare else None


def _reread(
    name: PersonName,
    cue: _Cue,
    given_words: Counter[str],
    family_words: Counter[str],
    orders: set[tuple[str, str] | None],
    gazetteer: Gazetteer,
) -> PersonName:
    parts = [part for part in name.parts() if part is not None]
    if len(parts) == 1 and name.family is not None:
        key = fold(name.family)
        as_given = not cue.is_surname and given_words[key] > family_words[key]
        if not family_words[key] and not as_given:
            as_given = cue.is_given or (not cue.is_surname and _is_short_for_one(key, given_words, gazetteer))
        if as_given:
            return PersonName(given=name.family)
    elif len(parts) == 1 and name.given is not None:
        key = fold(name.given)
        if family_words[key] and not given_words[key] and not cue.is_given:
            return PersonName(family=name.given)
    elif (order := _bare_order(name)) is not None and (order[1], order[0]) in orders:
        reader = WordReader(gazetteer)
        as_written = reader.given_share(order[0]) * (1 - reader.given_share(order[1]))
        turned = reader.given_share(order[1]) * (1 - reader.given_share(order[0]))
        # Both orders occur: all mentions get one of them; ties are broken by spelling, not by order.
        if (turned, order[0]) > (as_written, order[1]):
            return replace(name, given=name.family, family=name.given)
    return name


def _is_short_for_one(key: str, given_words: Counter[str], gazetteer: Gazetteer) -> bool:
    """Whether the lists have a folded word as what bearers of a given name of the document are called."""
    return any(fold(full) in given_words for full in gazetteer.full_forms(key))


def _with_suffix(text: str, mention: Mention, name: PersonName, language: Language) -> PersonName:
    after = text[mention.span.end : mention.span.end + 12]
    found = _phrases(language).suffix.match(after) or _NUMERAL_AFTER.match(after)
    if found is None or name.suffix is not None:
        return name
    suffix = found["suffix"]
    return replace(name, suffix=suffix if suffix[0] == "I" else f"{suffix[0].lower()}r.")


def _gender_after(text: str, mention: Mention, language: Language) -> Gender | None:
    found = _phrases(language).gender.match(text[mention.span.end : mention.span.end + 16])
    if found is None:
        return None
    return Gender.FEMALE if found["male"] is None else Gender.MALE


def _corrections(
    mention: Mention, name: PersonName, cue: _Cue, gazetteer: Gazetteer
) -> tuple[Correction, ...]:
    """What the corrected name has otherwise than the surface, part by part."""
    if mention.typo_of is None:
        return ()
    written = parse_name(mention.surface, gazetteer, titled=cue.is_surname)
    fields = ("given", "initials", "particle", "family", "partner_particle", "partner_family")
    corrections: list[Correction] = []
    for part in fields:
        before, after = getattr(written, part), getattr(name, part)
        if before != after and before is not None and after is not None:
            corrections.append(Correction(part, before, after, int(OSA.distance(before, after))))
    if not corrections and fold(mention.surface) != fold(mention.typo_of):
        part = next(part for part in (*fields, "suffix", "nickname") if getattr(name, part) is not None)
        distance = int(OSA.distance(mention.surface, mention.typo_of))
        corrections.append(Correction(part, mention.surface, mention.typo_of, distance))
    return tuple(corrections)


def sentence_starts(text: str, mentions: Sequence[Mention], language: Language) -> list[int]:
    """Offsets at which sentences after the first begin; never inside a mention or after an abbreviation."""
    abbreviation = _phrases(language).abbreviation
    starts: list[int] = []
    spans = sorted(mention.span for mention in mentions)
    begins = [span.start for span in spans]
    for match in _SENTENCE_END.finditer(text):
        before = bisect_right(begins, match.start()) - 1
        inside = before >= 0 and spans[before].end > match.start() + 1
        is_line_end = "\n" in match[0]
        if not inside and (
            is_line_end or not abbreviation.search(text[max(0, match.start() - 8) : match.start()])
        ):
            starts.append(match.end())
    return starts


def _contexts(
    text: str,
    mentions: Sequence[Mention],
    names: Sequence[PersonName],
    facts: Sequence[Fact],
    gazetteer: Gazetteer,
    language: Language,
) -> list[MentionContext]:
    starts = sentence_starts(text, mentions, language)
    attributes = attach_attributes(text, mentions, names, facts, language)
    marks = frozenset(marks_of(text, mentions, facts, gazetteer)) if mentions else frozenset()
    joined: list[set[MentionId]] = [set() for _ in mentions]
    same: list[set[MentionId]] = [set() for _ in mentions]
    named = NamedText(text, mentions, names, starts)
    for relation in relations_of(named, gazetteer.is_surname, language):
        others = same if relation.kind is RelationKind.SAME else joined
        others[relation.left].add(mentions[relation.right].mention_id)
        others[relation.right].add(mentions[relation.left].mention_id)
    return [
        MentionContext(
            sentence=bisect_right(starts, mention.span.start),
            joined_with=frozenset(joined[index]),
            attributes=frozenset(attributes[index]),
            same_as=frozenset(same[index]),
            roles=roles_of(text, mention, language),
            marks=frozenset() if index else marks,
        )
        for index, mention in enumerate(mentions)
    ]
