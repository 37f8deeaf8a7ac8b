"""Presidio's anonymizer with this vault: an operator each way, and recognizer results as mentions.

Needs the extra nymlink[presidio]. Presidio finds the spans; the vault gives and keeps the pseudonyms:

    vault_names = VaultNames(vault, project="study-12")
    hidden = AnonymizerEngine(); hidden.add_anonymizer(VaultPseudonymize)
    result = hidden.anonymize(text, analyzer_results, vault_names.operators())

A person's pseudonym is the same in every text of the project. The way back gives the fullest form of the name
that the project has met, which need not be the form in this text; what is no person's comes back as it was.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from presidio_anonymizer.entities import InvalidParamError, OperatorConfig, RecognizerResult
from presidio_anonymizer.operators import Operator, OperatorType

from linkage.normalization.shipped import parse_by_shipped_lists
from linkage.records import (
    Detector,
    Document,
    Mention,
    PersonName,
    Span,
)
from pseudonymizer.project import Project
from pseudonymizer.records import Style

if TYPE_CHECKING:
    from pseudonymizer.vault.api import MentionLinker, VaultApi

PERSON: Final = "PERSON"
PSEUDONYMIZE: Final = "nymlink_pseudonymize"
REVEAL: Final = "nymlink_reveal"


class Recognized(Protocol):
    """A RecognizerResult of presidio-analyzer or of presidio-anonymizer."""

    @property
    def entity_type(self) -> str: ...

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def score(self) -> float: ...


def mentions_of(
    document: Document, results: Iterable[Recognized], *, entity_types: Collection[str] = (PERSON,)
) -> tuple[Mention, ...]:
    """The people among recognizer results, as mentions in the order of the text. Of two that overlap the one
    with the higher score stays, then the longer one.
    """
    people = [one for one in results if one.entity_type in entity_types]
    people.sort(key=lambda one: (-one.score, one.start - one.end, one.start))
    chosen: list[Recognized] = []
    for one in people:
        if all(one.end <= other.start or other.end <= one.start for other in chosen):
            chosen.append(one)
    return tuple(
        Mention.at(
            document, Span(one.start, one.end), detector=Detector.NER,
            confidence=min(1.0, max(0.0, float(one.score))),
        )
        for one in sorted(chosen, key=lambda one: one.start)
    )  # fmt: skip


def recognizer_results(mentions: Iterable[Mention], *, entity_type: str = PERSON) -> list[RecognizerResult]:
    """Mentions as Presidio's anonymizer takes them."""
    return [RecognizerResult(entity_type, m.span.start, m.span.end, m.confidence) for m in mentions]


@dataclass(slots=True)
class VaultNames:
    """Pseudonyms of a project for Presidio's operators. Each new text is durable before its label is given.

    Without a linker people are the same where their full names are (or the very texts); with one, variants of
    known people are found as in a run. A vault service links by itself. parse takes a name apart. style is
    that of people; other texts get tokens. Labels of every style are revealed.
    """

    vault: "VaultApi" = field(repr=False)
    project: str
    purpose: str = ""
    linker: "Callable[[], MentionLinker] | None" = field(default=None, repr=False)
    parse: Callable[[str], PersonName] = field(default=parse_by_shipped_lists, repr=False)
    style: Style = Style.TOKEN
    _labels: dict[tuple[bool, str], str] = field(default_factory=dict, repr=False)
    _names: dict[str, str] = field(default_factory=dict, repr=False)

    def operators(self, entity_types: Iterable[str] = ("DEFAULT",)) -> dict[str, OperatorConfig]:
        """Operators for anonymize, for these entity types; by default for all that were found."""
        return {one: OperatorConfig(PSEUDONYMIZE, {"names": self}) for one in entity_types}

    def revealing(
        self, items: Sequence[Any], entity_types: Iterable[str] = ("DEFAULT",)
    ) -> dict[str, OperatorConfig]:
        """Operators for deanonymize, with the names of all items had in one audited request.

        Raises:
            AccessRefusedError and its children, UnknownPseudonymError: as reveal does.
        """
        self.read([item.text for item in items if item.text])
        return {one: OperatorConfig(REVEAL, {"names": self}) for one in entity_types}

    def write(self, texts: Mapping[str, bool]) -> None:
        """Make sure that each text has a pseudonym; the value says whether it is a person."""
        new = [(is_person, text) for text, is_person in texts.items()]
        new = [key for key in new if key not in self._labels]
        if not new:
            return
        people = {text: self.parse(text) for is_person, text in new if is_person}
        others = [text for is_person, text in new if not is_person]
        found = self._opened.label_names(people, others, linker=self.linker)
        self._labels |= {(True, text): label for text, label in found.names.items()}
        self._labels |= {(False, text): label for text, label in found.others.items()}

    def label(self, text: str, *, is_person: bool) -> str:
        """The pseudonym of a text."""
        self.write({text: is_person})
        return self._labels[is_person, text]

    def read(self, labels: Sequence[str]) -> None:
        """Have the names behind these labels, those that were had already left out."""
        new = [label for label in dict.fromkeys(labels) if label not in self._names]
        if new:
            found = self._opened.reveal(new, purpose=self.purpose)
            stored = self.vault.read_labels(self.project, [label.strip().upper() for label in new])
            label_of = {text: one.label or text for text, one in zip(new, stored, strict=True)}
            self._names |= {text: found[text if text in found else label_of[text]].name for text in new}

    def name(self, label: str) -> str:
        """The name behind a label."""
        self.read([label])
        return self._names[label]

    @property
    def _opened(self) -> Project:
        return Project.open(self.vault, self.project, style=self.style)


class VaultPseudonymize(Operator):
    """Presidio's anonymize operator. Its parameter `names` is a VaultNames; PERSON is a person, anything else
    is kept as text.
    """

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        given = params or {}
        names: VaultNames = given["names"]
        return names.label(text, is_person=given.get("entity_type", PERSON) == PERSON)

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Raises InvalidParamError without a VaultNames."""
        _validate(params)

    def operator_name(self) -> str:
        return PSEUDONYMIZE

    def operator_type(self) -> OperatorType:
        return OperatorType.Anonymize


class VaultReveal(Operator):
    """Presidio's deanonymize operator: the name behind a label, for the stated purpose, on record."""

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        names: VaultNames = (params or {})["names"]
        return names.name(text)

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Raises InvalidParamError without a VaultNames."""
        _validate(params)

    def operator_name(self) -> str:
        return REVEAL

    def operator_type(self) -> OperatorType:
        return OperatorType.Deanonymize


def _validate(params: dict[str, Any] | None) -> None:
    if not isinstance((params or {}).get("names"), VaultNames):
        raise InvalidParamError("the parameter `names` must be a pseudonymizer.presidio.VaultNames")
