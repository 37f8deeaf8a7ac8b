"""Sets of words, written as people write them."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())
