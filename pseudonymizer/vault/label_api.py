"""What a VaultApi has for labels as texts have them; a part of pseudonymizer.vault.api."""

from collections.abc import Sequence
from typing import Protocol

from pseudonymizer.records import FoundToken, Pseudonym, ReadLabel, Style


class TokenCheck(Protocol):
    """Tells a project's own tokens from text that only looks like one."""

    def is_valid(self, label: str) -> bool: ...
    def find(self, text: str) -> tuple[FoundToken, ...]: ...


class LabelApi(Protocol):
    """Labels of a project, told from text that only looks like one."""

    def literal_label(self, project: str, text: str) -> Pseudonym:
        """The token that stands for a text which only looks like a token."""
        ...

    def tokens(self, project: str) -> TokenCheck:
        """The check that tells the project's tokens from look-alikes."""
        ...

    def is_token(self, project: str, text: str) -> bool:
        """Whether the text is a token of the project."""
        ...

    def stored_labels(self, project: str, style: Style) -> tuple[str, ...]:
        """All pseudonyms of a style in a project; of surrogates those of people."""
        ...

    def styles_of_people(self, project: str) -> tuple[Style, ...]:
        """The styles in which people of a project have pseudonyms."""
        ...

    def read_labels(self, project: str, texts: Sequence[str]) -> tuple[ReadLabel, ...]:
        """What the project knows of each text: a token, a tag, a code with or without its word, a surrogate.

        texts: in the spelling in which labels are stored. A code may have another word, or none.
        """
        ...
