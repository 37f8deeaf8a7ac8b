"""The part a person plays in a text: "huisarts Postma", "Postma, huisarts", "cliënt: Postma", "vader Postma".

Roles are soft evidence: one role in common speaks for one person where the names fit already; whoever is
served (client, patient, pupil) is seldom the professional of the same name in the same papers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from linkage.language import Language, Meaning, Place
from linkage.language.people import Use
from linkage.records import Mention, Role, RoleClass

_WORD = r"[^\W\d_](?:[\w'-]|\.(?=\w))*"
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


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Expressions for what stands beside a name: a title, the word for a role, another name of a list."""

    title: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    listed: re.Pattern[str]


@cache
def _phrases(language: Language) -> _Phrases:
    plural = language.phrases(Meaning.PLURAL, Place.AFTER)
    before_role = language.phrases(Meaning.BEFORE_ROLE, Place.AFTER)
    joint = language.phrases(Meaning.AND, Place.BETWEEN)
    return _Phrases(
        re.compile(rf"\b{language.slots['ROLE_TITLE']}\s*$", re.IGNORECASE),
        # The look behind changes no match, the first start of a word being tried first; it saves the others.
        re.compile(
            rf"(?<![^\W\d_])(?P<word>{_WORD})(?:(?P<dot>\.)|{plural})?(?:\s*[.]{{2,}})?"
            rf"\s*:?\s*(?:\d\)\s*)?[\"'(]?$"
        ),
        re.compile(rf"\s*(?:[,(|/-]|\s)\s*(?:{before_role}\s+)?({_WORD})", re.IGNORECASE),
        re.compile(rf"\s*(?:,|{joint}\b|$)"),
    )


def roles_of(text: str, mention: Mention, language: Language) -> frozenset[Role]:
    """Roles of the words right before and after a mention; mostly none or one."""
    roles, phrases = _roles(language), _phrases(language)
    found: set[Role] = set()
    start, end = mention.span.start, mention.span.end
    before = text[max(0, start - _REACH) : start]
    line = re.split(r"[\n;]", before)[-1]
    line = phrases.title.sub("", line)
    if (match := phrases.before.search(line)) and (word := roles.get(match["word"].lower())):
        found |= {word.role} if match["dot"] is None or word.is_short else set()
    after = text[end : end + _REACH].split("\n")[0]
    if (match := phrases.after.match(after)) and (word := roles.get(match[1].lower())):
        separator = after[: match.start(1)]
        # "Postma huisarts" in running text is another clause; in capitals or after two spaces it is a list.
        is_apposition = re.search(r"[,(|/-]", separator) or "  " in separator or match[1].isupper()
        # "ASP, VOS, leerling, vader": the word is one more of those who were there.
        is_listed = (
            "," in separator
            and phrases.listed.match(after, match.end())
            and before.rstrip()[-1:] in (",", ":")
        )
        if is_apposition and not is_listed and word.role.side is not RoleClass.KIN:
            found.add(word.role)
    return frozenset(found)
