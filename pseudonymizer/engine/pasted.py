"""Finds pseudonyms of every style (tokens, tags, surrogates) in text that was edited or pasted."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkage.records import PersonName, Span
from linkage.spans import SpanCover
from pseudonymizer.identifiers import PSEUDONYM_DOMAIN, IdentifierKind, PersonIndex, find_identifiers
from pseudonymizer.records import Style
from pseudonymizer.styles.labels import TAG_LIKE
from pseudonymizer.styles.name_forms import parse_label, write_name
from pseudonymizer.styles.reading import FoundSurrogate, SurrogateReader

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_TAG_WORD = re.compile(r"[A-Z]{2,20}-\d+")
ParseName = Callable[[str], PersonName]


@dataclass(frozen=True, slots=True)
class FoundLabel:
    """A pseudonym in a text.

    surrogate: the parts of an invented name that stand there; None for a token or a tag. surface: the
    characters that stand there.
    """

    span: Span
    label: str
    surrogate: FoundSurrogate | None = field(default=None, repr=False)
    surface: str = field(default="", repr=False)

    def original(self, names: Mapping[str, str], parse: ParseName) -> str | None:
        """The name behind the pseudonym, in the form that the pseudonym has in the text; None without a name.

        names: the fullest name by pseudonym. parse: takes a name apart.
        """
        name = names.get(self.label)
        if name is None or self.surrogate is None:
            return name
        return write_name(parse(name), self.surrogate.form, self.surface)


@dataclass(frozen=True, slots=True)
class FoundAddress:
    """An e-mail address that carries a pseudonym. domain: what stands behind the @, in lower case."""

    span: Span
    label: str
    domain: str = field(repr=False)

    def original(self, addresses: Mapping[str, tuple[str, ...]]) -> str | None:
        """The real address, if the person has exactly one that fits; else None.

        addresses: by pseudonym. A domain that was kept must be that of the real address.
        """
        fitting = addresses.get(self.label, ())
        if self.domain != PSEUDONYM_DOMAIN:
            fitting = tuple(a for a in fitting if a.rpartition("@")[2].casefold() == self.domain)
        return fitting[0] if len(fitting) == 1 else None


class LabelFinder:
    """Finds the pseudonyms of a project, which it reads from the vault once."""

    def __init__(self, vault: "VaultApi", project: str) -> None:
        self._tokens = vault.tokens(project)
        self._tags = frozenset(vault.stored_labels(project, Style.TAG))
        surrogates = vault.stored_labels(project, Style.SURROGATE)
        self._surrogates = SurrogateReader(surrogates)
        self._in_addresses = PersonIndex((label, [parse_label(label)]) for label in surrogates)

    def find(self, text: str) -> tuple[FoundLabel, ...]:
        """The pseudonyms in text, in order and without overlap; also tokens with wrong check letters."""
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
        """The e-mail addresses in text that carry a pseudonym, in order.

        An invented name counts where the address spells it as addresses spell names, such as "p.bakker".
        """
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
        """False for a token with wrong check letters, True for every other label."""
        return all(one.is_valid for one in self._tokens.find(label))
