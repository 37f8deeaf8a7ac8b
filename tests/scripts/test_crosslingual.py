"""Windows of so many sentences for networks over two languages; what trains and what measures is apart."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.crosslingual import LONGEST, grouped, read_source

from linkage.training.windows import Window, is_tuning, join

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
TOKENS = st.lists(st.sampled_from(["Anna", "Moretti", "venne", ".", "¶", "?"]), max_size=80)


@st.composite
def windows(draw: st.DrawFn) -> Window:
    tokens = draw(TOKENS)
    spans: list[tuple[int, int, str]] = []
    at = 0
    while at < len(tokens):
        start = draw(st.integers(at, len(tokens)))
        end = draw(st.integers(start, min(start + 4, len(tokens))))
        if start == end:
            break
        spans.append((start, end, "PER"))
        at = end
    return Window(tokens, spans)


@given(windows(), st.sampled_from([1, 8, 32]))
def test_parts_hold_every_token_and_every_span(window: Window, sentences: int) -> None:
    parts = grouped(window, sentences)
    again = join(parts, None)
    assert again.tokens == window.tokens
    assert again.spans == window.spans


def test_a_part_has_so_many_sentences() -> None:
    window = Window(["Sì", "."] * 20, [])
    assert [len(part.tokens) for part in grouped(window, 8)] == [16, 16, 8]


def test_a_part_is_bounded() -> None:
    assert max(len(part.tokens) for part in grouped(Window(["e"] * 3 * LONGEST, []), 32)) == LONGEST


@pytest.mark.corpus
def test_nothing_that_measures_trains(tmp_path: Path) -> None:
    if not SHARED.is_dir():
        pytest.skip("../shared is not there")
    texts_of = ROOT / "scripts" / "ner_training"
    measuring = [texts_of / "held_out" / name for name in ("office6", "office7")]
    source = read_source("it", texts_of / "kinds" / "it", measuring, SHARED, tmp_path)
    measured = {one.marked.doc_id for documents in source.measured.values() for one in documents}
    assert len(source.measured["clinical-it"]) > 40
    assert all(is_tuning(one.marked.doc_id) for one in source.tuning)
    assert not measured & {one.marked.doc_id for one in source.tuning}
    texts = {one.marked.text for documents in source.measured.values() for one in documents}
    tokens = {tuple(window.tokens) for window in source.training}
    assert len(tokens) > 200
    assert not any(" ".join(window)[:60] in " ".join(text.split()) for window in tokens for text in texts)
