"""Who is who through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Sequence

from pseudonymizer.splits import Part, Split
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


def _pseudonyms(project: str, pseudonyms: Sequence[str], purpose: str, ticket: str) -> m.Pseudonyms:
    return m.Pseudonyms(project=project, pseudonyms=tuple(pseudonyms), purpose=purpose, ticket=ticket)
