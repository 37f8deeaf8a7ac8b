"""The work file of an output folder: what is done, and sealed, what the passes hand to each other.

One SQLite file, mode 0600. Clear are ids (HMAC), states, counts and sizes; mentions, links, labels and paths
are sealed under a key of the output folder. Every change is one transaction, so a run that is killed at any
moment is taken up where its last transaction ended.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Final

from linkage.records import DocumentId
from pseudonymizer.runs.units import file_id, id_range
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_rejects import WorkRejects
from pseudonymizer.runs.work_rows import (
    DoneSource,
    IntendedOutput,
    PlacedOutput,
    PlannedSource,
    SourceRow,
    SourceState,
    UnitRow,
    as_file,
)
from pseudonymizer.work_files.contexts import intended_context, output_context, path_context
from pseudonymizer.work_files.folder import KEPT_PATHS
from pseudonymizer.work_files.store import OLD_VERSION

_CHUNK: Final = 2_000  # lines of paths in one sealed value


class WorkFile(WorkRejects):
    """The sources of a run with their states, the result of linking, and the labels of people."""

    def plan(self, sources: Iterable[PlannedSource], fingerprint: bytes, *, only_failed: bool) -> None:
        """Note the sources of this run, in order.

        A source is planned when it is new, was changed, has failed, or was treated under other settings. With
        only_failed nothing but what has failed is planned, and nothing else is part of the run but the other
        units of a file of which a unit has failed.
        """
        with self._transaction() as do:
            failed_files = {
                file_id(DocumentId(doc_id))
                for (doc_id,) in do.execute(
                    "select doc_id from source where state = ? and instr(doc_id, '+') > 0",
                    (SourceState.FAILED,),
                )
            }
            do.execute("update source set position = null")
            for position, source in enumerate(sources):
                doc_id = source.doc_id
                terms = (fingerprint, source.size, source.modified_ns)
                found = do.execute(
                    "select state, length(path), fingerprint, size, modified_ns from source where doc_id = ?",
                    (doc_id,),
                ).fetchone()
                state, known_path, *terms_before = found or (None, 0)
                failed = state in (SourceState.FAILED, SourceState.SKIPPED)
                if only_failed and not failed and file_id(doc_id) not in failed_files:
                    continue
                path = b"" if known_path else self._sealed(source.path, path_context(doc_id))
                if state is not None and not known_path:  # forgotten with somebody, and here again
                    do.execute("update source set path = ? where doc_id = ?", (path, doc_id))
                if state is None:
                    do.execute(
                        "insert into source(doc_id, position, state, path, fingerprint, size, modified_ns) "
                        "values (?, ?, ?, ?, ?, ?, ?)",
                        (doc_id, position, SourceState.PLANNED, path, *terms),
                    )
                elif failed or tuple(terms_before) != terms:
                    do.execute(
                        "update source set position = ?, state = ?, fingerprint = ?, size = ?, "
                        "modified_ns = ?, error = null, reason = null, mentions = null, "
                        "labels = null where doc_id = ?",
                        (position, SourceState.PLANNED, *terms, doc_id),
                    )
                else:
                    do.execute("update source set position = ? where doc_id = ?", (position, doc_id))

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever planned here."""
        return self._connection.execute("select 1 from source limit 1").fetchone() is None

    def replan(self, doc_id: DocumentId) -> None:
        """Treat a source again, because its output is not what it was."""
        with self._transaction() as do:
            do.execute("update source set state = ? where doc_id = ?", (SourceState.PLANNED, doc_id))

    def replan_files(self, doc_ids: Iterable[DocumentId]) -> int:
        """Treat the files of these sources again, each with all its units; returns the number of files."""
        files = sorted({file_id(doc_id) for doc_id in doc_ids})
        with self._transaction() as do:
            do.executemany(
                "update source set state = ? where doc_id = ? or (doc_id >= ? and doc_id < ?)",
                [(SourceState.PLANNED, file, *id_range(file)) for file in files],
            )
        return len(files)

    @property
    def is_of_version_1(self) -> bool:
        """Whether version 0.1 made it, and nothing was written in it since."""
        return self.version == OLD_VERSION

    def search_again(self, doc_ids: Iterable[DocumentId]) -> None:
        """Search those of these sources that were searched, but not written, again: their texts are others
        than the ones that were searched. What linking left for labelling goes with them.
        """
        with self._transaction() as do:
            changed = 0
            for doc_id in doc_ids:
                changed += do.execute(
                    "update source set state = ?, mentions = null, labels = null "
                    "where doc_id = ? and state in (?, ?)",
                    (SourceState.PLANNED, doc_id, SourceState.DETECTED, SourceState.LABELLED),
                ).rowcount
            if changed:
                do.execute("delete from linked")

    def ids(self, state: SourceState, limit: int | None = None) -> list[DocumentId]:
        """Sources of this run in this state, in the order of the plan, of at most limit files: all units of a
        file count as one.
        """
        found = self._connection.execute(
            "select doc_id from source where state = ? and position is not null order by position", (state,)
        )
        ids = (DocumentId(doc_id) for (doc_id,) in found)
        if limit is None:
            return list(ids)
        by_file = groupby(ids, key=file_id)  # units of a file stand together
        return [doc_id for _, units in islice(by_file, limit) for doc_id in units]

    def forget_outputs(self, doc_ids: Iterable[DocumentId]) -> None:
        """Note that these files have no output any more; those that come again are treated again."""
        with self._transaction() as do:
            for doc_id in doc_ids:
                do.execute(
                    "update source set output = null, output_size = null, "
                    "state = case when state = ? then ? else state end "
                    "where doc_id = ? or (doc_id >= ? and doc_id < ?)",
                    (SourceState.DONE, SourceState.PLANNED, doc_id, *id_range(doc_id)),
                )

    def outputs(self) -> Iterator[tuple[DocumentId, str]]:
        """(id of the file, its path in the output) of everything that any run has put there."""
        found = self._connection.execute("select doc_id, output from source where output is not null")
        for doc_id, output in found:
            yield file_id(DocumentId(doc_id)), self._text(output, output_context(doc_id))

    def paths(self) -> Iterator[tuple[DocumentId, str, str | None]]:
        """(id, path of the input, path in the output) of the files of all runs, those of this run first."""
        found = self._connection.execute(
            "select doc_id, path, output from source order by position is null, position, doc_id"
        )
        rows = ((file_id(DocumentId(doc_id)), doc_id, path, output) for doc_id, path, output in found)
        for own, units in groupby(rows, key=itemgetter(0)):
            unit_rows = list(units)
            paths = (self._text(path, path_context(doc_id)) for _, doc_id, path, _ in unit_rows)
            outputs = (
                self._text(output, output_context(doc_id))
                for _, doc_id, _, output in unit_rows
                if output is not None
            )
            yield own, next(paths), next(outputs, None)

    def keep_path_lines(self, lines: Sequence[str]) -> None:
        """Seal what an older version told of files that this work file does not know."""
        with self._transaction():
            number = len(list(self._kept_path_chunks()))
            for start in range(0, len(lines), _CHUNK):
                chunk = "".join(lines[start : start + _CHUNK])
                self._put(f"{KEPT_PATHS}{number}", chunk.encode("utf-8", "surrogateescape"))
                number += 1

    def kept_path_lines(self) -> Iterator[str]:
        """The lines that keep_path_lines sealed, each with its line end."""
        for chunk in self._kept_path_chunks():
            lines = chunk.decode("utf-8", "surrogateescape").split("\n")
            yield from (f"{line}\n" for line in lines if line)

    def _kept_path_chunks(self) -> Iterator[bytes]:
        number = 0
        while (chunk := self._get(f"{KEPT_PATHS}{number}")) is not None:
            yield chunk
            number += 1

    def count(self, state: SourceState) -> int:
        found = self._connection.execute(
            "select count(*) from source where state = ? and position is not null", (state,)
        )
        (number,) = found.fetchone()
        return int(number)

    def rows(self, *, with_paths: bool = True) -> Iterator[SourceRow]:
        """All files of this run in the order of the plan; units of a file are one row. Without paths the rows
        have none, of input and output, and nothing is unsealed.
        """
        sources = self._sources(with_paths=with_paths)
        for _, units in groupby(sources, key=lambda row: file_id(row.doc_id)):
            yield as_file(list(units))

    def units(self, doc_id: DocumentId) -> list[UnitRow]:
        """The units of a file."""
        found = self._connection.execute(
            "select doc_id, state, coalesce(output_size, 0) from source where doc_id >= ? and doc_id < ? "
            "and position is not null order by doc_id",
            id_range(doc_id),
        )
        return [UnitRow(DocumentId(unit), SourceState(state), size) for unit, state, size in found]

    def fail_with_units(self) -> list[DocumentId]:
        """A file of which a unit has failed has failed: all units of it that are not done with. Returns such
        files.
        """
        failed: dict[DocumentId, tuple[str, str]] = {}
        for doc_id, error, reason in self._connection.execute(
            "select doc_id, error, reason from source where state = ? and position is not null "
            "and instr(doc_id, '+') > 0 order by doc_id desc",
            (SourceState.FAILED,),
        ):
            failed[file_id(DocumentId(doc_id))] = error, reason
        with self._transaction() as do:
            for doc_id, (error, reason) in failed.items():
                do.execute(
                    "update source set state = ?, error = ?, reason = ?, mentions = null, labels = null "
                    "where doc_id >= ? and doc_id < ? and position is not null and state != ?",
                    (SourceState.FAILED, error, reason, *id_range(doc_id), SourceState.FAILED),
                )
        return list(failed)

    def _sources(self, *, with_paths: bool) -> Iterator[SourceRow]:
        """All sources of this run in the order of the plan, each unit by itself."""
        found = self._connection.execute(
            "select doc_id, state, path, size, modified_ns, error, reason, counts, output, "
            "output_size from source where position is not null order by position"
        )
        for (
            doc_id,
            state,
            path,
            size,
            modified_ns,
            error,
            reason,
            counts,
            output,
            output_size,
        ) in found:
            known = DocumentId(doc_id)
            yield SourceRow(
                known, SourceState(state),
                self._text(path, path_context(known)) if with_paths else "", size, modified_ns,
                error, reason, SourceCounts.of_json(counts),
                self._text(output, output_context(known)) if output and with_paths else None, output_size,
            )  # fmt: skip

    def save_failed(self, doc_id: DocumentId, state: SourceState, error: str, reason: str) -> None:
        with self._transaction() as do:
            do.execute(
                "update source set state = ?, error = ?, reason = ?, mentions = null, labels = null "
                "where doc_id = ?",
                (state, error, reason, doc_id),
            )

    def output_of(self, doc_id: DocumentId) -> str | None:
        """Where an earlier run put this source."""
        found = self._connection.execute("select output from source where doc_id = ?", (doc_id,))
        (output,) = found.fetchone()
        return self._text(output, output_context(doc_id)) if output else None

    def save_intended(self, intended: Iterable[IntendedOutput]) -> None:
        """Note files that are put in their places next: a run that is killed before it has noted them as done
        leaves files that are known for its own.
        """
        with self._transaction() as do:
            do.executemany(
                "insert or replace into intended values (?, ?)",
                [
                    (one.doc_id, self._sealed(f"{one.plain} {one.place}", intended_context(one.doc_id)))
                    for one in intended
                ],
            )

    def intended(self) -> list[IntendedOutput]:
        """What save_intended noted and no run has noted as done."""
        found = self._connection.execute("select doc_id, place from intended order by doc_id").fetchall()
        noted: list[IntendedOutput] = []
        for doc_id, sealed in found:
            plain, _, place = self._text(sealed, intended_context(doc_id)).partition(" ")
            noted.append(IntendedOutput(DocumentId(doc_id), place, plain))
        return noted

    def settle_intended(self, there: Iterable[PlacedOutput]) -> None:
        """Nothing is intended any more. there: those files that a killed run has put in their places."""
        with self._transaction() as do:
            do.executemany(
                "update source set output = ?, output_size = ? where doc_id = ?",
                [(self._sealed(x.place, output_context(x.doc_id)), x.size, x.doc_id) for x in there],
            )
            do.execute("delete from intended")

    def save_done(self, written: Sequence[DoneSource], now: float) -> None:
        """Several sources whose files are in place. now: seconds since 1970, UTC."""
        with self._transaction() as do:
            do.executemany(
                "update source set state = ?, output = ?, output_size = ?, counts = ?, labels = null, "
                "written_at = ? where doc_id = ?",
                [
                    (SourceState.DONE,
                     self._sealed(done.place, output_context(done.doc_id)) if done.place else None,
                     done.size, done.counts.to_json(), now, done.doc_id)
                    for done in written
                ],
            )  # fmt: skip
            do.executemany("delete from intended where doc_id = ?", [(done.doc_id,) for done in written])
