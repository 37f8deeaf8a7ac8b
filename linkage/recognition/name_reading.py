"""Reading the names of a text: where one may begin, how far it goes, and what follows its comma."""

from collections.abc import Collection, Iterator, Sequence

from linkage.pieces import APOSTROPHES, Gap
from linkage.recognition.name_context import NameContext
from linkage.recognition.name_grammar import NameGrammar, Unit, UnitKind
from linkage.recognition.name_judgement import JudgedName, NameJudge
from linkage.recognition.name_tokens import Case, Token

_LOWER_CUES = ("courtesy", "salutation", "closing", "label", "signing", "role")


class NameReader:
    def __init__(self, grammar: NameGrammar, context: NameContext, judge: NameJudge) -> None:
        self._grammar = grammar
        self._context = context
        self._judge = judge
        self._joints = grammar.language.words("between_names")

    def names(self, tokens: Sequence[Token], text: str) -> Iterator[JudgedName]:
        """Names in the order of the text, also weak ones; confidence 0 marks the name of something else."""
        at = 0
        while at < len(tokens):
            facts = tokens[at].facts
            if facts is None:
                if tokens[at].text not in APOSTROPHES:  # "'t Hart" begins with one
                    at += 1
                    continue
            elif not facts.may_begin:
                at += 1
                continue
            lower = self._lower_start(tokens, at)
            if lower is None:
                at += 1
                continue
            units = self._grammar.run(tokens, at, lower=lower)
            name = self._judge.judge(tokens, units, text) if units else None
            if name is None or name.confidence < 0.5:
                name = self._listed_entry(tokens, units) or name
            elif name.confidence:
                name = self._surname_first(tokens, name) or name
            if name is None:
                at = _after_first(units, at)
                continue
            yield name
            at = max(name.last, at + 1)

    def _lower_start(self, tokens: Sequence[Token], at: int) -> bool | None:
        """Whether a name may begin here in small letters; None if none begins here."""
        token = tokens[at]
        facts = token.facts
        if facts is None:
            return False if token.key == "'" and self._grammar.particle_at(tokens, at) else None
        if facts.is_capital:
            return False
        if at > 0 and token.gap is Gap.NONE and tokens[at - 1].is_word:
            return None
        if facts.case is Case.LOWER and (facts.given >= 0.6 or (facts.is_users and not facts.is_ordinary)):
            return True
        particle = self._grammar.particle_at(tokens, at)
        if particle is not None and particle[0] < len(tokens):
            following = tokens[particle[0]].facts
            if following is not None and following.is_capital:
                return self._context.before(tokens, at).kind in _LOWER_CUES
            may_be_name = following is not None and (following.surname > 0 or bool(following.particles))
        else:
            may_be_name = facts.given >= 0.15 or facts.surname >= 0.15
            if not may_be_name and facts.surname > 0 and not facts.is_function_word:
                # "dhr rust", but hardly "mw belt": the model says which
                return True if self._context.before(tokens, at).kind == "courtesy" else None
        if may_be_name and self._context.before(tokens, at).kind in _LOWER_CUES:
            return True
        if particle is None and facts.surname >= 0.5 and at + 1 < len(tokens) and tokens[at + 1].text == ",":
            return True
        return None

    def _listed_entry(self, tokens: Sequence[Token], units: Sequence[Unit]) -> JudgedName | None:
        """An entry of a list, whatever the word before the comma is: "Boer, A.K. de", "Rost, Jan"."""
        head = units[:1] if units and units[0].kind is UnitKind.CORE else units[:2]
        if not head or head[-1].kind is not UnitKind.CORE or head[-1].head.is_function_word:
            return None
        if head[-1].head.cues - {"role", "speech"} and not head[-1].surname:
            return None  # "Gr, Tineke"
        return self._surname_first(tokens, JudgedName(head[0].first, head[-1].last, 0.1, tuple(head), ""))

    def _surname_first(self, tokens: Sequence[Token], name: JudgedName) -> JudgedName | None:
        """The name with what follows its comma: "Vries, J. de", "VISSER, ELISABETH", "Mulder, Jan Willem"."""
        cores = [unit for unit in name.units if unit.kind is UnitKind.CORE]
        if any(unit.kind is UnitKind.INITIALS for unit in name.units) or len(cores) > 2:
            return None
        if len(cores) == 2 and max(core.given for core in cores) >= 0.5:
            return None
        comma = self._after_partner(tokens, name.last)
        if (
            comma + 1 >= len(tokens)
            or tokens[comma].text != ","
            or tokens[comma + 1].gap not in (Gap.SPACE, Gap.NONE)
        ):
            return None
        lower = cores[0].is_lower
        units = self._grammar.run(tokens, comma + 1, lower=lower)
        part = self._given_part(tokens, units)
        if part is None:
            return None
        last, given = part
        first_given = units[0]
        if first_given.kind is not UnitKind.INITIALS:
            if len(cores) == 1 and cores[0].given > max(cores[0].surname, 0.5):
                return None
            before = self._context.before(tokens, name.first)
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
            if _enumeration_goes_on(tokens, last, self._joints) and not in_capitals:
                return None
        units = [*name.units, *given]
        return JudgedName(
            name.first, last, max(name.confidence, 0.93), tuple(units), name.cue, surname_first=True
        )

    def _after_partner(self, tokens: Sequence[Token], at: int) -> int:
        """The token after a partner's name in brackets: "Tol (Van Dorp), Marijke"; at if there is none."""
        if at + 2 >= len(tokens) or tokens[at].text != "(" or tokens[at + 1].facts is None:
            return at
        partner = self._grammar.run(tokens, at + 1)
        last = partner[-1].last if partner else at
        closes = (
            partner and last + 1 < len(tokens) and tokens[last].text == ")" and tokens[last + 1].text == ","
        )
        return last + 1 if closes else at

    def _given_part(self, tokens: Sequence[Token], units: Sequence[Unit]) -> tuple[int, list[Unit]] | None:
        """The token after the given part, and its units: given names or initials, a particle."""
        end: int | None = None
        given: list[Unit] = []
        for unit in units:
            if unit.kind is UnitKind.INITIALS or (
                unit.kind is UnitKind.CORE
                and (unit.given >= 0.45 or unit.head.given_frequency >= 100)
                and unit.given >= unit.surname
            ):
                end = unit.last
                given.append(unit)
            elif end is not None and unit.kind is UnitKind.CORE and unit.first == end:
                return None  # "Brockmeier, Liesbeth Bloem": two people
            else:
                break
        if end is None:
            return None
        particle = self._grammar.particle_at(tokens, end) if end < len(tokens) else None
        if particle is not None and tokens[end].gap is Gap.SPACE:
            after = particle[0]
            following = tokens[after].facts if after < len(tokens) else None
            if following is None or not following.is_capital or tokens[after].gap is not Gap.SPACE:
                return after, [*given, Unit(UnitKind.PARTICLE, end, after, particle=particle[1])]
        return end, given


def _after_first(units: Sequence[Unit], at: int) -> int:
    """Where to go on when a run held no name."""
    return max(units[0].last if units else at, at + 1)


def _enumeration_goes_on(tokens: Sequence[Token], last: int, joints: Collection[str]) -> bool:
    """Whether another name of a list follows: "Jansen, Willems en Klaassen"."""
    if last >= len(tokens):
        return False
    token = tokens[last]
    return token.text in (",", "&", "/") or (token.facts is not None and token.facts.key in joints)
