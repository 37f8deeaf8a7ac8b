"""The run fingerprint: settings that came later change it only where they differ from their default."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from linkage.kind_lists import TextsByKind
from linkage.own_kinds import OwnKind
from linkage.records import Span
from linkage.review import Judgement, MentionPlace, Verdict
from linkage.settings import LinkageSettings, LinkingSettings, RecognitionSettings
from linkage.texts import PERSON, KindId
from pseudonymizer.cli import options
from pseudonymizer.records import Scope
from pseudonymizer.runs import fingerprint
from pseudonymizer.runs.fingerprint import RunTerms, described_settings
from pseudonymizer.settings import StyleSettings
from tests.kept.material import (
    assert_a_work_key_alone_is_new,
    command_in,
    files_below,
    read_json,
    stored_in,
    unpack,
)

TERMS = RunTerms("study", Scope.PROJECT, False, described_settings(LinkageSettings()), StyleSettings())
BEFORE = TERMS.fingerprint()


@dataclass(frozen=True, slots=True)
class LaterRecognition(RecognitionSettings):
    find_plates: bool = False
    plate_file: Path | None = None


@dataclass(frozen=True, slots=True)
class LaterLinkage(LinkageSettings):
    recognition: RecognitionSettings = field(default_factory=LaterRecognition)


@dataclass(frozen=True, slots=True)
class LaterStyles(StyleSettings):
    plate_word: str = "KENTEKEN"


@dataclass(frozen=True, slots=True)
class LinkingWithoutBlocks:
    """A later version that has no max_block_size, and another order."""

    review_threshold: float | None = None
    link_threshold: float | None = None
    classifier: Path | None = None


Later = Callable[[LinkageSettings], RunTerms]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """What a run is asked for in a program with more settings."""
    monkeypatch.setattr(fingerprint, "LinkageSettings", LaterLinkage)
    return lambda linkage: replace(TERMS, settings=described_settings(linkage), styles=LaterStyles())


def test_later_settings_at_their_default_change_nothing(later: Later) -> None:
    assert later(LaterLinkage()).fingerprint() == BEFORE


def test_later_settings_with_another_value_make_another_one(later: Later) -> None:
    found = {
        later(LaterLinkage(LaterRecognition(find_plates=True))).fingerprint(),
        later(LaterLinkage(LaterRecognition(plate_file=Path("x")))).fingerprint(),
        replace(later(LaterLinkage()), styles=LaterStyles(plate_word="AUTO")).fingerprint(),
        BEFORE,
    }
    assert len(found) == 4


def test_a_setting_that_is_gone_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fewer(linking: Any = None) -> LinkageSettings:
        return LinkageSettings(linking=linking or cast("LinkingSettings", LinkingWithoutBlocks()))

    monkeypatch.setattr(fingerprint, "LinkageSettings", fewer)
    assert replace(TERMS, settings=described_settings(fewer())).fingerprint() == BEFORE
    stricter = fewer(LinkingWithoutBlocks(link_threshold=0.95))
    assert replace(TERMS, settings=described_settings(stricter)).fingerprint() != BEFORE


def test_a_later_table_at_its_defaults_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = fingerprint._defaults() | {"kinds": {"plates": "keep"}}
    monkeypatch.setattr(fingerprint, "_defaults", lambda: usual)
    settings = {**TERMS.settings, "kinds": {"plates": "keep"}}
    assert replace(TERMS, settings=settings).fingerprint() == BEFORE
    settings = {**TERMS.settings, "kinds": {"plates": "mask"}}
    assert replace(TERMS, settings=settings).fingerprint() != BEFORE


def test_what_is_described_and_unknown_counts() -> None:
    assert replace(TERMS, settings={"a": True}).fingerprint() != replace(TERMS, settings={}).fingerprint()
    odd = {**TERMS.settings, "recognition": {**TERMS.settings["recognition"], "unheard_of": 0}}
    assert replace(TERMS, settings=odd).fingerprint() != BEFORE


def test_files_are_told_as_there_or_not() -> None:
    settings = LinkageSettings(RecognitionSettings(ner_model=Path("secret name")), LinkingSettings())
    assert described_settings(settings)["recognition"]["ner_model"] is True
    assert "secret name" not in repr(RunTerms("p", Scope.PROJECT, False, {}, StyleSettings(), {"x": []}))


def test_given_mentions_and_verdicts_count_and_who_judged_does_not() -> None:
    judged = Judgement("A", "B", Verdict.ACCEPT, left_at=MentionPlace("d", 0, 1),
                       right_at=MentionPlace("d", 2, 3))  # fmt: skip
    one = replace(TERMS, judgements=[judged])
    assert one.fingerprint() == replace(TERMS, judgements=[replace(judged, judge="x")]).fingerprint()
    elsewhere = replace(judged, left_at=MentionPlace("d", 0, 2))
    made = {
        BEFORE,
        one.fingerprint(),
        replace(TERMS, judgements=[elsewhere]).fingerprint(),
        replace(TERMS, given={"d": [Span(0, 1)]}).fingerprint(),
        replace(TERMS, given={"d": [Span(0, 2)]}).fingerprint(),
    }
    assert len(made) == 5


def test_a_new_settings_field_treats_no_finished_file_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What 8952b15 finished stays as it is in a program with one more setting."""
    (run,) = [run for run in read_json("projects", "runs.json") if run["project"] == "token"]
    unpack("projects", tmp_path)
    monkeypatch.setattr(fingerprint, "LinkageSettings", LaterLinkage)
    monkeypatch.setattr(options, "linkage_settings", lambda *_: LaterLinkage())
    out = tmp_path / "out" / "token"
    before, outputs = stored_in(tmp_path, out), files_below(out)
    assert command_in(tmp_path, monkeypatch)(*run["arguments"]).status == 0
    assert_a_work_key_alone_is_new(before, stored_in(tmp_path, out))
    assert files_below(out) == outputs


def test_own_kinds_and_lists_count_by_what_they_hold() -> None:
    def terms(settings: LinkageSettings) -> bytes:
        return replace(TERMS, settings=described_settings(settings)).fingerprint()

    kind = OwnKind(KindId("DOG"), ("hond",))
    lists = RecognitionSettings(always=TextsByKind.of({PERSON: ["Xqandu"]}))
    others = RecognitionSettings(always=TextsByKind.of({PERSON: ["Vurbel"]}))
    found = {
        terms(settings)
        for settings in (
            LinkageSettings(), LinkageSettings(kinds=(kind,)), LinkageSettings(lists),
            LinkageSettings(others),
            LinkageSettings(lists, kinds=(kind,)), LinkageSettings(kinds=(replace(kind, patterns=("kat",)),)),
            LinkageSettings(RecognitionSettings(never=TextsByKind.of({PERSON: ["Xqandu"]}))),
        )
    }  # fmt: skip
    assert len(found) == 7
    assert terms(LinkageSettings(kinds=(replace(kind, at="b.toml, line 2"),))) in found
    assert "Xqandu" not in json.dumps(described_settings(LinkageSettings(lists)))
