"""What scripts/evaluate_linkage_pairs measures. Everything here is on names, records or clusters held out."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.metrics import log_loss, roc_auc_score

from linkage.classifier import PairClassifier
from linkage.comparison import FormComparer
from linkage.comparison.embedding import NameEmbedding
from linkage.comparison.rarity import SurnameRarity
from linkage.evaluation.linkage import calibration, evaluate_linkage
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from linkage.records import PersonName
from training.cluster_scoring import ScoredNames, fit_clusters, scored_names
from training.form_training import CLUSTERS, cluster_draw, drawn_clusters, has_surname_evidence
from training.given_training import PairStock, hard_negatives, labelled_pairs, names_of_part
from training.lone_names import lone_names
from training.name_pairs import (
    NamePair,
    derived_variants,
    given_names,
    given_variants,
    judged_negatives,
    part_of_pair,
)
from training.person_pairs import name_stock, written_pairs
from training.register_pairs import ClusteredNames, Register, cluster_pairs, febrl4, splink_historical
from training.register_scoring import (
    average_linkage,
    best_f1,
    margin_scores,
    register_matches,
    score_names,
)

Scores = Mapping[str, Mapping[str, float | int]]
_SEED = 20_240  # of the negatives drawn for a test; not the seed of training


class Measurer:
    """The model under test and the held-out data, read once."""

    def __init__(self, data: Path, model: Path, *, febrl_rows: int | None = None) -> None:
        """febrl_rows: only the first so many held-out records of febrl4 are matched."""
        self.data, self.model, self.febrl_rows = data, model, febrl_rows
        self.gazetteer = Gazetteer.load()
        self.embedding = NameEmbedding.load(model / "name_vectors.npz")
        self.rarity = SurnameRarity.load(model / "surname_rarity.npz")
        self.classifier = PairClassifier.load(model)
        self.stock = PairStock(
            given_variants(data), derived_variants(data), judged_negatives(data), sorted(given_names(data))
        )
        self.unseen = {n for part in ("validation", "test") for n in names_of_part(self.stock, part)}

    def comparer(self, *, knows_lexicon: bool) -> FormComparer:
        hidden = () if knows_lexicon else self.unseen
        return FormComparer(self.gazetteer, self.embedding, self.rarity, hidden=hidden)

    def probabilities(
        self, left: Sequence[PersonName], right: Sequence[PersonName], *, knows_lexicon: bool
    ) -> npt.NDArray[np.float64]:
        comparer = self.comparer(knows_lexicon=knows_lexicon)
        return self.classifier.match_probabilities(comparer.vectors(left, right), comparer.feature_names)

    def of_pairs(self, pairs: Sequence[NamePair], *, knows_lexicon: bool) -> npt.NDArray[np.float64]:
        left = [PersonName(given=p.left) for p in pairs]
        return self.probabilities(
            left, [PersonName(given=p.right) for p in pairs], knows_lexicon=knows_lexicon
        )


def _b_cubed_f1(truth: npt.NDArray[np.int64], predicted: npt.NDArray[np.int64]) -> float:
    gold, found = (dict(enumerate(labels.tolist())) for labels in (truth, predicted))
    return evaluate_linkage(gold, found).b_cubed.f1


def _scored(truth: npt.NDArray[np.int8], probability: npt.NDArray[np.float64]) -> dict[str, float | int]:
    return {
        "pairs": len(truth),
        "AUC": float(roc_auc_score(truth, probability)),
        "accuracy": float(((probability >= 0.5) == truth).mean()),
        "log loss": float(log_loss(truth, probability)),
        "calibration error": calibration(probability, truth.astype(bool)).expected_error,
    }


def given_names_fresh(measurer: Measurer) -> Scores:
    """Pairs of test names against as many random, or look-alike, negatives, all unknown to the lexicon."""
    stock, names = measurer.stock, names_of_part(measurer.stock, "test")
    every = labelled_pairs(stock, names, seed=_SEED, random_share=0, hard_share=0)
    variants = [p for p in every if p.is_variant and p.kind != "derived"]
    listed = [p for p in variants if p.kind != "ancestry"]
    random = np.random.default_rng(_SEED)
    rows: dict[str, dict[str, float | int]] = {}
    for title, positives in (("all sources", variants), ("curated lists", listed)):
        pool = sorted({name for p in positives for name in p.key})
        strangers = [
            p
            for p in labelled_pairs(stock, pool, seed=_SEED, random_share=1, hard_share=0)
            if p.kind == "random"
        ][: len(positives)]
        hard = hard_negatives(stock, names, len(positives), random)
        for kind, negatives in (("random negatives", strangers), ("hard negatives", hard)):
            pairs = [*positives, *negatives]
            truth = np.array([p.is_variant for p in pairs], dtype=np.int8)
            found = measurer.of_pairs(pairs, knows_lexicon=False)
            rows[f"fresh given names, {title}, {kind}"] = _scored(truth, found)
    return rows


def given_names_known(measurer: Measurer) -> Scores:
    """Names the shipped lexicon knows: listed variants against listed names that are no variants."""
    stock, gazetteer = measurer.stock, measurer.gazetteer
    listed = [
        p for p in stock.variants.values()
        if p.key not in stock.negatives and gazetteer.variant_kind(p.left, p.right) is not None
    ]  # fmt: skip
    pool = sorted({name for p in listed for name in p.key})
    random = np.random.default_rng(_SEED)
    strangers: dict[tuple[str, str], NamePair] = {}
    while len(strangers) < len(listed):
        a, b = (pool[i] for i in random.integers(len(pool), size=2))
        left, right = sorted((a, b))
        is_related = stock.is_known_variant((left, right)) or gazetteer.shared_full_forms(left, right) > 0
        if left != right and not is_related:
            strangers[left, right] = NamePair(left, right, "random", is_variant=False)
    pairs = [*listed, *strangers.values()]
    truth = np.array([p.is_variant for p in pairs], dtype=np.int8)
    return {"given names the lexicon knows": _scored(truth, measurer.of_pairs(pairs, knows_lexicon=True))}


def full_names(measurer: Measurer) -> Scores:
    """Written forms of the people of invented towns of test names."""
    variants = [
        k for k, p in measurer.stock.variants.items() if p.weight >= 0.7 and part_of_pair(p) == "test"
    ]
    stock = name_stock(measurer.data, "test", variants)
    # Towns as small as the part is, so that namesakes are as rare as among all names.
    pairs = [pair for town in range(6) for pair in written_pairs(stock, people=200, seed=_SEED + town)]
    parsed = {t: parse_name(t, measurer.gazetteer) for t in {t for p in pairs for t in (p.left, p.right)}}
    pairs = [p for p in pairs if has_surname_evidence(parsed[p.left], parsed[p.right])]
    left, right = [parsed[p.left] for p in pairs], [parsed[p.right] for p in pairs]
    found = measurer.probabilities(left, right, knows_lexicon=False)
    truth = np.array([p.is_match for p in pairs], dtype=np.int8)
    comparer = measurer.comparer(knows_lexicon=False)
    row_of = {name: row for row, name in enumerate(dict.fromkeys([*left, *right]))}
    known = comparer.prepare(list(row_of))
    kept = comparer.cheap_filter(
        known, np.array([row_of[n] for n in left]), np.array([row_of[n] for n in right])
    )
    scores = _scored(truth, found)
    linked = found >= measurer.classifier.link_threshold
    scores["precision at the link threshold"] = float(truth[linked].mean())
    scores["recall at the link threshold"] = float(linked[truth == 1].mean())
    scores["matches kept by the filter"] = float(kept[truth == 1].mean())
    scores["others kept by the filter"] = float(kept[truth == 0].mean())
    return {"full names, invented towns": scores}


def febrl(measurer: Measurer) -> Scores:
    """febrl4, given name and surname alone: held-out left records against all right records."""
    register = febrl4(measurer.data)
    rows = np.flatnonzero(register.held_out)[: measurer.febrl_rows]
    found = margin_scores(measurer.comparer(knows_lexicon=True), measurer.classifier, register, rows)
    truth = np.array([(a, b) in register.truth for a, b in zip(found.left, found.right, strict=True)])
    plain, _ = best_f1(truth, found.probability, len(rows))
    gap, _ = best_f1(truth, found.with_margin, len(rows))
    return {
        "febrl4, given name and surname": {
            "left records": len(rows),
            "pairs scored": len(truth), "matches among them": float(truth.sum() / len(rows)),
            "F1, probability": plain, "F1, probability and gap to the best rival": gap,
            **_register_scores(measurer, register),
        }
    }  # fmt: skip


def _register_scores(measurer: Measurer, register: Register) -> dict[str, float | int]:
    pairs, truth, score = register_matches(
        measurer.comparer(knows_lexicon=True), measurer.classifier, register, seed=1
    )
    asked = register.held_out[pairs[:, 0]]
    every = int(register.held_out.sum())
    return {
        "held-out left records, register booster": every,
        "matches among its candidates": float(truth[asked].sum() / every),
        "F1, register booster and one partner each": best_f1(truth[asked], score[asked], every)[0],
    }


def splink(measurer: Measurer) -> Scores:
    """splink's historical figures, names alone: the held-out clusters against each other.

    The cluster boosters are fitted to clusters that neither train the classifier nor are held out; the cut of
    their average linkage is chosen on further ones.
    """
    figures = splink_historical(measurer.data)
    rows = np.flatnonzero(figures.is_test)
    names = [figures.names[int(row)] for row in rows]
    clusters = figures.clusters[rows]
    comparer = measurer.comparer(knows_lexicon=True)
    pairs, probability = score_names(names, comparer, measurer.classifier, measurer.gazetteer)
    truth = clusters[pairs[:, 0]] == clusters[pairs[:, 1]]
    every = len(cluster_pairs(clusters))
    f1, _ = best_f1(truth, probability, every)
    result: dict[str, float | int] = {
        "records": len(rows),
        "pairs scored": len(pairs),
        "pair F1, best threshold": f1,
    }
    cut = _best_cut(clusters, pairs, probability)
    grouped = average_linkage(len(rows), pairs, probability, cut)
    result["B-cubed F1, average linkage"], result["cut"] = _b_cubed_f1(clusters, grouped), cut
    result["pair F1, average linkage, same cut"] = _pair_f1(clusters, grouped)

    def scored(chosen: npt.NDArray[np.int64]) -> ScoredNames:
        at = np.flatnonzero(np.isin(figures.clusters, chosen))
        written = [figures.names[int(row)] for row in at]
        return scored_names(written, figures.clusters[at], comparer, measurer.classifier, measurer.gazetteer)

    first, second, validation = (scored(chosen) for chosen in free_lists(figures, measurer.classifier))
    boosters = fit_clusters([first, second], seed=1)
    chosen = boosters.probabilities(validation)
    cut = _best_cut(validation.clusters, validation.pairs, chosen)
    asked = scored(np.unique(clusters))
    wider, found = asked.probability, boosters.probabilities(asked)
    for title, one in (("more candidates", wider), ("cluster boosters", found)):
        result[f"pair F1, {title}, best threshold"] = best_f1(asked.truth, one, every)[0]
    grouped = average_linkage(len(rows), asked.pairs, found, cut)
    result["matches among its candidates"] = float(asked.truth.sum() / every)
    result["pair F1, cluster boosters, average linkage"] = _pair_f1(clusters, grouped)
    result["B-cubed F1, cluster boosters, average linkage"] = _b_cubed_f1(clusters, grouped)
    result["cut chosen on validation clusters"] = cut
    return {"splink historical, names": result}


def _best_cut(
    clusters: npt.NDArray[np.int64], pairs: npt.NDArray[np.int64], probability: npt.NDArray[np.float64]
) -> float:
    return max(
        (_b_cubed_f1(clusters, average_linkage(len(clusters), pairs, probability, cut)), cut)
        for cut in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)
    )[1]


def free_lists(
    figures: ClusteredNames, classifier: PairClassifier, *, size: int = 800
) -> tuple[npt.NDArray[np.int64], ...]:
    """Three lists of clusters that are not held out, and did not train or calibrate this classifier."""
    seed, quick = int(classifier.training["seed"]), bool(classifier.training["quick"])
    draws = [cluster_draw(part, seed=seed, quick=quick) for part in CLUSTERS]
    used = [drawn_clusters(figures, count, np.random.default_rng(drawn_with)) for count, drawn_with in draws]
    free = np.setdiff1d(np.unique(figures.clusters[~figures.is_test]), np.concatenate(used))
    random = np.random.default_rng(_SEED).permutation(free)
    return random[:size], random[size : 2 * size], random[2 * size : 3 * size]


def _pair_f1(truth: npt.NDArray[np.int64], predicted: npt.NDArray[np.int64]) -> float:
    """F1 of the pairs that two groupings put together."""

    def pairs(groups: npt.NDArray[np.int64]) -> float:
        _, sizes = np.unique(groups, return_counts=True)
        return float((sizes * (sizes - 1) / 2).sum())

    both = pairs(truth * (int(predicted.max()) + 1) + predicted)
    return 2 * both / (pairs(truth) + pairs(predicted))


def speed(measurer: Measurer) -> Scores:
    """Pairs a second of processor time: the filter, then vectors and probabilities of what passes."""
    stock = name_stock(
        measurer.data, "test", [k for k, p in measurer.stock.variants.items() if p.weight >= 0.7]
    )
    pairs = written_pairs(stock, people=4_000, seed=_SEED)
    texts = sorted({t for p in pairs for t in (p.left, p.right)})
    row_of = {text: row for row, text in enumerate(texts)}
    comparer = measurer.comparer(knows_lexicon=True)
    began = time.process_time()
    parsed = [parse_name(text, measurer.gazetteer) for text in texts]
    parsing = time.process_time() - began
    began = time.process_time()
    known = comparer.prepare(parsed)
    comparer.cheap_filter(known, np.array([0]), np.array([1]))
    comparer.vectors_at(known, np.array([0]), np.array([1]))
    preparing = time.process_time() - began
    left = np.array([row_of[p.left] for p in pairs])
    right = np.array([row_of[p.right] for p in pairs])
    began = time.process_time()
    kept = comparer.cheap_filter(known, left, right)
    filtering = time.process_time() - began
    a, b = left[kept], right[kept]
    began = time.process_time()
    values = comparer.vectors_at(known, a, b)
    comparing = time.process_time() - began
    began = time.process_time()
    measurer.classifier.match_probabilities(values, comparer.feature_names)
    judging = time.process_time() - began
    return {
        "speed": {
            "blocked pairs": len(pairs), "pairs that pass the filter": len(a),
            "forms parsed a second": int(len(texts) / parsing),
            "forms prepared a second": int(len(texts) / preparing),
            "filter, pairs a second": int(len(pairs) / filtering),
            "vectors a second": int(len(a) / comparing),
            "probabilities a second": int(len(a) / judging),
            "vectors and probabilities, pairs a second": int(len(a) / (comparing + judging)),
            "blocked pairs decided a second": int(len(pairs) / (filtering + comparing + judging)),
        }
    }  # fmt: skip


def lone(measurer: Measurer) -> Scores:
    """Names alone, as the command judges them and told their role; given names of held-out families."""
    return lone_names(measurer.data, measurer.model, PairStock.of(measurer.data))


MEASUREMENTS: Mapping[str, Callable[[Measurer], Scores]] = {
    "given": given_names_fresh, "known": given_names_known, "full": full_names, "febrl": febrl,
    "splink": splink, "speed": speed, "lone": lone,
}  # fmt: skip
