"""The mentions of texts and of whole corpora, found by one or several processes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from linkage.errors import LinkageError
from linkage.records import DocumentId
from pseudonymizer import confined
from pseudonymizer.answers import Failure, FoundDocument
from pseudonymizer.engine.engine import Source
from pseudonymizer.engine.ids import DocumentIds
from pseudonymizer.engine.judging import DocumentNames, is_prose
from pseudonymizer.engine.progress import Progress, Silent
from pseudonymizer.engine.records import AnalyzeTask, GivenMention, Pipeline, SourceFailure, SourceFound
from pseudonymizer.engine.sources import SourceFile, read_file
from pseudonymizer.engine.spelled import PATH_PART, path_text
from pseudonymizer.errors import PseudonymizerError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.notes import counted, notes_of
from pseudonymizer.runs.stages import Worker
from pseudonymizer.runs.tasks import GivenMentions, portions
from pseudonymizer.runs.units import in_units, unit_id
from pseudonymizer.runs.workers import Workers
from pseudonymizer.runs.writing import lost


@dataclass(frozen=True, slots=True)
class Search:
    """How a corpus is searched. load: makes the pipeline. formats: how files are read. workers: processes."""

    load: Callable[[], Pipeline]
    formats: FormatOptions
    workers: int = 1
    progress: Progress | None = None


def corpus_sources(
    files: Sequence[SourceFile],
    ids: DocumentIds,
    given: Mapping[str, tuple[GivenMention, ...]] | None = None,
    *,
    small_units: bool = False,
) -> list[Source]:
    """One source for each file, or for each unit of a large one; none for litter.

    given: by document name, the mentions that take the place of detection. small_units: see ProjectSettings.
    """
    given_by_file = None if given is None else GivenMentions(given)
    sources = []
    rows = None if given_by_file is None else given_by_file.first_rows
    for file in in_units(files, small=small_units, given=rows):
        if file.is_litter:
            continue
        doc_id = unit_id(ids.of_file(file.relative), file)
        mentions = None if given_by_file is None else given_by_file.of(file)
        task = AnalyzeTask(doc_id, file.path, ids.content_key, mentions, file.relative, unit=file.unit)
        sources.append(Source(task, file.relative, None))
    return sources


def found_documents(
    sources: Sequence[Source],
    search: Search,
    sizes: Mapping[DocumentId, int] | None = None,
    names: DocumentNames | None = None,
) -> Iterator[FoundDocument]:
    """The documents of all sources in their order, each as soon as it is searched.

    sizes: bytes of each source, by which work is divided among the processes. names: those of sources that
    were searched before; None: there are none.
    """
    shown = search.progress or Silent()
    by_id = {source.task.doc_id: source for source in sources}
    size_of = sizes or {}
    batches = portions(
        (source.task for source in sources), lambda task: size_of.get(task.doc_id, len(task.content or b"")),
        count=len(sources), workers=search.workers,
    )  # fmt: skip
    notes = {source.task.doc_id: notes_of(source.task) for source in sources}
    shown.begin("detect", sum(notes.values()), counted(notes.values()))
    taken = names or DocumentNames()
    try:
        with Workers(search.load, search.workers, search.formats, inside=shown.inside) as pool:
            for outcomes in pool.run(Worker.analyze, batches, lost, in_order=True):
                for outcome in outcomes:
                    yield from documents_of(by_id[outcome.doc_id], outcome, taken)
                shown.advance(sum(notes[outcome.doc_id] for outcome in outcomes))
    finally:
        shown.end()


def documents_of(
    source: Source, outcome: SourceFound | SourceFailure, names: DocumentNames
) -> Iterator[FoundDocument]:
    """The documents of one source: its running texts, then its technical fields and its path if they hold
    names. A source that failed gives one document, with the failure.
    """
    if isinstance(outcome, SourceFailure):
        yield FoundDocument(source.name, (), failure=Failure(outcome.error, outcome.reason))
        return
    several = sum(is_prose(part.part_id) for part in outcome.parts) + (source.task.unit is not None)
    for part in outcome.parts:
        if not part.mentions and not is_prose(part.part_id):
            continue
        name = names.of(part.key, part.part_id, source.name, several)
        spelled = part.spelled if is_prose(part.part_id) else {m.mention_id for m in part.mentions}
        yield FoundDocument(
            name, part.mentions, is_prose(part.part_id), frozenset(spelled), values=part.values
        )


def texts_of(
    files: Sequence[SourceFile], options: FormatOptions, names: DocumentNames | None = None
) -> dict[str, str]:
    """The texts of files, by the names that found_documents gives their documents.

    A file that cannot be read is left out: found_documents gives its failure. names: see found_documents.
    """
    texts: dict[str, str] = {}
    names = names or DocumentNames()
    for file in files:
        try:
            parsed = confined.read(read_file(file.path), name=file.path.name, options=options)
        except (LinkageError, PseudonymizerError, OSError):
            continue
        several = sum(is_prose(part.part_id) for part in parsed.parts)
        for part in parsed.parts:
            texts[names.of(part.document_key, part.part_id, file.relative, several)] = part.text
        texts[names.of(None, PATH_PART, file.relative, several)] = path_text(file.relative)
    return texts


def running_texts(
    documents: Iterable[FoundDocument], *, with_spelled: bool = False
) -> Iterator[FoundDocument]:
    """The documents that are running text.

    with_spelled: with the names that an address, a link or a user name spells.
    """
    for document in documents:
        if document.is_prose:
            kept = tuple(m for m in document.mentions if with_spelled or m.mention_id not in document.spelled)
            yield replace(document, mentions=kept)
