"""Tables of texts by workers without a vault: the vault's labels, and parcels that lead back."""

import pickle
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")

from linkage.records import KindId
from pseudonymizer import runkeys
from pseudonymizer.engine.value_labels import treat_values_alone
from pseudonymizer.errors import BatchError, SettingsError
from pseudonymizer.project import Project
from pseudonymizer.reidentification import reveal
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.spark.batches import rows_of, table_of
from pseudonymizer.spark.tables import (
    parcels_of,
    pseudonymize_batches,
    pseudonymize_table,
    read_table,
    write_table,
)
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXTS = [
    ("1", "Jan Tolsma belde Els Mulder."),
    ("2", "ONTPLOFT"),
    ("3", "Els Mulder belde."),
    ("4", "niemand"),
]


def test_labels_lead_back_through_parcels(tmp_path: Path) -> None:
    open_vault = make_vault(tmp_path)
    with open_vault() as vault:
        vault.ensure_project(PROJECT)
        vault.commit()
        key = runkeys.hand_out(vault, project=PROJECT, run="r", hours=1, purpose="test")
    batch = table_of(("id", "text"), TEXTS, (pa.string(), pa.string()))
    (result,) = pseudonymize_batches(load_fake, key)(iter([batch]))
    rows = list(rows_of(result))
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert rows[1][1] is None
    assert rows[1][3].startswith("ZeroDivisionError")
    assert rows[3][1] == "niemand"
    els = rows[2][1].removesuffix(" belde.")
    jan = rows[0][1].split(" belde ")[0]
    assert rows[0][1] == f"{jan} belde {els}."
    parcels = [row[4] for row in rows if row[4] is not None]
    assert all(b"Tolsma" not in parcel for parcel in parcels)
    with open_vault() as vault:
        runkeys.accept(vault, project=PROJECT, run=key.run, parcels=parcels)
        names = reveal(vault, project=PROJECT, pseudonyms=[jan, els], purpose="test")
    assert names[jan].name == "Jan Tolsma"
    assert names[els].name == "Els Mulder"


def test_values_are_masked_by_the_plan_and_never_come_back(tmp_path: Path) -> None:
    text = "Jan Tolsma, BSN 111222333, j.tolsma@ziggo.nl, NL91ABNA0417164300, op 5 augustus 2024 in 8933 KT."
    with make_vault(tmp_path)() as vault:
        vault.ensure_project(PROJECT, ProjectSettings.of_new_project())
        vault.commit()
        key = runkeys.hand_out(vault, project=PROJECT, run="r", hours=1, purpose="test")
        plan = Project.open(vault, PROJECT, treat={"DATE": "month"}).plan()
    batch = table_of(("id", "text"), [("1", text)], (pa.string(), pa.string()))
    work = pseudonymize_batches(load_fake, key, pickle.loads(pickle.dumps(plan)))  # noqa: S301  our own bytes
    ((_, written, mentions, error, _),) = rows_of(next(iter(work(iter([batch])))))
    assert (mentions, error) == (1, None)
    assert re.fullmatch(r"P\d-[0-9A-Z]{20}, BSN #{9}, #{17}, #{18}, op augustus 2024 in #{7}\.", written), (
        written
    )
    as_before = pseudonymize_batches(load_fake, key)(iter([batch]))
    assert "111222333" in next(iter(rows_of(next(iter(as_before)))))[1]


def test_a_treatment_that_needs_the_vault_is_refused() -> None:
    with pytest.raises(SettingsError, match="deterministic"):
        treat_values_alone((), Plan.made("direct", {KindId("DATE"): Treatment.SHIFT}), language="nl")


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_tables_are_read_and_written(spark: "SparkSession", tmp_path: Path, ending: str) -> None:
    with make_vault(tmp_path / "vault")() as vault:
        vault.ensure_project(PROJECT)
        vault.commit()
        key = runkeys.hand_out(vault, project=PROJECT, run="r", hours=1, purpose="test")
    frame = spark.createDataFrame(TEXTS, "id string, text string")
    write = frame.write.parquet if ending == "parquet" else frame.write.json
    write(str(tmp_path / f"in.{ending}"))
    table = pseudonymize_table(read_table(spark, str(tmp_path / f"in.{ending}")), load_fake, key)
    write_table(table, str(tmp_path / f"out.{ending}"))
    back = {row["id"]: row["text"] for row in read_table(spark, str(tmp_path / f"out.{ending}")).collect()}
    assert back.keys() == {"1", "2", "3", "4"}
    assert back["2"] is None
    assert "Tolsma" not in back["1"]
    assert len(list(parcels_of(table))) >= 1


def test_nothing_that_is_written_says_a_name(spark: "SparkSession", tmp_path: Path) -> None:
    """Neither the parts, nor their sums, nor their names; the paths of texts name people, too."""
    with make_vault(tmp_path / "vault")() as vault:
        vault.ensure_project(PROJECT)
        vault.commit()
        key = runkeys.hand_out(vault, project=PROJECT, run="r", hours=1, purpose="test")
    texts = tmp_path / "Jan Tolsma"
    texts.mkdir()
    for number, text in TEXTS:
        (texts / f"brief {number} van Jan Tolsma.txt").write_text(text)
    for ending in ("parquet", "jsonl"):
        table = pseudonymize_table(read_table(spark, str(texts)), load_fake, key)
        write_table(table, str(tmp_path / f"out.{ending}"))
        rows = read_table(spark, str(tmp_path / f"out.{ending}")).collect()
        assert {row["id"] for row in rows} == {"1", "2", "3", "4"}
        assert {row["id"]: row["text"] for row in rows}["4"] == "niemand"
        for file in (tmp_path / f"out.{ending}").iterdir():
            for said in (file.name, file.read_bytes().decode("latin-1")):
                assert not any(name in said for name in ("Tolsma", "Mulder", "ONTPLOFT", "Jan", "brief"))


def test_ids_must_tell_texts_apart(spark: "SparkSession", tmp_path: Path) -> None:
    with make_vault(tmp_path / "vault")() as vault:
        vault.ensure_project(PROJECT)
        vault.commit()
        key = runkeys.hand_out(vault, project=PROJECT, run="r", hours=1, purpose="test")
    frame = spark.createDataFrame([("1", "a"), ("1", "b")], "id string, text string")
    with pytest.raises(BatchError, match="more than once"):
        pseudonymize_table(frame, load_fake, key)
