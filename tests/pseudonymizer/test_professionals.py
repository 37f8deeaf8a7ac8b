"""The quick look for a role says no only where there is none."""

import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from linkage.records import Span
from pseudonymizer.professionals import _ROLES, acts_professionally, may_hold_role


def written(pattern: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """All strings that a pattern of letters, choices and optional parts matches."""
    pieces: list[list[str]] = []
    for kind, value in pattern:
        match str(kind):
            case "LITERAL":
                pieces.append([chr(value)])
            case "BRANCH":
                pieces.append([text for choice in value[1] for text in written(choice)])
            case "SUBPATTERN":
                pieces.append(list(written(value[-1])))
            case "MAX_REPEAT":
                assert value[:2] == (0, 1)
                pieces.append(["", *written(value[2])])
            case "IN":
                pieces.append([chr(letter) for _, letter in value])
            case other:
                raise AssertionError(other)
    yield from map("".join, product(*pieces))


def test_every_role_is_seen_in_any_case() -> None:
    roles = list(written(parser.parse(_ROLES)))
    assert len(roles) > 100
    assert "logopedist" in roles
    assert [role for role in roles if not (may_hold_role(role) and may_hold_role(role.upper()))] == []


def test_ordinary_words_hold_none() -> None:
    assert not may_hold_role("Het gesprek ging over de verbouwing van het huis van ")


def test_letters_of_other_scripts_are_left_to_the_patterns() -> None:
    text = "de \u017fecretaris Jan Tolsma"  # a long s
    span = Span(text.index("Jan"), len(text))
    assert acts_professionally(text, span)
