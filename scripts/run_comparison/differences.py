"""Differences between two records of one set at one door: counts, and examples where texts may be read."""

import difflib
import math
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from run_comparison.records import DoorRun, Linked, Output, SetRecord

_MOST_EXAMPLES: Final = 3  # of each kind
_MOST_LINES: Final = 6  # of the difference of one document
_AROUND: Final = 30  # characters of a text on each side of a mention
FILES, TEXT, PYTHON = "files", "text", "python"
_KeyT = TypeVar("_KeyT", bound=Hashable)
Place = tuple[str, str, int, int]  # group, document, start, end
Examples = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Limits:
    """tolerance: highest share of each kind that may differ, 0 to 1. renaming: tokens may be drawn anew."""

    tolerance: float = 0.0
    renaming: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """Counts of one set at one door; each changed count has the old count that it is a share of before it.

    mentions: those in one record only (python), or changed stretches of text and tokens that came or went.
    confidences: mentions with another detector or confidence. pairs: pairs of mentions in one identity in one
    record only. structure: pairs of tokens that are equal in one record only. renamed: documents that differ
    beyond which tokens were drawn. reports: documents and groups with other counts, statuses or failures.
    """

    set_name: str
    door: str
    documents: int
    changed_inputs: int = 0
    mentions: int = 0
    changed_mentions: int = 0
    changed_confidences: int = 0
    pairs: int = 0
    changed_pairs: int = 0
    links: int = 0
    changed_links: int = 0
    structure: int = 0
    changed_structure: int = 0
    changed_bytes: int = 0
    changed_renamed: int = 0
    changed_reports: int = 0
    examples: Examples = field(default_factory=dict, repr=False)

    def shares(self, limits: Limits) -> dict[str, float]:
        """Each kind of difference as a share of what there was; above 0 where there was nothing before."""
        documents = self.changed_renamed if limits.renaming else self.changed_bytes
        counts = {
            "mentions": (self.changed_mentions, self.mentions),
            "confidences": (self.changed_confidences, self.mentions),
            "pairs": (self.changed_pairs, self.pairs),
            "links": (self.changed_links, self.links),
            "structure": (self.changed_structure, self.structure),
            "documents": (documents, self.documents),
            "reports": (self.changed_reports, self.documents),
        }
        return {kind: changed / max(whole, 1) for kind, (changed, whole) in counts.items()}

    def differs(self, limits: Limits) -> bool:
        """Whether more differs than the limits allow. A document with another input always counts."""
        return bool(self.changed_inputs) or max(self.shares(limits).values()) > limits.tolerance


def pair_differences(old: Mapping[_KeyT, Hashable], new: Mapping[_KeyT, Hashable]) -> tuple[int, int]:
    """(pairs together in old, pairs together in one of the two only), over the keys that both have."""
    both = old.keys() & new.keys()
    before = Counter(old[key] for key in both)
    after = Counter(new[key] for key in both)
    cells = Counter((old[key], new[key]) for key in both)
    pairs_before, pairs_after, kept = (
        sum(math.comb(n, 2) for n in c.values()) for c in (before, after, cells)
    )
    return pairs_before, pairs_before + pairs_after - 2 * kept


def differences(name: str, old: SetRecord, new: SetRecord) -> list[Difference]:
    """One row for each door."""
    changed = len(
        {key for key in old.inputs.keys() | new.inputs.keys() if old.inputs.get(key) != new.inputs.get(key)}
    )
    texts = old.texts | new.texts
    return [
        _of_outputs(name, FILES, old.files, new.files, changed_inputs=changed, is_readable=bool(texts)),
        _of_outputs(name, TEXT, old.text, new.text, changed_inputs=changed, is_readable=bool(texts)),
        _of_linked(name, old.python, new.python, texts, changed_inputs=changed),
    ]


def _of_outputs(
    name: str, door: str, old: list[DoorRun], new: list[DoorRun], *, changed_inputs: int, is_readable: bool
) -> Difference:
    before, after = _by_document(old), _by_document(new)
    examples: Examples = {}
    changed_bytes = changed_renamed = changed_mentions = 0
    for key in sorted(before.keys() | after.keys()):
        one, other = before.get(key), after.get(key)
        if one is None or other is None:
            changed_bytes += 1
            changed_renamed += 1
            changed_mentions += _mention_count(one or other)
            continue
        changed_bytes += one.digest != other.digest
        changed_mentions += _changed_mentions(one, other)
        if one.content != other.content:
            changed_renamed += 1
            if is_readable and one.shown is not None and other.shown is not None:
                _note(examples, "documents", f"{'/'.join(key)}\n{_shown_difference(one.shown, other.shown)}")
    structure, changed_structure = pair_differences(_tokens(old), _tokens(new))
    reports, reports_after = _reports(old), _reports(new)
    for told in sorted(reports.keys() & reports_after.keys()):
        if (one_report := reports[told]) != (other_report := reports_after[told]) and is_readable:
            keys = sorted(one_report.keys() | other_report.keys())
            changed = (
                f"{key} {a} -> {b}"
                for key in keys
                if (a := one_report.get(key)) != (b := other_report.get(key))
            )
            _note(examples, "reports", f"{told}: {', '.join(changed)}")
    return Difference(
        name, door, len(before), changed_inputs,
        mentions=sum(map(_mention_count, before.values())), changed_mentions=changed_mentions,
        structure=structure, changed_structure=changed_structure,
        changed_bytes=changed_bytes, changed_renamed=changed_renamed,
        changed_reports=_count_changed(reports, reports_after),
        examples=examples,
    )  # fmt: skip


def _count_changed(old: Mapping[_KeyT, object], new: Mapping[_KeyT, object]) -> int:
    return sum(old.get(key) != new.get(key) for key in old.keys() | new.keys())


def _reports(runs: list[DoorRun]) -> dict[str, dict[str, int]]:
    """Counts by group, with the exit status, and by document of a group."""
    found = {run.group: {"exit status": run.status, **run.counts} for run in runs}
    return found | {"/".join(key): output.counts for key, output in _by_document(runs).items()}


def _by_document(runs: list[DoorRun]) -> dict[tuple[str, str], Output]:
    return {(run.group, name): output for run in runs for name, output in run.outputs.items()}


def _tokens(runs: list[DoorRun]) -> dict[tuple[str, str, int, int], tuple[str, int]]:
    """The group's token at each place: group, document, line or part, how many of the line come before it."""
    found: dict[tuple[str, str, int, int], tuple[str, int]] = {}
    for (group, name), output in _by_document(runs).items():
        seen: Counter[int] = Counter()
        for line, number in output.labels:
            found[group, name, line, seen[line]] = (group, number)
            seen[line] += 1
    return found


def _mention_count(output: Output | None) -> int:
    if output is None:
        return 0
    return len(output.labels) if output.stretches is None else len(output.stretches)


def _changed_mentions(old: Output, new: Output) -> int:
    if old.stretches is not None and new.stretches is not None:
        return len({*map(tuple, old.stretches)} ^ {*map(tuple, new.stretches)})
    before, after = (Counter(line for line, _ in output.labels) for output in (old, new))
    return (before - after).total() + (after - before).total()


def _shown_difference(old: str, new: str) -> str:
    before, after = (text.replace("\0", "\n").split("\n") for text in (old, new))
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    kept = [line[:160] for line in lines if not line.startswith(("---", "+++", "@@"))]
    return "\n".join(f"    {line}" for line in kept[:_MOST_LINES])


def _of_linked(
    name: str, old: list[Linked], new: list[Linked], texts: Mapping[str, str], *, changed_inputs: int
) -> Difference:
    before, after = _mentions(old), _mentions(new)
    examples: Examples = {}
    for place in sorted(before.keys() ^ after.keys()):
        _note(
            examples, "mentions", f"{_gone(place in after)} {_shown(place, texts)}", is_readable=bool(texts)
        )
    told, told_after = ({place: found[1:] for place, found in m.items()} for m in (before, after))
    confidences = sum(told[place] != told_after[place] for place in told.keys() & told_after.keys())
    people, people_after = ({place: found[0] for place, found in m.items()} for m in (before, after))
    pairs, changed_pairs = pair_differences(people, people_after)
    if changed_pairs and texts:
        _note_pairs(examples, people, people_after, texts)
    links, changed_links = _link_differences(old, new, texts, examples)
    unread = {linked.group: sorted(linked.unread) for linked in old}
    unread_after = {linked.group: sorted(linked.unread) for linked in new}
    return Difference(
        name, PYTHON, sum(linked.documents for linked in old), changed_inputs,
        mentions=len(before), changed_mentions=len(before.keys() ^ after.keys()),
        changed_confidences=confidences, pairs=pairs, changed_pairs=changed_pairs,
        links=links, changed_links=changed_links,
        changed_reports=_count_changed(unread, unread_after), examples=examples,
    )  # fmt: skip


def _mentions(linked: list[Linked]) -> dict[Place, tuple[tuple[str, int], str, float]]:
    """Identity, detector and confidence of the mention at each place."""
    return {
        (one.group, doc_id, start, end): ((one.group, identity), detector, confidence)
        for one in linked
        for (doc_id, start, end, detector, confidence), identity in zip(
            one.mentions, one.identities, strict=True
        )
    }


def _link_differences(
    old: list[Linked], new: list[Linked], texts: Mapping[str, str], examples: Examples
) -> tuple[int, int]:
    """(links in old, links in one only or with another probability or decision).

    Links of a group that were not kept count as one link, by their digest.
    """
    before, after = _links(old), _links(new)
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    for left, right in sorted(changed):
        told = f"{before.get((left, right), 'none')} -> {after.get((left, right), 'none')}"
        line = f"{_shown(left, texts)} / {_shown(right, texts)}: {told}"
        _note(examples, "links", line, is_readable=bool(texts))
    return len(before), len(changed)


def _links(linked: list[Linked]) -> dict[tuple[Place, Place], list[tuple[float, str]] | str]:
    found: dict[tuple[Place, Place], list[tuple[float, str]] | str] = {}
    for one in linked:
        nowhere: Place = (one.group, "", -1, -1)
        if one.left_out_links:
            found[nowhere, nowhere] = one.left_out_links
        by_pair: dict[tuple[Place, Place], list[tuple[float, str]]] = {}
        for left, right, probability, decision in one.links:
            ends = [(one.group, *one.mentions[end][:3]) if end >= 0 else nowhere for end in (left, right)]
            by_pair.setdefault((ends[0], ends[1]), []).append((probability, decision))
        found |= {pair: sorted(links) for pair, links in by_pair.items()}
    return found


def _note_pairs(
    examples: Examples, old: Mapping[Place, Hashable], new: Mapping[Place, Hashable], texts: Mapping[str, str]
) -> None:
    """Adds pairs that came together or fell apart: a mention and the first one of its old or new identity."""
    both = sorted(old.keys() & new.keys())
    for told, together, others in (("apart now", old, new), ("together now", new, old)):
        first: dict[Hashable, Place] = {}
        for place in both:
            start = first.setdefault(together[place], place)
            if others[start] != others[place]:
                _note(examples, "pairs", f"{told}: {_shown(start, texts)} / {_shown(place, texts)}")


def _gone(is_new: bool) -> str:  # noqa: FBT001  a word for each of two cases
    return "new:" if is_new else "gone:"


def _shown(place: Place, texts: Mapping[str, str]) -> str:
    group, doc_id, start, end = place
    text = texts.get(f"{group}/{doc_id}", "")
    around = f"{text[max(0, start - _AROUND) : start]}[{text[start:end]}]{text[end : end + _AROUND]}"
    return f"{group}/{doc_id} {start}-{end} {' '.join(around.split())!r}"


def _note(examples: Examples, kind: str, line: str, *, is_readable: bool = True) -> None:
    kept = examples.setdefault(kind, []) if is_readable else []
    if is_readable and len(kept) < _MOST_EXAMPLES:
        kept.append(line)
