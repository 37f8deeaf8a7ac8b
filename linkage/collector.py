"""Python's cycle collector, held still while very many records are made."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """A block in which the collector does not run: it walks over everything again and again while millions
    of records are made, none of which is in a cycle.

    It holds for the whole process. Of blocks in several threads the one that found the collector on turns it
    on again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
