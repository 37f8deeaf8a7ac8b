"""What is missing is told before the first file; a worker's error is told by its class, without its text."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")

from py4j.protocol import Py4JError

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import BatchError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.run import Batch, BatchSettings
from pseudonymizer.spark.engine import SparkEngine
from pseudonymizer.spark.faults import error_class, require_packages, require_workers, told
from tests.pseudonymizer.batch_fakes import PROJECT, make_vault, new_batch
from tests.pseudonymizer.spark.test_engine import load_judging

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def explode() -> FormatOptions:
    raise OverflowError("Jan Tolsma\nTolsma: belde")


class ExplodingOptions(FormatOptions):
    """Cannot be read where it is sent to."""

    def __reduce__(self) -> tuple[Callable[[], FormatOptions], tuple[()]]:
        return explode, ()


def batch(spark: "SparkSession", folder: Path, files: int, options: FormatOptions | None = None) -> Batch:
    (folder / "in").mkdir()
    for number in range(files):
        (folder / "in" / f"{number}.txt").write_text("Jan Tolsma belde.")
    return new_batch(
        find_sources([folder / "in"]), folder / "out", BatchSettings(PROJECT),
        load=load_judging, open_vault=make_vault(folder / "vault"),
        machines=SparkEngine(spark, load_judging, options),
    )  # fmt: skip


@pytest.fixture
def workers_without_pandas(
    spark: "SparkSession", monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> "SparkSession":
    """Workers are started anew, with a pandas before the real one that cannot be imported."""
    (tmp_path / "before" / "pandas").mkdir(parents=True)
    (tmp_path / "before" / "pandas" / "__init__.py").write_text("raise ImportError('Jan Tolsma')")
    path = os.pathsep.join([str(tmp_path / "before"), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setitem(spark.sparkContext.environment, "PYTHONPATH", path)
    return spark


def test_a_worker_without_pandas_ends_the_run_before_the_first_file(
    workers_without_pandas: "SparkSession", tmp_path: Path
) -> None:
    with pytest.raises(BatchError, match=r"cannot import pandas \(ImportError\)") as told_by:
        batch(workers_without_pandas, tmp_path, files=1).run()
    assert "Tolsma" not in str(told_by.value)
    assert "nymlink[spark]" in str(told_by.value)


def test_this_process_without_pandas_is_told_before_a_session_is_used(
    spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    require_packages()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(BatchError, match=r"Pandas .* must be installed"):
        SparkEngine(spark, load_judging)


def test_workers_that_have_all_modules_pass(spark: "SparkSession") -> None:
    require_workers(spark)
    with pytest.raises(BatchError, match=r"cannot import no_such_module \(ModuleNotFoundError\)"):
        require_workers(spark, ("pandas", "no_such_module"))


def test_the_error_of_a_worker_is_the_error_of_its_file(spark: "SparkSession", tmp_path: Path) -> None:
    report = batch(spark, tmp_path, files=1, options=ExplodingOptions()).run()
    assert report.errors == {"OverflowError": 1}
    told_of_files = (tmp_path / "out" / ".nymlink" / "documents.jsonl").read_text()
    assert "a worker of Spark ended with this error" in told_of_files
    assert "Tolsma" not in told_of_files


def test_an_error_of_every_file_ends_the_run(spark: "SparkSession", tmp_path: Path) -> None:
    with pytest.raises(BatchError, match="a single file: a worker ended with OverflowError") as told_by:
        batch(spark, tmp_path, files=3, options=ExplodingOptions()).run()
    assert "Tolsma" not in str(told_by.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Traceback (most recent call last):\n  File\nMemoryError", "MemoryError"),
        (
            "ValueError: Jan\n\nThe above exception\n\nlinkage.errors.ModelNotFoundError: x\n",
            "ModelNotFoundError",
        ),
        ("KeyError: 'a'\nTolsma: belde\nEls Mulder", "KeyError"),
        ("org.apache.spark.SparkException: Python worker exited unexpectedly", None),
    ],
)
def test_only_names_of_known_classes_are_told(text: str, name: str | None) -> None:
    assert error_class(Py4JError(text)) == name
    words = told(Py4JError(text))
    assert words.endswith(name or "no memory left (Py4JError)")
    assert "Jan" not in words
