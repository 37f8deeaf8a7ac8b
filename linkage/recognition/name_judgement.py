"""Whether a name-shaped run of words is the name of a person, how far it goes, and how sure the lists are."""

from collections.abc import Sequence
from dataclasses import dataclass

from linkage.gazetteer import Gazetteer
from linkage.recognition.name_context import Before, NameContext
from linkage.recognition.name_grammar import NameGrammar, Unit, UnitKind
from linkage.recognition.name_tokens import Case, Gap, Token, WordFacts
from linkage.recognition.not_persons import NotPersons

# Kinds of cue by how much they say; the number is the confidence of a name that the lists do not contradict.
CUE_STRENGTH = {
    "courtesy": 0.95,
    "salutation": 0.85,
    "closing": 0.8,
    "signing": 0.75,
    "label": 0.75,
    "role": 0.7,
    "attribution": 0.6,
    "": 0.0,
}
_PLACE_PARTICLES = frozenset(
    {"van", "te", "in", "op", "uit", "aan", "de", "van de", "van het", "in de", "in het"}
)
# "bijlage C. Jansen vraagt": the letter belongs to what stands before it.
_LETTERED = frozenset(
    "bijlage artikel art lid sub onderdeel categorie groep vitamine hepatitis type kamer lokaal klas perron terminal "
    "blok deel punt letter code plan hoofdstuk paragraaf gebouw vak rij optie variant team ploeg poule noot".split()
)
_ARTICLES = frozenset(
    {"de", "het", "een", "deze", "dit", "die", "dat", "elke", "ons", "onze", "geen", "the", "The"}
)
_PREPOSITIONS = frozenset({"van", "aan", "te", "uit", "in", "op", "voor", "bij"})
_SURNAME_PARTICLES = frozenset(
    {"de", "den", "der", "van der", "van den", "ten", "ter", "'t", "van 't", "le", "el", "al"}
)
# Mostly preposition and article; a family name has them only where the list says so.
_PHRASES = frozenset(
    {
        "aan de",
        "op de",
        "in de",
        "uit de",
        "voor de",
        "bij de",
        "onder de",
        "over de",
        "aan het",
        "op het",
        "in het",
        "zum", "zur", "zu", "vom", "am", "im", "auf",
    }
)
_SUPPORTED = 0.3  # below this a word of the lists counts as unlisted


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
    def __init__(
        self, gazetteer: Gazetteer, grammar: NameGrammar, context: NameContext, not_persons: NotPersons
    ) -> None:
        self._gazetteer = gazetteer
        self._grammar = grammar
        self._context = context
        self._not_persons = not_persons

    def judge(self, tokens: Sequence[Token], units: Sequence[Unit], text: str) -> JudgedName | None:
        """The best name in the run that begins nearest to its start; None if there is none.

        Confidence 0 means that these words are the name of something else.
        """
        for offset in range(len(units)):
            if units[offset].kind is UnitKind.NICKNAME:
                continue
            before = self._context.before(tokens, units[offset].first, text)
            if not self._may_begin(tokens, units, offset, before):
                continue
            kept = self._trimmed(tokens, units[offset:], before)
            if not kept:
                continue
            if self._is_no_person(tokens, kept, units, before, text):
                return JudgedName(kept[0].first, kept[-1].last, 0.0, tuple(kept), before.kind)
            confidence = self._confidence(tokens, kept, before)
            if confidence >= 0.05:
                return JudgedName(kept[0].first, kept[-1].last, confidence, tuple(kept), before.kind)
        return None

    def _may_begin(self, tokens: Sequence[Token], units: Sequence[Unit], offset: int, before: Before) -> bool:
        unit = units[offset]
        following = units[offset + 1] if offset + 1 < len(units) else None
        if unit.kind is UnitKind.INITIALS:
            previous = tokens[unit.first - 1].text.lower() if unit.first else ""
            counted = unit.last - unit.first <= 2 and previous in _LETTERED
            return (
                not counted and following is not None and following.kind in (UnitKind.CORE, UnitKind.PARTICLE)
            )
        if unit.kind is UnitKind.PARTICLE:
            after = units[offset + 2] if offset + 2 < len(units) else None
            if before.starts_sentence and after is not None and after.kind is UnitKind.CORE and following is not None:
                if after.given >= 0.6 and after.given > after.surname and following.kind is UnitKind.CORE:
                    if following.head.case is Case.TITLE:
                        return False  # "De Rus Pavel": an article, and a word for the man
            return following is not None and self._particle_opens(tokens, unit, following, before)
        head = unit.head
        after = units[offset + 2] if offset + 2 < len(units) else None
        addressed = before.kind == "courtesy"
        if not addressed and _is_cue_word(head) and not self._is_name_despite(unit, following, after):
            return False
        if "nobody" in head.markers and not addressed:
            return False
        if "month_or_day" in head.markers and not addressed:
            if head.given < 0.85 and not self._is_name_despite(unit, following, after):
                return False
            if _beside_number(tokens, unit):
                return False
        if head.is_function_word and not (addressed and unit.share < 0.95) and before.kind != "role":
            return False
        if not addressed and not unit.is_listed and following is not None:
            # "Criminoloog Judith", "Striptekening van Fons": a word of office or a work before the name
            if following.kind is UnitKind.PARTICLE and (
                before.starts_sentence or head.zipf >= 3 or head.is_place
            ):
                return False
            if (
                following.kind is UnitKind.CORE
                and following.given >= 0.6
                and following.given > following.surname
            ):
                return False
        if before.starts_sentence and head.is_ordinary and not addressed:
            return before.kind in ("salutation", "closing", "label") or self._is_name_despite(unit, following, after)
        return True

    def _is_name_despite(self, unit: Unit, following: Unit | None, after: Unit | None) -> bool:
        """A word that is a name too, and whose neighbour can only be one: "Roos Jansen", "Mei Ling"."""
        if following is None or not self._gazetteer.is_given_name(unit.head.key):
            return False
        if following.kind is UnitKind.INITIALS:
            return True
        if following.kind is UnitKind.PARTICLE:
            return after is None or after.surname > 0 or after.head.is_users
        if following.kind is UnitKind.CORE:
            return max(following.surname, following.given) >= 0.45 and not _is_cue_word(following.head)
        return False

    def _trimmed(self, tokens: Sequence[Token], units: Sequence[Unit], before: Before) -> list[Unit]:
        """The units up to the first that cannot belong to the name."""
        kept: list[Unit] = []
        particle: Unit | None = None
        for position, unit in enumerate(units):
            if unit.kind is UnitKind.PARTICLE:
                particle = unit
                continue
            if kept and unit.kind is UnitKind.CORE:
                following = units[position + 1] if position + 1 < len(units) else None
                if particle is not None and self._not_persons.is_street(tokens, unit):
                    break
                if not self._continues(kept, unit, particle, following):
                    break
            elif (
                kept and unit.kind is UnitKind.INITIALS and not self._initials_continue(units, position, kept)
            ):
                break
            if particle is not None:
                kept.append(particle)
                particle = None
            kept.append(unit)
        while kept and kept[-1].kind in (UnitKind.NICKNAME, UnitKind.PARTICLE):
            kept.pop()
        if len(kept) == 1 and kept[0].kind is UnitKind.INITIALS:
            return []
        return kept

    @staticmethod
    def _initials_continue(units: Sequence[Unit], position: int, kept: Sequence[Unit]) -> bool:
        """ "Walter T. Bosman" goes on; "Goossens I." and "Abdulrahman Q." may also end so."""
        following = units[position + 1] if position + 1 < len(units) else None
        return following is not None or kept[-1].is_listed

    def _continues(
        self, kept: Sequence[Unit], unit: Unit, particle: Unit | None, following: Unit | None
    ) -> bool:
        head = unit.head
        if "month_or_day" in head.markers and unit.surname < 0.2:
            return False
        surnames_only = all(k.kind is not UnitKind.INITIALS and k.given < _SUPPORTED for k in kept)
        if particle is not None:
            written = particle.particle
            listed = head.surname > 0 or bool(head.particles)
            if written in _PREPOSITIONS and unit.given >= 0.6 and following is not None:
                return False  # "een brief van Hans Matla"
            if written in head.particles:
                return True
            if written in _PHRASES:
                return False
            if written in _PREPOSITIONS and not listed and not any(
                k.kind is UnitKind.INITIALS or k.given >= _SUPPORTED for k in kept
            ):
                return False  # "mevrouw Jansen van Boekwijk" is from there
            if listed and (not head.is_place or written not in _PREPOSITIONS):
                return True
            if head.is_place and written == "van" and head.zipf < 3.5:
                return True
            if (
                kept[-1].given >= 0.6
                and head.case is Case.TITLE
                and written in _SURNAME_PARTICLES
                and head.zipf < 5.5
            ):
                return not head.is_place and not head.is_organisation
            if not listed and (head.is_organisation or head.zipf >= 3.8):
                return False
            if head.is_place:
                return written not in _PLACE_PARTICLES
            if head.is_ordinary and not listed:
                return written in ("ten", "ter", "van 't", "van der", "van den", "el", "al", "de la", "von")
            return True
        if _is_cue_word(head) and unit.surname < 0.2:
            return False
        if head.case is Case.LOWER and not unit.is_listed:
            return False
        if unit.is_listed and (unit.surname > 0 or unit.given > 0):
            if head.is_place and unit.given == 0:
                return unit.surname > 0 and not surnames_only
            return True
        if (
            kept[-1].given >= 0.6 and head.case is Case.TITLE and head.zipf < 5 and not head.is_function_word
            and not head.is_place and not head.is_organisation and head.classes not in ("a", "o")
        ):  # fmt: skip
            return True  # inside a sentence only a name has a capital after a given name
        if head.is_place or head.is_organisation or (head.zipf >= 3.8 and head.case is not Case.UPPER):
            return False
        return not unit.is_ordinary and not (head.case is Case.UPPER and head.classes)

    def _particle_opens(self, tokens: Sequence[Token], particle: Unit, core: Unit, before: Before) -> bool:
        """Whether a particle that no given name precedes is part of a name, or just a preposition or article."""
        written = particle.particle
        facts = tokens[particle.first].facts
        if before.kind == "courtesy":
            return True
        if core.kind is not UnitKind.CORE:
            return False
        entry = core.head if core.head.surname > 0 or core.head.particles else None
        listed_with = written in core.head.particles
        is_capital = facts is None or facts.is_capital
        if is_capital and not before.starts_sentence and listed_with:
            return True
        if _is_cue_word(core.head) and core.surname < 0.2:
            return False
        if is_capital and not before.starts_sentence:
            return not (core.is_ordinary or core.head.is_place or core.head.case is Case.UPPER)
        if is_capital:
            return listed_with or (entry is not None and core.surname >= 0.5)
        if entry is None or core.surname < 0.15 or (written in _PHRASES and not listed_with):
            return False
        if written in (
            "van",
            "de",
            "aan",
            "te",
            "uit",
            "den",
            "der",
            "la",
            "le",
            "op",
            "in",
            "von",
            "di",
            "da",
        ):
            return listed_with and not entry.stands_bare and not core.head.is_place
        return listed_with or not core.is_ordinary

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
            if len(cores) == 1 and before_it.kind is UnitKind.PARTICLE and before_it.first == last:
                if unit.kind is UnitKind.CORE and rules.is_street(tokens, unit):
                    return True  # "Jan van Galenstraat"
            in_name = first <= unit.first < last or (unit.first == last and unit.kind is UnitKind.CORE)
            if unit.kind is UnitKind.CORE and in_name and rules.is_street(tokens, unit):
                return True
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
        if not before.kind and len(kept) > 1 and rules.starts_place(kept[0]):
            return True
        if rules.is_disease(kept, written):
            return before.kind not in ("salutation", "label", "signing")
        return rules.is_brand(written) and not before.kind and all(unit.given < 0.85 for unit in kept)

    def _confidence(self, tokens: Sequence[Token], kept: Sequence[Unit], before: Before) -> float:
        shape = self._shape_confidence(tokens, kept, before)
        cue = CUE_STRENGTH[before.kind]
        if shape >= cue > 0:
            return shape
        if not cue:
            return self._with_verb(tokens, kept, shape)
        cores = [unit for unit in kept if unit.kind is UnitKind.CORE]
        head = cores[0]
        if before.kind == "courtesy":
            return max(shape, cue if not head.is_lower or head.is_listed else 0.3)
        if head.is_lower:
            listed = max(head.given, head.surname)
            return max(shape, min(cue, 0.25 + listed) if listed >= 0.4 else 0.3)
        if (head.head.is_place or head.head.is_organisation) and max(head.given, head.surname) < _SUPPORTED:
            return shape * 0.5
        if head.is_ordinary and not head.is_listed and before.kind in ("role", "label", "signing"):
            return max(shape, 0.5 if before.kind == "role" and not before.starts_sentence else 0.3)
        if head.is_ordinary and before.kind in ("label", "closing", "signing"):
            return max(shape, 0.6)
        if before.kind in ("role", "attribution") and not head.is_listed:
            return max(shape, 0.55 if head.head.zipf < 4 and not head.is_ordinary else 0.35)
        if before.kind == "attribution" and (head.is_ordinary or head.head.is_place):
            return max(shape, 0.35)
        return max(shape, cue)

    def _with_verb(self, tokens: Sequence[Token], kept: Sequence[Unit], shape: float) -> float:
        if 0.3 <= shape < 0.7 and self._context.speaks(tokens, kept[-1].last):
            return min(shape + 0.12, 0.7)
        return shape

    def _shape_confidence(self, tokens: Sequence[Token], kept: Sequence[Unit], before: Before) -> float:
        """Confidence from the words of the name alone."""
        cores = [unit for unit in kept if unit.kind is UnitKind.CORE]
        has_initials = any(unit.kind is UnitKind.INITIALS for unit in kept)
        has_particle = any(unit.kind is UnitKind.PARTICLE for unit in kept)
        if not cores:
            return 0.0
        if any(core.is_lower for core in cores):
            return self._lower_confidence(cores, has_particle=has_particle)
        best_surname = max(core.surname for core in cores)
        best_given = max(core.given for core in cores)
        if has_initials:
            return self._initials_confidence(tokens, kept, cores, before, has_particle=has_particle)
        if len(cores) == 1:
            core = cores[0]
            if has_particle:
                return self._particle_confidence(tokens, kept[0], core, before)
            lone = self._lone_confidence(core, before)
            after_article = kept[0].first > 0 and tokens[kept[0].first - 1].text in _ARTICLES
            if after_article and core.given < 0.8:
                return min(lone, 0.25)
            if core.head.case is Case.UPPER:
                return min(lone, 0.45 if len(core.head.key) > 5 else 0.35)
            bracketed = kept[0].first > 0 and tokens[kept[0].first - 1].text == "("
            return min(lone, 0.35) if bracketed and len(core.head.key) <= 3 else lone
        first = cores[0]
        rest = max(max(core.surname, core.given) for core in cores[1:])
        if first.given >= _SUPPORTED or self._gazetteer.is_given_name(first.head.key):
            strength = max(first.given, 0.45)
            if rest < _SUPPORTED and not has_particle:
                rest = 0.3 if not cores[1].is_ordinary else 0.15
            return min(0.95, 0.45 + 0.35 * strength + 0.25 * max(rest, 0.6 if has_particle else 0))
        if has_particle and best_surname >= 0.2:
            return 0.75
        if best_given >= 0.5 and first.surname >= 0.2:
            return 0.8
        if best_given >= 0.5 or best_surname >= 0.5:
            return 0.55 if not first.is_ordinary else 0.3
        return 0.35 if best_surname >= _SUPPORTED else 0.1

    @staticmethod
    def _initials_confidence(
        tokens: Sequence[Token],
        kept: Sequence[Unit],
        cores: Sequence[Unit],
        before: Before,
        *,
        has_particle: bool,
    ) -> float:
        core = cores[-1]
        initials = next(unit for unit in kept if unit.kind is UnitKind.INITIALS)
        several = sum(tokens[at].is_word for at in range(initials.first, initials.last)) > 1
        dotted = tokens[initials.last - 1].text == "."
        if has_particle:
            return 0.95
        if not dotted and not several and (core.is_ordinary or before.starts_line):
            return 0.4
        if core.surname >= 0.2 or (core.given >= 0.5 and not before.starts_line):
            return 0.93 if dotted or several else 0.8
        if core.is_ordinary and not core.is_listed:
            # "A. Inleiding", "B Bijlage": a heading's letter, unless more letters stand there
            return 0.7 if several and dotted else 0.2
        if core.is_ordinary:
            return 0.6 if before.starts_line and not several else 0.8
        if core.head.is_place or core.head.is_organisation:
            return 0.4
        return 0.85 if dotted else 0.45

    @staticmethod
    def _particle_confidence(tokens: Sequence[Token], particle: Unit, core: Unit, before: Before) -> float:
        facts = tokens[particle.first].facts
        is_capital = facts is not None and facts.is_capital
        if core.head.is_place and core.surname < 0.2 and particle.particle in _PLACE_PARTICLES:
            return 0.45 if is_capital and not before.starts_sentence else 0.1
        listed = core.surname
        if core.head.case is Case.UPPER and not core.is_listed:
            return 0.2
        if is_capital and not before.starts_sentence:
            return 0.85 if listed else (0.6 if not core.is_ordinary else 0.4)
        if particle.particle in ("de", "het", "het", "la", "le"):
            return 0.75 if listed >= 0.4 else (0.4 if listed and is_capital else 0.1)
        if not listed and core.is_ordinary:
            return 0.1
        return 0.75 if listed >= 0.25 else 0.5

    @staticmethod
    def _lone_confidence(core: Unit, before: Before) -> float:
        head = core.head
        if core.given >= 0.85:
            return 0.8
        if core.given >= 0.6:
            return 0.65
        if core.is_ordinary:
            return 0.3 if core.is_listed and not before.starts_sentence else 0.15
        if core.given >= _SUPPORTED:
            return 0.45
        if core.surname >= 0.5:
            return 0.5 if not before.starts_sentence else 0.45
        if core.surname >= 0.2 and not head.is_place:
            return 0.35
        if core.is_listed:
            return 0.15
        return 0.1 if head.is_capital and not head.classes and head.zipf < 4 and not head.is_place else 0.0

    @staticmethod
    def _lower_confidence(cores: Sequence[Unit], *, has_particle: bool) -> float:
        first = cores[0]
        if len(cores) == 1:
            if has_particle:
                return 0.2
            return (
                0.5 if first.given >= 0.85 and len(first.head.key) >= 4 and not first.head.classes else 0.25
            )
        if first.given >= 0.6:
            best = max(core.surname for core in cores[1:])
            return 0.75 if has_particle or best >= 0.4 else 0.3
        return 0.6 if first.surname >= 0.5 and cores[1].given >= 0.6 else 0.2


def _beside_number(tokens: Sequence[Token], unit: Unit) -> bool:
    """Whether a number stands before or after: "12 jan", "Jan. 2024"."""
    before = unit.first > 0 and tokens[unit.first - 1].text.isdigit() and tokens[unit.first].gap is Gap.SPACE
    after = unit.last + (unit.last < len(tokens) and tokens[unit.last].text == ".")
    return before or (
        after < len(tokens) and tokens[after].text.isdigit() and len(tokens[after].text) in (2, 4)
    )


def _is_cue_word(facts: WordFacts) -> bool:
    """Whether a word is rather a title or a greeting than a name."""
    if facts.given >= 0.85:
        return False
    if facts.classes and facts.cues & {"role", "courtesy"} and facts.given_frequency < 1000:
        return True
    strong = facts.cues & {"salutation", "closing", "role", "courtesy", "signing"}
    return (
        bool(strong)
        or (facts.is_title and facts.share >= 0.5)
        or (bool(facts.cues & {"label"}) and facts.share > 0.8)
    )
