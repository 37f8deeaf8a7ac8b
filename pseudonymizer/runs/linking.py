"""Between the passes: who is who in everything detected, and whose pseudonym stands where."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from linkage.codec import MentionReader
from linkage.records import (
    DocumentId,
    Identity,
    KnownIdentity,
    LinkageResult,
    NormalizedMention,
    PersonName,
)
from linkage.review import kept_and_unkept
from pseudonymizer.engine.folder_names import with_paths_apart
from pseudonymizer.engine.judging import JudgedPlaces, SourceNames
from pseudonymizer.engine.labelling import ATTEMPTS, Labelling, label_result, own_outputs
from pseudonymizer.engine.progress import Progress
from pseudonymizer.engine.records import Analyzer, LinkingPart
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.engine.styling import Styling
from pseudonymizer.engine.way_back import in_units, linked_source_id
from pseudonymizer.errors import LinkageOutdatedError
from pseudonymizer.open_links import LinkedSource
from pseudonymizer.preview import Preview
from pseudonymizer.records import Linked
from pseudonymizer.runs.codec import SourceLabels
from pseudonymizer.runs.notes import counted, notes_of
from pseudonymizer.runs.open_links import open_links_of
from pseudonymizer.runs.rare import RareCombinations
from pseudonymizer.runs.report import FORESEEN, probability_counts
from pseudonymizer.runs.run_names import RunNames
from pseudonymizer.runs.units import unit_number
from pseudonymizer.runs.work import WorkFile
from pseudonymizer.runs.work_counts import SourceCounts
from pseudonymizer.runs.work_results import LinkedSources
from pseudonymizer.runs.work_rows import SourceState
from pseudonymizer.treatments.treatment import TreatedValue
from pseudonymizer.vault.rows.identifiers import is_vault_id

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True, eq=False)
class LinkingTools:
    """What linking works with. linker: makes the linker. registered: people of the user's registry. analyzer:
    makes what takes names apart.
    """

    work: WorkFile
    vault: "VaultApi"
    project: str
    sources: Mapping[DocumentId, SourceFile]
    linker: Callable[[], LinkingPart]
    styling: Styling
    judged: JudgedPlaces
    registered: tuple[KnownIdentity, ...] = field(repr=False)
    progress: Progress
    analyzer: Callable[[], Analyzer]


class Linking:
    """Links what is detected, and makes its pseudonyms durable: first in the vault, then in the work file."""

    def __init__(self, tools: LinkingTools, *, dry_run: bool) -> None:
        self._work, self._vault, self._project = tools.work, tools.vault, tools.project
        self._source_by_id, self._linker, self._styling = tools.sources, tools.linker, tools.styling
        self._judged = tools.judged
        self._known = RunNames(
            tools.vault, tools.project, tools.work, tools.analyzer, tools.registered, tools.styling.plan.kinds
        )
        self._registered, self._progress, self._dry_run = tools.registered, tools.progress, dry_run
        self._content: dict[DocumentId, str] = {}  # of whole files, as linked_source_id takes it
        self._in_parts: set[DocumentId] = set()
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def link(self) -> None:
        """Link and label everything that is detected; again where another process erased a person between the
        two.

        Raises:
            LinkageOutdatedError: after ATTEMPTS attempts.
        """
        started = time.perf_counter()
        self._label_linked()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._link_detected()
                break
            except LinkageOutdatedError:
                self._vault.rollback()
                if attempt == ATTEMPTS:
                    raise
        self.seconds["link"] += time.perf_counter() - started

    def written_since(self) -> list[DocumentId]:
        """Sources that an earlier run wrote, and in which a name stands that became known since."""
        return self._known.written_since()

    def _label_linked(self) -> None:
        """A run was stopped between linking and the end of assigning: what it decided stands, unless a person
        of it was erased since.
        """
        stored = self._work.linked()
        if stored is None or not set(stored.sources) <= set(self._work.ids(SourceState.DETECTED)):
            return
        looks: dict[str, None] = {}
        mentions = self._judged.with_judgements(with_paths_apart(self._mentions(stored.sources, looks)))
        result = LinkageResult(mentions, tuple(stored.identities), tuple(stored.form_links))
        try:
            self._assign(stored.sources, Linked(result, stored.seen_through), looks)
        except LinkageOutdatedError:
            self._vault.rollback()

    def _link_detected(self) -> None:
        # Sorted, so that the order of the inputs cannot matter.
        todo = self._without_outputs(sorted(self._work.ids(SourceState.DETECTED)))
        if not todo:
            return
        notes = [notes_of(self._source_by_id[doc_id]) for doc_id in todo]
        self._progress.begin("link", sum(notes), counted(notes))
        if not self._styling.keeps_names:
            self._known.add_to(todo)
        looks: dict[str, None] = {}
        names: dict[DocumentId, set[PersonName]] = {}
        mentions = self._judged.with_judgements(with_paths_apart(self._mentions(todo, looks, names)))
        judgements = self._judged.judgements()
        linked = self._vault.linked(
            self._project, mentions, linker=self._linker, registered=self._registered, judgements=judgements
        )
        result = linked.result
        del mentions
        kept, broken = kept_and_unkept(result, judgements)
        totals = {
            "identities": len(result.identities),
            "open_links": sum(1 for _ in result.open_links()),
            "pseudonym_links": sum(max(0, _known_as(identity) - 1) for identity in result.identities),
            "judgements": len(kept),
            "judgements_unkept": len(broken),
            **probability_counts(link.match_probability for link in result.form_links),
        }
        if self._dry_run:
            totals |= self._foreseen(todo, result)
        self._work.save_linked(
            LinkedSources(todo, result.identities, result.form_links, linked.seen_through), totals, names
        )
        if not self._dry_run:
            self._assign(todo, linked, looks)
        self._progress.advance(sum(notes))

    def _foreseen(self, doc_ids: Sequence[DocumentId], result: LinkageResult) -> dict[str, int]:
        """How many values of each kind a run would replace, by FORESEEN and the kind."""
        styling = self._styling
        preview = Preview(styling.settings, styling.plan, result, language=styling.language)
        replaced: Counter[str] = Counter()
        for doc_id in doc_ids:
            for part in self._work.analysis(doc_id).parts:
                for value in part.values:
                    given = TreatedValue(value.kind, value.normal, value.text, value.country)
                    replaced[f"{FORESEEN}{value.kind}"] += not preview.treated(given).stays
        return dict(replaced)

    def _without_outputs(self, doc_ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """The documents that are no outputs of the project; outputs are labelled to stay as they are."""
        if self._dry_run or self._styling.is_told_in_text:
            return doc_ids
        digests = {doc_id: self._work.analysis(doc_id).digest for doc_id in doc_ids}
        known = own_outputs(self._vault, self._project, digests.values(), self._styling)
        mine = [doc_id for doc_id in doc_ids if digests[doc_id] in known]
        if mine:
            self._work.save_labels(
                (
                    doc_id,
                    SourceLabels(digests[doc_id], None),
                    msgspec.structs.replace(self._work.counts_of(doc_id), is_output=True),
                )
                for doc_id in mine
            )
        return [doc_id for doc_id in doc_ids if digests[doc_id] not in known]

    def _mentions(
        self,
        doc_ids: Iterable[DocumentId],
        looks: dict[str, None],
        names: dict[DocumentId, set[PersonName]] | None = None,
    ) -> Iterator[NormalizedMention]:
        """All mentions of these documents; looks gets the texts that look like pseudonyms of ours, names the
        different names of each document.
        """
        reader = MentionReader()
        for doc_id in doc_ids:
            source = self._source_by_id[doc_id]
            analysis = self._work.analysis(doc_id)
            found = analysis.parts
            looks.update((look.text, None) for part in found for look in part.looks)
            source_names = SourceNames(
                source.relative,
                tuple(part.part_id for part in found),
                {part.part_id: part.key for part in found if part.key is not None},
                is_unit=source.unit is not None,
            )
            self._content[doc_id] = analysis.digest.hex()
            if source_names.documents > 1:
                self._in_parts.add(doc_id)
            parts = ((part.part_id, reader.read(part.mentions)) for part in found)
            mine: set[PersonName] = set()
            for mention in self._judged.passing(source_names, parts):
                mine.add(mention.name)
                yield mention
            if names is not None:
                names[doc_id] = mine

    def _assign(
        self,
        doc_ids: Sequence[DocumentId],
        linked: Linked,
        looks: Mapping[str, None],
    ) -> None:
        """Pseudonyms become durable in the vault before any text can carry them."""
        started = time.perf_counter()
        labelling = label_result(
            self._vault, self._project, linked, looks, self._styling, self._registered,
            (part.places for doc_id in doc_ids for part in self._work.analysis(doc_id).parts if part.values),
        )  # fmt: skip
        if not self._styling.settings.is_one_way:  # then it is not stored where a document stood
            sources = {doc_id: self._linked_source(doc_id) for doc_id in doc_ids}
            found = open_links_of(linked.result, sources, self._in_parts)
            self._vault.keep_open_links(self._project, found)
        self._vault.commit()
        self.seconds["assign"] += time.perf_counter() - started
        rare = RareCombinations(self._styling.plan)
        totals = {"surrogate_clashes": labelling.clashes}

        def labels() -> Iterator[tuple[DocumentId, SourceLabels, SourceCounts]]:
            for doc_id in doc_ids:
                yield self._labels(doc_id, labelling, rare)
            totals.update(rare.totals())

        self._work.save_labels(labels(), labelling.people(), totals)

    def _linked_source(self, doc_id: DocumentId) -> LinkedSource:
        source = self._source_by_id[doc_id]
        content = self._content[doc_id] if source.unit is None else in_units(source.modified_ns)
        return LinkedSource(
            linked_source_id(self._vault, self._project, source.relative, content), unit_number(doc_id)
        )

    def _labels(
        self, doc_id: DocumentId, labelling: Labelling, rare: RareCombinations
    ) -> tuple[DocumentId, SourceLabels, SourceCounts]:
        """The labels of a document as the work file keeps them, and its counts. rare notes what stays."""
        analysis = self._work.analysis(doc_id)
        places = [part.places for part in analysis.parts]
        found = labelling.of(places, analysis.professionals)
        rare.note(places, found.labels)
        counts = msgspec.structs.replace(
            self._work.counts_of(doc_id),
            people=found.people,
            people_readable=found.people_readable,
            tokens_kept=found.tokens_kept,
            tokens_escaped=found.tokens_escaped,
        )
        return doc_id, SourceLabels.of(analysis.digest, found.labels), counts


def _known_as(identity: Identity) -> int:
    """As how many people the vault knew an identity before."""
    known = {*identity.also_known_as, *(() if identity.entity_id is None else (identity.entity_id,))}
    return sum(map(is_vault_id, known))
