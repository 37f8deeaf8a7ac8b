"""What a run left for review, found again by its output folder: open links, and the words around them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from linkage.errors import LinkageError
from linkage.judged_mentions import judgements_among
from linkage.records import DocumentId, LinkageResult, Mention, MentionId, fold, mention_id_at
from linkage.review import Judgement, MentionPlace, at_places, in_force
from pseudonymizer import confined, formats
from pseudonymizer.answers import FoundDocument, LinkedDocuments
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.engine.judging import is_prose, place_name
from pseudonymizer.engine.sources import SourceFile, find_sources, read_file
from pseudonymizer.engine.spelled import PATH_PART, path_text
from pseudonymizer.engine.way_back import linked_source_id, output_id, output_id_by_digest
from pseudonymizer.errors import BatchError, PseudonymizerError
from pseudonymizer.formats import Edit, FormatOptions
from pseudonymizer.open_links import KeptDocument, KeptLinks, RunOutput
from pseudonymizer.records import Rewrite
from pseudonymizer.runs.units import CHANGED_UNIT, UNITS_FORMAT, digests_of, unit_place
from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True)
class KeptRun:
    """What a run left for review. It holds names.

    linked: mentions with open links, by document; the links; and the judgements that the run knew. answered:
    judgements about them that were made since. texts: the texts of the documents by name, read when they are
    asked for. not_kept: of how many outputs nothing is kept. pathless: how many links are left out because
    the path of a document is gone, which named a person who was erased.
    """

    linked: LinkedDocuments
    answered: tuple[Judgement, ...]
    texts: Mapping[str, str] = field(repr=False)
    not_kept: int
    pathless: int


@dataclass(frozen=True, slots=True)
class OutputsOfRun:
    """The files in the output folder of a run, as the vault knows them."""

    vault: VaultApi
    project: str
    files: tuple[SourceFile, ...]
    outputs: tuple[RunOutput, ...]

    @classmethod
    def of(cls, vault: VaultApi, project: str, folder: Path) -> "OutputsOfRun":
        """Raises BatchError: there is no such folder."""
        if not folder.is_dir():
            raise BatchError("there is no such folder; give the folder that `nymlink run --out` wrote")
        files = tuple(file for file in find_sources([folder]) if file.path.is_file())
        outputs = []
        for file in files:
            digests = digests_of([file.path], file.size)
            outputs.append(
                RunOutput(
                    digests.stored,
                    output_id_by_digest(vault, project, file.relative, digests.plain),
                    linked_source_id(vault, project, file.relative, digests.stored.hex()),
                    file.relative,
                )
            )
        vault.rollback()
        return cls(vault, project, files, tuple(outputs))

    def forget(self) -> int:
        """The vault keeps no more what the run left for review; returns of how many documents it did."""
        return self.vault.forget_open_links(self.project, self.outputs)

    def kept(self, judgements: Sequence[Judgement], options: FormatOptions) -> KeptRun:
        """What the run left for review. judgements: made since, or given to the run.

        Raises:
            BatchError: none of the files is an output of the project, or nothing is kept of any.
            AccessRefusedError: the actor may not see names; on record.
        """
        found = self.vault.kept_links(self.project, self.outputs)
        if not found.known:
            raise BatchError(
                "no file in this folder is an output of this project as it was written; give the folder that "
                "`nymlink run --out` wrote, and its project"
            )
        if found.not_kept == found.known:
            raise BatchError(
                "the vault keeps no open links of this run: version 0.1 made it, its style has no way back, "
                "or they were forgotten. Run the same inputs into a new folder (pseudonyms stay as they "
                "are), or use `nymlink review INPUT --judgements FILE` with --vault and --project"
            )
        documents = _with_mentions(found)
        linked, answered = _with_judgements(found.result, _named(found.result, documents), judgements)
        texts = _Texts(self, {_name(one): one for one in documents}, linked.documents, options)
        return KeptRun(linked, answered, texts, found.not_kept, found.pathless)


def _name(document: KeptDocument) -> str:
    """What judgements call a document: as `nymlink detect` does where the file gives it no id."""
    part_id = _part_of(document.doc_id)
    if not is_prose(part_id):
        return f"{document.path}#{part_id}"
    return place_name(part_id, document.path, 2 if document.is_part else 1)


def _part_of(doc_id: DocumentId) -> str:
    return doc_id.partition("#")[2]


def _with_mentions(found: KeptLinks) -> Mapping[KeptDocument, Sequence[MentionId]]:
    """The texts in which the mentions stand, each with its mentions, by name.

    A name in a technical field or in a path is a mention of the document that the field belongs to; its id
    tells the text in which it stands.
    """
    document_of = {one.doc_id: one for one in found.documents}
    mentions: dict[KeptDocument, list[MentionId]] = {}
    for normalized in found.result.mentions:
        mention = normalized.mention
        document = replace(document_of[mention.doc_id], doc_id=_text_of(mention))
        mentions.setdefault(document, []).append(mention.mention_id)
    return {one: mentions[one] for one in sorted(mentions, key=_name)}


def _text_of(mention: Mention) -> DocumentId:
    """The id of the text in which the mention stands."""
    text_id = DocumentId(mention.mention_id.rpartition("@")[0])
    return text_id if mention.mention_id == mention_id_at(text_id, mention.span) else mention.doc_id


def _named(
    result: LinkageResult, documents: Mapping[KeptDocument, Sequence[MentionId]]
) -> tuple[FoundDocument, ...]:
    return tuple(
        FoundDocument(_name(one), tuple(map(result.mention, found)), is_prose(_part_of(one.doc_id)))
        for one, found in documents.items()
    )


def _with_judgements(
    result: LinkageResult, documents: tuple[FoundDocument, ...], judgements: Sequence[Judgement]
) -> tuple[LinkedDocuments, tuple[Judgement, ...]]:
    """The documents with the judgements that the run knew, and those that were made since."""
    mention_at = {
        MentionPlace(document.name, m.mention.span.start, m.mention.span.end): m.mention
        for document in documents
        for m in document.mentions
    }
    known = judgements_among(result.mentions)
    told = {_told(judgement) for judgement in known}
    here = [j for j in at_places(judgements, mention_at) if j.left_mention is not None]
    since = [j for j in here if _told(j) not in told]
    of_forms = _of_forms(result, [j for j in judgements if j.left_mention is None and j.left_at is None])
    judged = {frozenset((j.left_mention, j.right_mention)) for j in since}
    since += [j for j in of_forms if frozenset((j.left_mention, j.right_mention)) not in judged]
    return LinkedDocuments(documents, result, known), in_force(since)


def _told(judgement: Judgement) -> tuple[frozenset[MentionId | None], str, str]:
    pair = frozenset((judgement.left_mention, judgement.right_mention))
    return pair, judgement.verdict.value, judgement.judged_at


def _of_forms(result: LinkageResult, judgements: Sequence[Judgement]) -> Iterator[Judgement]:
    """Judgements about name forms, as such about the open links between mentions of these forms."""
    by_forms = {frozenset((fold(j.left_form), fold(j.right_form))): j for j in in_force(judgements)}
    for link in result.open_links() if by_forms else ():
        ends = link.pair.left, link.pair.right
        forms = frozenset(fold(result.mention(end).mention.surface) for end in ends)
        if (judgement := by_forms.get(forms)) is not None:
            yield replace(judgement, left_mention=ends[0], right_mention=ends[1])


class _Texts(Mapping[str, str]):
    """The texts of kept documents by name: the outputs, undone in memory. What cannot be read is empty, and
    so is a text that an earlier version read otherwise, so that the mentions do not stand at their places.
    """

    def __init__(
        self,
        run: OutputsOfRun,
        documents: Mapping[str, KeptDocument],
        found: Iterable[FoundDocument],
        options: FormatOptions,
    ) -> None:
        self._run, self._documents, self._options = run, documents, options
        self._mentions = {one.name: one.mentions for one in found}
        self._read: dict[int, Mapping[str, str]] = {}

    def __len__(self) -> int:
        return len(self._documents)

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __getitem__(self, name: str) -> str:
        document = self._documents[name]
        part_id = _part_of(document.doc_id)
        if part_id == PATH_PART:
            return path_text(document.path)
        if document.output not in self._read:
            self._read[document.output] = self._parts_of(document)
        text = self._read[document.output].get(part_id, "")
        mentions = (normalized.mention for normalized in self._mentions.get(name, ()))
        return text if all(one.span.cut(text) == one.surface for one in mentions) else ""

    def _parts_of(self, document: KeptDocument) -> Mapping[str, str]:
        """The texts of one file by part."""
        try:
            original, suffix = self._original(document.output)
            name = PurePosixPath(f"{document.path}{suffix}").name
            parts = confined.read(original, name=name, options=self._options).parts
        except (LinkageError, PseudonymizerError, OSError):
            return {}
        return {part.part_id: part.text for part in parts}

    def _original(self, number: int) -> tuple[bytes, str]:
        """The bytes of an original, and what its name ends with where only its text came back."""
        raw, output = read_file(self._run.files[number].path), self._run.outputs[number]
        (rewrite,) = self._rewrites([OutputDigest(output.digest)], [output.doc_id])
        if rewrite is None:  # it was left as it is, or edited since
            return raw, ""
        if rewrite.format_name == UNITS_FORMAT:
            return b"".join(self._units(raw, rewrite)), ""
        edits = _edits(rewrite)
        original = formats.undo(rewrite.format_name, raw, edits)
        return original, formats.restored_suffix(rewrite.format_name, edits)

    def _units(self, raw: bytes, whole: Rewrite) -> Iterator[bytes]:
        vault, project = self._run.vault, self._run.project
        pieces = {edit.ordinal: raw[edit.start : edit.end] for edit in whole.edits}
        changed = [edit.ordinal for edit in whole.edits if edit.location == CHANGED_UNIT]
        ids = [output_id(vault, project, unit_place(whole.path or "", n), pieces[n]) for n in changed]
        found = self._rewrites([pieces[n] for n in changed], ids)
        rewrites = dict(zip(changed, found, strict=True))
        for number in sorted(pieces):
            rewrite = rewrites.get(number)
            yield pieces[number] if rewrite is None else _undone(pieces[number], rewrite)

    def _rewrites(
        self, outputs: Sequence[bytes], doc_ids: Sequence[DocumentId | None]
    ) -> tuple[Rewrite | None, ...]:
        self._run.vault.rollback()
        return self._run.vault.reviewed_rewrites(self._run.project, outputs, doc_ids)


def _undone(raw: bytes, rewrite: Rewrite) -> bytes:
    return formats.undo(rewrite.format_name, raw, _edits(rewrite))


def _edits(rewrite: Rewrite) -> list[Edit]:
    return [Edit(e.location, e.start, e.end, e.original) for e in rewrite.edits]
