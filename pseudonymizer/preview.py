"""What a run would make of values and persons, for whoever looks before it. Nothing is stored or drawn."""

import os
from collections import Counter
from collections.abc import Iterable
from typing import Final

from linkage.kinds import LITERAL, PERSON
from linkage.records import IdentityId, KindId, LinkageResult, Mention, ValueMention
from pseudonymizer.answers import Foreseen, ForeseenKind
from pseudonymizer.engine.styling import MASK
from pseudonymizer.engine.value_labels import before_spelling
from pseudonymizer.identifiers import PersonIndex
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treating import Treating
from pseudonymizer.treatments.treatment import TreatedValue, Treatment, TreatmentKeys

_KEY_BYTES: Final = 32
_NOT_DRAWN: Final = "\u2026"  # stands for what a run draws or counts
# Treatments whose texts come from a secret of the project or of the run.
_SECRET: Final = frozenset({Treatment.SHIFT, Treatment.RANDOM})


class Preview:
    """Foresees what a run would write for these mentions.

    styles, plan: how pseudonyms of persons look there, and the treatment of every kind. result: the persons
    of the mentions. language: of the words in labels.
    """

    def __init__(self, styles: StyleSettings, plan: Plan, result: LinkageResult, *, language: str) -> None:
        self._styles, self._plan, self._language = styles, plan, language
        keys = TreatmentKeys(os.urandom(_KEY_BYTES), os.urandom(_KEY_BYTES))  # no text of theirs is shown
        self._treating = Treating(plan.options, keys, languages=(language,), kinds=plan.kinds)
        self._index = PersonIndex(
            (one.identity_id, {result.mention(mention_id).name for mention_id in one.mention_ids})
            for one in result.identities
            if not one.candidates
        )

    def person(self) -> Foreseen:
        """What becomes of every name of a person."""
        style = self._plan.person_style
        if style is None:
            return Foreseen(Treatment.KEEP)
        text = MASK if style is Style.MASK else self._look(PERSON, style)
        return Foreseen(Treatment(style), text)

    def value(self, value: ValueMention) -> Foreseen:
        """The text and the treatment of a value of another kind."""
        return self.treated(TreatedValue(value.kind, value.normal, value.mention.surface, value.country))

    def treated(self, given: TreatedValue) -> Foreseen:
        """The text and the treatment of a value of another kind, as treatments take it."""
        asked = self._plan.of(given.kind)
        if asked in (Treatment.FOLLOW, Treatment.FOLLOW_OR_KEEP):
            if matches := self._index.find(before_spelling(given.kind) + given.text):
                keys = {key for match in matches for key in match.keys}
                owner = next(iter(keys)) if len(keys) == 1 else None
                return Foreseen(Treatment.FOLLOW, follows=None if owner is None else IdentityId(str(owner)))
            asked = Treatment.CODE if asked is Treatment.FOLLOW else Treatment.KEEP
        outcome = self._treating.treated(asked, given)
        if outcome.treatment.style is not None:
            return Foreseen(outcome.treatment, self._look(given.kind, outcome.treatment.style))
        if outcome.treatment in _SECRET:
            return Foreseen(outcome.treatment)
        if outcome.text is None or outcome.text == given.text:
            return Foreseen(Treatment.KEEP)
        return Foreseen(outcome.treatment, outcome.text)

    def by_kind(self, persons: Iterable[Mention], values: Iterable[ValueMention]) -> tuple[ForeseenKind, ...]:
        """The kinds that occur, persons first, then in the order of the table of kinds."""
        found: Counter[KindId] = Counter(mention.kind for mention in persons)
        left: Counter[KindId] = Counter(found if self.person().stays else ())
        for value in values:
            if value.kind != LITERAL:
                found[value.kind] += 1
                left[value.kind] += self.value(value).stays
        return tuple(
            ForeseenKind(kind, self._plan.of(kind), found[kind], left[kind])
            for kind in self._plan.kinds
            if found[kind]
        )

    def _look(self, kind: KindId, style: Style) -> str | None:
        """How a label of the style looks; None for invented names and values, which only the run finds."""
        row = self._plan.kinds[kind]
        word = self._styles.tag_word if kind == PERSON else row.word(self._language)
        looks = {
            Style.CODE: f"{word}-{_NOT_DRAWN}",
            Style.TOKEN: f"{row.letter}1-{_NOT_DRAWN}",
            Style.TAG: f"<{word}-{_NOT_DRAWN}>",
        }
        return looks.get(style)
