"""`nymlink review` with typed answers. All names are invented."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from linkage.records import (
    CandidatePair,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    LinkDecision,
    NormalizedMention,
    ScoredLink,
)
from linkage.review import Judgement, Verdict, read_judgements
from pseudonymizer.cli import app, options
from pseudonymizer.mention_lines import given_mentions
from tests.pseudonymizer.batch_fakes import FakePipeline

TEXT = "Jan Tolsma belde Els Mol.\nHeer Tolsma belde terug.\n"


class OpenLinker:
    """Every mention is an identity of its own; the first two are an open link, one person if accepted."""

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),  # noqa: ARG002  the interface
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        everything = tuple(mentions)
        first, second, *rest = (m.mention_id for m in everything)
        if any(j.verdict is Verdict.ACCEPT for j in judgements):
            ids = [frozenset((first, second)), *(frozenset((m,)) for m in rest)]
            return LinkageResult(
                everything, tuple(Identity(IdentityId(f"p{n}"), found) for n, found in enumerate(ids))
            )
        link = ScoredLink(CandidatePair(first, second), 0.6, LinkDecision.POSSIBLE_LINK)
        return LinkageResult(
            everything,
            tuple(
                Identity(
                    IdentityId(f"p{n}"),
                    frozenset((m.mention_id,)),
                    open_links=(link,) if m.mention_id in (first, second) else (),
                )
                for n, m in enumerate(everything)
            ),
        )


class OpenPipeline(FakePipeline):
    def __init__(self) -> None:
        super().__init__()
        self.linker = OpenLinker()  # type: ignore[assignment]


@pytest.fixture
def letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(options, "pipeline_loader", lambda _: OpenPipeline)
    place = tmp_path / "letter.txt"
    place.write_text(TEXT, encoding="utf-8")
    return place


def typed(letter: Path, *arguments: str, answers: str) -> str:
    result = CliRunner().invoke(app, ["review", str(letter), *arguments], input=answers)
    assert result.exit_code == 0, result.output
    return result.output


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_mentions_are_confirmed_rejected_and_added(letter: Path, tmp_path: Path) -> None:
    out = tmp_path / "mentions.jsonl"
    answers = "c\nr\na\nHeer\nw\nHeer Tolsma belde\n"
    typed(letter, "--mentions", str(out), "--sure-from", "1", answers=answers)
    (line,) = lines_of(out)
    assert [m["text"] for m in line["mentions"]] == ["Jan Tolsma", "Heer Tolsma belde"]
    assert all(m["judged"] and m["confidence"] == 1.0 for m in line["mentions"])
    assert given_mentions([line])  # what `run --mentions` reads
    assert out.stat().st_mode & 0o077 == 0


def test_judged_mentions_are_not_asked_again(letter: Path, tmp_path: Path) -> None:
    out = tmp_path / "mentions.jsonl"
    first = typed(letter, "--mentions", str(out), "--sure-from", "1", answers="c\nc\nc\n")
    assert "1 of 3" in first
    assert "1 of" not in typed(letter, "--mentions", str(out), "--sure-from", "1", answers="")


def test_the_end_of_the_input_keeps_what_was_decided(letter: Path, tmp_path: Path) -> None:
    out = tmp_path / "mentions.jsonl"
    typed(letter, "--mentions", str(out), "--sure-from", "1", answers="r\n")
    assert "Jan Tolsma" not in [m["text"] for m in lines_of(out)[0]["mentions"]]
    assert len(lines_of(out)[0]["mentions"]) == 2


def test_verdicts_are_kept_and_respected(letter: Path, tmp_path: Path) -> None:
    verdicts, linked = tmp_path / "verdicts.jsonl", tmp_path / "linked.jsonl"
    typed(letter, "--judgements", str(verdicts), "--out", str(linked), answers="r\n")
    mentions = lines_of(linked)[0]["mentions"]
    assert mentions[0]["identity"] != mentions[1]["identity"]
    verdicts.unlink()
    shown = typed(
        letter, "--judgements", str(verdicts), "--out", str(linked), "--judge", "mk", answers="u\na\n"
    )
    assert "probability 0.60" in shown
    assert "nothing to undo" in shown
    mentions = lines_of(linked)[0]["mentions"]
    assert mentions[0]["identity"] == mentions[1]["identity"]
    assert [(j.verdict, j.judge) for j in read_judgements(verdicts)] == [(Verdict.ACCEPT, "mk")]


def test_links_judged_before_are_not_asked_again(letter: Path, tmp_path: Path) -> None:
    verdicts = tmp_path / "verdicts.jsonl"
    typed(letter, "--judgements", str(verdicts), answers="r\n")
    assert "probability" not in typed(letter, "--judgements", str(verdicts), answers="")
    assert len(read_judgements(verdicts)) == 1


def test_an_accepted_link_that_is_not_kept_is_told_and_asked_again(
    letter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Deaf(OpenLinker):
        def link(self, mentions: Any, *, known: Any = (), judgements: Any = ()) -> LinkageResult:  # noqa: ARG002
            return super().link(mentions)

    class DeafPipeline(FakePipeline):
        def __init__(self) -> None:
            super().__init__()
            self.linker = Deaf()  # type: ignore[assignment]

    monkeypatch.setattr(options, "pipeline_loader", lambda _: DeafPipeline)
    verdicts = tmp_path / "verdicts.jsonl"
    told = typed(letter, "--judgements", str(verdicts), answers="a\n")
    assert "judgements not kept: 1." in told
    assert "Tolsma" not in told.partition("judgements not kept")[2]
    again = typed(letter, "--judgements", str(verdicts), answers="r\n")
    assert "accepted before, and not kept" in again
    assert "judgements not kept" not in again
    assert "probability" not in typed(letter, "--judgements", str(verdicts), answers="")


def test_without_a_file_there_is_nothing_to_look_at(letter: Path) -> None:
    assert CliRunner().invoke(app, ["review", str(letter)]).exit_code == 2


@pytest.mark.parametrize("last", ["w\n", "a\n", "e\n", "w\nJan"])
def test_the_end_of_the_input_at_any_question_loses_no_answer(
    letter: Path, tmp_path: Path, last: str
) -> None:
    typed(letter, "--mentions", str(tmp_path / "m.jsonl"), "--sure-from", "1.01", answers=f"c\n{last}")
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    assert [m.get("judged", False) for m in lines[0]["mentions"]] == [True, False, False]


def test_a_name_is_added_where_nothing_is_shown(letter: Path, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("toen kwam tolsma zelf")
    said = typed(
        letter, str(tmp_path / "other.txt"), "--mentions", str(tmp_path / "m.jsonl"), "--sure-from", "0",
        answers="tolsma\n\n",
    )  # fmt: skip
    assert "1 places added" in said
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    assert [m["text"] for line in lines if line["doc_id"] == "other.txt" for m in line["mentions"]] == [
        "tolsma"
    ]
