"""What people judged becomes training pairs: once each, weighed, and never of a name that is held out."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.judged_pairs import MOST_SHARE, WEIGHT, JudgedPair, judged_examples, judged_pairs
from training.name_pairs import part_of

from linkage.comparison import FormComparer
from linkage.comparison.words import name_letters
from linkage.gazetteer import Gazetteer
from linkage.records import PersonName
from linkage.review import Judgement, Verdict, write_judgements

ROOT = Path(__file__).resolve().parents[2]
GAZETTEER = Gazetteer.load()
GIVEN = ("Fenna", "Wietske", "Joris", "Robert", "Bert", "Hendrik", "Henk", "Sanne", "Willem", "Wim", "Anneke")
SURNAMES = ("Woudstra", "Lindenhof", "Terpstra", "Overwater", "Kingma", "Brandsma", "Hoekstra", "Zijlmans")
SEEN = [name for name in GIVEN if part_of(name_letters(name)) == "train"]
SEEN_SURNAMES = [name for name in SURNAMES if part_of(name_letters(name)) == "train"]
HELD_OUT = [name for name in SURNAMES if part_of(name_letters(name)) == "test"]


def _judged(left: str, right: str, verdict: Verdict = Verdict.ACCEPT) -> Judgement:
    return Judgement(left, right, verdict)


def test_accepted_and_rejected_links_become_matches_and_others() -> None:
    family, other = SEEN_SURNAMES[:2]
    first, second = SEEN[:2]
    found = judged_pairs(
        [
            _judged(f"{first} {family}", f"{first[0]}. {family}"),
            _judged(f"{first} {family}", f"{first} {other}", Verdict.REJECT),
            _judged(first, second),
        ],
        GAZETTEER,
    )
    assert sorted((p.left.family, p.right.family, p.is_match) for p in found.forms["train"]) == sorted(
        [(family, family, True), (*sorted((family, other)), False)]
    )
    assert [(p.is_match, p.weight) for p in found.given["train"]] == [(True, 1.0)]
    assert found.counts == {"judgements": 3, "train, accepted": 2, "train, rejected": 1}
    assert not found.forms["validation"]


def test_given_names_beside_one_surname_teach_the_given_booster_a_little() -> None:
    first, second = SEEN[:2]
    accepted = _judged(f"{first} {SEEN_SURNAMES[0]}", f"{second} {SEEN_SURNAMES[0]}")
    found = judged_pairs([accepted], GAZETTEER)
    assert [p.is_match for p in found.given["train"]] == [True]
    assert found.given["train"][0].weight < 1
    rejected = _judged(accepted.left_form, accepted.right_form, Verdict.REJECT)
    assert not judged_pairs([rejected], GAZETTEER).given["train"]


def test_a_pair_counts_once_and_one_judged_both_ways_not_at_all() -> None:
    family, first, second = SEEN_SURNAMES[0], *SEEN[:2]
    forms = f"{first} {family}", f"{first[0]}. {family}"
    again = [_judged(*forms), _judged(forms[1], forms[0]), _judged(forms[0].upper(), forms[1])]
    found = judged_pairs(again, GAZETTEER)
    assert len(found.forms["train"]) == 1
    assert found.counts["repeated"] == 2
    contrary = [_judged(first, second), _judged(second, first, Verdict.REJECT)]
    found = judged_pairs(contrary, GAZETTEER)
    assert not found.given["train"]
    assert found.counts["judged both ways"] == 1


def test_what_says_nothing_about_names_is_left_out() -> None:
    family, first = SEEN_SURNAMES[0], SEEN[0]
    found = judged_pairs(
        [
            _judged(f"{first} {family}", f"{first} {family}", Verdict.REJECT),
            _judged(first, f"{first} {family}"),
            _judged(f"{first[0]}.", f"{first} {family}"),
        ],
        GAZETTEER,
    )
    assert not found.forms["train"]
    assert not found.given["train"]
    assert found.counts == {"judgements": 3, "of equal forms": 1, "without parts to compare": 2}


def test_held_out_names_do_not_train_but_the_commonest_surnames_belong_to_all() -> None:
    pair = _judged(f"{SEEN[0]} {HELD_OUT[0]}", f"{SEEN[0][0]}. {HELD_OUT[0]}")
    found = judged_pairs([pair], GAZETTEER)
    assert not found.forms["train"]
    assert found.counts["of names that do not train"] == 1
    common = judged_pairs([pair], GAZETTEER, common_surnames={name_letters(HELD_OUT[0])})
    assert len(common.forms["train"]) == 1


FULL = [
    form for g, s in product(GIVEN, SURNAMES) for form in (f"{g} {s}", f"{g[0]}. {s}", f"{g} {s}".upper())
]
FORMS = st.sampled_from([*GIVEN, *FULL])


@given(st.lists(st.builds(Judgement, FORMS, FORMS, st.sampled_from(Verdict)), max_size=12), st.randoms())
def test_only_names_of_a_part_in_any_order_and_none_in_the_counts(
    judgements: list[Judgement], order: Random
) -> None:
    found = judged_pairs(judgements, GAZETTEER)
    for pairs in (found.given, found.forms):
        for part, judged in pairs.items():
            for pair in judged:
                for name in (pair.left, pair.right):
                    texts = [t for t in (name.given, name.family) if t]
                    assert {part_of(name_letters(text)) for text in texts} <= {part}
    order.shuffle(judgements)
    assert judged_pairs(judgements, GAZETTEER) == found
    assert not any(name in str(found.counts) + repr(found) for name in (*GIVEN, *SURNAMES))


def test_weights_stay_below_their_share() -> None:
    comparer = FormComparer.load(GAZETTEER)
    pair = JudgedPair(
        PersonName(given=SEEN[0], family="Kingma"), PersonName(initials="F.", family="Kingma"), True
    )
    few = judged_examples([pair], comparer, total_weight=1_000)
    assert few is not None
    assert few.weight.tolist() == [WEIGHT]
    assert few.truth.tolist() == [1]
    assert few.values.shape == (1, len(comparer.feature_names))
    assert not np.isnan(few.values[0, comparer.feature_names.index("surname_levenshtein")])
    many = judged_examples([pair] * 400, comparer, total_weight=1_000)
    assert many is not None
    assert many.weight.sum() == pytest.approx(MOST_SHARE * 1_000, rel=1e-4)
    assert judged_examples([], comparer, total_weight=1_000) is None


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(not (ROOT.parent / "shared" / "data" / "names").is_dir(), reason="no ../shared/data")
def test_training_takes_a_file_of_verdicts_and_tells_no_name(tmp_path: Path) -> None:
    family = SEEN_SURNAMES[0]
    file = tmp_path / "verdicts.jsonl"
    write_judgements(
        file,
        [_judged(f"{name} {family}", f"{name[0]}. {family}", Verdict.REJECT) for name in SEEN]
        + [_judged(f"{SEEN[0]} {HELD_OUT[0]}", f"{SEEN[0][0]}. {HELD_OUT[0]}")],
    )
    trained = tmp_path / "model"
    command = [sys.executable, str(ROOT / "scripts" / "train_classifier"), "--quick", "--out", str(trained)]
    ran = subprocess.run(  # noqa: S603
        [*command, "--judgements", str(file)],
        capture_output=True, text=True, check=True, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    about = (trained / "classifier.json").read_text(encoding="utf-8")
    assert f'"train, rejected": {len(SEEN)}' in about
    assert '"of names that do not train": 1' in about
    assert f"{len(SEEN)} train, rejected" in ran.stderr
    for name in (family, HELD_OUT[0], *SEEN):
        assert name not in ran.stdout + ran.stderr + about
