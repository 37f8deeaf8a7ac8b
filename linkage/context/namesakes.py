"""Two people of one name in one text, where the text itself says so: "S. Kuipers ... aan klant S. Kuipers".

Nobody repeats a full name inside one sentence, lists one person twice under each other, or writes "eveneens"
or "(de trainer)" beside one name and "(de scheidsrechter)" beside the other, unless two people are meant.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from linkage.context.lines import line_start
from linkage.context.rows import row_phrases
from linkage.language import Language, Meaning, Place
from linkage.records import Mention, PersonName, Span, fold

_MOST_BEFORE = 4  # earlier mentions of the surname that one is compared with
_REACH = 40  # characters before or after a name in which a sign is looked for
_WIDEST_SENTENCE = 160  # characters from one name to the other
_WIDEST_ASIDES = 240  # the same where each has a word in parentheses
_ROW_OPENS = re.compile(r"[ \t>*\u2022-]{0,8}(?:\d{1,4}[.):]?)?[ \t]{0,8}")
_COLUMN = re.compile(r"[ ]{2,40}[^\W\d_]")
_BESIDE = re.compile(r"[\s,]{1,2}")


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Expressions for what stands around the second of two names, and between them.

    aside: one word of what somebody does; who is "(SP)" or "(45)" may be "(voorzitter)" as well. no_sentence:
    another line, as under a heading; cells of a table, words somebody says, an address, a firm: there a name
    may well come twice.
    """

    before_another: re.Pattern[str]
    after_another: re.Pattern[str]
    also: re.Pattern[str]
    is_called: re.Pattern[str]  # "die ook Jan de Wit heet"
    himself: re.Pattern[str]
    aside: re.Pattern[str]
    role_before: re.Pattern[str]
    no_sentence: re.Pattern[str]


@cache
def _phrases(language: Language) -> _Phrases:
    title, titles, the = (language.slots[slot] for slot in ("TITLE", "TITLES", "THE"))
    another = language.phrases(Meaning.ANOTHER, Place.BEFORE)
    no = language.phrases(Meaning.NOT, Place.BEFORE)
    an_other = language.phrases(Meaning.ANOTHER, Place.AFTER)
    called_so = language.phrases(Meaning.CALLED_SO, Place.AFTER)
    clause = language.phrases(Meaning.CLAUSE, Place.BETWEEN)
    break_off = language.phrases(Meaning.NO_SENTENCE, Place.BETWEEN)
    return _Phrases(
        re.compile(
            rf"(?:\b{another}|[(\u2013-]\s*{no}\s*:?)"
            rf"\s+(?:{title}\s+|[a-zë]{{3,}}\s+){{0,2}}[\"'\u201c\u2018]?$",
            re.IGNORECASE,
        ),
        re.compile(rf"\s*\({an_other}\b|\s+{called_so}\b", re.IGNORECASE),
        re.compile(rf"\b{language.phrases(Meaning.ALSO, Place.BEFORE)}\s+{titles}[\"'\u201c\u2018]?$"),
        re.compile(rf"[\"'\u201d\u2019]?\s+{language.phrases(Meaning.CALLED, Place.AFTER)}\b"),
        re.compile(f" {language.phrases(Meaning.HIMSELF, Place.AFTER)}"),
        re.compile(rf"\s*\({the}(?P<word>[a-zë-]{{4,}})\)"),
        re.compile(rf"(?P<role>[^\W\d_]{{4,}}):?\s+{titles}[\"'\u201c\u2018]?$", re.IGNORECASE),
        re.compile(
            rf"\n|[ ]{{3,}}|[\t;|\"\u201c\u201d<@]|\S'(?=\s)|'[ ,]|,\s+{clause}\b|\b{break_off}\b",
            re.IGNORECASE,
        ),
    )


def namesake_pairs(
    text: str,
    mentions: Sequence[Mention],
    names: Sequence[PersonName],
    sentences: Sequence[int],
    language: Language,
) -> set[tuple[int, int]]:
    """Index pairs (smaller first) of mentions of one name that are two people; mentions sorted by span.

    sentences are the offsets at which sentences after the first begin, ascending.
    """
    pairs: set[tuple[int, int]] = set()
    before: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(names):
        key = fold(name.family or name.given or "")
        if not key:
            continue
        for other in before[key][-_MOST_BEFORE:]:
            if _may_be_namesakes(names[other], name) and _are_two(
                text, mentions, names, (other, index), sentences, language
            ):
                pairs.add((other, index))
        before[key].append(index)
    return pairs


def _may_be_namesakes(left: PersonName, right: PersonName) -> bool:
    """Whether nothing in the two names tells them apart: one letter or the given name, and the surname."""
    if (left.family is None) != (right.family is None) or left.suffix != right.suffix:
        return False
    given, other = (fold(n.given or n.initials or "") for n in (left, right))
    if not given or not other:
        return given == other
    if left.given and right.given:
        return given == other
    return given[0] == other[0]


def _are_two(
    text: str,
    mentions: Sequence[Mention],
    names: Sequence[PersonName],
    pair: tuple[int, int],
    sentences: Sequence[int],
    language: Language,
) -> bool:
    left, right = pair
    phrases = _phrases(language)
    first, second = mentions[left].span, mentions[right].span
    gap = text[first.end : second.start] if second.start - first.end <= _WIDEST_SENTENCE else None
    # Written otherwise it is rather one person: "Theo Bos, who signs as T. Bos", "Wim Bos, also WIM BOS".
    written_alike = mentions[left].surface.split() == mentions[right].surface.split()
    in_full = names[right].is_full and written_alike
    before = text[max(0, second.start - _REACH) : second.start]
    if phrases.before_another.search(before) or phrases.after_another.match(text, second.end):
        return True
    if in_full and phrases.also.search(before) and phrases.is_called.match(text, second.end):
        return True
    if names[right].family is not None and _other_callings(text, first, second, language):
        return True
    if gap is None:
        return False
    if (
        right == left + 1
        and written_alike
        and "," not in gap
        and row_phrases(language).joined_and.fullmatch(gap)
    ):
        return True
    same_sentence = bisect_right(sentences, first.start) == bisect_right(sentences, second.start)
    if same_sentence and not phrases.no_sentence.search(gap) and not _BESIDE.fullmatch(gap):
        tells = in_full or (
            names[right].family is not None and _other_roles(text, mentions[left], mentions[right], language)
        )
        is_emphatic = phrases.himself.match(text, second.end) is not None
        return tells and not is_emphatic and names[left].given == names[right].given
    return written_alike and _are_rows(text, mentions[left], mentions[right], gap)


def _other_callings(text: str, left: Span, right: Span, language: Language) -> bool:
    """Whether a word of what they do stands in parentheses after each of the two names, and not the same."""
    if right.start - left.end > _WIDEST_ASIDES:
        return False
    aside = _phrases(language).aside
    first, second = aside.match(text, left.end), aside.match(text, right.end)
    if first is None or second is None:
        return False
    words = {first["word"], second["word"]}
    return len(words) == 2 and not words & language.words("no_calling")


def _other_roles(text: str, left: Mention, right: Mention, language: Language) -> bool:
    """Whether two different words of what they do stand right before the names."""
    phrases, no_role = _phrases(language), language.words("no_role")
    roles = []
    for mention in (left, right):
        found = phrases.role_before.search(text[max(0, mention.span.start - _REACH) : mention.span.start])
        if found is None or found["role"].lower() in no_role:
            return False
        roles.append(found["role"].lower())
    return roles[0] != roles[1]


def _are_rows(text: str, left: Mention, right: Mention, gap: str) -> bool:
    """Whether the names open two lines, one under the other, of a list with something about each."""
    if gap.count("\n") != 1:
        return False
    return all(
        _ROW_OPENS.fullmatch(text, line_start(text, mention), mention.span.start)
        and _COLUMN.match(text, mention.span.end)
        for mention in (left, right)
    )
