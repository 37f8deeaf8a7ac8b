"""A session that the process has already is taken as it is; one that does not encrypt is refused."""

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")

from pseudonymizer.errors import BatchError
from pseudonymizer.spark.session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_a_session_of_this_process_is_taken_and_goes_on(spark: "SparkSession") -> None:
    with spark_session("local[1]") as taken:
        assert taken.sparkContext.master == spark.sparkContext.master == "local[2]"
    assert spark.range(3).count() == 3


def test_what_is_spilled_is_encrypted(spark: "SparkSession") -> None:
    told = dict(spark.sparkContext.getConf().getAll())
    assert told["spark.io.encryption.enabled"] == told["spark.network.crypto.enabled"] == "true"


def test_a_session_without_encryption_is_refused(
    spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = spark.sparkContext.getConf().set("spark.io.encryption.enabled", "false")
    monkeypatch.setattr(spark.sparkContext, "getConf", lambda: plain)
    with pytest.raises(BatchError, match=r"spark\.io\.encryption\.enabled=true"), spark_session():
        pytest.fail("the session was taken")
