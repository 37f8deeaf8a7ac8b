"""Letters: sender and signature, addressee and salutation are one person; sender and receiver are two."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz import fuzz

from linkage.context.lines import line_before, line_start
from linkage.context.rows import joint, row_phrases
from linkage.language import Language, Meaning, Place
from linkage.language.expressions import any_of
from linkage.records import Mention, PersonName, fold

_OPENS = re.compile(r"[ \t]*,[ \t]*\r?\n")  # "Bas," as the first line of a letter
_LINE_ENDS = re.compile(r"[ \t.]*(?:$|\r?\n[ \t>]*(?:\r?\n|$)|\r?\n[ \t]*>)")
_FARTHEST_HEADER = 400  # characters between the lines of one header
_MOST_RECEIVERS = 300  # of one header, whose pairs would be millions


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Expressions for what stands before a name in its line. header: the label of a line of a header."""

    sender: re.Pattern[str]
    receiver: re.Pattern[str]
    header: re.Pattern[str]
    closing: re.Pattern[str]
    closing_in_line: re.Pattern[str]
    salutation: re.Pattern[str]


@cache
def _phrases(language: Language) -> _Phrases:
    labels = {
        meaning: language.phrases(meaning, Place.LINE)
        for meaning in (Meaning.SENDER, Meaning.RECEIVER, Meaning.ATTENTION, Meaning.COPY, Meaning.CLOSING)
    }
    sender, receiver, attention, copy, closing = labels.values()
    in_line = language.phrases(Meaning.CLOSING_IN_LINE, Place.BEFORE)
    by = language.phrases(Meaning.FROM, Place.BEFORE)
    greeting, title = any_of(language.greetings("letter")), language.slots["TITLE"]
    opens, quoted = r"[ \t>*]*", r"[ \t]*[\"'<]?[ \t]*"
    return _Phrases(
        re.compile(rf"^{opens}{sender}[ \t]*:{quoted}$", re.IGNORECASE),
        re.compile(rf"^{opens}(?:{receiver}|{attention})[ \t]*:?{quoted}$", re.IGNORECASE),
        re.compile(
            rf"{opens}(?:(?P<sender>{sender})|{receiver}|{copy})"
            rf"(?:[ \t]*\([^()\n]{{0,20}}\))?[ \t]*:{quoted}",
            re.IGNORECASE,
        ),
        re.compile(rf"^{opens}{closing}(?:\s+{by})?[\s,.!]*$", re.IGNORECASE),
        re.compile(rf"(?:^|[.!?\n]\s*){in_line},?\s+(?:{by}\s+)?$", re.IGNORECASE),
        re.compile(rf"^{opens}{greeting}\s+(?:{title}\s+)?$", re.IGNORECASE),
    )


def letter_pairs(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName], language: Language
) -> set[tuple[int, int]]:
    """Sender and signature, addressee and salutation. A later header opens a new letter (quoted mail)."""
    phrases, rows = _phrases(language), row_phrases(language)
    pairs: set[tuple[int, int]] = set()
    sender: int | None = None
    receivers: list[int] = []
    signed = greeted = False
    for index, mention in enumerate(mentions):
        start = line_start(text, mention)
        before = text[start : mention.span.start]
        if phrases.sender.match(before):
            sender, signed, receivers, greeted = index, False, [], False
        elif phrases.receiver.match(before):
            receivers = [index]
        elif receivers and not greeted and joint(text, mentions, index, rows) and index - 1 == receivers[-1]:
            receivers.append(index)
        elif phrases.salutation.match(before) or (
            receivers and not greeted and not before.strip(" \t>*") and _OPENS.match(text, mention.span.end)
        ):
            if len(receivers) == 1 and not greeted and not _contradict(names[receivers[0]], names[index]):
                pairs.add((receivers[0], index))
            greeted = True
        elif (
            sender is not None
            and not signed
            and (
                _closes(text, start, before, phrases)
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


def _closes(text: str, start: int, before: str, phrases: _Phrases) -> bool:
    """Whether a closing phrase stands right before the name, in its line or in the line above."""
    if phrases.closing_in_line.search(text[max(0, start - 2) : start] + before):
        return True
    if before.strip(" \t>*-"):
        return False
    above = [line for line in text[max(0, start - 120) : start].splitlines() if line.strip(" \t>*")]
    return bool(above) and phrases.closing.match(above[-1]) is not None


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


def correspondents(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName], language: Language
) -> set[tuple[int, int]]:
    """Sender and receivers of one header: nobody writes to himself under another name."""
    label = _phrases(language).header
    pairs: set[tuple[int, int]] = set()
    header: list[tuple[str, int]] = []
    end = -_FARTHEST_HEADER
    for index, mention in enumerate(mentions):
        found = label.fullmatch(line_before(text, mention))
        if found is None:
            continue
        side = "receiver" if found["sender"] is None else "sender"
        is_far = mention.span.start - end > _FARTHEST_HEADER
        if side == "sender" or is_far or len(header) >= _MOST_RECEIVERS:
            header = []
        for other_side, other in header:
            if (side != other_side or side == "receiver") and names[other] != names[index]:
                pairs.add((other, index))
        header.append((side, index))
        end = mention.span.end
    return pairs
