"""What a VaultApi has for who is who among the people of a project; a part of pseudonymizer.vault.api."""

from collections.abc import Sequence
from typing import Protocol

from pseudonymizer.splits import Part, Split


class CurationApi(Protocol):
    """Merging and splitting people, for who may see names. Each commits."""

    def merge(self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = "") -> int:
        """Say that these pseudonyms are one person; returns how many links that made."""
        ...

    def unmerge(self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = "") -> int:
        """Take back that these pseudonyms are one person; returns how many links went."""
        ...

    def split(self, *, project: str, pseudonym: str, part: Part, purpose: str, ticket: str = "") -> Split:
        """Take a new person, with a pseudonym of its own, out of the one behind this pseudonym."""
        ...
