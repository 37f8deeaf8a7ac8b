"""LightGBM loads on a system without an OpenMP library of its own."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from linkage import boosting_library
from linkage.errors import MissingPackageError

_SMALL = """
import ctypes, sys
asked = []
true = ctypes.CDLL
class Small(true):  # the library of the system is not there until that of torch was loaded
    def __init__(self, name, *more, **options):
        asked.append(str(name))
        if "lightgbm" in str(name) and not any("libgomp" in one for one in asked):
            raise OSError("libgomp.so.1: cannot open shared object file: No such file or directory")
        super().__init__(name, *more, **options)
ctypes.CDLL = Small
ctypes.cdll = ctypes.LibraryLoader(Small)
{load}
from linkage.classifier import PairClassifier
assert sum("lightgbm" in one for one in asked) == 2, asked
assert "torch" not in sys.modules
import lightgbm, pandas, sklearn
"""


@pytest.mark.skipif(sys.platform != "linux", reason="LightGBM needs GNU's OpenMP on Linux alone")
@pytest.mark.parametrize(
    "load", ["", "from pseudonymizer.desk.models import import_trees_alone as load; load()"]
)
def test_it_takes_the_library_of_torch_without_torch(load: str) -> None:
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", _SMALL.format(load=load)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_without_any_the_package_of_the_system_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingPackageError, match="libgomp1"):
        boosting_library.load_openmp_of_torch()
    spec = importlib.util.spec_from_loader("torch", None, is_package=True)
    assert spec is not None
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    with pytest.raises(MissingPackageError, match="libomp"):
        boosting_library.load_openmp_of_torch()
