"""Names that identifiers spell out of people nobody has heard of ("els.wiersma@"), told by lists of names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from linkage.records import PersonName, Span
from pseudonymizer.identifiers import (
    MIN_ALONE,
    Identifier,
    IdentifierKind,
    find_identifiers,
    letter_runs,
)

_HOST: Final = re.compile(r"(?:[a-z]+://)?(?:(?P<user>[^/?#@]+)@)?[^/?#]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name that an identifier spells out, of a person nobody has heard of."""

    span: Span
    name: PersonName = field(repr=False)


class NameLists(Protocol):
    """What new_names asks of a gazetteer."""

    def is_given_name(self, text: str) -> bool: ...
    def is_surname(self, text: str) -> bool: ...
    def is_particle(self, text: str) -> bool: ...
    def is_word(self, text: str) -> bool: ...
    def is_place(self, text: str) -> bool: ...


def new_names(text: str, lists: NameLists, *, technical: bool = False) -> tuple[FoundName, ...]:
    """Names that identifiers spell out with signs between the parts ("els.wiersma"), known from lists only.

    Names of hosts are left out: most that look like a person's name are those of firms.
    technical: also a family name by itself, capitalized, that is no other word ("lijst_Wiersma").
    """
    found: list[FoundName] = []
    for start, end in (
        part for identifier in find_identifiers(text) for part in _beside_host(text, identifier)
    ):
        found += _spelled_out(text, start, end, lists)
    if technical:
        for token in letter_runs(text, 0, len(text)):
            word = text[token.start : token.end]
            if any(f.span.start < token.end and token.start < f.span.end for f in found):
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
        yield start, end


def _spelled_out(text: str, start: int, end: int, lists: NameLists) -> Iterator[FoundName]:
    tokens = list(letter_runs(text, start, end))
    at = 0
    while at < len(tokens):
        stop = at + 1
        while (
            stop < len(tokens)
            and stop - at < 5
            and text[tokens[stop - 1].end : tokens[stop].start] in {".", "_", "-"}
        ):
            stop += 1
        name, used = _name_of([text[t.start : t.end] for t in tokens[at:stop]], lists)
        if name is not None:
            yield FoundName(Span(tokens[at].start, tokens[at + used - 1].end), name)
            at += used
        else:
            at += 1


def _name_of(words: Sequence[str], lists: NameLists) -> tuple[PersonName | None, int]:
    """(name, number of words): a given name or an initial, particles, a family name."""
    first = words[0]
    is_initial = len(first) == 1
    if len(words) < 2 or not (is_initial or (lists.is_given_name(first) and len(first) > 2)):
        return None, 0
    at = 1
    while at < len(words) - 1 and lists.is_particle(words[at]):
        at += 1
    family = words[at]
    if len(family) < 3 or not lists.is_surname(family) or (is_initial and lists.is_word(family)):
        return None, 0
    particle = " ".join(words[1:at]).lower() or None
    if is_initial:
        return PersonName(initials=f"{first.upper()}.", particle=particle, family=family.title()), at + 1
    return PersonName(given=first.title(), particle=particle, family=family.title()), at + 1
