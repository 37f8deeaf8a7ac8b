"""What is written in place of names and values that another program found and gives without their text."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from linkage.detection.finder import ValueFinder
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    EntityId,
    KindId,
    LinkageResult,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
)
from pseudonymizer.assignment import one_person_a_key
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.engine.file_work import FileWork
from pseudonymizer.engine.following import Follower
from pseudonymizer.engine.labelling import Labelling, label_result, linked_and_labelled
from pseudonymizer.engine.mentions import as_values
from pseudonymizer.engine.records import (
    NO_DOCUMENT,
    GivenMention,
    Label,
    LinkingPart,
    PartFound,
    PartPlaces,
    RenderTask,
)
from pseudonymizer.engine.styling import Styling
from pseudonymizer.engine.value_labels import before_spelling
from pseudonymizer.engine.way_back import rewrite_of
from pseudonymizer.records import Linked
from pseudonymizer.settings import ONE_WAY, StyleSettings

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_TEXT: Final = Path("text.txt")  # the path of a text: its suffix says plain text
TypedText = tuple[KindId, str]  # a kind of values, and a text that is of it


@dataclass(frozen=True, slots=True)
class SingleTexts:
    """Texts to be written anew, each by itself.

    names: the parts of each name, by its text. values: texts of other kinds than persons. others: texts of no
    kind; each gets a token of its own.
    """

    names: Mapping[str, PersonName] = field(default_factory=dict, repr=False)
    values: Sequence[TypedText] = field(default=(), repr=False)
    others: Sequence[str] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class WrittenText:
    """What is written in place of a text: the text itself where it stays.

    owner: the person or the value that what undoes it belongs to. is_one_way: nothing that undoes it is kept.
    """

    text: str = field(repr=False)
    owner: EntityId | None = None
    is_one_way: bool = False


@dataclass(frozen=True, slots=True)
class WrittenTexts:
    """What is written in place of each name, of each value, and of each other text, by the text."""

    names: Mapping[str, WrittenText] = field(default_factory=dict, repr=False)
    values: Mapping[TypedText, WrittenText] = field(default_factory=dict, repr=False)
    others: Mapping[str, WrittenText] = field(default_factory=dict, repr=False)


def write_texts(
    vault: "VaultApi",
    project: str,
    texts: SingleTexts,
    styling: Styling,
    *,
    linker: Callable[[], LinkingPart] | None = None,
    finder: ValueFinder | None = None,
) -> WrittenTexts:
    """What is written in place of names, values and other texts. It is durable in the vault by then.

    The plan of styling says what becomes of values; those that spell one of the names follow its person.
    linker: finds variants of known names, as in a run. Without one, two names are one person where both are
    the same full name, or the same text. finder: of the kinds in use; None: of the shipped kinds.
    """
    with vault.lock:
        try:
            return _written(vault, project, texts, styling, linker, finder)
        except BaseException:
            vault.rollback()
            raise


def keep_way_back(
    vault: "VaultApi",
    project: str,
    work: FileWork,
    text: str,
    replaced: Iterable[tuple[Span, WrittenText]],
) -> None:
    """Store what undoes a text in which spans were replaced, as for a text of standard input. It is durable
    then. replaced: does not overlap.
    """
    raw = text.encode("utf-8", "surrogatepass")
    labels = tuple(
        Label("", span, one.text, one.owner, is_one_way=one.is_one_way)
        for span, one in replaced
        if one.text != span.cut(text)
    )
    rendered, _ = work.rewrite(
        RenderTask(NO_DOCUMENT, _TEXT, "", digest_sha256((raw,)), labels, content=raw)
    )  # fmt: skip
    if not rendered.is_changed:
        return
    with vault.lock:
        try:
            rewrite = rewrite_of(vault, project, rendered, place="-", path=None)
            vault.store_rewrites(project, [(rewrite, rendered.raw)])
            vault.commit()
        except BaseException:
            vault.rollback()
            raise


def _written(
    vault: "VaultApi",
    project: str,
    texts: SingleTexts,
    styling: Styling,
    linker: Callable[[], LinkingPart] | None,
    finder: ValueFinder | None,
) -> WrittenTexts:
    vault.ensure_project(project)
    vault.commit()
    mentions = {text: _mention(vault, project, text, name) for text, name in texts.names.items()}
    places = _places(vault, project, texts.values, finder) if styling.plan.written else {}
    vault.rollback()
    labelling = Labelling.of_nothing(styling)
    label = partial(
        label_result, vault, project, looks=(), styling=styling, parts=list(places.values())
    )  # fmt: skip
    if mentions:
        linking = partial(_linked, vault, project, list(mentions.values()), linker)
        _, labelling = linked_and_labelled(vault, linking, label)
    elif places:
        labelling = label(Linked(LinkageResult((), ())))
    names = {
        text: labelling.of([PartPlaces("", [(0, len(text), mention.mention_id)])]).labels[0]
        for text, mention in mentions.items()
    }
    values = _values(texts.values, places, labelling, names.values(), styling.settings)
    literals = {text: vault.literal_label(project, text) for text in dict.fromkeys(texts.others)}
    vault.commit()
    return WrittenTexts(
        {text: _as_labelled(text, label) for text, label in names.items()},
        values,
        {text: WrittenText(one.label, one.entity_id) for text, one in literals.items()},
    )


def _as_labelled(text: str, label: Label) -> WrittenText:
    """What a label says to write in place of a text."""
    return WrittenText(text if label.label is None else label.label, label.entity_id, label.is_one_way)


def _values(
    values: Sequence[TypedText],
    places: Mapping[TypedText, PartPlaces],
    labelling: Labelling,
    names: Collection[Label],
    styles: StyleSettings,
) -> dict[TypedText, WrittenText]:
    """What is written in place of each value: what follows a person, or its label, or its own text."""
    follower = Follower(labelling.people()).within(list(names), keep_domain=styles.keep_domain)
    written: dict[TypedText, WrittenText] = {}
    for kind, text in dict.fromkeys(values):
        place = places.get((kind, text))
        label = next(iter(labelling.of([place]).labels), None) if place is not None else None
        followed = None
        if label is None or label.is_fallback:  # any other label says all, that of a name that stays too
            followed = _followed(follower, kind, text, styles)
        unchanged = WrittenText(text) if label is None else _as_labelled(text, label)
        written[kind, text] = followed or unchanged
    return written


def _followed(follower: Follower, kind: KindId, text: str, styles: StyleSettings) -> WrittenText | None:
    """The text with the labels of persons in place of the names that it spells; None where it spells none."""
    before = before_spelling(kind)
    pieces: list[str] = []
    owners: list[EntityId | None] = []
    is_one_way = False
    read_to = len(before)
    read = before + text
    for found in follower.index.find(read):
        followed = follower.follow(found)
        if found.span.start < read_to or followed is None:
            continue
        owners.append(followed[0])
        pieces += [read[read_to : found.span.start], followed[1]]
        is_one_way = is_one_way or styles.of_kind(found.kind.value) in ONE_WAY
        read_to = found.span.end
    if not owners:
        return None
    owner = owners[0] if len(set(owners)) == 1 else None
    return WrittenText("".join([*pieces, read[read_to:]]), owner, is_one_way)


def _mention(vault: "VaultApi", project: str, text: str, name: PersonName) -> NormalizedMention:
    """The mention of a name in a document of its own, whose id is keyed: one text is one mention for ever."""
    doc_id = DocumentId(vault.document_id(project, f"\0presidio {text}"))
    found = Mention.at(Document(doc_id, text), Span(0, len(text)), detector=Detector.NER, confidence=1.0)
    return NormalizedMention(found, name)


def _places(
    vault: "VaultApi", project: str, values: Sequence[TypedText], finder: ValueFinder | None
) -> dict[TypedText, PartPlaces]:
    """The place of each value in a document of its own, whose id is keyed."""
    places: dict[TypedText, PartPlaces] = {}
    for kind, text in values:
        doc_id = DocumentId(vault.document_id(project, f"\0presidio {kind}\0{text}"))
        given = GivenMention(Span(0, len(text)), text, Detector.PATTERN, kind=kind)
        found = tuple(as_values(Document(doc_id, text), [given], finder=finder))
        places[kind, text] = PartFound("", None, len(text), (), found).places
    return places


def _linked(
    vault: "VaultApi",
    project: str,
    mentions: Sequence[NormalizedMention],
    linker: Callable[[], LinkingPart] | None,
) -> Linked:
    if linker is not None:
        return vault.linked(project, mentions, linker=linker)
    result = one_person_a_key(mentions, lambda m: m.name if m.name.is_full else m.mention.surface)
    return Linked(result)  # no known person was looked at: the blind index finds full names
