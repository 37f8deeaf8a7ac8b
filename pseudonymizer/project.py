"""Project: the one facade of nymlink for Python, the command, services and pages.

    with open_vault("vault.db", FileKey(Path("kek.key"))) as vault:
        project = Project.open(vault, "study-12")
        print(project.pseudonymize("Jan de Vries belde.")[0].text)

A project stays open: it loads the models once, and each text is treated with what the vault holds by then,
also by the work of other processes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from linkage.detection import ValueFinder, finder_of
from linkage.explanation import Explanation, MetInDocuments
from linkage.records import Document, FormLink, KnownIdentity, LinkageResult, Span
from linkage.review import Judgement, MentionPlace, ReviewSession
from pseudonymizer.answering import pseudonymized
from pseudonymizer.answers import FoundDocument, LinkedDocuments, PseudonymizedTexts
from pseudonymizer.engine.engine import Engine
from pseudonymizer.engine.file_work import FileWork
from pseudonymizer.engine.folder_names import with_paths_apart
from pseudonymizer.engine.ids import DocumentIds
from pseudonymizer.engine.judging import DocumentNames, JudgedPlaces
from pseudonymizer.engine.progress import Progress, Silent
from pseudonymizer.engine.records import ComparingLinker, GivenMention, LinkingPart, Pipeline
from pseudonymizer.engine.single_names import (
    SingleTexts,
    WrittenText,
    WrittenTexts,
    keep_way_back,
    write_texts,
)
from pseudonymizer.engine.sources import SourceFile, find_sources
from pseudonymizer.engine.styling import Styling
from pseudonymizer.errors import InvalidRecordError
from pseudonymizer.finding import Search, corpus_sources, documents_of, found_documents
from pseudonymizer.formats import FormatOptions
from pseudonymizer.inputs import FileContent as FileContent
from pseudonymizer.inputs import Given, TextInputs, sources_of
from pseudonymizer.project_options import ProjectOptions as ProjectOptions
from pseudonymizer.project_options import RunOptions as RunOptions
from pseudonymizer.project_terms import ProjectTerms
from pseudonymizer.records import Style
from pseudonymizer.relinks import HowToRelink, Relinked
from pseudonymizer.settings import StyleSettings
from pseudonymizer.treatments.asked import AskedTreatments, check_profile, check_table
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.vault_address import open_vault as open_vault
from pseudonymizer.ways_back import WaysBack

if TYPE_CHECKING:
    from pseudonymizer.column_kinds import FoundColumn
    from pseudonymizer.kept_runs import KeptRun, OutputsOfRun
    from pseudonymizer.preview import Preview
    from pseudonymizer.runs.report import BatchReport
    from pseudonymizer.vault.api import VaultApi


class Project(WaysBack):
    """A project of an open vault, or of none. Whoever opened the vault closes it."""

    def __init__(self, vault: "VaultApi | None", name: str, options: ProjectOptions) -> None:
        super().__init__(vault, name, options)
        self._terms = ProjectTerms(vault, name, options)
        self._restyle = True  # open() says otherwise
        self._styling: Styling | None = None
        self._styled: tuple[StyleSettings, Plan | None] | None = None  # what the styling was made for

    @classmethod
    def open(
        cls,
        vault: "VaultApi",
        name: str,
        options: ProjectOptions | None = None,
        *,
        style: Style | str | None = None,
        profile: str | None = None,
        treat: Mapping[str, str] | None = None,
        restyle: bool = False,
    ) -> Self:
        """The project of this name. The vault stores it when its first text is pseudonymized, with the style
        of persons that is asked for here as its own, if that style has a way back.

        style: how pseudonyms look; it takes the place of the style in options. profile: which kinds are
        treated. treat: treatments by kind or category, such as {"DATE": "month", "ID": "mask"}; they go
        before the style, and the style before the profile. All of them go before what options and the
        project in the vault say. restyle: people who have pseudonyms may get second ones in another style,
        and outputs in another style are written over.

        Raises:
            SettingsError: there is no such style, profile or treatment, or they do not go together.
            BatchError: another style is asked for than people of the project have pseudonyms in.
        """
        chosen = options or ProjectOptions()
        said = AskedTreatments.of_table({"profile": profile, "treat": treat or {}})
        check_profile(profile)
        check_table(treat or {}, chosen.settings.own.all_kinds)
        if style is not None:
            styles = StyleSettings.from_mapping({"style": str(style)}, base=chosen.styles)
            said = said.after_style(styles.style)
            chosen = replace(chosen, styles=styles)
        chosen = replace(chosen, treatments=said.over(chosen.treatments or AskedTreatments()))
        opened = cls(vault, name, chosen)
        opened._restyle = restyle
        if chosen.styles is not None:
            opened._styling_with(chosen.styles)  # refuses now, before the first text
        if not restyle:
            with vault.lock, opened._borrowed_vault():
                opened._terms.refuse_asked_style()
        return opened

    @classmethod
    def without_vault(cls, options: ProjectOptions | None = None) -> Self:
        """A project without a vault, which knows no person: for finding, linking and explaining."""
        return cls(None, "", options or ProjectOptions())

    @cached_property
    def load(self) -> Callable[[], Pipeline]:
        """The function that makes the pipeline, in this or another process; each process makes it once."""
        if self.options.load is not None:
            return self.options.load
        from pseudonymizer.engine.loading import load_pipeline

        return partial(load_pipeline, self.options.settings)

    @cached_property
    def registered(self) -> Sequence[KnownIdentity]:
        """The people of the user's registry."""
        if self.options.registered is not None:
            return self.options.registered
        from pseudonymizer.engine.loading import registered_people

        return registered_people(self.options.settings)

    @property
    def tokens_for_codes(self) -> bool:
        """Whether the last texts got tokens in place of codes, which deterministic pseudonyms cannot be."""
        return self._styling is not None and self._styling.tokens_for_codes

    @cached_property
    def engine(self) -> Engine:
        return Engine(self.load, options=self.formats, registered=self.registered)

    @cached_property
    def finder(self) -> ValueFinder:
        """Finds values of the kinds in use, the user's among them."""
        return finder_of(self.options.settings.own)

    @cached_property
    def formats(self) -> FormatOptions:
        """How files are read, with the kinds and lists of the user's that the settings have."""
        recognition = self.options.settings.recognition
        return replace(
            self.options.formats, own=self.options.settings.own, language=recognition.language,
            tell_language=recognition.tell_language,
        )  # fmt: skip

    def pseudonymize(
        self,
        inputs: TextInputs,
        *,
        mentions: Given | None = None,
        judgements: Sequence[Judgement] = (),
        min_confidence: float = 0.0,
    ) -> PseudonymizedTexts:
        """The inputs with labels in place of names, linked together. Their way back is in the vault by then.

        An input that cannot be treated has a failure in its place; the others are treated. inputs: a text,
        bytes of a text, a Document, the path of a file or a FileContent, or several of these. mentions: by
        document name, the mentions that take the place of detection. judgements: verdicts of reviewers about
        links.
        min_confidence: from 0 to 1; what is found with less stays as it is.

        Raises:
            VaultError, AccessRefusedError: the vault cannot be used; nothing is stored.
            LinkageError: models, lists or settings are at fault.
        """
        with self.vault.lock:
            self.vault.ensure_project(self.name, self._terms.new_project())
            self.vault.commit()
            styling = self._styling_with(*self._terms.asked())
            sources = sources_of(inputs, DocumentIds.of_project(self.vault, self.name), mentions)
            self.vault.rollback()  # detection takes long: nobody else has to wait for it
        treated = self.engine.pseudonymize(
            self.vault, self.name, sources, styling, judgements, min_confidence=min_confidence
        )
        return pseudonymized(sources, treated)

    def write_texts(
        self, texts: SingleTexts, *, linker: Callable[[], LinkingPart] | None = None
    ) -> WrittenTexts:
        """What is written in place of names, values and other texts that another program found, each by
        itself; see engine.single_names.
        """
        with self.vault.lock, self._borrowed_vault():
            styling = self._styling_with(*self._terms.asked())
        return write_texts(self.vault, self.name, texts, styling, linker=linker, finder=self.finder)

    def keep_way_back(self, text: str, replaced: Iterable[tuple[Span, WrittenText]]) -> None:
        """Store what undoes a text in which another program put what write_texts gave; see write_texts."""
        keep_way_back(self.vault, self.name, FileWork(self.load, self.formats), text, replaced)

    def pseudonymize_folder(
        self, inputs: Path | Sequence[Path], output: Path | None, run: RunOptions | None = None
    ) -> "BatchReport":
        """The report of a run over files and folders; each file is written in its own format below output.

        A second run into the same output goes on where the first one ended, and treats files that are new or
        were changed.

        Raises:
            BatchError, VaultError: the run as a whole cannot go on; files that are finished stay finished.
        """
        places = [inputs] if isinstance(inputs, Path) else list(inputs)
        return self.pseudonymize_files(find_sources(places, output=output, name_links=True), output, run)

    def pseudonymize_files(
        self, files: Sequence[SourceFile], output: Path | None, run: RunOptions | None = None
    ) -> "BatchReport":
        """The report of a run over these files; see pseudonymize_folder."""
        from pseudonymizer.runs.describing import described
        from pseudonymizer.runs.run import Batch, BatchSettings, RunTools
        from pseudonymizer.runs.workers import worker_count

        how, options = run or RunOptions(), self.options
        with self.vault.lock, self._borrowed_vault():
            if not (self._restyle or how.dry_run):
                self._terms.refuse_style_of(output)
            styles, plan = self._terms.asked()
            small_units = self._terms.stored().small_units
        settings = BatchSettings(
            self.name, options.scope, options.deterministic, worker_count(how.workers, files), how.limit,
            how.time_limit, how.retry_failed, how.dry_run, styles,
            described(options.settings, self.formats), self._terms.new_project(), plan,
            options.settings.recognition.language, how.prune, small_units, sparing=how.workers is None,
        )  # fmt: skip
        tools = RunTools(
            self._borrowed_vault, self.load, self.registered, self.formats, how.progress or Silent(),
            machines=how.machines, lists=options.lists,
        )  # fmt: skip
        return Batch(files, output, settings, tools, given=how.mentions, judgements=how.judgements).run()

    def find(self, inputs: TextInputs, *, min_confidence: float = 0.0) -> tuple[FoundDocument, ...]:
        """The mentions of texts, documents or files, in their order. They hold names; nothing is stored.

        min_confidence: from 0 to 1; what is found with less is left out.
        """
        sources = sources_of(inputs, self._ids())
        outcomes = self.engine.find(sources, min_confidence=min_confidence)
        names = DocumentNames()
        return tuple(
            document
            for source, outcome in zip(sources, outcomes, strict=True)
            for document in documents_of(source, outcome, names)
        )

    def find_in(
        self,
        files: Sequence[SourceFile],
        *,
        mentions: Mapping[str, tuple[GivenMention, ...]] | None = None,
        workers: int = 1,
        progress: Progress | None = None,
        names: DocumentNames | None = None,
    ) -> Iterator[FoundDocument]:
        """The mentions of a corpus, document by document in the order of its files. Nothing is stored.

        mentions: by document name, the mentions that take the place of detection. workers: number of
        processes. names: of the documents of files that were searched before; None: there are none.
        """
        small = self._terms.stored().small_units
        sources = corpus_sources(files, self._ids(), mentions, small_units=small)
        search = Search(self.load, self.formats, workers, progress)
        yield from found_documents(sources, search, names=names)

    def columns(self, file: Path) -> "tuple[FoundColumn, ...]":
        """The columns of the tables in a file, each with its kind and what says so, without values.

        Raises:
            UntreatedDocumentError: the file cannot be read.
        """
        from pseudonymizer.column_kinds import columns_of

        (first, *_) = corpus_sources(find_sources([file]), self._ids())
        return columns_of(self.engine, first, self.formats)

    def link(
        self, documents: TextInputs | Iterable[FoundDocument], *, judgements: Sequence[Judgement] = ()
    ) -> LinkedDocuments:
        """The identities in texts, documents or files, or in the result of `find`. Nothing is stored.

        With a vault, mentions are also linked with the people whom the project knows.

        Raises:
            AccessRefusedError: the actor may not see names of the project; on record.
        """
        found = self._found(documents)
        judged = JudgedPlaces(judgements)
        for document in found:
            judged.note(document.name, document.mentions)
        mentions = judged.with_judgements(
            with_paths_apart(m for document in found for m in document.mentions)
        )
        kept = judged.judgements()
        if self._vault is None:
            result = self.engine.pipeline.linker.link(mentions, known=self.registered, judgements=kept)
        else:
            self._vault.check_may_see_names(self.name)
            linked = self._vault.linked(
                self.name, mentions, linker=lambda: self.engine.pipeline.linker, registered=self.registered,
                judgements=kept,
            )  # fmt: skip
            result = linked.result
        return LinkedDocuments(found, result, kept)

    def preview(self, result: LinkageResult) -> "Preview":
        """What a run would write in place of mentions. result: the persons of `link`. Nothing is stored."""
        from pseudonymizer.preview import Preview

        return Preview(*self._terms.asked(), result, language=self.options.settings.recognition.language)

    def explain(
        self, left: str, right: str, *, documents: TextInputs | Iterable[FoundDocument] | None = None
    ) -> Explanation:
        """The features of a pair of names, and what each adds to the probability that they are one person.

        documents: where the two stand, as `link` takes them: their people are linked, and the explanation
        tells what keeps them apart or makes them one there. Nothing is stored.

        Raises:
            AccessRefusedError: documents are given and the actor may not see names of the project; on record.
        """
        explained = self._linker.explain(left, right)
        if documents is None:
            return explained
        return replace(explained, met=MetInDocuments.of(self.link(documents).result, left, right))

    def compare(self, pairs: Sequence[tuple[str, str]]) -> tuple[FormLink, ...]:
        """The match probability and the kind of variant of each pair of names."""
        return self._linker.compare_many(pairs)

    def kept(self, run: Path, *, judgements: Sequence[Judgement] = ()) -> "KeptRun":
        """The open links that a run left for review, with the words around them; on record.

        run: the output folder. judgements: given to the run, or made since.

        Raises:
            BatchError: the folder is not the output of a run in this project, or nothing is kept of it.
            AccessRefusedError: the actor may not see names; on record.
        """
        return self._outputs_of(run).kept(judgements, self.formats)

    def forget(self, run: Path) -> int:
        """How many documents had something kept for review, which is kept no more; on record. People,
        pseudonyms and ways back stay.

        Raises:
            AccessRefusedError: the actor may not see names; on record.
        """
        return self._outputs_of(run).forget()

    def _outputs_of(self, run: Path) -> "OutputsOfRun":
        from pseudonymizer.kept_runs import OutputsOfRun

        return OutputsOfRun.of(self.vault, self.name, run)

    def review(self, linked: "LinkedDocuments | KeptRun", *, judge: str = "") -> ReviewSession:
        """A session over the open links of linked documents, or of those that a run left. `link` and a run
        take its judgements.

        judge: who decides, stored with each judgement.
        """
        found = linked if isinstance(linked, LinkedDocuments) else linked.linked
        answered = () if isinstance(linked, LinkedDocuments) else linked.answered
        place_of = {
            m.mention_id: MentionPlace(document.name, m.mention.span.start, m.mention.span.end)
            for document in found.documents
            for m in document.mentions
        }
        return ReviewSession(
            found.result, found.judgements, judge=judge, place_of=place_of.__getitem__, answered=answered
        )

    def relink(self, *, purpose: str, ticket: str = "", apply: bool = False, names: bool = False) -> Relinked:
        """What linking all kept mentions of the project in one go finds otherwise than text by text did: who
        is one person, who is two, what is open. Published pseudonyms stay. The request is on record.

        apply: make the changes, instead of listing them alone. names: list the people with their names, for
        who may see names.

        Raises:
            AccessRefusedError, PurposeRequiredError: the actor may not relink; on record.
            LinkageOutdatedError: others go on changing the project.
            TooManyMentionsError: more mentions are kept than are linked in one go.
        """
        how = HowToRelink(apply=apply, names=names)
        with self._borrowed_vault() as vault:
            return vault.relink(
                self.name, how, linker=lambda: self.engine.pipeline.linker, registered=self.registered,
                purpose=purpose, ticket=ticket,
            )  # fmt: skip

    def _found(self, documents: TextInputs | Iterable[FoundDocument]) -> tuple[FoundDocument, ...]:
        if isinstance(documents, str | bytes | Document | Path | FileContent):
            return self.find(documents)
        given = tuple(documents)
        found = tuple(document for document in given if isinstance(document, FoundDocument))
        if found and len(found) < len(given):
            raise InvalidRecordError("give found documents or texts, not both together")
        return found or self.find([text for text in given if not isinstance(text, FoundDocument)])

    @property
    def _linker(self) -> ComparingLinker:
        linker = self.engine.pipeline.linker
        if not isinstance(linker, ComparingLinker):
            raise InvalidRecordError("the linker of this pipeline compares no single names")
        return linker

    def _ids(self) -> DocumentIds:
        """The document ids of the project; ids of this look alone while the vault has no such project."""
        if self._vault is None or self.name not in self._vault.projects():
            return DocumentIds.of_one_look()
        return DocumentIds.of_project(self._vault, self.name)

    def refuse_other_style(self, output: Path | None = None, how: str = "restyle=True") -> None:
        """Nothing, where a run into this folder would write pseudonyms in the style of the last run there; in
        a new folder, or for a text (None), in a style in which people of the project have some. how: what
        the caller says who wants it.

        Raises:
            BatchError: it would write over outputs in another style, or give people a second pseudonym.
        """
        self._terms.refuse_second_pseudonyms(output, how)

    def styles(self) -> StyleSettings:
        """How pseudonyms look in the next texts, as the vault and the options say now."""
        with self.vault.lock, self._borrowed_vault():
            return self._terms.asked()[0]

    def plan(self) -> Plan:
        """The treatment of every kind in the next texts, as the vault and the options say now."""
        return self._terms.asked()[1]

    def _styling_with(self, styles: StyleSettings, plan: Plan | None = None) -> Styling:
        """The styling for these styles and this plan. The last one is kept, with the lists that it read."""
        if self._styling is None or self._styled != (styles, plan):
            options = self.options
            self._styling = Styling(
                styles, plan=plan, scope=options.scope, deterministic=options.deterministic,
                language=options.settings.recognition.language, lists=options.lists,
            )  # fmt: skip
            self._styled = styles, plan
        return self._styling
