"""A Spark session fit for names: what it spills to disk is encrypted, and it logs no rows."""

import os
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from pseudonymizer.errors import BatchError
from pseudonymizer.spark.faults import require_packages
from pseudonymizer.spark.java import provide_java

_ENCRYPTION: Final = "spark.io.encryption.enabled"
_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    _ENCRYPTION: "true",  # shuffles and spills hold names
    "spark.network.crypto.enabled": "true",
    "spark.authenticate": "true",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.adaptive.skewJoin.enabled": "true",
    "spark.sql.maxPlanStringLength": "2000",  # plans are long here, and nobody reads them
    "spark.sql.execution.arrow.maxRecordsPerBatch": "20000",
}


@contextmanager
def spark_session(
    master: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """A session that ends with the block. Without a master, spark-submit's, or all cores of this machine.

    Under spark-submit its own settings stand; encryption of spills and shuffles is switched on where they say
    nothing. A session that this process has already is taken as it is, and goes on after the block.

    Raises:
        BatchError: a package that Spark needs, or Java, is missing; or the session of this process writes to
            disk without encryption.
    """
    require_packages()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # about versions of pandas
        running = SparkSession.getActiveSession()
        if running is not None:
            yield _silent(_encrypted(running))
        else:
            with _own_session(master, settings or {}) as session:
                yield _silent(session)


def _encrypted(session: SparkSession) -> SparkSession:
    if session.sparkContext.getConf().get(_ENCRYPTION, "false") != "true":
        raise BatchError(
            f"the session of Spark in this process writes names to disk in the clear: start it with "
            f"{_ENCRYPTION}=true, or end it"
        )
    return session


def _silent(session: SparkSession) -> SparkSession:
    session.sparkContext.setLogLevel("OFF")  # what a worker says of an error may hold text
    return session


@contextmanager
def _own_session(master: str | None, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    with tempfile.TemporaryDirectory(prefix="nymlink-spark-") as folder:
        before = {name: os.environ.get(name) for name in ("JAVA_HOME", "PYSPARK_PYTHON")}
        submitted = "PYSPARK_GATEWAY_PORT" in os.environ
        if not submitted:
            os.environ["JAVA_HOME"] = str(provide_java(Path(folder)))
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        session: SparkSession | None = None
        try:
            session = _build(master, submitted=submitted, settings=settings, folder=folder)
            yield session
        finally:
            if session is not None:
                session.stop()
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def _build(master: str | None, *, submitted: bool, settings: Mapping[str, str], folder: str) -> SparkSession:
    builder = SparkSession.builder.appName("nymlink")
    wanted = dict(_SETTINGS)
    if not submitted:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        builder = builder.master(master or f"local[{cores}]")
        wanted["spark.local.dir"] = folder
        if (master or "local").startswith("local"):
            wanted["spark.driver.host"] = wanted["spark.driver.bindAddress"] = "127.0.0.1"
    elif master is not None:
        builder = builder.master(master)
    for name, value in {**wanted, **settings}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
