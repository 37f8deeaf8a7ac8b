"""Digests of a language's files: a changed one is refused by name, and written anew on purpose."""

from collections.abc import Callable
from pathlib import Path

import pytest

from linkage.errors import GazetteerError, KindsError
from linkage.language import Language
from linkage.language.digests import changed_files, write_digests, written_digests
from linkage.language_contents import CONTENTS, DIGESTS, MODELS
from linkage.shipped_data import data_directory
from tests.linkage.language.made_up import write_made_up

NO_TABLE = CONTENTS.keys() - {DIGESTS}


@pytest.mark.parametrize("name", ["kin.tsv", "grammar.toml", "lexicon/places/places.txt.gz"])
def test_one_changed_byte_is_refused_until_the_digests_are_written_anew(tmp_path: Path, name: str) -> None:
    directory = write_made_up(tmp_path)
    assert Language.read(directory).code == "xx"
    raw = bytearray((directory / name).read_bytes() or b"\n")
    raw[-1] ^= 1
    (directory / name).write_bytes(raw)
    with pytest.raises(KindsError, match=rf"'xx' has files .* another digest of: {name}\. .*--write-digests"):
        Language.read(directory)
    assert write_digests(directory) == len(NO_TABLE)
    Language.read(directory)


def test_a_file_without_a_digest_is_refused(tmp_path: Path) -> None:
    directory = write_made_up(tmp_path)
    rows = (directory / DIGESTS).read_text(encoding="utf-8").splitlines(keepends=True)
    (directory / DIGESTS).write_text(
        "".join(row for row in rows if not row.startswith("kin.tsv")), encoding="utf-8"
    )
    with pytest.raises(KindsError, match=r"kin\.tsv"):
        Language.read(directory)


def test_a_damaged_table_of_digests_is_refused(tmp_path: Path) -> None:
    directory = write_made_up(tmp_path)
    (directory / DIGESTS).write_text("file\tsha256\nkin.tsv\n", encoding="utf-8")
    with pytest.raises(GazetteerError, match=r"digests\.tsv, line 2"):
        Language.read(directory)


@pytest.mark.parametrize(("damage", "error"), [
    (lambda folder: (folder / "months.tsv").write_text("word\tnumber\tshort\nmei\t6\t\n"), KindsError),
    (lambda folder: (folder / DIGESTS).unlink(), GazetteerError),
])  # fmt: skip
def test_a_language_that_texts_quote_may_lack_tables_but_has_no_changed_one(
    tmp_path: Path, damage: Callable[[Path], object], error: type[Exception]
) -> None:
    directory = write_made_up(tmp_path)
    quoted = tmp_path / "yy"
    quoted.mkdir()
    (quoted / "months.tsv").write_text("word\tnumber\tshort\nmei\t5\t\n", encoding="utf-8")
    assert write_digests(quoted) == 1
    (directory / "quotes.tsv").write_text("language\tshort\nyy\t\n", encoding="utf-8")
    write_digests(directory)
    assert Language.read(directory).months == {"mei": 5}
    damage(quoted)
    with pytest.raises(error):
        Language.read(directory)


@pytest.mark.parametrize("folder", sorted((data_directory() / "languages").iterdir()), ids=lambda f: f.name)
def test_every_shipped_folder_has_the_digests_of_what_it_holds(folder: Path) -> None:
    there = {name for name in {*NO_TABLE, *MODELS} if (folder / name).is_file()}
    assert written_digests(folder).keys() == there
    assert changed_files(folder, there) == ()


def test_a_changed_model_is_refused_before_it_is_read(tmp_path: Path) -> None:
    directory = write_made_up(tmp_path)
    model = directory / "models" / "ner.pt"
    model.parent.mkdir()
    model.write_bytes(b"weights")
    with pytest.raises(KindsError, match=r"models/ner\.pt"):
        Language.read(directory).models()
    # A model that nobody wants is not read: word vectors are tens of megabytes.
    assert Language.read(directory).models(["models/vectors.pt"]) == model.parent
    write_digests(directory)
    assert Language.read(directory).models() == model.parent
