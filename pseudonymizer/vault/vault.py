"""The everyday verbs of the vault: projects, known people, tokens, stored edits, ways in, the trail."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self, Unpack

from sqlalchemy import func, select

from linkage.records import DocumentId, KnownIdentity, LinkageResult, NormalizedMention
from linkage.review import Judgement
from pseudonymizer.crypto import BlindIndex, Sealer
from pseudonymizer.errors import AuditTamperedError, UnknownProjectError, UnsealError, VaultDamagedError
from pseudonymizer.keyring import KeyProvider, RecoveryKey, RecoveryPublicKek, new_recovery_key
from pseudonymizer.policy import Verb
from pseudonymizer.records import AuditEvent, Rewrite, SignedHead, VerifyReport
from pseudonymizer.schema import entity, project, vault_meta
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.surrogates import TokenReader
from pseudonymizer.vault import documents, erasure, people
from pseudonymizer.vault.access import authorize, authorize_one_of
from pseudonymizer.vault.client import MentionLinker, VaultClient
from pseudonymizer.vault.core import VaultCore
from pseudonymizer.vault.projectkeys import ProjectKeys
from pseudonymizer.vault.surroundings import Options

__all__ = ["Vault"]


class WorkSealer:
    """Seals what a run keeps between its passes, under the project's key."""

    def __init__(self, keys: ProjectKeys) -> None:
        self._sealer: Sealer = keys.work_sealer
        self._context = keys.contexts.work

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes:
        return self._sealer.seal(plaintext, context=self._context(context))

    def unseal(self, sealed: bytes, *, context: bytes) -> bytes:
        """Raises UnsealError for another project, another context or altered bytes."""
        return self._sealer.unseal(sealed, context=self._context(context))


class Vault(VaultCore):
    """A vault that is open. Leaving it as a context manager without commit rolls back."""

    @classmethod
    def open(cls, url: str | Path, provider: KeyProvider, **options: Unpack[Options]) -> Self:
        """Open a vault that is there; an erasure that was cut off is finished first.

        Options: keys_url, actor, clock, entropy.

        Raises:
            VaultUninitializedError, KeyStoreMissingError, WrongKeyError, KeyUnavailableError,
            VaultDamagedError,
            VaultOutdatedError: each says what to do; none changes a byte.
        """
        opened = super().open(url, provider, **options)
        try:
            erasure.resume(opened)
        except BaseException:
            opened.close()
            raise
        return opened

    @staticmethod
    def connect(address: str | Path) -> VaultClient:
        """The client of the vault service at unix:PATH: the same verbs, without a key in this process."""
        return VaultClient.connect(address)

    def projects(self) -> tuple[str, ...]:
        return tuple(
            row[0] for row in self.store.execute(select(project.c.name).order_by(project.c.project_id))
        )

    def ensure_project(self, name: str, settings: ProjectSettings | None = None) -> ProjectKeys:
        """Get or create; commit makes it durable. Who pseudonymizes or manages may create."""
        with self.lock:
            try:
                return self.keys_of(name)
            except UnknownProjectError:
                authorize_one_of(self, (Verb.PSEUDONYMIZE, Verb.MANAGE))
                self.begin_keys()  # another process may have made it while we waited
                try:
                    return self.keys_of(name)
                except UnknownProjectError:
                    chosen = settings or ProjectSettings()
                    return self.add_project(name, json.dumps(chosen.to_mapping(), sort_keys=True))

    def project_settings(self, name: str) -> ProjectSettings:
        self.keys_of(name)  # checks the row's binding
        row = self.store.scalar("SELECT settings FROM project WHERE name = ?", (name,))
        return ProjectSettings.from_mapping(json.loads(row))

    def known_identities(self, project: str) -> tuple[KnownIdentity, ...]:
        """Every person of the project with all names that were met; () if there is no such project yet.

        Who pseudonymizes needs them for the linker, who reviews links sees them; nobody else gets them.

        Raises:
            AccessRefusedError: on record; what was not committed is rolled back.
        """
        with self.lock:
            authorize_one_of(self, (Verb.SEE_NAMES, Verb.PSEUDONYMIZE), project_name=project)
            try:
                keys = self.keys_of(project)
            except UnknownProjectError:
                self.seen_through[project] = 0
                return ()
            # Read before the people: whoever comes in between counts as not seen, and is found by the blind
            # index.
            highest = self.store.execute(
                select(func.max(entity.c.entity_id)).where(entity.c.project_id == keys.project_id)
            ).scalar()
            known = people.known_identities(self, keys)
            self.seen_through[project] = highest or 0
            return known

    def check_may_see_names(self, project: str) -> None:
        """Nothing, for an actor who may see names of the project.

        Raises:
            AccessRefusedError: on record; what was not committed is rolled back.
        """
        with self.lock:
            authorize(self, Verb.SEE_NAMES, project_name=project)

    def linked(
        self,
        project: str,
        mentions: Sequence[NormalizedMention],
        *,
        linker: Callable[[], MentionLinker],
        registered: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        """Who is who among these mentions, the people the project knows and the registered ones; what people
        judged about mentions, by their ids here, is kept.

        Ends the unit of work, for linking takes long and others need not wait.
        """
        known = (*self.known_identities(project), *registered)
        self.rollback()
        return linker().link(mentions, known=known, judgements=judgements)

    def document_id(self, project: str, relative_path: str) -> DocumentId:
        """An id for a document that says nothing about its path, and is the same in every run."""
        keys = self.ensure_project(project)
        return DocumentId("d" + keys.binder("path").tag(relative_path.encode("utf-8", "surrogatepass")).hex())

    def tokens(self, project: str) -> TokenReader:
        """Tells this project's tokens from look-alikes."""
        return TokenReader(self.ensure_project(project).tokens)

    def is_token(self, project: str, text: str) -> bool:
        return self.tokens(project).is_valid(text)

    def work_sealer(self, project: str) -> WorkSealer:
        return WorkSealer(self.ensure_project(project))

    def blind_index(self, project: str) -> BlindIndex:
        return self.keys_of(project).index

    # -- rewritten files -------------------------------------------------------------------------------------

    def store_rewrite(self, project: str, rewrite: Rewrite, *, output: bytes) -> None:
        self.store_rewrites(project, [(rewrite, output)])

    def store_rewrites(self, project: str, rewrites: Iterable[tuple[Rewrite, bytes]]) -> None:
        """What undoes each rewritten file, with the file's bytes; replaces what was stored for the same
        doc_id.
        """
        with self.lock:
            authorize(self, Verb.PSEUDONYMIZE, project_name=project)
            keys = self.ensure_project(project)
            stored, edits = documents.store_rewrites(self, keys, rewrites)
            self.record("store", project=project, counts={"documents": stored, "edits": edits})

    # -- ways in ---------------------------------------------------------------------------------------------

    def add_recovery_key(self, public: bytes | None = None) -> RecoveryKey | None:
        """A second way in: made here and returned once, or for the public key that the organisation gives."""
        with self.lock:
            role = authorize(self, Verb.EXPORT_KEYS)
            self.begin_keys()
            made = None if public is not None else new_recovery_key(self.entropy)
            recovery = RecoveryPublicKek(public if made is None else made.public)  # type: ignore[arg-type]
            kek_id = self.keystore.add_kek(recovery, created_at=self.clock().isoformat())
            count = self.keystore.wrap_all_for(kek_id, recovery, created_at=self.clock().isoformat())
            self.record("recovery.add", role=role, counts={"keys": count})
            self.commit()
            return made

    # -- the trail -------------------------------------------------------------------------------------------

    def audit_events(self, *, project: str | None = None, limit: int | None = None) -> Iterator[AuditEvent]:
        """The trail in order; limit gives the last ones."""
        authorize(self, Verb.READ_AUDIT, project_name=project or "")
        events = (e for e in self.trail.events() if project is None or e.project == project)
        if limit is None:
            yield from events
        else:
            yield from list(events)[-limit:] if limit else ()

    def verify_audit(self, heads: Sequence[SignedHead] = ()) -> int:
        """Number of events, all as they were written.

        Raises:
            AuditTamperedError: at the first thing that is not.
            AccessRefusedError: the actor may not verify; on record.
        """
        self._authorize_verifying()
        return self.check_trail(heads)

    def _authorize_verifying(self) -> None:
        # Altered roles must not keep anyone from finding out that they were altered; no name is shown.
        with suppress(VaultDamagedError, UnsealError, AuditTamperedError):
            authorize(self, Verb.VERIFY)

    def check_trail(self, heads: Sequence[SignedHead] = ()) -> int:
        """The same for verbs that have asked for permission already."""
        root = self.store.execute(
            select(vault_meta.c.value).where(vault_meta.c.name == "audit_root")
        ).scalar()
        if root is None:
            raise VaultDamagedError("the vault's record of its first audit key is gone")
        return self.trail.verify(bytes(root), heads)

    def change_settings(self, project: str, settings: ProjectSettings) -> None:
        """Change a project's settings; what was and what is are on record. Commit makes it durable."""
        with self.lock:
            self.begin()
            role = authorize(self, Verb.MANAGE, project_name=project)
            before = self.project_settings(project).to_mapping()
            self.write_settings(project, json.dumps(settings.to_mapping(), sort_keys=True))
            changed = {k: (before[k], v) for k, v in settings.to_mapping().items() if before[k] != v}
            subjects = tuple(f"{name}: {was} -> {now}" for name, (was, now) in sorted(changed.items()))
            self.record("project.settings", project=project, role=role, subjects=subjects)

    def verify(self, heads: Sequence[SignedHead] = ()) -> VerifyReport:
        """Check everything that is stored; no finding means all is as the vault wrote it.

        Raises:
            AccessRefusedError: the actor may not verify; on record.
        """
        from pseudonymizer.vault.verification import verify

        self._authorize_verifying()
        return verify(self, heads)

    def audit_head(self) -> SignedHead:
        """The end of the trail, signed: keep it outside, so that a trail cut off later is seen."""
        authorize_one_of(self, (Verb.READ_AUDIT, Verb.VERIFY))
        return self.trail.signed_head()
