"""Pairs that were judged elsewhere, such as by many machines, in place of blocking and scoring here."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from linkage.blocking import BlockedForms, PartTable
from linkage.linker.dense_documents import DenseForms
from linkage.linker.forms import FormTable, ScoredPairs
from linkage.records import PersonName

FormKey = tuple[str, ...]  # linkage.linker.forms.form_key


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """(left, right, probability) of pairs of given names, of surnames and of full forms, each once.

    Parts are folded texts, forms are keys; a pair of which a corpus has only one side is left out.
    names holds the name that stands for each form of the corpus that was judged.
    """

    given: tuple[tuple[str, str, float], ...] = field(repr=False)
    family: tuple[tuple[str, str, float], ...] = field(repr=False)
    forms: tuple[tuple[FormKey, FormKey, float], ...] = field(repr=False)
    names: tuple[PersonName, ...] = field(repr=False)

    def of(
        self, blocked: BlockedForms, table: FormTable, dense: DenseForms
    ) -> tuple[ScoredPairs, ScoredPairs, ScoredPairs]:
        """The scored given names, surnames and forms of a corpus, numbered as it numbers them; what dense
        tells apart is left out.
        """
        given = _of_parts(self.given, blocked.given)
        family = _of_parts(self.family, blocked.family)
        forms = _numbered(
            (table.number_of_key.get(left, -1), table.number_of_key.get(right, -1), p)
            for left, right, p in self.forms
        )
        if dense:
            family = family.only(~dense.parts_differ(blocked.family.parts, family.left, family.right))
            forms = forms.only(~dense.forms_differ(table.names, forms.left, forms.right))
        return given, family, forms


def _of_parts(rows: Iterable[tuple[str, str, float]], table: PartTable) -> ScoredPairs:
    number = table.number_of
    return _numbered((number.get(left, -1), number.get(right, -1), p) for left, right, p in rows)


def _numbered(rows: Iterable[tuple[int, int, float]]) -> ScoredPairs:
    kept = sorted(
        (min(left, right), max(left, right), p) for left, right, p in rows if left >= 0 and right >= 0
    )
    columns = np.asarray(kept, dtype=np.float64).reshape(len(kept), 3)
    left, right = columns[:, 0].astype(np.int64), columns[:, 1].astype(np.int64)
    return ScoredPairs(left, right, columns[:, 2].copy(), len(kept))
