from pathlib import Path

import pytest
from ner_training.own_gold import held_out_golds, own_golds, own_tuning_golds


def test_a_right_form_in_the_mark_flags_a_typing_error(tmp_path: Path) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    text = "=== a1\nDag [P:Jasn|Jans] en [P:Noor] uit [N:Delft].\n"
    (folder / "part.txt").write_text(text, encoding="utf-8")
    (gold,) = held_out_golds("some", tmp_path)
    assert gold.document.text == "Dag Jasn en Noor uit Delft."
    assert [(m.span.cut(gold.document.text), m.typo) for m in gold.mentions] == [
        ("Jasn", True),
        ("Noor", False),
    ]


def test_no_training_text_is_held_out() -> None:
    held_out = {gold.document.doc_id for gold in held_out_golds("office4")}
    trained = {gold.document.doc_id for tuning in (True, False) for gold in own_golds(tuning=tuning)}
    assert len(held_out) == 64
    assert not held_out & trained


@pytest.mark.parametrize("name", ["news", "office2", "office3"])
def test_the_tuning_tenths_are_not_empty(name: str) -> None:
    assert own_tuning_golds(name)
