"""Paths that may be joined to a folder, and those that would lead out of it on any system."""

from pathlib import Path

import pytest

from pseudonymizer.errors import OutsideFolderError
from pseudonymizer.relative_paths import checked_relative_path, path_fault, real_folder

OUTSIDE = {
    "": "empty",
    ".": "empty",
    "a\0.txt": "NUL",
    "/home/x/.profile": "absolute",
    "//server/share/x": "absolute",
    "\\windows\\x": "absolute",
    "\\\\server\\share\\x": "absolute",
    "C:/x": "drive",
    "c:\\x": "drive",
    "C:": "drive",
    "..": "leads out",
    "../x": "leads out",
    "a/../../x": "leads out",
    "a/..": "leads out",
    "..\\x": "leads out",
    "a\\..\\..\\x": "leads out",
    ".. /x": "leads out",
    "./x": "normal form",
    "a//x": "normal form",
    "a/./x": "normal form",
    "a/": "normal form",
    "x" * 256: "too long",
    "/".join(["abcdefg"] * 513): "too long",
    "half \ud800.txt": "characters",
}


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leads_out_is_refused_and_not_shown(path: str) -> None:
    assert OUTSIDE[path] in str(path_fault(path))
    with pytest.raises(OutsideFolderError, match="the path of document d1 ") as refused:
        checked_relative_path(path, owner="document d1")
    assert len(path) < 3 or path not in str(refused.value)


@pytest.mark.parametrize(
    "path",
    [
        "a.txt", "sub/deep/a.txt", ".profile", "...", "a..b/..c", "map\\brief.txt", "A: antwoord.txt", "C:x",
        "a\nb\tc.txt", "b\udcff.txt", "\u00e9" * 255, "x" * 255 + "/" + "y" * 255,
    ],
)  # fmt: skip
def test_whatever_a_file_may_be_called_is_taken(path: str) -> None:
    assert path_fault(path) is None
    assert checked_relative_path(path, owner="document d1") == path


def test_a_folder_is_real_below_another_and_links_out_of_it_are_refused(tmp_path: Path) -> None:
    out = tmp_path.resolve() / "out"
    (out / "sub").mkdir(parents=True)
    (out / "inside").symlink_to(out / "sub")
    (out / "outside").symlink_to(tmp_path)
    (out / "nowhere").symlink_to(tmp_path / "none")
    (out / "round").symlink_to(out / "round")
    assert real_folder(out, below=out) == out
    assert real_folder(out / "inside" / "new", below=out) == out / "sub" / "new"
    for name in ("outside", "outside/new", "nowhere", "nowhere/new", "outside/out2"):
        with pytest.raises(OutsideFolderError, match="a link in the output folder"):
            real_folder(out / name, below=out)


def test_links_that_lead_round_in_circles_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def round_and_round(*_: object, **__: object) -> Path:
        raise RuntimeError("Symlink loop")  # as Path.resolve in Python 3.11 and 3.12

    monkeypatch.setattr(Path, "resolve", round_and_round)
    with pytest.raises(OutsideFolderError, match="circles"):
        real_folder(tmp_path, below=tmp_path)
