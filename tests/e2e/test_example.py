"""The Python API as docs/example.py shows it."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

from pseudonymizer import FileKey, Vault

FILE = Path(__file__).parents[2] / "docs" / "example.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("nymlink_example", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_letters_and_a_column(
    example: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_bytes(
        b"Geachte heer Tolsma,\r\n\r\nJan Tolsma belde met Els Wiersma.\r\n"
    )
    (tmp_path / "letters" / "b.txt").write_bytes(b"Els Wiersma schreef: Jan Tolsma komt niet.\n")
    url, key = f"sqlite:///{tmp_path / 'v.db'}", tmp_path / "k.key"
    with Vault.create(url, FileKey(key)) as made:
        made.commit()
    table = example.letters(tmp_path / "letters", tmp_path / "out", url, key)
    assert "Tolsma" not in capsys.readouterr().out
    assert len(table) >= 4
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    assert b"Wiersma" not in written
    assert b"Jan Tolsma" not in written
    assert b"\r\n\r\n" in written
    notes = example.column(pd.DataFrame({"note": ["Jan Tolsma belde.", "Niets bijzonders."]}), url, key)
    label = re.search(r"P1-\w{20}", notes["note"][0])
    assert label is not None
    assert label[0].encode() in written
    assert notes["note"][1] == "Niets bijzonders."
