"""The comparison of two records as a table, as JSON, and as examples."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from run_comparison.differences import Difference, Limits, differences
from run_comparison.records import RunRecord
from run_comparison.scores import ScoreChange, score_changes

_COLUMNS: Final = (
    "docs", "mentions", "changed", "share", "confid.", "pairs", "changed", "links", "changed", "tokens eq.",
    "changed", "bytes", "renamed", "reports",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Report:
    """Differences by set and door, scores by set, and what makes the records unlike ones to compare."""

    rows: tuple[Difference, ...]
    scores: Mapping[str, Sequence[ScoreChange]]
    warnings: tuple[str, ...]
    limits: Limits

    @classmethod
    def of(cls, old: RunRecord, new: RunRecord, limits: Limits, *, shared: Path) -> Self:
        """Compares the sets that both records have. shared: the folder with gold from outside the project."""
        common = [name for name in old.sets if name in new.sets]
        rows = [row for name in common for row in differences(name, old.sets[name], new.sets[name])]
        scores = {name: score_changes(name, shared, old.sets[name], new.sets[name]) for name in common}
        return cls(tuple(rows), scores, tuple(_warnings(old, new, rows)), limits)

    @property
    def differs(self) -> bool:
        """Whether anything differs beyond the limits, a score got worse, or nothing could be compared."""
        worse = any(change.is_worse for changes in self.scores.values() for change in changes)
        return worse or not self.rows or any(row.differs(self.limits) for row in self.rows)

    def as_dict(self) -> dict[str, Any]:
        """Counts and scores; examples are never part of it."""
        rows = []
        for row in self.rows:
            counts = asdict(row)
            del counts["examples"]
            shares = {kind: round(share, 6) for kind, share in row.shares(self.limits).items()}
            rows.append({**counts, "shares": shares, "differs": row.differs(self.limits)})
        scores = {
            name: {c.name: {"old": c.old, "new": c.new, "is_worse": c.is_worse} for c in changes}
            for name, changes in self.scores.items()
        }
        return {"differs": self.differs, "warnings": self.warnings, "rows": rows, "scores": scores}

    def table(self) -> str:
        """Tables for people: counts by set and door, then scores where there is gold."""
        lines = [*self.warnings, f"{'set, door':<20}" + "".join(f"{column:>11}" for column in _COLUMNS)]
        for row in self.rows:
            cells = [
                f"{row.documents:,}", f"{row.mentions:,}", f"{row.changed_mentions:,}",
                f"{100 * row.shares(self.limits)['mentions']:.2f} %", f"{row.changed_confidences:,}",
                f"{row.pairs:,}", f"{row.changed_pairs:,}", f"{row.links:,}", f"{row.changed_links:,}",
                f"{row.structure:,}", f"{row.changed_structure:,}", f"{row.changed_bytes:,}",
                f"{row.changed_renamed:,}", f"{row.changed_reports:,}",
            ]  # fmt: skip
            mark = "  differs" if row.differs(self.limits) else ""
            lines.append(
                f"{row.set_name + ', ' + row.door:<20}" + "".join(f"{cell:>11}" for cell in cells) + mark
            )
        for name, changes in self.scores.items():
            if changes:
                lines += ["", f"{name:<20}{'old':>9}{'new':>9}{'change':>10}"]
            for change in changes:
                mark = "  worse" if change.is_worse else ""
                told = f"{change.old:>9.4f}{change.new:>9.4f}{change.new - change.old:>+10.4f}"
                lines.append(f"  {change.name:<18}{told}{mark}")
        lines += ["", "something differs" if self.differs else "no difference beyond the tolerance"]
        return "\n".join(lines)

    def shown_examples(self) -> str:
        """Up to three examples of each kind, of the sets whose texts may be read."""
        lines = []
        for row in self.rows:
            for kind, found in row.examples.items():
                lines += [f"\n{row.set_name}, {row.door}: {kind}", *(f"  {line}" for line in found)]
        return "\n".join(lines) or "no examples"


def _warnings(old: RunRecord, new: RunRecord, rows: Sequence[Difference]) -> list[str]:
    """Why the records may differ by more than the code."""
    found = []
    keys = sorted(old.conditions.keys() | new.conditions.keys())
    if others := [key for key in keys if old.conditions.get(key) != new.conditions.get(key)]:
        found.append(f"the records were made under other conditions: {', '.join(others)}")
    if alone := sorted(old.sets.keys() ^ new.sets.keys()):
        found.append(f"only one record has these sets, which are left out: {', '.join(alone)}")
    if changed := sorted({row.set_name for row in rows if row.changed_inputs}):
        found.append(f"the inputs of these sets are not the same: {', '.join(changed)}")
    return found
