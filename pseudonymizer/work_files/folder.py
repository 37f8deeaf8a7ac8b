"""A work file under the keys of its output folder: sealed anew under the newest, and people forgotten."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from linkage.records import EntityId
from pseudonymizer.crypto import key_id_of
from pseudonymizer.work_files import contexts
from pseudonymizer.work_files.store import WorkStore

RECORDS_FOLDER: Final = ".nymlink"  # in an output folder: report, paths, work file
WORK_FILE: Final = "work.db"  # in the records folder
_DIGESTS: Final = {"form": contexts.forms_context, "stretch": contexts.stretches_context}
FORM_KEY: Final = "form key"  # in meta: names can be tried with it
KEPT_PATHS: Final = "paths/"  # in meta: begins the names of chunks of lines, each with one path
REJECTED: Final = "rejected/"  # in meta: begins the names of lines that were left out of an output, by source
_PLANNED: Final = "planned"  # the state of a source that is searched again
_OF_SOURCE: Final[Mapping[str, Callable[[str], bytes]]] = {
    "path": contexts.path_context,
    "output": contexts.output_context,
    "mentions": contexts.analysis_context,
    "labels": contexts.labels_context,
}


class WorkFolder(WorkStore):
    """What erasure and new keys change in a work file."""

    @property
    def key_version(self) -> int:
        """The version of the key under which everything is sealed."""
        (sealed,) = self._connection.execute("select value from meta where name = 'version'").fetchone()
        return key_id_of(bytes(sealed))

    def renew(
        self, erased: Collection[EntityId] = (), tells: Callable[[str], bool] | None = None
    ) -> Counter[str]:
        """Seal everything under the newest key, after people were forgotten, all or nothing. Returns how much
        went, by kind.

        Of whoever was erased go: the name and label, the way to try names out, and each path that tells of
        them. Sources that were searched and not written may hold their names, and are searched again.

        tells: whether a path tells of them; None: no path is kept, since nothing says which do.

        Raises:
            WorkFileError: the file is damaged, or the disk is full; it is as it was.
        """
        with self._transaction() as do:
            gone = self._forget(do, erased, tells) if erased else Counter[str]()
            for table, key, column, context_of in self._sealed_columns(do):
                self._reseal(do, table, key, column, context_of)
        return gone

    def _forget(
        self,
        do: sqlite3.Connection,
        erased: Collection[EntityId],
        tells: Callable[[str], bool] | None,
    ) -> Counter[str]:
        gone: Counter[str] = Counter()
        for entity_id in sorted(erased):
            found = do.execute("delete from person where entity_id = ?", (entity_id,))
            gone["people"] += found.rowcount
        found = do.execute(
            "update source set state = ?, mentions = null, labels = null "
            "where mentions is not null or labels is not null",
            (_PLANNED,),
        )
        gone["searched"] += found.rowcount
        do.execute("delete from linked")
        do.execute("delete from meta where name = ?", (FORM_KEY,))
        # They were not searched, and may hold names of the erased; the inputs have them.
        do.execute("delete from meta where substr(name, 1, ?) = ?", (len(REJECTED), REJECTED))
        for doc_id, path in do.execute("select doc_id, path from source where length(path) > 0").fetchall():
            if tells is None or tells(self._text(path, contexts.path_context(doc_id))):
                do.execute("update source set path = x'' where doc_id = ?", (doc_id,))
                gone["paths"] += 1
        gone["paths"] += self._forget_kept_lines(do, tells)
        return gone

    def _forget_kept_lines(self, do: sqlite3.Connection, tells: Callable[[str], bool] | None) -> int:
        """Lines stay in their chunks, since the numbers of chunks tell where the next one goes."""
        gone = 0
        names = do.execute(
            "select name, value from meta where substr(name, 1, ?) = ?", (len(KEPT_PATHS), KEPT_PATHS)
        )
        for name, sealed in names.fetchall():
            lines = self._text(sealed, contexts.meta_context(name)).split("\n")
            kept = [line for line in lines if line and tells is not None and not tells(line)]
            gone += sum(map(bool, lines)) - len(kept)
            self._put(name, "".join(f"{line}\n" for line in kept).encode("utf-8", "surrogateescape"))
        return gone

    def _sealed_columns(self, do: sqlite3.Connection) -> Iterator[tuple[str, str, str, Callable[..., bytes]]]:
        """Table, columns of its key, sealed column, and what makes the context of a value from its key."""
        for column, context_of in _OF_SOURCE.items():
            yield "source", "doc_id", column, context_of
        yield "person", "entity_id", "person", contexts.person_context
        yield "intended", "doc_id", "place", contexts.intended_context
        yield "linked", "kind, number", "rows", contexts.linked_context
        for table, digests_context in _DIGESTS.items():
            if do.execute("select 1 from sqlite_schema where name = ?", (table,)).fetchone():
                yield table, "doc_id", "digests", digests_context
        yield "meta", "name", "value", contexts.meta_context  # with the version: last

    def _reseal(
        self, do: sqlite3.Connection, table: str, key: str, column: str, context_of: Callable[..., bytes]
    ) -> None:
        where = " and ".join(f"{name} = ?" for name in key.split(", "))
        read = f"select {column} from {table} where {where}"  # noqa: S608  our own tables
        write = f"update {table} set {column} = ? where {where}"  # noqa: S608  our own tables
        has_value = f"{column} is not null and length({column}) > 0"
        places = do.execute(f"select {key} from {table} where {has_value}").fetchall()  # noqa: S608
        for place in places:
            (old,) = do.execute(read, place).fetchone()
            context = context_of(*place)
            new = self._sealing.seal(self._unsealed(old, context), context=context)
            do.execute(write, (new, *place))
