"""The open vault with its projects, known people and trail: what every verb is made with."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import select

from linkage.records import DocumentId, KnownIdentity, NormalizedMention, PersonName
from linkage.review import Judgement
from linkage.text_forms import TextForms
from pseudonymizer.audit import Entry
from pseudonymizer.errors import (
    AuditTamperedError,
    UnknownProjectError,
    UnsealError,
    VaultDamagedError,
    VaultPutBackError,
)
from pseudonymizer.policy import Verb
from pseudonymizer.records import AuditEvent, Known, KnownCandidates, Linked, SignedHead
from pseudonymizer.schema import project, vault_meta
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault.access import authorize, authorize_one_of
from pseudonymizer.vault.api import MentionLinker
from pseudonymizer.vault.known import TABLES as KNOWN_TABLES
from pseudonymizer.vault.known import KnownPeople, are_few
from pseudonymizer.vault.linker_api import CandidateLinker, KnownSource
from pseudonymizer.vault.rows.full_names import are_known
from pseudonymizer.vault.rows.published_codes import note_heads
from pseudonymizer.vault.store.core import PROJECT_ROW, VaultCore
from pseudonymizer.vault.store.heads import PUT_BACK
from pseudonymizer.vault.store.keystore import KeyStore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import Store
from pseudonymizer.vault.store.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class _KnownHere:
    """The known people of a project of a vault in this process."""

    vault: "OpenVault"
    project: str
    linker: Callable[[], MentionLinker] = field(repr=False)

    def candidates(self, forms: TextForms) -> KnownCandidates:
        return self.vault.candidates(self.project, self.linker(), forms)


class OpenVault(VaultCore):
    """The open vault that verbs work with; `Vault` has the verbs themselves."""

    def __init__(
        self, vault: Store, keys: Store, keystore: KeyStore, around: Surroundings, *, daily: bool
    ) -> None:
        super().__init__(vault, keys, keystore, around, daily=daily)
        self._last_look: dict[str, int] = {}  # by project
        self._known_people = KnownPeople()
        self._known_people.used_by_one_more()

    def projects(self) -> tuple[str, ...]:
        return tuple(
            name for (name,) in self.store.execute(select(project.c.name).order_by(project.c.project_id))
        )

    def ensure_project(self, name: str, settings: ProjectSettings | None = None) -> None:
        """Make the project unless it is there; commit makes it durable. Who pseudonymizes or manages may."""
        self.ensure_keys(name, settings)

    def ensure_keys(self, name: str, settings: ProjectSettings | None = None) -> ProjectKeys:
        """The keys of a project, which is made unless it is there."""
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

    def begin_in(self, name: str) -> ProjectKeys:
        """Become the only writer, of keys too; returns the keys of the project, which is made unless it is
        there.

        Keys that were read before the wait for other writers may be rotated by its end: what they wrap then
        is lost as soon as the old ones are destroyed.
        """
        self.ensure_keys(name)
        self.begin_keys()
        return self.keys_of(name)

    def project_settings(self, name: str) -> ProjectSettings:
        self.keys_of(name)
        (row,) = self.store.rows(PROJECT_ROW, (name,))
        self.own.check(project, row)  # at each reading: the vault may be open for days
        _, _, settings, *_ = row
        return ProjectSettings.from_mapping(json.loads(settings))

    # -- known people ----------------------------------------------------------------------------------------

    def known(self, project: str) -> Known:
        """Every person of the project with all names that were met; nobody if there is no such project yet.
        Kept in memory: to ask again costs little for as long as no process changes anything of it.

        Who pseudonymizes needs them for the linker, who reviews links sees them; nobody else gets them.

        Raises:
            AccessRefusedError: on record; what was not committed is rolled back.
        """
        with self.lock:
            authorize_one_of(self, (Verb.SEE_NAMES, Verb.PSEUDONYMIZE), project_name=project)
            try:
                keys = self.keys_of(project)
            except UnknownProjectError:
                return Known()
            return self._known_people.of(self, keys)

    def are_known_names(self, project: str, names: Sequence[PersonName]) -> tuple[bool, ...]:
        """For each full name whether a person of the project has just this one, by the blind index: nothing
        is unsealed, and nothing is kept.

        Raises:
            AccessRefusedError: on record; what was not committed is rolled back.
        """
        with self.lock:
            authorize_one_of(self, (Verb.SEE_NAMES, Verb.PSEUDONYMIZE), project_name=project)
            try:
                keys = self.keys_of(project)
            except UnknownProjectError:
                return (False,) * len(names)
            return are_known(self, keys, names)

    def share_known(self, known_people: KnownPeople) -> None:
        """Keep known people where other vaults of this process keep them, and find theirs there."""
        with self.lock:
            known_people.used_by_one_more()
            own, self._known_people = self._known_people, known_people
            if not own.is_empty:  # else what is kept of words is of others, and this vault has erased nobody
                own.used_by_one_less()

    def commit(self) -> None:
        with self.lock:
            changes = self.checkpoints
            changed = {n: changes.lessened(n) for n in changes.projects() if changes.changes(n, KNOWN_TABLES)}
            super().commit()
            for project_id, lessened in changed.items():
                self._known_people.changed(project_id, lessened=lessened)

    def close(self) -> None:
        with self.lock:
            self._known_people.used_by_one_less()
            self._known_people = KnownPeople()
            self._known_people.used_by_one_more()
            super().close()

    def known_identities(self, project: str) -> tuple[KnownIdentity, ...]:
        """The people of `known`. The vault remembers how far this look went, for the next assign that is not
        told what was seen.
        """
        known = self.known(project)
        self._last_look[project] = known.seen_through
        return known.people

    def last_look(self, project: str) -> int:
        """The highest number of a person in the last look at known people here; 0: nobody was looked at."""
        return self._last_look.get(project, 0)

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
    ) -> Linked:
        """Identities of these mentions, the people of the project and the registered ones; what people judged
        about mentions, by their ids here, is kept.

        Ends the unit of work, for linking takes long and others need not wait.
        """
        authorize_one_of(self, (Verb.SEE_NAMES, Verb.PSEUDONYMIZE), project_name=project)
        made = linker()
        judged = [mention for j in judgements for mention in (j.left_mention, j.right_mention)]
        documents = [DocumentId(mention.rpartition("@")[0]) for mention in judged if mention is not None]
        # A judgement of a name wherever it stands may be about anybody.
        forms = TextForms.of(mentions, documents, everybody=None in judged)
        found = self.known_source(project, linker=lambda: made).candidates(forms)
        self._last_look[project] = found.seen_through
        self.rollback()
        people = (*found.people, *registered)
        if isinstance(made, CandidateLinker):
            result = made.link(mentions, known=people, judgements=judgements, beyond=found.beyond)
        else:
            result = made.link(mentions, known=people, judgements=judgements)
        return Linked(result, found.seen_through)

    def known_source(self, project: str, *, linker: Callable[[], MentionLinker]) -> KnownSource:
        """The known people of a project, by the index of this linker. Everybody, too, where the linker has no
        index, and where work is not committed.
        """
        return _KnownHere(self, project, linker)

    def candidates(self, project: str, linker: MentionLinker, forms: TextForms) -> KnownCandidates:
        """What the known people of `known_source` answer."""
        with self.lock:
            authorize_one_of(self, (Verb.SEE_NAMES, Verb.PSEUDONYMIZE), project_name=project)
            try:
                keys = self.keys_of(project)
            except UnknownProjectError:
                return KnownCandidates()
            if (
                forms.everybody
                or not isinstance(linker, CandidateLinker)
                or are_few(self, keys, len(forms.names))
                or any(self.checkpoints.changes(n, KNOWN_TABLES) for n in self.checkpoints.projects())
            ):
                known = self.known(project)
                return KnownCandidates(known.people, None, known.seen_through)
            return self._known_people.candidates(self, keys, linker, forms)

    # -- the trail -------------------------------------------------------------------------------------------

    def audit_events(self, *, project: str | None = None, limit: int | None = None) -> Iterator[AuditEvent]:
        """The trail in order; limit gives the last ones."""
        authorize(self, Verb.READ_AUDIT, project_name=project or "")
        events = (e for e in self.trail.events() if project is None or e.project == project)
        if limit is None:
            yield from events
        else:
            yield from list(events)[-limit:] if limit else ()

    def authorize_verifying(self) -> None:
        # Altered roles must not keep anyone from finding out that they were altered; no name is shown.
        with suppress(VaultDamagedError, UnsealError, AuditTamperedError):
            authorize(self, Verb.VERIFY)

    def check_trail(self, heads: Sequence[SignedHead] = ()) -> int:
        """The number of events, all as they were written. It asks for no permission: its caller has done so.

        Raises:
            AuditTamperedError: an event was altered.
            VaultPutBackError: a head knows more than the trail. From then on codes of the next length are
                drawn, since the vault may have given more of this length than it knows.
        """
        root = self.store.execute(
            select(vault_meta.c.value).where(vault_meta.c.name == "audit_root")
        ).scalar()
        if root is None:
            raise VaultDamagedError("the vault's record of its first audit key is gone")
        try:
            return self.trail.verify(bytes(root), heads)
        except VaultPutBackError:
            self._note_put_back(heads)
            raise

    def _note_put_back(self, heads: Sequence[SignedHead]) -> None:
        """Keep, once for these heads, that the vault is older than they are."""
        with self.lock:
            if self.has_open_work():
                return
            self.begin()
            if note_heads(self.store, heads):
                self.record(Entry(PUT_BACK, counts={"head": max(head.sequence for head in heads)}))
                self.commit()
            else:
                self.rollback()

    def change_settings(self, project: str, settings: ProjectSettings) -> None:
        """Change a project's settings; what was and what is are on record. Commit makes it durable."""
        with self.lock:
            self.begin()
            role = authorize(self, Verb.MANAGE, project_name=project)
            before = self.project_settings(project).values()
            self.write_settings(project, json.dumps(settings.to_mapping(), sort_keys=True))
            changed = {k: (before[k], v) for k, v in settings.values().items() if before[k] != v}
            subjects = tuple(f"{name}: {was} -> {now}" for name, (was, now) in sorted(changed.items()))
            self.record(Entry("project.settings", project=project, role=role, subjects=subjects))

    def audit_head(self) -> SignedHead:
        """The end of the trail, signed: keep it outside, so that a trail cut off later is seen."""
        authorize_one_of(self, (Verb.READ_AUDIT, Verb.VERIFY))
        return self.trail.signed_head()
