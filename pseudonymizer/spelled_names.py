"""Names that identifiers spell out of people nobody has heard of ("els.wiersma@"), told by lists of names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

from linkage.language import Language, ParticleUse
from linkage.language.people import TitleUse
from linkage.records import Gender, PersonName, Span
from linkage.spans import SpanCover
from pseudonymizer.full_names import FoundName, FullNameLists, full_names
from pseudonymizer.identifiers import (
    MIN_ALONE,
    Identifier,
    IdentifierKind,
    LetterRun,
    find_identifiers,
    letter_runs,
)

_HOST: Final = re.compile(r"(?:[a-z]+://)?(?:(?P<user>[^/?#@]+)@)?(?P<host>[^/?#:]*)[^/?#]*", re.IGNORECASE)
_SITE: Final = re.compile(r"([^.@]+)\.(?:[^.@]{2,}|(?:co|org|com)\.[^.@]{2})\Z")  # of a host: its own label
_OWN_PAGE: Final = re.compile(r"/(?:(?:in|u|users?|profiel|profiles?|people|members?)/|[~@])([^/?#]+)")
# Of files, in letters of one case: "Docx" is a family name too, and "Brief.Jan.txt" ends in ".txt".
ENDINGS: Final = re.compile(r"(?:\.(?:[a-z]{2,4}x?|[A-Z]{2,4}X?|7z|mp[34]))+\Z")
_LONGEST_PARTICLE: Final = 4  # words; what stands before more of them is part of none
_MIN_JOINED: Final = 7  # letters of a whole name in one word
_MIN_GIVEN, _MIN_FAMILY = 3, 5  # letters of its parts; beside a particle a family name may be short
_SIGNS: Final = re.compile(r"[._-]|\._|__")  # between the parts of a name: "els.wiersma", "J._de_Vries"
GAP: Final = re.compile(r"[._ -]{1,3}")


@dataclass(frozen=True, slots=True)
class SpellingWords:
    """Words of a language that names in identifiers are told by.

    joined, initials: particles in one word with a family name, and letters that stand for one, each with its
    usual form, the longest first. small: rather than a given name, as in "Brief_van_Jan". before_given:
    titles, and words that lead a given name.
    """

    joined: Mapping[str, str]
    initials: Mapping[str, str]
    small: frozenset[str]
    titles: frozenset[str]
    before_given: frozenset[str]


@cache
def spelling_words(language: Language) -> SpellingWords:
    """The words of a language."""
    titles = language.titles_for(TitleUse.PATH)
    joined = language.particles(ParticleUse.JOINED)
    return SpellingWords(
        {written: joined[written] for written in sorted(joined, key=len, reverse=True)},
        language.particles(ParticleUse.INITIAL),
        language.words("small_word"),
        titles,
        titles | language.words("leads_name"),
    )


class NameLists(FullNameLists, Protocol):
    """What new_names asks of a gazetteer."""

    @property
    def language(self) -> Language: ...
    def is_surname(self, text: str) -> bool: ...
    def is_word(self, text: str) -> bool: ...
    def is_organisation(self, text: str) -> bool: ...
    def gender(self, text: str) -> Gender | None: ...


def new_names(text: str, lists: NameLists, *, technical: bool = False) -> tuple[FoundName, ...]:
    """Names that identifiers spell out, known from lists only: with signs between the parts ("els.wiersma"),
    and in one word where an address, a user name or a site of one's own has it ("elswiersma@").

    Of a site that is a whole name with a given name nobody can tell whether it is a firm's; firms on the
    list are left out.
    technical: also whole names of several words, see full_names; names behind a title, a particle or "van"
    and "aan"; and a family name by itself, capitalized, that is no other word ("lijst_Wiersma").
    """
    found = list(full_names(text, lists)) if technical else []
    whole = SpanCover(name.span for name in found)
    for identifier in find_identifiers(text):
        own: list[FoundName] = []
        for start, end in _beside_host(text, identifier):
            own += _spelled_out(text, start, end, lists)
        own += _in_one_word(text, identifier, lists, own)
        found += [name for name in own if not whole.overlaps(name.span)]
    if technical:
        found += list(_led(text, lists, SpanCover(f.span for f in found)))
        cover = SpanCover(f.span for f in found)
        for token in letter_runs(text, 0, len(text)):
            word = text[token.start : token.end]
            if cover.overlaps(Span(token.start, token.end)):
                continue
            is_family = (
                len(word) >= MIN_ALONE and word[0].isupper() and not word.isupper() and lists.is_surname(word)
            )
            if is_family and not (lists.is_word(word) or lists.is_place(word) or lists.is_given_name(word)):
                found.append(FoundName(Span(token.start, token.end), PersonName(family=word)))
    return tuple(sorted(found, key=lambda f: f.span))


def _beside_host(text: str, identifier: Identifier) -> Iterator[tuple[int, int]]:
    """The ranges of an identifier that are no host name."""
    start, end = identifier.span.start, identifier.span.end
    if identifier.kind is IdentifierKind.EMAIL:
        yield start, text.index("@", start)
    elif identifier.kind is IdentifierKind.URL and (host := _HOST.match(text, start, end)) is not None:
        if host["user"]:
            yield host.span("user")
        yield host.end(), end
    else:
        ending = ENDINGS.search(text, start, end)
        yield start, ending.start() if ending is not None else end


def _in_one_word(
    text: str, identifier: Identifier, lists: NameLists, found: Sequence[FoundName]
) -> Iterator[FoundName]:
    """Names without a sign inside, where identifiers have them, and sites that are named after people.

    found: what this identifier spells out.
    """
    start, end = identifier.span.start, identifier.span.end
    if identifier.kind is IdentifierKind.EMAIL:
        at = text.index("@", start)
        yield from _joined_in(text, start, at, lists, found)
        yield from _site(text, at + 1, end, lists)
    elif identifier.kind is IdentifierKind.HANDLE:
        yield from _joined_in(text, start, end, lists, found)
    elif identifier.kind is IdentifierKind.URL and (host := _HOST.match(text, start, end)) is not None:
        yield from _site(text, *host.span("host"), lists)
        for page in _OWN_PAGE.finditer(text, host.end(), end):
            yield from _joined_in(text, *page.span(1), lists, found)


def _joined_in(
    text: str, start: int, end: int, lists: NameLists, found: Sequence[FoundName]
) -> Iterator[FoundName]:
    tokens = [t for t in letter_runs(text, start, end) if not _overlaps(t.start, t.end, found)]
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else None
        if (
            before is not None
            and len(before.folded) == 1
            and text[before.end : token.start] in {".", "_", "-"}
        ):
            particle, family = _family_of(token.folded, lists) or (None, "")
            if particle is not None:  # "j.devries"
                name = PersonName(
                    initials=f"{before.folded.upper()}.", particle=particle, family=family.title()
                )
                yield FoundName(Span(before.start, token.end), name)
                continue
        capitals = [token]  # "ElsWiersma": cut at its capitals already
        for later in tokens[number + 1 : number + 5]:
            if later.start == capitals[-1].end:
                capitals.append(later)
        if len(capitals) > 1 and len(token.folded) >= _MIN_GIVEN:
            whole, used = _name_of([piece.folded for piece in capitals], lists)
            if whole is not None:
                yield FoundName(Span(token.start, capitals[used - 1].end), whole)
                continue
        if (joined := _joined(token.folded, lists)) is not None:
            yield FoundName(Span(token.start, token.end), joined)


def _site(text: str, start: int, end: int, lists: NameLists) -> Iterator[FoundName]:
    """The label of a host that is the whole name of a person, given name and family name."""
    own = _SITE.search(text, start, end)
    if own is None:
        return
    begin, stop = own.span(1)
    tokens = list(letter_runs(text, begin, stop))
    if len(tokens) == 1:
        name = _joined(tokens[0].folded, lists)
    else:
        name, used = _name_of([token.folded for token in tokens], lists)
        name = name if used == len(tokens) else None
    if name is None or name.given is None or tokens[0].start > begin:
        return
    whole = " ".join(part for part in (name.given, name.particle, name.family) if part)
    if not lists.is_organisation(whole):
        yield FoundName(Span(begin, tokens[-1].end), name)


def _led(text: str, lists: NameLists, taken: SpanCover) -> Iterator[FoundName]:
    """A name that the word before it tells: "van_den_Berg", "mevr._Bakker", "mail_van_Sanne"."""
    tokens = list(letter_runs(text, 0, len(text)))
    at = 0
    while at < len(tokens):
        last = at
        while (
            last + 1 < len(tokens)
            and text[tokens[last].start].islower()
            and _leads(text, tokens, last, lists)
        ):
            last += 1
        name, first = None, max(at, last - _LONGEST_PARTICLE)
        while first < last and name is None:  # "van_de_Berg", or "de_Berg" after "van"
            particle = " ".join(token.folded for token in tokens[first:last])
            name = _led_by(particle, text[tokens[last].start : tokens[last].end], lists)
            first += name is None
        if name is None:
            before = (
                tokens[last - 1]
                if last and GAP.fullmatch(text, tokens[last - 1].end, tokens[last].start)
                else None
            )
            name = _after(before.folded if before else "", text[tokens[last].start : tokens[last].end], lists)
            first = last
        span = Span(tokens[first].start, tokens[last].end)
        if name is not None and not taken.overlaps(span):
            yield FoundName(span, name)
        at = last + 1


def _leads(text: str, tokens: Sequence[LetterRun], at: int, lists: NameLists) -> bool:
    """Whether a token is a particle that the next token follows directly."""
    return lists.is_particle(tokens[at].folded) and (
        GAP.fullmatch(text, tokens[at].end, tokens[at + 1].start) is not None
    )


def _led_by(particle: str, word: str, lists: NameLists) -> PersonName | None:
    """The family name that is known with this particle."""
    listed = lists.surname(word) if word[0].isupper() else None
    if listed is None or particle not in listed.particles:
        return None
    return PersonName(particle=particle, family=word)


def _after(before: str, word: str, lists: NameLists) -> PersonName | None:
    """A given name after a word that names people, a family name after a title."""
    words = spelling_words(lists.language)
    if (
        before in words.before_given
        and len(word) > 2
        and lists.is_given_name(word)
        and not lists.is_word(word)
    ):
        return PersonName(given=word.title())
    if before in words.titles and word[0].isupper() and lists.is_surname(word):
        return PersonName(family=word)
    return None


def _overlaps(start: int, end: int, found: Sequence[FoundName]) -> bool:
    return any(one.span.start < end and start < one.span.end for one in found)


def _joined(letters: str, lists: NameLists) -> PersonName | None:
    """The name that one word of lower-case letters puts together: one with a particle before one without, a
    given name before an initial, a long given name before a short one.
    """
    if len(letters) < _MIN_JOINED or any(
        known(letters) for known in (lists.is_word, lists.is_given_name, lists.is_surname, lists.is_place)
    ):
        return None
    best: tuple[bool, int, PersonName] | None = None
    for cut in range(_MIN_GIVEN, len(letters) - 2):
        given = letters[:cut]
        family = _family_of(letters[cut:], lists) if lists.is_given_name(given) else None
        if family is None:
            continue
        if family[0] is None and lists.is_word(family[1]) and (cut <= _MIN_GIVEN or lists.is_word(given)):
            continue  # two words rather than a name
        name = PersonName(given=given.title(), particle=family[0], family=family[1].title())
        best = max(best or (False, 0, name), (family[0] is not None, cut, name), key=lambda one: one[:2])
    if best is not None:
        return best[2]
    family = _family_of(letters[1:], lists)
    initials = spelling_words(lists.language).initials
    shortened = letters[1] in initials and len(letters) >= _MIN_FAMILY + 2
    if family is None and shortened and lists.is_surname(letters[2:]):
        family = (initials[letters[1]], letters[2:])
    if family is None or (family[0] is None and not _is_family(family[1], lists)):
        return None
    return PersonName(initials=f"{letters[0].upper()}.", particle=family[0], family=family[1].title())


def _family_of(letters: str, lists: NameLists) -> tuple[str | None, str] | None:
    """(particle, family name) that a word puts together; the longest particle first."""
    for written, particle in spelling_words(lists.language).joined.items():
        rest = letters.removeprefix(written)
        if rest != letters and len(rest) > 1 and lists.is_surname(rest):
            return particle, rest
    return (None, letters) if len(letters) >= MIN_ALONE and lists.is_surname(letters) else None


def _is_family(letters: str, lists: NameLists) -> bool:
    """A family name that is no word, so that a single letter before it is an initial."""
    return len(letters) >= _MIN_FAMILY and lists.is_surname(letters) and not lists.is_word(letters)


def _spelled_out(text: str, start: int, end: int, lists: NameLists) -> Iterator[FoundName]:
    tokens = list(letter_runs(text, start, end))
    at = 0
    while at < len(tokens):
        stop = at + 1
        while (
            stop < len(tokens)
            and stop - at < 5
            and _SIGNS.fullmatch(text, tokens[stop - 1].end, tokens[stop].start)
        ):
            stop += 1
        words = [text[t.start : t.end] for t in tokens[at:stop]]
        if _is_couple(words, lists):
            yield FoundName(Span(tokens[at].start, tokens[at].end), PersonName(given=words[0].title()))
            at += 1
            continue
        name, used = _name_of(words, lists)
        if name is not None:
            yield FoundName(Span(tokens[at].start, tokens[at + used - 1].end), name)
            at += used
        else:
            at += 1


def _is_couple(words: Sequence[str], lists: NameLists) -> bool:
    """Whether two people share one surname here: a man's and a woman's given name, "jan.els.roorda"."""
    if len(words) < 3 or not all(len(word) > 2 and lists.is_given_name(word) for word in words[:2]):
        return False
    if {lists.gender(word) for word in words[:2]} != {Gender.FEMALE, Gender.MALE}:
        return False
    return _name_of(words[1:], lists)[0] is not None


def _name_of(words: Sequence[str], lists: NameLists) -> tuple[PersonName | None, int]:
    """(name, number of words): a given name or an initial, particles, a family name."""
    if len(words) < 2:
        return None, 0
    first = words[0]
    is_initial = len(first) == 1
    known = spelling_words(lists.language)
    is_small = first.lower() in known.small and (first.islower() or _name_of(words[1:], lists)[0] is not None)
    if is_small or first.lower() in known.titles:
        return None, 0
    if not (is_initial or (lists.is_given_name(first) and len(first) > 2)):
        return None, 0
    at = 1
    while at < len(words) - 1 and lists.is_particle(words[at]):
        at += 1
    family, particle = words[at], " ".join(words[1:at]).lower() or None
    listed = lists.surname(family)
    if len(family) < 3 or listed is None:
        return None, 0
    if is_initial and lists.is_word(family) and particle not in listed.particles:
        return None, 0
    if is_initial:
        return PersonName(initials=f"{first.upper()}.", particle=particle, family=family.title()), at + 1
    return PersonName(given=first.title(), particle=particle, family=family.title()), at + 1
