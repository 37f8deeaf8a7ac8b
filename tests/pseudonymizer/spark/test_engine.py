"""A run on Spark ends as a local one: the same people, and in deterministic mode the same bytes."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")

from linkage.errors import ModelNotFoundError
from linkage.own_kinds import OwnKind
from linkage.settings import LinkageSettings
from linkage.texts import KindId
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import BatchError
from pseudonymizer.project import Project, ProjectOptions, RunOptions, open_vault
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.runs.tasks import Machines
from pseudonymizer.spark.engine import SparkEngine
from tests.e2e.whole_runs import files_below
from tests.pseudonymizer.batch_fakes import PROJECT, FakePipeline, make_vault, new_batch
from tests.pseudonymizer.spark.spark_fakes import load_linker

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from linkage.linker import Linker

TEXTS = {
    "a.txt": "Jan Tolsma belde Els Mulder.",
    "b.txt": "Els Muldre en Piet Kok kwamen.",
    "letters/jan_tolsma.txt": "Schrijf aan jan.tolsma@example.org, niet aan Piet Kok.",
    "table.csv": "naam;bedrag\nJan Tolsma;3\nRia Zijlstra;4\n",
    "broken.txt": "ONTPLOFT Jan Tolsma",
}


class JudgingPipeline(FakePipeline):
    """Detection without a model, and the linker with all its rules."""

    linker: "Linker"  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.linker = load_linker()


def load_judging() -> JudgingPipeline:
    return JudgingPipeline()


def load_without_models() -> JudgingPipeline:
    raise ModelNotFoundError("the model is not installed")


def run(folder: Path, vault: Path, engine: Machines | None) -> dict[str, bytes]:
    """The files that a deterministic run writes with a copy of the vault; they come back byte for byte."""
    for name, text in TEXTS.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_text(text)
    shutil.copytree(vault, folder / "vault")
    options = ProjectOptions(load=load_judging, registered=(), deterministic=True)
    with open_vault(folder / "vault" / "vault.db", folder / "vault" / "kek.key") as opened:
        project = Project.open(opened, PROJECT, options)
        report = project.pseudonymize_folder(folder / "in", folder / "out", RunOptions(machines=engine))
        assert report.documents == {"all": 5, "ok": 4, "failed": 1, "skipped": 0, "waiting": 0}
        project.restore_files(find_sources([folder / "out"]), folder / "back", purpose="test")
    assert files_below(folder / "back") == {n: t.encode() for n, t in TEXTS.items() if n != "broken.txt"}
    return files_below(folder / "out")


def test_deterministic_runs_of_a_project_give_the_same_bytes(spark: "SparkSession", tmp_path: Path) -> None:
    with make_vault(tmp_path / "vault")() as vault:
        vault.ensure_project(PROJECT)
        vault.commit()
    here = run(tmp_path / "here", tmp_path / "vault", None)
    there = run(tmp_path / "there", tmp_path / "vault", SparkEngine(spark, load_judging))
    assert here == there
    assert b"Tolsma" not in b"".join(there.values())


def test_own_kinds_of_a_project_are_found_by_the_workers(spark: "SparkSession", tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Jan Tolsma en hond 12")
    settings = LinkageSettings(kinds=(OwnKind(KindId("DOG"), (r"hond \d+",), treatment="keep"),))
    options = ProjectOptions(settings, load=load_judging, registered=())
    with make_vault(tmp_path / "vault")() as vault:
        project = Project.open(vault, PROJECT, options)
        report = project.pseudonymize_folder(
            tmp_path / "in", tmp_path / "out", RunOptions(machines=SparkEngine(spark, load_judging))
        )
    assert report.identifiers_left_in["DOG"] == 1


def test_a_file_that_kills_its_worker_is_lost_alone(spark: "SparkSession", tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, text in (("a.txt", "Jan Tolsma"), ("b.txt", "DOODT Els Mulder"), ("c.txt", "Piet Kok")):
        (tmp_path / "in" / name).write_text(text)
    report = new_batch(
        find_sources([tmp_path / "in"]), tmp_path / "out", BatchSettings(PROJECT),
        load=load_judging, open_vault=make_vault(tmp_path / "vault"),
        machines=SparkEngine(spark, load_judging),
    ).run()  # fmt: skip
    assert report.documents["ok"] == 2
    assert report.errors == {"WorkerLostError": 1}


def test_a_fault_of_the_installation_ends_the_run(spark: "SparkSession", tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Jan Tolsma")
    batch = new_batch(
        find_sources([tmp_path / "in"]), tmp_path / "out", BatchSettings(PROJECT),
        load=load_judging, open_vault=make_vault(tmp_path / "vault"),
        machines=SparkEngine(spark, load_without_models),
    )  # fmt: skip
    with pytest.raises(BatchError, match="ModelNotFoundError"):
        batch.run()
