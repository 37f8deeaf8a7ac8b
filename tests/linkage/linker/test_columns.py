"""Columns find the rows of a value, whether many came at once or one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.linker import columns
from linkage.linker.columns import Column, Flags

VALUES = st.lists(st.integers(0, 12), max_size=40)


@pytest.fixture(autouse=True, params=[0, 3, 4_000])
def most_fresh(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_MOST_FRESH", request.param)


@given(st.lists(VALUES, max_size=4), st.sets(st.integers(0, 14)))
def test_the_rows_of_values_are_found_as_they_come(several: list[list[int]], wanted: set[int]) -> None:
    column = Column()
    whole: list[int] = []
    for some in several:
        for value in some:
            column.values.append(value)
        whole += some
        assert len(column) == len(whole)
        for value in wanted:
            assert column.rows_with(value) == [row for row, one in enumerate(whole) if one == value]
        rows = column.rows_with_any(wanted)
        assert sorted(rows.tolist()) == [row for row, one in enumerate(whole) if one in wanted]
        assert set(column.of(rows).tolist()) == wanted.intersection(whole)


def test_flags_are_raised_and_asked_by_number() -> None:
    flags = Flags()
    flags.append(flag=True)
    flags.append(flag=False)
    flags.grow(4)
    flags.grow(2)
    flags.raise_at(np.array([3, 3], np.uintc))
    assert [flags[number] for number in range(6)] == [True, False, False, True, False, False]
    assert flags.at(np.array([3, 1, 0], np.uintc)).tolist() == [True, False, True]
