"""What is worked out once of the words of texts, and kept because words come again: emptied all together.

Names are among the words. Whoever erases a person, or sees that somebody was erased, calls `forget_words`:
nothing that is kept here outlives an erasure. To work everything out anew takes milliseconds for a text.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import WeakSet, WeakValueDictionary

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

_T = TypeVar("_T")


def remembered(most: int) -> "Callable[[Callable[..., _T]], _lru_cache_wrapper[_T]]":
    """functools.lru_cache for functions of words; most: how many answers are kept."""

    def remember(function: Callable[..., _T]) -> "_lru_cache_wrapper[_T]":
        kept = lru_cache(maxsize=most)(function)
        _FUNCTIONS.add(kept)
        return kept

    return remember


class KeptWords(dict[str, _T]):
    """A dict of what was worked out, by word; it may be empty the next moment. Its repr shows no word."""

    __slots__ = ("__weakref__",)

    def __new__(cls) -> Self:
        made = super().__new__(cls)
        _TABLES[id(made)] = made
        return made

    def __repr__(self) -> str:
        return f"KeptWords({len(self)} words)"


def forget_words() -> None:
    """Empty everything that is kept of words in this process."""
    for function in list(_FUNCTIONS):
        function.cache_clear()
    for table in list(_TABLES.values()):
        table.clear()


_FUNCTIONS: "WeakSet[_lru_cache_wrapper[Any]]" = WeakSet()
_TABLES: "WeakValueDictionary[int, KeptWords[Any]]" = WeakValueDictionary()
