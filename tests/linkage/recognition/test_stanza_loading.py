"""Stanza loads where udtools is not installed, and a udtools that is there stays."""

import subprocess
import sys
from types import ModuleType

import pytest

from linkage.recognition import stanza_loading

_LOADS = """
import sys
import importlib.machinery
plain = importlib.machinery.PathFinder.find_spec
importlib.machinery.PathFinder.find_spec = lambda name, path=None, target=None: (
    None if name.split(".")[0] in ("udtools", "udapi") else plain(name, path, target)
)
import linkage.recognition
from stanza.models.ner.trainer import Trainer
from stanza.models.pos.trainer import Trainer
print(sys.modules["udtools"].__spec__, "udapi" in sys.modules)
"""


def test_stanza_loads_without_it() -> None:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _LOADS], capture_output=True, text=True, check=True
    )
    assert done.stdout == "None False\n"


def test_one_that_is_loaded_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ModuleType("udtools")
    monkeypatch.setitem(sys.modules, "udtools", there)
    stanza_loading.load_without_treebank_scoring()
    assert sys.modules["udtools"] is there
