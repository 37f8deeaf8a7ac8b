"""After something was destroyed: the log of its store is emptied, the file searched for what was there."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from pseudonymizer.errors import VaultBusyError
from pseudonymizer.vault.store.raw_files import holds_any
from pseudonymizer.vault.store.stores import Store

_SEARCHED: Final = 2_000  # above this many pieces the files are rewritten at once instead of searched


def clean(store: Store, needles: Sequence[bytes]) -> Iterator[str]:
    """Empty the log, search the file, rewrite it if anything is left; says what could not be reached."""
    if not store.address.is_sqlite:
        yield from _server_remains(store)
        return
    try:
        store.truncate_log()
        if len(needles) > _SEARCHED or _found(store.address.path, needles):
            store.vacuum()
            store.truncate_log()
    except VaultBusyError:
        yield "another process has the store open: its log keeps old pages until that process is done"


def _found(path: Path, needles: Sequence[bytes]) -> bool:
    for tail in ("", "-wal"):
        file = path.with_name(path.name + tail)
        if file.exists() and holds_any(file, needles):
            return True
    return False


def _server_remains(store: Store) -> Iterator[str]:
    """PostgreSQL keeps dead rows until they are vacuumed, and its log until it is recycled."""
    store.vacuum()
    dead = store.scalar(
        "SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables WHERE schemaname = ?",
        (store.address.schema,),
    )
    yield (
        f"PostgreSQL, schema {store.address.schema}: about {dead} dead rows wait for vacuum, and the "
        "write-ahead log and its archives keep sealed rows until they are recycled; their keys are destroyed"
    )
