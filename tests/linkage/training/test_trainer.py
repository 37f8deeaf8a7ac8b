"""What a window's labels allow, and the loss that sums over all of it."""

import itertools
from typing import Final

import numpy as np
import torch
from ner_training.corpus import Window, of_record

from linkage.training.labels import ANY, LABELS, MEANINGS, UNMARKED, tags_of
from linkage.training.trainer import allowed_tags, log_sums

TAGS: Final = ["<PAD>", "<UNK>", "<EMPTY>", "<ROOT>", *tags_of(("PER", "CITY", "DATE", "NAME"))]
IDS: Final = {tag: number for number, tag in enumerate(TAGS)}


def allowed_names(window: Window) -> list[set[str]]:
    return [{TAGS[i] for i in np.flatnonzero(row)} for row in allowed_tags(window, IDS)]


def test_a_label_allows_the_tags_that_it_may_mean() -> None:
    window = Window(["Jan", "de", "Wit", "in", "Den", "Haag"], [(0, 3, "PER"), (4, 6, "NAME")])
    assert allowed_names(window) == [
        {"B-PER"}, {"I-PER"}, {"E-PER"}, {"O"}, {"B-CITY", "B-NAME"}, {"E-CITY", "E-NAME"},
    ]  # fmt: skip


def test_where_a_source_marks_nothing_its_unmarked_kinds_may_stand() -> None:
    window = Window(["in", "mei"], [(1, 2, ANY)], frozenset({"DATE"}))
    outside, unknown = allowed_names(window)
    assert outside == {"O", "S-DATE", "B-DATE", "I-DATE", "E-DATE"}
    assert unknown == set(TAGS[4:])


def test_every_meaning_is_a_label() -> None:
    assert {one for meant in MEANINGS.values() for one in meant} | UNMARKED <= set(LABELS)


def test_log_sums_add_up_every_row_of_tags() -> None:
    generator = torch.Generator().manual_seed(5)
    scores = torch.randn(2, 4, 3, generator=generator)
    transitions = torch.randn(3, 3, generator=generator)
    for sentence, found in zip(scores, log_sums(scores, transitions), strict=True):
        weights = [
            sum(sentence[at, tag] for at, tag in enumerate(row))
            + sum(transitions[a, b] for a, b in itertools.pairwise(row))
            for row in itertools.product(range(3), repeat=4)
        ]
        assert torch.isclose(torch.logsumexp(torch.tensor(weights), 0), found, atol=1e-4)


def test_nothing_is_said_of_what_lies_around_a_person_inside_another_identifier() -> None:
    record = {
        "doc_id": "d", "text": "Bakkerij Jansen B.V. te Zwolle, De Wit-dossier",
        "mentions": [
            {"start": 9, "end": 15, "text": "Jansen"},
            {"start": 32, "end": 38, "text": "De Wit", "compound": True},
        ],
        "identifiers": [
            {"start": 0, "end": 20, "kind": "ORGANIZATION"},
            {"start": 24, "end": 30, "kind": "CITY"},
            {"start": 24, "end": 30, "kind": "EMAIL"},
        ],
    }  # fmt: skip
    assert of_record(record).spans == [
        (0, 9, ANY), (9, 15, "PER"), (15, 20, ANY), (24, 30, "CITY"), (32, 38, ANY),
    ]  # fmt: skip
