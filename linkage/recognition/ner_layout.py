"""What the network reads: the words of a text with tokens for its line breaks, cut into windows.

The network was trained on windows of several sentences in which a line break is the word "¶" and a blank
line "¶¶":
it sees tables, headers and signatures, and a name that is broken over a line end stays one name.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from linkage.recognition.ner_tokenizer import TokenizedText

LINE_BREAK, BLANK_LINE = "¶", "¶¶"
_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"))
_COLUMN_GAP = 3
_SENTENCE_MARKS = frozenset({".", "!", "?", "…", LINE_BREAK, BLANK_LINE})


@dataclass(frozen=True, slots=True)
class Layout:
    """words as the network reads them; tokens[i] is the number of word i's token, or -1 for a line break."""

    words: list[str] = field(repr=False)
    tokens: list[int]


def lay_out(text: str, tokenized: TokenizedText, *, line_break_tokens: bool) -> Layout:
    """Words in order, line breaks among them; quote marks at the start of a line are layout, not words."""
    words: list[str] = []
    tokens: list[int] = []
    starts, ends = tokenized.token_starts.tolist(), tokenized.token_ends.tolist()
    breaks = tokenized.line_breaks.tolist()
    has_unseen = any(chr(point) in text for point in _UNSEEN)
    waiting = 0
    at_line_start = True
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        word = text[start:end]
        if breaks[number]:
            waiting += breaks[number]
            at_line_start = True
        if word == ">" and at_line_start:
            continue
        at_line_start = False
        if not waiting and number:
            before = ends[number - 1]  # a single blank, or none, parts most tokens
            if start - before > 1 or text[before] == "\t":
                waiting = int(_is_column_gap(text, before, start))
        if waiting and words and line_break_tokens:
            words.append(LINE_BREAK if waiting == 1 else BLANK_LINE)
            tokens.append(-1)
        waiting = 0
        words.append(word.translate(_UNSEEN) if has_unseen else word)
        tokens.append(number)
    return Layout(words, tokens)


def _is_column_gap(text: str, start: int, end: int) -> bool:
    """Whether the white space between two tokens parts two columns of a table: to the network, two lines."""
    return end - start >= _COLUMN_GAP or (end > start and "\t" in text[start:end])


def window_bounds(layout: Layout, *, longest: int) -> Iterator[tuple[int, int]]:
    """Word ranges [start, end) for the network: cut at a blank line, else a sentence end, else anywhere."""
    words = layout.words
    start, n = 0, len(words)
    while start < n:
        end = min(n, start + longest)
        if end < n:
            at = end
            while at > start + longest // 2 and words[at - 1] not in _SENTENCE_MARKS:
                at -= 1
            if at > start + longest // 2:
                end = at
        yield start, end
        start = end
