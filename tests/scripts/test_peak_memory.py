"""Measured memory is that of the measured process, whatever the process had that started it."""

import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
from detection_benchmark.run_tool import peak_kilobytes
from peak_memory import peak_bytes

ROOT = Path(__file__).resolve().parents[2]
BALLAST = 400 * 2**20  # bytes, far above what Python with the vault takes


@pytest.fixture
def ballast() -> bytearray:
    """Makes this process large: bytes that are written to are resident."""
    held = bytearray(BALLAST)
    held[:: 2**12] = b"x" * len(range(0, BALLAST, 2**12))
    return held


def _benchmark_vault() -> ModuleType:
    loader = SourceFileLoader("benchmark_vault", str(ROOT / "scripts" / "benchmark_vault"))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[loader.name] = module  # its dataclasses look for their module
    loader.exec_module(module)
    return module


def _peak_of(program: str) -> int:
    start = f"import sys; sys.path.insert(0, {str(ROOT / 'scripts')!r}); from peak_memory import peak_bytes; "
    done = subprocess.run(  # noqa: S603  the program of this test
        [sys.executable, "-c", f"{start}{program}; print(peak_bytes())"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(done.stdout)


def test_a_child_does_not_begin_at_the_peak_of_its_parent(ballast: bytearray) -> None:
    assert peak_bytes() > len(ballast)
    assert _peak_of("pass") < BALLAST / 4
    assert BALLAST / 2 < _peak_of("held = b'x' * (200 << 20)") < BALLAST
    assert peak_kilobytes() * 1024 == pytest.approx(peak_bytes(), rel=0.01)


def test_the_vault_benchmark_measures_the_opening_process(tmp_path: Path, ballast: bytearray) -> None:
    benchmark = _benchmark_vault()
    (figure,) = benchmark.measure_opening(tmp_path, 50)
    assert figure.what == "open a project, identities"
    opening = benchmark.opened_apart(tmp_path)
    assert opening.people == 50
    assert 0 < opening.peak_before < opening.peak < len(ballast) / 2


def test_nothing_measures_a_process_of_its_own_by_what_it_inherits() -> None:
    folders = (ROOT / "scripts", ROOT / "tests", ROOT / "docs")
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    texts = {
        file: file.read_text(encoding="utf-8", errors="replace") for file in files if file != Path(__file__)
    }
    assert [file for file, text in texts.items() if "RUSAGE_SELF).ru_maxrss" in text] == []
