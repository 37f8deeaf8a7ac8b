"""No code is given twice: each store knows how far the project has given codes.

A code tells its number (styles.code). The key store has the first number that was not given. An older copy of
the key store is behind the newest code among the rows and tombstones of the vault, and an older copy of the
vault is behind the key store: the next draw begins above both. An imported vault may be older than one that
goes on elsewhere, so codes of the next length are drawn there.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import select

from pseudonymizer.records import SignedHead, Style
from pseudonymizer.schema import vault_meta
from pseudonymizer.styles.code import LONGEST, SHORTEST, CodesGiven, code_of
from pseudonymizer.vault.rows.entities import checked_pseudonyms
from pseudonymizer.vault.rows.table_rows import PSEUDONYM_COLUMNS
from pseudonymizer.vault.rows.tombstones import erased_of
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.counters import Counted
from pseudonymizer.vault.store.heads import IMPORTS, note_import
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import Store

_HEAD: Final = "head "  # begins rows of vault_meta: heads that the vault was found to be older than
# The sign before project_id keeps SQLite from its index: rows are read from the end until one fits.
_LAST: Final = (
    f"SELECT {PSEUDONYM_COLUMNS} "  # noqa: S608  our own columns
    "FROM pseudonym WHERE +project_id = ? AND style = ? ORDER BY pseudonym_id DESC LIMIT 1"
)
_BURIED: Final = "SELECT count(*) FROM tombstone WHERE project_id = ?"


def codes_given(vault: VaultCore, keys: ProjectKeys) -> CodesGiven:
    """How far the project has given codes, as far as either store knows. Begins to write to the key store."""
    vault.begin_keys()
    before = _known(vault, keys)
    found = max(before, CodesGiven.by(keys.codes, _newest(vault, keys)))
    imports = _imports(vault.store)
    if imports > vault.counters.value(keys.name, Counted.CODE_IMPORTS):
        found = CodesGiven(min(found.length + 1, LONGEST), 0)
        vault.counters.store(keys.name, Counted.CODE_IMPORTS, imports)
    if found != before:
        _store(vault, keys, found)
    return found


def codes_among(vault: VaultCore, keys: ProjectKeys, codes: Mapping[str, str]) -> set[str]:
    """Those of these labels, with their codes, that were given by what the key store knows. Needs begin_keys.

    A code of an earlier length counts as given.
    """
    known = _known(vault, keys)
    return {label for label, code in codes.items() if CodesGiven.by(keys.codes, [code]) <= known}


def note_codes(vault: VaultCore, keys: ProjectKeys, labels: Iterable[str]) -> None:
    """Keep in the key store that these labels were given. Needs begin_keys."""
    _store(vault, keys, max(_known(vault, keys), CodesGiven.by(keys.codes, _codes_in(labels))))


def note_heads(store: Store, heads: Sequence[SignedHead]) -> bool:
    """Keep that the vault was put back to before one of these heads; False where that is kept already."""
    names = [f"{_HEAD}{head.sequence} {head.digest}" for head in heads]
    known = set(store.execute(select(vault_meta.c.name).where(vault_meta.c.name.in_(names))).scalars())
    new = [name for name in dict.fromkeys(names) if name not in known]
    if new:
        note_import(store)
        store.insert(vault_meta, [(name, b"") for name in new])
    return bool(new)


def _newest(vault: VaultCore, keys: ProjectKeys) -> list[str]:
    """The code of the newest row, above which no row of the vault has one, and those of tombstones that the
    key store did not see when codes were last drawn.
    """
    codes: list[str] = []
    newest = vault.store.rows(_LAST, (keys.project_id, str(Style.CODE)))
    codes += _codes_in([one.label for one in checked_pseudonyms(keys, newest)])
    buried = int(vault.store.scalar(_BURIED, (keys.project_id,)))
    if buried != vault.counters.value(keys.name, Counted.CODE_TOMBSTONES):
        codes += _codes_in(erased_of(vault, keys))
        vault.counters.store(keys.name, Counted.CODE_TOMBSTONES, buried)
    return codes


def _known(vault: VaultCore, keys: ProjectKeys) -> CodesGiven:
    """How far the project is by what the key store knows."""
    length = vault.counters.value(keys.name, Counted.CODE_LENGTH)
    return CodesGiven(max(length, SHORTEST), vault.counters.value(keys.name, Counted.CODE))


def _store(vault: VaultCore, keys: ProjectKeys, given: CodesGiven) -> None:
    vault.counters.store(keys.name, Counted.CODE_LENGTH, given.length)
    vault.counters.store(keys.name, Counted.CODE, given.number)


def _imports(store: Store) -> int:
    row = store.execute(select(vault_meta.c.value).where(vault_meta.c.name == IMPORTS)).scalar()
    return int.from_bytes(bytes(row), "big") if row is not None else 0


def _codes_in(labels: Iterable[str]) -> list[str]:
    return [code for label in labels if (code := code_of(label)) is not None]
