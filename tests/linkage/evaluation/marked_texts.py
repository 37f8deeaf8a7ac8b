"""Invented marked texts for tests of formats, with marks inside, over and beside each other."""

from hypothesis import strategies as st

from linkage.evaluation.marked import PERSON, GoldMention, MarkedText, by_place
from linkage.evaluation.schemes import scheme_of
from linkage.kinds import Kinds
from linkage.records import DocumentId, Span

LABELS = scheme_of(Kinds.load(), "all").file_labels()
_WORDS = (
    "Jan",
    "de",
    "Vries",
    "j.vries@post.example",
    "a",
    "#",
    "é🙂",
    "12-03-1951",
    "\\s",
    "O'Neil",
    "B-PER",
)
_BLANKS = (" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u2028", "\x0b", "\x1c", "\n\n", ", ", "", "|", "_")
_KINDS = (PERSON, "EMAIL", "DATE", "STREET")
texts = st.lists(st.sampled_from([*_WORDS, *_BLANKS]), max_size=14).map("".join)


@st.composite
def marked_texts(draw: st.DrawFn, *, entities: bool = False) -> list[MarkedText]:
    """Up to four texts, with marks that neither begin nor end with a blank, each once."""
    drawn = []
    for number in range(draw(st.integers(1, 4))):
        text = draw(texts)
        solid = [place for place, char in enumerate(text) if not char.isspace()]
        marks: dict[tuple[Span, str], GoldMention] = {}
        for _ in range(draw(st.integers(0, 5)) if solid else 0):
            start, end = sorted((draw(st.sampled_from(solid)), draw(st.sampled_from(solid))))
            span, kind = Span(start, end + 1), draw(st.sampled_from(_KINDS))
            flag = draw(st.sampled_from(("unsure", "typo", "compound"))) if entities else ""
            marks[span, kind] = GoldMention(
                span,
                entity=f"p{start}-{end}" if entities else None,
                alternatives=(Span(start, start + 1),) if entities and end > start else (),
                kind=kind,
                unsure=flag == "unsure",
                typo=flag == "typo",
                compound=flag == "compound",
            )
        drawn.append(MarkedText(DocumentId(f"{number:06d}"), text, by_place(marks.values()), all_kinds=True))
    return drawn


def places(texts_read: list[MarkedText]) -> list[tuple[str | None, list[tuple[Span, str]]]]:
    """What every format keeps: the text, and the span and the kind of each mark."""
    return [(one.text, [(mark.span, mark.kind) for mark in one.marks]) for one in texts_read]
