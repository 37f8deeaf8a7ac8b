"""Training never overwrites the shipped model unasked, and comes out the same with and without a cache."""

import hashlib
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from training.embedding_training import EmbeddingRecipe
from training.given_training import PairStock
from training.name_pairs import NamePair

from linkage.review import Judgement, Verdict, write_judgements

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "train_classifier"
SHIPPED = ROOT / "data" / "models" / "linkage"


def _run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, SCRIPT, *arguments],
        capture_output=True, text=True, check=False, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def _digests(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = SourceFileLoader("train_classifier", str(SCRIPT))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    # No compiled copy beside the script, which has no extension.
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = writes
    return module


@pytest.mark.parametrize("asked", ["--judgements", "--quick", "--seed"])
def test_only_the_whole_model_becomes_the_shipped_one_unasked(asked: str, tmp_path: Path) -> None:
    verdicts = tmp_path / "verdicts.jsonl"
    write_judgements(verdicts, [Judgement("Jan Mol", "J. Mol", Verdict.ACCEPT)])
    before = _digests(SHIPPED)
    # Without data it would go no further in any case.
    value: dict[str, tuple[str | Path, ...]] = {"--judgements": (verdicts,), "--seed": ("2",)}
    ran = _run(asked, *value.get(asked, ()), "--shared", tmp_path)
    assert ran.returncode == 2
    assert "--out" in ran.stderr.splitlines()[-1]
    assert _digests(SHIPPED) == before


def test_a_file_of_verdicts_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    missing = tmp_path / "jan_mol.jsonl"
    ran = _run("--judgements", missing, "--out", tmp_path / "model", "--shared", tmp_path)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    assert "cannot be read: No such file or directory" in ran.stderr.splitlines()[-1]
    assert missing.name not in ran.stderr
    assert not (tmp_path / "model").exists()


def _training(script: ModuleType, cache: Path | None, variants: list[tuple[str, str]]) -> object:
    """As much of a run as makes name vectors."""
    pairs = {(a, b): NamePair(a, b, "nickname", is_variant=True) for a, b in variants}
    run = script.TrainingRun.__new__(script.TrainingRun)
    run.stock = PairStock(pairs, {}, {}, sorted({name for pair in pairs for name in pair}))
    run.cache, run.seed, run.recipe = cache, 1, EmbeddingRecipe(steps=3, batch=8, extra_names=4)
    return run


VARIANTS = [("bert", "robert"), ("henk", "hendrik"), ("anna", "anneke"), ("wim", "willem")]


def test_the_first_run_with_a_cache_gives_what_later_ones_and_runs_without_give(
    script: ModuleType, tmp_path: Path
) -> None:
    names = sorted({name for pair in VARIANTS for name in pair})
    found = [
        _training(script, cache, VARIANTS)._embedding("all", names).vectors(names)  # type: ignore[attr-defined]
        for cache in (tmp_path, tmp_path, None)
    ]
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    assert len(list(tmp_path.iterdir())) == 1


def test_vectors_of_other_pairs_are_not_taken_from_the_cache(script: ModuleType, tmp_path: Path) -> None:
    names = sorted({name for pair in VARIANTS for name in pair})
    for variants in (VARIANTS, VARIANTS[:3]):
        _training(script, tmp_path, variants)._embedding("all", names)  # type: ignore[attr-defined]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(not (ROOT.parent / "shared" / "data" / "names").is_dir(), reason="no ../shared/data")
def test_a_whole_training_comes_out_the_same_with_an_empty_a_full_and_no_cache(tmp_path: Path) -> None:
    cache: tuple[str | Path, ...] = ("--cache", tmp_path / "cache")
    for name, options in (("first", cache), ("second", cache), ("third", ())):
        ran = _run("--quick", "--out", tmp_path / name, *options)
        assert ran.returncode == 0, ran.stderr
    assert _digests(tmp_path / "first") == _digests(tmp_path / "second") == _digests(tmp_path / "third")
