"""Pseudonyms by workers that share nothing: an expiring key for one run, and sealed parcels to the vault.

A worker with a run key gives every full name the label that the vault would give it in deterministic mode,
and seals its mentions for the vault, which alone can open them. Who holds a run key can try names against the
labels of that run, for ever: it is handed out on record, to roles that may see names, and what it made is
taken in until it expires. It opens nothing else of the vault.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from linkage.records import MentionId, NormalizedMention
from pseudonymizer.audit import Entry
from pseudonymizer.crypto import recovery_public_key, seal_for, unseal_with
from pseudonymizer.errors import GrantInvalidError, SettingsError
from pseudonymizer.policy import Verb
from pseudonymizer.records import Accepted, RunKey, Scope, Style
from pseudonymizer.styles.labels import RunTokens
from pseudonymizer.vault import wire
from pseudonymizer.vault.access import check_length
from pseudonymizer.vault.assigning.assignment import HowToAssign, assign, one_person_a_key
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities
from pseudonymizer.vault.rows.forms import deterministic_material, normal_form
from pseudonymizer.vault.rows.identifiers import entity_number
from pseudonymizer.vault.rows.persons import refuse_values
from pseudonymizer.vault.store.contexts import joined
from pseudonymizer.vault.store.surroundings import utc_now
from pseudonymizer.vault.ways_back.gate import gate

MOST_HOURS: Final = 24 * 7
MOST_RUN: Final = 200  # characters of the name of a run
_NO_NAME: Final = "\0"
_KEYS: Final = ("label_key", "check_key", "parcel_key")


def hand_out(
    vault: OpenVault, *, project: str, run: str, hours: int, purpose: str, ticket: str = ""
) -> RunKey:
    """A run key; on record before it leaves. The run's full name holds its end, so that no one can extend it.

    Raises:
        AccessRefusedError, PurposeRequiredError: on record.
        SettingsError: hours is not in 1..168, or the run has no name.
    """
    if not 1 <= hours <= MOST_HOURS or not run.strip():
        raise SettingsError(f"a run key needs the run's name and an end within {MOST_HOURS} hours")
    check_length("the name of a run", run, MOST_RUN)
    if not run.isprintable():
        raise SettingsError("a run has a name, of characters that can be seen")
    with gate(vault, Verb.RUN_KEY, project=project, purpose=purpose, ticket=ticket) as opened:
        ends = (vault.clock() + timedelta(hours=hours)).replace(microsecond=0)
        whole = f"{run}@{ends.isoformat()}"
        opened.open((f"run:{whole}",), None, names=1, needs_grant=False, counts={"hours": hours})
        token = opened.keys.token
        public = recovery_public_key(opened.keys.parcel_key_of(whole))
        vault_id = vault.keystore.vault_id.hex()
        return RunKey(vault_id, project, whole, ends, token.version, *token.run_keys(whole), public)


class RunWorker:
    """Labels and parcels in a process without a vault."""

    def __init__(self, key: RunKey, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._key = key
        self._clock = clock
        self._tokens = RunTokens(key.label_key, key.check_key, version=key.version)

    def labels(self, mentions: Iterable[NormalizedMention]) -> Mapping[MentionId, str]:
        """The label of each mention: one for each full name. A mention without a full name is a person of its
        own.

        Raises:
            GrantInvalidError: the run key has expired.
            SettingsError: a mention is no person's.
        """
        self._check()
        refuse_values(mentions := list(mentions))
        return {m.mention_id: self._tokens.derive(deterministic_material(_whole(m))) for m in mentions}

    def parcel(self, mentions: Sequence[NormalizedMention]) -> bytes:
        """The mentions, sealed: only the vault opens them.

        Raises:
            GrantInvalidError: the run key has expired.
            SettingsError: a mention is no person's.
        """
        self._check()
        refuse_values(mentions)
        context = _context(self._key.vault_id, self._key.project, self._key.run)
        return seal_for(self._key.parcel_key, wire.encode(list(mentions)), context=context, key_id=0)

    def _check(self) -> None:
        if self._clock() > self._key.expires_at:
            raise GrantInvalidError("the run key has expired; ask for another one")


def accept(vault: OpenVault, *, project: str, run: str, parcels: Sequence[bytes]) -> Accepted:
    """Store what workers of a run found, so that their labels lead back; commits. May be repeated.

    A person who had a pseudonym already keeps it, and the run's label is one more that leads to him.

    Raises:
        GrantInvalidError: the run has expired, or run is not a run's full name.
        UnsealError: a parcel is of another run, project or vault, or was altered; nothing is stored.
    """
    _check_run(run, vault.clock())
    with vault.lock:
        keys = vault.keys_of(project)
        private = keys.parcel_key_of(run)
        context = _context(vault.keystore.vault_id.hex(), project, run)
        found: dict[MentionId, NormalizedMention] = {}
        for parcel in parcels:
            plain = unseal_with(private, parcel, context=context, key_id=0)
            found |= {m.mention_id: m for m in wire.decode(plain, list[NormalizedMention])}
        result = one_person_a_key(found.values(), _whole)
        pseudonyms = assign(result, vault, HowToAssign(deterministic=True, run=run), project=project)
        token = keys.token
        given = {
            token.derive(run, deterministic_material(_whole(m))): entity_number(pseudonyms[i].entity_id)
            for i, m in found.items()
            if token.derive(run, deterministic_material(_whole(m))) != pseudonyms[i].label
        }
        stored = {row.label for row in entities.pseudonym_rows(vault, keys, "label", sorted(given))}
        new = sorted(set(given) - stored)
        if new:
            tag = keys.binder("run-label").tag
            wanted = [(given[label], Scope.PROJECT, tag(joined(run, label))) for label in new]
            entities.add_pseudonyms(vault, keys, Style.TOKEN, wanted, new)
        people = len({p.entity_id for p in pseudonyms.values()})
        vault.record(
            Entry(
                "accept",
                project=project,
                subjects=(f"run:{run}",),
                counts={"mentions": len(found), "people": people},
            )
        )
        vault.commit()
        return Accepted(len(found), people)


def _check_run(run: str, now: datetime) -> None:
    _, at, ends = run.rpartition("@")
    try:
        expired = now > datetime.fromisoformat(ends)
    except (ValueError, TypeError):
        at = ""
        expired = True
    if not at:
        raise GrantInvalidError("give the run's full name, as its run key tells it")
    if not run.isprintable() or len(run) > MOST_RUN + len(ends) + 1:
        raise GrantInvalidError("give the run's full name, as its run key tells it")
    if expired:
        raise GrantInvalidError("the run has expired; its parcels are not taken in any more")


def _context(vault_id: str, project: str, run: str) -> bytes:
    return b"nymlink/parcel/" + joined(vault_id, project, run)


def _whole(mention: NormalizedMention) -> str:
    return normal_form(mention.name) or f"{_NO_NAME}{mention.mention_id}"
