"""Who appears in a text in a professional role: judges, lawyers, doctors, civil servants and the like.

Guidelines for publishing judgments replace the parties and other people but leave those who act by
profession. Only what the text says of a name counts: a role right before it ("rechter: mr. A. Bos") or right
after it ("P. Kok, advocaat te Breda"). A title alone ("mr.", "dr.") is not enough: parties have titles too.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from linkage.language import Language, Meaning, Place
from linkage.language.expressions import any_of
from linkage.language.people import TitleUse, Use, used
from linkage.records import Span

_REACH: Final = 80  # characters


@dataclass(frozen=True, slots=True)
class _Roles:
    """Phrases with the word for a profession, and pieces of which every such word holds one."""

    before: re.Pattern[str]
    after: re.Pattern[str]
    pieces: tuple[str, ...]


@cache
def _roles(language: Language) -> _Roles:
    words = frozenset(used(language.people, Use.ACTS))
    roles, acting_as = any_of(words), language.phrases(Meaning.ACTING_AS, Place.AFTER)
    title = rf"{any_of(language.titles_for(TitleUse.BEHIND_PROFESSION))}\b\.?,?\s*"
    return _Roles(
        # No comma may stand between: in "mr. Kok, advocaat, Jan Tolsma" the role is that of the name before.
        re.compile(rf"\b{roles}\s*:?\s*(?:{title}){{0,4}}\Z", re.IGNORECASE),
        # "Jan Tolsma (advocaat: mr. P. Kok)" says nothing of the first name.
        re.compile(
            rf"(?:,?\s*\(|,\s*{acting_as}?)"
            rf"{roles}\b(?!\s*:)(?!\s+{title})(?!\s+(?-i:[A-Z]))",
            re.IGNORECASE,
        ),
        tuple(sorted(word for word in words if not any(other in word for other in words - {word}))),
    )


def acts_professionally(text: str, span: Span, language: str = "nl") -> bool:
    """Whether the text says right before or after span that this person acts by profession.

    Within the line and up to a semicolon.
    """
    roles = _roles(Language.load(language))
    before = text[max(span.start - _REACH, 0) : span.start]
    after = text[span.end : span.end + _REACH]
    line, rest = re.split(r"[\r\n;]", before)[-1], re.split(r"[\r\n;]", after)[0]
    return (may_hold_role(line, language) and roles.before.search(line) is not None) or (
        may_hold_role(rest, language) and roles.after.match(rest) is not None
    )


def may_hold_role(text: str, language: str = "nl") -> bool:
    """Whether text may hold the word for a role; told quickly, and never wrong where it says no."""
    if not text.isascii():
        return True  # letters may be written in ways that only the patterns know
    letters = text.lower()
    return any(piece in letters for piece in _roles(Language.load(language)).pieces)


def professionals(text: str, spans: Iterable[Span]) -> frozenset[Span]:
    """Those of the spans whose people act by profession."""
    return frozenset(span for span in spans if acts_professionally(text, span))
