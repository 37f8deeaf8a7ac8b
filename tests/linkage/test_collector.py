"""The cycle collector stands still in a block, and is afterwards as it was before."""

import gc

import pytest

from linkage.collector import without_collector


def test_it_stands_still_in_the_block_alone() -> None:
    assert gc.isenabled()
    with without_collector():
        assert not gc.isenabled()
        with without_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_an_error_turns_it_on_again() -> None:
    with pytest.raises(ZeroDivisionError), without_collector():
        1 / 0  # noqa: B018
    assert gc.isenabled()


def test_what_was_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collector():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
