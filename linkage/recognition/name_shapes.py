"""Names torn apart, stuck together or cut down to letters: "J a n", "Wil helmina", "Jansenbelde", "MvdH"."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.pieces import Gap
from linkage.recognition.name_grammar import UnitKind
from linkage.recognition.name_judgement import JudgedName
from linkage.recognition.name_tokens import Case, Token, WordBook

# Three single letters or more with a space between, words set off by two spaces or by their capital.
_SPACED = re.compile(r"(?<![\w.])[^\W\d_a-zß-ÿ](?: {1,3}[^\W\d_]){2,}(?![\w'’])")
_SHORTEST_STUCK_NAME = 4
_WIDEST_SIGNATURE = 200  # characters of a line on either side of a signature's letters that are looked at


@cache
def _code(language: Language) -> re.Pattern[str]:
    particle = any_of(language.particles(ParticleUse.CODE))
    return re.compile(rf"(?<![\w@./\-])[A-Z]{{1,4}}(?:{particle})?[A-Z]{{1,2}}(?![\w@\-])")


def spaced_words(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, letters put together) of words with spaced letters, as OCR makes them."""
    for match in _SPACED.finditer(text):
        words = re.split(r" {2,}", match.group())
        joined = " ".join(word.replace(" ", "") for word in words)
        if any(letter.islower() for letter in joined) or "  " in match.group():
            yield match.start(), match.end(), joined


def mended(tokens: Sequence[Token], book: WordBook, stuck_words: Collection[str]) -> list[Token]:
    """Tokens in which a name torn in two is one token, and a word stuck to a name is cut off.

    Only where the lists know the result and know no other reading of what stands there.
    """
    found: list[Token] = []
    skip = False
    for position, token in enumerate(tokens):
        if skip:
            skip = False
            continue
        if token.facts is None or token.facts.case is not Case.TITLE:
            found.append(token)
            continue
        following = tokens[position + 1] if position + 1 < len(tokens) else None
        if following is not None and (whole := _torn(token, following, tokens, position, book)) is not None:
            found.append(whole)
            skip = True
        elif (pair := _stuck(token, book, stuck_words)) is not None:
            found += pair
        else:
            found.append(token)
    return found


def _torn(
    token: Token, following: Token, tokens: Sequence[Token], position: int, book: WordBook
) -> Token | None:
    """ "Wil helmina" before a family name."""
    left, right = token.facts, following.facts
    if left is None or right is None or left.case is not Case.TITLE or right.case is not Case.LOWER:
        return None
    if following.gap is not Gap.SPACE or len(right.key) < 3 or right.classes or right.zipf >= 4:
        return None
    after = tokens[position + 2].facts if position + 2 < len(tokens) else None
    if after is None or not (
        after.is_capital or after.key in book.language.particles(ParticleUse.BEHIND_TORN)
    ):
        return None
    whole = book.facts(token.text + following.text)
    if max(whole.given, whole.surname) < 0.5 or whole.has_genitive or left.given >= 0.8:
        return None
    return Token(token.text + following.text, token.start, following.end, token.gap, whole)


def _stuck(token: Token, book: WordBook, stuck_words: Collection[str]) -> tuple[Token, Token] | None:
    """ "Jansenbelde": a listed name with an ordinary word glued to it."""
    facts = token.facts
    if facts is None or facts.case is not Case.TITLE or len(facts.key) < 7:
        return None
    if facts.is_listed or facts.classes or facts.zipf > 0 or facts.cues or facts.markers:
        return None
    for cut in range(len(token.text) - 3, _SHORTEST_STUCK_NAME - 1, -1):
        rest = book.facts(token.text[cut:])
        if "speech" not in rest.cues and rest.key not in stuck_words:
            continue
        name = book.facts(token.text[:cut])
        if (name.given >= 0.8 or name.surname >= 0.5) and not name.has_genitive:
            middle = token.start + cut
            return (
                Token(token.text[:cut], token.start, middle, token.gap, name),
                Token(token.text[cut:], middle, token.end, Gap.NONE, rest),
            )
    return None


def signature_codes(
    text: str, tokens: Sequence[Token], names: Sequence[JudgedName], language: Language
) -> Iterator[tuple[int, int, float]]:
    """(start, end, confidence) of initials that stand for a full name of the document.

    With the letters of a particle ("MvdH") they may stand anywhere; capitals alone ("JB") where people sign.
    """
    matches = list(_code(language).finditer(text))
    if not matches:
        return
    codes: dict[str, bool] = {}
    for name in names:
        if name.confidence >= 0.6:
            for code, has_particle in _codes(tokens, name):
                codes[code] = codes.get(code, False) or has_particle
    for match in matches:
        code = match.group()
        if code not in codes:
            continue
        if codes[code] and not code.isupper():
            yield match.start(), match.end(), 0.75
        elif _signs(text, match.start(), match.end(), language):
            yield match.start(), match.end(), 0.6


def _codes(tokens: Sequence[Token], name: JudgedName) -> Iterator[tuple[str, bool]]:
    cores = [unit for unit in name.units if unit.kind is UnitKind.CORE]
    letters = ""
    for unit in name.units:
        if unit.kind is UnitKind.INITIALS:
            words = (tokens[at].text for at in range(unit.first, unit.last) if tokens[at].is_word)
            letters += "".join(word if len(word) <= 3 and word.isupper() else word[0] for word in words)
        elif unit.kind is UnitKind.CORE and unit is not cores[-1]:
            letters += "".join(part[0] for part in unit.words[0].key.split("-")).upper()
    if not letters or not cores:
        return
    particle = next((unit.particle for unit in name.units if unit.kind is UnitKind.PARTICLE), "")
    middle = "".join(word.lstrip("'")[:1] for word in particle.split())
    family = cores[-1].words[0].key[0].upper()
    last = cores[-1].words[-1].key[0].upper()
    for first in {letters, letters[0]}:
        yield first + middle + family, bool(middle)
        yield first + middle.upper() + family, False
        if cores[-1].is_hyphenated:
            yield first + middle + family + last, bool(middle)


def _signs(text: str, start: int, end: int, language: Language) -> bool:
    before = text[max(0, start - _WIDEST_SIGNATURE) : start].rpartition("\n")[2].strip()
    after = text[end : end + _WIDEST_SIGNATURE].partition("\n")[0].strip(" .)")
    alone = not before and not after
    labelled = before.lower().endswith(tuple(language.words("signs_before")))
    return alone or (labelled and not after)
