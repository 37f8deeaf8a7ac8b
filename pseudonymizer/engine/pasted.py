"""Pseudonyms of any style in text that was edited or pasted: tokens, tags and surrogates."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkage.records import PersonName, Span
from linkage.spans import SpanCover
from pseudonymizer.identifiers import PSEUDONYM_DOMAIN, IdentifierKind, PersonIndex, find_identifiers
from pseudonymizer.name_forms import parse_label, write_name
from pseudonymizer.records import Style
from pseudonymizer.surrogate_reading import FoundSurrogate, SurrogateReader
from pseudonymizer.surrogates import TAG_LIKE

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_TAG_WORD = re.compile(r"[A-Z]{2,20}-\d+")
ParseName = Callable[[str], PersonName]


@dataclass(frozen=True, slots=True)
class FoundLabel:
    """A pseudonym in a text; surrogate: which parts of it stand there."""

    span: Span
    label: str
    surrogate: FoundSurrogate | None = field(default=None, repr=False)
    surface: str = field(default="", repr=False)

    def original(self, names: Mapping[str, str], parse: ParseName) -> str | None:
        """The name behind it, in the form in which the pseudonym stands; None: not known."""
        name = names.get(self.label)
        if name is None or self.surrogate is None:
            return name
        return write_name(parse(name), self.surrogate.form, self.surface)


@dataclass(frozen=True, slots=True)
class FoundAddress:
    """An e-mail address that follows a pseudonym."""

    span: Span
    label: str
    domain: str = field(repr=False)

    def original(self, addresses: Mapping[str, tuple[str, ...]]) -> str | None:
        """The one address that it stands for; None where the person has none, or several that it may be."""
        known = addresses.get(self.label, ())
        if self.domain != PSEUDONYM_DOMAIN:
            known = tuple(one for one in known if one.rpartition("@")[2].casefold() == self.domain)
        return known[0] if len(known) == 1 else None


class LabelFinder:
    """All pseudonyms of a project, by what the vault has."""

    def __init__(self, vault: "VaultApi", project: str) -> None:
        self._tokens = vault.tokens(project)
        self._tags = frozenset(vault.stored_labels(project, Style.TAG))
        surrogates = vault.stored_labels(project, Style.SURROGATE)
        self._surrogates = SurrogateReader(surrogates)
        self._in_addresses = PersonIndex((label, [parse_label(label)]) for label in surrogates)

    def find(self, text: str) -> tuple[FoundLabel, ...]:
        """In the order of the text, free of overlap; tokens with wrong check letters as well."""
        found = [FoundLabel(one.span, one.label) for one in self._tokens.find(text)]
        found += [
            FoundLabel(Span(*match.span()), match[0])
            for match in TAG_LIKE.finditer(text)
            if match[0] in self._tags
        ]
        taken = SpanCover(one.span for one in found)
        found += [
            FoundLabel(one.span, one.label, one, one.span.cut(text))
            for one in self._surrogates.find(text)
            if not taken.overlaps(one.span)
        ]
        return tuple(sorted(found, key=lambda one: one.span))

    def find_addresses(self, text: str) -> tuple[FoundAddress, ...]:
        """E-mail addresses that were rewritten, in order; those of invented names where the name is whole."""
        owner = {m.span: m.keys[0] for m in self._in_addresses.find(text) if len(m.keys) == 1}
        found: list[FoundAddress] = []
        for identifier in find_identifiers(text):
            if identifier.kind is not IdentifierKind.EMAIL:
                continue
            local, _, domain = identifier.span.cut(text).rpartition("@")
            tokens = [one.label for one in self._tokens.find(local) if one.is_valid]
            tags = [tag for tag in (f"<{word}>" for word in _TAG_WORD.findall(local)) if tag in self._tags]
            own = owner.get(identifier.span)
            label = next(iter([*tokens, *tags, *([str(own)] if own is not None else [])]), None)
            if label is not None:
                found.append(FoundAddress(identifier.span, label, domain.casefold()))
        return tuple(found)

    def is_known(self, label: str) -> bool:
        """Whether it is no token with wrong check letters."""
        return all(one.is_valid for one in self._tokens.find(label))
