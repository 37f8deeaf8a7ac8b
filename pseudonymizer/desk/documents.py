"""Single files of programs: written in their own format, and restored."""

from pseudonymizer.desk.answered import DocumentGiven
from pseudonymizer.desk.asked import PseudonymizeDocument, RestoreDocument
from pseudonymizer.errors import UntreatedDocumentError
from pseudonymizer.project import FileContent, Project

WRITTEN = "written"


class DocumentFailedError(UntreatedDocumentError):
    """A file could not be treated. cause: the class of the error."""

    def __init__(self, cause: str) -> None:
        super().__init__("the file could not be treated")
        self.cause = cause


def pseudonymize(project: Project, asked: PseudonymizeDocument) -> DocumentGiven:
    """The file with labels in it. Its way back is in the vault by then.

    Raises:
        DocumentFailedError: it cannot be read, or not be written in its format.
        VaultError, AccessRefusedError: see Project.pseudonymize.
    """
    (document,) = project.pseudonymize(
        [FileContent(asked.name, asked.content)], min_confidence=asked.options.min_confidence
    )
    if document.failure is not None:
        raise DocumentFailedError(document.failure.error)
    return DocumentGiven(
        document.relative or asked.name, document.content, WRITTEN, dict(document.left_in),
        dict(document.unread), project.vault.last_event,
    )  # fmt: skip


def restore(project: Project, asked: RestoreDocument) -> DocumentGiven:
    """The original of a file, byte for byte where its format promises that and it was not edited.

    Raises:
        AccessRefusedError, PurposeRequiredError, GrantInvalidError: on record.
    """
    restored = project.restore_text(
        asked.content, purpose=asked.purpose, ticket=asked.ticket, grant=asked.grant
    )
    return DocumentGiven(asked.name, restored.content, restored.how, audit_sequence=restored.audit_sequence)
