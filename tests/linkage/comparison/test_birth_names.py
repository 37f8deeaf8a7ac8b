"""One partner's name with two names by birth is two people; anything less is not told apart here."""

import numpy as np
import pytest

from linkage.comparison.birth_names import birth_names_contradict
from linkage.comparison.forms import FormTable
from linkage.gazetteer import Gazetteer
from linkage.names import parse_name

GAZETTEER = Gazetteer.load()


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("Anna Postma-Bakker", "Anna Postma-Visser", True),
        ("A. van Dijk-de Boer", "A. van Dijk-Smit", True),
        ("Anna Postma-Bakker", "Anna Postma-Baker", False),  # misspelt
        ("Anna Postma-Visser", "Anna Bakker-Visser", False),  # married twice
        ("Anna Postma-Bakker", "Anna Bakker-Postma", False),
        ("Anna Postma-Bakker", "Anna Postma", False),
        ("Anna Winter-ter Horst", "Anna Winter-Terhorst", False),
        ("Anna Postma-Klein Hesselink", "Anna Postma-Hesselink", False),
        ("Anna Postma", "Anna Bakker", False),
    ],
)
def test_two_names_by_birth(left: str, right: str, expected: bool) -> None:
    forms = FormTable([parse_name(text, GAZETTEER) for text in (left, right)])
    both = birth_names_contradict(forms, np.array([0, 1]), np.array([1, 0]))
    assert both.tolist() == [expected, expected]
