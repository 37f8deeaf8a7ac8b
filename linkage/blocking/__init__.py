"""Name forms -> candidate pairs: few of all pairs, yet nearly all that mean one person.

Parts are blocked first (given names with given names, surnames with surnames) by sound, one left-out letter,
rare trigrams and the variant lexicon. Two forms are candidates when both their parts are alike, or when their
words are the same in another order.
"""

from linkage.blocking.forms import BlockedForms, PartTable
from linkage.blocking.keys import deletion_keys, gram_keys, sound_key
from linkage.blocking.pairs import divided_keys, sharing_pairs

__all__ = [
    "BlockedForms",
    "PartTable",
    "deletion_keys",
    "divided_keys",
    "gram_keys",
    "sharing_pairs",
    "sound_key",
]
