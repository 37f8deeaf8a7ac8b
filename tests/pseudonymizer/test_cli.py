"""The command: exit status, one-line errors, where personal data may go."""

import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from linkage.recognition import model_store
from linkage.records import FormLink, LinkDecision
from pseudonymizer.cli import _named, main, options
from pseudonymizer.errors import AccessRefusedError
from tests.pseudonymizer.batch_fakes import load_fake

TEXT = "Jan Tolsma belde Els Mol.\r\n"


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


Nymlink = Callable[..., Outcome]


class _Bytes(io.TextIOWrapper):
    """Standard input or output made of bytes; what is written can be read after."""

    def __init__(self, raw: bytes = b"") -> None:
        super().__init__(io.BytesIO(raw), encoding="utf-8", newline="", write_through=True)

    def text(self) -> str:
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue().decode()


@pytest.fixture
def nymlink(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Nymlink:
    """Runs the command with the fake pipeline, in tmp_path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NYMLINK_KEY_FILE", raising=False)
    monkeypatch.setattr(options, "pipeline_loader", lambda _: load_fake)

    def command(*arguments: str, stdin: bytes = b"") -> Outcome:
        out, err = _Bytes(), io.StringIO()
        monkeypatch.setattr(sys, "argv", ["nymlink", *arguments])
        monkeypatch.setattr(sys, "stdin", _Bytes(stdin))
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as left:
            main()
        code = left.value.code
        return Outcome(code if isinstance(code, int) else int(code is not None), out.text(), err.getvalue())

    return command


@pytest.fixture
def corpus(nymlink: Nymlink, tmp_path: Path) -> Path:
    """A folder with a vault, a key and two letters."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(TEXT.encode())
    (tmp_path / "in" / "b.txt").write_bytes(b"Zo\xeb Mulder en Jan Tolsma")
    assert nymlink("vault", "init", "--vault", "sqlite:///v.db", "--key-file", "k.key").status == 0
    return tmp_path


STORE = ("--vault", "sqlite:///v.db", "--key-file", "k.key", "--project", "p")


def files_of(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def test_there_and_back(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert (done.status, done.err) == (0, "")
    assert "2 of 2 files done" in done.out
    assert "Tolsma" not in done.out
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE)
    assert (back.status, back.out.strip()) == (0, "2 exact")
    assert files_of(corpus / "back") == files_of(corpus / "in")


def test_json_and_nothing_else(nymlink: Nymlink, corpus: Path) -> None:
    done = nymlink("run", "in", "--out", "out", "--json", *STORE)
    report = json.loads(done.out)
    assert (report["documents"]["ok"], report["mentions"]) == (2, 4)
    assert done.err == ""
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", "--json", *STORE)
    assert json.loads(back.out)["files"]["exact"] == 2
    assert corpus.exists()


def test_some_documents_failed(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "c.txt").write_bytes(bytes(range(256)))
    assert nymlink("run", "in", "--out", "out", *STORE).status == 4
    assert nymlink("detect", "in", "--out", "m.jsonl").status == 4
    lines = [json.loads(line) for line in (corpus / "m.jsonl").read_text().splitlines()]
    assert [line["doc_id"] for line in lines] == ["a.txt", "b.txt", "c.txt"]
    assert "mentions" not in lines[2]


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "in", "--out", "out"),
        ("run", "in", "--out", "out", *STORE, "--scope", "village"),
        ("run", "in", "--out", "-", *STORE),
        ("restore", "in", "--out", "out", *STORE),
        ("reveal", "P1-X", "--purpose", "test", *STORE),
        ("vault", "init", "--vault", "sqlite:///w.db", "--key-file", "k.key", "--passphrase"),
        ("explain", "", "Jan"),
        ("nonsense",),
    ],
)
def test_wrong_usage(nymlink: Nymlink, corpus: Path, arguments: tuple[str, ...]) -> None:
    assert nymlink(*arguments).status == 2
    assert not (corpus / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "in", "--out", "in", *STORE), "output folder"),
        (("run", "geheim-jansen", "--out", "out", *STORE), "does not exist"),
        (("run", "in", "--out", "out", "--vault", "sqlite:///no.db", *STORE[2:]), "vault init"),
        (("run", "in", "--out", "out", "--vault", "sqlite:///v.db", "--project", "p"), "key"),
        (("run", "in", "--out", "out", *STORE, "--mentions", "geheim-jansen"), "--mentions: No such file"),
        (("run", "in", "--out", "out", *STORE, "--mentions", "in/b.txt"), "no text in UTF-8"),
        (("run", "in", "--out", "out", *STORE, "--mentions", "in/a.txt"), "line 1 of the given mentions"),
        (("run", "in", "--out", "out", *STORE[:-1], " "), "a project needs a name"),
        (("compare", "geheim-jansen", "--out", "-"), "argument 1: No such file"),
        (("detect", "in", "--out=geheim-jansen/m.jsonl"), "--out: No such file"),
        (("audit", "verify", *STORE[:4], "--head", "in/a.txt"), "no JSON object"),
        (("audit", "verify", *STORE[:4], "--head", "odd.json"), "no head"),
        (("run", "in", "--out", "out", *STORE, "--settings", "in/a.txt"), "settings"),
        (("vault", "init", "--vault", "sqlite:///v.db", "--key-file", "k.key"), ""),
    ],
)
def test_our_errors_are_one_line_without_names(
    nymlink: Nymlink, corpus: Path, arguments: tuple[str, ...], message: str
) -> None:
    (corpus / "odd.json").write_text('{"sequence": "jansen"}')
    before = (corpus / "v.db").read_bytes()
    done = nymlink(*arguments)
    assert (done.status, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert done.err.startswith("nymlink: ")
    assert message in done.err
    assert "jansen" not in done.err
    assert (corpus / "v.db").read_bytes() == before


def test_refused_access(nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nymlink("run", "in", "--out", "out", *STORE)

    def refuse(*_: Any, **__: Any) -> None:
        raise AccessRefusedError("the policy does not allow it; ask the data protection officer")

    monkeypatch.setattr("pseudonymizer.reidentification.restore", refuse)
    done = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE)
    assert (done.status, done.out) == (3, "")
    assert done.err.count("\n") == 1
    assert corpus.exists()


def test_a_purpose_of_blanks_is_refused(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    assert nymlink("restore", "out", "--out", "back", "--purpose", " ", *STORE).status == 3
    assert not list((corpus / "back").glob("*.txt"))


def test_an_unexpected_error_tells_its_place_only(
    nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def burst(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("Jan Tolsma")

    monkeypatch.setattr("pseudonymizer.cli.running.find_inputs", burst)
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert done.status == 1
    assert "ZeroDivisionError" in done.err
    assert "Tolsma" not in done.err
    assert corpus.exists()


def test_an_interrupt_is_one_line(nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pseudonymizer.runs.run.Batch.run", interrupt)
    done = nymlink("run", "in", "--out", "out", *STORE)
    assert done.status == 1
    assert done.err.count("\n") == 1
    assert corpus.exists()


def test_reveal_goes_to_a_file_of_its_owner(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    label = (corpus / "out" / "a.txt").read_text().split()[0]
    done = nymlink("reveal", label, "--purpose", "test", "--out", "names.tsv", *STORE)
    assert (done.status, done.out) == (0, "")
    assert (corpus / "names.tsv").read_text() == f"{label}\tJan Tolsma\n"
    assert stat.S_IMODE((corpus / "names.tsv").stat().st_mode) == 0o600
    assert nymlink("reveal", "P1-00000000000000000000", "--purpose", "x", "--out", "n", *STORE).status == 1


def test_detect_writes_one_line_a_document(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "more.jsonl").write_text(
        '{"doc_id": "x", "text": "Els Mol kwam"}\n{"doc_id": "y", "text": "nee"}\n'
    )
    assert nymlink("detect", "more.jsonl", "in", "--out", "m.jsonl").status == 0
    lines = [json.loads(line) for line in (corpus / "m.jsonl").read_text().splitlines()]
    assert [line["doc_id"] for line in lines] == ["x", "y", "a.txt", "b.txt"]
    assert lines[2]["mentions"][1] == {
        "start": 17, "end": 24, "text": "Els Mol", "kind": "PERSON", "detector": "ner", "confidence": 0.9,
    }  # fmt: skip
    assert stat.S_IMODE((corpus / "m.jsonl").stat().st_mode) == 0o600


def test_a_file_name_that_is_no_unicode(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / os.fsdecode(b"in/c\xff.txt")).write_text(TEXT)
    assert nymlink("detect", "in", "--out", "m.jsonl").status == 0
    lines = (corpus / "m.jsonl").read_text(encoding="utf-8").splitlines()  # valid UTF-8 all the same
    assert json.loads(lines[2])["doc_id"] == os.fsdecode(b"c\xff.txt")
    assert nymlink("run", "in", "--out", "out", *STORE, "--mentions", "m.jsonl").status == 0


def test_detected_mentions_can_be_given_to_run(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("detect", "in", "--out", "m.jsonl")
    lines = [json.loads(line) for line in (corpus / "m.jsonl").read_text().splitlines()]
    lines[0]["mentions"] = lines[0]["mentions"][:1]
    (corpus / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert nymlink("run", "in", "--out", "out", "--mentions", "m.jsonl", *STORE).status == 0
    assert (corpus / "out" / "a.txt").read_text().rstrip().endswith("belde Els Mol.")


def test_a_pair_without_a_name_is_not_compared(
    nymlink: Nymlink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Linker:
        def compare_many(self, pairs: list[tuple[str, str]]) -> list[FormLink]:
            return [FormLink(a, b, 0.9, LinkDecision.LINK, None, 1.0) for a, b in pairs]

        def explain(self, left: str, right: str) -> None: ...

    loaded = SimpleNamespace(linker=Linker())
    monkeypatch.setattr(options, "pipeline_loader", lambda _: lambda: loaded)
    (tmp_path / "pairs.tsv").write_text("name_a\tname_b\tdecision\nJan\t\told\nJan\tJan Mol\told\n-\tJan\t\n")
    assert nymlink("compare", "pairs.tsv", "--out", "scored.tsv").status == 0
    rows = [line.split("\t") for line in (tmp_path / "scored.tsv").read_text().splitlines()]
    assert rows == [
        ["name_a", "name_b", "decision", "match_probability", "variant"],
        ["Jan", "", "", "", ""],
        ["Jan", "Jan Mol", "LINK", "0.900000", ""],
        ["-", "Jan", "", "", ""],
    ]


def test_link_gives_identities(nymlink: Nymlink, corpus: Path) -> None:
    assert nymlink("link", "in", "--out", "l.jsonl", "--links", "pairs.jsonl").status == 0
    lines = [json.loads(line) for line in (corpus / "l.jsonl").read_text().splitlines()]
    by_text = [(m["text"], m["identity"]) for line in lines for m in line["mentions"]]
    assert len({identity for text, identity in by_text if text == "Jan Tolsma"}) == 1
    assert len({identity for _, identity in by_text}) == 3
    assert (corpus / "pairs.jsonl").read_text() == ""


def test_models_are_listed_and_installed(
    nymlink: Nymlink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download(language: str, folder: Path) -> None:
        if language != "fr":
            raise ConnectionError("no such host")
        for part in ("ner", "tokenize"):
            (folder / language / part).mkdir(parents=True)
            (folder / language / part / "official.pt").write_bytes(b"weights")

    monkeypatch.setattr(model_store, "_download_from_stanza", download)
    assert nymlink("models", "install", "xx", "--directory", "models").status == 1
    assert list((tmp_path / "models").iterdir()) == []
    installed = nymlink("models", "install", "fr", "--directory", "models")
    assert installed.status == 0
    assert "rules and lists for texts of this language are not there yet" in installed.err
    listed = json.loads(nymlink("models", "list", "models", "--json").out)["items"]
    assert [row["shipped"] for row in listed if row["language"] == "fr"] == [False]
    assert "fr\tinstalled\t" in nymlink("models", "list", "models").out


@pytest.mark.parametrize(
    "words",
    [
        ("run", "in", "--out", "out", *STORE),
        ("run", "-", "--out", "-", *STORE),
        ("detect", "in", "--out", "found.jsonl"),
        ("link", "in", "--out", "links.jsonl"),
        ("explain", "Jan de Vries", "J. de Vries"),
        ("view", "in", "--out", "view.html"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_language_without_rules_is_refused(
    nymlink: Nymlink, corpus: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    before = sorted(tmp_path.rglob("*"))
    refused = nymlink(*words, "--language", "fr")
    assert refused.status == 2
    assert "--language" in refused.err
    assert "no rules yet" in refused.err
    assert "Leave the language out" in " ".join(refused.err.split())
    (corpus / "fr.toml").write_text('[recognition]\nlanguage = "fr"\n')
    refused = nymlink(*words, "--settings", str(corpus / "fr.toml"))
    assert refused.status == 1
    assert "no rules yet" in refused.err
    (corpus / "fr.toml").unlink()
    assert sorted(tmp_path.rglob("*")) == before, "nothing was written"
    if words[0] in {"run", "detect"}:
        assert nymlink(*words, "--language", "nl").status == 0


def test_one_text_through_standard_streams(nymlink: Nymlink, corpus: Path) -> None:
    found = nymlink("detect", "-", "--out", "-", stdin=TEXT.encode())
    assert [m["text"] for m in json.loads(found.out)["mentions"]] == ["Jan Tolsma", "Els Mol"]
    done = nymlink("run", "-", "--out", "-", *STORE, stdin=TEXT.encode())
    assert done.status == 0
    assert done.out.endswith(".\r\n")
    assert "Tolsma" not in done.out
    assert nymlink("run", "-", "--out", "-", *STORE, stdin=TEXT.encode()).out == done.out
    assert nymlink("run", "-", "--out", "-", *STORE, stdin=done.out.encode()).out == done.out
    back = nymlink("restore", "-", "--out", "-", "--purpose", "test", *STORE, stdin=done.out.encode())
    assert back.out == TEXT
    assert corpus.exists()


def test_pasted_pseudonyms_come_back(nymlink: Nymlink, corpus: Path) -> None:
    nymlink("run", "in", "--out", "out", *STORE)
    label = (corpus / "out" / "a.txt").read_text().split()[0]
    note = f"Gesproken met {label}; zie ook P1-0123456789ABCDEFGHJK."
    back = nymlink("restore", "-", "--out", "-", "--purpose", "test", *STORE, stdin=note.encode())
    assert back.out == "Gesproken met Jan Tolsma; zie ook P1-0123456789ABCDEFGHJK."
    assert back.status == 4
    assert back.err.splitlines() == [
        "labels restored: 1", "labels not restored: 1",
        "  P1-0123456789ABCDEFGHJK: malformed: mistyped, or of another project",
    ]  # fmt: skip
    told = nymlink("restore", "-", "--out", "-", "--purpose", "test", "--json", *STORE, stdin=note.encode())
    assert json.loads(told.err) == {
        "verb": "restore", "status": 4,
        "labels_left": 1, "restored": 1, "unknown": [], "malformed": ["P1-0123456789ABCDEFGHJK"],
    }  # fmt: skip
    (corpus / "out" / "a.txt").write_text((corpus / "out" / "a.txt").read_text() + "Bijgevoegd.")
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE)
    assert (back.status, back.out.splitlines()) == (0, ["1 exact, 1 by labels", "labels restored: 2"])
    assert (corpus / "back" / "a.txt").read_text().startswith("Jan Tolsma belde Els Mol.")


def test_the_key_file_of_the_environment(
    nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NYMLINK_KEY_FILE", str(corpus / "k.key"))
    arguments = ("--vault", "sqlite:///v.db", "--project", "p")
    assert nymlink("run", "in", "--out", "out", *arguments).status == 0


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['nymlink', '--help']\n"
        "from pseudonymizer.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'torch', 'stanza', 'numpy', 'sqlalchemy', 'cryptography', 'lightgbm', 'rich', 'pyarrow'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr.strip() == "[]"
    for verb in ("run", "detect", "link", "compare", "restore", "reveal", "vault", "evaluate"):
        assert f" {verb} " in done.stdout
    assert os.linesep in done.stdout


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("detect", "--json", "wrong/a.txt", "--out", "m.jsonl"), "argument 1: "),
        (("run", "--dry-run", "wrong/a.txt", "--out", "out"), "argument 1: "),
        (("run", "in", "--dry-run", "--deterministic", "wrong/a.txt", "--out", "out"), "argument 2: "),
        (("run", "in", "--no-mark", "--settings", "wrong/a.txt"), "--settings: "),
        (("run", "in", "--settings=wrong/a.txt", "--json"), "--settings: "),
        (("run", "--workers", "2", "wrong/a.txt"), "argument 1: "),
        (("detect", "--json", "--", "wrong/a.txt"), "argument 1: "),
        (("models", "list", "in", "wrong/a.txt", "--json"), "argument 2: "),
        (("detect", "elsewhere"), ""),
    ],
)
def test_what_failed_is_told_by_its_place_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["nymlink", *arguments])
    assert _named(OSError(2, "No such file", str(tmp_path / "wrong" / "a.txt"))) == named


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("detect", "in", "--out"), "--out"),
        (("link", "in", "--links", "links.jsonl", "--out"), "--out"),
        (("link", "in", "--out", "m.jsonl", "--links"), "--links"),
        (("compare", "pairs.tsv", "--out"), "--out"),
        (("explain", "Jan Tolsma", "J. Tolsma", "--svg"), "--svg"),
        (("view", "in", "--out"), "--out"),
        (("review", "in", "--judgements"), "--judgements"),
        (("review", "in", "--mentions"), "--mentions"),
        (("reveal", "P1-00000000000000000000", "--purpose", "x", *STORE, "--out"), "--out"),
        (("lookup", "Jan Tolsma", "--purpose", "x", *STORE, "--out"), "--out"),
    ],
)
@pytest.mark.parametrize(
    ("place", "reason"), [(".", "Is a directory"), ("no/m", "No such file or directory")]
)
def test_a_place_where_no_result_can_be_written_is_told_before_the_work(
    nymlink: Nymlink, corpus: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str,
    place: str, reason: str,
) -> None:  # fmt: skip
    def worked(_: object) -> Callable[[], Any]:
        raise AssertionError("it began to work")

    monkeypatch.setattr(options, "pipeline_loader", lambda _: lambda: worked(_))
    monkeypatch.setattr(options, "vault_opener", worked)
    (corpus / "pairs.tsv").write_text("name_a\tname_b\n")
    done = nymlink(*arguments, place)
    told, _, remedy = done.err.partition("; ")
    assert (done.status, told) == (1, f"nymlink: {message}: {reason}")
    assert remedy  # what to do


def test_inputs_without_files_are_told(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "empty").mkdir()
    assert "hold no files" in nymlink("run", "empty", "--out", "out", *STORE).out


def test_a_review_without_anything_to_ask_says_so(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "a.txt").write_text("niets")
    (corpus / "in" / "b.txt").write_text("niets")
    done = nymlink("review", "in", "--mentions", "m.jsonl")
    assert "no mention to look at" in done.out
