"""Records of linkage on their way over the vault service's socket: as rows, which are short."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import msgspec

from linkage.codec import IdentityRow, MentionReader, MentionRow
from linkage.errors import InvalidRecordError
from linkage.known_rows import KnownReader, KnownRow
from linkage.records import LinkageResult
from pseudonymizer.errors import ServiceError
from pseudonymizer.records import Known


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Arguments or a result. Its repr shows no value, for some of them are names."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return []


class SentKnown(Message, frozen=True, kw_only=True):
    """A Known on its way."""

    people: tuple[KnownRow, ...]
    seen_through: int
    revision: bytes

    @classmethod
    def of(cls, known: Known) -> Self:
        return cls(
            people=tuple(map(KnownRow.of, known.people)),
            seen_through=known.seen_through,
            revision=known.revision,
        )

    def known(self) -> Known:
        """Raises ServiceError for rows that `of` does not make."""
        with checked():
            return Known(tuple(KnownReader().read(self.people)), self.seen_through, self.revision)


class SentResult(Message, frozen=True, kw_only=True):
    """A LinkageResult on its way, without the scored pairs of name forms: those may hold known names."""

    mentions: tuple[MentionRow, ...]
    identities: tuple[IdentityRow, ...]

    @classmethod
    def of(cls, result: LinkageResult) -> Self:
        return cls(
            mentions=tuple(map(MentionRow.of, result.mentions)),
            identities=tuple(map(IdentityRow.of, result.identities)),
        )

    def result(self) -> LinkageResult:
        """Raises ServiceError for rows that `of` does not make."""
        with checked():
            return LinkageResult(
                tuple(MentionReader().read(self.mentions)), tuple([row.identity() for row in self.identities])
            )


@contextmanager
def checked() -> Iterator[None]:
    """Raises ServiceError in place of InvalidRecordError, without what the records hold."""
    try:
        yield
    except InvalidRecordError:
        raise ServiceError(
            "records do not fit together; the vault service and its client need one version of nymlink"
        ) from None
