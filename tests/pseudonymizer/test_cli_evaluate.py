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


MARKED = "Jan Tolsma, Havenstraat 12, 3 mei."
IDENTIFIERS = [(12, 26, "STREET"), (28, 33, "DATE")]
PRIVATE = (*NAMES, "Havenstraat", "mei")


@pytest.fixture
def all_kinds(tmp_path: Path) -> str:
    row = {
        "doc_id": "brief Tolsma", "text": MARKED,
        "mentions": [{"start": 0, "end": 10, "text": "Jan Tolsma", "entity": "jan"}],
        "identifiers": [{"start": a, "end": b, "text": MARKED[a:b], "kind": k} for a, b, k in IDENTIFIERS],
    }  # fmt: skip
    (tmp_path / "g.identifiers.jsonl").write_text(json.dumps(row) + "\n")
    return "g.identifiers.jsonl"


def _found_line(tmp_path: Path, *places: tuple[int, int, str]) -> str:
    mentions = [{"start": a, "end": b, "text": MARKED[a:b], "kind": kind} for a, b, kind in places]
    (tmp_path / "found.jsonl").write_text(json.dumps({"doc_id": "brief Tolsma", "mentions": mentions}) + "\n")
    return "found.jsonl"


def test_gold_of_people_alone_says_nothing_of_kinds(evaluate: Evaluate, gold: str) -> None:
    assert "kinds" not in json.loads(evaluate(gold, "--json")[1])
    assert "Kinds" not in evaluate(gold)[1]


def test_found_files_of_several_kinds_are_scored_by_kind(
    evaluate: Evaluate, all_kinds: str, tmp_path: Path
) -> None:
    found = _found_line(tmp_path, (0, 10, "PERSON"), (12, 26, "PLACE"), (28, 33, "DATE"))
    status, out, err = evaluate(all_kinds, "--found", found, "--json")
    assert (status, err) == (0, "")
    scores = json.loads(out)
    assert scores.keys() == {"verb", "status", "detection", "kinds"}
    assert scores["detection"]["strict"]["true_positives"] == 1
    entity = scores["kinds"]["entity"]
    assert [entity[level]["true_positives"] for level in ("binary", "category", "kind")] == [3, 3, 2]
    assert scores["kinds"]["confusion"]["found_as"]["STREET"] == {"PLACE": 1}
    assert scores["kinds"]["letters_leaked"]["direct_without_person"]["leaked_share"] == 0
    assert scores["kinds"]["letters_leaked"]["direct_without_person"]["left_share"] == 1
    assert not any(name in out for name in PRIVATE)
    coarse = json.loads(evaluate(all_kinds, "--found", found, "--json", "--scheme", "financial")[1])["kinds"]
    assert (coarse["entity"]["kind"]["true_positives"], coarse["by_kind"].keys()) == (
        3,
        {"PER", "LOC", "DATE"},
    )
    part = json.loads(evaluate(all_kinds, "--found", found, "--json", "--kinds", "date,person")[1])["kinds"]
    assert part["by_kind"].keys() == {"PERSON", "DATE"}


def test_people_are_scored_as_before_where_a_found_file_holds_more(
    evaluate: Evaluate, gold: str, tmp_path: Path
) -> None:
    mentions = [{"start": a, "end": b, "kind": k} for a, b, k in [(0, 10, "PERSON"), (14, 21, "EMAIL")]]
    (tmp_path / "f.jsonl").write_text(json.dumps({"doc_id": "brief Jan Tolsma", "mentions": mentions}))
    scores = json.loads(evaluate(gold, "--found", "f.jsonl", "--json")[1])
    assert scores["detection"]["strict"]["true_positives"] == 1
    assert scores["detection"]["strict"]["false_positives"] == 0
    assert "kinds" not in scores


def test_values_found_here_are_scored_beside_people(evaluate: Evaluate, tmp_path: Path) -> None:
    text = "Jan Tolsma mailt els@post.example."
    row = {
        "doc_id": "a", "text": text, "mentions": [{"start": 0, "end": 10}],
        "identifiers": [{"start": 17, "end": 33, "text": "els@post.example", "kind": "EMAIL"}],
    }  # fmt: skip
    (tmp_path / "g.jsonl").write_text(json.dumps(row))
    scores = json.loads(evaluate("g.jsonl", "--json")[1])["kinds"]
    assert {name: one["strict"]["f1"] for name, one in scores["by_kind"].items()} == {"PERSON": 1, "EMAIL": 1}


def test_tables_of_kinds_hold_no_text(evaluate: Evaluate, all_kinds: str, tmp_path: Path) -> None:
    found = _found_line(tmp_path, (0, 10, "PERSON"), (12, 26, "PLACE"))
    (tmp_path / "seen.txt").write_text("Jan Tolsma\n")
    status, out, _ = evaluate(all_kinds, "--found", found, "--training", "seen.txt")
    assert status == 0
    for part in ("STREET", "all (micro)", "mean over kinds (macro)", "entities, binary", "words, kind",
                 "direct identifiers other than people", "every mark covered", "unseen in training",
                 "Kinds taken for another one"):  # fmt: skip
        assert part in out
    assert not any(name in out for name in PRIVATE)


def test_errors_by_kind(evaluate: Evaluate, all_kinds: str, tmp_path: Path) -> None:
    found = _found_line(tmp_path, (0, 3, "PERSON"), (12, 26, "PLACE"), (33, 34, "TIME"))
    _, out, err = evaluate(all_kinds, "--found", found, "--errors", "errors.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "errors.jsonl").read_text().splitlines()]
    assert [(row["kind"], row["gold_kind"], row["surface"]) for row in rows] == [
        ("bounds", "PERSON", "Jan Tolsma"), ("wrong kind", "STREET", "Havenstraat 12"),
        ("missed", "DATE", "3 mei"), ("false", None, "."),
    ]  # fmt: skip
    assert stat.S_IMODE((tmp_path / "errors.jsonl").stat().st_mode) == 0o600
    assert not any(name in out + err for name in PRIVATE)


def test_a_picture_of_kinds(evaluate: Evaluate, all_kinds: str, tmp_path: Path) -> None:
    evaluate(all_kinds, "--found", _found_line(tmp_path, (12, 26, "PLACE")), "--plot", "plots")
    picture = (tmp_path / "plots" / "kinds-confusion.svg").read_text()
    assert "STREET found as PLACE: 1" in picture
    assert not any(name in picture for name in PRIVATE)


@pytest.mark.parametrize("place", ["out.jsonl", "out.conll", "out.iob2", "folder"])
def test_gold_and_found_are_written_and_read_again(
    evaluate: Evaluate, all_kinds: str, tmp_path: Path, place: str
) -> None:
    found = _found_line(tmp_path, (0, 10, "PERSON"), (12, 26, "PLACE"))
    options = ("--write-gold", f"gold-{place}", "--write-found", f"found-{place}", "--json")
    first = evaluate(all_kinds, "--found", found, *options)[1]
    again = evaluate(f"gold-{place}", "--found", f"found-{place}", "--kinds", "all", "--json")[1]
    assert json.loads(again)["kinds"]["entity"] == json.loads(first)["kinds"]["entity"]
    assert json.loads(again)["kinds"]["letters_leaked"] == json.loads(first)["kinds"]["letters_leaked"]


def test_columns_and_labels_of_other_schemes(evaluate: Evaluate, tmp_path: Path) -> None:
    (tmp_path / "g.conll").write_text("Jan\tB-PER\nuit\tO\nBreda\tB-GPE\nbij\tO\nPlus\tB-WINKEL\n")
    (tmp_path / "f.jsonl").write_text(
        json.dumps({"doc_id": "000000", "mentions": [{"start": 8, "end": 13, "kind": "CITY"}]})
    )
    _, out, err = evaluate("g.conll", "--found", "f.jsonl", "--scheme", "mortgage", "--json")
    assert json.loads(out)["kinds"]["by_kind"]["GPE"]["strict"]["true_positives"] == 1
    assert "1 marks of the gold have a label that stands for no kind" in err
    label = ("--label", "winkel=ORGANIZATION")
    _, out, err = evaluate("g.conll", "--found", "f.jsonl", "--scheme", "mortgage", "--json", *label)
    assert (json.loads(out)["kinds"]["by_kind"]["ORG"]["marks"], err) == (1, "")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--scheme", "hipaa"), "known: all, core, mortgage"),
        (("--kinds", "names"), "there is no such kind; did you mean PERSON?"),
        (("--label", "x=GPE"), "there is no such kind"),
        (("--found", "nothing.jsonl"), "the found file cannot be read"),
        (("--found", "found.xml"), "unknown found format"),
        (("--write-found", "out.xml", "--found", "found.jsonl"), "unknown format to write"),
    ],
)
def test_wrong_options_are_told(
    evaluate: Evaluate, all_kinds: str, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    _found_line(tmp_path)
    status, out, err = evaluate(all_kinds, *options)
    assert status != 0
    assert out == ""
    assert told in " ".join(err.replace("│", " ").split())


def test_documents_that_only_one_file_has_are_counted(
    evaluate: Evaluate, all_kinds: str, tmp_path: Path
) -> None:
    lines = [json.dumps({"doc_id": name, "mentions": []}) for name in ("brief Tolsma", "Els Mol")]
    (tmp_path / "f.jsonl").write_text("\n".join(lines))
    _, _, err = evaluate(all_kinds, "--found", "f.jsonl", "--json")
    assert "1 documents of the found file are not in the gold" in err
    assert "Mol" not in err
