"""Is everything as the vault wrote it? Every binding, every seal, every count, the whole trail."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Table, select

from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import (
    AuditTamperedError,
    KeyDestroyedError,
    SettingsError,
    UnsealError,
    VaultDamagedError,
    VaultOutdatedError,
)
from pseudonymizer.records import EntityKind, SignedHead, Style, VerifyReport
from pseudonymizer.schema import (
    document,
    edit,
    entity,
    form,
    link,
    mention,
    mention_list,
    name_index,
    project,
    pseudonym,
    run_result,
    tombstone,
)
from pseudonymizer.styles.surrogate import RealNames, count_clashes
from pseudonymizer.values import Value
from pseudonymizer.vault.erasure import ERASURES
from pseudonymizer.vault.folders import returned_keys
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import documents, entities, published, run_results, values
from pseudonymizer.vault.rows.bound_rows import BOUND
from pseudonymizer.vault.rows.fact_reader import FactReader
from pseudonymizer.vault.rows.forms import SurfaceForm
from pseudonymizer.vault.rows.people import facts_in_project
from pseudonymizer.vault.rows.styled import labels_of_people
from pseudonymizer.vault.rows.table_rows import DocumentRow, PseudonymRow
from pseudonymizer.vault.store.checkpoints import read_states, revision_of
from pseudonymizer.vault.store.core import REVISION
from pseudonymizer.vault.store.counters import WHOLE_VAULT, Counted
from pseudonymizer.vault.store.dates import DATES, counted_dates
from pseudonymizer.vault.store.heads import put_back_findings
from pseudonymizer.vault.store.migration import WITH_COUNTERS
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_MODULUS: Final = 1 << 128
# Tables whose rows are checked by their bindings and counts alone.
_BOUND_ALONE: Final = (entity, name_index, pseudonym, mention, mention_list, link, tombstone)
_MOST_FINDINGS: Final = 100


class _Check:
    """One verification: counts and findings, without names."""

    def __init__(self, vault: OpenVault) -> None:
        self.vault = vault
        self.checked: Counter[str] = Counter()
        self.findings: list[str] = []

    def found(self, text: str) -> None:
        if len(self.findings) < _MOST_FINDINGS:
            self.findings.append(text)

    # -- one project -----------------------------------------------------------------------------------------

    def project(self, keys: ProjectKeys) -> None:
        try:
            states = read_states(self.vault.store, keys)
        except UnsealError:
            self.found(f"project {keys.project_id}: a checkpoint was altered")
            states = {}
        self._revisions(keys, states)
        self._keys_of_rows(keys)
        seen = {
            **{table.name: self._bound(keys, table) for table in _BOUND_ALONE},
            "document": self._documents(keys),
            "run_result": self._results(keys),
            "form": self._forms(keys),
            "edit": self._edits(keys),
        }
        if DATES in states:
            seen[DATES] = counted_dates(self.vault.store, keys)
        for table in sorted(set(states) | set(seen)):
            count, total = seen.get(table, (0, 0))
            expected_count, expected_total, _ = states.get(table, (0, 0, 0))
            if count != expected_count:
                self.found(
                    f"project {keys.project_id}: {table} has {count} rows, the vault wrote {expected_count}"
                )
            elif total != expected_total:
                self.found(
                    f"project {keys.project_id}: {table} has a row that is not the one the vault wrote last"
                )

    def _revisions(self, keys: ProjectKeys, states: dict[str, tuple[int, int, int]]) -> None:
        now = revision_of(states)
        last, steps_back = 0, 0
        for event in self.vault.trail.events():
            if event.project == keys.name and REVISION in event.counts:
                steps_back += event.counts[REVISION] < last
                last = event.counts[REVISION]
        if steps_back:
            self.found(
                f"project {keys.project_id}: its rows were put back {steps_back} times, as the trail says"
            )
        if now != last:
            self.found(
                f"project {keys.project_id}: its rows are at revision {now}, the audit trail says {last}"
            )

    def _keys_of_rows(self, keys: ProjectKeys) -> None:
        """Every person, value and document has its key under this project, or rotation leaves it behind."""
        for table in (entity, document):
            column = f"{table.name}_id"
            numbers = [
                {number for (number,) in store.rows(f"SELECT {column} FROM {name} WHERE project_id = ?", of)}  # noqa: S608
                for store, name in (
                    (self.vault.store, table.name),
                    (self.vault.key_records, f"{table.name}_key"),
                )
                for of in [(keys.project_id,)]
            ]
            if missing := len(numbers[0] - numbers[1]):
                self.found(
                    f"project {keys.project_id}: the key store lacks the keys of {missing} rows of "
                    f"{table.name}, or has them under another project"
                )

    def _rows(self, keys: ProjectKeys, table: Table) -> Iterator[tuple[Any, ...]]:
        columns = ", ".join(column.name for column in table.columns)
        with self.vault.store.streaming(
            f"SELECT {columns} FROM {table.name} WHERE project_id = ?",  # noqa: S608  our own tables
            (keys.project_id,),
        ) as rows:
            yield from rows

    def _bound(self, keys: ProjectKeys, table: Table) -> tuple[int, int]:
        bind, fields, count, total, bad = keys.binder(table.name).bind, BOUND[table.name], 0, 0, 0
        for row in self._rows(keys, table):
            both = bind(fields(row))
            bad += both[:16] != bytes(row[-1])
            count, total = count + 1, total + int.from_bytes(both[16:], "big")
        if bad:
            self.found(f"project {keys.project_id}: {bad} rows of {table.name} were altered or moved")
        self.checked[table.name] += count
        return count, total % _MODULUS

    def _results(self, keys: ProjectKeys) -> tuple[int, int]:
        if not run_results.has_results(self.vault):
            return 0, 0
        return self._bound(keys, run_result)

    def _forms(self, keys: ProjectKeys) -> tuple[int, int]:
        bind, count, total = keys.binder("form").bind, 0, 0
        sealers, reader = _Sealers(self.vault, keys), FactReader()
        told: dict[int, Value] = {}
        invented: set[Value] = set()
        for row in self._rows(keys, form):
            form_id, entity_id, _, tag, revision, sealed = row
            both = bind(entities.form_fields(form_id, entity_id, revision, bytes(tag), bytes(sealed)))
            count, total = count + 1, total + int.from_bytes(both[16:], "big")
            try:
                plain = sealers.of(entity_id).unseal(
                    bytes(sealed), context=keys.contexts.form(entity_id, form_id, revision)
                )
                facts = reader.facts([plain])
            except (VaultDamagedError, VaultOutdatedError, KeyDestroyedError) as error:
                self.found(f"project {keys.project_id}: form {form_id}: {error}")
                continue
            self.checked["names"] += sum(isinstance(fact, SurfaceForm) for fact in facts)
            self.checked["spellings"] += len(values.spellings_in(facts))
            if (value := values.value_in(facts)) is not None:
                told[entity_id] = value
                invented.update(Value(value.kind, normal) for normal in values.invented_in(facts))
        self.checked["form"] += count
        self.values(keys, told, invented)
        return count, total % _MODULUS

    def _documents(self, keys: ProjectKeys) -> tuple[int, int]:
        counted = self._bound(keys, document)
        for row in map(DocumentRow._make, self._rows(keys, document)):
            try:
                (sealer,) = documents.document_sealers(self.vault, keys, [row]).values()
                documents.label_of(keys, sealer, row)
            except (UnsealError, KeyDestroyedError) as error:
                self.found(f"project {keys.project_id}: document {row.document_id}: {error}")
        return counted

    def _edits(self, keys: ProjectKeys) -> tuple[int, int]:
        bind, count, total = keys.binder("edit").bind, 0, 0
        sealers = _Sealers(self.vault, keys)
        current, own, revision = 0, None, 0
        stored = {row.document_id: row for row in map(DocumentRow._make, self._rows(keys, document))}
        for row in sorted(self._rows(keys, edit), key=itemgetter(0, 1)):  # by document and ordinal
            document_id, ordinal, _, owner, start, end, sealed = row
            both = bind(documents.edit_fields(document_id, ordinal, owner, start, end, bytes(sealed)))
            count, total = count + 1, total + int.from_bytes(both[16:], "big")
            try:
                if document_id != current:
                    current, own, revision = document_id, None, 0
                    if (label := stored.get(document_id)) is not None:
                        revision = label.revision
                        own = documents.document_sealers(self.vault, keys, [label])[document_id]
                context = keys.contexts.edit(document_id, ordinal, revision, owner, start, end)
                sealer = sealers.of(owner) if owner else own
                if sealer is not None:
                    sealer.unseal(bytes(sealed), context=context)
            except (UnsealError, KeyDestroyedError) as error:
                self.found(f"project {keys.project_id}: edit {ordinal} of document {document_id}: {error}")
        self.checked["edit"] += count
        return count, total % _MODULUS

    def clashes(self, keys: ProjectKeys, forms: Sequence[SurfaceForm]) -> None:
        """Pseudonyms that are real names of the project now, though they were not when they were drawn.

        Whole names are findings; surrogates with a word that is part of a real name are counted.
        """
        real = RealNames.of(form.name for form in forms)
        labels = (label for label, _ in labels_of_people(self.vault, keys, Style.SURROGATE))
        self.checked["surrogate_clashes"] += count_clashes(labels, real)
        if self.vault.key_store_has(WITH_COUNTERS) and (
            lost := published.count_unknown_words(self.vault, keys)
        ):
            self.found(f"project {keys.project_id}: the key store lost {lost} words of surrogates")
        names = {form.surface.casefold() for form in forms}
        labels = (row.label for row in map(PseudonymRow._make, self._rows(keys, pseudonym)))
        count = sum(label.casefold() in names for label in labels)
        if count:
            self.found(
                f"project {keys.project_id}: {count} pseudonyms are also the real name of someone in it"
            )

    def values(self, keys: ProjectKeys, told: Mapping[int, Value], invented: Collection[Value]) -> None:
        """Values that are also the surrogate of another one by now, or are stored twice; entities that are
        values by their kind alone, or by what is sealed of them alone.

        told: by entity, what rows say that it is. invented: the surrogates that rows tell of.
        """
        as_values = {
            number
            for (number,) in self.vault.store.rows(
                "SELECT entity_id FROM entity WHERE project_id = ? AND kind = ?",
                (keys.project_id, int(EntityKind.VALUE)),
            )
        }
        real = Counter(told.values())
        found = {
            "values have no kind and no form, or are of another kind": len(as_values ^ told.keys()),
            "values are stored more than once": sum(count > 1 for count in real.values()),
            "surrogates of values are real values of it by now": len(set(invented) & real.keys()),
        }
        for what, count in found.items():
            if count:
                self.found(f"project {keys.project_id}: {count} {what}")


class _Sealers:
    """Opened data keys, some at a time."""

    def __init__(self, vault: OpenVault, keys: ProjectKeys) -> None:
        self._vault, self._keys = vault, keys
        self._opened: dict[int, Sealer] = {}

    def of(self, entity_id: int) -> Sealer:
        if entity_id not in self._opened:
            if len(self._opened) > 20_000:
                self._opened.clear()
            self._opened.update(entities.sealers_of(self._vault, self._keys, [entity_id]))
        return self._opened[entity_id]


def verify(vault: OpenVault, heads: Sequence[SignedHead] = ()) -> VerifyReport:
    """Check everything that is stored. Needs the keys, changes nothing, names nobody."""
    with vault.lock:
        check = _Check(vault)
        try:
            check.checked["audit_event"] = vault.check_trail(heads)
        except (AuditTamperedError, VaultDamagedError) as error:
            check.found(str(error))
        own, faults = vault.own.findings()
        check.checked.update(own)
        if vault.key_store_has(WITH_COUNTERS):
            check.checked["counter"], altered = vault.counters.findings()
            faults += altered if altered else list(_lost_erasures(vault))
        check.checked["key_row"], of_key_rows = vault.told_keys.findings()
        for fault in (*faults, *of_key_rows, *_put_back(vault)):
            check.found(fault)
        for name in vault.store.execute(select(project.c.name)).scalars().all():
            try:
                keys = vault.keys_of(name)
                check.project(keys)
                if any(label_style != "token" for label_style in _styles(vault, name)):  # no token is a name
                    check.clashes(keys, _real_names(vault, name))
                if returned := returned_keys(vault, name):
                    check.found(
                        f"project {keys.project_id}: the key store has the keys of {returned} output folders "
                        "that were given up: a copy from before was put back; destroy it, and take the newest"
                    )
            except (VaultDamagedError, VaultOutdatedError, KeyDestroyedError, UnsealError) as error:
                check.found(str(error))
        return VerifyReport(dict(check.checked), tuple(check.findings))


def _lost_erasures(vault: OpenVault) -> Iterator[str]:
    """What is wrong where the key store is older than an erasure: it has keys that were destroyed."""
    kept = vault.counters.value(WHOLE_VAULT, Counted.ERASURES)
    told = max((event.counts.get(ERASURES, 0) for event in vault.trail.events()), default=0)
    if told > kept:
        yield (
            f"the key store knows {kept} erasures, the audit trail {told}: a copy from before was put back, "
            "with keys of people who were erased; destroy it, and take the newest copy"
        )


def _put_back(vault: OpenVault) -> Iterator[str]:
    """What heads tell that the trail lacks, and what the trail itself says of older copies."""
    try:
        lost = vault.heads.ahead()
    except (VaultDamagedError, SettingsError) as error:
        yield str(error)
    else:
        if lost is not None:
            yield (
                f"an older copy of the vault was put back: a head that was kept tells of event {lost}, which "
                "the trail lacks, or has another of"
            )
    with suppress(AuditTamperedError):  # told already
        yield from put_back_findings(vault.trail)


def _real_names(vault: OpenVault, name: str) -> list[SurfaceForm]:
    return [
        fact
        for _, facts in facts_in_project(vault, vault.keys_of(name))
        for fact in facts
        if isinstance(fact, SurfaceForm)
    ]


def _styles(vault: OpenVault, name: str) -> set[str]:
    keys = vault.keys_of(name)
    rows = vault.store.rows("SELECT DISTINCT style FROM pseudonym WHERE project_id = ?", (keys.project_id,))
    return {style for (style,) in rows}
