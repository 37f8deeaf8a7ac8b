"""Presidio's anonymizer with this vault: an operator each way, and what is found here as recognizer results.

Needs the extra nymlink[presidio]. Presidio, or `recognize`, finds the spans; the vault gives what is written
there, and keeps the way back:

    names = VaultNames(vault, project="study-12")
    hidden = AnonymizerEngine(); hidden.add_anonymizer(VaultPseudonymize)
    result = hidden.anonymize(text, found, names.operators_for(text, found))
    names.keep(text, result)

A person's pseudonym is the same in every text of the project. The profile, of VaultNames or of the project,
says what becomes of other kinds; under `names` each other text gets a token, as before there were profiles.
data/presidio.toml says which kind each of Presidio's names stands for.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from presidio_anonymizer.entities import EngineResult, InvalidParamError, OperatorConfig, RecognizerResult
from presidio_anonymizer.operators import Operator, OperatorType

from linkage.kinds import LITERAL, Link
from linkage.names.shipped import parse_by_shipped_lists
from linkage.records import (
    Detector,
    Document,
    KindId,
    Mention,
    PersonName,
    Span,
)
from pseudonymizer.engine.single_names import SingleTexts, WrittenText
from pseudonymizer.errors import InvalidRecordError
from pseudonymizer.presidio_entities import PresidioEntities
from pseudonymizer.project import Project
from pseudonymizer.records import LabelState, Style
from pseudonymizer.styles.labels import LABEL_LIKE
from pseudonymizer.styles.looks import is_code_look

if TYPE_CHECKING:
    from pseudonymizer.vault.api import MentionLinker, VaultApi

PERSON: Final = "PERSON"
PSEUDONYMIZE: Final = "nymlink_pseudonymize"
REVEAL: Final = "nymlink_reveal"
_PERSON: Final = KindId(PERSON)
_NO_KIND: Final = KindId("")  # of a text that gets a token, whatever it is


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


def recognize(project: Project, text: str) -> list[RecognizerResult]:
    """What the project finds in a text, of all kinds, in its order, by the names that Presidio has for kinds.
    A person inside an address stands beside the address. Nothing is stored.
    """
    entities = PresidioEntities.load()
    found: list[RecognizerResult] = []
    for document in project.find(text):
        if document.is_prose:
            found += recognizer_results(one.mention for one in document.mentions)
            for value in document.values:
                if value.kind != LITERAL:
                    found += recognizer_results([value.mention], entity_type=entities.name_of(value))
    return sorted(found, key=lambda one: (one.start, -one.end))


@dataclass(slots=True)
class VaultNames:
    """What is written in place of texts that Presidio found, and their way back. Each new text is durable
    before anything is written for it.

    Without a linker people are the same where their full names are (or the very texts); with one, variants of
    known people are found as in a run. A vault service links by itself. parse takes a name apart. profile,
    treat: as of Project.open. style: that of people; None: that of the project, but tokens under the profile
    `names`.
    """

    vault: "VaultApi" = field(repr=False)
    project: str
    purpose: str = ""
    linker: "Callable[[], MentionLinker] | None" = field(default=None, repr=False)
    parse: Callable[[str], PersonName] = field(default=parse_by_shipped_lists, repr=False)
    style: Style | None = None
    profile: str | None = None
    treat: Mapping[str, str] | None = None
    # By kind and text, what is written; by entity type and text, which of these it is; by label, the name.
    _written: dict[tuple[KindId, str], WrittenText] = field(default_factory=dict, repr=False)
    _keys: dict[tuple[str, str], tuple[KindId, str]] = field(default_factory=dict, repr=False)
    _names: dict[str, str] = field(default_factory=dict, repr=False)

    def operators(self, entity_types: Iterable[str] = ("DEFAULT",)) -> dict[str, OperatorConfig]:
        """Operators for anonymize, for these entity types; by default for all that were found.

        Each text is treated when its turn comes, and Presidio begins at the end: an address follows the
        people of earlier texts alone. operators_for knows those of the same text.
        """
        return {one: OperatorConfig(PSEUDONYMIZE, {"names": self}) for one in entity_types}

    def operators_for(
        self, text: str, found: Iterable[Recognized], entity_types: Iterable[str] = ("DEFAULT",)
    ) -> dict[str, OperatorConfig]:
        """Operators for anonymize of this text. Addresses follow the people whom it names, and the vault is
        asked once for everything that was found.
        """
        self.write_entities((one.entity_type, text[one.start : one.end]) for one in found)
        return self.operators(entity_types)

    def keep(self, text: str, result: EngineResult) -> None:
        """Store what undoes an anonymized text, as is done for a file: `Project.restore` gives it back.

        Raises:
            InvalidRecordError: the result does not come from this text, or other operators had a part in it.
        """
        with self.vault.lock:
            self._opened().keep_way_back(text, self._places(text, result))

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
        self.write_entities((PERSON if is_person else "", text) for text, is_person in texts.items())

    def write_entities(self, found: Iterable[tuple[str, str]]) -> None:
        """Make sure that what is written in place of each text is known. found: entity types with texts."""
        new = [one for one in dict.fromkeys(found) if one not in self._keys]
        if not new:
            return
        project = self._opened()
        keys = self._kinds_of(new, project)
        wanted = [key for key in dict.fromkeys(keys.values()) if key not in self._written]
        names = [text for kind, text in wanted if kind == _PERSON]
        values = [key for key in wanted if key[0] not in (_PERSON, _NO_KIND)]
        if any(project.finder.kinds[kind].link is Link.SPELLS for kind, _ in values):
            names += [text for kind, text in self._written if kind == _PERSON]
        if wanted:
            others = [text for kind, text in wanted if kind == _NO_KIND]
            texts = SingleTexts({text: self.parse(text) for text in names}, values, others)
            written = project.write_texts(texts, linker=self.linker)
            self._written |= written.values
            for kind, texts_of_kind in ((_PERSON, written.names), (_NO_KIND, written.others)):
                self._written |= {(kind, text): one for text, one in texts_of_kind.items()}
        self._keys |= keys

    def text_for(self, text: str, entity_type: str) -> str:
        """What is written in place of a text that Presidio calls by this name."""
        self.write_entities([(entity_type, text)])
        return self._written[self._keys[entity_type, text]].text

    def label(self, text: str, *, is_person: bool) -> str:
        """The pseudonym of a text."""
        return self.text_for(text, PERSON if is_person else "")

    def read(self, labels: Sequence[str]) -> None:
        """Have what stands behind these labels, those that were had already left out.

        Addresses that follow a person come back where the project has kept exactly one such address. Other
        texts that are no labels stay as they are: they were kept, or have no way back outside a whole text.
        """
        new = [label for label in dict.fromkeys(labels) if label not in self._names]
        if not new:
            return
        project = self._opened()
        stored = self.vault.read_labels(self.project, [label.strip().upper() for label in new])
        issued = (LabelState.ISSUED, LabelState.SHARED)
        label_of = {
            text: one.label or text
            for text, one in zip(new, stored, strict=True)
            if one.state in issued or _looks_like_label(text)
        }
        found = project.reveal(list(label_of), purpose=self.purpose) if label_of else {}
        for text in new:
            if text in label_of:
                self._names[text] = found[text if text in found else label_of[text]].name
            else:
                self._names[text] = project.restore(text, purpose=self.purpose).decode(
                    "utf-8", "surrogatepass"
                )

    def name(self, label: str) -> str:
        """The name behind a label."""
        self.read([label])
        return self._names[label]

    def _kinds_of(
        self, found: Sequence[tuple[str, str]], project: Project
    ) -> dict[tuple[str, str], tuple[KindId, str]]:
        """The kind of each text, with the text; no kind where the plan says nothing of it."""
        is_planned = any(entity_type != PERSON for entity_type, _ in found) and not project.plan().is_names
        kinds: dict[tuple[str, str], tuple[KindId, str]] = {}
        for entity_type, text in found:
            kind: KindId | None = _PERSON if entity_type == PERSON else None
            if kind is None and is_planned:
                kind = PresidioEntities.load().kind_of(entity_type, text, project.finder)
            kinds[entity_type, text] = (_NO_KIND if kind in (None, LITERAL) else kind, text)
        return kinds

    def _places(self, text: str, result: EngineResult) -> list[tuple[Span, WrittenText]]:
        """Where in the text stood what the items of a result take the place of."""
        originals: dict[str, dict[str, WrittenText]] = {}
        for (_, original), written in self._written.items():
            originals.setdefault(written.text, {})[original] = written
        pattern: list[str] = []
        read_to = 0
        items = sorted(result.items, key=lambda item: int(item.start))
        for item in items:
            choices = sorted(originals.get(item.text, ()), key=len, reverse=True)
            pattern += [
                re.escape(result.text[read_to : item.start]),
                f"({'|'.join(map(re.escape, choices))})",
            ]
            read_to = item.end
        found = re.fullmatch("".join([*pattern, re.escape(result.text[read_to:])]), text)
        if found is None:
            raise InvalidRecordError(
                "the result does not come from this text, or not by these operators alone; keep each text "
                "with the result that was made of it"
            )
        return [
            (Span(*found.span(number)), originals[item.text][found[number]])
            for number, item in enumerate(items, start=1)
        ]

    def _opened(self) -> Project:
        opened = Project.open(
            self.vault, self.project, style=self.style, profile=self.profile, treat=self.treat
        )
        if self.style is None and opened.plan().is_names:
            return Project.open(
                self.vault, self.project, style=Style.TOKEN, profile=self.profile, treat=self.treat
            )
        return opened


def _looks_like_label(text: str) -> bool:
    """Whether a text has the look of a label, of this project or of another."""
    typed = text.strip().upper()
    return LABEL_LIKE.fullmatch(typed) is not None or is_code_look(typed)


class VaultPseudonymize(Operator):
    """Presidio's anonymize operator. Its parameter `names` is a VaultNames, which knows the entity types."""

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        given = params or {}
        names: VaultNames = given["names"]
        return names.text_for(text, str(given.get("entity_type", PERSON)))

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Raises InvalidParamError without a VaultNames."""
        _validate(params)

    def operator_name(self) -> str:
        return PSEUDONYMIZE

    def operator_type(self) -> OperatorType:
        return OperatorType.Anonymize


class VaultReveal(Operator):
    """Presidio's deanonymize operator: what stands behind a label, for the stated purpose, on record."""

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
