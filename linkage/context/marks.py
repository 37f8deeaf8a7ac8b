"""What a document is about, as marks that documents of one matter share: file numbers, mail domains.

Two documents with a mark in common are likely to speak of the same people: evidence for a lone "Winston" that
his name alone does not give. Marks hold no sentence, but may identify a person: they are personal data.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Final, Protocol

from linkage.context.facts import EMAIL, Fact
from linkage.records import Mention, fold

GROUP: Final = "group:"  # opens the mark of the group that a document was given to
_GROUP_BYTES: Final = 8  # of a digest: two of a million groups hardly ever have one
_MOST = 16
_PUBLIC_DOMAINS = frozenset(
    {"gmail.com", "hotmail.com", "hotmail.nl", "outlook.com", "live.nl", "live.com", "ziggo.nl", "kpnmail.nl"}
    | {"planet.nl", "xs4all.nl", "icloud.com", "yahoo.com", "telenet.be", "skynet.be", "proximus.be"}
    | {"home.nl", "casema.nl", "upcmail.nl", "hetnet.nl"}
)
# An address is none of them: that of an office stands on all its letters, whatever they are about.
_IDENTIFYING = frozenset({"bsn", "dossier", "phone"})
_CODE = re.compile(
    r"(?<![\w@.-])(?=[\w/-]*\d{3})(?=[\w/-]*[A-Za-z])[A-Za-z]{1,6}[-/ ]?[\w]*[-/]?\d[\w/-]{2,}(?![\w@])"
)
_CAPITAL = re.compile(r"(?<![\w@.-])[A-Z\u00c0-\u00de][\w'\u2019]{3,}(?![\w@]|\.[a-z])")
_RARE_BELOW = 4.3  # log10 of occurrences per billion words


class WordKnowledge(Protocol):
    def zipf(self, text: str) -> float: ...


def group_mark(group: str) -> str:
    """The mark of a document of this dossier, client or case: a digest, for a folder may bear a name."""
    return f"{GROUP}{hashlib.blake2b(fold(group).encode(), digest_size=_GROUP_BYTES).hexdigest()}"


def marks_of(
    text: str, mentions: Sequence[Mention], facts: Sequence[Fact], words: WordKnowledge
) -> tuple[str, ...]:
    """At most 16 marks, the most telling first: identifiers, mail domains, then capitalized rare words."""
    found = [f"code:{fold(a.value)}" for a in facts if a.kind in _IDENTIFYING]
    found += [f"code:{fold(match[0])}" for match in _CODE.finditer(text)]
    domains = [fact.value.rpartition("@")[2] for fact in facts if fact.kind == EMAIL]
    found += [f"domain:{domain}" for domain in domains if domain not in _PUBLIC_DOMAINS]
    found = list(dict.fromkeys(found))[:_MOST]
    if len(found) < _MOST:
        found += _rare_words(text, mentions, words)[: _MOST - len(found)]
    return tuple(found)


def _rare_words(text: str, mentions: Sequence[Mention], words: WordKnowledge) -> list[str]:
    taken = {place for mention in mentions for place in range(mention.span.start, mention.span.end)}
    rarity: dict[str, float] = {}
    for match in _CAPITAL.finditer(text):
        key = fold(match[0])
        opens = text[max(0, match.start() - 3) : match.start()].rstrip(" \t>*\"'(-")[-1:] in (
            "",
            "\n",
            *".:!?;",
        )
        if not opens and match.start() not in taken and key not in rarity:
            zipf = words.zipf(match[0])
            if zipf < _RARE_BELOW:
                rarity[key] = zipf
    return [f"word:{key}" for key in sorted(rarity, key=lambda key: (rarity[key], key))]
