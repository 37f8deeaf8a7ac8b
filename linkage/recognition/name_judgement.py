"""Whether a name-shaped run of words is the name of a person, how far it goes, and how sure the lists are."""

from collections.abc import Sequence
from dataclasses import dataclass

from linkage.gazetteer import Gazetteer
from linkage.pieces import Gap
from linkage.recognition.name_confidence import NameConfidence
from linkage.recognition.name_context import Before, NameContext
from linkage.recognition.name_extent import NameExtent
from linkage.recognition.name_grammar import Unit, UnitKind
from linkage.recognition.name_tokens import Case, Token
from linkage.recognition.not_persons import NotPersons

_LEAST = 0.05


@dataclass(frozen=True, slots=True)
class JudgedName:
    """tokens[first:last] are a name with this confidence in [0, 1]; cue is what stood before it."""

    first: int
    last: int
    confidence: float
    units: tuple[Unit, ...]
    cue: str
    surname_first: bool = False  # "Vries, J. de": the units before the given part are the family name

    @property
    def is_listed(self) -> bool:
        return any(unit.is_listed for unit in self.units if unit.kind is UnitKind.CORE)


class NameJudge:
    def __init__(self, gazetteer: Gazetteer, context: NameContext) -> None:
        self._context = context
        self._not_persons = NotPersons(gazetteer)
        self._extent = NameExtent(gazetteer, self._not_persons)
        self._confidence = NameConfidence(gazetteer, context)

    def judge(self, tokens: Sequence[Token], units: Sequence[Unit], text: str) -> JudgedName | None:
        """The best name in the run that begins nearest to its start; None if there is none.

        Confidence 0 means that these words are the name of something else.
        """
        for offset in range(len(units)):
            if units[offset].kind is UnitKind.NICKNAME:
                continue
            before = self._context.before(tokens, units[offset].first)
            if not self._extent.may_begin(tokens, units, offset, before):
                continue
            kept = self._extent.trimmed(tokens, units[offset:])
            if not kept:
                continue
            if self._is_no_person(tokens, kept, units, before, text):
                return JudgedName(kept[0].first, kept[-1].last, 0.0, tuple(kept), before.kind)
            confidence = self._confidence.of(tokens, kept, before)
            if confidence >= _LEAST:
                return JudgedName(kept[0].first, kept[-1].last, confidence, tuple(kept), before.kind)
        return None

    def _is_no_person(
        self, tokens: Sequence[Token], kept: Sequence[Unit], units: Sequence[Unit], before: Before, text: str
    ) -> bool:
        first, last = kept[0].first, kept[-1].last
        rules = self._not_persons
        written = " ".join(text[tokens[first].start : tokens[last - 1].end].split()).lower()
        if before.kind == "courtesy" and before.at < first:
            cue = tokens[before.at].facts
            if cue is not None and cue.case is Case.LOWER:
                return False
        cores = [unit for unit in kept if unit.kind is UnitKind.CORE]
        for position, unit in enumerate(units):
            before_it = units[position - 1] if position else unit
            if unit.kind is not UnitKind.CORE or not rules.is_street(tokens, unit):
                continue
            # "Jan van Galenstraat" is a street, "Jan Galen van de Kerkstraat" lives there
            with_particle = before_it.kind is UnitKind.PARTICLE and before_it.first == last
            if first <= unit.first <= last or (with_particle and len(cores) == 1):
                return True
        if last < len(tokens) and tokens[last].gap is Gap.NONE:
            glued = tokens[last].facts
            if glued is not None and glued.case in (Case.UPPER, Case.INITIAL):
                return True  # "MiND", "VenJ"
        if rules.organisation_after(tokens, last) or rules.is_address(tokens, first, last):
            return True
        if before.kind == "courtesy":
            return False
        if len(cores) == 1 and len(kept) == 1 and cores[0].given < 0.85 and rules.house_before(tokens, first):
            return True
        if rules.organisation_before(tokens, first) or (
            before.at < first and rules.organisation_before(tokens, before.at)
        ):
            return True
        if kept[0].kind is not UnitKind.INITIALS and len(kept) > 1 and rules.is_place(written):
            return True
        if (
            not before.kind
            and len(kept) > 1
            and rules.starts_place(kept[0])
            and cores[0].head.case is Case.TITLE
        ):
            return True
        if rules.is_disease(kept, written):
            return before.kind not in ("salutation", "label", "signing")
        if before.kind or not rules.is_brand(written):
            return False
        return len(kept) > 1 or kept[0].given < 0.85
