"""nymlink evaluate: all formats of gold, JSON, tables, pictures, and where errors may go."""

import json
import stat
import sys
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from linkage.records import FormLink, LinkDecision
from pseudonymizer.cli import main, options
from tests.pseudonymizer.batch_fakes import FakeLinker, FakePipeline

TEXT = "Jan Tolsma en Els Mol; Jan Tolsma, Jan Talsma en Breda Noord."
PLACES = [(0, 10, "jan"), (14, 21, "els"), (23, 33, "jan"), (35, 45, "jan")]
NAMES = ("Tolsma", "Talsma", "Mol", "Breda")

Evaluate = Callable[..., tuple[int, str, str]]


class ComparingLinker(FakeLinker):
    """Knows no typing errors when it links, but compares by the letters that two forms share."""

    link_threshold, review_threshold = 0.8, 0.3

    def compare_many(self, pairs: Sequence[tuple[str, str]]) -> tuple[FormLink, ...]:
        return tuple(
            FormLink(a, b, len(set(a) & set(b)) / len(set(a) | set(b)), LinkDecision.NON_LINK, None, 0.0)
            for a, b in pairs
        )


class ComparingPipeline(FakePipeline):
    def __init__(self) -> None:
        super().__init__()
        self.linker = ComparingLinker()


@pytest.fixture
def evaluate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Evaluate:
    """Runs the verb on a file in tmp_path: status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(options, "pipeline_loader", lambda _: ComparingPipeline)

    def command(*arguments: str) -> tuple[int, str, str]:
        out, err = StringIO(), StringIO()
        monkeypatch.setattr(sys, "argv", ["nymlink", "evaluate", *arguments])
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as left:
            main()
        return int(left.value.code or 0), out.getvalue(), err.getvalue()

    return command


@pytest.fixture
def gold(tmp_path: Path) -> str:
    mentions = [{"start": a, "end": b, "text": TEXT[a:b], "entity": e} for a, b, e in PLACES]
    row = {"doc_id": "brief Jan Tolsma", "text": TEXT, "mentions": mentions}
    (tmp_path / "g.persons.jsonl").write_text(json.dumps(row) + "\n")
    return "g.persons.jsonl"


def test_json_has_everything_and_no_name(evaluate: Evaluate, gold: str, tmp_path: Path) -> None:
    (tmp_path / "seen.txt").write_text("Els Mol\nJan Tolsma\n")
    status, out, err = evaluate(gold, "--json", "--training", "seen.txt")
    scores = json.loads(out)
    assert (status, err) == (0, "")
    assert not any(name in out for name in NAMES)
    found = scores["detection"]
    assert (found["strict"]["true_positives"], found["strict"]["false_positives"]) == (4, 1)
    assert found["strict"]["f2"] == pytest.approx(5 * 4 / (5 * 4 + 1))
    assert found["unseen_names"]["mentions"] == 0  # "Jan Talsma" is 90 % like "Jan Tolsma"
    assert found["letters_leaked"] == 0
    assert found["by_document"][0]["document"] == 1
    assert {"relaxed", "token", "sentence", "per_document", "false_spans_per_1000_words"} <= found.keys()
    linked = scores["linkage"]
    assert linked["pairwise"] == {"precision": 1.0, "recall": pytest.approx(1 / 3), "f1": pytest.approx(0.5)}
    assert {"b_cubed", "ceaf_e"} <= linked.keys()
    pairs = linked["form_pairs"]
    assert (pairs["pairs"], pairs["matches"]) == (3, 1)
    assert 0 < pairs["calibration"]["expected_error"] < 1
    assert {0.3, 0.8} < {point["threshold"] for point in pairs["thresholds"]}


def test_names_that_training_never_saw(evaluate: Evaluate, gold: str, tmp_path: Path) -> None:
    (tmp_path / "seen.txt").write_text("Els Mol\n")
    unseen = json.loads(evaluate(gold, "--json", "--training", "seen.txt")[1])["detection"]["unseen_names"]
    assert (unseen["mentions"], unseen["recall_strict"], unseen["letters_leaked_share"]) == (3, 1.0, 0.0)
    assert json.loads(evaluate(gold, "--json")[1])["detection"]["unseen_names"] is None


def test_tables_say_the_same_without_names(evaluate: Evaluate, gold: str) -> None:
    status, out, _ = evaluate(gold)
    assert status == 0
    assert not any(name in out for name in NAMES)
    for part in ("strict (exact bounds)", "F2", "specificity", "letters of names leaked", "median",
                 "B-cubed", "CEAF-e", "calibration error", "links from here"):  # fmt: skip
        assert part in out


def test_errors_go_to_a_private_file_with_a_warning(evaluate: Evaluate, gold: str, tmp_path: Path) -> None:
    file = tmp_path / "errors.jsonl"
    file.write_text("old")
    file.chmod(0o644)
    _, out, err = evaluate(gold, "--errors", "errors.jsonl")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(row["kind"], row.get("surface")) for row in rows if "surface" in row] == [
        ("false", "Breda Noord")
    ]
    assert [(r["kind"], r["left_surface"], r["right_surface"]) for r in rows if "left" in r] == [
        ("split", "Jan Tolsma", "Jan Talsma")
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "personal data" in err
    assert not any(name in out + err for name in NAMES)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_pictures_are_self_contained_and_hold_no_name(evaluate: Evaluate, gold: str, tmp_path: Path) -> None:
    assert evaluate(gold, "--plot", "plots/here")[0] == 0
    pictures = {path.stem: path.read_text() for path in (tmp_path / "plots" / "here").iterdir()}
    assert pictures.keys() == {"documents-f1", "documents-leaked", "reliability", "thresholds"}
    for picture in pictures.values():
        assert ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  our own
        assert not any(word in picture for word in (*NAMES, "href", "script"))


def test_column_files_and_brat(evaluate: Evaluate, tmp_path: Path) -> None:
    lines = [
        "# id 1 domain=train",
        "Jan\tB-PER",
        "Tolsma\tI-PER",
        "belt\tO",
        "Els\tB-PATIENTE",
        "Mol\tI-PATIENTE",
    ]
    (tmp_path / "g.bio").write_text("\n".join(lines) + "\n")
    strict = json.loads(evaluate("g.bio", "--json")[1])["detection"]["strict"]
    assert (strict["true_positives"], strict["false_positives"]) == (1, 1)
    strict = json.loads(evaluate("g.bio", "--json", "--label", "patiente")[1])["detection"]["strict"]
    assert (strict["true_positives"], strict["false_positives"]) == (2, 0)
    (tmp_path / "brat").mkdir()
    (tmp_path / "brat" / "Els Mol.txt").write_text(TEXT)
    (tmp_path / "brat" / "Els Mol.ann").write_text("T1\tPerson 0 10\tJan Tolsma\nT2\tPerson 14 21\tEls Mol\n")
    for place in ("brat", "brat/Els Mol.ann"):
        report = json.loads(evaluate(place, "--json")[1])
        assert (report["detection"]["strict"]["true_positives"], "linkage" in report) == (2, False)


def test_gold_without_people_is_said(evaluate: Evaluate, tmp_path: Path) -> None:
    (tmp_path / "g.bio").write_text("Els\tB-NAAM\nMol\tI-NAAM\n")
    status, _, err = evaluate("g.bio", "--json")
    assert status == 0
    assert "marks no person" in err
    assert "PERSON" in err


def test_entities_over_the_corpus(evaluate: Evaluate, tmp_path: Path) -> None:
    row = {"text": "Jan Tolsma", "mentions": [{"start": 0, "end": 10, "text": "Jan Tolsma", "entity": "x"}]}
    rows = [json.dumps(row | {"doc_id": name}) for name in "ab"]
    (tmp_path / "g.jsonl").write_text("\n".join(rows))
    assert json.loads(evaluate("g.jsonl", "--json")[1])["linkage"]["gold_clusters"] == 2
    together = json.loads(evaluate("g.jsonl", "--json", "--over-corpus")[1])["linkage"]
    assert (together["gold_clusters"], together["found_clusters"]) == (1, 1)
    assert together["form_pairs"] is None


def test_broken_gold_is_one_line_without_its_text(evaluate: Evaluate, tmp_path: Path) -> None:
    mention = {"start": 0, "end": 99}
    row = {"doc_id": "Els Mol", "text": "Els Mol", "mentions": [mention]}
    (tmp_path / "g.jsonl").write_text(json.dumps(row))
    status, _, err = evaluate("g.jsonl")
    assert status == 1
    assert "line 1" in err
    assert "Mol" not in err


def test_gold_without_documents_is_no_gold(evaluate: Evaluate, tmp_path: Path) -> None:
    (tmp_path / "g.bio").write_text("\n\n")
    status, out, err = evaluate("g.bio")
    assert (status, out) == (2, "")
    assert "holds no document" in err


def test_gold_mentions_that_overlap_are_told(evaluate: Evaluate, gold: str, tmp_path: Path) -> None:
    row = json.loads((tmp_path / gold).read_text())
    row["mentions"].append({"start": 4, "end": 10, "text": "Tolsma", "entity": "jan"})
    (tmp_path / gold).write_text(json.dumps(row) + "\n")
    status, out, err = evaluate(gold, "--json")
    assert status == 0
    assert "1 gold mentions overlap" in err
    assert json.loads(out)["linkage"]["mentions"] == 4
    assert not any(name in err for name in NAMES)
