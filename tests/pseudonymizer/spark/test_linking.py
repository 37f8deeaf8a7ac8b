"""Linking on Spark gives what the local linker gives: every identity, link and candidate."""

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")

from linkage.records import LinkageResult
from pseudonymizer.batch.codec import encode_result
from pseudonymizer.spark.linking import LinkingPlan, SparkLinker
from tests.pseudonymizer.spark.spark_fakes import KNOWN, corpus, load_linker

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def everything_in(result: LinkageResult) -> object:
    """Identities with links, open links, candidates and entities, and the judged pairs of forms."""
    return encode_result(result)


@pytest.mark.parametrize(
    "plan",
    [LinkingPlan(), LinkingPlan(bucket_mentions=20, driver_edges=0)],
    ids=["in one bucket", "in many buckets"],
)
def test_the_result_is_that_of_the_local_linker(spark: "SparkSession", plan: LinkingPlan) -> None:
    mentions = corpus(60, seed=3)
    local = load_linker().link(mentions, known=KNOWN)
    found = SparkLinker(spark, load_linker, plan).link(mentions, known=KNOWN)
    assert everything_in(found) == everything_in(local)
    assert len(local.identities) > 20


def test_a_corpus_without_names(spark: "SparkSession") -> None:
    assert SparkLinker(spark, load_linker).link([]) == LinkageResult((), ())
