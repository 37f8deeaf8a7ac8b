"""Labels of single names that another program found and gives without their text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from linkage.records import (
    Detector,
    Document,
    DocumentId,
    KnownIdentity,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
)
from pseudonymizer.assignment import one_person_a_key
from pseudonymizer.engine.labelling import label_result, linked_and_labelled
from pseudonymizer.engine.records import LinkingPart, PartPlaces
from pseudonymizer.engine.styling import Styling
from pseudonymizer.records import Linked

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi


@dataclass(frozen=True, slots=True)
class NameLabels:
    """The label of each name, and of each other text, by the text."""

    names: Mapping[str, str] = field(default_factory=dict, repr=False)
    others: Mapping[str, str] = field(default_factory=dict, repr=False)


def label_names(
    vault: "VaultApi",
    project: str,
    names: Mapping[str, PersonName],
    others: Sequence[str],
    styling: Styling,
    *,
    linker: Callable[[], LinkingPart] | None = None,
    registered: Sequence[KnownIdentity] = (),
) -> NameLabels:
    """The labels of names and of other texts. They are durable in the vault by then.

    names: the parts of each name, by its text. others: texts that are no names; each gets a token of its own.
    linker: finds variants of known names, as in a run. Without one, two names are one person where both are
    the same full name, or the same text.
    """
    with vault.lock:
        try:
            return _labelled(vault, project, names, others, styling, linker, registered)
        except BaseException:
            vault.rollback()
            raise


def _labelled(
    vault: "VaultApi",
    project: str,
    names: Mapping[str, PersonName],
    others: Sequence[str],
    styling: Styling,
    linker: Callable[[], LinkingPart] | None,
    registered: Sequence[KnownIdentity],
) -> NameLabels:
    vault.ensure_project(project)
    vault.commit()
    mentions = {text: _mention(vault, project, text, name) for text, name in names.items()}
    vault.rollback()
    labels: dict[str, str] = {}
    if mentions:
        _, labelling = linked_and_labelled(
            vault,
            partial(_linked, vault, project, list(mentions.values()), linker, registered),
            partial(label_result, vault, project, looks=(), styling=styling, registered=registered),
        )
        for text, mention in mentions.items():
            place = PartPlaces("", [(0, len(text), mention.mention_id)])
            labels[text] = labelling.of([place]).labels[0].label or text
    literals = {text: vault.literal_label(project, text).label for text in dict.fromkeys(others)}
    vault.commit()
    return NameLabels(labels, literals)


def _mention(vault: "VaultApi", project: str, text: str, name: PersonName) -> NormalizedMention:
    """The mention of a name in a document of its own, whose id is keyed: one text is one mention for ever."""
    doc_id = DocumentId(vault.document_id(project, f"\0presidio {text}"))
    found = Mention.at(Document(doc_id, text), Span(0, len(text)), detector=Detector.NER, confidence=1.0)
    return NormalizedMention(found, name)


def _linked(
    vault: "VaultApi",
    project: str,
    mentions: Sequence[NormalizedMention],
    linker: Callable[[], LinkingPart] | None,
    registered: Sequence[KnownIdentity],
) -> Linked:
    if linker is not None:
        return vault.linked(project, mentions, linker=linker, registered=registered)
    result = one_person_a_key(mentions, lambda m: m.name if m.name.is_full else m.mention.surface)
    return Linked(result)  # no known person was looked at: the blind index finds full names
