"""Pseudonyms of any style in text that was edited or pasted: tokens, tags and surrogates."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkage.records import PersonName, Span
from linkage.spans import SpanCover
from pseudonymizer.name_forms import write_name
from pseudonymizer.records import Style
from pseudonymizer.surrogate_reading import FoundSurrogate, SurrogateReader
from pseudonymizer.surrogates import TAG_LIKE

if TYPE_CHECKING:
    from pseudonymizer.vault import Vault

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


class LabelFinder:
    """All pseudonyms of a project, by what the vault has."""

    def __init__(self, vault: "Vault", project: str) -> None:
        from pseudonymizer.vault.styled import stored_labels

        self._tokens = vault.tokens(project)
        self._tags = frozenset(stored_labels(vault, project, Style.TAG))
        self._surrogates = SurrogateReader(stored_labels(vault, project, Style.SURROGATE))

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

    def is_known(self, label: str) -> bool:
        """Whether it is no token with wrong check letters."""
        return all(one.is_valid for one in self._tokens.find(label))
