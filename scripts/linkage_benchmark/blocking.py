"""How many true pairs of full name forms blocking keeps, of all and of those that letters can find."""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from pathlib import Path

import numpy as np
from training.register_pairs import febrl4

from linkage.blocking import BlockedForms
from linkage.blocking.forms import neighbours
from linkage.evaluation.gold import GoldDocument, gold_mentions
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.linker.forms import FormTable, score_parts, spelt_alike
from linkage.normalization import normalize
from linkage.records import MentionId, NormalizedMention, PersonName, fold

Variants = Callable[[str], Iterable[str]]
FormPair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class BlockingScores:
    """Counts of pairs of full forms. linkable: true pairs that have a part in common at all."""

    true: int
    kept: int
    linkable: int
    linkable_kept: int
    proposed: int
    possible: int

    def told(self) -> str:
        """One line for people."""
        return (
            f"{self.kept:,} of {self.true:,} true pairs kept ({_share(self.kept, self.true)}), "
            f"of those with a part in common {self.linkable_kept:,} of {self.linkable:,} "
            f"({_share(self.linkable_kept, self.linkable)}); {self.proposed:,} pairs proposed of "
            f"{self.possible:,} ({self.proposed / max(self.possible, 1):.2%})"
        )


def _share(part: int, whole: int) -> str:
    return f"{part / max(whole, 1):.1%}"


def gold_blocking(
    linker: Linker, gazetteer: Gazetteer, gold: Sequence[GoldDocument], *, over_corpus: bool
) -> BlockingScores:
    """Pairs of different full forms of one entity, of a document or, over_corpus, of all."""
    mentions: list[NormalizedMention] = []
    entities: dict[MentionId, str] = {}
    for document in gold:
        found, entity_of = gold_mentions(document)
        mentions += normalize(document.document, found, gazetteer)
        entities.update(entity_of)
    table = FormTable.of([mention.name for mention in mentions])
    forms_of: dict[tuple[str, str], set[int]] = defaultdict(set)
    for mention in mentions:
        name = mention.name
        if mention.mention_id in entities and name.given and name.family:
            place = "" if over_corpus else str(mention.mention.doc_id)
            forms_of[place, entities[mention.mention_id]].add(table.number_of[name])
    true = {pair for forms in forms_of.values() for pair in combinations(sorted(forms), 2)}
    return _scores(linker, table.names, true)


def febrl_blocking(linker: Linker, data: Path, *, held_out: bool) -> BlockingScores:
    """Given name and surname of febrl4: the left records that may train, or the others; all right ones."""
    register = febrl4(data)
    asked = np.flatnonzero(register.held_out == held_out).tolist()
    table = FormTable.of([*(register.left[row] for row in asked), *register.right])
    partner = dict(register.truth)
    true: set[FormPair] = set()
    for row in asked:
        names = register.left[row], register.right[partner[row]]
        first, second = sorted(table.number_of[name] for name in names)
        if first != second and all(name.given and name.family for name in names):
            true.add((first, second))
    return _scores(linker, table.names, true)


def _scores(linker: Linker, names: Sequence[PersonName], true: Collection[FormPair]) -> BlockingScores:
    blocked = BlockedForms(names)
    given = score_parts(blocked.given, linker.scorer, given=True, variants=linker.variants)
    family = score_parts(blocked.family, linker.scorer, given=False, variants=None)
    near = [neighbours(zip(p.left.tolist(), p.right.tolist(), strict=True)) for p in (given, family)]
    proposed: set[FormPair] = set()
    for left, right in blocked.candidate_pairs(near[0], near[1]):
        proposed.update(zip(left.tolist(), right.tolist(), strict=True))
    linkable = {(a, b) for a, b in true if have_a_part_in_common(names[a], names[b], linker.variants)}
    full = sum(1 for name in names if name.given and name.family)
    return BlockingScores(
        len(true), len(proposed & set(true)), len(linkable), len(proposed & linkable), len(proposed),
        math.comb(full, 2),
    )  # fmt: skip


def have_a_part_in_common(left: PersonName, right: PersonName, variants: Variants) -> bool:
    """Whether any word of one name is a word of the other, spelt alike, or a variant that the lexicon knows.

    Neighbouring words count as one, too: text recognition breaks words in two. Two names without are found
    to be one person's by the text around them or not at all.
    """
    pairs = list(product(_words(left), _words(right)))
    if any(a == b or b in set(variants(a)) or a in set(variants(b)) for a, b in pairs):
        return True
    return bool(spelt_alike([a for a, _ in pairs], [b for _, b in pairs]).any())


def _words(name: PersonName) -> set[str]:
    parts = (name.given, name.particle, name.family, name.partner_particle, name.partner_family)
    every = [word for part in parts if part for word in fold(part).split()]
    borne = (name.given, name.family, name.partner_family, name.nickname)
    words = {word for part in borne if part for word in fold(part).split() if len(word) > 1}
    return words | {"".join(two) for two in pairwise(every)} | {"".join(every)}
