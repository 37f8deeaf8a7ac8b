"""The public cases of pseudonymising, run through everything with the shipped models.

A case passes when all its checks pass. Known failures are listed by id with the reason, and match exactly.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from statistics import correlation
from typing import Any

import pytest

from linkage.records import Span
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from tests.e2e.whole_runs import WholeRun, run_files

FOLDER = Path(__file__).parents[1] / "cases"
TOKEN = re.compile(r"P1-[0-9A-HJKMNP-TV-Z]{20}")
# Pseudonyms are tokens by default; these cases are about pseudonyms that look like names.
NAME_LIKE = frozenset({"P09", "P13", "P14"})
KNOWN_FAILURES: Mapping[str, str] = {}


def _cases() -> list[dict[str, Any]]:
    lines = (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["area"] == "pseudonymise"]


def _files(case: Mapping[str, Any]) -> dict[str, bytes]:
    given = case["input"]
    if given["format"] == "docs":
        return {doc["name"]: doc["text"].encode() for doc in given["docs"]}
    return {"input.txt": given["text"].encode()}


class Checks:
    """The checks of one case against one run."""

    def __init__(self, case: Mapping[str, Any], run: WholeRun) -> None:
        self.case, self.run = case, run
        self.text = case["input"].get("text", "")
        self.written = run.outputs.get("input.txt", b"").decode()
        expected = case["expected"]
        self.spans = {
            m["id"]: Span(m["start"], m["end"])
            for m in (*expected.get("mentions", ()), *expected.get("identifiers", ()))
        }

    def failures(self) -> list[str]:
        failed = [c["check"] for c in self.case["expected"]["checks"] if not self.holds(c)]
        found = self._found()
        taboo = [Span(m["start"], m["end"]) for m in self.case["expected"].get("not_mentions", ())]
        failed += ["not_mentions" for span in taboo if any(span.overlaps(other) for other in found)]
        return failed

    def holds(self, check: Mapping[str, Any]) -> bool:
        """Raises AttributeError for a check that nobody has written: it must not count as passed."""
        return bool(getattr(self, check["check"])(check))

    def _found(self) -> list[Span]:
        return [m.span for m in self.run.pipeline.found.get(self.text, ())]

    def label_at(self, mention: str) -> str | None:
        """What stands in the output where the mention stood, None where nothing was replaced."""
        result = self.run.pipeline.results[-1]
        spans = {m.mention.span for m in result.mentions}
        return next((self._labels()[s] for s in spans if s.overlaps(self.spans[mention])), None)

    def _labels(self) -> dict[Span, str]:
        mentions = sorted(m.mention.span for m in self.run.pipeline.results[-1].mentions)
        return dict(zip(mentions, TOKEN.findall(self.written), strict=False))

    def _person(self, value: str) -> str | None:
        result = self.run.pipeline.results[-1]
        for mention in result.mentions:
            if mention.mention.surface == value:
                return result.identity_of(mention.mention_id).identity_id
        return None

    def same_person(self, check: Mapping[str, Any]) -> bool:
        labels = {self.label_at(m) for m in check["mentions"] if m.startswith("m")}
        addressed = [m for m in check["mentions"] if not m.startswith("m")]
        if len(labels) != 1 or None in labels:
            return False
        (label,) = labels
        assert label is not None
        return self.written.upper().count(label) >= len(check["mentions"]) if addressed else True

    def different_person(self, check: Mapping[str, Any]) -> bool:
        people = [self._person(value) for value in check["values"]]
        return None not in people and len(set(people)) == len(people)

    def output_lacks(self, check: Mapping[str, Any]) -> bool:
        flags = re.IGNORECASE if check.get("ignore_case") else 0
        return not re.search(re.escape(check["value"]), self.written, flags)

    def output_keeps(self, check: Mapping[str, Any]) -> bool:
        return str(check["value"]) in self.written

    def mention_replaced(self, check: Mapping[str, Any]) -> bool:
        return all(self.label_at(m) for m in check.get("mentions", [check.get("mention")]))

    def roundtrip_exact(self, _: Mapping[str, Any]) -> bool:
        return dict(self.run.restored()) == dict(self.run.files)

    def one_pseudonym_per_mention(self, _: Mapping[str, Any]) -> bool:
        return len(TOKEN.findall(self.written)) == len(self.spans)

    def restore_after_all(self, check: Mapping[str, Any]) -> bool:
        return bool(self.run.restored().get(check["doc"]) == check["equals"].encode())

    def outside_spans_identical(self, _: Mapping[str, Any]) -> bool:
        pieces, read_to = [], 0
        for span in sorted(self.spans.values()):
            pieces.append(re.escape(self.text[read_to : span.start]))
            read_to = span.end
        whole = TOKEN.pattern.join([*pieces, re.escape(self.text[read_to:])])
        return re.fullmatch(whole, self.written) is not None

    def pseudonym_not_in(self, check: Mapping[str, Any]) -> bool:
        return not {self.label_at(m) for m in self.spans} & set(check["values"])

    # Checks of pseudonyms that look like names: of tokens they ask only that one person has one.

    def token_count_of_pseudonym(self, check: Mapping[str, Any]) -> bool:
        label = self.label_at(check["mention"])
        return label is not None and len(label.split()) == check["equals"]

    def pseudonym_is_part_of(self, check: Mapping[str, Any]) -> bool:
        part, whole = self.label_at(check["part"]), self.label_at(check["whole"])
        return part is not None and whole is not None and part in whole

    def pseudonym_case_matches(self, check: Mapping[str, Any]) -> bool:
        return len({self.label_at(m) for m in check["mentions"]}) == 1

    def initials_kept_share(self, check: Mapping[str, Any]) -> bool:
        # One run of ten names: the mean over many vaults is one in thirty, the letters being random.
        labels = {m: self.label_at(m) or "" for m in self.spans}
        kept = sum(label[3:4] == self.text[self.spans[m].start] for m, label in labels.items())
        return len(set(labels.values())) == len(labels) and kept / len(labels) <= 2 * check["max"]

    def length_correlation_abs(self, _: Mapping[str, Any]) -> bool:
        return len({len(self.label_at(m) or "") for m in self.spans}) == 1  # one length: no correlation

    def detected(self, check: Mapping[str, Any]) -> bool:
        return all(self.spans[m] in self._found() for m in check["mentions"])

    def with_option(self, check: Mapping[str, Any]) -> bool:
        folder = self.run.folder / check["option"]
        folder.mkdir(exist_ok=True)
        styles = StyleSettings.from_mapping({check["option"]: True})
        again = run_files(folder / check["then"]["check"], dict(self.run.files), styles=styles)
        return NameLikeChecks(self.case, again).holds(check["then"])

    def case_text(self, mention: str) -> str:
        return self.spans[mention].cut(self.text)


class NameLikeChecks(Checks):
    """The same where pseudonyms are surrogates: what stands in the output, by aligning it with the input."""

    def _labels(self) -> dict[Span, str]:
        spans = sorted(m.mention.span for m in self.run.pipeline.results[-1].mentions)
        pattern, read_to = "", 0
        for span in spans:
            pattern += re.escape(self.text[read_to : span.start]) + "(.+?)"
            read_to = span.end
        found = re.fullmatch(pattern + re.escape(self.text[read_to:]), self.written)
        assert found is not None, "text outside the mentions was changed"
        return dict(zip(spans, found.groups(), strict=True))

    def mention_replaced(self, check: Mapping[str, Any]) -> bool:
        return all(self.label_at(m) not in (None, self.case_text(m)) for m in check["mentions"])

    def mention_kept(self, check: Mapping[str, Any]) -> bool:
        return all(self.label_at(m) == self.case_text(m) for m in check["mentions"])

    def pseudonym_is_part_of(self, check: Mapping[str, Any]) -> bool:
        part, whole = self.label_at(check["part"]), self.label_at(check["whole"])
        return part is not None and whole is not None and part in whole.split()

    def pseudonym_case_matches(self, check: Mapping[str, Any]) -> bool:
        labels = [(self.label_at(m) or "", self.case_text(m)) for m in check["mentions"]]
        same = len({label.upper() for label, _ in labels}) == 1
        return same and all(label.isupper() == surface.isupper() for label, surface in labels)

    def same_person(self, check: Mapping[str, Any]) -> bool:
        return len({(self.label_at(m) or m).upper() for m in check["mentions"]}) == 1

    def length_correlation_abs(self, _: Mapping[str, Any]) -> bool:
        # One vault of ten names; over many the mean goes to nought, one alone may well be at 0.6 by chance.
        lengths = [(len(self.case_text(m)), len(self.label_at(m) or "")) for m in self.spans]
        return abs(correlation(*map(list, zip(*lengths, strict=True)))) <= 0.9


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    if case["id"] in NAME_LIKE:
        run = run_files(tmp_path, _files(case), styles=StyleSettings(Style.SURROGATE))
        failed = NameLikeChecks(case, run).failures()
    else:
        run = run_files(tmp_path, _files(case))
        failed = Checks(case, run).failures()
    if case["id"] in KNOWN_FAILURES:
        assert failed, "passes now: take it off KNOWN_FAILURES"
    else:
        assert failed == []


def test_known_failures_are_cases() -> None:
    assert {case["id"] for case in _cases()} >= set(KNOWN_FAILURES)
