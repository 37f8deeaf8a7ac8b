"""Examples for the form booster: invented towns, and the training parts of the two registers."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

from linkage.comparison import FormComparer
from linkage.comparison.sounds import consonant_skeleton
from linkage.comparison.words import name_letters
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from linkage.records import PersonName
from training.given_training import Examples
from training.person_pairs import WrittenPair
from training.register_pairs import ClusteredNames, Register
from training.surname_pairs import SurnamePair

REGISTER_WEIGHT = 0.5
# How many of splink's clusters train, or calibrate, with the shipped seed, and the seed they are drawn with.
CLUSTERS = {"train": (1_200, 1), "validation": (200, 1_001)}
_QUICK_CLUSTERS = 60
FEBRL_FROM = 55.0  # token sort ratio from which two records of febrl are worth a look


def town_examples(pairs: Sequence[WrittenPair], comparer: FormComparer, gazetteer: Gazetteer) -> Examples:
    """Vectors of written pairs, parsed as mentions are.

    Pairs of which only given names, or only surnames, can be compared are left out: those are judged as
    names, and whether "Jan" is this Jan is for the rules of evidence to say.
    """
    names = {text: parse_name(text, gazetteer) for text in {t for p in pairs for t in (p.left, p.right)}}
    pairs = [
        p for p in pairs
        if has_surname_evidence(names[p.left], names[p.right])
        and not (is_lone_surname(names[p.left]) and is_lone_surname(names[p.right]))
    ]  # fmt: skip
    values = comparer.vectors([names[p.left] for p in pairs], [names[p.right] for p in pairs])
    return Examples(
        values,
        np.array([p.is_match for p in pairs], dtype=np.int8),
        np.ones(len(pairs), dtype=np.float32),
        ("town",) * len(pairs),
    )


def has_surname_evidence(left: PersonName, right: PersonName) -> bool:
    """Whether more than given names can be compared."""
    lone_given = left.given is not None and right.given is not None
    return not (lone_given and (left.family is None or right.family is None))


def is_lone_surname(name: PersonName) -> bool:
    return name.given is None and name.initials is None and name.nickname is None


def surname_examples(pairs: Sequence[SurnamePair], comparer: FormComparer) -> Examples:
    """Vectors of lone surnames, judged as names: is this one name, written in two ways?"""
    values = comparer.vectors([p.left for p in pairs], [p.right for p in pairs])
    return Examples(
        values,
        np.array([p.is_same for p in pairs], dtype=np.int8),
        np.array([p.weight for p in pairs], dtype=np.float32),
        ("surname",) * len(pairs),
    )


def febrl_candidates(
    register: Register, rows: Sequence[int], *, most: int | None = None
) -> npt.NDArray[np.int64]:
    """Pairs (left row, right row) of records that look alike at all, for some left rows.

    most: so many right records that look most alike for each left one, and those that look as much alike.
    """
    right = [_text(name) for name in register.right]
    found: list[npt.NDArray[np.int64]] = []
    for start in range(0, len(rows), 500):
        part = list(rows[start : start + 500])
        texts = [_text(register.left[row]) for row in part]
        scores = process.cdist(
            texts, right, scorer=fuzz.token_sort_ratio, dtype=np.uint8, score_cutoff=FEBRL_FROM
        )
        if most is not None:
            least = np.partition(scores, -most, axis=1)[:, -most, None]
            scores = np.where(scores >= least, scores, 0)
        places = np.argwhere(scores > 0)
        found.append(np.column_stack([np.array(part)[places[:, 0]], places[:, 1]]))
    return np.concatenate(found)


def _text(name: PersonName) -> str:
    return f"{name.given or ''} {name.family or ''}".strip()


def febrl_examples(register: Register, comparer: FormComparer, *, most: int, seed: int) -> Examples:
    """Pairs of left records that are not held out, all matches and some of the rest."""
    random = np.random.default_rng(seed)
    pairs = febrl_candidates(register, np.flatnonzero(~register.held_out).tolist())
    truth = np.array([(a, b) in register.truth for a, b in pairs.tolist()])
    matches, others = np.flatnonzero(truth), np.flatnonzero(~truth)
    # Pairs that look most alike are kept more often: they are where the booster must decide.
    scores = np.array(
        [fuzz.token_sort_ratio(_text(register.left[a]), _text(register.right[b])) for a, b in pairs[others]]
    )
    chance = np.exp((scores - 100) / 12)
    kept = random.choice(others, size=min(most, len(others)), replace=False, p=chance / chance.sum())
    rows = np.concatenate([matches, kept])
    values = comparer.vectors(
        [register.left[a] for a, _ in pairs[rows]], [register.right[b] for _, b in pairs[rows]]
    )
    return Examples(
        values, truth[rows].astype(np.int8),
        np.full(len(rows), REGISTER_WEIGHT, dtype=np.float32), ("febrl",) * len(rows),
    )  # fmt: skip


def cluster_candidates(names: ClusteredNames, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Pairs of rows that share the opening or the consonants of a word of the name; each once."""
    blocks: dict[str, set[int]] = defaultdict(set)
    for row in rows.tolist():
        words = {name_letters(word) for word in names.names[row].split()}
        for word in words:
            if len(word) > 3:
                blocks[f"s{consonant_skeleton(word)}"].add(row)
                blocks[f"o{word[:5]}"].add(row)
                blocks[f"e{word[-5:]}"].add(row)
    pairs: set[tuple[int, int]] = set()
    for members in blocks.values():
        if len(members) <= 250:
            pairs.update(combinations(sorted(members), 2))
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def drawn_clusters(names: ClusteredNames, count: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """Some clusters to learn from, never those of the test."""
    return np.asarray(random.choice(np.unique(names.clusters[~names.is_test]), size=count, replace=False))


def cluster_draw(part: str, *, seed: int, quick: bool) -> tuple[int, int]:
    """How many clusters a part gets and the seed they are drawn with; seed: that of the training."""
    count, first_seed = CLUSTERS[part]
    return _QUICK_CLUSTERS if quick else count, seed - 1 + first_seed


def cluster_examples(
    names: ClusteredNames,
    parsed: Sequence[PersonName],
    comparer: FormComparer,
    *,
    clusters: int,
    most: int,
    seed: int,
) -> Examples:
    """Pairs of some training clusters of splink's set, matches and blocked non-matches."""
    random = np.random.default_rng(seed)
    rows = np.flatnonzero(np.isin(names.clusters, drawn_clusters(names, clusters, random)))
    pairs = cluster_candidates(names, rows)
    truth = names.clusters[pairs[:, 0]] == names.clusters[pairs[:, 1]]
    different = np.array([names.names[a] != names.names[b] for a, b in pairs.tolist()])
    matches, others = np.flatnonzero(truth & different), np.flatnonzero(~truth)
    matches = random.choice(matches, size=min(most // 2, len(matches)), replace=False)
    others = random.choice(others, size=min(most, len(others)), replace=False)
    kept = np.concatenate([matches, others])
    values = comparer.vectors([parsed[a] for a, _ in pairs[kept]], [parsed[b] for _, b in pairs[kept]])
    return Examples(
        values, truth[kept].astype(np.int8),
        np.full(len(kept), REGISTER_WEIGHT, dtype=np.float32), ("splink",) * len(kept),
    )  # fmt: skip
