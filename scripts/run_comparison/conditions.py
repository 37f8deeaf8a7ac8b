"""Fixed conditions of a recorded run: randomness, clock, environment.

hold_still changes the process that calls it, for good: call it in a process of its own, before linkage and
pseudonymizer are imported, since their default arguments keep the os.urandom of that moment.
"""

import contextlib
import datetime as datetime_module
import os
import pkgutil
import random
import sys
import time
import types
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, tzinfo
from importlib import import_module
from typing import Final

CLOCK: Final = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)  # any moment, the same in every record
_ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


class SeededEntropy:
    """Takes the place of os.urandom: the bytes follow from the name of the step and the calls since then.

    A step of its own for each command keeps a further call in one from moving the tokens of the next.
    """

    def __init__(self) -> None:
        self._stream = random.Random("start")

    def restart(self, step: str) -> None:
        self._stream = random.Random(step)

    def __call__(self, size: int, /) -> bytes:
        return self._stream.randbytes(size)


class _StillType(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, datetime)


class _StillDatetime(datetime, metaclass=_StillType):
    """datetime with a now that stands still; its values are plain datetimes."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.fromtimestamp(CLOCK.timestamp(), tz)

    @classmethod
    def utcnow(cls) -> datetime:  # type: ignore[override]
        return CLOCK.replace(tzinfo=None)

    @classmethod
    def today(cls) -> datetime:  # type: ignore[override]
        return cls.now()


def hold_still() -> SeededEntropy:
    """The seeded source that os.urandom of this process is from now on; time.time stands still as well."""
    entropy = SeededEntropy()
    moment = CLOCK.timestamp()
    os.urandom = entropy
    random.seed("start")  # of the standard library's own, which draws the boundaries of mails
    time.time = lambda: moment
    time.time_ns = lambda: int(moment) * 1_000_000_000
    return entropy


def hold_dates_still(packages: Collection[str]) -> None:
    """Loads every module of these packages and gives it a datetime whose now stands still.

    Other packages keep theirs: libraries in C read the memory of the true class. Modules that cannot be
    loaded, such as those of an extra that is not installed, are passed over.
    """
    module = types.ModuleType("datetime")
    module.__dict__.update(datetime_module.__dict__, datetime=_StillDatetime)
    for package in packages:
        _load_all(package)
    for name, loaded in list(sys.modules.items()):
        if name.partition(".")[0] in packages:
            for attribute, value in list(vars(loaded).items()):
                if value is datetime:
                    setattr(loaded, attribute, _StillDatetime)
                elif value is datetime_module:
                    setattr(loaded, attribute, module)


def _load_all(package: str) -> None:
    try:
        path = import_module(package).__path__
    except ImportError:
        return
    for found in pkgutil.walk_packages(path, f"{package}.", onerror=lambda _name: None):
        if not found.name.endswith("__main__"):
            with contextlib.suppress(Exception):
                import_module(found.name)


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """Variables for the recording process: one thread, fixed hashes of text, no settings of a user."""
    moment = str(int(CLOCK.timestamp()))
    kept = {name: value for name, value in given.items() if not name.startswith(("NYMLINK_", "PYTHONHASH"))}
    return kept | _ONE_THREAD | {
        "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": moment, "TZ": "UTC",
    }  # fmt: skip
