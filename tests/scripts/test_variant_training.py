"""Training of the model of name variants: whole families are held out, runs agree."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from training.given_training import PairStock
from training.name_families import NameFamilies
from training.name_pairs import NamePair
from training.variant_measuring import Judged, scored
from training.variant_pairs import FOLDS, VariantFolds, balanced, measured
from training.variant_training import GENDER_COLUMN, FoldTest, VariantTraining, calibration_of

from linkage.comparison import FEATURES
from linkage.gazetteer.entries import Variant
from linkage.linker.variants import VariantModel
from linkage.records import Gender

ENDINGS = ("je", "ke", "us", "a", "")


def _stems(count: int) -> list[str]:
    """Made-up stems of names, consonant, vowel, consonant, consonant."""
    return [f"{a}{e}{b}{c}" for a in "bdfghklmnprstvw" for e in "aeiou" for b in "lnr" for c in "dkt"][:count]


def _stock(count: int = 120) -> PairStock:
    """Families of a stem with endings; two endings of one stem are variants."""
    pairs: dict[tuple[str, str], NamePair] = {}
    for stem in _stems(count):
        forms = sorted(stem + ending for ending in ENDINGS)
        for at, left in enumerate(forms):
            for right in forms[at + 1 :]:
                pairs[left, right] = NamePair(left, right, "nickname", is_variant=True)
    names = sorted({name for key in pairs for name in key})
    return PairStock(pairs, {}, {}, names, NameFamilies.of(pairs))


class _Lists:
    """Lists that have every pair of the stock."""

    def __init__(self, stock: PairStock) -> None:
        self._variants: dict[str, list[Variant]] = {}
        for left, right in stock.variants:
            for one, other in ((left, right), (right, left)):
                self._variants.setdefault(one, []).append(Variant(other, "nickname", "high"))

    def gender(self, text: str) -> Gender | None:
        return Gender.FEMALE if text else None

    def variants(self, text: str) -> Sequence[Variant]:
        return self._variants.get(text, ())

    def full_forms(self, text: str) -> Sequence[str]:
        return () if text in self._variants else (text,)


@pytest.fixture(scope="module")
def training() -> VariantTraining:
    stock = _stock()
    return VariantTraining(VariantFolds.of(stock, seed=1), _Lists(stock), seed=1)


def test_a_family_lies_in_one_fold_and_every_fold_has_some() -> None:
    stock = _stock()
    folds = VariantFolds.of(stock, seed=1)
    for left, right in stock.variants:
        assert folds.fold_of[left] == folds.fold_of[right]
    assert all(folds.names(fold) for fold in range(FOLDS))
    for fold, pairs in enumerate(folds.pairs):
        assert {folds.fold_of[name] for pair in pairs for name in pair.key} == {fold}


def test_negatives_are_of_two_families() -> None:
    stock = _stock()
    family = stock.families.family_of
    negatives = [p for pairs in VariantFolds.of(stock, seed=1).pairs for p in pairs if not p.is_variant]
    assert {pair.kind for pair in negatives} == {"random", "hard"}
    assert all(family[pair.left] != family[pair.right] for pair in negatives)


def test_of_names_tested_the_lists_know_nothing(training: VariantTraining) -> None:
    lexicon = list(FEATURES).index("given_lexicon")
    for one in training.examples:
        assert np.isnan(one.unknown[:, [lexicon, GENDER_COLUMN]]).all()
        assert np.isnan(one.with_gender[:, lexicon]).all()
        assert not np.isnan(one.with_gender[:, GENDER_COLUMN]).any()
        assert one.listed.tolist() == list(range(len(one.pairs)))
        assert not np.isnan(one.known[:, [lexicon, GENDER_COLUMN]]).any()
        known = ~np.isnan(one.trained[:, lexicon])
        assert 0 < known.mean() < 0.5
        assert 0 < np.isnan(one.trained[:, GENDER_COLUMN]).mean() < 1


def test_endings_are_learned_for_stems_that_were_never_seen(training: VariantTraining) -> None:
    test = training.test(0)
    truth = np.array([pair.is_variant for pair in test.pairs])
    for kind in ("random", "hard"):
        negatives = np.array([pair.kind == kind for pair in test.pairs])
        row = scored(Judged(test.pairs, 1 / (1 + np.exp(-test.unknown))), truth, negatives, seed=1)
        assert row.auc > 0.95, kind


def test_two_runs_make_the_same_files_and_the_model_reads_them(
    training: VariantTraining, tmp_path: Path
) -> None:
    again = VariantTraining(training.folds, _Lists(training.folds.stock), seed=1)
    for run, folder in ((training, tmp_path / "one"), (again, tmp_path / "other")):
        run.model([run.test(0)]).save(folder)
    digests = [
        {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in (tmp_path / folder).iterdir()}
        for folder in ("one", "other")
    ]
    assert digests[0] == digests[1]
    model = VariantModel.load(tmp_path / "one")
    assert model.training["folds"] == FOLDS
    found = model.probabilities(
        [("zoelk", "zoelkje"), ("zoelk", "brams")], training.examples[0].unknown[:2], tuple(FEATURES)
    )
    assert found[0] > found[1]


def test_weights_are_in_balance() -> None:
    pairs = [
        *(NamePair("a", f"b{n}", "nickname", is_variant=True) for n in range(4)),
        NamePair("a", "c", "derived", is_variant=True, weight=0.5),
        *(NamePair("a", f"d{n}", "random", is_variant=False) for n in range(8)),
        NamePair("a", "e", "hard", is_variant=False),
        NamePair("a", "f", "judged", is_variant=False),
    ]
    trained, told = balanced(pairs), measured(pairs)
    assert trained[:5].sum() == pytest.approx(4.5)
    assert trained[5:13].sum() == trained[13] == pytest.approx(2.25)
    assert told[4] == told[14] == 0
    assert told[:4].sum() == pytest.approx(told[5:14].sum())


def test_what_no_list_vouches_for_calibrates_nothing() -> None:
    pairs = [
        *(NamePair("a", f"b{n}", "nickname", is_variant=True) for n in range(40)),
        *(NamePair("a", f"c{n}", "random", is_variant=False) for n in range(40)),
        *(NamePair("a", f"d{n}", "hard", is_variant=False) for n in range(40)),
    ]
    scores = np.concatenate([np.linspace(-1, 4, 40), np.linspace(-5, 1, 40), np.linspace(-4, 2, 40)])
    curve = calibration_of([FoldTest(pairs, scores, scores)])
    noise = [NamePair("a", f"e{n}", "derived", is_variant=True) for n in range(40)]
    with_noise = np.concatenate([scores, np.full(40, -4.5)])
    assert calibration_of([FoldTest([*pairs, *noise], with_noise, with_noise)]) == curve
    assert curve.apply(np.array([-5.0, 4.0])) == pytest.approx([0, 1], abs=0.1)


def test_a_figure_takes_as_many_negatives_as_variants() -> None:
    pairs = [
        NamePair("a", "b", "nickname", is_variant=True),
        *(NamePair("a", f"d{n}", "random", is_variant=False) for n in range(8)),
    ]
    judged = Judged(pairs, np.array([0.9, *[0.1] * 8]))
    truth = np.array([pair.is_variant for pair in pairs])
    row = scored(judged, truth, ~truth, seed=1)
    assert (row.pairs, row.auc, row.accuracy) == (2, 1.0, 1.0)
    assert row.calibration_error == pytest.approx(0.1)
