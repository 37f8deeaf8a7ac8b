"""The verbs of an open vault for who is who; a part of pseudonymizer.vault.vault."""

from collections.abc import Callable, Sequence

from linkage.records import KnownIdentity
from pseudonymizer.relinks import HowToRelink, Relinked
from pseudonymizer.splits import Part, Split
from pseudonymizer.vault.care import merging, relinking, splitting
from pseudonymizer.vault.linker_api import MentionLinker
from pseudonymizer.vault.receipt_verbs import ReceiptsVault


class CurationVault(ReceiptsVault):
    """An open vault as a CurationApi."""

    def merge(self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = "") -> int:
        """Say that these pseudonyms are one person; returns how many links that made."""
        return merging.merge(self, project=project, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket)

    def unmerge(self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = "") -> int:
        """Take back that these pseudonyms are one person; returns how many links went."""
        return merging.unmerge(self, project=project, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket)

    def split(self, *, project: str, pseudonym: str, part: Part, purpose: str, ticket: str = "") -> Split:
        """Take a new person, with a pseudonym of its own, out of the one behind this pseudonym."""
        return splitting.split(
            self, project=project, pseudonym=pseudonym, part=part, purpose=purpose, ticket=ticket
        )

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
        """What one go over all mentions that the project keeps finds otherwise; on record."""
        return relinking.relink(
            self, project, how, linker=linker, registered=registered, purpose=purpose, ticket=ticket
        )
