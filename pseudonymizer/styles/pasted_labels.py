"""Codes, tokens and tags in text that was edited or pasted: one reader for all three.

A label may stand in small letters, without its hyphen, with an s behind it, in brackets of another kind, or
broken by a line end. A code may lack its word where it stands in capitals. The reader proposes readings; what
a project has issued decides.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import DamerauLevenshtein

from linkage.records import Span
from pseudonymizer.styles.code import LONGEST, SHORTEST, has_form, typed_code
from pseudonymizer.styles.labels import tag_text
from pseudonymizer.styles.readable_text import ReadableText

_NOT_INSIDE: Final = r"(?<![^\W_])"  # no letter or digit before; "_" may be Markdown's
_BREAK: Final = r"(?:-?\n)?"
_JOINT: Final = r"(?:\n?[-_]\n?|[ \n])"
_WORD_OF_CODE: Final = re.compile(
    rf"{_NOT_INSIDE}([^\W\d_]{{2,20}})"
    rf"(?={_JOINT}[A-Za-z]{{0,8}}-?\n?[A-Za-z]{{0,8}}[0-9]|-[A-HJKMNP-TV-Z]{{4,7}}s?(?![^\W_]))"
)
_LETTERS_OF_CODE: Final = re.compile(rf"({_JOINT})((?:{_BREAK}[0-9A-Za-z]){{3,14}})")
_GLUED: Final = re.compile(rf"{_NOT_INSIDE}(?=[^\W_]*[0-9])[^\W_]{{7,29}}(?![^\W_])")
_BARE: Final = re.compile(
    rf"{_NOT_INSIDE}(?<![./@#=%&:+\\-])([0-9A-Z]{{5,9}})(?=s?(?![^\W_])(?![/@=\\-])(?!\.\w))"
)
_TOKEN: Final = re.compile(
    rf"{_NOT_INSIDE}([A-Za-z][1-9][0-9]{{0,3}})({_BREAK}[-_ ]?{_BREAK})((?:{_BREAK}[0-9A-Za-z]){{16,48}})"
)
_HEAD: Final = re.compile(r"[A-Z][1-9][0-9]{0,3}")
_TOKEN_LETTERS: Final = 20
_LOST_DIGIT: Final = re.compile(r"[A-HJKMNP-TV-Z]{4,7}")  # of a code that lost its only digit
_LETTERS: Final = re.compile(r"[0-9A-Za-z]+")
_TAG: Final = re.compile(
    rf"([<\[]?) ?{_NOT_INSIDE}([^\W\d_]{{2,20}})(\n?[-_]\n?|[ \n]?)([1-9][0-9]{{0,8}})(?![0-9])( ?[>\]])?"
)
# A word and letters behind it in capitals: a label of which one sign was mistyped.
_MISTYPED: Final = re.compile(rf"{_NOT_INSIDE}([0-9A-Z]{{2,20}})-([0-9A-Z]{{1,24}})(?![^\W_])")
_RUNS: Final = re.compile(r"[^\W_]{2,64}")  # letters and figures: a word, or a part of a label
LONGEST_PASTED: Final = 96  # signs that are read of a code, a token or a tag, with breaks between its letters
_LEAST_WORD: Final = 6  # letters of a word from which one wrong sign still tells it
_MOST_HEAD: Final = 4  # signs of what stands before the letters of a token
_LEAST_DIGITS: Final = 3  # among the letters of a token whose head is damaged
_AFTER_TAG: Final = re.compile(r"s?(?:[^\W_]|-[^\W_]|[.,]\d|-?\n\d)")  # a bare tag goes on, or may go on


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a place: as which label, in its stored spelling, and what gives way to the name.

    word: the word that stands before a code; the part from word_end on is the code without it. is_plain: the
    code stands in capitals, so that it counts without its word. is_certain: false where a person would not be
    sure either.
    """

    text: str
    span: Span
    word: str = ""
    code_span: Span | None = None
    is_plain: bool = True
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class LabelPlace:
    """A place that may be a label. shown: what is listed where it is none; empty: then it is just text."""

    span: Span
    readings: tuple[Reading, ...]
    shown: str = ""


def label_places(
    text: str, words: Collection[str], tag_words: Collection[str] = ("PERSOON",)
) -> tuple[LabelPlace, ...]:
    """The places of a text that may be labels; they may overlap.

    words: of labels, in capitals. tag_words: those whose tags are listed without brackets, too.
    """
    view = ReadableText.of(text)
    return tuple(_places(view, frozenset(words), tag_words))


def label_stretches(text: str) -> tuple[Span, ...]:
    """The stretches of a text that this module takes for a whole, whether or not one is a label: those of
    which the reading may differ where the text is cut inside.
    """
    view = ReadableText.of(text)
    read = view.text
    found = [view.span(*one.span()) for one in _RUNS.finditer(read)]
    for word in _WORD_OF_CODE.finditer(read):
        letters = _LETTERS_OF_CODE.match(read, word.end())
        found.append(view.span(word.start(), word.end() if letters is None else letters.end()))
    for pattern in (_TOKEN, _TAG, _GLUED, _BARE, _MISTYPED):
        found += [view.span(*one.span()) for one in pattern.finditer(read)]
    return (*found, *(Span(start, end) for start, end in view.places if end))


def _places(view: ReadableText, words: frozenset[str], tag_words: Collection[str]) -> Iterator[LabelPlace]:
    yield from _tokens(view)
    yield from _tags(view, words, tag_words)
    yield from _worded_codes(view, words)
    yield from _glued_codes(view, words)
    yield from _bare_codes(view)
    yield from _mistyped(view, words)


# -- codes ---------------------------------------------------------------------------------------------------


def _worded_codes(view: ReadableText, words: frozenset[str]) -> Iterator[LabelPlace]:
    text = view.text
    for word in _WORD_OF_CODE.finditer(text):
        found = _LETTERS_OF_CODE.match(text, word.end())
        if found is None:
            continue
        is_known = word[1].upper() in words
        start = found.start(2)
        readings = [
            Reading(
                code, view.span(word.start(), end), word[1].upper(), view.span(start, end),
                is_plain=not any(map(str.islower, text[start:end])),
            )
            for code, end in _codes_from(text, start, found.end())
        ]  # fmt: skip
        shown = ""
        if is_known and "-" in found[1]:
            letters = _shown_letters(text, start, found.end(), 3)
            if word[1].isupper() and _LOST_DIGIT.fullmatch(letters.rstrip("s")):
                shown = f"{word[1]}-{letters.rstrip('s')}"
            elif (
                3 <= len(letters) <= 12 and any(map(str.isdigit, letters)) and any(map(str.isalpha, letters))
            ):
                shown = f"{word[1].upper()}-{letters.upper()}"
        if readings or shown:
            yield LabelPlace(view.span(word.start(), found.end()), tuple(readings), shown)


def _codes_from(text: str, start: int, last: int) -> Iterator[tuple[str, int]]:
    """(code, where it ends) of each stretch of letters from start that is whole and could be a code."""
    for code, end in _stretches(text, start, last, SHORTEST, LONGEST):
        if has_form(code):
            yield code, end


def _stretches(text: str, start: int, last: int, fewest: int, most: int) -> Iterator[tuple[str, int]]:
    """(letters, where they end) of each stretch from start with so many letters that may end there.

    At most one line end breaks it. An s behind it may be the sign of the genitive.
    """
    letters: list[str] = []
    at, breaks = start, 0
    while at < last and len(letters) < most:
        if text[at].isalnum():
            letters.append(text[at])
            at += 1
            if len(letters) >= fewest and _ends(text, at):
                yield typed_code("".join(letters)), at
        elif text.startswith(("\n", "-\n"), at) and breaks == 0:
            at, breaks = at + (1 if text[at] == "\n" else 2), 1
        else:
            return


def _ends(text: str, at: int) -> bool:
    """Whether a label may end before this character."""
    after = text[at : at + 2]
    if not after or not after[0].isalnum():
        return True
    return after[0] in "sS" and not after[1:].isalnum()


def _shown_letters(text: str, start: int, last: int, fewest: int) -> str:
    """The letters up to the first other sign, or over a line end where they are fewer than that."""
    run = _LETTERS.match(text, start)
    letters = run[0] if run is not None else ""
    return letters if len(letters) >= fewest else "".join(filter(str.isalnum, text[start:last]))


def _glued_codes(view: ReadableText, words: frozenset[str]) -> Iterator[LabelPlace]:
    """Codes right behind their word: `PERSOON7KQM3`."""
    text = view.text
    for found in _GLUED.finditer(text):
        run = found[0].upper()
        for length in range(2, min(len(run) - SHORTEST, 20) + 1):
            if run[:length] in words:
                start = found.start() + length
                readings = tuple(
                    Reading(code, view.span(found.start(), end), run[:length], None, is_plain=False)
                    for code, end in _codes_from(text, start, found.end())
                )
                if readings:
                    yield LabelPlace(view.span(*found.span()), readings)


def _bare_codes(view: ReadableText) -> Iterator[LabelPlace]:
    for found in _BARE.finditer(view.text):
        code = typed_code(found[1])
        if has_form(code):
            span = view.span(*found.span(1))
            yield LabelPlace(span, (Reading(code, span, "", span),))


# -- tokens and tags -----------------------------------------------------------------------------------------


def _tokens(view: ReadableText) -> Iterator[LabelPlace]:
    text = view.text
    for found in _TOKEN.finditer(text):
        start = found.start(3)
        head = found[1].upper()
        readings = tuple(
            Reading(f"{name}-{letters}", view.span(found.start(), end))
            for name, at in _heads(found)
            for letters, end in _stretches(text, at, found.end(), _TOKEN_LETTERS, _TOKEN_LETTERS)
        )
        tail = _shown_letters(text, start, found.end(), 16).removesuffix("s")
        is_like = "-" in found[2] and 16 <= len(tail) <= 24
        is_like = is_like and (tail == tail.upper() or sum(map(str.isdigit, tail)) >= 3)
        shown = f"{head}-{tail.upper()}" if is_like else ""
        if readings or shown:
            yield LabelPlace(view.span(*found.span()), readings, shown)


def _heads(found: re.Match[str]) -> Iterator[tuple[str, int]]:
    """(letter and version, where the letters of the token begin): without a hyphen any figure may end it."""
    head = found[1].upper()
    if found[2]:
        yield head, found.start(3)
        return
    for count in range(2, len(head) + 1):
        yield head[:count], found.start() + count


def _tags(view: ReadableText, words: frozenset[str], tag_words: Collection[str]) -> Iterator[LabelPlace]:
    text = view.text
    for found in _TAG.finditer(text):
        opening, word, joint, number, closing = found.groups()
        pair = opening + (closing or "").strip()
        is_whole = pair in {"<>", "[]"}
        is_cut = pair in {"<", ">"}  # a figure may have gone with the bracket
        if is_whole:
            start, end = found.span()
        else:
            start, end = found.start(2), found.end(4)
        is_listed = word.upper() in (words if is_whole and joint.strip() else tag_words)
        is_certain = is_whole
        if not is_whole:
            if "-" not in joint and "_" not in joint:
                continue
            goes_on = _AFTER_TAG.match(text, end)
            is_genitive = text.startswith("s", end) and not text[end + 1 : end + 2].isalnum()
            if goes_on is not None and not is_genitive and text[end : end + 1] not in "-.,\n":
                continue
            is_certain = word.isupper() and (goes_on is None or is_genitive) and not is_cut
        tag = tag_text(word.upper(), int(number))
        shown = tag if is_listed and (is_whole or word.isupper() or "-" in joint) else ""
        span = view.span(start, end)
        yield LabelPlace(span, (Reading(tag, span, is_certain=is_certain),), shown)


# -- mistyped labels -----------------------------------------------------------------------------------------


def _mistyped(view: ReadableText, words: Collection[str]) -> Iterator[LabelPlace]:
    """Places that are listed: a label whose word, head or brackets show that one sign of it is wrong."""
    text = view.text
    for found in _MISTYPED.finditer(text):
        head, rest = found.groups()
        digits = sum(map(str.isdigit, rest))
        in_brackets = text[found.start() - 1 : found.start()] + text[found.end() : found.end() + 1]
        if len(head) <= _MOST_HEAD:
            is_like = 16 <= len(rest) <= 24 and digits >= _LEAST_DIGITS and not _HEAD.fullmatch(head)
        elif head in words:
            is_like = in_brackets in {"<>", "[]"} and digits > 0 and not rest.isdigit()
        else:
            is_code = 3 <= len(rest) <= 12 and 0 < digits < len(rest)
            is_like = (is_code or (in_brackets == "<>" and digits > 0)) and _is_nearly(head, words)
        if is_like:
            yield LabelPlace(view.span(*found.span()), (), found[0])


def _is_nearly(word: str, words: Collection[str]) -> bool:
    """Whether one sign of a known word is wrong, or two neighbours are swapped."""
    return len(word) >= _LEAST_WORD and any(
        DamerauLevenshtein.distance(word, known, score_cutoff=1) == 1
        for known in words
        if len(known) == len(word)
    )
