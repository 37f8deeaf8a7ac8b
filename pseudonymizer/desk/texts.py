"""Texts of programs: found, written with labels, and restored, by a Project that stays open."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

import msgspec

from linkage.kinds import LITERAL, PERSON, Kinds
from linkage.pipeline import LinkagePipeline
from linkage.records import Document, DocumentId, EntityId, Span
from pseudonymizer.answers import Failure, FoundDocument, LinkedDocuments, PseudonymizedDocument
from pseudonymizer.desk.answered import (
    FailedText,
    FoundMention,
    FoundText,
    FoundTexts,
    RestoredOne,
    RestoredTexts,
    WrittenMention,
    WrittenText,
    WrittenTexts,
)
from pseudonymizer.desk.asked import (
    DetectTexts,
    GivenText,
    PseudonymizeTexts,
    RestoreStream,
    RestoreTexts,
    TreatOptions,
)
from pseudonymizer.desk.models import WARM_TEXT, Models
from pseudonymizer.desk.offsets import Places
from pseudonymizer.desk.text_options import (
    ServiceSettings,
    WrongOptionError,
    named_kinds,
    only_kinds,
    refuse_other_terms,
    with_lists,
    with_treatments,
)
from pseudonymizer.engine.records import LinkingPart
from pseudonymizer.errors import (
    GrantInvalidError,
    SettingsError,
    UnknownProjectError,
    UntreatedDocumentError,
)
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.runs.restore import RestoredText
from pseudonymizer.runs.restoring_stream import RestoringStream
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.vault.api import VaultApi

_KEPT_PROJECTS: Final = 16  # with their options; each has the lists that its styles read
_ProjectKey = tuple[int, str, str, bytes]
_BYTE_ORDER_MARK: Final = "\ufeff"


class TextDesk:
    """Answers requests about texts. The vault is an argument: each caller has one in his own name."""

    def __init__(self, settings: ServiceSettings, models: Models, projects: Sequence[str]) -> None:
        """projects: those that are made with their first text where the vault has them not."""
        self._settings = settings
        self._models = models
        self._new_projects = frozenset(projects)
        self._base = settings.options(models.load)
        self._projects: OrderedDict[_ProjectKey, Project] = OrderedDict()

    @property
    def kinds(self) -> Kinds:
        """Every kind that the service knows."""
        return self._base.settings.own.all_kinds

    def warm_up(self) -> None:
        """Load what the first text needs: models, lists and what reads and links a text."""
        self._models.warm_up()
        project = self.project_without_vault()
        project.link(project.find([WARM_TEXT]))

    def read_ahead(self, texts: Sequence[str]) -> None:
        """Let the network read texts of several requests in one go; see LinkagePipeline.read_ahead."""
        pipeline = self._models.load()
        if isinstance(pipeline, LinkagePipeline):
            language = self._settings.linkage.recognition.language
            pipeline.read_ahead(
                [
                    Document(DocumentId(f"ahead {number}"), _bare(text), language)
                    for number, text in enumerate(texts)
                ]
            )

    def detect(self, asked: DetectTexts) -> FoundTexts:
        """What is found in the texts, with a number for each person of the request.

        Raises:
            WrongOptionError: an option of the request cannot be.
        """
        options = with_lists(self._base, asked, self._models.with_lists)
        kinds = options.settings.own.all_kinds
        wanted = None if asked.kinds is None else named_kinds(asked.kinds, kinds)
        project = Project.without_vault(options)
        found = project.find([_bare(one.text) for one in asked.texts], min_confidence=asked.min_confidence)
        prose = _by_input(found, len(asked.texts))
        linked = project.link([one for one in prose if one is not None and one.failure is None])
        numbers = _person_numbers(linked)
        texts = []
        for given, document in zip(asked.texts, prose, strict=True):
            if document is None or document.failure is not None:
                failure = None if document is None else document.failure
                texts.append(FoundText(given.id, (), _failed(failure)))
                continue
            places = Places.of(given.text, asked.offset_unit)
            persons = [one.mention for one in document.mentions]
            mentions = [
                FoundMention(
                    *places.of_span(_moved(one.span, given.text)), str(one.kind), str(one.detector),
                    round(one.confidence, 4), numbers.get(one.mention_id),
                )
                for one in (*persons, *(value.mention for value in document.values))
                if one.kind != LITERAL and (wanted is None or one.kind in wanted)
            ]  # fmt: skip
            mentions.sort(key=lambda one: (one.start, -one.end))
            texts.append(FoundText(given.id, tuple(mentions)))
        shown = {one.person for text in texts for one in text.mentions if one.person is not None}
        return FoundTexts(tuple(texts), len(shown))

    def pseudonymize(self, vault: VaultApi, name: str, asked: PseudonymizeTexts) -> WrittenTexts:
        """The texts with labels in them. Labels and the way back are in the vault by then.

        Raises:
            UnknownProjectError: the service makes no project of this name.
            WrongOptionError, RestyleNeededError: an option of the request cannot be.
            UntreatedDocumentError: none of the texts could be treated.
            VaultError, AccessRefusedError: see Project.pseudonymize.
        """
        project = self._project(vault, name, asked)
        bare = [_bare(one.text) for one in asked.texts]
        answer = project.pseudonymize(bare, min_confidence=asked.min_confidence)
        if answer.failures == len(asked.texts):
            raise UntreatedDocumentError("none of the texts could be treated")
        links = [(link.left, link.right) for link in answer.open_links]
        numbers: dict[str, int] = {}
        for document in answer:
            for one in document.mentions:
                if one.kind == PERSON and one.entity is not None:
                    numbers.setdefault(one.entity, len(numbers) + 1)
        texts = tuple(
            _written(given, document, links, numbers, asked.offset_unit)
            for given, document in zip(asked.texts, answer, strict=True)
        )
        receipt = project.receipt(bare, answer) if asked.receipt else None
        return WrittenTexts(texts, receipt, vault.last_event)

    def restore(self, vault: VaultApi, name: str, asked: RestoreTexts) -> RestoredTexts:
        """The texts with names in place of labels; each is on record.

        Raises:
            UnknownProjectError: the vault has no project of this name.
            AccessRefusedError, PurposeRequiredError, GrantInvalidError, ReceiptInvalidError: on record.
            BatchError: a text of made_from is no output of the project.
        """
        if asked.grant is not None and len(asked.texts) > 1:
            raise GrantInvalidError("a grant works once, for one text; send one text with it")
        project = Project(vault, self._known(vault, name), self._base)
        if asked.receipt is not None:
            back = [
                project.give_back(_bare(one.text), asked.receipt, purpose=asked.purpose, ticket=asked.ticket)
                for one in asked.texts
            ]
            return RestoredTexts(tuple(map(_restored, asked.texts, back)), _last_event(back))
        made_from = [_bare(text).encode("utf-8", "surrogatepass") for text in asked.made_from]
        back = [
            project.restore_text(
                _bare(given.text), purpose=asked.purpose, ticket=asked.ticket, grant=asked.grant,
                made_from=made_from, is_confirmed=asked.confirm_project,
            )
            for given in asked.texts
        ]  # fmt: skip
        return RestoredTexts(tuple(map(_restored, asked.texts, back)), _last_event(back))

    def restore_stream(self, vault: VaultApi, name: str, asked: RestoreStream) -> RestoringStream:
        """The stream that restores one text that comes in pieces; what it gives is on record.

        Raises:
            UnknownProjectError: the vault has no project of this name.
            WrongOptionError: there is a receipt, and outputs.
        """
        if asked.receipt is not None and asked.made_from:
            raise WrongOptionError("made_from")
        made_from = [_bare(text).encode("utf-8", "surrogatepass") for text in asked.made_from]
        return Project(vault, self._known(vault, name), self._base).restore_stream(
            purpose=asked.purpose, ticket=asked.ticket, made_from=made_from,
            is_confirmed=asked.confirm_project, receipt=asked.receipt, notation=asked.notation,
        )  # fmt: skip

    def project_of(self, vault: VaultApi, name: str, asked: TreatOptions) -> Project:
        """The project with the options of a request; see pseudonymize."""
        return self._project(vault, name, asked)

    def stored_project(self, vault: VaultApi, name: str) -> Project:
        """The project, which the vault has, with the options of the service alone.

        Raises:
            UnknownProjectError: the vault has no project of this name.
        """
        return Project(vault, self._known(vault, name), self._base)

    def options_of(self, vault: VaultApi, name: str) -> Project:
        """The project with the options of the service alone.

        Raises:
            UnknownProjectError: the service makes no project of this name.
        """
        return Project(vault, self._usable(vault, name), self._base)

    def project_without_vault(self) -> Project:
        """A project that knows nobody, with the options of the service."""
        return Project.without_vault(self._base)

    @property
    def linker(self) -> LinkingPart:
        """The linker of the models."""
        return self._models.load().linker

    def make(self, vault: VaultApi, name: str) -> None:
        """The vault has the project from now on, by a unit of work of its own. Raises as ensure does."""
        with vault.lock:
            self.ensure(vault, name)
            vault.commit()

    def ensure(self, vault: VaultApi, name: str) -> None:
        """The vault has the project from now on. The caller commits.

        Raises:
            UnknownProjectError: the service makes no project of this name.
        """
        vault.ensure_project(self._usable(vault, name), self._base.new_project)

    def _project(self, vault: VaultApi, name: str, asked: TreatOptions) -> Project:
        """The project with the options of the request; that of equal options is kept, with what it loaded."""
        usable = self._usable(vault, name)
        options = self._checked(vault, usable, asked)
        lists = msgspec.msgpack.encode((asked.always, asked.never))
        key = (id(vault), usable, repr((options.styles, options.scope, options.treatments)), lists)
        kept = self._projects.pop(key, None)
        if kept is None:
            kept = Project(vault, usable, with_lists(options, asked, self._models.with_lists))
        self._projects[key] = kept
        if len(self._projects) > _KEPT_PROJECTS:
            self._projects.popitem(last=False)
        return kept

    def _checked(self, vault: VaultApi, name: str, asked: TreatOptions) -> ProjectOptions:
        """The options of the request over those of the service, without its lists. Nothing of the vault stays
        open.
        """
        with _rolled_back(vault):
            treated = with_treatments(self._base, asked)
            plan = _plan(vault, name, treated)
            if not asked.restyle and name in vault.projects():
                refuse_other_terms(Project(vault, name, self._base).plan(), plan)
            return only_kinds(treated, plan, asked.kinds)

    def _usable(self, vault: VaultApi, name: str) -> str:
        return name if name in self._new_projects else self._known(vault, name)

    def _known(self, vault: VaultApi, name: str) -> str:
        with _rolled_back(vault):
            if name not in vault.projects():
                raise UnknownProjectError("there is no project of this name")
        return name

    def forget(self, vault: VaultApi) -> None:
        """Drop what is kept of a vault that is closed."""
        for key, kept in list(self._projects.items()):
            if kept.vault is vault:
                del self._projects[key]


def _plan(vault: VaultApi, name: str, options: ProjectOptions) -> Plan:
    """The plan of a project under these options.

    Raises:
        WrongOptionError: the project cannot have them.
    """
    try:
        return Project(vault, name, options).plan()
    except SettingsError:
        raise WrongOptionError("treatments") from None


@contextmanager
def _rolled_back(vault: VaultApi) -> Iterator[None]:
    try:
        with vault.lock:
            yield
    finally:
        vault.rollback()


def _bare(text: str) -> str:
    """The text without the byte order marks at its head, the first of which plain text is read without."""
    return text.lstrip(_BYTE_ORDER_MARK)


def _mark_of(text: str) -> str:
    return text[: len(text) - len(_bare(text))]


def _moved(span: Span, text: str) -> Span:
    """A span of the bare text as one of the text."""
    shift = len(_mark_of(text))
    return Span(span.start + shift, span.end + shift) if shift else span


def _by_input(found: Sequence[FoundDocument], count: int) -> list[FoundDocument | None]:
    """The running text of each input; an input without any has None."""
    by_name = {one.name: one for one in found if one.is_prose or one.failure is not None}
    return [by_name.get(f"text {number}") for number in range(1, count + 1)]


def _person_numbers(linked: LinkedDocuments) -> dict[object, int]:
    """The number of the person of each mention, from 1 in the order of the texts."""
    numbers: dict[str, int] = {}
    found: dict[object, int] = {}
    for document in linked.documents:
        for one in document.mentions:
            identity = linked.result.identity_of(one.mention_id).identity_id
            found[one.mention_id] = numbers.setdefault(identity, len(numbers) + 1)
    return found


def _last_event(restored: Iterable[RestoredText]) -> int:
    return max((one.audit_sequence for one in restored), default=0)


def _restored(given: GivenText, restored: RestoredText) -> RestoredOne:
    labels = restored.labels
    return RestoredOne(
        given.id, _mark_of(given.text) + restored.content.decode("utf-8", "replace"), restored.how,
        labels.restored, labels.unknown, labels.malformed, restored.one_way,
    )  # fmt: skip


def _failed(failure: Failure | None) -> FailedText:
    return FailedText("", "") if failure is None else FailedText(failure.error, failure.reason)


def _written(
    given: GivenText,
    document: PseudonymizedDocument,
    links: Sequence[tuple[EntityId, EntityId]],
    numbers: Mapping[str, int],
    unit: str,
) -> WrittenText:
    if document.failure is not None:
        return WrittenText(given.id, None, (), 0, {}, _failed(document.failure))
    new_text = _mark_of(given.text) + (document.text or "")
    before, after = Places.of(given.text, unit), Places.of(new_text, unit)
    mentions = []
    for one in document.mentions:
        new_start, new_end = None, None
        if one.new_span is not None:
            new_start, new_end = after.of_span(_moved(one.new_span, given.text))
        mentions.append(
            WrittenMention(
                *before.of_span(_moved(one.span, given.text)), one.kind, one.label, new_start, new_end,
                None if one.detector is None else str(one.detector),
                None if one.confidence is None else round(one.confidence, 4),
                numbers.get(one.entity or "") if one.kind == PERSON else None,
            )
        )  # fmt: skip
    persons = {one.entity for one in document.mentions if one.kind == PERSON}
    open_links = sum(left in persons or right in persons for left, right in links)
    return WrittenText(given.id, new_text, tuple(mentions), open_links, dict(document.left_in))
