from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ner_training.corpus import document_window, is_tuning
from ner_training.marked_text import MarkedTextError, parse_marked_text, read_marked_text

from linkage.training.labels import NAME, PERSON

TEXTS = Path(__file__).parents[2] / "scripts" / "ner_training" / "text"


def test_marks_become_spans() -> None:
    document = parse_marked_text("a1", "Gisteren zag [P:Jan de Wit|p3|typo] in [N:Delft] een [sic] bord.")
    assert document.text == "Gisteren zag Jan de Wit in Delft een [sic] bord."
    assert [(document.text[s:e], label) for s, e, label in document.spans] == [
        ("Jan de Wit", PERSON),
        ("Delft", NAME),
    ]


def test_a_mark_may_run_over_a_line_break() -> None:
    document = parse_marked_text("a1", "Groet van [P:Sevda\n> Arslan|p1]\n")
    assert document.spans == [(10, 24, PERSON)]
    window = document_window(document)
    assert [window.tokens[s:e] for s, e, _ in window.spans] == [["Sevda", "¶", "Arslan"]]


def test_documents_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("=== a1\nDag [P:Noa]\n\nTot zo.\n=== a2 brief\n[N:Zeist]\n", encoding="utf-8")
    documents = list(read_marked_text(path))
    assert [(d.doc_id, d.text) for d in documents] == [("a1", "Dag Noa\n\nTot zo."), ("a2", "Zeist")]


@pytest.mark.parametrize(
    "content",
    [
        "Dag [P:Noa]\n",
        "kop\n=== a1\nDag\n",
        "=== a1\nDag\n=== a1\nDag\n",
        "=== a1\nDag [P:Noa\n",
        "=== a1\nDag [P:Noa [N:Zeist]]\n",
        "=== a1\nDag [P: Noa]\n",
    ],
)
def test_broken_files_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "some.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MarkedTextError):
        list(read_marked_text(path))


@given(st.lists(st.tuples(st.text(" abz.\n"), st.sampled_from(["P", "N"]), st.text("Ab'é", min_size=1))))
def test_reading_undoes_marking(parts: list[tuple[str, str, str]]) -> None:
    marked = "".join(f"{before}[{kind}:{name}]" for before, kind, name in parts)
    document = parse_marked_text("a1", marked)
    assert document.text == "".join(before + name for before, _, name in parts)
    assert [document.text[s:e] for s, e, _ in document.spans] == [name for _, _, name in parts]


def test_own_texts_are_whole() -> None:
    documents = [d for path in sorted(TEXTS.glob("*.txt")) for d in read_marked_text(path)]
    assert len(documents) >= 120
    assert len({d.doc_id for d in documents}) == len(documents)
    assert 0 < sum(is_tuning(d.doc_id) for d in documents) < len(documents) / 5
    for document in documents:
        assert any(label == PERSON for *_, label in document.spans)
        assert all(document.text[s].isalnum() or document.text[s] in "'\"#" for s, _, _ in document.spans)
