"""Spans that the way of writing alone decides, whatever the network and the decision model say of them."""

from collections.abc import Sequence
from typing import NamedTuple

from linkage.recognition.boundaries import is_name_word
from linkage.recognition.framed_names import framed_names
from linkage.recognition.introduced_codes import introduced_codes
from linkage.recognition.machine_text import machine_text
from linkage.recognition.named_after import named_after
from linkage.recognition.plural_names import plural_names
from linkage.recognition.spelled_letters import alphabet_words, spelled_names
from linkage.recognition.whole_names import whole_names
from linkage.recognition.words import NameKnowledge, ScannedText
from linkage.records import Mention, Span


class SureSpans(NamedTuple):
    """names: spans that are a name. others: spans in which no name is."""

    names: tuple[Span, ...]
    others: tuple[Span, ...]


def sure_spans(
    scanned: ScannedText,
    sure_mentions: Sequence[Mention],
    knowledge: NameKnowledge,
    likely_mentions: Sequence[Mention] = (),
) -> SureSpans:
    """The spans of a text that are a name, or hold none, by the way in which it is written.

    sure_mentions: those that detectors are sure of in it; their words are known where they stand again.
    likely_mentions: those that they hold for likelier than not; codes may stand behind them.
    """
    text, language = scanned.text, scanned.language
    sure: set[str] = set()
    borne: set[str] = set()  # words of names of two words or more, which are hardly a shop's: "Bruna"
    for mention in sure_mentions:
        words = scanned.words_in(mention.span)
        keys = {word.facts.key for word in words if is_name_word(word)}
        sure |= keys
        borne |= keys if len(words) > 1 else set()
    names = [
        *named_after(text, language, knowledge, borne),
        *plural_names(text, language, knowledge, borne),
        *spelled_names(text, knowledge, sure),
        *whole_names(text, language, knowledge),
        *framed_names(text, language, knowledge),
        *introduced_codes(scanned, likely_mentions, knowledge),
    ]
    return SureSpans(
        tuple(dict.fromkeys(names)), (*alphabet_words(text, language), *machine_text(text, language))
    )
