"""How a name is put together: initials, given names, nickname, particles, family names, joined by hyphens.

The grammar reads runs of tokens that have the shape of a name; whether one is a name is judged elsewhere.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from linkage.gazetteer import Gazetteer
from linkage.language import ParticleUse
from linkage.pieces import APOSTROPHES, Gap, pieces_of
from linkage.recognition.name_tokens import Case, Token, WordFacts

_HYPHENS = frozenset("-‐‑")
_OPENING = {
    '"': '"', "“": "”", "„": "“”", "”": "”", "«": "»", "»": "«", "\u2018": "\u2019", "'": "'",
    "\u2019": "\u2019", "(": ")", "\u201a": "\u2018\u2019", "\u2039": "\u203a",
}  # fmt: skip
_NAME_WORDS_AT_MOST = 9


class UnitKind(Enum):
    INITIALS = "I"
    PARTICLE = "p"
    CORE = "C"
    NICKNAME = "N"


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of a name: tokens[first:last], and what the lists say of its words (none for particles)."""

    kind: UnitKind
    first: int
    last: int
    words: tuple[WordFacts, ...] = ()
    particle: str = ""

    @property
    def given(self) -> float:
        """How much it looks like a given name: of "Anne-Marie" both parts must."""
        if len(self.words) == 1:  # most by far; this is asked for very often
            return self.words[0].given
        return min((word.given for word in self.words), default=0.0)

    @property
    def surname(self) -> float:
        """How much it looks like a family name: of a double name one part must."""
        if len(self.words) == 1:
            return self.words[0].surname
        return max((word.surname for word in self.words), default=0.0)

    @property
    def is_hyphenated(self) -> bool:
        return len(self.words) > 1

    @property
    def head(self) -> WordFacts:
        return self.words[0]

    @property
    def is_lower(self) -> bool:
        if len(self.words) == 1:
            return self.words[0].case is Case.LOWER
        return all(word.case is Case.LOWER for word in self.words)

    @property
    def is_listed(self) -> bool:
        if len(self.words) == 1:
            return self.words[0].is_listed
        return any(word.is_listed for word in self.words)

    @property
    def share(self) -> float:
        return min((word.share for word in self.words), default=0.0)

    @property
    def is_ordinary(self) -> bool:
        if len(self.words) == 1:
            return self.words[0].is_ordinary
        return all(word.is_ordinary for word in self.words)


class NameGrammar:
    """Reads name-shaped runs from tokens."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        self.language = gazetteer.language
        self._long_initials = gazetteer.grammar_words("long_initial")

    @cached_property
    def particles(self) -> frozenset[str]:
        never_alone = self._gazetteer.particle_words(ParticleUse.NOT_ALONE)
        return frozenset(key for key in self._gazetteer.particles if key not in never_alone and len(key) > 1)

    @cached_property
    def _particles_by_start(self) -> Mapping[str, Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]]:
        """First token's key -> second's ("" = none) -> (keys of all further, particle), the longest first."""
        found: dict[str, dict[str, list[tuple[tuple[str, ...], str]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        for particle in self.particles:
            first, *further = pieces_of(particle)
            found[first][further[0] if further else ""].append((tuple(further), particle))
        return {
            first: {
                second: tuple(sorted(rest, key=lambda r: (-len(r[0]), r))) for second, rest in seconds.items()
            }
            for first, seconds in found.items()
        }

    def run(self, tokens: Sequence[Token], start: int, *, lower: bool = False) -> list[Unit]:
        """Units from tokens[start] on, as far as the shape of a name goes.

        lower: family and given names that the lists know may begin with a small letter.
        """
        units: list[Unit] = []
        at = start
        while at < len(tokens) and len(units) < _NAME_WORDS_AT_MOST:
            if units and not self._joins(tokens, at, units):
                break
            unit = self._unit(tokens, at, units, lower=lower)
            if unit is None:
                break
            units.append(unit)
            at = unit.last
        while units and units[-1].kind is UnitKind.PARTICLE:
            units.pop()
        return units

    def particle_at(self, tokens: Sequence[Token], at: int) -> tuple[int, str] | None:
        """(token after the longest particle here, its folded form), with or without a hyphen behind it."""
        by_second = self._particles_by_start.get(tokens[at].key)
        if by_second is None:
            return None
        second = tokens[at + 1].key if at + 1 < len(tokens) else ""
        for begins in (second, "") if second in by_second else ("",):
            for further, particle in by_second.get(begins, ()):
                last = at + 1 + len(further)
                if last > len(tokens) or not self._stands_here(tokens, at, further):
                    continue
                if not self._cuts_word(tokens, last):
                    return last, particle
        return None

    @staticmethod
    def _stands_here(tokens: Sequence[Token], at: int, further: Sequence[str]) -> bool:
        """Whether these keys follow tokens[at]; "in Den Haag" begins with a preposition."""
        first = tokens[at].facts
        begins_small = first is not None and first.case is Case.LOWER
        for offset, key in enumerate(further, start=at + 1):
            token = tokens[offset]
            if token.key != key or token.gap not in (Gap.NONE, Gap.SPACE, Gap.LINE):
                return False
            if begins_small and token.facts is not None and token.facts.is_capital:
                return False
        return True

    @staticmethod
    def _cuts_word(tokens: Sequence[Token], last: int) -> bool:
        """Whether the particle ends inside a word: "d'" may touch what follows, "van" may not."""
        if last >= len(tokens) or tokens[last].gap is not Gap.NONE:
            return False
        after, before = tokens[last], tokens[last - 1]
        if before.text in APOSTROPHES or before.text == "." or after.text in _HYPHENS:
            return False
        if after.facts is not None:
            return after.facts.case is not Case.TITLE
        return after.text in APOSTROPHES

    def _joins(self, tokens: Sequence[Token], at: int, units: Sequence[Unit]) -> bool:
        """Whether what stands before tokens[at] lets a name go on."""
        token, last = tokens[at], units[-1]
        if token.gap in (Gap.NONE, Gap.SPACE):
            return True
        if token.gap is not Gap.LINE:
            return False
        # Over a line end only what is unfinished goes on: "Joris\nSmeets, wonende", "Anna van\nden Berg".
        if last.kind is UnitKind.PARTICLE:
            return _words_in_line(tokens, units[0].first, back=True) >= 2
        cores = [unit for unit in units if unit.kind is UnitKind.CORE]
        if any(unit.surname >= 0.3 and unit.given < 0.5 for unit in cores):
            return False
        if len(cores) > 1 and cores[-1].given < 0.5:
            return False
        begins_particle = self.particle_at(tokens, at) is not None
        facts = token.facts
        if not begins_particle and (facts is None or facts.case is not Case.TITLE or facts.is_ordinary):
            return False
        return _words_in_line(tokens, units[0].first, back=True) >= 2

    def _unit(self, tokens: Sequence[Token], at: int, before: Sequence[Unit], *, lower: bool) -> Unit | None:
        token = tokens[at]
        initials = self._initials(tokens, at, before)
        if initials is not None:
            return initials
        particle = self.particle_at(tokens, at)
        if particle is not None and not before and token.facts is not None and token.facts.given >= 0.3:
            particle = None  # "Ben Jansen" begins with a given name
        if particle is not None and not before and self._begins_with_initials(tokens, particle[0]):
            particle = None  # "een brief van PW Jansen"
        if particle is not None:
            last, written = particle
            last += last < len(tokens) and tokens[last].text in _HYPHENS and tokens[last].gap is Gap.NONE
            if last < len(tokens) and self._core(tokens, last, lower=lower, particle=written) is not None:
                gap = tokens[last].gap
                # Whether "De" belongs to the name is judged later.
                if gap in (Gap.NONE, Gap.SPACE, Gap.LINE):
                    return Unit(
                        UnitKind.PARTICLE, at, last, particle=self._gazetteer.particles[written].lower()
                    )
            is_elided = at + 1 < len(tokens) and tokens[at + 1].text in APOSTROPHES  # "D'hondt"
            if token.facts is None or (token.facts.given < 0.3 and not is_elided):
                return None
        if before:
            nickname = self._nickname(tokens, at, before)
            if nickname is not None:
                return nickname
        particle_before = before[-1].particle if before else ""
        return self._core(tokens, at, lower=lower, particle=particle_before)

    def _begins_with_initials(self, tokens: Sequence[Token], at: int) -> bool:
        return at < len(tokens) and self._initials(tokens, at, ()) is not None

    def _initials(self, tokens: Sequence[Token], at: int, before: Sequence[Unit]) -> Unit | None:
        """ "J.P.", "J. P.", "J.-P.", "Chr.J.M.", "A B", "JP"."""
        end = at
        dotted = False
        while end < len(tokens):
            token = tokens[end]
            if end > at and token.text in _HYPHENS and token.gap is Gap.NONE and end + 1 < len(tokens):
                token = tokens[end + 1]
                step = 2
            else:
                step = 1
            if token.facts is None or (end > at and token.gap not in (Gap.NONE, Gap.SPACE)):
                break
            has_dot = _is_dot(tokens, end + step)
            is_letter = token.facts.case is Case.INITIAL
            is_long = has_dot and token.facts.key in self._long_initials and token.facts.is_capital
            if not (is_letter or is_long):
                break
            if not has_dot and not _space_follows(tokens, end + step):
                break
            dotted = dotted or has_dot
            end += step + has_dot
        if end > at:
            return Unit(UnitKind.INITIALS, at, end)
        facts = tokens[at].facts
        if (
            not before and facts is not None and facts.case is Case.UPPER and len(facts.key) in (2, 3)
            and not facts.is_listed and not _is_cue(facts) and not facts.markers and not facts.is_organisation
            and not facts.is_title and facts.zipf < 4.5 and facts.key != "ps"
            and _space_follows(tokens, at + 1)
        ):  # fmt: skip
            following = tokens[at + 1]
            if following.facts is not None and following.facts.is_place and following.facts.surname < 0.3:
                return None
            in_capitals = following.facts is not None and following.facts.case is Case.UPPER
            listed = following.facts is not None and following.facts.surname >= max(
                0.2, following.facts.given
            )
            listed = listed or self.particle_at(tokens, at + 1) is not None
            if not in_capitals and listed:
                return Unit(UnitKind.INITIALS, at, at + 1)
        return None

    def _nickname(self, tokens: Sequence[Token], at: int, before: Sequence[Unit]) -> Unit | None:
        """A nickname in quotes or brackets after a given name, before a family name."""
        closing = _OPENING.get(tokens[at].text)
        if closing is None or tokens[at].gap is not Gap.SPACE:
            return None
        if any(unit.kind in (UnitKind.PARTICLE, UnitKind.NICKNAME) for unit in before):
            return None
        for last in range(at + 2, min(at + 6, len(tokens))):
            if tokens[last].text in closing:
                break
        else:
            return None
        inside = tokens[at + 1 : last]
        if tokens[at].text == "(" and len(inside) > 2 and inside[0].text in _OPENING:
            inside = inside[1:-1] if inside[-1].text in _OPENING[inside[0].text] else inside
        if not inside[-1].is_word or tokens[last].gap is not Gap.NONE or inside[0].gap is not Gap.NONE:
            return None
        facts = inside[-1].facts
        if facts is None or not (facts.is_capital or facts.given >= 0.3) or last + 1 >= len(tokens):
            return None
        if not all(token.is_word for token in inside) or tokens[last + 1].gap is not Gap.SPACE:
            return None
        first = inside[0].facts
        if len(inside) > 1 and first is not None and not (first.is_capital or first.key in self.particles):
            return None
        follows = self._core(tokens, last + 1, lower=False)
        if follows is None and (particle := self.particle_at(tokens, last + 1)) is not None:
            follows = self._core(tokens, particle[0], lower=False)
        if follows is None or (tokens[at].text == "(" and not follows.is_listed):
            return None
        return Unit(UnitKind.NICKNAME, at, last + 1)

    def _core(self, tokens: Sequence[Token], at: int, *, lower: bool, particle: str = "") -> Unit | None:
        """A given or family name with what hyphens join to it: "Jan-Peter", "Bos-van den Akker"."""
        if at >= len(tokens):
            return None
        facts = tokens[at].facts
        if facts is None or not (
            self._may_be_name(facts, lower=lower)
            or (lower and particle and self._listed_with(facts, particle))
        ):
            return None
        words = [facts]
        end = at + 1
        apostrophe = facts.key in ("o", "d", "l", "n", "m") and facts.is_capital
        if apostrophe:
            if not (
                end + 1 < len(tokens) and tokens[end].text in APOSTROPHES and _glued_name(tokens, end + 1)
            ):
                return None
            following = tokens[end + 1].facts
            words = [following] if following is not None else words
            end += 2
        elif facts.case is Case.INITIAL:
            return None
        while (
            end + 1 < len(tokens)
            and tokens[end].text in _HYPHENS
            and tokens[end].gap in (Gap.NONE, Gap.SPACE)
        ):
            spaced = tokens[end].gap is Gap.SPACE or tokens[end + 1].gap is Gap.SPACE
            following_at = end + 1
            inner = self.particle_at(tokens, following_at)
            if (
                inner is not None and inner[0] < len(tokens) and tokens[inner[0]].is_word
                and tokens[inner[0]].gap in (Gap.NONE, Gap.SPACE)
            ):  # fmt: skip
                following_at = inner[0]
            following = tokens[following_at].facts
            if following is None or not self._may_be_name(following, lower=lower):
                break
            if tokens[following_at].gap not in (Gap.NONE, Gap.SPACE):
                break
            if following.case is Case.INITIAL and not (
                following_at + 1 < len(tokens) and tokens[following_at + 1].text in _HYPHENS
            ):
                break
            # "Jansen - Bos" may be two people; only a listed pair is taken for a double name.
            joined = inner is not None and words[-1].surname >= 0.3 and following.surname >= 0.3
            in_capitals = words[-1].case is Case.UPPER and following.case is Case.UPPER
            if spaced and not joined and not (in_capitals and not following.is_ordinary and particle):
                break
            words.append(following)
            end = following_at + 1
        return Unit(UnitKind.CORE, at, end, tuple(words))

    def _listed_with(self, facts: WordFacts, particle: str) -> bool:
        return self._gazetteer.particles.get(particle, particle) in facts.particles

    @staticmethod
    def _may_be_name(facts: WordFacts, *, lower: bool) -> bool:
        if facts.is_capital:
            return not (facts.case is Case.UPPER and facts.is_function_word)
        return lower and (facts.given >= 0.3 or facts.surname >= 0.15)


def _is_cue(facts: WordFacts) -> bool:
    """Whether capitals are a cue and nothing else; two that stand for an office may be initials, too."""
    return bool(facts.cues) and not (len(facts.key) == 2 and facts.cues == {"role"})


def _is_dot(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].text == "." and tokens[at].gap is Gap.NONE


def _space_follows(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].gap is Gap.SPACE and tokens[at].is_word


def _glued_name(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word of three letters or more touches what stands before it: "O'Reilly", "D'hondt"."""
    facts = tokens[at].facts
    return facts is not None and tokens[at].gap is Gap.NONE and len(facts.key) > 2


def _words_in_line(tokens: Sequence[Token], at: int, *, back: bool) -> int:
    """Words before tokens[at] in its line."""
    count = 0
    while back and at > 0 and not tokens[at].gap.is_line:
        at -= 1
        count += tokens[at].is_word
    return count
