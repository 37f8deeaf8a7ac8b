"""How sure the name lists are that words in the shape of a name are the name of a person."""

from collections.abc import Sequence

from linkage.gazetteer import Gazetteer
from linkage.language import ParticleUse
from linkage.pieces import Gap
from linkage.recognition.name_context import Before, NameContext
from linkage.recognition.name_extent import SUPPORTED
from linkage.recognition.name_grammar import Unit, UnitKind
from linkage.recognition.name_tokens import Case, Token

# Kinds of cue by how much they say: the confidence of a name that the lists do not contradict.
_CUE_STRENGTH = {
    "courtesy": 0.95, "salutation": 0.85, "closing": 0.8, "signing": 0.75, "label": 0.75, "role": 0.7,
    "attribution": 0.6, "": 0.0,
}  # fmt: skip


class NameConfidence:
    """Confidence in [0, 1] from the words of a name, how they are put together, and the cue before it."""

    def __init__(self, gazetteer: Gazetteer, context: NameContext) -> None:
        self._gazetteer = gazetteer
        self._context = context
        self._articles = gazetteer.grammar_words("article")
        self._ambiguous = gazetteer.particle_words(ParticleUse.AMBIGUOUS)
        self._place_particles = gazetteer.particle_words(ParticleUse.PLACE)
        self._article_particles = gazetteer.particle_words(ParticleUse.ARTICLE)

    def of(self, tokens: Sequence[Token], kept: Sequence[Unit], before: Before) -> float:
        shape = self._shape_confidence(tokens, kept, before)
        cue = _CUE_STRENGTH[before.kind]
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
        if (head.head.is_place or head.head.is_organisation) and max(head.given, head.surname) < SUPPORTED:
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
            after_article = kept[0].first > 0 and tokens[kept[0].first - 1].text.lower() in self._articles
            if after_article and core.given < 0.8:
                return min(lone, 0.25)
            if core.given < 0.8 and not before.starts_sentence and _after_capital(tokens, kept[0].first):
                return min(lone, 0.3)  # "Intensive Care"
            if core.head.case is Case.UPPER:
                return min(lone, 0.45 if len(core.head.key) > 5 else 0.35)
            bracketed = kept[0].first > 0 and tokens[kept[0].first - 1].text == "("
            return min(lone, 0.35) if bracketed and len(core.head.key) <= 3 else lone
        first = cores[0]
        rest = max(max(core.surname, core.given) for core in cores[1:])
        if first.given >= SUPPORTED or self._gazetteer.is_given_name(first.head.key):
            strength = max(first.given, 0.45)
            if rest < SUPPORTED and not has_particle:
                rest = 0.3 if not cores[1].is_ordinary else 0.15
            return min(0.95, 0.45 + 0.35 * strength + 0.25 * max(rest, 0.6 if has_particle else 0))
        if has_particle and best_surname >= 0.2:
            return 0.75
        if best_given >= 0.5 and first.surname >= 0.2:
            return 0.8
        if best_given >= 0.5 or best_surname >= 0.5:
            return 0.55 if not first.is_ordinary else 0.3
        return 0.35 if best_surname >= SUPPORTED else 0.1

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

    def _particle_confidence(
        self, tokens: Sequence[Token], particle: Unit, core: Unit, before: Before
    ) -> float:
        facts = tokens[particle.first].facts
        is_capital = facts is not None and facts.is_capital
        if core.head.is_place and core.surname < 0.2 and particle.particle in self._place_particles:
            return 0.45 if is_capital and not before.starts_sentence else 0.1
        listed = core.surname
        if core.head.case is Case.UPPER and not core.is_listed:
            return 0.2
        if is_capital and not before.starts_sentence:
            if listed:
                return 0.85
            if particle.particle not in self._ambiguous:
                return 0.6
            return 0.3 if core.is_ordinary or core.head.zipf >= 3.5 else 0.6
        if particle.particle in self._article_particles:
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
        if core.given >= SUPPORTED:
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
                0.5
                if first.given >= 0.85
                and len(first.head.key) >= 4
                and not first.head.classes
                and first.head.share < 0.2
                else 0.25
            )
        if first.given >= 0.6:
            best = max(core.surname for core in cores[1:])
            return 0.75 if has_particle or best >= 0.4 else 0.3
        return 0.6 if first.surname >= 0.5 and cores[1].given >= 0.6 else 0.2


def _after_capital(tokens: Sequence[Token], first: int) -> bool:
    """Whether a capitalized word stands right before that is neither a name nor a cue for one."""
    previous = tokens[first - 1].facts if first else None
    if previous is None or tokens[first].gap is not Gap.SPACE or previous.is_listed or previous.cues:
        return False
    return previous.case is Case.TITLE and first >= 2 and not tokens[first - 1].gap.is_line
