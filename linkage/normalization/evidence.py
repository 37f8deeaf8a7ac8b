"""What the words between two mentions say: two people ("X en Y"), or one ("X, roepnaam Y"; a signature)."""

import re
from collections.abc import Callable, Iterator, Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from linkage.language import Language
from linkage.language.pack import any_of
from linkage.language.people import TitleUse
from linkage.normalization.attributes import name_label
from linkage.normalization.turns import line_start
from linkage.records import Mention, PersonName, fold

_ROLE = r"(?:de|het|een|onze|zijn|haar|mijn|hun)?\s*[a-zë\u0080-\u024f]{2,}\.?"
_LANGUAGE = Language.load("nl")
TITLE = rf"(?:de\s+)?{any_of(_LANGUAGE.titles_for(TitleUse.PHRASE))}\.?"
TITLES = rf"(?:{TITLE}\s+){{0,2}}"  # at most two in a row, or none
JOINED_AND = re.compile(
    rf"\s*,?\s*(?:en|én|&|\+|alsmede|evenals|en\s+ook|and|und)\s+(?:{TITLE}\s+|{_ROLE}\s+){{0,2}}",
    re.IGNORECASE,
)
_COMMA = re.compile(rf"\s*(?P<mark>[,;])\s*(?:{TITLE}\s+){{0,2}}", re.IGNORECASE)
_ASIDE = re.compile(r"\s*\([^()\n]{0,40}\)|\s*,?\s*\b(?:jr|sr|junior|senior)\b\.?", re.IGNORECASE)
_ONE_PERSON_AFTER = re.compile(
    r"^[^.!?\n]{0,25}?\b(?:is|was|blijkt|blijken|zijn|betreft|betreffen)\s+(?:een\s+en\s+)?"
    r"(?:dezelfde|hetzelfde|één|eén|een\s+en\s+dezelfde)\b|^\s+(?:is|was)\s+(?:zij|hij|ze|ie)\b",
    re.IGNORECASE,
)
_SAME_AS_BEFORE = re.compile(r"\s+(?:is|was)\s+(?:die|de)zelfde\b", re.IGNORECASE)
_NAMED = re.compile(
    r"\s*\)?\s*[,(]?\s*[\"']?(?:roepnaam|geb(?:oren|\.)?(?:\s+als)?|né?ée?|genaamd|genoemd|alias|bijgenaamd|a\.k\.a\.|voluit|"
    r"ook\s+wel(?:\s+(?:genoemd|bekend\s+als))?|ook\s+bekend\s+als|beter\s+bekend\s+als|zich\s+noemende|"
    r"hierna(?:\s+te\s+noemen)?|oftewel|ofwel|dus|in\s+het\s+dagelijks\s+leven|roepnaam\s+is|"
    r"is\s+(?:de)?zelfde\s+(?:man|vrouw|persoon)?\s*als|dezelfde\s+als)\s*:?\s*[\"'(]*\s*(?:"
    + TITLE
    + r"\s+)?",
    re.IGNORECASE,
)
_SIGNS_AS = re.compile(
    r"\s*,?\s*(?:ook|tekent|tekende|(?:onder)?teken(?:t|de)\s+(?:als|met)"
    r"|heet\s+(?:nu|voortaan|sindsdien)|noemt\s+zich|schrijft\s+(?:zich\s+)?als|meldt\s+zich\s+als)\s+",
    re.IGNORECASE,
)
_SENDER = re.compile(
    r"^[ \t>*]*(?:van|from|afzender|verzonden\s+door|de)[ \t]*:[ \t]*[\"'<]?[ \t]*$", re.IGNORECASE
)
_RECEIVER = re.compile(
    r"^[ \t>*]*(?:aan|to|t\.a\.v\.|ter attentie van)[ \t]*:?[ \t]*[\"'<]?[ \t]*$", re.IGNORECASE
)
_CLOSING = re.compile(
    r"^[ \t>*]*(?:(?:met\s+)?(?:vriendelijke|hartelijke|collegiale|warme|beste)?\s*groet(?:en|jes)?|mvg"
    r"|m\.v\.g\.|gr\.?|grtz|hoogachtend|liefs|groetjes|kind\s+regards|best\s+regards|met\s+vr\.?\s+gr\.?"
    r"|vr\.?\s*gr\.?)(?:\s+van)?[\s,.!]*$",
    re.IGNORECASE,
)
_CLOSING_IN_LINE = re.compile(
    r"(?:^|[.!?\n]\s*)(?:groetjes|groet(?:en)?|gr\.?|liefs|mvg),?\s+(?:van\s+)?$", re.IGNORECASE
)
_SALUTATION = re.compile(
    rf"^[ \t>*]*{any_of(_LANGUAGE.greetings('letter'))}\s+(?:" + TITLE + r"\s+)?$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"[ \t]*,[ \t]*\r?\n")  # "Bas," as the first line of a letter
_LINE_ENDS = re.compile(r"[ \t.]*(?:$|\r?\n[ \t>]*(?:\r?\n|$)|\r?\n[ \t]*>)")
_MOST_PAIRS = 90_000  # of a row: all of those up to 300 names
_FORM_GAP = 60  # characters from one name of a form to that in the next line
_LIKENESS = 55.0  # partial ratio from which two surfaces can be forms of one name


def joined_pairs(
    text: str,
    mentions: Sequence[Mention],
    names: Sequence[PersonName],
    is_surname: Callable[[str], bool],
) -> set[tuple[int, int]]:
    """Index pairs (smaller first) of mentions in a row such as "X, Y en Z", which are different people.

    A row of commas alone counts from three names on: two with a comma may be one person, turned round.
    Two forms that may be one name ("Marijke Tol en Tol (Van Dorp), Marijke") are no evidence of two people;
    two names that is_surname knows are two, however alike: "Jan Smit en Jan Smits".
    """
    pairs: set[tuple[int, int]] = set()
    for row in _rows(text, mentions):
        for left, right in _near(row):
            if names[left] != names[right] and _covers(names[left], names[right], is_surname):
                continue
            if names[left] == names[right] and _aside(text, mentions[left]) == _aside(text, mentions[right]):
                continue
            pairs.add((left, right))
    return pairs


def _near(row: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of a row; of one of thousands, as lists of members are, those that stand near each other."""
    farthest = max(1, _MOST_PAIRS // len(row))
    for at, left in enumerate(row):
        for right in row[at + 1 : at + 1 + farthest]:
            yield left, right


def _covers(left: PersonName, right: PersonName, is_surname: Callable[[str], bool]) -> bool:
    """Whether both have the same given name, share a surname up to one error, and differ in no suffix."""
    if left.given is None or right.given is None or left.suffix != right.suffix:
        return False
    if fold(left.given) != fold(right.given):
        return False
    families = [[part for part in (n.family, n.partner_family) if part] for n in (left, right)]
    return any(
        fold(a) == fold(b) or (OSA.distance(fold(a), fold(b)) <= 1 and not (is_surname(a) and is_surname(b)))
        for a in families[0]
        for b in families[1]
    )


def _aside(text: str, mention: Mention) -> str:
    """What stands in parentheses right after a mention."""
    found = re.match(r"\s*\(([^()\n]{0,40})\)", text[mention.span.end : mention.span.end + 44])
    return found[1] if found else ""


def _rows(text: str, mentions: Sequence[Mention]) -> list[list[int]]:
    rows: list[list[int]] = []
    row: list[int] = []
    joints: set[str] = set()
    for index in range(len(mentions)):
        joint = _joint(text, mentions, index)
        if joint == "and" and _is_one(text, mentions[index]):
            joint = None
        if joint is None or (joint == "and" and ";" in joints):
            if joint == "and":  # "A; B en C": the semicolon parts the sentence, B and C stand together
                _close(rows, row[:-1], joints)
                row, joints = [row[-1], index], {"and"}
                continue
            _close(rows, row, joints)
            row, joints = [index], set()
        else:
            row.append(index)
            joints.add(joint)
    _close(rows, row, joints)
    return rows


def _close(rows: list[list[int]], row: list[int], joints: set[str]) -> None:
    if len(row) > 2 or (len(row) == 2 and "and" in joints):
        rows.append(row)


def _joint(text: str, mentions: Sequence[Mention], index: int) -> str | None:
    """How a mention is joined to the one before it: "and", "," or ";"; None if it is not."""
    if index == 0:
        return None
    gap = text[mentions[index - 1].span.end : mentions[index].span.start]
    if len(gap) > 80 or "\n\n" in gap:
        return None
    bare = _ASIDE.sub("", gap)
    if JOINED_AND.fullmatch(bare):
        return "and"
    comma = _COMMA.fullmatch(bare)
    return comma["mark"] if comma else None


def _is_one(text: str, mention: Mention) -> bool:
    """Whether the words after a mention say that it and the one before it are one person."""
    return _ONE_PERSON_AFTER.match(_ASIDE.sub("", text[mention.span.end : mention.span.end + 80])) is not None


def same_person_pairs(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName]
) -> set[tuple[int, int]]:
    """Index pairs (smaller first) of mentions of which the text says that they are one person."""
    pairs: set[tuple[int, int]] = set()
    for index in range(1, len(mentions)):
        gap = text[mentions[index - 1].span.end : mentions[index].span.start]
        if len(gap) > 80:
            continue
        like = _alike(mentions[index - 1].surface, mentions[index].surface)
        says_one = _is_one(text, mentions[index])
        if (
            _NAMED.fullmatch(gap)
            or (like and _SIGNS_AS.fullmatch(_ASIDE.sub("", gap)))
            or (says_one and JOINED_AND.fullmatch(_ASIDE.sub("", gap)))
        ):
            pairs.add((index - 1, index))
        elif _SAME_AS_BEFORE.match(text[mentions[index].span.end : mentions[index].span.end + 30]):
            fitting = [i for i in range(max(0, index - 6), index) if _shares_surname(names[i], names[index])]
            if fitting:  # "De heer El Amrani is dezelfde": the last full name before that fits
                pairs.add((max(fitting, key=lambda i: (names[i].is_full, i)), index))
    return pairs | _letter_pairs(text, mentions, names) | _form_pairs(text, mentions)


def _form_pairs(text: str, mentions: Sequence[Mention]) -> set[tuple[int, int]]:
    """Lines of a form that each hold a part of one name: "Achternaam: BOS", then "Voorletters: J."."""
    pairs: set[tuple[int, int]] = set()
    first, labels = 0, set[str]()
    for index, mention in enumerate(mentions):
        label = name_label(text, mention)
        gap = text[mentions[index - 1].span.end : mention.span.start] if index else ""
        if label is None:
            labels = set()
            continue
        if not labels or label in labels or gap.count("\n") > 1 or len(gap) > _FORM_GAP:
            first, labels = index, {label}
        else:
            labels.add(label)
            pairs.add((first, index))
    return pairs


def _shares_surname(left: PersonName, right: PersonName) -> bool:
    families = [{fold(part) for part in (n.family, n.partner_family) if part} for n in (left, right)]
    return bool(families[0] & families[1])


def _alike(left: str, right: str) -> bool:
    return fuzz.partial_ratio(fold(left), fold(right)) >= _LIKENESS


def _letter_pairs(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName]
) -> set[tuple[int, int]]:
    """Sender and signature, addressee and salutation. A later header opens a new letter (quoted mail)."""
    pairs: set[tuple[int, int]] = set()
    sender: int | None = None
    receivers: list[int] = []
    signed = greeted = False
    for index, mention in enumerate(mentions):
        start = line_start(text, mention)
        before = text[start : mention.span.start]
        if _SENDER.match(before):
            sender, signed, receivers, greeted = index, False, [], False
        elif _RECEIVER.match(before):
            receivers = [index]
        elif receivers and not greeted and _joint(text, mentions, index) and index - 1 == receivers[-1]:
            receivers.append(index)
        elif _SALUTATION.match(before) or (
            receivers and not greeted and not before.strip(" \t>*") and _OPENS.match(text, mention.span.end)
        ):
            if len(receivers) == 1 and not greeted and not _contradict(names[receivers[0]], names[index]):
                pairs.add((receivers[0], index))
            greeted = True
        elif (
            sender is not None
            and not signed
            and (
                _closes(text, start, before)
                or (_stands_alone(text, mention, before) and _fits_given(names[sender], names[index]))
            )
        ):
            if not _contradict(names[sender], names[index]):
                pairs.add((sender, index))
            signed = True
    return pairs


def _stands_alone(text: str, mention: Mention, before: str) -> bool:
    """Whether a name fills its line, with nothing of the letter right below it."""
    return not before.strip(" \t>*") and _LINE_ENDS.match(text, mention.span.end) is not None


def _fits_given(left: PersonName, right: PersonName) -> bool:
    """Whether the second is nothing but the given name, or its initial, of the first."""
    if right.given is None or right.family is not None:
        return False
    given, other = fold(right.given), fold(left.given or left.initials or "")
    return other == given or (left.given is None and other[:1] == given[:1])


def _closes(text: str, start: int, before: str) -> bool:
    """Whether a closing phrase stands right before the name, in its line or in the line above."""
    if _CLOSING_IN_LINE.search(text[max(0, start - 2) : start] + before):
        return True
    if before.strip(" \t>*-"):
        return False
    above = [line for line in text[max(0, start - 120) : start].splitlines() if line.strip(" \t>*")]
    return bool(above) and _CLOSING.match(above[-1]) is not None


def _contradict(left: PersonName, right: PersonName) -> bool:
    """Whether two names cannot be one person's: they have surnames, and none is alike; or other letters."""
    if right.initials and not right.given and not right.family:  # a signature
        words = fold(
            f"{left.given or left.initials or ''} {left.family or ''} {left.partner_family or ''}"
        ).split()
        opening = fold(right.initials)[:1]
        return bool(words) and all(word[:1] != opening for word in words)
    left_families = [fold(n) for n in (left.family, left.partner_family) if n]
    right_families = [fold(n) for n in (right.family, right.partner_family) if n]
    if not left_families or not right_families:
        return False
    return not any(fuzz.ratio(a, b) >= 75 for a in left_families for b in right_families)
