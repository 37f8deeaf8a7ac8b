"""Finding persons in text by networks, lists and rules."""

from linkage.recognition.stanza_loading import load_without_treebank_scoring

load_without_treebank_scoring()
