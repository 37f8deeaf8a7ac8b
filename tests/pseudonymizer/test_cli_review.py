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
from pseudonymizer.errors import BatchError
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


def test_what_was_found_is_listed_by_kind_with_what_would_stay(letter: Path, tmp_path: Path) -> None:
    letter.write_text(TEXT + "Bel 06-12345678, op 5 augustus 2024 of 6 mei 2024.\n", encoding="utf-8")
    verdicts = ["--judgements", str(tmp_path / "v.jsonl")]
    told = typed(letter, *verdicts, answers="s\n").splitlines()
    rows = [line.split() for line in told]
    assert ["PERSON", "code", "3", "0"] in rows
    assert ["PHONE", "code", "1", "0"] in rows
    assert ["DATE", "keep", "2", "2"] in rows
    assert not [line for line in told if "06-12345678" in line]
    treated = typed(letter, *verdicts, "--treat", "date=month", answers="s\n")
    assert ["DATE", "month", "2", "0"] in [line.split() for line in treated.splitlines()]


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


# -- what a run left -----------------------------------------------------------------------------------------


@pytest.fixture
def place(letter: Path, tmp_path: Path) -> list[str]:
    """A run over the letter, which is moved away; the options that name its vault and project."""
    here = ["--vault", f"sqlite:///{tmp_path}/v.db", "--key-file", str(tmp_path / "k.key"), "--project", "p"]
    for arguments in (
        ["vault", "init", *here[:4]],
        ["run", str(letter), "--out", str(tmp_path / "out"), *here],
    ):
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, done.output
    letter.rename(tmp_path / "moved.txt")
    return here


def reviewed(tmp_path: Path, place: list[str], *arguments: str, answers: str = "") -> str:
    given = ["review", "--run", str(tmp_path / "out"), *place, *arguments]
    result = CliRunner().invoke(app, given, input=answers)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_open_links_of_a_run_are_judged_without_its_inputs(place: list[str], tmp_path: Path) -> None:
    verdicts = tmp_path / "verdicts.jsonl"
    shown = reviewed(tmp_path, place, "--judgements", str(verdicts), "--judge", "mk", answers="a\n")
    assert "1 of 1  probability 0.60" in shown
    assert "\u27e6Jan Tolsma\u27e7 belde Els Mol. Heer Tolsma belde terug." in shown
    (judgement,) = read_judgements(verdicts)
    assert (judgement.verdict, judgement.judge) == (Verdict.ACCEPT, "mk")
    assert judgement.left_at is not None
    assert judgement.left_at.document == "letter.txt"
    assert verdicts.stat().st_mode & 0o077 == 0
    assert "no open links to judge" in reviewed(tmp_path, place, "--judgements", str(verdicts))
    (tmp_path / "moved.txt").rename(tmp_path / "letter.txt")
    done = CliRunner().invoke(
        app,
        ["run", str(tmp_path / "letter.txt"), "--out", str(tmp_path / "out"), *place, "--judgements",
         str(verdicts)],
    )  # fmt: skip
    assert "judgements: 1 kept" in done.output
    assert "no open links to judge" in reviewed(tmp_path, place, "--judgements", str(tmp_path / "new.jsonl"))


def test_what_a_run_left_is_forgotten(place: list[str], tmp_path: Path) -> None:
    assert "open links of 1 documents are no longer kept" in reviewed(tmp_path, place, "--forget")
    given = ["review", "--run", str(tmp_path / "out"), *place, "--judgements", str(tmp_path / "v.jsonl")]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 1
    assert isinstance(done.exception, BatchError)
    assert "Run the same inputs into a new folder" in str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--run", "out", "--judgements", "v.jsonl"], "--run needs --vault and --project"),
        (["letter.txt", "--run", "out", "--judgements", "v.jsonl"], "goes without INPUT"),
        (["--run", "out", "--mentions", "m.jsonl"], "goes without INPUT"),
        (["--run", "out", "--out", "o.jsonl"], "goes without INPUT"),
        (["--forget"], "--forget goes with --run DIR"),
        (["--judgements", "v.jsonl"], "give INPUT, or --run DIR"),
        (["letter.txt"], "say what to look at"),
    ],
)
def test_options_that_do_not_go_together_are_told(
    letter: Path, arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(letter.parent)
    monkeypatch.setenv("COLUMNS", "200")
    done = CliRunner().invoke(app, ["review", *arguments])
    assert done.exit_code == 2
    assert told in done.output


def test_run_goes_with_verdicts_or_with_forget(place: list[str], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    given = ["review", "--run", str(tmp_path / "out"), *place]
    assert "say where the verdicts go" in CliRunner().invoke(app, given).output
    both = CliRunner().invoke(app, [*given, "--forget", "--judgements", str(tmp_path / "v.jsonl")])
    assert "--forget goes without --judgements" in both.output
