"""Why two names were linked or not: the features and what each adds, as a waterfall in text and SVG."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import islice, product
from typing import Final

from linkage.constraints import Constraint, ConstraintKind, Reason, constraints_between
from linkage.records import Identity, LinkageResult, LinkDecision, fold

_TEXT_BAR = 24  # characters of the longest bar
_SUREST = 1e-4  # no probability is nearer to 0 or 1 than this, so that its log-odds can be drawn


_MOST_PEOPLE = 400  # pairs of people of two names that are looked at in documents
_WORDS: Final[Mapping[tuple[ConstraintKind, Reason], str]] = {
    (ConstraintKind.CANNOT_LINK, Reason.REGISTRY): "kept apart: two people of the registry",
    (ConstraintKind.CANNOT_LINK, Reason.JUDGEMENT): "kept apart: judged to be two",
    (ConstraintKind.CANNOT_LINK, Reason.BIRTH_DATE): "kept apart: two birth dates",
    (ConstraintKind.CANNOT_LINK, Reason.CITIZEN_NUMBER): "kept apart: two citizen numbers",
    (ConstraintKind.CANNOT_LINK, Reason.GENDER): "kept apart: of different gender",
    (ConstraintKind.CANNOT_LINK, Reason.ROLES): "kept apart: a client and a professional",
    (ConstraintKind.CANNOT_LINK, Reason.SUFFIX): "kept apart: two generations (such as sr. and jr.)",
    (ConstraintKind.CANNOT_LINK, Reason.TOLD): "kept apart: a text sets them side by side",
    (ConstraintKind.CANNOT_LINK, Reason.KNOWN): "kept apart: two people of the project",
    (ConstraintKind.MUST_LINK, Reason.REGISTRY): "one person: the same of the registry",
    (ConstraintKind.MUST_LINK, Reason.JUDGEMENT): "one person: judged to be one",
    (ConstraintKind.MUST_LINK, Reason.SAID): "one person: a text says so",
}


@dataclass(frozen=True, slots=True)
class FeatureContribution:
    """value is the feature's, NaN where it could not be compared; log_odds (natural) is what it adds."""

    feature: str
    value: float
    log_odds: float


@dataclass(frozen=True, slots=True)
class MetInDocuments:
    """Two names where documents have them: how many people bear either or both, and what makes them so many.

    people: 0 where one of the names stands nowhere.
    """

    people: int
    constraints: tuple[Constraint, ...]

    @classmethod
    def of(cls, result: LinkageResult, left: str, right: str) -> "MetInDocuments":
        """The people of a result of whom a mention is written like left, and those like right."""
        mine, theirs = (_written(result, name) for name in (left, right))
        if not mine or not theirs:
            return cls(0, ())
        mentions = {
            identity.identity_id: [result.mention(m) for m in sorted(identity.mention_ids)]
            for identity in (*mine, *theirs)
        }
        pairs = islice(product(mine, theirs), _MOST_PEOPLE)
        found = constraints_between((mentions[a.identity_id], mentions[b.identity_id]) for a, b in pairs)
        return cls(len(mentions), found)

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON, without names and mentions."""
        return {
            "people": self.people,
            "constraints": [{"kind": str(c.kind), "reason": str(c.reason)} for c in self.constraints],
        }

    def lines(self) -> list[str]:
        """Lines for a terminal; they hold no name."""
        if not self.people:
            return ["in the documents: one of the two names is not there, written like this"]
        people = "one person" if self.people == 1 else f"{self.people:,} people"
        return [f"in the documents: {people}", *(_WORDS[c.kind, c.reason] for c in self.constraints)]


def _written(result: LinkageResult, name: str) -> list[Identity]:
    """The identities with a mention that is written like a name, in their order."""
    key = fold(" ".join(name.split()))
    return [
        identity
        for identity in result.identities
        if any(fold(" ".join(result.mention(m).mention.surface.split())) == key for m in identity.mention_ids)
    ]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One pair's probability taken apart. base_log_odds is the model's answer to an unknown pair.

    What the features add up to becomes the probability by calibration and by rules: of further given names
    that contradict each other, of a woman's and a man's name, of equal names, of nothing to compare.
    """

    left: str = field(repr=False)
    right: str = field(repr=False)
    match_probability: float
    decision: LinkDecision
    variant: str | None
    partial_ratio: float
    base_log_odds: float
    contributions: tuple[FeatureContribution, ...]
    met: MetInDocuments | None = None

    def by_weight(self, most: int | None = None) -> tuple[FeatureContribution, ...]:
        """Contributions from the weightiest down, ties by name; what has no weight is left out."""
        weighty = [c for c in self.contributions if c.log_odds != 0]
        return tuple(sorted(weighty, key=lambda c: (-abs(c.log_odds), c.feature))[:most])

    @property
    def log_odds(self) -> float:
        """Natural log-odds of match_probability; of 0 and 1 those of 0.0001 and 0.9999."""
        probability = min(max(self.match_probability, _SUREST), 1 - _SUREST)
        return math.log(probability / (1 - probability))

    @property
    def adjustment_log_odds(self) -> float:
        """What calibration and rules add to the base and the features, in natural log-odds."""
        added = (contribution.log_odds for contribution in self.contributions)
        return self.log_odds - math.fsum([self.base_log_odds, *added])

    def as_dict(self) -> dict[str, object]:
        """Plain values for JSON, without the names."""
        return {
            "match_probability": self.match_probability,
            "decision": str(self.decision),
            "variant": self.variant,
            "partial_ratio": None if math.isnan(self.partial_ratio) else self.partial_ratio,
            "base_log_odds": self.base_log_odds,
            "contributions": [
                {
                    "feature": c.feature,
                    "value": None if math.isnan(c.value) else c.value,
                    "log_odds": c.log_odds,
                }
                for c in self.contributions
            ],
            "adjustment_log_odds": self.adjustment_log_odds,
            "log_odds": self.log_odds,
            "in_documents": None if self.met is None else self.met.as_dict(),
        }

    def steps(self, most: int) -> tuple[tuple[str, float, float, float], ...]:
        """The waterfall: (label, value, from, to) in log-odds, ending at log_odds.

        The rest of the features is one step, "other features"; calibration and rules are the last one.
        """
        shown = self.by_weight(most)
        steps = []
        level = self.base_log_odds
        for c in shown:
            steps.append((c.feature, c.value, level, level + c.log_odds))
            level += c.log_odds
        rest = math.fsum(c.log_odds for c in self.contributions) - math.fsum(c.log_odds for c in shown)
        if abs(rest) > 1e-9:
            steps.append(("other features", math.nan, level, level + rest))
            level += rest
        if abs(self.log_odds - level) > 1e-9:
            is_ruled_out = self.match_probability == 0
            label = "ruled out beforehand" if is_ruled_out else "calibration and rules"
            steps.append((label, math.nan, level, self.log_odds))
        return tuple(steps)

    def waterfall_text(self, *, width: int = 80, most: int = 12) -> str:
        """Lines for a terminal: feature, value, bar, contribution. Holds no name."""
        steps = self.steps(most)
        longest = max((abs(after - before) for _, _, before, after in steps), default=1.0) or 1.0
        label_width = max(16, min(32, width - _TEXT_BAR - 20))
        lines = [f"{'start':<{label_width}} {'':>7} {'':<{_TEXT_BAR}} {self.base_log_odds:+7.2f}"]
        for label, value, before, after in steps:
            length = max(1, round(_TEXT_BAR * abs(after - before) / longest))
            bar = ("+" if after > before else "-") * length
            shown = "" if math.isnan(value) else f"{value:.2f}"
            lines.append(
                f"{label[:label_width]:<{label_width}} {shown:>7} {bar:<{_TEXT_BAR}} {after - before:+7.2f}"
            )
        lines.append(
            f"{'match probability':<{label_width}} {self.match_probability:>7.3f} {self.decision}"
            + (f" ({self.variant})" if self.variant else "")
        )
        return "\n".join([*lines, *(() if self.met is None else self.met.lines())])

    def waterfall_svg(self, *, most: int = 14) -> str:
        """The contributions as a picture: bars to the right speak for one person. Holds no name."""
        steps = self.steps(most)
        levels = [self.base_log_odds, *(after for _, _, _, after in steps)]
        low, high = min(*levels, 0.0), max(*levels, 0.0)
        scale = 420 / ((high - low) or 1.0)
        row, left, top = 22, 250, 40
        height = top + row * (len(steps) + 2)
        zero = left + (0 - low) * scale
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" font-family="sans-serif" '
            f'font-size="12" role="img" aria-label="Waterfall of feature contributions">',
            f'<rect width="760" height="{height}" fill="white"/>',
            f'<text x="10" y="20" font-size="14">match probability {self.match_probability:.3f}, '
            f"{escape(str(self.decision))}{escape(f' ({self.variant})' if self.variant else '')}</text>",
            f'<line x1="{zero:.1f}" y1="{top - 6}" x2="{zero:.1f}" y2="{height - row}" stroke="#999"/>',
            f'<text x="10" y="{top + 12}">start</text>'
            f'<circle cx="{left + (self.base_log_odds - low) * scale:.1f}" cy="{top + 8}" '
            'r="4" fill="#555"/>',
        ]
        for number, (label, value, before, after) in enumerate(steps, start=1):
            y = top + row * number
            x = left + (min(before, after) - low) * scale
            colour = "#2a7f3f" if after > before else "#b03a2e"
            shown = "" if math.isnan(value) else f" = {value:.2f}"
            parts.append(
                f'<text x="10" y="{y + 12}">{escape(label + shown)}</text>'
                f'<rect x="{x:.1f}" y="{y}" width="{max(1.0, abs(after - before) * scale):.1f}" '
                f'height="{row - 6}" '
                f'fill="{colour}"/>'
                f'<text x="{left + 430}" y="{y + 12}">{after - before:+.2f}</text>'
            )
        parts.append(
            f'<text x="10" y="{height - 6}">log-odds of one person; the line is even odds</text></svg>'
        )
        return "\n".join(parts)
