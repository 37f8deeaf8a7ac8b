"""The verbs of the vault service for splitting and relinking; as pseudonymizer.vault.remote.messages."""

from typing import Final, Self

from linkage.known_rows import KnownReader, KnownRow
from linkage.records import DocumentId, KnownIdentity, Mention
from pseudonymizer.relinks import HowToRelink, Relinked
from pseudonymizer.splits import Part, Split
from pseudonymizer.vault.remote.messages import ForPurpose, WireVerb
from pseudonymizer.vault.remote.sent_records import checked


class OfSplit(ForPurpose, frozen=True, kw_only=True):
    """A Part with the pseudonym from which it is taken."""

    pseudonym: str
    surfaces: tuple[str, ...]
    doc_ids: tuple[DocumentId, ...]
    found: tuple[Mention, ...]

    @classmethod
    def of(cls, project: str, pseudonym: str, part: Part, *, purpose: str, ticket: str) -> Self:
        return cls(
            project=project, pseudonym=pseudonym, surfaces=tuple(part.surfaces), doc_ids=tuple(part.doc_ids),
            found=tuple(part.found), purpose=purpose, ticket=ticket,
        )  # fmt: skip

    def part(self) -> Part:
        return Part(self.surfaces, self.doc_ids, self.found)


class OfRelink(ForPurpose, frozen=True, kw_only=True):
    how: HowToRelink
    registered: tuple[KnownRow, ...] = ()

    def people(self) -> list[KnownIdentity]:
        """The registered people. Raises ServiceError for rows that no client makes."""
        with checked():
            return KnownReader().read(self.registered)


SPLIT: Final = WireVerb("split", OfSplit, Split)
RELINK: Final = WireVerb("relink", OfRelink, Relinked)
