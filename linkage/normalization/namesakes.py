"""Two people of one name in one text, where the text itself says so: "S. Kuipers ... aan klant S. Kuipers".

Nobody repeats a full name inside one sentence, lists one person twice under each other, or writes "eveneens"
or "(de trainer)" beside one name and "(de scheidsrechter)" beside the other, unless two people are meant.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from linkage.language import Language
from linkage.normalization.evidence import JOINED_AND, TITLE, TITLES
from linkage.normalization.turns import line_start
from linkage.records import Mention, PersonName, Span, fold

_MOST_BEFORE = 4  # earlier mentions of the surname that one is compared with
_REACH = 40  # characters before or after a name in which a sign is looked for
_WIDEST_SENTENCE = 160  # characters from one name to the other
_WIDEST_ASIDES = 240  # the same where each has a word in parentheses
_BEFORE_ANOTHER = re.compile(
    r"(?:\b(?:eveneens|ook\s+genaamd|heet(?:te|en)?\s+ook|naamgeno(?:ot|te)(?!\s+van)"
    r"|niet\s+(?:te\s+)?verwarren\s+met|net\s+zo\s+als"
    r"|zelfde\s+(?:voor)?(?:naam|letters|initialen)\s+als|(?:een|de|die)\s+andere?n?)|[(\u2013-]\s*niet\s*:?)"
    rf"\s+(?:{TITLE}\s+|[a-zë]{{3,}}\s+){{0,2}}[\"'\u201c\u2018]?$",
    re.IGNORECASE,
)
_ALSO = re.compile(rf"\book\s+{TITLES}[\"'\u201c\u2018]?$")
_IS_CALLED = re.compile(
    r"[\"'\u201d\u2019]?\s+(?:heet|heette|geheten|genaamd)\b"
)  # "die ook Jan de Wit heet"
_AFTER_ANOTHER = re.compile(
    r"\s*\((?:de\s+|een\s+)?(?:andere?|naamgeno(?:ot|te)|zelfde\s+naam|geen\s+familie)\b"
    r"|\s+(?:heet(?:te)?|heten)\s+ook\s+zo\b",
    re.IGNORECASE,
)
# One word of what somebody does; who is "(SP)" or "(45)" may be "(voorzitter)" as well.
_ASIDE = re.compile(r"\s*\((?:de\s+)?(?P<word>[a-zë-]{4,})\)")
_NO_CALLING = Language.load("nl").words("no_calling")
_ROW_OPENS = re.compile(r"[ \t>*\u2022-]{0,8}(?:\d{1,4}[.):]?)?[ \t]{0,8}")
_COLUMN = re.compile(r"[ ]{2,40}[^\W\d_]")
_ROLE_BEFORE = re.compile(rf"(?P<role>[^\W\d_]{{4,}}):?\s+{TITLES}[\"'\u201c\u2018]?$", re.IGNORECASE)
# Another line, as under a heading; cells of a table, words somebody says, an address, a firm: there a name
# may well come twice.
_NO_SENTENCE = re.compile(
    r"\n|[ ]{3,}|[\t;|\"\u201c\u201d<@]|\S'(?=\s)|'[ ,]"
    r"|,\s+(?:en|maar|want|dus|omdat|of)\b"
    r"|\b(?:namens|handelend|onder de naam|h\.?o\.?d\.?n|hierna|aldus|genaamd|alias|ofwel|oftewel)\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"[\s,]{1,2}")
_NO_ROLE = Language.load("nl").words("no_role")


def namesake_pairs(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName], sentences: Sequence[int]
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
                text, mentions, names, other, index, sentences
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
    left: int,
    right: int,
    sentences: Sequence[int],
) -> bool:
    first, second = mentions[left].span, mentions[right].span
    gap = text[first.end : second.start] if second.start - first.end <= _WIDEST_SENTENCE else None
    # Written otherwise it is rather one person: "Theo Bos, who signs as T. Bos", "Wim Bos, also WIM BOS".
    written_alike = mentions[left].surface.split() == mentions[right].surface.split()
    in_full = names[right].is_full and written_alike
    before = text[max(0, second.start - _REACH) : second.start]
    if _BEFORE_ANOTHER.search(before) or _AFTER_ANOTHER.match(text, second.end):
        return True
    if in_full and _ALSO.search(before) and _IS_CALLED.match(text, second.end):
        return True
    if names[right].family is not None and _other_callings(text, first, second):
        return True
    if gap is None:
        return False
    if right == left + 1 and written_alike and "," not in gap and JOINED_AND.fullmatch(gap):
        return True
    same_sentence = bisect_right(sentences, first.start) == bisect_right(sentences, second.start)
    if same_sentence and not _NO_SENTENCE.search(gap) and not _BESIDE.fullmatch(gap):
        tells = in_full or (
            names[right].family is not None and _other_roles(text, mentions[left], mentions[right])
        )
        is_emphatic = text.startswith(" zelf", second.end)
        return tells and not is_emphatic and names[left].given == names[right].given
    return written_alike and _are_rows(text, mentions[left], mentions[right], gap)


def _other_callings(text: str, left: Span, right: Span) -> bool:
    """Whether a word of what they do stands in parentheses after each of the two names, and not the same."""
    if right.start - left.end > _WIDEST_ASIDES:
        return False
    first, second = _ASIDE.match(text, left.end), _ASIDE.match(text, right.end)
    if first is None or second is None:
        return False
    words = {first["word"], second["word"]}
    return len(words) == 2 and not words & _NO_CALLING


def _other_roles(text: str, left: Mention, right: Mention) -> bool:
    """Whether two different words of what they do stand right before the names."""
    roles = []
    for mention in (left, right):
        found = _ROLE_BEFORE.search(text[max(0, mention.span.start - _REACH) : mention.span.start])
        if found is None or found["role"].lower() in _NO_ROLE:
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
