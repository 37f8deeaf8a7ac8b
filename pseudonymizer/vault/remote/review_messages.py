"""The verbs of the vault service for the review of runs; as pseudonymizer.vault.remote.messages."""

from typing import Final, Self

from linkage.records import DocumentId, LinkageResult
from pseudonymizer.open_links import KeptDocument, KeptLinks, OpenLinks, RunOutput
from pseudonymizer.vault.remote.messages import (
    Message,
    Nothing,
    OfProject,
    WireVerb,
    path_bytes,
    path_text,
    sent_digest,
)


class KeepOpenLinks(OfProject, frozen=True, kw_only=True):
    found: OpenLinks


class SentOutput(Message, frozen=True, kw_only=True):
    """A RunOutput on its way: its path is bytes, for the name of a file need not be Unicode."""

    digest: bytes
    doc_id: DocumentId
    source: DocumentId
    relative: bytes

    @classmethod
    def of(cls, output: RunOutput) -> Self:
        return cls(
            digest=bytes(output.digest), doc_id=output.doc_id, source=output.source,
            relative=path_bytes(output.relative),
        )  # fmt: skip

    def output(self) -> RunOutput:
        """Raises ServiceError for a path or a digest that is not what `of` makes."""
        return RunOutput(sent_digest(self.digest), self.doc_id, self.source, path_text(self.relative))


class OfOutputs(OfProject, frozen=True, kw_only=True):
    outputs: tuple[SentOutput, ...]


class SentLinks(Message, frozen=True, kw_only=True):
    """KeptLinks on their way."""

    result: LinkageResult
    documents: tuple[tuple[DocumentId, bytes, int, bool], ...]
    known: int
    not_kept: int
    pathless: int

    @classmethod
    def of(cls, kept: KeptLinks) -> Self:
        return cls(
            result=kept.result,
            documents=tuple((d.doc_id, path_bytes(d.path), d.output, d.is_part) for d in kept.documents),
            known=kept.known,
            not_kept=kept.not_kept,
            pathless=kept.pathless,
        )

    def kept(self) -> KeptLinks:
        """Raises ServiceError for paths that are not what `of` makes."""
        documents = tuple(
            KeptDocument(doc_id, path_text(path), output, is_part)
            for doc_id, path, output, is_part in self.documents
        )
        return KeptLinks(self.result, documents, self.known, self.not_kept, self.pathless)


KEEP_OPEN_LINKS: Final = WireVerb("keep_open_links", KeepOpenLinks, Nothing)
KEPT_LINKS: Final = WireVerb("kept_links", OfOutputs, SentLinks)
FORGET_OPEN_LINKS: Final = WireVerb("forget_open_links", OfOutputs, int)
