"""The part of a work file that counts forms of names over all sources of a run, and finds them in others.

For each source keyed digests are kept: of its forms, which can be counted together, and of stretches that may
be names that nobody knows, which are compared with the names that become known. Neither can be read, and the
key goes when somebody is erased.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from linkage.records import DocumentId, PersonName, form_key
from pseudonymizer.runs.old_work import OldWork
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_rows import SourceState
from pseudonymizer.work_files.contexts import forms_context, stretches_context
from pseudonymizer.work_files.folder import FORM_KEY

_LINKED: Final = (SourceState.DETECTED, SourceState.LABELLED, SourceState.DONE)  # once linking has been
_LABELLED: Final = (SourceState.LABELLED, SourceState.DONE)

_KEY_BYTES: Final = 16
_DIGEST_BYTES: Final = 8  # of a million forms two share one with a chance of about 1 in 40 million
_MARK_BYTES: Final = 4  # tells digests of one key from those of another


class WorkForms(OldWork):
    """Notes and counts the forms of sources, within the transactions of the work file."""

    def form_count(self) -> int | None:
        """The number of distinct forms of names over the linked sources of this run.

        None unless forms were noted under one key for all of them: an earlier version noted none, and each
        run that keeps no name has a key of its own.
        """
        found: set[bytes] = set()
        marks: set[bytes] = set()
        is_noted = self._connection.execute("select 1 from sqlite_schema where name = 'form'").fetchone()
        for doc_id in self._linked_ids():
            if not is_noted:
                return None
            row = self._connection.execute("select digests from form where doc_id = ?", (doc_id,)).fetchone()
            if row is None:
                return None
            (sealed,) = row
            stored = self._unsealed(sealed, forms_context(doc_id))
            digests = range(_MARK_BYTES, len(stored), _DIGEST_BYTES)
            found.update(stored[start : start + _DIGEST_BYTES] for start in digests)
            if digests:
                marks.add(stored[:_MARK_BYTES])
        return len(found) if len(marks) <= 1 else None

    def _linked_ids(self) -> Iterator[DocumentId]:
        found = self._connection.execute(
            f"select doc_id, counts from source where position is not null and {_is_in(_LINKED)}",  # noqa: S608
            _LINKED,
        )
        yield from (DocumentId(doc_id) for doc_id, counts in found if _is_input(counts))

    def _has_earlier_results(self) -> bool:
        """Whether any source, also one that is no part of this run, has labels of an earlier linking."""
        found = self._connection.execute(
            f"select counts from source where {_is_in(_LABELLED)}",  # noqa: S608  marks only
            _LABELLED,
        )
        return any(_is_input(counts) for (counts,) in found)

    def note_stretches(self, found: Mapping[DocumentId, Collection[str]]) -> None:
        """Keep which stretches of these sources may be names, in place of what was kept of them."""
        with self._transaction():
            mark, digest = self._digests()
            self._connection.execute(
                "create table if not exists stretch(doc_id text primary key, digests blob not null) "
                "strict, without rowid"
            )
            self._connection.executemany(
                "insert or replace into stretch values (?, ?)",
                [
                    (doc_id, self._sealing.seal(
                        mark + b"".join(sorted(map(digest, set(texts)))), context=stretches_context(doc_id)
                    ))
                    for doc_id, texts in found.items()
                ],
            )  # fmt: skip

    def written_with(self, texts: Collection[str]) -> list[DocumentId]:
        """The sources of this run that are written, and of which one of these texts was kept as a stretch."""
        noted = "select 1 from sqlite_schema where name = 'stretch'"
        if not texts or self._connection.execute(noted).fetchone() is None:
            return []
        mark, digest = self._digests()
        wanted = set(map(digest, texts))
        found: list[DocumentId] = []
        for doc_id, sealed in self._connection.execute(
            "select stretch.doc_id, digests from stretch join source on source.doc_id = stretch.doc_id "
            "where position is not null and state = ? order by position",
            (SourceState.DONE,),
        ):
            stored = self._unsealed(sealed, stretches_context(doc_id))
            starts = range(_MARK_BYTES, len(stored), _DIGEST_BYTES)
            if stored[:_MARK_BYTES] == mark and any(
                stored[start : start + _DIGEST_BYTES] in wanted for start in starts
            ):
                found.append(DocumentId(doc_id))
        return found

    def _digests(self) -> tuple[bytes, Callable[[str], bytes]]:
        """The mark of the key of this work file, and what makes digests under it."""
        key = self._get(FORM_KEY)
        if key is None:
            key = os.urandom(_KEY_BYTES)
            self._put(FORM_KEY, key)
        base = hashlib.blake2b(key=key, digest_size=_DIGEST_BYTES)

        def digest(text: str) -> bytes:
            made = base.copy()
            made.update(text.encode("utf-8", "surrogatepass"))
            return made.digest()

        return hashlib.blake2b(b"mark", key=key, digest_size=_MARK_BYTES).digest(), digest

    def _note_forms(self, forms: Mapping[DocumentId, Collection[PersonName]]) -> None:
        mark, digest = self._digests()
        # Only now: a run that links nothing leaves the work file of an earlier version as it is.
        self._connection.execute(
            "create table if not exists form(doc_id text primary key, digests blob not null) "
            "strict, without rowid"
        )
        self._connection.executemany(
            "insert or replace into form values (?, ?)",
            [
                (
                    doc_id,
                    self._sealing.seal(
                        mark + b"".join(sorted({digest("\0".join(form_key(n))) for n in names})),
                        context=forms_context(doc_id),
                    ),
                )
                for doc_id, names in forms.items()
            ],
        )

    def _forget_form_key(self) -> None:
        """Delete the key, without which no name can be tried against the digests."""
        self._connection.execute("delete from meta where name = ?", (FORM_KEY,))


def _is_in(states: Sequence[SourceState]) -> str:
    return f"state in ({', '.join('?' * len(states))})"


def _is_input(counts: bytes | None) -> bool:
    """Not an output of an earlier run, which is not linked."""
    return not SourceCounts.of_json(counts).is_output
