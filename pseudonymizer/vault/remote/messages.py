"""The verbs of the vault service: for each its name, what is asked, and what comes back, as types.

Client and service both take them from here. Arguments travel as a map by the names of their fields.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Generic, Self, TypeVar

from linkage.codec import IdentityRow, MentionReader, MentionRow
from linkage.known_rows import KnownReader, KnownRow
from linkage.records import (
    DocumentId,
    EntityId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
)
from linkage.review import Judgement
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.errors import ServiceError
from pseudonymizer.policy import Role, Verb
from pseudonymizer.records import (
    Accepted,
    AccessRequest,
    AuditEvent,
    CrossLink,
    ErasureReceipt,
    Linked,
    LookupResult,
    Pseudonym,
    PseudonymLink,
    ReadLabel,
    RevealedName,
    Rewrite,
    RewriteEdit,
    Rotated,
    RunKey,
    Scope,
    SignedHead,
    Style,
    StyledPseudonyms,
    VerifyReport,
)
from pseudonymizer.settings import ProjectSettings, StylesWanted
from pseudonymizer.vault.remote.sent_records import Message as Message
from pseudonymizer.vault.remote.sent_records import SentKnown as SentKnown
from pseudonymizer.vault.remote.sent_records import SentResult as SentResult
from pseudonymizer.vault.remote.sent_records import checked

_Asked = TypeVar("_Asked")
_Given = TypeVar("_Given", covariant=True)


@dataclass(frozen=True, slots=True)
class WireVerb(Generic[_Asked, _Given]):
    """A verb of the service: the type of its arguments, and of what comes back."""

    name: str
    asked: type[_Asked]
    given: type[_Given]


class Nothing(Message, frozen=True, kw_only=True):
    """No arguments, or no result."""


class OfProject(Message, frozen=True, kw_only=True):
    project: str


class ForPurpose(OfProject, frozen=True, kw_only=True):
    """Arguments of a verb that is on record with its purpose."""

    purpose: str
    ticket: str = ""


class Pseudonyms(ForPurpose, frozen=True, kw_only=True):
    pseudonyms: tuple[str, ...]


# -- projects, people ----------------------------------------------------------------------------------------


class EnsureProject(OfProject, frozen=True, kw_only=True):
    settings: ProjectSettings | None = None


class ChangeSettings(OfProject, frozen=True, kw_only=True):
    settings: ProjectSettings


class KnownSince(OfProject, frozen=True, kw_only=True):
    """revision: of what the caller has already."""

    revision: bytes


class KnownNow(Message, frozen=True, kw_only=True):
    """None: the people are those of the revision that the caller has."""

    known: SentKnown | None


class Link(OfProject, frozen=True, kw_only=True):
    mentions: tuple[MentionRow, ...]
    registered: tuple[KnownRow, ...] = ()
    judgements: tuple[Judgement, ...] = ()

    def told(self) -> tuple[list[NormalizedMention], list[KnownIdentity]]:
        """The mentions, and the registered people. Raises ServiceError for rows that no client makes."""
        with checked():
            return MentionReader().read(self.mentions), KnownReader().read(self.registered)


class LinkedPeople(Message, frozen=True, kw_only=True):
    """Identities without the scored pairs of name forms: those may hold known names."""

    identities: tuple[IdentityRow, ...]
    seen_through: int

    @classmethod
    def of(cls, linked: Linked) -> Self:
        identities = tuple(map(IdentityRow.of, linked.result.identities))
        return cls(identities=identities, seen_through=linked.seen_through)

    def linked(self, mentions: Iterable[NormalizedMention]) -> Linked:
        """The result for these mentions. Raises ServiceError if the identities are not theirs."""
        with checked():
            identities = tuple([row.identity() for row in self.identities])
            return Linked(LinkageResult(tuple(mentions), identities), self.seen_through)


class Assign(OfProject, frozen=True, kw_only=True):
    result: SentResult
    seen_through: int
    scope: Scope = Scope.PROJECT
    deterministic: bool = False
    run: str = ""


class AssignStyled(OfProject, frozen=True, kw_only=True):
    result: SentResult
    wanted: StylesWanted
    seen_through: int


class OfText(OfProject, frozen=True, kw_only=True):
    text: str


class OfTexts(OfProject, frozen=True, kw_only=True):
    texts: tuple[str, ...]


class OfNames(OfProject, frozen=True, kw_only=True):
    names: tuple[PersonName, ...]


class OfStyle(OfProject, frozen=True, kw_only=True):
    style: Style


# -- documents -----------------------------------------------------------------------------------------------


class OfPath(OfProject, frozen=True, kw_only=True):
    """A path as bytes: the name of a file need not be Unicode."""

    relative_path: bytes


class OutputsAmong(OfProject, frozen=True, kw_only=True):
    digests: tuple[bytes, ...]


class SentRewrite(Message, frozen=True, kw_only=True):
    """A Rewrite on its way: paths are bytes, for the name of a file need not be Unicode."""

    doc_id: DocumentId
    format_name: str
    edits: tuple[tuple[bytes, int, int, bytes, EntityId | None], ...]
    path: bytes | None
    output_digest: bytes
    erased: int = 0
    source: DocumentId | None = None
    one_way: int = 0

    @classmethod
    def of(cls, rewrite: Rewrite, digest: bytes) -> Self:
        return cls(
            doc_id=rewrite.doc_id,
            format_name=rewrite.format_name,
            edits=tuple(
                (path_bytes(e.location), e.start, e.end, e.original, e.entity_id) for e in rewrite.edits
            ),
            path=None if rewrite.path is None else path_bytes(rewrite.path),
            output_digest=bytes(digest),
            erased=rewrite.erased,
            source=rewrite.source,
            one_way=rewrite.one_way,
        )

    def rewrite(self) -> Rewrite:
        """Raises ServiceError for paths that are not what `of` makes."""
        edits = tuple(
            RewriteEdit(ordinal, path_text(place), start, end, original, owner)
            for ordinal, (place, start, end, original, owner) in enumerate(self.edits)
        )
        path = None if self.path is None else path_text(self.path)
        return Rewrite(self.doc_id, self.format_name, edits, path, self.erased, self.source, self.one_way)


def path_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogatepass")


def path_text(raw: bytes) -> str:
    """Raises ServiceError for bytes that path_bytes does not make."""
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise ServiceError("a path is not text as this protocol sends it") from None


def sent_digest(raw: bytes) -> OutputDigest:
    """Raises ServiceError for bytes that are no SHA-256."""
    if len(raw) != _DIGEST_BYTES:
        raise ServiceError(f"a digest has {_DIGEST_BYTES} bytes, not {len(raw)}")
    return OutputDigest(raw)


_DIGEST_BYTES: Final = 32


class StoreRewrites(OfProject, frozen=True, kw_only=True):
    rewrites: tuple[SentRewrite, ...]


class Restore(ForPurpose, frozen=True, kw_only=True):
    """outputs are digests: whole files stay with the client."""

    outputs: tuple[bytes, ...]
    grant: str | None = None
    doc_ids: tuple[DocumentId | None, ...] = ()


# -- ways back -----------------------------------------------------------------------------------------------


class Reveal(Pseudonyms, frozen=True, kw_only=True):
    grant: str | None = None


class Labels(ForPurpose, frozen=True, kw_only=True):
    labels: tuple[str, ...]


class StoredForms(Labels, frozen=True, kw_only=True):
    grant: str | None = None


class Lookup(ForPurpose, frozen=True, kw_only=True):
    name: PersonName | str


class Request(Pseudonyms, frozen=True, kw_only=True):
    legal_basis: str = ""
    action: Verb = Verb.REVEAL


class RequestRestore(ForPurpose, frozen=True, kw_only=True):
    """outputs are digests."""

    outputs: tuple[bytes, ...]
    legal_basis: str = ""


class RequestLink(ForPurpose, frozen=True, kw_only=True):
    other: str
    legal_basis: str = ""


class OfRequest(Message, frozen=True, kw_only=True):
    request_id: int


class LinkProjects(ForPurpose, frozen=True, kw_only=True):
    other: str
    grant: str | None = None


# -- care ----------------------------------------------------------------------------------------------------


class HandOut(ForPurpose, frozen=True, kw_only=True):
    run: str
    hours: int


class Accept(OfProject, frozen=True, kw_only=True):
    run: str
    parcels: tuple[bytes, ...]


class AddDecoy(OfProject, frozen=True, kw_only=True):
    name: PersonName
    surface: str


class EraseUnseen(ForPurpose, frozen=True, kw_only=True):
    days: int
    clock_is_right: bool = False


class Erased(Message, frozen=True, kw_only=True):
    receipt: ErasureReceipt | None


class Rotate(OfProject, frozen=True, kw_only=True):
    what: Rotated


class OfRole(Message, frozen=True, kw_only=True):
    actor: str
    role: Role


class AuditEvents(Message, frozen=True, kw_only=True):
    project: str | None = None
    limit: int | None = None
    after: int = 0


class Heads(Message, frozen=True, kw_only=True):
    heads: tuple[SignedHead, ...] = ()


PROJECTS: Final = WireVerb("projects", Nothing, tuple[str, ...])
ENSURE_PROJECT: Final = WireVerb("ensure_project", EnsureProject, Nothing)
PROJECT_SETTINGS: Final = WireVerb("project_settings", OfProject, ProjectSettings)
CHANGE_SETTINGS: Final = WireVerb("change_settings", ChangeSettings, Nothing)
KNOWN: Final = WireVerb("known", KnownSince, KnownNow)
CHECK_MAY_SEE_NAMES: Final = WireVerb("check_may_see_names", OfProject, Nothing)
LINKED: Final = WireVerb("linked", Link, LinkedPeople)
ASSIGN: Final = WireVerb("assign", Assign, dict[MentionId, Pseudonym])
ASSIGN_STYLED: Final = WireVerb("assign_styled", AssignStyled, StyledPseudonyms)
LITERAL_LABEL: Final = WireVerb("literal_label", OfText, Pseudonym)
ARE_KNOWN_NAMES: Final = WireVerb("are_known_names", OfNames, tuple[bool, ...])
ARE_TOKENS: Final = WireVerb("are_tokens", OfTexts, tuple[bool, ...])
READ_LABELS: Final = WireVerb("read_labels", OfTexts, tuple[ReadLabel, ...])
STORED_LABELS: Final = WireVerb("stored_labels", OfStyle, tuple[str, ...])
STYLES_OF_PEOPLE: Final = WireVerb("styles_of_people", OfProject, tuple[Style, ...])
DOCUMENT_ID: Final = WireVerb("document_id", OfPath, str)
OUTPUTS_AMONG: Final = WireVerb("outputs_among", OutputsAmong, tuple[bytes, ...])
WORK_KEY: Final = WireVerb("work_key", OfProject, bytes)
STORE_REWRITES: Final = WireVerb("store_rewrites", StoreRewrites, Nothing)
RESTORE: Final = WireVerb("restore", Restore, tuple[SentRewrite | None, ...])
REVEAL: Final = WireVerb("reveal", Reveal, dict[str, RevealedName])
STORED_FORMS: Final = WireVerb("stored_forms", StoredForms, dict[str, str])
STORED_ADDRESSES: Final = WireVerb("stored_addresses", Labels, dict[str, tuple[str, ...]])
LOOKUP: Final = WireVerb("lookup", Lookup, LookupResult)
REQUEST: Final = WireVerb("request", Request, AccessRequest)
REQUEST_RESTORE: Final = WireVerb("request_restore", RequestRestore, AccessRequest)
REQUEST_LINK: Final = WireVerb("request_link", RequestLink, AccessRequest)
APPROVE: Final = WireVerb("approve", OfRequest, AccessRequest)
GRANT: Final = WireVerb("grant", OfRequest, str)
LINK_PROJECTS: Final = WireVerb("link_projects", LinkProjects, tuple[CrossLink, ...])
HAND_OUT: Final = WireVerb("hand_out", HandOut, RunKey)
ACCEPT: Final = WireVerb("accept", Accept, Accepted)
MERGE: Final = WireVerb("merge", Pseudonyms, int)
UNMERGE: Final = WireVerb("unmerge", Pseudonyms, int)
PSEUDONYM_LINKS: Final = WireVerb("pseudonym_links", OfProject, tuple[PseudonymLink, ...])
ADD_DECOY: Final = WireVerb("add_decoy", AddDecoy, str)
ERASE: Final = WireVerb("erase", Pseudonyms, ErasureReceipt)
ERASE_UNSEEN_SINCE: Final = WireVerb("erase_unseen_since", EraseUnseen, Erased)
ROTATE: Final = WireVerb("rotate", Rotate, int)
GIVE_ROLE: Final = WireVerb("give_role", OfRole, Nothing)
TAKE_ROLE: Final = WireVerb("take_role", OfRole, Nothing)
STORED_ROLES: Final = WireVerb("stored_roles", Nothing, tuple[tuple[str, Role], ...])
AUDIT_EVENTS: Final = WireVerb("audit_events", AuditEvents, tuple[AuditEvent, ...])
AUDIT_HEAD: Final = WireVerb("audit_head", Nothing, SignedHead)
VERIFY_AUDIT: Final = WireVerb("verify_audit", Heads, int)
VERIFY: Final = WireVerb("verify", Heads, VerifyReport)
