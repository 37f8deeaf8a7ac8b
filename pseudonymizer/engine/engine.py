"""The engine for sources in memory: find, link, label, follow and write names, and keep the way back.

A run over files (pseudonymizer.runs) takes the same steps by the same functions. Between them it keeps a
work file, so that a run that was ended goes on where it was.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from linkage.records import DocumentId, KnownIdentity, LinkageResult, NormalizedMention, PersonName
from linkage.review import Judgement
from pseudonymizer.engine.failures import guarded
from pseudonymizer.engine.file_work import FileWork
from pseudonymizer.engine.folder_names import with_paths_apart
from pseudonymizer.engine.judging import JudgedPlaces, SourceNames
from pseudonymizer.engine.known_names import KnownNames, SearchedPart, known_to_vault, with_known_names
from pseudonymizer.engine.labelling import Labelling, label_result, linked_and_labelled, own_outputs
from pseudonymizer.engine.records import (
    AnalyzeTask,
    Label,
    Pipeline,
    RenderTask,
    Replacement,
    SourceFailure,
    SourceFound,
    SourceRendered,
)
from pseudonymizer.engine.styling import Styling
from pseudonymizer.engine.way_back import rewrite_of
from pseudonymizer.formats import FormatOptions
from pseudonymizer.records import Linked
from pseudonymizer.settings import StyleSettings

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True)
class Source:
    """One text or file for the engine.

    task: what to read; the bytes are task.content, or lie in the file task.path. name: the user's name of the
    source, by which judgements name documents. place: the path of the output, "-" for a text without one;
    None: the path that rewriting gives.
    """

    task: AnalyzeTask
    name: str = field(repr=False)
    place: str | None = field(default="-", repr=False)


@dataclass(frozen=True, slots=True)
class Treated:
    """A source that was written with labels. is_output: as an output of the project, it was left as it is."""

    found: SourceFound
    rendered: SourceRendered
    replacements: tuple[Replacement, ...]
    is_output: bool = False


@dataclass(frozen=True, slots=True)
class LabelledSource:
    """A source with what was found in it and the labels of that, to be rewritten. is_output: see Treated."""

    source: Source
    found: SourceFound
    labels: tuple[Label, ...] = field(repr=False)
    is_output: bool = False


@dataclass(frozen=True, slots=True)
class TreatedSources:
    """One outcome for each source, in their order; the linkage result over all sources; the labels of it."""

    outcomes: tuple[Treated | SourceFailure, ...]
    result: LinkageResult
    labelling: Labelling


class Engine:
    """Treats sources in memory. It loads the models once, when they are first needed."""

    def __init__(
        self,
        load: Callable[[], Pipeline],
        *,
        options: FormatOptions | None = None,
        registered: Sequence[KnownIdentity] = (),
    ) -> None:
        """load: makes the pipeline. registered: people of the user's registry."""
        self._load = load
        self._work = FileWork(load, options)
        self._registered = tuple(registered)
        self._lock = threading.RLock()

    @property
    def pipeline(self) -> Pipeline:
        return self._load()

    def find(
        self, sources: Sequence[Source], *, min_confidence: float = 0.0
    ) -> list[SourceFound | SourceFailure]:
        """The mentions of each source: in texts, addresses, technical fields and the path.

        min_confidence: see FileWork.analyze.
        """
        return self._work.analyze([source.task for source in sources], min_confidence=min_confidence)

    def pseudonymize(
        self,
        vault: "VaultApi",
        project: str,
        sources: Sequence[Source],
        styling: Styling,
        judgements: Sequence[Judgement] = (),
        *,
        min_confidence: float = 0.0,
    ) -> TreatedSources:
        """The sources with labels in place of names. Labels and way back are durable in the vault by then.

        A source that cannot be treated has a failure in its place; the others are treated.

        Raises:
            VaultError, AccessRefusedError: the vault cannot be used; nothing is stored.
            LinkageError: models, lists or settings are at fault, so that no source can be treated.
        """
        outcomes = self.find(sources, min_confidence=min_confidence)
        with self._lock, vault.lock:
            try:
                return self._written(vault, project, sources, outcomes, styling, judgements)
            except BaseException:
                vault.rollback()
                raise

    def _written(
        self,
        vault: "VaultApi",
        project: str,
        sources: Sequence[Source],
        outcomes: Sequence[SourceFound | SourceFailure],
        styling: Styling,
        judgements: Sequence[Judgement],
    ) -> TreatedSources:
        read = [outcome for outcome in outcomes if isinstance(outcome, SourceFound)]
        outputs = own_outputs(vault, project, (source.digest for source in read), styling)
        inputs = [source for source in read if source.digest not in outputs]
        if not styling.keeps_names:
            inputs = self._with_known_names(vault, project, inputs, styling)
            named = {source.doc_id: source for source in inputs}
            outcomes = [named.get(outcome.doc_id, outcome) for outcome in outcomes]
        judged = JudgedPlaces(judgements)
        names = {source.task.doc_id: source.name for source in sources}
        mentions = judged.with_judgements(with_paths_apart(passing_mentions(inputs, names, judged)))
        looks = dict.fromkeys(
            look.mention.surface for found in inputs for part in found.parts for look in part.looks
        )
        # Where all values stay, nothing is asked of the vault for them.
        parts = [part.places for found in inputs for part in found.parts if part.values]
        parts = parts if styling.plan.written else []
        linking = partial(
            vault.linked, project, mentions, linker=lambda: self.pipeline.linker, registered=self._registered,
            judgements=judged.judgements(),
        )  # fmt: skip
        labelling = partial(
            label_result, vault, project, looks=looks, styling=styling, registered=self._registered,
            parts=parts,
        )  # fmt: skip
        if mentions:
            result, labelled = linked_and_labelled(vault, linking, labelling)
        else:
            result = LinkageResult((), ())
            labelled = labelling(Linked(result)) if looks or parts else Labelling.of_nothing(styling)
        self._work.follow(labelled.people())
        treated: list[Treated | SourceFailure] = []
        for source, outcome in zip(sources, outcomes, strict=True):
            if isinstance(outcome, SourceFailure):
                treated.append(outcome)
                continue
            is_output = outcome.digest in outputs
            labels = (
                ()
                if is_output
                else labelled.of((p.places for p in outcome.parts), outcome.professionals).labels
            )
            given = LabelledSource(source, outcome, labels, is_output)
            treated.append(rewritten(self._work, given, styling.settings))
        self._keep_way_back(vault, project, sources, treated)
        vault.commit()
        return TreatedSources(tuple(treated), result, labelled)

    def _with_known_names(
        self, vault: "VaultApi", project: str, inputs: Sequence[SourceFound], styling: Styling
    ) -> list[SourceFound]:
        """The inputs with each full name that one of them, the registry or the project knows."""
        if not any(part.runs for source in inputs for part in source.parts):
            return list(inputs)
        lists = self.pipeline.gazetteer
        known = KnownNames(styling.plan.kinds)
        known.learn((mention for source in inputs for mention in source.mentions), lists)
        known.learn_registered(self._registered, lists)

        def ask(parts: Iterable[SearchedPart]) -> Mapping[str, PersonName]:
            return known_to_vault(vault, project, known.unknown(parts, lists), self.pipeline)

        return with_known_names(inputs, known, ask)

    @staticmethod
    def _keep_way_back(
        vault: "VaultApi",
        project: str,
        sources: Sequence[Source],
        treated: Iterable[Treated | SourceFailure],
    ) -> None:
        """Store what undoes each source that was changed, or whose path was.

        A source that is unchanged gets no record: it may be an output, whose record would be replaced.
        """
        changed = []
        for source, outcome in zip(sources, treated, strict=True):
            if isinstance(outcome, SourceFailure):
                continue
            rendered = outcome.rendered
            place = rendered.relative if source.place is None else source.place
            path = (source.task.relative or None) if source.place is None else None
            if rendered.is_changed or (path is not None and place != path):
                rewrite = rewrite_of(vault, project, rendered, place=place, path=path)
                changed.append((rewrite, rendered.raw))
        if changed:
            vault.store_rewrites(project, changed)


def rewritten(work: FileWork, labelled: LabelledSource, styles: StyleSettings) -> Treated | SourceFailure:
    """The source with its labels in it, or why it could not be written."""
    task, found = labelled.source.task, labelled.found
    render = RenderTask(
        found.doc_id, task.path, task.relative or "", found.digest, labelled.labels, task.content, styles,
        labelled.is_output, task.unit,
    )  # fmt: skip
    written = guarded(found.doc_id, work.rewrite, render)
    if isinstance(written, SourceFailure):
        return written
    return Treated(found, *written, labelled.is_output)


def passing_mentions(
    found: Iterable[SourceFound], names: Mapping[DocumentId, str], judged: JudgedPlaces
) -> Iterator[NormalizedMention]:
    """The mentions of all sources, in the order of document ids: the order of the sources has no influence.

    judged notes the mentions that judgements are about. names: the user's name of each source.
    """
    for source in sorted(found, key=lambda source: source.doc_id):
        keys = {part.part_id: part.key for part in source.parts if part.key is not None}
        own_names = SourceNames(names[source.doc_id], tuple(part.part_id for part in source.parts), keys)
        yield from judged.passing(own_names, ((part.part_id, part.mentions) for part in source.parts))
