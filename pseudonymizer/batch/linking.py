"""Between the passes: who is who in everything detected, and whose pseudonym stands where."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linkage.records import (
    DocumentId,
    EntityId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
)
from linkage.review import kept_and_unkept
from pseudonymizer.batch.codec import MentionDecoder, decode_result, encode_name, encode_result
from pseudonymizer.batch.report import probability_counts
from pseudonymizer.batch.work import WorkFile
from pseudonymizer.batch.work_rows import SourceState
from pseudonymizer.engine.judging import JudgedPlaces
from pseudonymizer.engine.progress import Progress
from pseudonymizer.engine.records import LinkingPart
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.engine.styling import Styled, Styling
from pseudonymizer.records import Pseudonym, Style

if TYPE_CHECKING:
    from pseudonymizer.vault import Vault


class Linking:
    """Links what is detected, and makes its pseudonyms durable: first in the vault, then in the work file."""

    def __init__(
        self,
        work: WorkFile,
        vault: "Vault",
        project: str,
        sources: Mapping[DocumentId, SourceFile],
        linker: Callable[[], LinkingPart],
        styling: Styling,
        style: Style,
        judged: JudgedPlaces,
        registered: Sequence[KnownIdentity],
        progress: Progress,
        *,
        dry_run: bool,
    ) -> None:
        self._work, self._vault, self._project, self._source_by_id = work, vault, project, sources
        self._linker, self._styling, self._style, self._judged = linker, styling, style, judged
        self._registered, self._progress, self._dry_run = registered, progress, dry_run
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def link(self) -> None:
        """Link and label everything that is detected."""
        started = time.perf_counter()
        looks: dict[str, None] = {}
        waiting = [DocumentId(row) for row in self._work.linked("source")]
        if waiting and set(waiting) <= set(self._work.ids(SourceState.DETECTED)):
            # A run was stopped between linking and the end of assigning: what it decided stands.
            self._vault.seen_through[self._project] = next(self._work.linked("seen"))
            self._assign(waiting, self._stored_result(waiting, looks), looks)
        # Sorted, so that the order of the inputs cannot matter.
        todo = self._without_outputs(sorted(self._work.ids(SourceState.DETECTED)))
        if todo:
            self._progress.begin("link", len(todo))
            looks = {}
            mentions = self._judged.with_judgements(list(self._mentions(todo, looks)))
            judgements = self._judged.judgements()
            result = self._vault.linked(
                self._project, mentions, linker=self._linker, registered=self._registered,
                judgements=judgements,
            )  # fmt: skip
            del mentions
            kept, broken = kept_and_unkept(result, judgements)
            seen = self._vault.seen_through.get(self._project, 0)
            identities, forms = encode_result(result)
            self._work.save_linked(
                {"source": todo, "identity": identities, "form": forms, "seen": [seen]},
                {
                    "identities": len(identities),
                    "open_links": sum(1 for _ in result.open_links()),
                    "forms": len(forms),
                    "judgements": len(kept),
                    "judgements_unkept": len(broken),
                    **probability_counts(link.match_probability for link in result.form_links),
                },
            )
            del identities, forms
            if not self._dry_run:
                self._assign(todo, result, looks)
            self._progress.advance(len(todo))
            self._progress.end()
        self.seconds["link"] += time.perf_counter() - started

    def _without_outputs(self, doc_ids: Sequence[DocumentId]) -> Sequence[DocumentId]:
        """The documents that are no outputs of the project. What looks like a name there is a pseudonym, in
        the styles that cannot be told from names; tokens and tags are told where they stand.
        """
        if self._style in (Style.TOKEN, Style.TAG) or self._dry_run or not doc_ids:
            return doc_ids
        from pseudonymizer.vault.styled import outputs_among

        digests = {doc_id: bytes.fromhex(self._work.analysis(doc_id)["digest"]) for doc_id in doc_ids}
        known = outputs_among(self._vault, self._project, set(digests.values()))
        self._vault.rollback()
        mine = [doc_id for doc_id in doc_ids if digests[doc_id] in known]
        if mine:
            self._work.save_labels(
                (doc_id, [digests[doc_id].hex(), None], self._work.counts_of(doc_id) | {"is_output": True})
                for doc_id in mine
            )
        return [doc_id for doc_id in doc_ids if digests[doc_id] not in known]

    def _mentions(self, doc_ids: Iterable[DocumentId], looks: dict[str, None]) -> Iterator[NormalizedMention]:
        """All mentions of these documents; looks gets the texts that look like pseudonyms of ours."""
        decoder = MentionDecoder()
        for doc_id in doc_ids:
            source = self._source_by_id[doc_id]
            analysis = self._work.analysis(doc_id)
            looks.update((text, None) for _, _, found in analysis["parts"] for _, _, text in found)
            yield from self._judged.passing(
                source.relative, analysis, decoder.decode, source.unit is not None
            )

    def _stored_result(self, doc_ids: Sequence[DocumentId], looks: dict[str, None]) -> LinkageResult:
        mentions = list(self._mentions(doc_ids, looks))
        return decode_result(
            self._judged.with_judgements(mentions), self._work.linked("identity"), self._work.linked("form")
        )

    def _assign(
        self,
        doc_ids: Sequence[DocumentId],
        result: LinkageResult,
        looks: Mapping[str, None],
    ) -> None:
        """Pseudonyms become durable in the vault before any text can carry them."""
        from pseudonymizer.assignment import literal_label

        started = time.perf_counter()
        foreign = self._styling.foreign_looks(self._vault, self._project, looks)
        styled = self._styling.styled(
            self._vault, self._project, result, avoid_tags=foreign, registered=self._registered
        )
        literals = {text: literal_label(self._vault, self._project, text) for text in foreign}
        self._vault.commit()
        self.seconds["assign"] += time.perf_counter() - started
        people: dict[str, Any] = {
            person.entity_id: (person.label, [encode_name(name) for name in person.names], person.kinds)
            for person in styled.people().values()
        }
        self._work.save_labels(
            (self._labels(doc_id, styled, literals) for doc_id in doc_ids),
            people,
            {"surrogate_clashes": styled.clashes},
        )

    def _labels(
        self,
        doc_id: DocumentId,
        styled: Styled,
        literals: Mapping[str, Pseudonym],
    ) -> tuple[DocumentId, list[Any], dict[str, Any]]:
        """What to write where. Text that only looks like a token gets one of its own, and so comes back."""
        rows: list[Any] = []
        analysis = self._work.analysis(doc_id)
        counts = self._work.counts_of(doc_id)
        kept = escaped = 0
        entities: set[EntityId] = set()
        readable = styled.readable(analysis.get("professionals", ()))
        for part_id, mentions, looks in analysis["parts"]:
            for row in mentions:
                one = styled.written(MentionId(row[9]), readable)
                entities.add(one.entity_id)
                rows.append([part_id, row[1], row[2], one.text, one.entity_id])
                if one.person != one.text:
                    rows[-1].append(one.person)
            for start, end, text in looks:
                if (literal := literals.get(text)) is None:
                    kept += 1
                else:
                    escaped += 1
                    rows.append([part_id, start, end, literal.label, literal.entity_id])
        counts |= {
            "people": len(entities),
            "people_readable": len(readable),
            "tokens_kept": kept,
            "tokens_escaped": escaped,
        }
        return doc_id, [analysis["digest"], rows], counts
