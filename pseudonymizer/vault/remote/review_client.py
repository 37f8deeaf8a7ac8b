"""The review of runs through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Sequence

from linkage.records import DocumentId
from pseudonymizer.errors import ServiceError
from pseudonymizer.open_links import KeptLinks, OpenLinks, RunOutput
from pseudonymizer.records import Rewrite
from pseudonymizer.vault.remote import review_messages as m
from pseudonymizer.vault.remote.connection import VaultConnection


class ReviewClient(VaultConnection):
    """A vault service as a ReviewApi."""

    def keep_open_links(self, project: str, found: OpenLinks) -> None:
        self.ask(m.KEEP_OPEN_LINKS, m.KeepOpenLinks(project=project, found=found))

    def kept_links(self, project: str, outputs: Sequence[RunOutput]) -> KeptLinks:
        return self.ask(m.KEPT_LINKS, _of_outputs(project, outputs)).kept()

    def reviewed_rewrites(
        self, project: str, outputs: Sequence[bytes], doc_ids: Sequence[DocumentId | None] = ()
    ) -> tuple[Rewrite | None, ...]:
        """Raises ServiceError: whoever reviews through a service may see names, and not whole originals;
        `restore` gives these, to who may restore.
        """
        del project, outputs, doc_ids
        raise ServiceError("a vault service gives no original for review; `nymlink restore` asks for it")

    def forget_open_links(self, project: str, outputs: Sequence[RunOutput]) -> int:
        return self.ask(m.FORGET_OPEN_LINKS, _of_outputs(project, outputs))


def _of_outputs(project: str, outputs: Sequence[RunOutput]) -> m.OfOutputs:
    return m.OfOutputs(project=project, outputs=tuple(map(m.SentOutput.of, outputs)))
