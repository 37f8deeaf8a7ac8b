"""What is written in place of values of other kinds than persons: labels of the vault, treated texts."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from linkage.kinds import Link
from linkage.records import DocumentId, EntityId, KindId, MentionId, Span
from linkage.texts import mention_id_at
from pseudonymizer.engine.records import NO_DOCUMENT, Label, LabelledPerson, PartPlaces, PlacedValue
from pseudonymizer.engine.subjects import Named, Subjects
from pseudonymizer.formats.vocabulary import label
from pseudonymizer.identifiers import PersonIndex
from pseudonymizer.records import Scope, Style
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.surrogates.invented import InventedValues
from pseudonymizer.treatments.treating import TreatingByLanguage
from pseudonymizer.treatments.treatment import (
    Outcome,
    TreatedValue,
    Treatment,
    TreatmentKeys,
    WayBack,
)
from pseudonymizer.values import MetValue, Value, ValueLabels

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_KEY_BYTES: Final = 32
_USERNAME: Final = KindId("USERNAME")
# Kinds whose values are of one space: no surrogate of one may be a real value of another.
_ONE_SPACE: Final[Mapping[str, tuple[str, ...]]] = {"PHONE": ("FAX",), "FAX": ("PHONE",)}

# What has one label: kind, normal form, spelling, by scope the document or the place in it, the person by
# whose number of days it is shifted, and the language of its text.
_Key = tuple[KindId, str, str, DocumentId, int, str, str]


@dataclass(frozen=True, slots=True)
class _Written:
    """What is written in place of a value; see Label."""

    text: str | None = field(repr=False)
    owner: EntityId | None = None
    is_one_way: bool = False
    is_fallback: bool = False


class TreatedValues:
    """The labels of the values of a run, by their places."""

    def __init__(self, plan: Plan, keys: "_Keys", written: Mapping[_Key, _Written]) -> None:
        self._plan, self._keys, self._written = plan, keys, written

    @classmethod
    def of_nothing(cls, plan: Plan) -> "TreatedValues":
        """Those of a run that keeps all values, or has none."""
        return cls(plan, _Keys(plan, Scope.PROJECT), {})

    def labels(self, part: PartPlaces) -> list[Label]:
        """The labels of the values of a text, in their order; values that stay have none.

        A value that the user keeps, and that may spell a person, has one without a text: its names stay.
        """
        found: list[Label] = []
        for value in part.values:
            span = Span(value.start, value.end)
            if self._plan.keeps_spelling(value.kind):
                found.append(Label(part.part_id, span, None, None, kind=value.kind))
            elif (written := self._written.get(self._keys.of(part, value))) is not None:
                found.append(
                    Label(
                        part.part_id, span, written.text, written.owner, kind=value.kind,
                        is_one_way=written.is_one_way, is_fallback=written.is_fallback,
                    )
                )  # fmt: skip
        return found


@dataclass(frozen=True, slots=True)
class ValueTools:
    """What treating values works with.

    scope, language: as of Styling; a text of another language is treated in its own. avoid: texts of the
    inputs that look like tags or codes. people: gives the persons of the run with their labels. named: gives
    the person of a mention; None where persons have no id that holds in later runs.
    """

    plan: Plan
    scope: Scope
    language: str
    avoid: Collection[str] = field(repr=False)
    people: Callable[[], Sequence[LabelledPerson]] = field(repr=False)
    named: Callable[[MentionId], Named] | None = field(default=None, repr=False)


def treat_values(
    vault: "VaultApi", project: str, parts: Iterable[PartPlaces], tools: ValueTools
) -> TreatedValues:
    """What is written in place of each value of these texts. Labels and spellings are stored in the vault's
    unit of work; the caller commits.

    Raises:
        SettingsError: a kind cannot have its style.
        SurrogatesExhaustedError: no surrogate can be formed for a value.
    """
    if not tools.plan.written:
        return TreatedValues.of_nothing(tools.plan)
    return _Treatment(vault, project, tools).of(parts)


def treat_values_alone(parts: Iterable[PartPlaces], plan: Plan, *, language: str) -> TreatedValues:
    """What is written in place of values where there is no vault: by the plan for deterministic pseudonyms.
    Nothing of it has a way back.

    Raises:
        SettingsError: the user named a treatment that needs the vault.
    """
    alone = plan.for_deterministic()
    keys = TreatmentKeys(os.urandom(_KEY_BYTES), os.urandom(_KEY_BYTES))
    treating = TreatingByLanguage(alone.options, keys, language, alone.kinds)
    treatments, places = alone.written, _Keys(alone, Scope.PROJECT)
    written: dict[_Key, _Written] = {}
    for part in parts:
        for value in part.values:
            if (treatment := treatments.get(value.kind)) is None:
                continue
            given = TreatedValue(value.kind, value.normal, value.text, value.country, language=part.language)
            outcome = treating.treated(treatment, given)
            if outcome.treatment.style is not None:  # a label in place of what cannot be treated
                outcome = treating.treated(Treatment.MASK, given)
            if outcome.text is not None and outcome.text != value.text:
                written[places.of(part, value)] = _Written(outcome.text, is_one_way=True)
    return TreatedValues(alone, places, written)


class _Treatment:
    def __init__(self, vault: "VaultApi", project: str, tools: ValueTools) -> None:
        self._vault, self._project, self._tools = vault, project, tools
        self._plan = tools.plan
        self._treatments = tools.plan.written
        shifts = Treatment.SHIFT in self._treatments.values()
        shift = vault.treatment_key(project) if shifts else os.urandom(_KEY_BYTES)
        keys = TreatmentKeys(shift, os.urandom(_KEY_BYTES))
        self._drawing = keys.drawing
        self._treating = TreatingByLanguage(self._plan.options, keys, tools.language, self._plan.kinds)
        self._keys = _Keys(tools.plan, tools.scope)
        self._index: PersonIndex | None = None
        self._outcomes: dict[_Key, Outcome] = {}
        self._followed: set[_Key] = set()
        self._met: dict[_Key, MetValue] = {}
        self._spellings: dict[Value, TreatedValue] = {}

    def of(self, parts: Iterable[PartPlaces]) -> TreatedValues:
        if self._tools.named is not None and self._keys.have_subjects:
            parts = list(parts)
            self._keys = _Keys(self._plan, self._tools.scope, Subjects(parts, self._tools.named))
        for part in parts:
            for value in part.values:
                self._meet(part, value)
        owners, labels = self._assigned()
        written: dict[_Key, _Written] = {}
        for key, outcome in self._outcomes.items():
            mention_id = self._met[key].mention_id
            owner = owners.get(mention_id)
            if outcome.treatment.style is not None:
                written[key] = _Written(labels[mention_id], owner)
            elif outcome.text is not None and outcome.text != key[2]:
                is_one_way = outcome.treatment.way_back is WayBack.NONE
                written[key] = _Written(outcome.text, owner, is_one_way, key in self._followed)
        return TreatedValues(self._plan, self._keys, written)

    def _meet(self, part: PartPlaces, value: PlacedValue) -> None:
        treatment = self._treatments.get(value.kind)
        if treatment is None:
            return
        key = self._keys.of(part, value)
        if key in self._outcomes:
            return
        *_, subject, language = key
        given = TreatedValue(value.kind, value.normal, value.text, value.country, subject, language)
        if self._plan.of(value.kind) is Treatment.FOLLOW and self._spells_somebody(value):
            # Written only if the identifier is read in another way there than here.
            treatment = Treatment.MASK
            self._followed.add(key)
        self._outcomes[key] = self._treating.treated(treatment, given)
        mention_id = mention_id_at(part.document, Span(value.start, value.end), value.kind)
        self._met[key] = MetValue(mention_id, part.document, value.kind, value.normal, value.text)
        self._spellings.setdefault(Value(value.kind, value.normal), given)

    def _spells_somebody(self, value: PlacedValue) -> bool:
        """Whether an identifier spells a person of the run, whom it follows."""
        if self._index is None:
            self._index = PersonIndex((person.entity_id, person.names) for person in self._tools.people())
        return bool(self._index.find(before_spelling(value.kind) + value.text))

    def _assigned(self) -> tuple[dict[MentionId, EntityId], dict[MentionId, str]]:
        """By mention, the entity that owns the edits of its value, and its label where the vault has one."""
        owners: dict[MentionId, EntityId] = {}
        labels: dict[MentionId, str] = {}
        for met, how in (self._to_label(), self._to_own()):
            if not met:
                continue
            has_surrogates = any(one.style is Style.SURROGATE for one in how.values())
            assigned = self._vault.assign_values(
                self._project, met, how, avoid_tags=tuple(self._tools.avoid),
                candidates=self._invented() if has_surrogates else None,
            )  # fmt: skip
            owners.update(assigned.owners)
            labels.update({mention_id: one.label for mention_id, one in assigned.pseudonyms.items()})
        return owners, labels

    def _invented(self) -> InventedValues:
        return InventedValues(self._drawing, self._spellings, self._tools.language, self._plan.kinds)

    def _to_label(self) -> tuple[list[MetValue], dict[str, ValueLabels]]:
        """The values that get a label of the vault, and how those of each kind look."""
        styles: dict[KindId, Style] = {}
        met = []
        for key, outcome in self._outcomes.items():
            if (style := outcome.treatment.style) is not None:
                styles[key[0]] = style
                met.append(self._met[key])
        return met, {kind: self._how(kind, style) for kind, style in styles.items()}

    def _to_own(self) -> tuple[list[MetValue], dict[str, ValueLabels]]:
        """The values that own what undoes them, without a label: they come back with whole files."""
        met = []
        for key, outcome in self._outcomes.items():
            links = self._plan.kinds[key[0]].link in (Link.VALUE, Link.SPELLS)
            if links and outcome.text is not None and outcome.treatment.way_back is WayBack.FILE:
                met.append(self._met[key])
        return met, {one.kind: self._how(KindId(one.kind), None) for one in met}

    def _how(self, kind: KindId, style: Style | None) -> ValueLabels:
        row = self._plan.kinds[kind]
        return ValueLabels(
            style, row.word(self._tools.language), row.letter, self._tools.scope, _ONE_SPACE.get(kind, ())
        )


def before_spelling(kind: KindId) -> str:
    """What is put before a value that stands alone, so that a person whom it spells is found in it."""
    return label("user").lower() if kind == _USERNAME else ""


class _Keys:
    """Tells values apart that may be written in different ways."""

    def __init__(self, plan: Plan, scope: Scope, subjects: Subjects | None = None) -> None:
        self._scope, self._subjects = scope, subjects
        self._shifted = {kind for kind, treatment in plan.written.items() if treatment is Treatment.SHIFT}
        self.have_subjects = bool(self._shifted) and plan.options.shift_by == "person"

    def of(self, part: PartPlaces, value: PlacedValue) -> _Key:
        subject = ""
        if self._subjects is not None and value.kind in self._shifted:
            subject = self._subjects.at(part, value.start)
        if self._scope is Scope.PROJECT:
            return value.kind, value.normal, value.text, NO_DOCUMENT, 0, subject, part.language
        at = value.start if self._scope is Scope.OCCURRENCE else 0
        return value.kind, value.normal, value.text, part.document, at, subject, part.language
