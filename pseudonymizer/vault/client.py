"""The vault behind a socket: the same verbs as a vault in this process, without its keys.

The operating system tells the service who calls, and it knows the caller's roles. Each verb is a unit of work
of its own there, durable when it returns: commit and rollback have nothing to do here.
"""

import os
import socket
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import (
    Any,
    Final,
    Protocol,
    Self,
    TypeVar,
)

import msgspec

from linkage.records import DocumentId, EntityId, Identity, KnownIdentity, LinkageResult, NormalizedMention
from linkage.review import Judgement
from pseudonymizer.crypto import OutputDigest, Sealer, digest_sha256
from pseudonymizer.errors import ServiceError
from pseudonymizer.records import (
    AuditEvent,
    FoundToken,
    Rewrite,
    RewriteEdit,
    Scope,
    ServiceStatus,
    SignedHead,
    Style,
    VerifyReport,
)
from pseudonymizer.settings import ProjectSettings, StyleSettings
from pseudonymizer.surrogates import TOKEN_LIKE
from pseudonymizer.vault import wire

SCHEME: Final = "unix:"
_REWRITES_A_MESSAGE: Final = 512  # what a run stores in one transaction


class MentionLinker(Protocol):
    """What decides who is who, such as linkage.linker.Linker."""

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult: ...


def is_service(url: str | Path) -> bool:
    """Whether a vault's address is that of a service, such as unix:/run/nymlink/vault.sock."""
    return isinstance(url, str) and url.startswith(SCHEME)


def socket_path(address: str | Path) -> Path:
    """The socket of unix:PATH, unix://PATH or a bare path."""
    text = str(address).removeprefix(SCHEME)
    return Path("/" + text.lstrip("/") if text.startswith("//") else text)


_Pseudonyms = TypeVar("_Pseudonyms")


class VaultClient:
    """A connection to a vault service. Not for two threads at once: each makes its own."""

    def __init__(self, connection: socket.socket, *, largest: int) -> None:
        self._connection = connection
        self._largest = largest
        self.lock = threading.RLock()
        self.seen_through: dict[str, int] = {}  # project -> highest entity id that linking has seen
        wire.send_frame(connection, wire.encode(wire.PROTOCOL), largest=wire.LARGEST_GREETING)
        self.status: ServiceStatus = self._answer(ServiceStatus)
        self._largest = self.status.largest_message

    @classmethod
    def connect(cls, address: str | Path) -> Self:
        """Connect to the service that listens at unix:PATH.

        Raises:
            ServiceError: nothing listens there, or this user may not reach it.
        """
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(os.fspath(socket_path(address)))
        except OSError as error:
            connection.close()
            raise ServiceError(
                f"no vault service can be reached at this socket ({os.strerror(error.errno or 0)}); start it "
                "with `nymlink vault serve`, or ask for access to its folder"
            ) from None
        try:
            return cls(connection, largest=wire.LARGEST_FRAME)
        except BaseException:
            connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def commit(self) -> None:
        """Nothing: what a verb did is durable when it returns."""

    def rollback(self) -> None:
        """Nothing: what a verb did is durable when it returns, and each of them may be repeated."""

    def has_open_work(self) -> bool:
        return False

    @property
    def actor(self) -> str:
        """Who the service takes this process for."""
        return self.status.actor

    def call(self, verb: str, kind: Any, /, **arguments: Any) -> Any:
        """The verb's result, decoded as kind.

        Raises:
            PseudonymizerError: whatever the verb raised there, as the same class.
            ServiceError: the service is gone, or a message is too large.
        """
        with self.lock:
            call = wire.Call(verb, msgspec.Raw(wire.encode(arguments)))
            wire.send_frame(self._connection, wire.encode(call), largest=self._largest)
            return self._answer(kind)

    def _answer(self, kind: Any) -> Any:
        raw = wire.receive_frame(self._connection, largest=max(self._largest, wire.LARGEST_FRAME))
        answer: wire.Answer = wire.decode(raw, wire.Answer)
        if answer.error:
            raise wire.raised(answer)
        return wire.decode(answer.result, kind)

    # -- projects and people ---------------------------------------------------------------------------------

    def projects(self) -> tuple[str, ...]:
        return tuple(self.call("projects", tuple[str, ...]))

    def ensure_project(self, name: str, settings: ProjectSettings | None = None) -> None:
        """Get or create."""
        self.call("ensure_project", None, name=name, settings=settings)

    def project_settings(self, name: str) -> ProjectSettings:
        found: ProjectSettings = self.call("project_settings", ProjectSettings, name=name)
        return found

    def change_settings(self, project: str, settings: ProjectSettings) -> None:
        self.call("change_settings", None, project=project, settings=settings)

    def known_identities(self, project: str) -> tuple[KnownIdentity, ...]:
        """Every person of the project with all names: for roles that may see names, and for no other.

        An analyst links with `linked`: there the service compares, and no name leaves it.
        """
        known: tuple[KnownIdentity, ...]
        known, seen = self.call("known_identities", tuple[tuple[KnownIdentity, ...], int], project=project)
        self.seen_through[project] = seen
        return known

    def check_may_see_names(self, project: str) -> None:
        """Nothing, for an actor who may see names of the project: the service refuses all others."""
        self.known_identities(project)

    def linked(
        self,
        project: str,
        mentions: Sequence[NormalizedMention],
        *,
        linker: Callable[[], MentionLinker] | None = None,
        registered: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        """Who is who among these mentions and the people the project knows. The service's own linker decides,
        and keeps what people judged; the one given here is for a vault in this process. form_links stay
        there: they may hold known names.
        """
        del linker
        kind = tuple[tuple[Identity, ...], int]
        found, seen = self.call(
            "linked", kind, project=project, mentions=mentions, registered=registered, judgements=judgements
        )
        self.seen_through[project] = seen
        return LinkageResult(tuple(mentions), found)

    def assign_styled(
        self,
        result: LinkageResult,
        kind: type[_Pseudonyms],
        *,
        project: str,
        styles: StyleSettings,
        scope: Scope,
        deterministic: bool,
        avoid_tags: Collection[str],
        registered: Sequence[KnownIdentity],
    ) -> _Pseudonyms:
        """See pseudonymizer.styled_assignment: invented names are drawn where the real ones are known."""
        found: _Pseudonyms = self.call(
            "assign_styled", kind, result=LinkageResult(result.mentions, result.identities), project=project,
            styles=styles, seen_through=self.seen_through.get(project, 0), scope=scope,
            deterministic=deterministic, avoid_tags=tuple(avoid_tags), registered=tuple(registered),
        )  # fmt: skip
        return found

    # -- documents -------------------------------------------------------------------------------------------

    def stored_labels(self, project: str, style: Style) -> tuple[str, ...]:
        """All pseudonyms of a style in a project."""
        return tuple(self.call("stored_labels", tuple[str, ...], project=project, style=style))

    def outputs_among(self, project: str, digests: Collection[bytes]) -> set[bytes]:
        """Those of these digests that are of outputs of the project."""
        return set(self.call("outputs_among", list[bytes], project=project, digests=sorted(digests)))

    def document_id(self, project: str, relative_path: str) -> DocumentId:
        path = relative_path.encode("utf-8", "surrogatepass")
        return DocumentId(self.call("document_id", str, project=project, relative_path=path))

    def tokens(self, project: str) -> "RemoteTokens":
        return RemoteTokens(self, project)

    def is_token(self, project: str, text: str) -> bool:
        return self.tokens(project).is_valid(text)

    def work_sealer(self, project: str) -> "ClientSealer":
        """Seals what a run keeps between its passes, under a key that is good for nothing else: this actor's
        own for this project.
        """
        return ClientSealer(self.call("work_key", bytes, project=project))

    def store_rewrite(self, project: str, rewrite: Rewrite, *, output: bytes) -> None:
        self.store_rewrites(project, [(rewrite, output)])

    def store_rewrites(self, project: str, rewrites: Iterable[tuple[Rewrite, bytes]]) -> None:
        """What undoes each rewritten file; of the file itself only its digest is sent."""
        rows = [SentRewrite.of(rewrite, output) for rewrite, output in rewrites]
        for start in range(0, len(rows), _REWRITES_A_MESSAGE):
            self.call(
                "store_rewrites", None, project=project, rewrites=rows[start : start + _REWRITES_A_MESSAGE]
            )

    # -- the trail -------------------------------------------------------------------------------------------

    def audit_events(self, *, project: str | None = None, limit: int | None = None) -> Iterator[AuditEvent]:
        """The trail in order, page by page; limit gives the last ones."""
        after = 0
        while True:
            page: tuple[AuditEvent, ...] = self.call(
                "audit_events", tuple[AuditEvent, ...], project=project, limit=limit, after=after
            )
            yield from page
            if not page or limit is not None:
                return
            after = page[-1].sequence

    def verify_audit(self, heads: Sequence[SignedHead] = ()) -> int:
        return int(self.call("verify_audit", int, heads=heads))

    def verify(self, heads: Sequence[SignedHead] = ()) -> VerifyReport:
        report: VerifyReport = self.call("verify", VerifyReport, heads=heads)
        return report

    def audit_head(self) -> SignedHead:
        head: SignedHead = self.call("audit_head", SignedHead)
        return head


class SentRewrite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Rewrite on its way: paths are bytes, for a file's name need not be Unicode."""

    doc_id: DocumentId
    format_name: str
    edits: list[tuple[bytes, int, int, bytes, EntityId | None]]
    path: bytes | None
    output_digest: bytes

    @classmethod
    def of(cls, rewrite: Rewrite, output: bytes) -> Self:
        edits = [
            (e.location.encode("utf-8", "surrogatepass"), e.start, e.end, e.original, e.entity_id)
            for e in rewrite.edits
        ]
        path = None if rewrite.path is None else rewrite.path.encode("utf-8", "surrogatepass")
        digest = output if isinstance(output, OutputDigest) else digest_sha256((output,))
        return cls(rewrite.doc_id, rewrite.format_name, edits, path, bytes(digest))

    def rewrite(self) -> Rewrite:
        """Raises ServiceError for paths that are not what `of` makes."""
        edits = tuple(
            RewriteEdit(ordinal, _text(place), start, end, original, owner)
            for ordinal, (place, start, end, original, owner) in enumerate(self.edits)
        )
        return Rewrite(self.doc_id, self.format_name, edits, None if self.path is None else _text(self.path))


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise ServiceError("a path is not text as this protocol sends it") from None


class RemoteTokens:
    """Tells the project's own tokens from look-alikes by asking the service, once for each text."""

    def __init__(self, client: VaultClient, project: str) -> None:
        self._client = client
        self._project = project
        self._known: dict[str, bool] = {}

    def is_valid(self, label: str) -> bool:
        return self._valid([label])[label]

    def find(self, text: str) -> tuple[FoundToken, ...]:
        from linkage.records import Span

        matches = list(TOKEN_LIKE.finditer(text))
        valid = self._valid([match[0] for match in matches])
        return tuple(FoundToken(Span(*match.span()), match[0], valid[match[0]]) for match in matches)

    def _valid(self, labels: Sequence[str]) -> Mapping[str, bool]:
        unknown = [label for label in dict.fromkeys(labels) if label not in self._known]
        if unknown:
            found = self._client.call("are_tokens", list[bool], project=self._project, texts=unknown)
            self._known.update(zip(unknown, found, strict=True))
        return self._known


class ClientSealer:
    """Seals under a key that the service gave to this actor for its work files."""

    def __init__(self, key: bytes) -> None:
        self._sealer = Sealer(key, key_id=1)

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes:
        return self._sealer.seal(plaintext, context=context)

    def unseal(self, sealed: bytes, *, context: bytes) -> bytes:
        return self._sealer.unseal(sealed, context=context)
