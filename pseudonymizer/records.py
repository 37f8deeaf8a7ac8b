"""Records of the vault and of rewriting. All are frozen; personal data stays out of their repr."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import IntEnum, StrEnum
from typing import Final, Self

from linkage.records import (
    Beyond,
    DocumentId,
    EntityId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    Span,
)
from pseudonymizer.errors import InvalidRecordError, KeyUnavailableError

PATH_PART: Final = "/path"  # part id of the path of a file; no format has a part of this name
TECHNICAL: Final = "technical"  # last word of the part id of a document's technical fields
_KEYS: Final = ("label_key", "check_key", "parcel_key")


def text_ids_of(doc_id: DocumentId) -> tuple[DocumentId, ...]:
    """The ids of the texts in which a mention of this document may stand: its running text, its technical
    fields, and the path of its file. The ids of mentions begin with one of them.
    """
    if "#" in doc_id:
        return doc_id, DocumentId(f"{doc_id}/{TECHNICAL}")
    return doc_id, DocumentId(f"{doc_id}#{TECHNICAL}"), DocumentId(f"{doc_id}#{PATH_PART}")


class Scope(StrEnum):
    """How far one pseudonym of a person reaches inside a project."""

    PROJECT = "project"
    DOCUMENT = "document"
    OCCURRENCE = "occurrence"


class Style(StrEnum):
    """How pseudonyms look. mask and initials are one-way: nothing of them can be restored by themselves."""

    TOKEN = "token"  # noqa: S105  a style, not a secret
    CODE = "code"
    SURROGATE = "surrogate"
    TAG = "tag"
    MASK = "mask"
    INITIALS = "initials"


class EntityKind(IntEnum):
    """Whether an entity is a person, or a mention that may mean several and keeps a pseudonym of its own."""

    PERSON = 0
    AMBIGUOUS = 1
    LITERAL = 2  # text that only looks like a token: it gets a real one, so that it comes back unchanged
    VALUE = 3  # a value of another kind, such as a bank account; which kind is sealed


class Rotated(StrEnum):
    """What can be rotated in a project."""

    WRAP = "wrap"
    INDEX = "index"
    TOKEN = "token"  # noqa: S105  the name of a key's purpose
    DATA = "data"


class KeyState(StrEnum):
    ACTIVE = "active"
    DECRYPT_ONLY = "decrypt-only"
    DESTROYED = "destroyed"


class LinkKind(StrEnum):
    """What a stored link between two entities says."""

    CANDIDATE = "candidate"  # left is ambiguous and may be right
    OPEN = "open"  # scored between two identities, not joined
    ALSO_KNOWN_AS = "also-known-as"  # shown later to be one person; both pseudonyms stay
    SPLIT = "split"  # right was made from a part of left
    SAME_MENTION = "same-mention"  # one identity of a later run joins mentions that have two pseudonyms


@dataclass(frozen=True, slots=True)
class Known:
    """The people of a project at one time.

    seen_through: the highest number of a person by then; whoever links with these people tells it to assign,
    which looks for those who came later itself. revision: another one as soon as anything of this changes.
    """

    people: tuple[KnownIdentity, ...] = field(default=(), repr=False)
    seen_through: int = 0
    revision: bytes = b""


@dataclass(frozen=True, slots=True)
class KnownCandidates:
    """Those people of a project whom the names of a text may mean, at one time.

    beyond: counts of what else the project has; None where these are all its people. seen_through: as that of
    Known.
    """

    people: tuple[KnownIdentity, ...] = field(default=(), repr=False)
    beyond: Beyond | None = None
    seen_through: int = 0


@dataclass(frozen=True, slots=True)
class Linked:
    """A linkage result, and the highest number of a person of the project that the linker has seen."""

    result: LinkageResult = field(repr=False)
    seen_through: int = 0


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """Label of one entity within one project; one per (entity, project, scope), for ever."""

    label: str
    entity_id: EntityId
    project: str
    scope: Scope


@dataclass(frozen=True, slots=True)
class StyledPseudonyms:
    """clashes: surrogates drawn in earlier runs with a word that is a real name in this result."""

    by_style: Mapping[Style, Mapping[MentionId, Pseudonym]]
    clashes: int = 0


@dataclass(frozen=True, slots=True)
class FoundToken:
    """Text in the form of a token. is_valid: its check digits are those of this project."""

    span: Span
    label: str
    is_valid: bool


class LabelState(StrEnum):
    """What a project knows of a text that looks like a label."""

    ISSUED = "issued"
    # A tag that another project of the vault has issued as well, or a surrogate that is the full name of a
    # real person of the project.
    SHARED = "shared"
    UNKNOWN = "unknown"  # right as far as it can be checked; nobody has it, or nobody has it any more
    MALFORMED = "malformed"  # its check letters are wrong: mistyped, or of another project


@dataclass(frozen=True, slots=True)
class ReadLabel:
    """A label in a text as the project knows it.

    label: as it is stored; empty unless it was issued. entity_id: the person behind it.
    """

    state: LabelState
    label: str = ""
    entity_id: EntityId | None = None


KEPT_ORIGINAL: Final = "original"  # location of an edit that holds the whole original of an output


@dataclass(frozen=True, slots=True)
class RewriteEdit:
    """One place where a rewritten file differs from its original.

    start and end count in the rewritten part named by location, in the units of the file's format (code
    points or bytes); end may equal start where something was taken out. entity_id None: no person owns it.
    """

    ordinal: int
    location: str = field(repr=False)
    start: int
    end: int
    original: bytes = field(repr=False)
    entity_id: EntityId | None = None

    def __post_init__(self) -> None:
        if self.ordinal < 0 or not 0 <= self.start <= self.end:
            raise InvalidRecordError(f"edit {self.ordinal}: {self.start}..{self.end} is not a range")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """All edits of one rewritten file: what undoes it. path is the original relative path. erased: how many
    edits more there were, of people who were erased since. source: the id of LinkedSource. one_way: how many
    replacements have no way back; without any the edits undo the file exactly.
    """

    doc_id: DocumentId
    format_name: str
    edits: tuple[RewriteEdit, ...]
    path: str | None = field(default=None, repr=False)
    erased: int = 0
    source: DocumentId | None = None
    one_way: int = 0

    def __post_init__(self) -> None:
        if [edit.ordinal for edit in self.edits] != list(range(len(self.edits))):
            raise InvalidRecordError(f"rewrite of {len(self.edits)} edits: ordinals must count from 0")


@dataclass(frozen=True, slots=True)
class RevealedName:
    """The name behind a pseudonym: the fullest form, and every form that was seen.

    kind: of what stands behind it. Of a value of another kind than persons, name is the first spelling met.
    """

    label: str
    name: str = field(repr=False)
    forms: tuple[str, ...] = field(repr=False)
    kind: str = "PERSON"


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One person of a project. name: the fullest one; spellings: how many ways of writing it there are.
    documents: rewritten files, or units of large ones, with a label of this person; places: labels in them.
    """

    pseudonyms: tuple[str, ...]
    name: str = field(repr=False)
    spellings: int
    documents: int
    places: int


@dataclass(frozen=True, slots=True)
class LikelyPerson:
    """Somebody who may be the person of a given name. probability: that one of the names that the vault has
    of them and the given name are one person's, in [0, 1].
    """

    pseudonyms: tuple[str, ...]
    probability: float
    paths: tuple[str, ...] = field(repr=False)
    documents: int = 0


@dataclass(frozen=True, slots=True)
class LookupResult:
    """What the vault knows under a given name: for access and erasure requests. likely: people with other
    names who may be meant, the likeliest first; whoever answers a request decides who they are.
    """

    pseudonyms: tuple[str, ...]
    paths: tuple[str, ...] = field(repr=False)
    documents: int = 0
    likely: tuple[LikelyPerson, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One entry of the trail. subjects are pseudonyms or ids, never names. Digests chain the entries."""

    sequence: int
    occurred_at: datetime
    actor: str
    role: str
    project: str
    action: str
    subjects: tuple[str, ...]
    purpose: str
    ticket: str
    outcome: str
    counts: Mapping[str, int]
    epoch: int
    previous_digest: bytes = field(repr=False)
    digest: bytes = field(repr=False)
    mac: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignedHead:
    """The end of the trail at one time, signed: kept outside, it shows a trail that was cut off later."""

    vault_id: str
    sequence: int
    digest: str
    epoch: int
    public_key: str
    signature: str


@dataclass(frozen=True, slots=True)
class PseudonymLink:
    """A link between two pseudonyms, for analysis without names. Never transitive by force."""

    left: str
    right: str
    kind: LinkKind
    decision: str
    variant: str
    match_probability: float
    partial_ratio: float


class RequestState(StrEnum):
    """How a request stands. APPROVED and EXPIRED follow from approvals and time; the others are stored."""

    OPEN = "open"
    APPROVED = "approved"
    GRANTED = "granted"
    USED = "used"
    DENIED = "denied"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """A wish to re-identify: exactly these pseudonyms, for this purpose. state: as it is stored. denied_for:
    the reason that was given for a denial; "" where there is none.
    """

    request_id: int
    actor: str
    project: str
    action: str
    labels: tuple[str, ...]
    purpose: str
    legal_basis: str
    ticket: str
    state: str
    approvals_needed: int
    approvers: tuple[str, ...]
    expires_at: datetime
    denied_for: str = ""

    def standing(self, now: datetime) -> RequestState:
        """How the request stands at a time."""
        stored = RequestState(self.state)
        if stored not in (RequestState.OPEN, RequestState.GRANTED):
            return stored
        if now > self.expires_at:
            return RequestState.EXPIRED
        if stored is RequestState.OPEN and len(self.approvers) >= self.approvals_needed:
            return RequestState.APPROVED
        return stored


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """What an erasure destroyed, and what it cannot reach."""

    project: str
    pseudonyms: tuple[str, ...]
    erased_at: datetime
    rows: Mapping[str, int]
    audit_sequence: int
    remains: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """A folder that runs of a project wrote into. place: its path, which may name somebody. erased: how many
    people its work file may still hold, who were erased while it was out of reach.
    """

    folder_id: str
    place: str = field(repr=False)
    actor: str
    used_on: date
    erased: int


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """Counts of what was checked, and findings in words without names; no finding means all is as written."""

    checked: Mapping[str, int]
    findings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """What a vault service tells whoever connects: about itself, and whom it takes the caller for."""

    vault_id: str
    actor: str
    roles: tuple[str, ...]
    memory_locked: bool
    core_dumps_off: bool
    largest_message: int


@dataclass(frozen=True, slots=True, order=True)
class CrossLink:
    """Two pseudonyms of two projects that stand for one person, and what says so; never a name."""

    left: str
    right: str
    evidence: str


@dataclass(frozen=True, slots=True)
class RunKey:
    """What a worker needs: for one run of one project, until expires_at (UTC)."""

    vault_id: str
    project: str
    run: str
    expires_at: datetime
    version: int
    label_key: bytes = field(repr=False)
    check_key: bytes = field(repr=False)
    parcel_key: bytes = field(repr=False)  # public: seals, and opens nothing

    def to_text(self) -> str:
        """One line of JSON; a secret."""
        keys = {name: base64.b64encode(getattr(self, name)).decode() for name in _KEYS}
        clear = {name: getattr(self, name) for name in ("vault_id", "project", "run", "version")}
        return json.dumps({**clear, "expires_at": self.expires_at.isoformat(), **keys})

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Raises KeyUnavailableError if it is no run key."""
        try:
            found = json.loads(text)
            return cls(
                str(found["vault_id"]), str(found["project"]), str(found["run"]),
                datetime.fromisoformat(found["expires_at"]), int(found["version"]),
                *(base64.b64decode(found[name], validate=True) for name in _KEYS),
            )  # fmt: skip
        except (ValueError, KeyError, TypeError):
            raise KeyUnavailableError("this is no run key, or it was cut off") from None


@dataclass(frozen=True, slots=True)
class Accepted:
    """What came in with parcels: without names."""

    mentions: int
    people: int


@dataclass(frozen=True, slots=True)
class HowToRestore:
    """Options of restoring files.

    made_from, is_confirmed: of edited texts, see Project.restore_text. mode: the most that originals may have
    of the mode of the file that they come from.
    """

    made_from: Sequence[bytes] = field(default=(), repr=False)
    is_confirmed: bool = False
    mode: int = 0o600
