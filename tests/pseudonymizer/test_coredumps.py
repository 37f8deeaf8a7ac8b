"""A process that opens a vault leaves no core dump, whatever kills it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for its own state")

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import ctypes, resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_CORE, (-1, -1))
{act}
print(resource.getrlimit(resource.RLIMIT_CORE)[0], ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
"""
ACTS = {
    "nothing": ("pass", "-1 1"),
    "the call": ("from pseudonymizer.coredumps import forbid_core_dumps; assert forbid_core_dumps()", "0 0"),
    "the key of a vault verb": (
        "from pseudonymizer.cli.options import key_provider; key_provider(Path('none.key'))",
        "0 0",
    ),
}


@pytest.mark.parametrize("name", sorted(ACTS))
def test_what_the_system_says(name: str, tmp_path: Path) -> None:
    act, expected = ACTS[name]
    asked = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-c", ASK.format(act=act)], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
    )  # fmt: skip
    if "not allowed to raise" in asked.stderr:
        pytest.skip("the limit is off already, and cannot be raised to see it fall")
    assert asked.stdout.split("\n")[0] == expected
