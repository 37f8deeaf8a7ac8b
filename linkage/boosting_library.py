"""LightGBM, on small systems too. It needs the OpenMP library of GNU, brings none on Linux, and a container
often has none. torch brings one.
"""

import ctypes
import importlib.util
from pathlib import Path

from linkage.errors import MissingPackageError

_LIBRARY = "libgomp*.so*"


def load_openmp_of_torch() -> None:
    """Load the OpenMP library that torch brings, without torch itself. After it LightGBM finds it.

    Raises:
        MissingPackageError: torch brings none either.
    """
    found = importlib.util.find_spec("torch")
    places = [] if found is None else [Path(one) / "lib" for one in found.submodule_search_locations or ()]
    for library in (library for place in places for library in sorted(place.glob(_LIBRARY))):
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        return
    raise MissingPackageError(
        "LightGBM needs the OpenMP library of the system, which is not there; install libgomp1 (Debian, "
        "Ubuntu), libgomp (Fedora, Red Hat) or libomp (macOS)"
    )


try:
    import lightgbm
except OSError:
    load_openmp_of_torch()
    import lightgbm

__all__ = ["lightgbm", "load_openmp_of_torch"]
