"""Names torn apart or stuck together: "J a n", "Wil helmina", "Jansenbelde"."""

import re
from collections.abc import Collection, Iterator, Sequence

from linkage.language import ParticleUse
from linkage.pieces import Gap
from linkage.recognition.name_tokens import Case, Token, WordBook

# Three single letters or more with a space between, words set off by two spaces or by their capital.
_SPACED = re.compile(r"(?<![\w.])[^\W\d_a-zß-ÿ](?: {1,3}[^\W\d_]){2,}(?![\w'’])")
_SHORTEST_STUCK_NAME = 4


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
