"""Training pairs from what people judged with `nymlink review`: links of name forms, accepted or rejected.

Only the boosters learn from them. A pair trains if every name in it belongs to the training part of the fixed
split, so that no name of the test trains; one whose names all belong to the validation part calibrates.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from linkage.comparison import FormComparer
from linkage.comparison.words import name_letters
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from linkage.records import PersonName, fold
from linkage.review import Judgement, Verdict
from training.form_training import has_surname_evidence
from training.given_training import Examples
from training.name_pairs import part_of

PARTS = ("train", "validation")
WEIGHT = 5.0  # of a judged pair of forms, beside 1.0 of an invented one
MOST_SHARE = 0.1  # of the weight of all examples: one person's corpus must not drown the rest
_REJECTED_GIVEN = 0.4  # two people called Robert and Bert say little about the names
_GIVEN_OF_FORMS = 0.5  # given names beside one surname: mostly one name, sometimes the first and the second

Pair = tuple[PersonName, PersonName]


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """Two names, of which people said that they are or are not one person's."""

    left: PersonName = field(repr=False)
    right: PersonName = field(repr=False)
    is_match: bool
    weight: float = WEIGHT


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """What each booster can learn, by part of the split; counts tell what became of the judgements."""

    given: Mapping[str, tuple[JudgedPair, ...]] = field(repr=False)
    forms: Mapping[str, tuple[JudgedPair, ...]] = field(repr=False)
    counts: Mapping[str, int]


def judged_pairs(
    judgements: Iterable[Judgement], gazetteer: Gazetteer, *, common_surnames: Collection[str] = ()
) -> JudgedPairs:
    """Pairs for the boosters.

    common_surnames: letters of surnames that belong to all parts, as among the invented people. A pair counts
    once however often it was judged; one judged both ways, and two forms that are equal, teach nothing about
    names. Whether a lone "Jan" is Jan de Vries is for the rules of evidence to say, so that this is left out.
    """
    counts: Counter[str] = Counter()
    verdicts: dict[frozenset[tuple[str, ...]], set[bool]] = defaultdict(set)
    names: dict[frozenset[tuple[str, ...]], Pair] = {}
    for judgement in judgements:
        counts["judgements"] += 1
        pair = parse_name(judgement.left_form, gazetteer), parse_name(judgement.right_form, gazetteer)
        key = frozenset(_key(name) for name in pair)
        if len(key) == 1:
            counts["of equal forms"] += 1
            continue
        if key in verdicts:
            counts["repeated"] += 1
        verdicts[key].add(judgement.verdict is Verdict.ACCEPT)
        ordered = _in_order(pair)
        names[key] = min(names.get(key, ordered), ordered, key=_spelling)
    given: dict[str, dict[tuple[str, ...], JudgedPair]] = {part: {} for part in PARTS}
    forms: dict[str, list[JudgedPair]] = {part: [] for part in PARTS}
    for key in sorted(verdicts, key=sorted):
        left, right = names[key]
        if len(verdicts[key]) > 1:
            counts["judged both ways"] += 1
            continue
        if not _comparable(left, right):
            counts["without parts to compare"] += 1
            continue
        part = _part((left, right), common_surnames)
        if part not in PARTS:
            counts["of names that do not train"] += 1
            continue
        is_match = True in verdicts[key]
        counts[f"{part}, {'accepted' if is_match else 'rejected'}"] += 1
        if has_surname_evidence(left, right):
            forms[part].append(JudgedPair(left, right, is_match))
        for judged in _given_pairs(left, right, is_match=is_match):
            letters = tuple(sorted((judged.left.given or "", judged.right.given or "")))
            known = given[part].get(letters)
            if known is None or known.weight < judged.weight:
                given[part][letters] = judged
    return JudgedPairs(
        {part: tuple(given[part].values()) for part in PARTS},
        {part: tuple(forms[part]) for part in PARTS},
        dict(sorted(counts.items())),
    )


def judged_examples(
    pairs: Sequence[JudgedPair], comparer: FormComparer, *, total_weight: float
) -> Examples | None:
    """Vectors of judged pairs, weighing MOST_SHARE of total_weight together at most; None without any."""
    if not pairs:
        return None
    weight = np.array([pair.weight for pair in pairs], dtype=np.float32)
    weight *= min(1.0, MOST_SHARE * total_weight / float(weight.sum()))
    return Examples(
        comparer.vectors([pair.left for pair in pairs], [pair.right for pair in pairs]),
        np.array([pair.is_match for pair in pairs], dtype=np.int8),
        weight,
        ("judged",) * len(pairs),
    )


def _key(name: PersonName) -> tuple[str, ...]:
    return tuple(fold(part) if part else "" for part in name.parts())


def _in_order(pair: Pair) -> Pair:
    left, right = sorted(pair, key=_key)
    return left, right


def _spelling(pair: Pair) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(part or "" for part in name.parts()) for name in pair)


def _comparable(left: PersonName, right: PersonName) -> bool:
    """Whether both have a surname, or both are given names alone."""
    if left.family and right.family:
        return True
    return all(name.given and not name.family and not name.initials for name in (left, right))


def _part(pair: Pair, common_surnames: Collection[str]) -> str | None:
    """The one part that all names belong to; None if they belong to several."""
    parts = {part_of(word) for name in pair for word in _words(name, common_surnames)}
    if not parts:  # commonest surnames and initials alone
        return "train"
    return parts.pop() if len(parts) == 1 else None


def _words(name: PersonName, common_surnames: Collection[str]) -> Iterator[str]:
    """Letters of the given names, one by one and together, and of the surnames that are not common."""
    for text in (name.given, name.nickname):
        if text:
            yield from filter(None, map(name_letters, [text, *text.replace("-", " ").split()]))
    for text in (name.family, name.partner_family):
        if text and (letters := name_letters(text)) and letters not in common_surnames:
            yield letters


def _given_pairs(left: PersonName, right: PersonName, *, is_match: bool) -> Iterator[JudgedPair]:
    """What a judgement says about two given names, each one word."""
    if not left.given or not right.given or " " in f"{left.given}{right.given}":
        return
    first, second = (PersonName(given=name_letters(name.given or "") or None) for name in (left, right))
    if first == second or not first.given or not second.given:
        return
    if not left.family and not right.family:
        yield JudgedPair(first, second, is_match, 1.0 if is_match else _REJECTED_GIVEN)
    elif is_match and left.family and right.family and fold(left.family) == fold(right.family):
        yield JudgedPair(first, second, is_match=True, weight=_GIVEN_OF_FORMS)
