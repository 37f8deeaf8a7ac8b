"""Marked texts in columns, one token a line: CoNLL's files with BIO and its kin, read and written.

Written files say their columns in a first line, as CoNLL-U Plus does. FORM is the token, MISC the blanks
behind it (as UDPipe writes them), NER the outer marks in BIO2, NER2 and so on the marks inside those. Such
a file gives back the text to the letter. In any other file the first column is the token and the last one
the tag, and single blanks divide the tokens.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from linkage.errors import GoldFormatError
from linkage.evaluation.marked import GoldMention, Labels, MarkedText, by_place
from linkage.records import DocumentId, Span

_TAG = re.compile(r"O|(?:(?P<prefix>[BIESULM])-)?(?P<label>[^\W\d][\w./:-]*)")
_CONTINUING = frozenset({"I", "M", "E", "L", ""})  # of BIO, BMES, BIOES, BILOU, and tags without a prefix
_NO_SPACE_BEFORE = frozenset(".,;:!?)]}%”’»")
_NO_SPACE_AFTER = frozenset("([{“‘«")
_PART = "-DOCSTART-"
_HEADER = "# global.columns ="
_TOKEN = re.compile(r"\w+|[^\w\s]")
_BLANKS_BEHIND = "SpacesAfter="
_NO_BLANK_BEHIND = "SpaceAfter=No"
_ESCAPES = {" ": "\\s", "\t": "\\t", "\r": "\\r", "\n": "\\n", "|": "\\p", "\\": "\\\\"}
_ESCAPED = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")


@dataclass(frozen=True, slots=True)
class _Tag:
    """prefix: "O" outside, "" where the scheme has none."""

    prefix: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    """form: as written. blanks: those behind it; None where the file tells none. tags: outer first."""

    form: str = field(repr=False)
    tags: tuple[_Tag, ...]
    blanks: str | None = field(default=None, repr=False)


def from_columns(raw: str, labels: Labels, *, role: str) -> Iterator[MarkedText]:
    """One text a sentence, or one a -DOCSTART- part where the file has such lines.

    role: what an error calls the file, such as "gold".

    Raises:
        GoldFormatError: a line breaks the format; the message holds its number, never text.
    """
    lines = raw.splitlines()
    columns = _named_columns(lines)
    has_parts = any(line.startswith(_PART) for line in lines)
    sentences: list[list[_Token]] = []
    sentence: list[_Token] = []
    leading = ""  # blanks before the first token of a part
    is_open = False  # in a part of a file that names its columns, where a text may be without a token
    count = 0
    for number, line in enumerate((*lines, ""), start=1):
        is_part = line.startswith(_PART)
        if is_part or not line.strip():
            if sentence:
                sentences.append(sentence)
                sentence = []
            if (sentences or (is_open and is_part)) and (is_part or not has_parts):
                yield _text(count, sentences, labels, leading, role=role)
                count += 1
                sentences = []
            if is_part and columns:
                is_open = True
                leading = _named_token(line, columns, number, role=role).blanks or ""
        elif columns:
            if not line.startswith("# "):
                sentence.append(_named_token(line, columns, number, role=role))
        elif (token := _plain_token(line, number, role=role)) is not None:
            sentence.append(token)
    if sentences or is_open:
        yield _text(count, sentences, labels, leading, role=role)


def _named_columns(lines: Sequence[str]) -> list[str]:
    """The columns that the first line names; none where FORM and NER are not among them."""
    if not lines or not lines[0].startswith(_HEADER):
        return []
    columns = lines[0].removeprefix(_HEADER).split()
    return columns if "FORM" in columns and any(name.startswith("NER") for name in columns) else []


def _plain_token(line: str, number: int, *, role: str) -> _Token | None:
    """The first and the last column; None for a comment, such as "# sent_id = 3".

    Raises:
        GoldFormatError: there is no second column, or the last one is no tag.
    """
    fields = line.split("\t") if "\t" in line else line.split()
    tag = fields[-1].strip()
    found = _TAG.fullmatch(tag) if len(fields) > 1 and fields[0] else None
    if line.startswith("#") and tag != "O" and (found is None or not found["prefix"]):
        return None
    return _Token(fields[0], (_tag(found, number, role=role),))


def _named_token(line: str, columns: Sequence[str], number: int, *, role: str) -> _Token:
    fields = line.split("\t")
    if len(fields) != len(columns) or not fields[columns.index("FORM")]:
        raise GoldFormatError(
            f"{role} line {number}: {len(fields)} columns, but its first line names {len(columns)}: "
            f"{' '.join(columns)}"
        )
    told = dict(zip(columns, fields, strict=True))
    tags = [_TAG.fullmatch(told[name].strip()) for name in columns if name.startswith("NER")]
    return _Token(
        told["FORM"],
        tuple(_tag(tag, number, role=role) for tag in tags),
        _blanks(told["MISC"]) if "MISC" in told else None,
    )


def _tag(found: re.Match[str] | None, number: int, *, role: str) -> _Tag:
    if found is None:
        raise GoldFormatError(
            f"{role} line {number}: expected a token and a tag such as B-PER, I-PER, PER or O, in the first "
            "and the last column, separated by tabs or blanks"
        )
    if found[0] == "O":
        return _Tag("O")
    return _Tag(found["prefix"] or "", found["label"])


def _blanks(told: str) -> str:
    """The blanks behind a token, of the column MISC; a single one where it tells nothing."""
    for item in told.split("|"):
        if item == _NO_BLANK_BEHIND:
            return ""
        if item.startswith(_BLANKS_BEHIND):
            return _ESCAPED.sub(_unescaped, item.removeprefix(_BLANKS_BEHIND))
    return " "


def _unescaped(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16))
    return next((char for char, escape in _ESCAPES.items() if escape == f"\\{found[2]}"), found[2])


def _text(
    count: int, sentences: Sequence[Sequence[_Token]], labels: Labels, leading: str, *, role: str
) -> MarkedText:
    """count: how many texts came before."""
    tokens, starts, text = _laid_out(sentences, leading)
    levels = max((len(token.tags) for token in tokens), default=0)
    spans = [found for level in range(levels) for found in _spans(tokens, starts, level)]
    marks = [
        GoldMention(span, kind=kind) for span, label in spans if (kind := labels.kind(label)) is not None
    ]
    return MarkedText(
        DocumentId(f"{count:06d}"), text, by_place(marks), left_out=len(spans) - len(marks),
        place=f"{role} text {count + 1}",
    )  # fmt: skip


_BETWEEN = _Token("", (_Tag("O"),))  # stands between two sentences: no mark runs over it


def _laid_out(sentences: Sequence[Sequence[_Token]], leading: str) -> tuple[list[_Token], list[int], str]:
    """The tokens with _BETWEEN sentences, where each starts, and the text that they make."""
    tokens: list[_Token] = []
    starts: list[int] = []
    pieces = [leading]
    position = len(leading)
    for sentence in sentences:
        previous: _Token | None = None
        if tokens:
            between = "" if tokens[-1].blanks is not None else "\n"
            pieces.append(between)
            position += len(between)
            tokens.append(_BETWEEN)
            starts.append(position)
        for token in sentence:
            if previous is not None and previous.blanks is None and _has_blank_between(previous, token):
                pieces.append(" ")
                position += 1
            tokens.append(token)
            starts.append(position)
            pieces += [token.form, token.blanks or ""]
            position += len(token.form) + len(token.blanks or "")
            previous = token
    return tokens, starts, "".join(pieces)


def _has_blank_between(left: _Token, right: _Token) -> bool:
    return right.form[0] not in _NO_SPACE_BEFORE and left.form[-1] not in _NO_SPACE_AFTER


def _spans(tokens: Sequence[_Token], starts: Sequence[int], level: int) -> Iterator[tuple[Span, str]]:
    """Spans with their labels, of one column of tags."""
    label, start, end = "", 0, 0
    for token, position in zip((*tokens, _BETWEEN), (*starts, 0), strict=True):
        tag = token.tags[level] if level < len(token.tags) else _Tag("O")
        if label and not (tag.prefix in _CONTINUING and tag.label == label):
            yield Span(start, end), label
            label = ""
        if not label and tag.label:
            label, start = tag.label, position
        end = position + len(token.form)


def column_lines(texts: Iterable[MarkedText]) -> Iterator[str]:
    """The lines of a file in columns, BIO2; a mark inside another one has a column of its own.

    Who is who, flags, and alternatives of a span are not kept.

    Raises:
        GoldFormatError: the marks were read without their text.
    """
    listed = list(texts)
    levels = [_levels(marked.marks) for marked in listed]
    depth = max((len(one) for one in levels), default=1) or 1
    names = ["NER", *(f"NER{number}" for number in range(2, depth + 1))]
    yield f"{_HEADER} FORM MISC {' '.join(names)}\n"
    for marked, of_text in zip(listed, levels, strict=True):
        if marked.text is None:
            raise GoldFormatError("a file in columns needs the texts, and the marks were read without them")
        if any(mark.span.cut(marked.text) != mark.span.cut(marked.text).strip() for mark in marked.marks):
            raise GoldFormatError("a mark begins or ends with a blank; columns cannot hold it")
        yield from _part_lines(marked.text, of_text, depth)


def _levels(marks: Iterable[GoldMention]) -> list[list[GoldMention]]:
    """Marks on levels without overlap: on the first the outer ones, on the next ones what they hold."""
    levels: list[list[GoldMention]] = []
    for mark in sorted(marks, key=lambda m: (-len(m.span), m.span, m.kind)):
        free = next((one for one in levels if not any(m.span.overlaps(mark.span) for m in one)), None)
        if free is None:
            levels.append([mark])
        else:
            free.append(mark)
    return levels


def _part_lines(text: str, levels: Sequence[Sequence[GoldMention]], depth: int) -> Iterator[str]:
    tokens = _tokens(text, (mark.span for level in levels for mark in level))
    tags = [["O"] * depth for _ in tokens]
    at_start = {token.start: number for number, token in enumerate(tokens)}
    inner: set[int] = set()  # tokens that a mark holds together with the one before
    for level, marks in enumerate(levels):
        for mark in marks:
            number = at_start[mark.span.start]
            prefix = "B"
            while number < len(tokens) and tokens[number].start < mark.span.end:
                tags[number][level] = f"{prefix}-{mark.kind}"
                if prefix == "I":
                    inner.add(number)
                prefix = "I"
                number += 1
    first = tokens[0].start if tokens else len(text)
    yield "\t".join([_PART, _misc(text[:first]), *["O"] * depth]) + "\n\n"
    for number, token in enumerate(tokens):
        after = tokens[number + 1].start if number + 1 < len(tokens) else len(text)
        blanks = text[token.end : after]
        yield "\t".join([token.cut(text), _misc(blanks), *tags[number]]) + "\n"
        if "\n" in blanks and number + 1 not in inner:
            yield "\n"
    yield "\n"


def _tokens(text: str, spans: Iterable[Span]) -> list[Span]:
    """Words and signs, cut where a mark begins or ends inside one."""
    cuts = sorted({place for span in spans for place in (span.start, span.end)})
    tokens: list[Span] = []
    following = 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        while following < len(cuts) and cuts[following] <= start:
            following += 1
        while following < len(cuts) and cuts[following] < end:
            tokens.append(Span(start, cuts[following]))
            start = cuts[following]
            following += 1
        tokens.append(Span(start, end))
    return tokens


def _misc(blanks: str) -> str:
    if not blanks:
        return _NO_BLANK_BEHIND
    if blanks == " ":
        return "_"
    return _BLANKS_BEHIND + "".join(_ESCAPES.get(char) or f"\\u{ord(char):04x}" for char in blanks)
