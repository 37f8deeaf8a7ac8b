"""Full names that are known, put into the documents of a run in which detection missed them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from linkage.codec import MentionReader
from linkage.kinds import Kinds
from linkage.records import DocumentId, KnownIdentity
from pseudonymizer.engine.known_names import KnownNames, known_to_vault
from pseudonymizer.engine.records import Analyzer
from pseudonymizer.runs.codec import Analysis
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_counts import SourceCounts

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_TOGETHER: Final = 500  # documents whose stretches the vault is asked about in one go


class RunNames:
    """Finds the full names of a run, of the registry and of the project in all documents of the run.

    What it finds is kept in the work file before anything is linked, so that a run that is ended goes on from
    there. The order of the documents has no influence: the names of all are known before any is searched.
    """

    def __init__(
        self,
        vault: "VaultApi",
        project: str,
        work: WorkFile,
        analyzer: Callable[[], Analyzer],
        registered: Sequence[KnownIdentity],
        kinds: Kinds,
    ) -> None:
        self._vault, self._project, self._work = vault, project, work
        self._analyzer, self._registered = analyzer, registered
        self._known = KnownNames(kinds)

    def written_since(self) -> list[DocumentId]:
        """Sources that an earlier run wrote, and in which a name stands that was unknown then, and that this
        run knows.
        """
        return self._work.written_with(self._known.keys)

    def add_to(self, doc_ids: Collection[DocumentId]) -> None:
        """Add mentions of known names to what detection found in these documents."""
        known = self._known
        reader = MentionReader()
        to_search: list[DocumentId] = []
        for doc_id in doc_ids:
            analysis = self._work.analysis(doc_id)
            if not any(part.runs or part.mentions for part in analysis.parts):
                continue
            lists = self._analyzer().gazetteer
            for part in analysis.parts:
                known.learn(reader.read(part.mentions), lists)
            if any(part.runs for part in analysis.parts):
                to_search.append(doc_id)
        if not to_search:
            return
        known.learn_registered(self._registered, self._analyzer().gazetteer)
        has_project = self._project in self._vault.projects()
        self._vault.rollback()
        for first in range(0, len(to_search), _TOGETHER):
            some = to_search[first : first + _TOGETHER]
            analyses = [(doc_id, self._work.analysis(doc_id)) for doc_id in some]
            if has_project:
                self._ask_vault(known, (analysis for _, analysis in analyses))
            self._work.save_names(self._changed(known, analyses))
            lists = self._analyzer().gazetteer
            self._work.note_stretches({
                doc_id: known.unknown((part.searched for part in analysis.parts if part.runs), lists)
                for doc_id, analysis in analyses
            })  # fmt: skip

    def _ask_vault(self, known: KnownNames, analyses: Iterable[Analysis]) -> None:
        analyzer = self._analyzer()
        parts = (part.searched for analysis in analyses for part in analysis.parts if part.runs)
        keys = known.unknown(parts, analyzer.gazetteer)
        for text, name in known_to_vault(self._vault, self._project, keys, analyzer).items():
            known.add(text, name)
        self._vault.rollback()

    def _changed(
        self, known: KnownNames, analyses: Iterable[tuple[DocumentId, Analysis]]
    ) -> Iterator[tuple[DocumentId, SourceCounts, Analysis]]:
        for doc_id, before in analyses:
            after = before.with_names(known)
            if after is not before:
                found = [row for part in after.parts for row in part.mentions]
                counts = msgspec.structs.replace(
                    self._work.counts_of(doc_id),
                    mentions=len(found),
                    detectors=dict(Counter(row.detector.value for row in found)),
                    misspelt=sum(row.typo_of is not None for row in found),
                )
                yield doc_id, counts, after
