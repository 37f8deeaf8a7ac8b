"""Identifiers that carry a name: e-mail addresses, user names, links, file names.

A known person's name is recognized in them in the ways names are put together there ("jdevries",
"j.de.vries", "vries.jan"), and what is written instead follows the person's pseudonym.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import pairwise
from operator import itemgetter
from pathlib import PurePath
from types import MappingProxyType
from typing import Final, NamedTuple

from linkage.language import Language
from linkage.records import PERSON, KindId, PersonName, Span
from linkage.spans import SpanCover
from pseudonymizer.name_spellings import MIN_ALONE as MIN_ALONE
from pseudonymizer.name_spellings import LetterRun as LetterRun
from pseudonymizer.name_spellings import fold as fold
from pseudonymizer.name_spellings import letter_runs as letter_runs
from pseudonymizer.name_spellings import name_spellings
from pseudonymizer.styles.code import code_of


@cache
def _general_words() -> frozenset[str]:
    return Language.load(_LANGUAGE).words("general_word")


class IdentifierKind(StrEnum):
    EMAIL = "email"
    URL = "url"
    PATH = "path"
    HANDLE = "handle"
    TEXT = "text"  # other technical text


# The kind of data/kinds.toml that an identifier is of; a name in technical text is a person's name.
KIND_OF: Final[Mapping[IdentifierKind, KindId]] = {
    IdentifierKind.EMAIL: KindId("EMAIL"),
    IdentifierKind.URL: KindId("URL"),
    IdentifierKind.PATH: KindId("FILE"),
    IdentifierKind.HANDLE: KindId("USERNAME"),
    IdentifierKind.TEXT: PERSON,
}


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier, whether or not it carries a name."""

    span: Span
    kind: IdentifierKind


@dataclass(frozen=True, slots=True)
class IdentifierMatch:
    """A known person's name in an identifier. More than one key: it fits several people. No key: the family
    name of a known person with other initials or another given name, so somebody else, who is not known.

    span is what is to be replaced: a whole e-mail address, else the name alone. text is what stands there,
    name the range of the name in it, components how it is put together (g given, i initial, p particle,
    f family).
    """

    span: Span
    keys: tuple[Hashable, ...]
    kind: IdentifierKind
    text: str = field(repr=False)
    name: tuple[int, int]
    components: str
    others: tuple[tuple[int, int], ...] = ()  # further ranges of text with the same name, as in a host name


# Bounds keep the time linear: a line of a million letters is searched from each of them. Bounces name the
# recipient before their own address: "bounces+jan.mol=post.nl@list.example".
_EMAIL = r"(?:[\w.+-]{1,128}=(?=[\w-]{1,128}(?:\.[\w-]{1,128}){1,8}@))?[\w.+%'&-]{1,128}@[\w-]+(?:\.[\w-]+)+"
_URL = r"(?:https?://|ftp://|file://|www\.)[^\s<>\"'\]]+[^\s<>\"'\].,;:!?)]"
_PATH = r"(?:[A-Za-z]:\\|\\\\|~/|/(?:home|Users|mnt|data|srv)/)[^\s<>\"|?*]+"
_FILE = (
    r"[\w%+-][\w.%+-]{0,255}\.(?:pdf|docx?|xlsx?|pptx?|od[tsp]|txt"
    r"|rtf|csv|eml|msg|jpe?g|png|zip|vcf|md|html?|json|xml)\b"
)
_HANDLE = r"(?<![\w@.])@[A-Za-z_][\w.]{2,}\w"
_LANGUAGE: Final = "nl"  # no caller says of what language a text is
_IDENTIFIERS = re.compile(
    f"(?P<email>{_EMAIL})|(?P<url>{_URL})|(?P<path>{_PATH}|{_FILE})|(?P<handle>{_HANDLE})"
)
# What every identifier has in it; most texts have none of these.
_SIGNS = re.compile(
    r"[@/\\]|www\.|\.(?:pdf|doc|xls|ppt|od[tsp]|txt|rtf|csv|eml|msg|jpe?g|png|zip|vcf|md|htm|json|xml)"
)
_USER_NAME = re.compile(r"(?<![\w@.\\/-])[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*(?![\w@])")
_JOINT = re.compile(r"(?:[._\-+~, '\u2019\u2011\u00ad]|%20|%2C|%2E|%27){0,3}")
_MAX_TOKENS = 7
_MIN_BARE = 6  # letters of a user name that no cue announces
_SAFE_DOMAINS = (".example", ".invalid", ".test", ".localhost")
PSEUDONYM_DOMAIN = "nymlink.example"


_LABEL = re.compile(r"[A-Z]\d+-[0-9A-HJKMNP-TV-Z]{6,}|<?\[?[A-Z]+-\d+\]?>?")


def find_identifiers(text: str) -> tuple[Identifier, ...]:
    """All e-mail addresses, links, paths and @handles of text, in order."""
    if _SIGNS.search(text) is None:
        return ()
    return tuple(
        Identifier(Span(*found.span()), IdentifierKind(found.lastgroup or ""))
        for found in _IDENTIFIERS.finditer(text)
    )


@cache
def _announced() -> re.Pattern[str]:
    """An expression for words that announce a user name, at the end of the text before it."""
    return re.compile(rf"{Language.load(_LANGUAGE).slots['USER_WORD']}[\s:='\"(]*\Z", re.IGNORECASE)


class _Hit(NamedTuple):
    start: int
    end: int
    keys: tuple[Hashable, ...]
    components: str


class PersonIndex:
    """The ways in which identifiers spell the names of known people."""

    def __init__(self, persons: Iterable[tuple[Hashable, Iterable[PersonName]]]) -> None:
        self._forms: dict[str, dict[Hashable, str]] = {}
        for key, names in persons:
            for name in names:
                for spelled, components in name_spellings(name):
                    self._forms.setdefault(spelled, {}).setdefault(key, components)

    def find(
        self, text: str, *, technical: bool = False, taken: Collection[Span] = ()
    ) -> tuple[IdentifierMatch, ...]:
        """Where text carries a known name, in order. technical: all of text counts as one identifier.

        taken: spans that are replaced already (mentions); they are kept clear of, except that an identifier
        around a mention wins, since a mention inside an address is part of the address.
        """
        found = [*self._in_identifiers(text)]
        if technical:
            found = self._with_technical(text, found)
        else:
            found += self._user_names(text, [match.span for match in found])
        blocked = SpanCover(span for span in taken if not any(match.span.contains(span) for match in found))
        kept = [match for match in found if not blocked.overlaps(match.span)]
        return tuple(sorted(kept, key=lambda match: match.span))

    def find_with(self, text: str, named: Sequence[tuple[Span, Hashable]]) -> tuple[IdentifierMatch, ...]:
        """What find finds in technical text, and the places that are known to name somebody. Of two that
        overlap the longer one counts.
        """
        found = self.find(text, technical=True)
        kept = [
            match
            for match in found
            if not any(s.contains(match.span) and len(match.span) < len(s) for s, _ in named)
        ]
        cover = SpanCover(match.span for match in kept)
        for span, key in named:
            if not cover.overlaps(span):
                kept.append(self._named(text, span, key))
        return tuple(sorted(kept, key=lambda match: match.span))

    def _named(self, text: str, span: Span, key: Hashable) -> IdentifierMatch:
        words = [run.folded for run in letter_runs(text, span.start, span.end)]
        if len(words) > 1:
            components = self._forms.get("".join(words), {}).get(key, "gf")
        else:
            components = "g" if key in self._forms.get("=" + "".join(words), {}) else "f"
        return _plain(text, _Hit(span.start, span.end, (key,), components), IdentifierKind.TEXT)

    def _in_identifiers(self, text: str) -> Iterator[IdentifierMatch]:
        for identifier in find_identifiers(text):
            start, end = identifier.span.start, identifier.span.end
            hits = self._hits(text, start, end)
            if identifier.kind is IdentifierKind.EMAIL:
                at = text.index("@", start)
                if not hits or hits[0].start > at:
                    hits = [*self._given_alone(text, start, at), *hits]
                if hits:
                    first = self._widened(text, hits[0], start, at)
                    yield IdentifierMatch(
                        identifier.span, first.keys, identifier.kind, text[start:end],
                        (first.start - start, first.end - start), first.components,
                        tuple((h.start - start, h.end - start) for h in hits[1:] if h.start >= first.end),
                    )  # fmt: skip
                continue
            for hit in hits:
                yield _plain(text, hit, identifier.kind)

    def _widened(self, text: str, hit: _Hit, start: int, end: int) -> _Hit:
        """In the local part of an address: beside other letters a family name alone is the name of somebody
        else, and beside another person's given name a name is a household's, "jan.els.roorda".
        """
        if hit.start >= end:
            return hit
        others = [
            text[t.start : t.end].casefold()
            for t in letter_runs(text, start, end)
            if not hit.start <= t.start < hit.end
        ]
        if hit.components in {"f", "pf"}:
            is_nobodys = any(word not in _general_words() for word in others)
        else:
            is_nobodys = any(
                components == "g" and key not in hit.keys
                for word in others
                if word not in _general_words()
                for key, components in self._forms.get(f"={word}", {}).items()
            )
        if not is_nobodys:
            return hit
        local_end = end
        while local_end > start and not text[local_end - 1].isalpha():
            local_end -= 1
        return _Hit(start, local_end, (), hit.components)

    def _given_alone(self, text: str, start: int, end: int) -> list[_Hit]:
        """A given name that is the whole local part ("sanne@...")."""
        local = fold(text[start:end].rstrip("0123456789"))
        keys = tuple(key for key, components in self._forms.get(f"={local}", {}).items() if components == "g")
        return [_Hit(start, end, keys, "g")] if keys else []

    def _with_technical(self, text: str, found: Sequence[IdentifierMatch]) -> list[IdentifierMatch]:
        """found and the names elsewhere; "Jan de Vries.txt" is one name though "Vries.txt" is a file name."""
        kept = list(found)
        for hit in self._hits(text, 0, len(text)):
            beside = [m for m in kept if hit.start < m.span.end and m.span.start < hit.end]
            if all(
                m.kind is not IdentifierKind.EMAIL
                and hit.start <= m.span.start
                and m.span.end <= hit.end
                and len(m.span) < hit.end - hit.start
                for m in beside
            ):
                kept = [m for m in kept if m not in beside]
                kept.append(_plain(text, hit, IdentifierKind.TEXT))
        return kept

    def _user_names(self, text: str, taken: Sequence[Span]) -> Iterator[IdentifierMatch]:
        """Lower-case words that put a name together ("sdeboer88"); a family name alone does not count."""
        ends = sorted((span.start, span.end) for span in taken)
        at = 0
        for found in _USER_NAME.finditer(text):
            while at < len(ends) and ends[at][1] <= found.start():
                at += 1
            if at < len(ends) and ends[at][0] < found.end():
                continue
            word = found[0]
            spelled = fold(word.rstrip("0123456789._-"))
            owners = self._forms.get(spelled)
            if owners is None:
                continue
            has_sign = any(c.isdigit() or c in "._-" for c in word)
            if len(spelled) < (MIN_ALONE if has_sign else _MIN_BARE):
                continue
            strong = {
                key: components
                for key, components in owners.items()
                if len(components) > 1 and "f" in components
            }
            cued = bool(_announced().search(text, max(found.start() - 24, 0), found.start()))
            chosen = strong or (owners if cued else {})
            if chosen:
                components = next(iter(chosen.values()))
                yield _plain(
                    text,
                    _Hit(found.start(), found.end(), _in_order(chosen), components),
                    IdentifierKind.HANDLE,
                )

    def _hits(self, text: str, start: int, end: int) -> list[_Hit]:
        """Longest spellings first come, from left to right; digits right after a name belong to it."""
        tokens = list(letter_runs(text, start, end))
        hits: list[_Hit] = []
        at = 0
        while at < len(tokens):
            hit_end = at
            for stop in range(min(at + _MAX_TOKENS, len(tokens)), at, -1):
                group = tokens[at:stop]
                if any(not _JOINT.fullmatch(text, a.end, b.start) for a, b in pairwise(group)):
                    continue
                spelled = "".join(token.folded for token in group)
                owners = self._forms.get(spelled)
                if owners and spelled not in _general_words():
                    hits.append(
                        _Hit(group[0].start, group[-1].end, _in_order(owners), next(iter(owners.values())))
                    )
                    hit_end = stop
                    break
            at = max(hit_end, at + 1)
        return hits


def _in_order(owners: dict[Hashable, str]) -> tuple[Hashable, ...]:
    return tuple(sorted(owners, key=str))


def _plain(text: str, hit: _Hit, kind: IdentifierKind) -> IdentifierMatch:
    return IdentifierMatch(
        Span(hit.start, hit.end),
        hit.keys,
        kind,
        text[hit.start : hit.end],
        (0, hit.end - hit.start),
        hit.components,
    )


def follow(match: IdentifierMatch, label: str, *, keep_domain: bool = False) -> str:
    """What to write at match.span so that it follows label, the person's pseudonym as a full name.

    A code stands once in the local part of an address, where the name and a second family name of a person
    may stand side by side.
    """
    written = _spelled_as(label, match.components, match.text[match.name[0] : match.name[1]])
    pieces: list[str] = []
    position = 0
    for start, end in _places(match, label):
        pieces += [match.text[position:start], written]
        position = end
        while (
            match.kind is not IdentifierKind.TEXT
            and position < len(match.text)
            and match.text[position].isdigit()
        ):
            position += 1  # a number after a user name belongs to it
    text = "".join([*pieces, match.text[position:]])
    if match.kind is not IdentifierKind.EMAIL:
        return text
    local, _, domain = text.rpartition("@")
    local = re.sub(r"[^\w.+%'&=-]", "-", local).strip(".") or "x"
    if not (keep_domain or domain.casefold().endswith(_SAFE_DOMAINS)):
        domain = PSEUDONYM_DOMAIN
    return f"{local}@{domain}"


def _places(match: IdentifierMatch, label: str) -> list[tuple[int, int]]:
    """Where the label goes in the text of a match, in order."""
    places = sorted([match.name, *match.others])
    if match.kind is not IdentifierKind.EMAIL or code_of(label) is None:
        return places
    at = match.text.index("@")
    local = [place for place in places if place[1] <= at]
    whole = [(local[0][0], local[-1][1])] if local else []
    return whole + places[len(local) :]


def _spelled_as(label: str, components: str, original: str) -> str:
    """label as identifiers spell names: tokens and tags as they are, invented names put together alike."""
    words = label.split()
    if len(words) < 2 or _LABEL.fullmatch(label):
        slug = re.sub(r"[^A-Za-z0-9]+", "-", _ascii(label)).strip("-")
        return slug or "x"
    family, particles, given = (
        fold(words[-1]),
        [fold(w) for w in words[1:-1] if w[:1].islower()],
        fold(words[0]),
    )
    parts: list[str] = []
    for component in components:
        if component == "p":
            parts += particles
        else:
            parts.append({"g": given, "i": given[:1], "f": family}[component])
    if any(c.isupper() for c in original):
        parts = [part if part in particles else part.title() for part in parts]
    joint = re.search(r"[._\- +]", original)
    return (joint[0] if joint else "").join(part for part in parts if part)


def _ascii(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if c.isascii())


def rewrite_path(
    path: PurePath,
    index: PersonIndex,
    label_of: Callable[[tuple[Hashable, ...]], str | None],
    named: Mapping[int, Sequence[tuple[Span, Hashable]]] = MappingProxyType({}),
    values: Mapping[int, Sequence[tuple[Span, str]]] = MappingProxyType({}),
) -> PurePath:
    """The path with the names of known people in its parts replaced; suffixes stay.

    label_of gives the full label for the keys of a match, None to leave it. Names that a file name spells
    with blanks ("Brief Jan de Vries.docx") are found as well. A code that stands there stands for a second
    name of the person right behind the first one, too. named: by number of the part where it is known
    to name somebody, as by a given name alone. values: by number of the part, the places of values with the
    text in place of each; they go before names that overlap them.
    """
    parts = []
    for number, part in enumerate(path.parts):
        replaced, position, last = [], 0, ""
        in_part = values.get(number, ())
        taken = SpanCover(span for span, _ in in_part)
        found = index.find_with(part, named.get(number, ()))
        places: list[tuple[Span, IdentifierMatch | str]] = [*in_part]
        places += [(match.span, match) for match in found if not taken.overlaps(match.span)]
        for span, match in sorted(places, key=itemgetter(0)):
            if isinstance(match, str):
                replaced += [part[position : span.start], _file_part(match)]
                position, last = span.end, ""
                continue
            label = label_of(match.keys)
            if label is None:
                continue
            is_again = label == last and code_of(label) is not None
            if is_again and _JOINT.fullmatch(part, position, match.span.start):
                position = match.span.end
                continue
            last = label
            written = _file_part(follow(match, label, keep_domain=True))
            replaced += [part[position : match.span.start], written]
            position = match.span.end
        parts.append("".join([*replaced, part[position:]]))
    return type(path)(*parts)


def _file_part(text: str) -> str:
    return re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", text)
