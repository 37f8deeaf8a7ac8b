"""What a VaultApi has for who is who among the people of a project; a part of pseudonymizer.vault.api."""

from collections.abc import Callable, Sequence
from typing import Protocol

from linkage.records import KnownIdentity
from pseudonymizer.relinks import HowToRelink, Relinked
from pseudonymizer.splits import Part, Split
from pseudonymizer.vault.linker_api import MentionLinker


class CurationApi(Protocol):
    """Merging, splitting and relinking people, for curators. Each commits."""

    def merge(self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = "") -> int:
        """Say that these pseudonyms are one person; returns how many links that made."""
        ...

    def unmerge(self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = "") -> int:
        """Take back that these pseudonyms are one person; returns how many links went."""
        ...

    def split(self, *, project: str, pseudonym: str, part: Part, purpose: str, ticket: str = "") -> Split:
        """Take a new person, with a pseudonym of its own, out of the one behind this pseudonym."""
        ...

    def relink(
        self,
        project: str,
        how: HowToRelink,
        *,
        linker: Callable[[], MentionLinker],
        registered: Sequence[KnownIdentity] = (),
        purpose: str,
        ticket: str = "",
    ) -> Relinked:
        """What one go over all mentions that the project keeps finds otherwise; on record.

        The linker is for a vault in this process: a service has its own.
        """
        ...
