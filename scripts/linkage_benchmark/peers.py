"""Speed of Splink and recordlinkage on given pairs of names; runs in an environment of its own.

    python peers.py PAIRS.csv splink|recordlinkage

The table has a row a pair: left_given, left_family, right_given, right_family. Both peers compare the given
names and the surnames by Jaro-Winkler and nothing else, on one core. Prints one JSON object: name, version,
cpu_seconds (user and system, the best of three runs) and pairs. Imports nothing of this project.
"""

import json
import sys
import time
from collections.abc import Callable

RUNS = 3
PARTS = ("given", "family")


def best_of(run: Callable[[], int], expected: int) -> float:
    """Least CPU seconds of some runs; each must have looked at every pair."""
    spent = []
    for _ in range(RUNS):
        started = time.process_time()
        rows = run()
        spent.append(time.process_time() - started)
        if rows != expected:
            raise SystemExit(f"{rows} of {expected} pairs were compared")
    return min(spent)


def with_splink(path: str) -> dict[str, object]:
    """Splink's predict on DuckDB; the pairs come from a blocking rule on their number."""
    import duckdb
    import pandas as pd
    import splink
    import splink.comparison_library as comparisons
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    table = pd.read_csv(path, keep_default_na=False)
    table["pair"] = range(len(table))
    sides = [
        table[["pair", f"{side}_given", f"{side}_family"]]
        .set_axis(["pair", *PARTS], axis=1)
        .assign(unique_id=range(n * len(table), (n + 1) * len(table)))
        for n, side in enumerate(("left", "right"))
    ]
    settings = SettingsCreator(
        link_type="link_only",
        blocking_rules_to_generate_predictions=[block_on("pair")],
        comparisons=[
            comparisons.JaroWinklerAtThresholds(part, [0.92, 0.8]).configure(
                m_probabilities=[0.7, 0.15, 0.1, 0.05], u_probabilities=[0.01, 0.02, 0.07, 0.9]
            )
            for part in PARTS
        ],
        retain_intermediate_calculation_columns=False,
        retain_matching_columns=False,
    )
    database = DuckDBAPI(duckdb.connect(":memory:", config={"threads": 1}))
    linker = Linker([database.register(side) for side in sides], settings, log_level="ERROR")

    def run() -> int:
        predicted = linker.inference.predict()
        rows = predicted.as_duckdbpyrelation().aggregate("count(*)").fetchall()[0][0]
        predicted.drop_table_from_database_and_remove_from_cache()
        return int(rows)

    return {"version": splink.__version__, "cpu_seconds": best_of(run, len(table)), "pairs": len(table)}


def with_recordlinkage(path: str) -> dict[str, object]:
    import pandas as pd
    import recordlinkage

    table = pd.read_csv(path, keep_default_na=False)
    left, right = (
        table[[f"{side}_given", f"{side}_family"]].set_axis(list(PARTS), axis=1) for side in ("left", "right")
    )
    index = pd.MultiIndex.from_arrays([range(len(table)), range(len(table))])

    def run() -> int:
        compare = recordlinkage.Compare()
        for part in PARTS:
            compare.string(part, part, method="jarowinkler")
        return len(compare.compute(index, left, right))

    return {
        "version": recordlinkage.__version__,
        "cpu_seconds": best_of(run, len(table)),
        "pairs": len(table),
    }


PEERS = {"splink": with_splink, "recordlinkage": with_recordlinkage}

if __name__ == "__main__":
    print(json.dumps({"name": sys.argv[2], **PEERS[sys.argv[2]](sys.argv[1])}))
