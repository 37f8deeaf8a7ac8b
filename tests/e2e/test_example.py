"""The Python API as docs/example.py and docs/endpoint.py show it."""

import importlib.util
import re
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from urllib.error import HTTPError

import pandas as pd
import pytest

from pseudonymizer import FileKey, Vault
from pseudonymizer.project import Project, open_vault

DOCS = Path(__file__).parents[2] / "docs"


def shown(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"nymlink_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Vault.create(tmp_path / "v.db", FileKey(tmp_path / "k.key")) as made:
        made.commit()
    with open_vault(str(tmp_path / "v.db"), tmp_path / "k.key") as vault:
        yield Project.open(vault, "study-12")


def test_letters_and_a_column(project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = shown("example")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_bytes(
        b"Geachte heer Tolsma,\r\n\r\nJan Tolsma belde met Els Wiersma.\r\n"
    )
    (tmp_path / "letters" / "b.txt").write_bytes(b"Els Wiersma schreef: Jan Tolsma komt niet.\n")
    example.letters(project, tmp_path / "letters", tmp_path / "out")
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").glob("*.txt"))
    assert b"Wiersma" not in written
    assert b"Jan Tolsma" not in written
    assert b"\r\n\r\n" in written
    before = ["Jan Tolsma belde.", "Niets bijzonders."]
    notes = example.column(project, pd.DataFrame({"note": before}))
    label = re.search(r"P1-\w{20}", notes["note"][0])
    assert label is not None
    assert label[0].encode() in written
    assert notes["note"][1] == "Niets bijzonders."
    told = capsys.readouterr().out
    assert "Tolsma" not in told
    assert label[0] in told
    assert example.names(project, notes["note"]) == before


def test_the_endpoint_answers_texts(project: Project) -> None:
    endpoint = shown("endpoint")
    with endpoint.server(project, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            place = f"http://127.0.0.1:{server.server_port}"
            text = "Jan Tolsma belde met Els Wiersma. Mail: j.tolsma@ziggo.nl, gebruiker jtolsma88."
            with urllib.request.urlopen(place, text.encode()) as answer:
                written = answer.read().decode()
            with pytest.raises(HTTPError) as refused:
                urllib.request.urlopen(place, b"\x89PNG\x00\x00")
            refused.value.close()
        finally:
            server.shutdown()
            thread.join()
    assert not re.search("tolsma|wiersma|ziggo", written, re.IGNORECASE)
    assert refused.value.code == 422
    assert project.restore(written, purpose="test").decode() == text


def test_the_endpoint_is_short_and_needs_the_facade_alone() -> None:
    source = (DOCS / "endpoint.py").read_text(encoding="utf-8")
    code = [line for line in source.rpartition('"""')[2].splitlines() if line.strip()]
    assert len(code) <= 20
    ours = re.findall(r"^from (pseudonymizer\S*|linkage\S*) import", source, re.MULTILINE)
    assert ours == ["pseudonymizer.project"]
