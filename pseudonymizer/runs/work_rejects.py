"""Lines that are left out of outputs, sealed in the work file until their file is read anew."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from linkage.records import DocumentId
from pseudonymizer.runs.units import file_id, id_range
from pseudonymizer.runs.work_results import WorkResults
from pseudonymizer.work_files.contexts import meta_context, path_context
from pseudonymizer.work_files.folder import REJECTED


@dataclass(frozen=True, slots=True)
class Rejected:
    """A line that was left out. path: of the file below its input; number: from 1; content: its bytes."""

    doc_id: DocumentId
    path: str = field(repr=False)
    number: int
    content: bytes = field(repr=False)


class WorkRejects(WorkResults):
    """What was left out of outputs, by file. Erasure takes all of it: nobody has searched these lines."""

    def keep_rejected(self, found: Mapping[DocumentId, Mapping[int, bytes]]) -> None:
        """The lines of sources that were just read, by their numbers; in place of what was kept of them."""
        with self._transaction() as do:
            for doc_id, lines in found.items():
                do.execute("delete from meta where name = ?", (f"{REJECTED}{doc_id}",))
                if lines:
                    self._put(f"{REJECTED}{doc_id}", msgspec.msgpack.encode(sorted(lines.items())))

    def unit_sizes(self, doc_id: DocumentId, modified_ns: int) -> tuple[int, ...]:
        """The bytes of the units into which an earlier run cut a file that was not changed since; () where
        none did.
        """
        rows = self._connection.execute(
            "select size, modified_ns from source where doc_id >= ? and doc_id < ? order by doc_id",
            id_range(doc_id),
        ).fetchall()
        return tuple(size for size, _ in rows) if all(at == modified_ns for _, at in rows) else ()

    def rejected(self) -> Iterator[Rejected]:
        """The lines that are left out of the outputs of this run, in the order of its files."""
        sources: Sequence[tuple[str, bytes]] = self._connection.execute(
            "select doc_id, path from source where position is not null order by position"
        ).fetchall()
        for doc_id, path in sources:
            name = f"{REJECTED}{doc_id}"
            row = self._connection.execute("select value from meta where name = ?", (name,)).fetchone()
            if row is None:
                continue
            lines = msgspec.msgpack.decode(
                self._unsealed(row[0], meta_context(name)), type=list[tuple[int, bytes]]
            )
            shown = self._text(path, path_context(doc_id))
            for number, content in lines:
                yield Rejected(file_id(DocumentId(doc_id)), shown, number, content)
