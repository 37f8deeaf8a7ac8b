"""The one place where overlaps are resolved: candidates and their probabilities in, mentions out."""

import bisect
import re
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from linkage.language import Language, ParticleUse
from linkage.language.expressions import any_of
from linkage.recognition.evidence import Candidate
from linkage.records import Detector, Document, Mention, Span
from linkage.spans import SpanIndex, lie_inside

_SURE_MISSPELT = 0.4
_SHARE_MISSPELT = 0.75
# What the model all but excludes, such as the name in a street's or a firm's, is not raised.
_LEAST_MISSPELT = 0.1
_SPACED = re.compile(r"[^\W\d_](?: {1,3}[^\W\d_]){4,}")
_FIGURE_INSIDE = re.compile(r"[^\n]*(?:\d[^\W\d_]|[^\W\d_]\d[^\W\d_])[^\n]*")
# Where letters stand apart, figures stand for letters, or a family name is a place's, the network may see no
# name; the lists are hardly ever wrong there.
_LEAST_LISTED = 0.15
_LEAST_BY_SHAPE = 0.03
_SURE_BY_SHAPE = 0.75
_SHARE_LISTED = 0.4
# From here on, 0 to 1, a mention is sure enough to raise a listed name that the text has again: "Intake
# Bouwma" beside Roelien Bouwma. Set before it was measured; from .85 on ntrex-dev loses .001 of F1.
SURE_AGAIN = 0.95
# A span that the lists are sure of goes before a part of it: too much replaced is better than too little.
_SURE_WHOLE = 0.9
_LEAST_WHOLE = _LEAST_LISTED
_WHOLE_BEFORE_PART = 0.02
_WORTH_OF_PART = 0.2
_REGISTRY_GAIN = 4.0  # more than two sure candidates inside it together


@cache
def _particle_inside(language: Language) -> re.Pattern[str]:
    """ "Piet van Amsterdam", which the network takes for a place."""
    opening = any_of(particle.capitalize() for particle in language.particles(ParticleUse.NO_GIVEN))
    return re.compile(rf"(?!(?:{opening}) )[A-ZÀ-Þ][a-zß-ÿ]+ (?:[a-z'’]{{1,4}} ){{1,3}}[A-ZÀ-Þ][\w'’-]+")


def combine(
    document: Document,
    candidates: Sequence[Candidate],
    probabilities: npt.NDArray[np.float64],
    *,
    acceptance: float,
    denied: Sequence[Span] = (),
    always: Sequence[Span] = (),
) -> tuple[Mention, ...]:
    """The candidates that together are most worth, never overlapping, sorted by span.

    A candidate is worth its probability minus acceptance; below acceptance it is left out, and so is one that
    lies inside a denied span. A registered person goes before all else. always: spans that are a mention
    whatever their probability, alone or inside a longer candidate that is taken.
    """
    forced = frozenset(always)
    around = SpanIndex(ordered := sorted(forced))
    excluded = lie_inside([candidate.span for candidate in candidates], denied)
    open_candidates = [
        (
            candidate,
            (_REGISTRY_GAIN if candidate.registered else float(probability) - acceptance)
            + _REGISTRY_GAIN
            * sum(candidate.span.contains(ordered[number]) for number in around.overlapping(candidate.span)),
        )
        for candidate, probability, is_excluded in zip(candidates, probabilities, excluded, strict=True)
        if (candidate.registered or probability >= acceptance or candidate.span in forced) and not is_excluded
    ]
    probability_of = {c.span: float(p) for c, p in zip(candidates, probabilities, strict=True)}
    return tuple(
        Mention.at(
            document,
            candidate.span,
            detector=candidate.detector,
            confidence=1.0
            if candidate.registered or candidate.span in forced
            else probability_of[candidate.span],
            typo_of=candidate.typo_of,
            person_id=candidate.person_id,
        )
        for candidate in best_without_overlap(open_candidates)
    )


def with_support(
    candidates: Sequence[Candidate], probabilities: npt.NDArray[np.float64], text: str, language: Language
) -> npt.NDArray[np.float64]:
    """Probabilities of candidates in text, raised where the model has seen few such.

    Raised are misspelt forms, listed names that the text surely has elsewhere or that have an odd shape, and
    wholes above their parts.
    """
    raised = probabilities.copy()
    for place, candidate in enumerate(candidates):
        if candidate.misspelt >= _SURE_MISSPELT and probabilities[place] >= _LEAST_MISSPELT:
            raised[place] = max(raised[place], _SHARE_MISSPELT * candidate.misspelt)
        known = candidate.consistent >= SURE_AGAIN and candidate.listed > 0
        if known and probabilities[place] >= _LEAST_LISTED:
            raised[place] = max(raised[place], _SHARE_LISTED * candidate.consistent)
        if candidate.listed < _SURE_BY_SHAPE or probabilities[place] < _LEAST_BY_SHAPE:
            continue
        if _lists_suffice(text, candidate.span, language):
            raised[place] = max(raised[place], _SHARE_LISTED * candidate.listed)
    return _wholes_before_parts(candidates, probabilities, raised, text, language)


def _lists_suffice(text: str, span: Span, language: Language) -> bool:
    """Whether the span has a shape of which the lists know more than the network does."""
    return any(
        pattern.fullmatch(text, span.start, span.end) is not None
        for pattern in (_SPACED, _FIGURE_INSIDE, _particle_inside(language))
    )


def _wholes_before_parts(
    candidates: Sequence[Candidate],
    probabilities: npt.NDArray[np.float64],
    raised: npt.NDArray[np.float64],
    text: str,
    language: Language,
) -> npt.NDArray[np.float64]:
    """Raise what the lists are sure of above its parts: "Gerrit (Pietje) Pols" above "Gerrit".

    candidates are sorted by span.
    """
    starts = [candidate.span.start for candidate in candidates]
    result = raised.copy()
    for place, candidate in enumerate(candidates):
        if candidate.listed < _SURE_WHOLE or probabilities[place] < _LEAST_BY_SHAPE:
            continue
        if probabilities[place] < _LEAST_WHOLE and not _lists_suffice(text, candidate.span, language):
            continue
        first = bisect.bisect_left(starts, candidate.span.start)
        last = bisect.bisect_left(starts, candidate.span.end)
        parts = [
            raised[other]
            for other in range(first, last)
            if other != place
            and candidate.span.contains(candidates[other].span)
            # "van Hindrik Aukema" is no more than "Hindrik Aukema": what the lists add is a particle.
            and not (
                candidates[other].span.end == candidate.span.end
                and text[candidate.span.start].islower()
                and text[candidates[other].span.start].isupper()
            )
        ]
        if parts:
            # Two parts can be worth more than the surest of them: what the others gain goes on top.
            others = sum(max(0.0, float(part) - _WORTH_OF_PART) for part in sorted(parts)[:-1])
            needed = min(0.99, max(parts) + others + _WHOLE_BEFORE_PART)
            result[place] = max(raised[place], needed)
    return result


def best_without_overlap(weighted: Sequence[tuple[Candidate, float]]) -> tuple[Candidate, ...]:
    """The subset without overlap of the highest total gain (weighted interval scheduling), in text order.

    Of two subsets with the same gain the one with the longer spans is taken.
    """
    ordered = sorted(weighted, key=lambda item: (item[0].span.end, item[0].span.start))
    ends = [candidate.span.end for candidate, _ in ordered]
    best: list[tuple[float, int]] = [(0.0, 0)]  # gain and covered code points of the first n candidates
    taken: list[bool] = []
    before: list[int] = []
    for place, (candidate, gain) in enumerate(ordered):
        earlier = bisect.bisect_right(ends, candidate.span.start, 0, place)
        before.append(earlier)
        with_it = (best[earlier][0] + gain, best[earlier][1] + len(candidate.span))
        take = (round(with_it[0], 9), with_it[1]) > (round(best[place][0], 9), best[place][1])
        taken.append(take)
        best.append(with_it if take else best[place])
    chosen: list[Candidate] = []
    place = len(ordered)
    while place > 0:
        if taken[place - 1]:
            chosen.append(ordered[place - 1][0])
            place = before[place - 1]
        else:
            place -= 1
    return tuple(reversed(chosen))


def strong_mentions(mentions: Sequence[Mention], *, least_confidence: float) -> tuple[Mention, ...]:
    """The sure mentions among possibly overlapping ones: longest first, then most confident."""
    chosen: list[Mention] = []  # in text order; they never overlap, so that only one neighbour can be hit
    sure = [m for m in mentions if m.confidence >= least_confidence or m.detector is Detector.REGISTRY]
    for mention in sorted(sure, key=lambda m: (-len(m.span), -m.confidence, m.span)):
        place = bisect.bisect_left(chosen, mention.span.end, key=lambda m: m.span.start)
        if place == 0 or not mention.span.overlaps(chosen[place - 1].span):
            chosen.insert(place, mention)
    return tuple(chosen)
