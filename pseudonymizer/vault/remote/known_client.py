"""Known people through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Callable
from dataclasses import dataclass

from linkage.text_forms import TextForms
from pseudonymizer.records import KnownCandidates
from pseudonymizer.vault.linker_api import KnownSource, MentionLinker
from pseudonymizer.vault.remote import known_messages as k
from pseudonymizer.vault.remote.connection import VaultConnection


@dataclass(frozen=True, slots=True)
class _KnownThere:
    """The known people of a project that a vault service has."""

    client: VaultConnection
    project: str

    def candidates(self, forms: TextForms) -> KnownCandidates:
        asked = k.OfForms.of(self.project, forms)
        return self.client.ask(k.CANDIDATES, asked).candidates()


class KnownClient(VaultConnection):
    """A vault service as a KnownApi."""

    def known_source(self, project: str, *, linker: Callable[[], MentionLinker] | None = None) -> KnownSource:
        """For roles that may see names, and for no other: who may not links with `linked`. The index is that
        of the service's linker.
        """
        del linker
        return _KnownThere(self, project)
