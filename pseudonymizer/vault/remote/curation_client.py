"""Who is who through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Callable, Sequence

from linkage.known_rows import KnownRow
from linkage.records import KnownIdentity
from pseudonymizer.relinks import HowToRelink, Relinked
from pseudonymizer.splits import Part, Split
from pseudonymizer.vault.linker_api import MentionLinker
from pseudonymizer.vault.remote import curation_messages as c
from pseudonymizer.vault.remote import messages as m
from pseudonymizer.vault.remote.connection import VaultConnection


class CurationClient(VaultConnection):
    """A vault service as a CurationApi."""

    def merge(self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = "") -> int:
        return self.ask(m.MERGE, _pseudonyms(project, pseudonyms, purpose, ticket))

    def unmerge(self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = "") -> int:
        return self.ask(m.UNMERGE, _pseudonyms(project, pseudonyms, purpose, ticket))

    def split(self, *, project: str, pseudonym: str, part: Part, purpose: str, ticket: str = "") -> Split:
        asked = c.OfSplit.of(project, pseudonym, part, purpose=purpose, ticket=ticket)
        return self.ask(c.SPLIT, asked)

    def relink(
        self,
        project: str,
        how: HowToRelink,
        *,
        linker: Callable[[], MentionLinker] | None = None,
        registered: Sequence[KnownIdentity] = (),
        purpose: str,
        ticket: str = "",
    ) -> Relinked:
        """The service links: no name leaves it, but for those that are asked for."""
        del linker
        asked = c.OfRelink(
            project=project, how=how, registered=tuple(map(KnownRow.of, registered)), purpose=purpose,
            ticket=ticket,
        )  # fmt: skip
        return self.ask(c.RELINK, asked)


def _pseudonyms(project: str, pseudonyms: Sequence[str], purpose: str, ticket: str) -> m.Pseudonyms:
    return m.Pseudonyms(project=project, pseudonyms=tuple(pseudonyms), purpose=purpose, ticket=ticket)
