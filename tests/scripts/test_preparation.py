"""Files that a training reads, by what a recipe says of each."""

import json
from pathlib import Path

import pytest
from language_scores.gold_sets import is_held_out
from language_scores.preparation import (
    GoldSource,
    NameSource,
    TextSource,
    as_bio,
    last_words,
    made_sentence,
    read_sentences,
    recased,
    without_handles,
    write_origins,
)


def bio(*sentences: str) -> str:
    """BIO of sentences whose words are told as "word" or "word|tag"."""
    tagged = [[tuple(f"{word}|O".split("|")[:2]) for word in one.split()] for one in sentences]
    return as_bio([[(token, tag) for token, tag in one] for one in tagged])


def gold_of(source: GoldSource, folder: Path, text: str) -> tuple[Path, ...]:
    file = folder / "data" / "ner" / source.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    ready = folder / "ready"
    ready.mkdir(exist_ok=True)
    return source.write(folder, folder / "texts", ready)


def test_gold_that_trains_whole_is_read_where_it_lies(tmp_path: Path) -> None:
    paths = gold_of(GoldSource("a.bio", times=3), tmp_path, bio("Anna|B-PER kommt"))
    assert paths == (tmp_path / "data/ner/a.bio",) * 3


def test_the_first_of_so_many_blocks_trains(tmp_path: Path) -> None:
    text = bio(*(f"w{number}" for number in range(50)))
    (path,) = gold_of(GoldSource("a.bio", every=2), tmp_path, text)
    kept = [sentence[0][0] for sentence in read_sentences(path)]
    assert kept == [f"w{number}" for number in (*range(20), *range(40, 50))]


def test_a_person_of_many_sentences_is_left_out_of_the_later_ones(tmp_path: Path) -> None:
    text = bio(*["Mario|B-PER Monti|I-PER", "#Monti|B-PER va", "Monti|B-PER", "Anna|B-PER", "niente"])
    (path,) = gold_of(GoldSource("a.bio", person_at_most=2), tmp_path, text)
    assert [last_words(one) for one in read_sentences(path)] == [["Monti"], ["#Monti"], ["Anna"], []]
    (path,) = gold_of(GoldSource("a.bio", only_people=True), tmp_path, text)
    assert len(read_sentences(path)) == 4


def test_handles_go_and_what_is_left_of_their_marks_begins_later() -> None:
    told = [("hi", "O"), ("@", "B-PER"), ("anna", "I-PER"), ("Berg", "I-PER"), ("@", "O"), ("bo", "B-ORG")]
    assert without_handles(told) == [("hi", "O"), ("Berg", "B-PER")]


def test_names_and_beginnings_get_their_capitals_back() -> None:
    told = [("the", "O"), ("duke", "B-PER"), ("of", "I-PER"), ("york", "I-PER"), ("came", "O")]
    assert [token for token, _ in recased(told)] == ["The", "Duke", "of", "York", "came"]


def test_made_sentences_become_tokens_with_the_labels_of_their_spans() -> None:
    spans = [{"start": 3, "end": 9, "kind": "PERSON"}, {"start": 14, "end": 18, "kind": "AGE"}]
    assert made_sentence({"text": "I, An Bo, am 4 y.", "spans": spans})[2:4] == [
        ("An", "B-PER"),
        ("Bo", "I-PER"),
    ]


def test_of_documents_those_that_measure_are_left_out(tmp_path: Path) -> None:
    rows = [{"doc_id": f"d{number}", "text": "Özlem", "mentions": []} for number in range(40)]
    (path,) = gold_of(GoldSource("a.jsonl"), tmp_path, "".join(json.dumps(row) + "\n" for row in rows))
    read = [json.loads(line)["doc_id"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert read == [f"d{n}" for n in range(40) if not is_held_out(f"d{n}")]
    assert 0 < len(read) < 40


def test_our_marked_texts_all_train(tmp_path: Path) -> None:
    folder = tmp_path / "texts" / "kinds" / "xx"
    folder.mkdir(parents=True)
    texts = "".join(f"=== d{number}\n[PERSON:Anna|p1] kommt.\n\n" for number in range(20))
    (folder / "xx_01.txt").write_text(texts, encoding="utf-8")
    (tmp_path / "ready").mkdir()
    path, _ = GoldSource("kinds/xx", times=2).write(tmp_path, tmp_path / "texts", tmp_path / "ready")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 20
    assert rows[0]["mentions"][0]["text"] == "Anna"


def test_names_that_rest_on_a_closed_source_alone_are_left_out(tmp_path: Path) -> None:
    free = tmp_path / "data/names/free"
    free.mkdir(parents=True)
    rows = "name\tcount\tsources\nAnna\t9\tistat|faker\nBea\t8\tistat\nCora\t7\tfaker\nDora\t6\tfaker\n"
    (free / "g.tsv").write_text(rows, encoding="utf-8")
    path = NameSource("g.tsv", 2, "it").write(tmp_path, tmp_path)
    assert path.read_text(encoding="utf-8") == "name\tcount\torigin\nAnna\t9\tit\nCora\t7\tit\n"


def test_a_list_without_counts_and_sources_counts_one_bearer_each(tmp_path: Path) -> None:
    free = tmp_path / "data/names/free"
    free.mkdir(parents=True)
    (free / "s.tsv").write_text('surname\tcore\n"Berg"\tBerg\n', encoding="utf-8")
    path = NameSource("s.tsv", 5).write(tmp_path, tmp_path)
    assert path.read_text(encoding="utf-8") == 'surname\tcount\torigin\n"Berg"\t1\t\n'


def test_sentences_that_measure_are_cut_from_plain_text(tmp_path: Path) -> None:
    for name, content in (("ner/m.bio", bio("It 's here .")), ("text/t.txt", "It's here.\nIt is there.\n")):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True)
        path.write_text(content, encoding="utf-8")
    assert TextSource("t.txt").write(tmp_path, tmp_path) == tmp_path / "data/text/t.txt"
    assert (
        TextSource("t.txt", "m.bio").write(tmp_path, tmp_path).read_text(encoding="utf-8") == "It is there.\n"
    )


def test_names_of_a_table_of_origins_become_two_lists(tmp_path: Path) -> None:
    table = tmp_path / "o.tsv"
    table.write_text("origin\tpart\tnames\neast\tgiven\tYara|Yun\neast\tsurname\tYendo\n", encoding="utf-8")
    given, surnames = write_origins(table, tmp_path)
    assert given.read_text(encoding="utf-8") == "name\tcount\torigin\nYara\t1\teast\nYun\t1\teast\n"
    assert surnames.read_text(encoding="utf-8") == "surname\tcount\torigin\nYendo\t1\teast\n"


def test_a_source_with_an_unknown_field_is_refused() -> None:
    assert GoldSource.read("a.bio") == GoldSource("a.bio")
    with pytest.raises(TypeError):
        GoldSource.read({"file": "a.bio", "often": 2})
