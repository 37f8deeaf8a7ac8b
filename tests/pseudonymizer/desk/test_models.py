"""Models of a process: pipelines with lists of requests, and what is loaded for them."""

import subprocess
import sys

import pytest

from linkage.kind_lists import TextsByKind
from linkage.records import PERSON
from linkage.settings import RecognitionSettings
from pseudonymizer.desk.models import Models
from pseudonymizer.errors import SettingsError
from tests.pseudonymizer.batch_fakes import load_fake

_ALONE = """
import sys
from pseudonymizer.desk.models import import_trees_alone
import_trees_alone()
assert "lightgbm" in sys.modules
assert not {"sklearn", "pandas"} & sys.modules.keys()
from linkage.linker import Linker
import pandas, sklearn  # they are there for whoever asks
"""


def test_trees_load_without_what_they_only_look_for() -> None:
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", _ALONE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_pipeline_that_takes_no_lists_says_so() -> None:
    models = Models(load_fake)
    settings = RecognitionSettings(always=TextsByKind.of({PERSON: ("Jan Tolsma",)}))
    with pytest.raises(SettingsError):
        models.with_lists(settings)


def test_the_models_are_warm_before_the_first_text() -> None:
    loaded = []

    def load():  # type: ignore[no-untyped-def]
        loaded.append(1)
        return load_fake()

    Models(load).warm_up()
    assert loaded
