"""Checks of what Spark needs, before the first file; and errors of its workers, told by their class."""

import builtins
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from py4j.protocol import Py4JError
from pyspark import errors as spark_errors
from pyspark.sql import SparkSession

from linkage import errors as linkage_errors
from pseudonymizer import errors as own_errors
from pseudonymizer.errors import BatchError

# What a worker imports: Spark's own code for Arrow batches needs the first three.
WORKER_MODULES: Final = ("pandas", "pyarrow", "numpy", "pseudonymizer.spark.tasks")
FAILURES: Final = (spark_errors.PySparkException, Py4JError)
_INSTALL: Final = "pip install 'nymlink[spark]'"
# Class names that may be told. Any other word before a colon could be of the text that the worker read.
_CLASSES: Final = frozenset(
    name
    for module in (builtins, linkage_errors, own_errors, spark_errors)
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
_CLASS_IN_TRACEBACK: Final = re.compile(r"^(?:\w+\.)*(\w+)(?=:|$)", re.MULTILINE)


def require_packages() -> None:
    """Nothing, where this process has the packages that Spark imports for data frames.

    Raises:
        BatchError: one is missing or too old.
    """
    from pyspark.sql.pandas import utils

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # about versions of pandas
        for require in (utils.require_minimum_pandas_version, utils.require_minimum_pyarrow_version):
            try:
                require()
            except ImportError as error:
                raise BatchError(f"Spark lacks a package: {str(error).rstrip('.')}; run {_INSTALL}") from None


def require_workers(spark: SparkSession, modules: Sequence[str] = WORKER_MODULES) -> None:
    """Nothing, where Spark's workers can import these modules. As many workers are asked as work at once.

    Raises:
        BatchError: a worker lacks one, or no worker can be started.
    """

    def missing(_: Iterable[int]) -> Iterator[tuple[str, str]]:  # sent by value: a worker may lack our code
        import importlib

        for module in modules:
            try:
                importlib.import_module(module)
            except Exception as error:  # noqa: BLE001  whatever it is, the module cannot be used
                yield module, type(error).__name__

    count = max(1, spark.sparkContext.defaultParallelism)
    try:
        found = spark.sparkContext.parallelize(range(count), count).mapPartitions(missing).collect()
    except FAILURES as error:
        raise BatchError(f"Spark cannot start its workers: {told(error)}") from None
    if found:
        lacking = ", ".join(f"{module} ({error})" for module, error in dict.fromkeys(map(tuple, found)))
        raise BatchError(f"a worker of Spark cannot import {lacking}; on all of them, run {_INSTALL}")


def error_class(error: Exception) -> str | None:
    """The class of the Python error that ended a worker; None where no Python error is told, as when its
    process was killed.
    """
    known = [name for name in _CLASS_IN_TRACEBACK.findall(str(error)) if name in _CLASSES]
    return known[-1] if known else None


def told(error: Exception) -> str:
    """The reason why a job ended, without the text of the error, which may hold text of a document."""
    found = error_class(error)
    if found is None:
        return f"a worker was lost, or has no memory left ({type(error).__name__})"
    return f"a worker ended with {found}"
