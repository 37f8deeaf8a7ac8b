"""What the service's process is granted, asked in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

ASKED = """
import json, resource
from dataclasses import asdict
from pathlib import Path
from pseudonymizer.service.hardening import harden
done = harden()
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(json.dumps(asdict(done) | {
    "limit": resource.getrlimit(resource.RLIMIT_CORE), "locked_kib": int(status["VmLck"].split()[0]),
    "owner": Path("/proc/self/mem").stat().st_uid,
}))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the service needs Linux")
def test_cores_are_off_and_memory_is_locked_only_if_it_says_so() -> None:
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, timeout=120
    )
    told = json.loads(done.stdout)
    assert told["core_dumps_off"] is True
    assert told["limit"] == [0, 0]
    assert told["owner"] == 0  # root's: nobody else reads the memory of an undumpable process
    assert (told["locked_kib"] > 1000) is told["memory_locked"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_under_a_limit_memory_is_not_locked_and_the_process_lives() -> None:
    limited = ASKED.replace(
        "done = harden()",
        "import os; resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536)); os.setuid(65534)\n"
        "done = harden()",
    ).replace('Path("/proc/self/mem").stat().st_uid', "0")
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", limited], capture_output=True, text=True, check=True, timeout=120
    )
    told = json.loads(done.stdout)
    assert told["memory_locked"] is False
    assert told["core_dumps_off"] is True
