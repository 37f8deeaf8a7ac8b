"""Work on single files and texts: finding their mentions, and later writing their labels.

It needs neither vault nor key, so any process can do it. It reads a file, returns records, and keeps nothing.
An error of one file becomes a record of that file alone.
"""

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from linkage.detection import finder_of
from linkage.detection.listed_values import ListedTexts
from linkage.detection.values import nested, people_and_others
from linkage.kinds import LITERAL
from linkage.recognition.name_runs import NameRun, blanked, name_runs
from linkage.records import (
    PERSON,
    Document,
    DocumentId,
    Mention,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
    ValueMention,
)
from linkage.spans import SpanCover, lie_inside
from pseudonymizer import confined
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.document_ids import part_document_id
from pseudonymizer.engine.failures import SourceChangedError, guarded
from pseudonymizer.engine.following import Follower
from pseudonymizer.engine.leftovers import FullNames, Leftovers
from pseudonymizer.engine.mentions import (
    as_mentions,
    as_values,
    given_for,
    outside_tokens,
    professionals_in,
    values_beside,
    with_names_of_format,
)
from pseudonymizer.engine.notes import NotesDone, notes_in
from pseudonymizer.engine.part_languages import PartLanguages
from pseudonymizer.engine.records import (
    NO_DOCUMENT,
    Analyzer,
    AnalyzeTask,
    GivenMention,
    LabelledPerson,
    PartFound,
    RenderTask,
    Replacement,
    SourceFailure,
    SourceFound,
    SourceRendered,
)
from pseudonymizer.engine.replacements import OneWayPlaces, is_path_one_way, replacements_in
from pseudonymizer.engine.same_values import with_same_values
from pseudonymizer.engine.sources import refuse_no_file
from pseudonymizer.engine.spelled import (
    PATH_PART,
    in_document,
    owner_part,
    path_mentions,
    path_text,
    path_values,
    spelled_mentions,
    with_spelled_names,
)
from pseudonymizer.engine.table_mentions import (
    in_chosen_columns,
    names_in_columns,
    row_starts,
    untreated,
    whole_names,
    without_other_kinds,
)
from pseudonymizer.formats import (
    Edit,
    FormatOptions,
    ParsedFile,
    PartRole,
    RenderedFile,
    TextPart,
    kept_original,
)
from pseudonymizer.formats.groups import group_of_path
from pseudonymizer.formats.unread import unread_places
from pseudonymizer.relative_paths import checked_relative_path
from pseudonymizer.rewriting import labels_in
from pseudonymizer.styles.labels import LABEL_LIKE
from pseudonymizer.styles.looks import code_looks


class FileWork:
    """The work of one process. It loads the analyzer once, for the first file."""

    def __init__(self, load: Callable[[], Analyzer], options: FormatOptions | None = None) -> None:
        self._load = load
        self._labelled: Sequence[LabelledPerson] = ()
        self._people: Follower | None = None
        self._names: FullNames | None = None
        self._analyzer: Analyzer | None = None
        self._options = options or FormatOptions()
        self._says_language = options is not None
        self.told: Callable[[int], None] | None = None  # gets how many notes of a batch are done so far
        self._values = finder_of(self._options.own)
        self._words = self._values.kinds.words
        self._no_names = ListedTexts.of(self._options.own.never.get(PERSON, ()))

    @property
    def analyzer(self) -> Analyzer:
        if self._analyzer is None:
            self._analyzer = self._load()
        return self._analyzer

    @property
    def _language(self) -> str:
        """Of texts of which nothing else is known: that of the options, or of the analyzer's lists."""
        return self._options.language if self._says_language else self.analyzer.gazetteer.language.code

    @property
    def _languages(self) -> PartLanguages:
        return PartLanguages(self._language, is_told=self._options.tell_language)

    def warm_up(self) -> None:
        """Load what detection needs, before the first file comes."""
        document = Document(DocumentId("none"), "-", self._language)
        self.analyzer.normalize([document], [people_and_others(*self.analyzer.detect_kinds([document]))[0]])

    def follow(self, people: Sequence[LabelledPerson]) -> None:
        """From now on, addresses and paths that hold a name of these people get their labels."""
        self._labelled, self._people, self._names = people, None, None

    def analyze(
        self, tasks: Sequence[AnalyzeTask], *, min_confidence: float = 0.0
    ) -> list[SourceFound | SourceFailure]:
        """The mentions of each file, or why it failed; in the order of tasks.

        min_confidence: from 0 to 1; what is found in running text with less is left out.

        Names are detected in all files together, so that the network sees full batches.
        """
        outcomes: dict[DocumentId, SourceFound | SourceFailure] = {}
        opened: list[tuple[AnalyzeTask, bytes, ParsedFile, float]] = []
        for task in tasks:
            started = time.perf_counter()
            content = guarded(task.doc_id, _opened, task, self._options)
            if isinstance(content, SourceFailure):
                outcomes[task.doc_id] = content
            else:
                opened.append((task, *content, time.perf_counter() - started))
        together = guarded(
            DocumentId(""),
            self._find,
            [(task, raw, parsed) for task, raw, parsed, _ in opened],
            min_confidence,
        )
        for number, (task, raw, parsed, seconds) in enumerate(opened):
            started = time.perf_counter()
            if isinstance(together, SourceFailure):  # a file fails: find out which
                alone = guarded(task.doc_id, self._find, [(task, raw, parsed)], min_confidence)
                if isinstance(alone, SourceFailure):
                    outcomes[task.doc_id] = alone
                    continue
                found = alone[0]
            else:
                found = together[number]
            identifiers = Counter(
                str(value.kind)
                for part in found
                for value in part.values
                if value.kind != LITERAL and part.part_id != PATH_PART
            )
            unread: Counter[str] = Counter()
            for left_out in parsed.unread:
                unread[left_out.kind] += left_out.count
            outcomes[task.doc_id] = SourceFound(
                task.doc_id, digest_sha256((raw,)), len(raw), parsed.format_name, tuple(found),
                dict(identifiers), dict(unread), seconds + time.perf_counter() - started,
                professionals_in(parsed, found), parsed.recognized, unread_places(parsed.unread),
                parsed.rejected, notes_in(parsed),
            )  # fmt: skip
        return [outcomes[task.doc_id] for task in tasks]

    def render(self, tasks: Sequence[RenderTask]) -> list[SourceRendered | SourceFailure]:
        """The written files, or why each failed; in the order of tasks."""
        return [guarded(task.doc_id, self._render, task) for task in tasks]

    def _find(
        self, opened: Sequence[tuple[AnalyzeTask, bytes, ParsedFile]], min_confidence: float
    ) -> list[list[PartFound]]:
        """The parts of each file with their mentions. An error in one file ends the call: the caller then
        asks for each file alone.
        """
        texts: list[tuple[int, TextPart, Document, tuple[GivenMention, ...] | None]] = []
        for number, (task, raw, parsed) in enumerate(opened):
            doc_id = _content_id(task, raw)
            prose = [part for part in parsed.parts if part.role is PartRole.PROSE]
            for part, given in zip(prose, given_for(task, prose), strict=True):
                group = part.group or group_of_path(task.relative, self._options.group_by)
                language = self._languages.of(part)
                document = Document(part_document_id(doc_id, part.part_id), part.text, language, group)
                texts.append((number, part, document, given))
        to_detect = [document for _, _, document, given in texts if given is None]
        owners = [number for number, _, _, given in texts if given is None]
        searched = NotesDone.of([parsed for _, _, parsed in opened], owners, self.told)
        detected = iter(self.analyzer.detect_kinds(to_detect, searched=searched) if to_detect else ())
        documents = [document for _, _, document, _ in texts]
        looks = [labels_in(document.text, LABEL_LIKE) for document in documents]
        codes = [code_looks(document.text, self._words) for document in documents]
        mentions: list[Sequence[Mention]] = []
        values: list[tuple[ValueMention, ...]] = []
        facts: list[tuple[ValueMention, ...]] = []
        spelled: dict[MentionId, PersonName] = {}
        for (number, part, document, given), look, code in zip(texts, looks, codes, strict=True):
            recognized: list[Mention] = []
            if given is None:
                sure, recognized = people_and_others(
                    one for one in next(detected) if one.confidence >= min_confidence
                )
                in_text = whole_names(document, sure, part)
                marked = names_in_columns(document, in_text, part)
                found = with_names_of_format(document, in_text, marked)
                found = without_other_kinds(
                    document, found, part.columns, self.analyzer.gazetteer, finder=self._values
                )
            else:
                found = as_mentions(document, given)
            labels = sorted([*look, *code])
            found = in_chosen_columns(found, part.columns)
            found = outside_tokens(document, found, labels)
            if given is None and opened[number][0].relative is not None:
                taken = [*labels, *untreated(part), *(mention.span for mention in found)]
                in_identifiers, names = spelled_mentions(document, self.analyzer.gazetteer, taken=taken)
                found = sorted([*found, *in_identifiers], key=lambda m: m.span)
                spelled |= names
            own_values = [] if given is None else as_values(document, given, finder=self._values)
            # Facts of people are read in every column, also in one that is not treated.
            columns = [replace(column, is_chosen=True) for column in part.columns]
            facts.append(
                values_beside(document, found, look, own_values, code, columns, self._values, recognized)
            )
            left = SpanCover(untreated(part))
            values.append(
                tuple(
                    value
                    for value in facts[-1]
                    if value.kind == LITERAL
                    or value in own_values
                    or (value.mention.confidence >= min_confidence and not left.overlaps(value.mention.span))
                )
            )
            mentions.append(nested(found, values[-1]))
        taken_apart = self.analyzer.normalize(documents, mentions, facts) if documents else ()
        normalized = iter(with_spelled_names(taken_apart, spelled))
        parts: list[list[PartFound]] = [[] for _ in opened]
        for (number, part, document, given), found, valued in zip(texts, mentions, values, strict=True):
            task, raw, _ = opened[number]
            runs = () if given is not None else self._runs(part, found, valued)
            parts[number].append(
                PartFound(
                    part.part_id,
                    part.document_key,
                    len(document.text),
                    tuple(next(normalized) for _ in found),
                    valued,
                    frozenset(mention.mention_id for mention in found if mention.mention_id in spelled),
                    row_starts(part),
                    runs,
                    _content_id(task, raw) if runs else NO_DOCUMENT,
                    "" if document.language == self._language else document.language,
                )
            )
        for number, (task, raw, parsed) in enumerate(opened):
            if task.relative is not None and task.given is None:
                # A file of several units has one path: it is read with the first unit.
                relative = task.relative if task.unit is None or task.unit.number == 0 else None
                parts[number] += self._outside_prose(_content_id(task, raw), relative, parsed)
        return parts

    def _outside_prose(self, doc_id: DocumentId, relative: str | None, parsed: ParsedFile) -> list[PartFound]:
        """Parts with the names in technical fields and in the path of a file, which no network reads."""
        texts = [p for p in parsed.parts if p.role is PartRole.TECHNICAL]
        found: list[PartFound] = []
        if relative:
            texts.append(TextPart(PATH_PART, path_text(relative), PartRole.TECHNICAL))
        for part in texts:
            part_id, text = part.part_id, part.text
            owner = "" if part_id == PATH_PART else owner_part(part)
            document = Document(part_document_id(doc_id, part_id), text, self._language)
            looks, codes, lists = (
                labels_in(text, LABEL_LIKE),
                code_looks(text, self._words),
                self.analyzer.gazetteer,
            )
            taken = sorted([*looks, *codes])
            if part_id == PATH_PART:
                mentions, names = path_mentions(document, lists, taken=taken)
            else:
                mentions, names = spelled_mentions(document, lists, taken=taken, technical=True)
            if part_id == PATH_PART:
                values = path_values(document, mentions, taken=taken, finder=self._values)
            else:
                values = values_beside(document, mentions, looks, codes=codes, finder=self._values)
            told: list[NormalizedMention] = []
            if mentions:
                mentions = list(nested(mentions, values))
                taken_apart = with_spelled_names(self.analyzer.normalize([document], [mentions]), names)
                told = in_document(
                    Document(part_document_id(doc_id, owner), text, self._language), taken_apart
                )
            runs = () if part_id == PATH_PART else self._runs(part, mentions, values)
            if told or values or runs:
                content = doc_id if runs else NO_DOCUMENT
                found.append(PartFound(part_id, None, 0, tuple(told), values, runs=runs, content=content))
        return found

    def _runs(
        self, part: TextPart, mentions: Sequence[Mention], values: Sequence[ValueMention]
    ) -> tuple[NameRun, ...]:
        """Where a full name may stand that is known from elsewhere: not in a label, not in a column that is
        left out, not where one mention covers all of it, and not in what the user says is never a name.
        """
        labels = [value.mention.span for value in values if value.kind == LITERAL]
        text = blanked(part.text, [*labels, *untreated(part), *self._no_names.find(part.text)])
        found = list(name_runs(text, self.analyzer.gazetteer.is_particle))
        if not found:
            return ()
        known = lie_inside([run.span for run in found], [mention.span for mention in mentions])
        return tuple(run for run, is_known in zip(found, known, strict=True) if not is_known)

    def rewrite(self, task: RenderTask) -> tuple[SourceRendered, tuple[Replacement, ...]]:
        """The written file, and what stands in place of which stretch of its texts.

        Raises:
            OutsideFolderError: the file has a path by which it could not be restored into a folder.
            SourceChangedError: the file is not as it was when its mentions were found.
            LinkageError, PseudonymizerError, OSError: it cannot be read or written in its format.
        """
        started = time.perf_counter()
        if task.relative:
            checked_relative_path(task.relative, owner="this file")
        options = replace(self._options, mark=task.styles.mark)
        raw = _bytes_of(task)
        if digest_sha256((raw,)) != task.digest:
            raise SourceChangedError("the file was changed while the run went on; run again")
        parsed = confined.read(
            raw, name=task.path.name, options=options, unit=task.unit, keep=not task.is_output
        )  # fmt: skip
        if task.is_output:
            return SourceRendered(
                task.doc_id, parsed.format_name, raw, (), task.relative, 0, 0, 0.0
            ), ()  # fmt: skip
        follower = self._follower(task)
        replacements = with_same_values(replacements_in(task, parsed, follower), parsed, self._values.kinds)
        texts: dict[str, dict[Span, str]] = {part.part_id: {} for part in parsed.parts}
        for replacement in replacements:
            texts.setdefault(replacement.part_id, {})[replacement.span] = replacement.text
        owners = {(r.part_id, r.span): r.entity_id for r in replacements}
        rendered = self._checked(parsed, texts, replacements)
        lost = OneWayPlaces.of(replacements, parsed)
        edits = tuple(
            (edit, owners.get(edit.owner) if edit.owner else None)
            for edit in rendered.edits
            if not lost.are_told_by(edit)
        )
        edits += self._kept_original(parsed.format_name, raw, rendered.raw, lost)
        kinds = Counter(replacement.kind for replacement in replacements)
        relative = follower.path(task.relative, task.labels) if task.relative else ""
        return SourceRendered(
            task.doc_id, parsed.format_name, rendered.raw, edits,
            relative,
            sum(replacement.follows for replacement in replacements), rendered.unplaced,
            time.perf_counter() - started, is_marked=bool(rendered.is_marked),
            replaced={str(kind): count for kind, count in kinds.items() if kind != PERSON},
            one_way=len(lost.places), reversible=len(replacements) - len(lost.places),
            keeps_path=relative == task.relative or not is_path_one_way(task),
            crowded=rendered.crowded,
        ), replacements  # fmt: skip

    def _kept_original(
        self, format_name: str, raw: bytes, written: bytes, lost: OneWayPlaces
    ) -> tuple[tuple[Edit, None], ...]:
        """The edit that keeps the original whole, where that is asked for; none where something in it was
        replaced without a way back, which the original would give.
        """
        if not self._options.keep_original or lost.places or raw == written:
            return ()
        kept = kept_original(format_name, raw)
        return () if kept is None else ((kept, None),)

    def _checked(
        self,
        parsed: ParsedFile,
        texts: Mapping[str, Mapping[Span, str]],
        replacements: Sequence[Replacement],
    ) -> RenderedFile:
        """The file with these texts in it, once it was read again and says nothing that was replaced.

        Raises:
            LeftInOutputError: it says something that was.
        """
        if self._names is None:
            self._names = FullNames(self._labelled, lambda: self.analyzer.gazetteer)
        leftovers = Leftovers.of(replacements, parsed, self._names, self._values.kinds)
        rendered, again = parsed.render_and_read(texts, leftovers.values)
        if again is not None:
            leftovers.refuse(again, parsed.parts, texts)
        return rendered

    def _render(self, task: RenderTask) -> SourceRendered:
        return self.rewrite(task)[0]

    def _follower(self, task: RenderTask) -> Follower:
        if self._people is None:
            self._people = Follower(self._labelled)
        return self._people.within(task.labels, keep_domain=task.styles.keep_domain)


def _content_id(task: AnalyzeTask, raw: bytes) -> DocumentId:
    """The id of the documents of a file: task.doc_id, and under a key a digest of the bytes."""
    if not task.content_key:
        return task.doc_id
    digest = hashlib.blake2b(raw, key=task.content_key, digest_size=8).hexdigest()
    return DocumentId(f"{task.doc_id}-{digest}")


def _opened(task: AnalyzeTask, options: FormatOptions) -> tuple[bytes, ParsedFile]:
    raw = _bytes_of(task)
    return raw, confined.read(raw, name=task.path.name, options=options, unit=task.unit)


def _bytes_of(task: AnalyzeTask | RenderTask) -> bytes:
    if task.content is not None:
        return task.content
    refuse_no_file(task.path)
    return task.path.read_bytes() if task.unit is None else task.unit.read(task.path)
