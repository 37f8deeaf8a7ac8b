"""The verb of the vault service for splitting; as pseudonymizer.vault.remote.messages."""

from typing import Final, Self

from linkage.records import DocumentId, Mention
from pseudonymizer.splits import Part, Split
from pseudonymizer.vault.remote.messages import ForPurpose, WireVerb


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


SPLIT: Final = WireVerb("split", OfSplit, Split)
