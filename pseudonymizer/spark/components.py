"""Connected components of a graph in a data frame."""

from collections.abc import Sequence

import numpy as np
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from scipy import sparse
from scipy.sparse.csgraph import connected_components as components_of


def connected_components(edges: DataFrame, *, driver_edges: int) -> DataFrame:
    """(node, component) for every node of edges (one bigint, other bigint); component is the least node.

    Up to driver_edges edges are put together on the driver; more by alternating large-star and small-star
    steps (Kiveris and others 2014, doi:10.1145/2670979.2670997), which take rounds in the order of the log of
    the number of nodes and give no task more than a node's neighbours.
    """
    edges = edges.distinct().localCheckpoint()
    return _on_driver(edges) if edges.count() <= driver_edges else _by_stars(edges)


def _on_driver(edges: DataFrame) -> DataFrame:
    rows = np.asarray([tuple(row) for row in edges.collect()], dtype=np.int64).reshape(-1, 2)
    nodes, numbers = np.unique(rows, return_inverse=True)
    numbers = numbers.reshape(-1, 2)
    graph = sparse.coo_matrix(
        (np.ones(len(rows), dtype=np.int8), (numbers[:, 0], numbers[:, 1])), shape=(len(nodes), len(nodes))
    )
    _, labels = components_of(graph, directed=False)
    least = np.full(labels.max(initial=-1) + 1, np.iinfo(np.int64).max)
    np.minimum.at(least, labels, nodes)
    return _frame(edges.sparkSession, nodes.tolist(), least[labels].tolist())


def _frame(spark: SparkSession, nodes: Sequence[int], components: Sequence[int]) -> DataFrame:
    return spark.createDataFrame(list(zip(nodes, components, strict=True)), "node bigint, component bigint")


def _by_stars(edges: DataFrame) -> DataFrame:
    loops = (
        edges.select(f.col("one").alias("node")).union(edges.select(f.col("other").alias("node"))).distinct()
    )
    now = edges.filter("one != other")
    before: tuple[int, int] | None = None
    while True:
        now = _small_star(_large_star(now)).localCheckpoint()
        ((count, total),) = now.agg(
            f.count("*"), f.sum(f.xxhash64("one", "other").cast("decimal(38,0)"))
        ).collect()
        state = int(count), int(total or 0)
        if state == before:
            break
        before = state
    found = now.select(f.col("one").alias("node"), f.col("other").alias("component"))
    return loops.join(found, "node", "left").select(
        "node", f.coalesce("component", "node").alias("component")
    )


def _large_star(edges: DataFrame) -> DataFrame:
    """Every larger neighbour of a node is joined to the least of the node and its neighbours."""
    both = edges.union(edges.select("other", "one"))
    return _joined_to_least(both).filter("node_larger").select("one", "other").distinct()


def _small_star(edges: DataFrame) -> DataFrame:
    """A node and its smaller neighbours are joined to the least of them."""
    down = edges.select(f.greatest("one", "other").alias("one"), f.least("one", "other").alias("other"))
    least = down.groupBy("one").agg(f.min("other").alias("least"))
    smaller = down.join(least, "one").select(f.col("other").alias("one"), f.col("least").alias("other"))
    own = least.select("one", f.col("least").alias("other"))
    return smaller.union(own).filter("one != other").distinct()


def _joined_to_least(both: DataFrame) -> DataFrame:
    least = both.groupBy("one").agg(f.least(f.min("other"), f.col("one")).alias("least"))
    return both.join(least, "one").select(
        f.col("other").alias("one"),
        f.col("least").alias("other"),
        (f.col("other") > f.col("one")).alias("node_larger"),
    )
