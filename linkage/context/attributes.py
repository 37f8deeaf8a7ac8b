"""What a text says about a person beside the name: birth date, e-mail address, numbers, address, telephone.

Only what stands close to one mention is attached to it: in the same line, or in the lines of a form right
under a single name. A doubtful attribute is left out: a wrong one keeps one person apart or joins two.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from linkage.context.facts import BIRTH_DATE, EMAIL, Fact
from linkage.context.lines import line_before
from linkage.language import Language, Meaning, ParticleUse, Place
from linkage.language.people import Use
from linkage.records import Mention, PersonName, fold

# What may stand between a name and a date of birth in a list or in brackets: "Tol, Marijke;05-05-1951".
_BEHIND_NAME = re.compile(r"[^\w\n.]{1,40}")
# "Geb. 12-03-1951", "Tel. 06 ...", "Geb. datum: ": their full stops end no sentence.
_SHORT_LABEL = re.compile(r"(?<!\w)(?:\w{1,4}\.\s?){1,3}[\s:]*$")
_SENTENCE_END = re.compile(r"[.!?](?=\s+[^a-z\s]|\s*$)")
_ANNOUNCED = frozenset(
    {BIRTH_DATE, "bsn", "dossier"}
)  # kinds whose values a label announces, maybe a line above
_FORM_LINES = 3  # a form's line belongs to the name at most this many lines above it
_LABELLED_LINES = 14  # the same where each line from the name on has a label: "Telefoon: ..."
_LABELLED_LINE = re.compile(r"[ \t>*|-]*(?P<label>[^\W\d][^\n:]{0,38}):[ \t]*\S")
_WIDEST_FORM_LINE = 1_000  # characters of a form's line before a value; longer lines are running text
_REACH = 90  # characters between a name and what belongs to it in running text


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Expressions for what stands beside names and values.

    of_another: "Jan Bos kwam met zijn jongste zoon, geboren op ...", the date is the son's; a word of kin
    right behind the name, "Jan Bos (zoon)", says what he is himself. joint: between two names in a row.
    before_name: the label of a birth date that opens a form. name_label: that of a part of a name.
    holder: between a value and the name behind it that it belongs to. form_line: the opening of a line that
    tells of the person right above.
    """

    number: re.Pattern[str]
    of_another: re.Pattern[str]
    joint: re.Pattern[str]
    before_name: re.Pattern[str]
    name_label: re.Pattern[str]
    label_between: re.Pattern[str]
    holder: re.Pattern[str]
    form_line: re.Pattern[str]


@cache
def _phrases(language: Language) -> _Phrases:
    number = language.phrases(Meaning.NUMBER, Place.AFTER)
    of_another = language.phrases(Meaning.OTHER_PERSON, Place.BETWEEN)
    joint = language.phrases(Meaning.AND, Place.BETWEEN)
    birth = language.phrases(Meaning.BIRTH_LABEL, Place.LINE)
    label = language.phrases(Meaning.NAME_LABEL, Place.LINE)
    holder = language.phrases(Meaning.HOLDER, Place.BETWEEN)
    form_line = language.phrases(Meaning.FORM_LINE, Place.LINE)
    title = language.slots["TITLE"]
    return _Phrases(
        re.compile(rf"^\s*\(\s*{number}\s*(?P<number>\d+)\s*\)", re.IGNORECASE),
        re.compile(rf"\b{of_another}\b", re.IGNORECASE),
        re.compile(rf"\s*(?:,|{joint}|&|,\s*{joint})\s*"),
        re.compile(rf"[ \t>*|-]*{birth}", re.IGNORECASE),
        re.compile(rf"[ \t>*|-]*(?P<label>{label})(?:\s*\([^)\n]*\))?[ \t.]*:[ \t]*$", re.IGNORECASE),
        re.compile(rf"[ \t]*[,;|/–-]?[ \t]*\b(?P<label>{label})[ \t]*:[ \t]*", re.IGNORECASE),
        re.compile(rf"\s*[,;(]?\s*{holder}\s*:?\s*(?:{title}\s+)?", re.IGNORECASE),
        re.compile(rf"[ \t]*{form_line}(?!\w)", re.IGNORECASE),
    )


def attach_attributes(
    text: str,
    mentions: Sequence[Mention],
    names: Sequence[PersonName],
    facts: Iterable[Fact],
    language: Language,
) -> list[set[tuple[str, str]]]:
    """The attributes of each mention, in the order of mentions, which must be sorted by span.

    facts: those of the text; each goes to the mention that it belongs to, or to none.
    """
    phrases = _phrases(language)
    attached: list[set[tuple[str, str]]] = [set() for _ in mentions]
    for index, mention in enumerate(mentions):
        if number := phrases.number.match(text[mention.span.end : mention.span.end + 20]):
            attached[index].add(("number", number["number"]))
    in_addresses = _NamesInAddresses(names, language)
    lines = _Lines(text, mentions, language)
    for found in facts:
        if found.kind == EMAIL:
            owners = in_addresses.owners(found.value)
            if not owners:
                owner = lines.owner(found, same_line_only=True)
                owners = [owner] if owner is not None and _may_own(found.value, names[owner]) else []
        else:
            owner = lines.owner(found, same_line_only=False)
            owners = [] if owner is None else [owner]
        for index in owners:
            attached[index].add((found.kind, found.value))
    return attached


class _Lines:
    """The lines of a text with the mentions in them, which must be sorted by span."""

    def __init__(self, text: str, mentions: Sequence[Mention], language: Language) -> None:
        self._text, self._mentions, self._language = text, mentions, language
        self._phrases = _phrases(language)
        self._starts = [mention.span.start for mention in mentions]
        self._line_starts = [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text))]
        self._line_of = [bisect_right(self._line_starts, start) for start in self._starts]

    def owner(self, found: Fact, *, same_line_only: bool) -> int | None:
        """The one mention a value belongs to: the last before it in its line, or the only one right above."""
        if (holder := self._holder_behind(found.end)) is not None:
            return holder
        start = self._announced_at(found)
        before = bisect_right(self._starts, start) - 1
        if found.kind == BIRTH_DATE and self._is_right_behind(start, before):
            return before
        line = bisect_right(self._line_starts, start)
        if before >= 0 and self._line_of[before] == line:
            return self._owner_in_line(start, before)
        if same_line_only:
            return None
        if found.kind == BIRTH_DATE:
            below = self._named_below(start)
            if below is not None:
                return below
        if before < 0:
            return None
        above = self._owner_above(start, found.end, before)
        return self._owner_of_form(start, before) if above is None else above

    def _holder_behind(self, end: int) -> int | None:
        """The name behind a value that ends here, of which the text says that it is the holder's, or that
        stands alone in parentheses: "06-12345678 (Piet Gorter)".
        """
        after = bisect_right(self._starts, end - 1)
        if after == len(self._starts) or self._starts[after] - end > _REACH:
            return None
        between, behind = self._text[end : self._starts[after]], self._mentions[after].span.end
        in_brackets = between.strip() == "(" and self._text[behind : behind + 1] == ")"
        return after if in_brackets or self._phrases.holder.fullmatch(between) else None

    def _is_right_behind(self, start: int, before: int) -> bool:
        """Whether nothing but marks stands between a name and the value that begins at start."""
        if before < 0:
            return False
        return _BEHIND_NAME.fullmatch(self._text, self._mentions[before].span.end, start) is not None

    def _announced_at(self, found: Fact) -> int:
        """Where a value begins; the end of the line above where that line announces it."""
        text, start = self._text, found.start
        line_begin = self._line_starts[bisect_right(self._line_starts, start) - 1]
        if found.kind not in _ANNOUNCED or start - line_begin > _WIDEST_FORM_LINE:
            return start
        if text[line_begin:start].strip():
            return start
        above = line_begin
        while above > 0 and text[above - 1].isspace():
            above -= 1
        return above or start

    def _owner_in_line(self, start: int, before: int) -> int | None:
        mention = self._mentions[before]
        if not 0 <= start - mention.span.end <= _REACH:
            return None
        between = self._text[mention.span.end : start]
        if re.search(r"[.!?]\s+[A-Z]", between) or self._phrases.of_another.search(between):
            return None
        is_joined = before > 0 and self._joins(self._mentions[before - 1].span.end, mention.span.start)
        # "A en B, geb. ...": of one of two, and the text does not tell which unless it stands in parentheses.
        return None if is_joined and not between.lstrip().startswith("(") else before

    def _owner_above(self, start: int, end: int, before: int) -> int | None:
        """The mention right above the line of a form with a value. before: the last one before the value."""
        text, mentions, line_of = self._text, self._mentions, self._line_of
        line = bisect_right(self._line_starts, start)
        line_begin = self._line_starts[line - 1]
        near = [i for i in range(max(0, before - 3), before + 1) if line - line_of[i] <= _FORM_LINES]
        if len(near) > 1 and _is_one_form(text, [mentions[index] for index in near], self._language):
            near = near[:1]  # "Achternaam", "Voorletters", "Roepnaam": the lines of one person
        if start - line_begin > _WIDEST_FORM_LINE:
            return None
        labelled = _LABELLED_LINE.match(text, line_begin)
        if labelled is not None and self._tells_of_another(labelled["label"]):
            return None
        is_form_line = re.match(r"[ \t>*|-]*(?:[\w .]{2,24}:|[A-Z\d*])", text[line_begin:end])
        is_form_line = is_form_line or self._phrases.form_line.match(text, line_begin)
        stands_first = not _SENTENCE_END.search(_SHORT_LABEL.sub("", text[line_begin:start]))
        if self._phrases.of_another.search(text, line_begin, start):
            return None
        next_after = before + 1 < len(mentions) and line_of[before + 1] == line
        if len(near) == 1 and is_form_line and stands_first and not next_after:
            name_end = mentions[before].span.end
            if line_begin - name_end <= 2 * _REACH:
                return before if "\n\n" not in text[name_end:line_begin].replace("\r", "") else None
        return None

    def _owner_of_form(self, start: int, before: int) -> int | None:
        """The name in a labelled line of a form above, of which each line down to the value has a label, and
        none that of another person: "Huisarts".
        """
        first, last = self._line_of[before], bisect_right(self._line_starts, start)
        is_beside = (
            before > 0 and first - self._line_of[before - 1] <= 1
        )  # of two people, one below the other
        if is_beside or last - first > _LABELLED_LINES:
            return None
        for line in range(first, last + 1):
            labelled = _LABELLED_LINE.match(self._text, self._line_starts[line - 1])
            if labelled is None or (line > first and self._tells_of_another(labelled["label"])):
                return None
        return before

    def _tells_of_another(self, label: str) -> bool:
        words = re.findall(r"\w+", label.lower())
        return not _people_words(self._language).isdisjoint(words)

    def _joins(self, start: int, end: int) -> bool:
        """Whether nothing but "en" or a comma stands between these offsets."""
        return end - start <= _REACH and self._phrases.joint.fullmatch(self._text, start, end) is not None

    def _named_below(self, start: int) -> int | None:
        """The name in the line below a birth date, where the form begins with the date."""
        text, mentions, line_of = self._text, self._mentions, self._line_of
        line = bisect_right(self._line_starts, start)
        above = bisect_right(line_of, line) - 1
        below = [
            index for index in range(above + 1, min(above + 3, len(mentions))) if line_of[index] == line + 1
        ]
        if len(below) != 1 or name_label(text, mentions[below[0]], self._language) is None:
            return None
        if not self._phrases.before_name.match(text, self._line_starts[line - 1]):
            return None
        # A name above, with no empty line between, is the one whose date it is.
        is_above = above >= 0 and line - line_of[above] <= _FORM_LINES
        if is_above and "\n\n" not in text[mentions[above].span.end : start].replace("\r", ""):
            return None
        return below[0]


@cache
def _people_words(language: Language) -> frozenset[str]:
    """The words for relatives and professions."""
    return frozenset(word.word for word in language.people if word.uses & {Use.RELATIVE, Use.ACTS})


def name_label(text: str, mention: Mention, language: Language) -> str | None:
    """The label of a form's line that holds nothing but this name: "achternaam", "roepnaam"."""
    found = _phrases(language).name_label.fullmatch(line_before(text, mention))
    return found["label"].lower() if found else None


def label_between(gap: str, language: Language) -> str | None:
    """The label of a form's field that stands behind another one in its line: "Cognome: BO Nome: Lia".

    gap: the text between the name before and this one.
    """
    found = _phrases(language).label_between.fullmatch(gap)
    return found["label"].lower() if found else None


def _is_one_form(text: str, mentions: Sequence[Mention], language: Language) -> bool:
    labels = [name_label(text, mention, language) for mention in mentions]
    return None not in labels and len(set(labels)) == len(labels)


class _NamesInAddresses:
    """The mentions with a full name, by the surname that an address of theirs would hold."""

    def __init__(self, names: Sequence[PersonName], language: Language) -> None:
        self._particles = tuple(language.particles(ParticleUse.ADDRESS))
        self._by_family: dict[str, list[tuple[int, str, PersonName]]] = {}
        for index, name in enumerate(names):
            family = fold(name.family or "").replace(" ", "")
            first = fold(name.given or name.initials or "").replace(" ", "")
            if len(family) >= 3 and first:
                self._by_family.setdefault(family, []).append((index, first, name))
        self._lengths = sorted({len(family) for family in self._by_family})

    def owners(self, address: str) -> list[int]:
        """Mentions whose full name the address spells ("j.de.vries@", "jandevries@"); none if two people
        fit.
        """
        local = re.sub(r"[^a-z]", "", fold(address.split("@")[0]))
        owners: list[int] = []
        people: set[tuple[str, str]] = set()
        held = {local[at : at + n] for n in self._lengths for at in range(len(local) - n + 1)}
        for family in held & self._by_family.keys():
            without = local.replace(family, "", 1)
            rest = without
            for written in self._particles:
                rest = rest.removeprefix(written)
            for index, first, name in self._by_family[family]:
                particle = fold(name.particle or "").replace(" ", "")
                spellings = {without.replace(particle, "", 1), rest}
                if spellings & {first, first[0], first[: len(name.initials or "") // 2 or 1]}:
                    owners.append(index)
                    people.add((first[0], family))
        return sorted(owners) if len(people) == 1 else []


def _may_own(address: str, name: PersonName) -> bool:
    """Whether an address right after a name can be this person's: any part of the name is in it."""
    local = re.sub(r"[^a-z]", "", fold(address.split("@")[0]))
    words = fold(f"{name.given or ''} {name.family or ''} {name.partner_family or ''}").split()
    return any(len(word) > 2 and word in local for word in words)
