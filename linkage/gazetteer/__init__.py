"""Known names, particles, titles, cue words, word use, variants, from a folder of data/languages."""

from linkage.gazetteer.entries import GivenName, Surname, Title, Variant, WordUse
from linkage.gazetteer.folding import lookup_key
from linkage.gazetteer.lookup import Gazetteer

__all__ = ["Gazetteer", "GivenName", "Surname", "Title", "Variant", "WordUse", "lookup_key"]
