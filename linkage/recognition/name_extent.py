"""Where a name begins in a run of words, and where it ends."""

from collections.abc import Sequence

from linkage.gazetteer import Gazetteer
from linkage.language import ParticleUse
from linkage.pieces import Gap
from linkage.recognition.name_context import Before
from linkage.recognition.name_grammar import Unit, UnitKind
from linkage.recognition.name_tokens import Case, Token, WordFacts
from linkage.recognition.not_persons import NotPersons

# A given name that fewer people bear goes on with a name in capitals only where it has a capital itself.
_SEEN_IN_SMALL_LETTERS = 20
SUPPORTED = 0.3  # below this a word of the lists counts as unlisted


class NameExtent:
    """Finds the units of a run that belong to one name."""

    def __init__(self, gazetteer: Gazetteer, not_persons: NotPersons) -> None:
        self._gazetteer = gazetteer
        self._not_persons = not_persons
        words, particles = gazetteer.grammar_words, gazetteer.particle_words
        self._lettered = words(
            "lettered"
        )  # "bijlage C. Jansen vraagt": the letter belongs to the word before
        self._prepositions = words("preposition")
        self._phrases = words("preposition_phrase")  # family names have these only where the list says so
        self._place_particles = particles(ParticleUse.PLACE)
        self._surname_particles = particles(ParticleUse.SURNAME)
        self._archaic = particles(ParticleUse.ARCHAIC)
        self._from = particles(ParticleUse.FROM)
        self._opening = particles(ParticleUse.OPENING)
        self._ambiguous = particles(ParticleUse.AMBIGUOUS)  # with a capital they begin titles and firms, too

    def may_begin(self, tokens: Sequence[Token], units: Sequence[Unit], offset: int, before: Before) -> bool:
        unit = units[offset]
        following = units[offset + 1] if offset + 1 < len(units) else None
        if unit.kind is UnitKind.INITIALS:
            previous = tokens[unit.first - 1].text.lower() if unit.first else ""
            counted = unit.last - unit.first <= 2 and previous in self._lettered
            if following is not None and following.kind is UnitKind.NICKNAME and offset + 2 < len(units):
                following = units[offset + 2]  # "C. (Carla) Brouwers"
            return (
                not counted and following is not None and following.kind in (UnitKind.CORE, UnitKind.PARTICLE)
            )
        if unit.kind is UnitKind.PARTICLE:
            after = units[offset + 2] if offset + 2 < len(units) else None
            if following is None or following.kind is not UnitKind.CORE:
                return False
            if before.starts_sentence and following.head.case is Case.TITLE and _is_only_given(after):
                return False  # "De Rus Pavel": an article, and a word for the man
            return self._particle_opens(tokens, unit, following, before)
        head = unit.head
        after = units[offset + 2] if offset + 2 < len(units) else None
        addressed = before.kind == "courtesy"
        greets = bool(head.cues & {"salutation", "closing", "courtesy", "role"}) and (
            head.share >= 0.5 or head.given_frequency < 100
        )
        if (
            not addressed
            and is_cue_word(head)
            and (greets or not self._is_name_despite(unit, following, after))
        ):
            # "Jansen, Kok en Visser": in a list of names it may be one, if those beside it are
            return (
                head.surname > 0
                and head.case is Case.TITLE
                and not before.starts_sentence
                and following is None
            )
        if "nobody" in head.markers and not addressed:
            return False
        if "month_or_day" in head.markers and not addressed:
            if head.given < 0.85 and not self._is_name_despite(unit, following, after):
                return False
            if _beside_number(tokens, unit):
                return False
        if head.is_function_word and not self._is_called(tokens, unit, before):
            return False
        if (
            before.starts_sentence and head.share >= 0.85 and _is_only_given(following) and not addressed
            and after is not None and after.kind is UnitKind.CORE
        ):  # fmt: skip
            return False  # "Heeft Abdullah Kaya getekend?"
        if before.kind not in ("courtesy", "role") and not unit.is_listed and following is not None:
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
            return before.kind in ("salutation", "closing", "label") or self._is_name_despite(
                unit, following, after
            )
        return True

    def _is_called(self, tokens: Sequence[Token], unit: Unit, before: Before) -> bool:
        """Whether a function word is a name for what stands around it: "mevr. Wil Boersma", "Hoi Do,"."""
        head = unit.head
        if before.kind == "role":
            return True
        if head.case is not Case.TITLE:
            return before.kind == "courtesy" and unit.share < 0.95
        if before.kind == "courtesy":
            return unit.share < 0.95 or self._gazetteer.is_given_name(head.key)
        after = tokens[unit.last] if unit.last < len(tokens) else None
        ends = after is None or after.gap.is_line or after.text in (",", "!")
        return before.kind == "salutation" and ends and self._gazetteer.is_given_name(head.key)

    def _is_name_despite(self, unit: Unit, following: Unit | None, after: Unit | None) -> bool:
        """A word that is a name too, and whose neighbour can only be one: "Roos Jansen", "Mei Ling"."""
        if following is None or not self._gazetteer.is_given_name(unit.head.key):
            return False
        if following.kind is UnitKind.INITIALS:
            return True
        if following.kind is UnitKind.PARTICLE:
            # "Kan de Kamer" is no Mr Kan
            needed = 0.3 if unit.head.share >= 0.6 or unit.head.zipf >= 5 else 0.0
            return after is None or after.surname > needed or after.head.is_users
        if following.kind is UnitKind.CORE:
            if unit.head.zipf >= 5.5 and _is_only_given(following):
                return False  # "Kan Abdullah komen?"
            return max(following.surname, following.given) >= 0.45 and not is_cue_word(following.head)
        return False

    def trimmed(self, tokens: Sequence[Token], units: Sequence[Unit]) -> list[Unit]:
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
                kept
                and unit.kind is UnitKind.INITIALS
                and (tokens[unit.first].gap is Gap.NONE or not self._initials_continue(units, position, kept))
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
        """Whether initials go on with a name: "Walter T. Bosman"; "Goossens I." may also end so."""
        following = units[position + 1] if position + 1 < len(units) else None
        return following is not None or kept[-1].is_listed

    def _continues(
        self, kept: Sequence[Unit], unit: Unit, particle: Unit | None, following: Unit | None
    ) -> bool:
        head = unit.head
        after_title_case = kept[-1].kind is UnitKind.CORE and kept[-1].head.case is Case.TITLE
        if head.case is Case.UPPER and after_title_case and (len(head.key) <= 3 or not unit.is_listed):
            return particle is None and len(head.key) > 3 and not head.classes  # "dokter Bos OK"
        if "month_or_day" in head.markers and unit.surname < 0.2:
            return False
        surnames_only = all(k.kind is not UnitKind.INITIALS and k.given < SUPPORTED for k in kept)
        if particle is not None:
            return self._continues_with_particle(kept, unit, particle.particle, following)
        if is_cue_word(head) and (unit.surname < 0.2 or "courtesy" in head.cues):
            return False
        if head.case is Case.LOWER and not unit.is_listed:
            return False
        is_rare = not head.surname and head.given_frequency < _SEEN_IN_SMALL_LETTERS
        if head.case is Case.LOWER and after_title_case and is_rare:
            return False  # "frou Haadsma binne"
        if unit.is_listed and (unit.surname > 0 or unit.given > 0):
            if head.is_place and unit.given == 0:
                return unit.surname > 0 and not surnames_only
            return True
        if (
            kept[-1].given >= 0.6 and head.case is Case.TITLE and head.zipf < 5 and not head.is_function_word
            and not head.is_place and not head.is_organisation and head.classes not in ("a", "o")
        ):  # fmt: skip
            return True  # inside a sentence only a name has a capital after a given name
        if kept[-1].kind is UnitKind.INITIALS and head.case is Case.TITLE and not head.is_function_word:
            return head.zipf < 5.3  # "mr. O. Ba"
        if head.is_place or head.is_organisation or (head.zipf >= 3.8 and head.case is not Case.UPPER):
            return False
        return not unit.is_ordinary and not (head.case is Case.UPPER and head.classes)

    def _continues_with_particle(
        self, kept: Sequence[Unit], unit: Unit, written: str, following: Unit | None
    ) -> bool:
        """Whether a particle and this word go on with the name, or are "from" and a place."""
        head = unit.head
        listed = head.surname > 0 or bool(head.particles)
        if written in self._prepositions and unit.given >= 0.6 and following is not None:
            return False  # "een brief van Hans Matla"
        if written in head.particles:
            return True
        if written in self._phrases:
            return False
        if (
            written in self._prepositions
            and not listed
            and not any(k.kind is UnitKind.INITIALS or k.given >= SUPPORTED for k in kept)
        ):
            return False  # "mevrouw Jansen van Boekwijk" is from there
        if listed and (not head.is_place or written not in self._prepositions):
            return True
        if head.is_place and written in self._from and head.zipf < 3.5:
            return True
        if (
            kept[-1].given >= 0.6
            and head.case is Case.TITLE
            and written in self._surname_particles
            and head.zipf < 5.5
        ):
            return not head.is_place and not head.is_organisation
        if not listed and (head.is_organisation or head.zipf >= 3.8):
            return False
        if head.is_place:
            return written not in self._place_particles
        if head.is_ordinary and not listed:
            return written in self._archaic
        return True

    def _particle_opens(self, tokens: Sequence[Token], particle: Unit, core: Unit, before: Before) -> bool:
        """Whether a particle that no given name precedes is part of a name, or an ordinary word."""
        written = particle.particle
        facts = tokens[particle.first].facts
        listed_with = written in core.head.particles
        if before.kind == "courtesy":
            return listed_with or written not in self._prepositions or not _is_only_given(core)
        entry = core.head if core.head.surname > 0 or core.head.particles else None
        is_capital = facts is None or facts.is_capital
        if is_capital and not before.starts_sentence and listed_with:
            return True
        if is_cue_word(core.head) and core.surname < 0.2:
            return False
        if is_capital and not before.starts_sentence:
            if core.head.case is not Case.UPPER and written not in self._ambiguous:
                return True  # "volgens Van Klaveren": only a name has this capital inside a sentence
            return not (core.is_ordinary or core.head.is_place or core.head.case is Case.UPPER)
        if is_capital:
            return listed_with or (entry is not None and core.surname >= 0.5)
        if entry is None or core.surname < 0.15 or (written in self._phrases and not listed_with):
            return False
        if written in self._opening:
            return listed_with and not entry.stands_bare and not core.head.is_place
        return listed_with or not core.is_ordinary


def _beside_number(tokens: Sequence[Token], unit: Unit) -> bool:
    """Whether a number stands before or after: "12 jan", "Jan. 2024"."""
    before = unit.first > 0 and tokens[unit.first - 1].text.isdigit() and tokens[unit.first].gap is Gap.SPACE
    after = unit.last + (unit.last < len(tokens) and tokens[unit.last].text == ".")
    return before or (
        after < len(tokens) and tokens[after].text.isdigit() and len(tokens[after].text) in (2, 4)
    )


def is_cue_word(facts: WordFacts) -> bool:
    """Whether a word is rather a title or a greeting than a name."""
    if facts.classes and facts.cues & {"role", "courtesy"} and facts.given_frequency < 1000:
        return True
    if facts.given >= 0.85:
        return False
    strong = facts.cues & {"salutation", "closing", "role", "courtesy", "signing"}
    return (
        bool(strong)
        or (facts.is_title and facts.share >= 0.5)
        or (bool(facts.cues & {"label"}) and facts.share > 0.8)
    )


def _is_only_given(unit: Unit | None) -> bool:
    """Whether a unit is a given name and hardly a family name."""
    return unit is not None and unit.kind is UnitKind.CORE and unit.given >= 0.6 and unit.given > unit.surname
