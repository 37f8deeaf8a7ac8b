"""What the corpus says about single words: in which role they are borne, and what they are misspelt for."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from rapidfuzz.distance import OSA

from linkage.blocking import deletion_keys
from linkage.clustering.misspelling import Currency, error_probability
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import signatures
from linkage.language import Language
from linkage.names.spelling import pet_stems
from linkage.records import Beyond, DocumentId, NormalizedMention

_SHORTEST = 4
_SHORTEST_PREFIX = 4
_LONGER_BY = 2

_LONGEST_SIGNATURE = 5
_VOWELS = frozenset("aeiouy")
_IN_USE = 4  # documents
_BOTH_IN_USE = 0.4
_PREFIX_PROBABILITY = 0.75
_SHORTEST_PET_STEM = 3
_PET_PROBABILITY = 0.95
_OWN_NAME = 0.38  # as a lone name it fits the man by less than it takes to join, and stays a question
_ARTICLE = re.compile(r"\bde[rn]?\b")
Similar = dict[str, dict[str, float]]


def typing_errors_over_corpus(
    words: Iterable[str], currency: Callable[[str], Currency], *, apart: Collection[str] = frozenset()
) -> Similar:
    """word -> other word -> probability that one is the other misspelt, symmetric.

    Only words that no list knows are looked at, against all words; sharing what is left when one letter is
    left out, so that 100,000 words need no comparison each with each. Two words of apart are two names.
    """
    known = sorted(word for word in set(words) if len(word) >= _SHORTEST)
    holders: dict[str, list[str]] = defaultdict(list)
    for word in known:
        for key in deletion_keys(word):
            holders[key].append(word)
    found: Similar = {}
    for word in known:
        if currency(word) is not Currency.UNKNOWN:
            continue
        for other in sorted({near for key in deletion_keys(word) for near in holders[key]} - {word}):
            if word in apart and other in apart:
                continue
            distance = OSA.distance(word, other)
            probability = error_probability(max(len(word), len(other)), distance, Currency.UNKNOWN)
            # Of two unknown words a chance likeness is as likely as an error only where they are short.
            if probability > 0:
                found.setdefault(word, {})[other] = probability
                found.setdefault(other, {})[word] = probability
    return found


def shortened_names(given: Sequence[str], currency: Callable[[str], Currency]) -> Similar:
    """Given names that open longer ones and are not current by themselves: "abdi" for "abdirahman"."""
    ordered = sorted(given)
    found: Similar = {}
    for position, short in enumerate(ordered):
        if len(short) < _SHORTEST_PREFIX or " " in short or currency(short) is Currency.COMMON:
            continue
        for longer in ordered[position + 1 :]:
            if not longer.startswith(short):
                break
            if len(longer.split()[0]) >= len(short) + _LONGER_BY:
                found.setdefault(short, {})[longer] = _PREFIX_PROBABILITY
                found.setdefault(longer, {})[short] = _PREFIX_PROBABILITY
    return found


def pet_names(given: Sequence[str], language: Language) -> Similar:
    """Given names and the diminutives that a language makes of them, listed or not: "keesje" of "kees"."""
    known = set(given)
    found: Similar = {}
    for pet in given:
        for name in pet_stems(pet, language):
            if len(name) >= _SHORTEST_PET_STEM and name in known:
                found.setdefault(pet, {})[name] = _PET_PROBABILITY
                found.setdefault(name, {})[pet] = _PET_PROBABILITY
    return found


def own_names_apart(near: Mapping[str, Mapping[str, float]], is_own: Callable[[str, str], bool]) -> Similar:
    """Alike words, where a name that is a woman's own is a question beside the man's it is made of.

    is_own tells of two given names whether the first is such a name and the second such a man's: Albertje and
    Albert, but not Jantje and Jan, which a list joins.
    """
    return {
        word: {
            other: min(p, _OWN_NAME) if p > _OWN_NAME and (is_own(word, other) or is_own(other, word)) else p
            for other, p in found.items()
        }
        for word, found in near.items()
    }


def words_in_use(
    mentions: Sequence[NormalizedMention],
    form_of: Sequence[int],
    forms: Sequence[NameForm],
    beyond: Beyond | None = None,
) -> frozenset[str]:
    """Words that several documents have: an error seldom comes so often, so these are names of their own.

    beyond: in how many documents of a larger corpus words are.
    """
    documents: dict[str, set[str]] = defaultdict(set)
    seen: set[tuple[str, int]] = set()
    for mention, number in zip(mentions, form_of, strict=True):
        doc_id = mention.mention.doc_id
        if (doc_id, number) in seen:
            continue
        seen.add((doc_id, number))
        for word in (*forms[number].call_names, *forms[number].families):
            if len(documents[word]) < _IN_USE:
                documents[word].add(doc_id)
    in_use = {word for word, found in documents.items() if len(found) >= _IN_USE}
    if beyond is not None:
        in_use |= {word for word, count in beyond.words.items() if count >= _IN_USE}
    return frozenset(in_use)


def less_alike(
    near: Mapping[str, Mapping[str, float]],
    in_use: Collection[str],
    is_nickname: Callable[[str, str], bool],
    are_two: Callable[[str, str], bool] | None = None,
) -> Similar:
    """Alike words, where two words that are both in use count as two names, unless a list joins them.

    are_two tells of further pairs that they are two names however alike.
    """
    return {
        word: {
            other: p * _BOTH_IN_USE
            if (word in in_use and other in in_use and not is_nickname(word, other))
            or (are_two is not None and are_two(word, other))
            else p
            for other, p in found.items()
        }
        for word, found in near.items()
    }


def forms_less_alike(
    links: Mapping[int, dict[int, float]],
    forms: Sequence[NameForm],
    in_use: Collection[str],
    is_nickname: Callable[[str, str], bool],
    are_two: Callable[[str, str], bool],
    are_two_surnames: Callable[[str, str], bool],
    most_of_two: float,
) -> dict[int, dict[int, float]]:
    """Scored pairs of forms, where both have a word in use in place of each other: "Anne Bos", "Anna Bos".

    are_two tells of further pairs of given names that they are two. are_two_surnames tells it of surnames:
    "Kees Dekker" may be "Kees Bekker" misspelt, but the names alone give it no more than most_of_two.
    """

    def differ(left: NameForm, right: NameForm) -> bool:
        if left.kind is not NameKind.FULL or right.kind is not NameKind.FULL:
            return False
        a, b = left.call_names[:1], right.call_names[:1]
        if a != b and are_two(a[0], b[0]):
            return True
        if a != b and not is_nickname(a[0], b[0]):
            return a[0] in in_use and b[0] in in_use
        shared = set(left.families) & set(right.families) or left.glued & right.glued
        return not shared and all(f in in_use for f in (*left.families, *right.families))

    def are_of_two_surnames(left: NameForm, right: NameForm) -> bool:
        if left.kind is not NameKind.FULL or right.kind is not NameKind.FULL:
            return False
        if left.glued & right.glued:
            return False
        if set(left.families) & set(right.families):
            return _have_two_particles(left, right)
        return all(are_two_surnames(a, b) for a in left.families for b in right.families)

    def less(left: NameForm, right: NameForm, probability: float) -> float:
        if differ(left, right):
            return probability * _BOTH_IN_USE
        if probability > most_of_two and are_of_two_surnames(left, right):
            return most_of_two
        return probability

    return {
        form: {other: less(forms[form], forms[other], p) for other, p in found.items()}
        for form, found in links.items()
    }


def _have_two_particles(left: NameForm, right: NameForm) -> bool:
    """Whether both have a particle and not the same: "van Veen", "van der Veen"; "v.d." may be any."""
    mine, theirs = ({_ARTICLE.sub("d", p) for p in form.particles} for form in (left, right))
    return bool(mine and theirs) and not mine & theirs


def reread(
    forms: Sequence[NameForm],
    misspelt: Mapping[str, Mapping[str, float]],
    is_listed: Callable[[str], bool],
    signed: Collection[str] = frozenset(),
    beyond: Beyond | None = None,
) -> list[NameForm]:
    """Lone words in the role in which the full names of the corpus bear them.

    "Kacper" is no listed name; where "Kacper Prusak" occurs it is a given name, and so is "Kacpre". Words of
    signed are somebody's letters and no name, unless it bears them. beyond: how many bear a word in a larger
    corpus.
    """
    borne_as_given, borne_as_family = Counter[str](), Counter[str]()
    if beyond is not None:
        borne_as_given.update({word: 2 * count for word, count in beyond.given.items()})
        borne_as_family.update({word: 2 * count for word, count in beyond.families.items()})
    for form in forms:
        if form.kind is NameKind.FULL:
            borne_as_given.update(2 * [word for name in form.call_names for word in name.split()])
        elif form.surname_letters:  # "Mees B.", or "ADEYEMI O"
            borne_as_given.update(form.given)
        if form.kind >= NameKind.INITIALS:
            borne_as_family.update(2 * list(form.families))
    given = {word for word, n in borne_as_given.items() if n > borne_as_family[word]}
    family = {word for word, n in borne_as_family.items() if n > borne_as_given[word]}
    openings = {word[:n] for word in given for n in range(_SHORTEST_PREFIX, len(word) - _LONGER_BY + 1)}
    result: list[NameForm] = []
    for form in forms:
        word = _lone_word(form)
        if word in signed and word not in given and word not in family:
            form = replace(
                form,
                kind=NameKind.LETTERS,
                given=(),
                letters=tuple(word or ""),
                families=(),
                glued=frozenset(),
            )
        elif word is not None:
            near = {word} | set(misspelt.get(word, ())) if word not in given | family else {word}
            as_given, as_family = bool(near & given), bool(near & family)
            if not as_given and not as_family and not is_listed(word):
                as_given = word in openings
            if form.kind is NameKind.FAMILY and as_given and not as_family:
                form = replace(form, kind=NameKind.GIVEN, given=(word,), families=(), glued=frozenset())
            elif form.kind is NameKind.GIVEN and as_family and not as_given:
                form = replace(
                    form, kind=NameKind.FAMILY, given=(), families=(word,), glued=frozenset({word})
                )
        elif form.surname_letters and len(form.given) == 1 and form.given[0] in family:  # "ADEYEMI O"
            form = replace(
                form,
                kind=NameKind.INITIALS,
                given=(),
                letters=form.letters[1:],
                families=form.given,
                glued=frozenset(form.given),
            )
        result.append(form)
    return result


def signed_words(
    mentions: Sequence[NormalizedMention],
    form_of: Sequence[int],
    forms: Sequence[NameForm],
    is_listed: Callable[[str], bool],
) -> frozenset[str]:
    """Short lone words that no list has and that somebody signs with: "jvd" beside Jan van Dijk.

    Letters without a vowel may be those of anybody in the corpus; others might be a short surname, and count
    only where a document has the full name as well.
    """
    lone = {
        number: word
        for number, form in enumerate(forms)
        if (word := _lone_word(form)) and len(word) <= _LONGEST_SIGNATURE and not is_listed(word)
    }
    if not lone:
        return frozenset()
    short = set(lone.values())
    signed = {
        letters
        for form in forms
        if form.kind is NameKind.FULL
        for letters in signatures(form) & short
        if not set(letters) & _VOWELS
    }
    words_in: dict[DocumentId, set[str]] = defaultdict(set)
    for mention, number in zip(mentions, form_of, strict=True):
        if number in lone:
            words_in[mention.mention.doc_id].add(lone[number])
    for mention, number in zip(mentions, form_of, strict=True):
        beside = words_in.get(mention.mention.doc_id)
        if beside and forms[number].kind is NameKind.FULL:
            signed |= beside & signatures(forms[number])
    return frozenset(signed)


def _lone_word(form: NameForm) -> str | None:
    if form.kind is NameKind.FAMILY and len(form.families) == 1 and not form.particles:
        word = form.families[0]
    elif form.kind is NameKind.GIVEN and len(form.given) == 1 and not form.nickname and len(form.letters) < 2:
        word = form.given[0]
    else:
        return None
    return word if " " not in word else None
