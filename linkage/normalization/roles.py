"""The part a person plays in a text: "huisarts Postma", "Postma, huisarts", "cliënt: Postma", "vader Postma".

Roles are soft evidence: one role in common speaks for one person where the names fit already; whoever is
served (client, patient, pupil) is seldom the professional of the same name in the same papers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from linkage.language import Language
from linkage.language.pack import any_of
from linkage.language.people import TitleUse, Use
from linkage.records import Mention, Role, RoleClass

_WORD = r"[^\W\d_](?:[\w'-]|\.(?=\w))*"
# The look behind changes no match, the first start of a word being tried first; it saves the other starts.
_BEFORE = re.compile(
    rf"(?<![^\W\d_])(?P<word>{_WORD})(?:(?P<dot>\.)|\(en\))?(?:\s*[.]{{2,}})?\s*:?\s*(?:\d\)\s*)?[\"'(]?$"
)
_AFTER = re.compile(
    rf"\s*(?:[,(|/-]|\s)\s*(?:(?:de|het|een|uw|onze|als|senior|junior|hoofd)\s+)?({_WORD})", re.IGNORECASE
)
_LISTED = re.compile(r"\s*(?:,|en\b|$)")
_REACH = 34


@dataclass(frozen=True, slots=True)
class _RoleWord:
    """What a word tells. is_short: it has a full stop."""

    role: Role
    is_short: bool


@cache
def _roles(language: Language) -> Mapping[str, _RoleWord]:
    """The role that each word of the language tells; the first table counts that has the word."""
    found: dict[str, _RoleWord] = {}
    tables = (
        (RoleClass.SERVED, language.roles),
        (RoleClass.PROFESSIONAL, language.professions),
        (RoleClass.KIN, language.kin),
    )
    for side, words in tables:
        for word in words:
            if word.role is not None:
                role = Role(side, word.role)
                found.setdefault(word.word, _RoleWord(role, Use.SHORT in word.uses))
    return found


@cache
def _titles(language: Language) -> re.Pattern[str]:
    words = any_of(language.titles_for(TitleUse.BEHIND_ROLE))
    return re.compile(rf"\b(?:de\s+)?{words}\.?\s*$", re.IGNORECASE)


def roles_of(text: str, mention: Mention, language: Language) -> frozenset[Role]:
    """Roles of the words right before and after a mention; mostly none or one."""
    roles = _roles(language)
    found: set[Role] = set()
    start, end = mention.span.start, mention.span.end
    before = text[max(0, start - _REACH) : start]
    line = re.split(r"[\n;]", before)[-1]
    line = _titles(language).sub("", line)
    if (match := _BEFORE.search(line)) and (word := roles.get(match["word"].lower())):
        found |= {word.role} if match["dot"] is None or word.is_short else set()
    after = text[end : end + _REACH].split("\n")[0]
    if (match := _AFTER.match(after)) and (word := roles.get(match[1].lower())):
        separator = after[: match.start(1)]
        # "Postma huisarts" in running text is another clause; in capitals or after two spaces it is a list.
        is_apposition = re.search(r"[,(|/-]", separator) or "  " in separator or match[1].isupper()
        # "ASP, VOS, leerling, vader": the word is one more of those who were there.
        is_listed = (
            "," in separator and _LISTED.match(after, match.end()) and before.rstrip()[-1:] in (",", ":")
        )
        if is_apposition and not is_listed and word.role.side is not RoleClass.KIN:
            found.add(word.role)
    return frozenset(found)
