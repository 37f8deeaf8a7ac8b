"""What is kept of words is kept once, and goes all together."""

import gc

from linkage.gazetteer.folding import lookup_key
from linkage.kept_words import KeptWords, forget_words, remembered


def test_answers_are_kept_until_words_are_forgotten() -> None:
    asked: list[str] = []

    @remembered(10)
    def length(word: str) -> int:
        asked.append(word)
        return len(word)

    kept: KeptWords[int] = KeptWords()
    kept["tolsma"] = length("tolsma") + length("tolsma")
    lookup_key("Tólsma")
    assert (asked, kept) == (["tolsma"], {"tolsma": 12})
    assert "tolsma" not in repr(kept)
    forget_words()
    assert not kept
    assert lookup_key.cache_info().currsize == 0
    assert length("tolsma") == 6
    assert asked == ["tolsma", "tolsma"]


def test_what_nobody_holds_is_not_held_here() -> None:
    class Marked(KeptWords[int]):
        pass

    made = Marked()
    made["x"] = 1
    del made
    gc.collect()
    assert not [one for one in gc.get_objects() if type(one) is Marked]
