"""NamesList: persons found by name lists, cue words and the grammar of names, over the whole text of a document."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

from linkage.gazetteer import Gazetteer
from linkage.recognition.name_context import NameContext, separates_names
from linkage.recognition.name_grammar import NameGrammar, Unit, UnitKind
from linkage.recognition.name_judgement import JudgedName, NameJudge
from linkage.recognition.name_tokens import Case, Gap, Token, WordBook
from linkage.recognition.not_persons import NotPersons
from linkage.recognition.text_view import TextView
from linkage.records import Detector, Document, Mention, RecognizedText
from linkage.settings import RecognitionSettings

_LEAST = 0.15  # what is less sure is not worth a look
_LOWER_CUES = ("courtesy", "salutation", "closing", "label", "signing", "role")


class NamesList:
    """Finds names without a network. A mention's confidence says how sure the lists are; below 0.5 it needs
    support by another detector.
    """

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        self._book = WordBook(gazetteer)
        self._grammar = NameGrammar(gazetteer)
        self._context = NameContext(gazetteer)
        self._judge = NameJudge(gazetteer, self._grammar, self._context, NotPersons(gazetteer))

    @classmethod
    def load(cls, gazetteer: Gazetteer, settings: RecognitionSettings) -> Self:
        del settings
        return cls(gazetteer)

    def find(self, document: Document, recognized: RecognizedText | None = None) -> tuple[Mention, ...]:
        """Mentions in the order of the text, not overlapping."""
        view = TextView.of(document.text)
        tokens = self._book.tokens(view.text)
        judged = _with_neighbours(tokens, list(self._names(tokens, view.text)))
        mentions: list[Mention] = []
        for name in judged:
            span = view.span(tokens[name.first].start, _name_end(tokens, name))
            mentions.append(
                Mention.at(document, span, detector=Detector.LIST, confidence=round(name.confidence, 3))
            )
        return tuple(mentions)

    def _names(self, tokens: Sequence[Token], text: str) -> Iterator[JudgedName]:
        at = 0
        while at < len(tokens):
            lower = self._lower_start(tokens, at, text)
            if lower is None:
                at += 1
                continue
            units = self._grammar.run(tokens, at, text, lower=lower)
            name = self._judge.judge(tokens, units, text) if units else None
            if name is None:
                at = _after_first(units, at)
                continue
            if name.confidence:
                name = self._surname_first(tokens, name, text) or name
            yield name
            at = max(name.last, at + 1)

    def _lower_start(self, tokens: Sequence[Token], at: int, text: str) -> bool | None:
        """Whether a name may begin here in small letters; None if none begins here."""
        token = tokens[at]
        facts = token.facts
        if facts is None:
            return False if token.text in "'’‘" and self._grammar.particle_at(tokens, at, text) else None
        if facts.is_capital:
            return False
        if at > 0 and token.gap is Gap.NONE and tokens[at - 1].is_word:
            return None
        if facts.given >= 0.6 and facts.case is Case.LOWER:
            return True
        if (
            facts.given < 0.15
            and facts.surname < 0.15
            and self._grammar.particle_at(tokens, at, text) is None
        ):
            return None
        particle = self._grammar.particle_at(tokens, at, text)
        kind = self._context.before(tokens, at, text).kind
        if kind in _LOWER_CUES:
            return True
        if particle is not None and particle[0] < len(tokens):
            following = tokens[particle[0]].facts
            return False if following is not None and following.is_capital else None
        if facts.surname >= 0.5 and at + 1 < len(tokens) and tokens[at + 1].text == ",":
            return True
        return None

    def _surname_first(self, tokens: Sequence[Token], name: JudgedName, text: str) -> JudgedName | None:
        """The name with what follows its comma: "Vries, J. de", "VISSER, ELISABETH", "Mulder, Jan Willem"."""
        cores = [unit for unit in name.units if unit.kind is UnitKind.CORE]
        if any(unit.kind is UnitKind.INITIALS for unit in name.units) or len(cores) > 2:
            return None
        if len(cores) == 2 and max(core.given for core in cores) >= 0.5:
            return None
        comma = name.last
        if (
            comma + 1 >= len(tokens)
            or tokens[comma].text != ","
            or tokens[comma + 1].gap not in (Gap.SPACE, Gap.NONE)
        ):
            return None
        lower = cores[0].is_lower
        units = self._grammar.run(tokens, comma + 1, text, lower=lower)
        last = self._given_part(tokens, units, text, lower=lower)
        if last is None:
            return None
        first_given = units[0]
        if first_given.kind is not UnitKind.INITIALS:
            if len(cores) == 1 and cores[0].given > max(cores[0].surname, 0.5):
                return None
            before = self._context.before(tokens, name.first, text)
            in_capitals = all(word.case is Case.UPPER for core in cores for word in core.words)
            in_capitals = in_capitals and first_given.head.case is not Case.UPPER
            quoted = name.first > 0 and tokens[name.first - 1].text in '"|;,'
            if not (
                quoted
                or before.starts_line
                or tokens[name.first].gap in (Gap.WIDE, Gap.TAB)
                or before.kind == "label"
                or in_capitals
            ):
                return None
            if _enumeration_goes_on(tokens, last) and not in_capitals:
                return None
        return JudgedName(name.first, last, max(name.confidence, 0.93), name.units, name.cue)

    def _given_part(
        self, tokens: Sequence[Token], units: Sequence[Unit], text: str, *, lower: bool
    ) -> int | None:
        """Token after the given names or initials that these units begin with, and after a particle behind them."""
        end: int | None = None
        for unit in units:
            if unit.kind is UnitKind.INITIALS:
                end = unit.last
            elif unit.kind is UnitKind.CORE and unit.given >= 0.45 and unit.given >= unit.surname:
                end = unit.last
            elif end is not None and unit.kind is UnitKind.CORE and unit.first == end:
                return None  # "Brockmeier, Liesbeth Bloem": two people
            else:
                break
        first = units[0].first if units else None
        if first is None:
            return None
        if end is None:
            # Initials alone make no run: "Boer, A.K. de" ends in a particle, "Smit, J." in nothing.
            end = self._lone_initials(tokens, first)
        if end is None:
            return None
        particle = self._grammar.particle_at(tokens, end, text) if end < len(tokens) else None
        if particle is not None and tokens[end].gap is Gap.SPACE:
            after = particle[0]
            following = tokens[after].facts if after < len(tokens) else None
            if following is None or not following.is_capital or tokens[after].gap is not Gap.SPACE:
                return after
        return end

    @staticmethod
    def _lone_initials(tokens: Sequence[Token], first: int) -> int | None:
        facts = tokens[first].facts
        if facts is not None and facts.case is Case.INITIAL:
            return first + 1
        return None


def _with_neighbours(tokens: Sequence[Token], names: Sequence[JudgedName]) -> list[JudgedName]:
    """The names, those raised that stand in a list beside a sure one: "Jansen, Leijten (SP) en Visser"."""
    raised = list(names)
    for order in (range(1, len(raised)), range(len(raised) - 2, -1, -1)):
        step = 1 if order.step > 0 else -1
        for position in order:
            name, neighbour = raised[position], raised[position - step]
            left, right = (neighbour, name) if step > 0 else (name, neighbour)
            if name.confidence >= 0.6 or neighbour.confidence < 0.6:
                continue
            if separates_names(tokens, left.last, right.first):
                raised[position] = replace(
                    name, confidence=max(name.confidence, 0.6 if name.is_listed else 0.5)
                )
    return [name for name in raised if name.confidence >= _LEAST]


def _name_end(tokens: Sequence[Token], name: JudgedName) -> int:
    """End of the name in the view, a glued genitive s left out."""
    last = tokens[name.last - 1]
    return last.end - (last.facts is not None and last.facts.has_genitive)


def _after_first(units: Sequence[Unit], at: int) -> int:
    """Where to go on when a run held no name."""
    return max(units[0].last if units else at, at + 1)


def _enumeration_goes_on(tokens: Sequence[Token], last: int) -> bool:
    """Whether another name of a list follows: "Jansen, Willems en Klaassen"."""
    if last >= len(tokens):
        return False
    token = tokens[last]
    return token.text in (",", "&", "/") or (
        token.facts is not None and token.facts.key in ("en", "of", "and", "und")
    )
