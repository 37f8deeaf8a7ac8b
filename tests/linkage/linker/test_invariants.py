"""What no result may hold, whatever a corpus says: tried on small corpora made at random."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.normalization import normalize
from linkage.records import Detector, Document, DocumentId, Gender, LinkDecision, Mention, Span
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer

_GIVEN = ("Jan", "Johan", "Robin", "Anna", "Anneke", "Bert", "Albert", "Robert")
_FAMILY = ("Kok", "Bos", "de Vries", "Zandvliet")
_MARKED = re.compile(r"(\[[^]]*\])")


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())


def _name(chance: random.Random) -> str:
    given, family = chance.choice(_GIVEN), chance.choice(_FAMILY)
    lone = chance.choice(["mevrouw ", "meneer ", ""])
    return chance.choice(
        [f"[{given} {family}]", f"[{given[0]}. {family}]", f"[{given}]", f"{lone}[{family.capitalize()}]"]
    )


def _sentence(chance: random.Random) -> str:
    name, other = _name(chance), _name(chance)
    dated = f"{name}, geb. 1-2-{chance.choice([1950, 1960])}, kwam."
    return chance.choice([dated, f"{name} en {other} gingen.", f"{name} belde."])


def _document(number: int, marked: str) -> tuple[Document, list[Mention]]:
    text, spans = "", []
    for part in _MARKED.split(marked):
        if part.startswith("["):
            spans.append(Span(len(text), len(text) + len(part) - 2))
            part = part[1:-1]
        text += part
    document = Document(DocumentId(f"d{number}"), text)
    return document, [Mention.at(document, s, detector=Detector.NER, confidence=1.0) for s in spans]


@given(chance=st.randoms(use_true_random=False))
@settings(max_examples=250, deadline=None)
def test_nobody_has_two_birth_dates_or_stands_beside_himself(linker: Linker, chance: random.Random) -> None:
    texts = [
        " ".join(_sentence(chance) for _ in range(chance.randint(2, 4))) for _ in range(chance.randint(1, 3))
    ]
    documents = [_document(number, text) for number, text in enumerate(texts)]
    mentions = [m for document, found in documents for m in normalize(document, found, linker.gazetteer)]
    result = linker.link(mentions)
    of_id = {mention.mention.mention_id: mention for mention in mentions}
    for identity in result.identities:
        members = [of_id[m] for m in identity.mention_ids]
        dates = {value for m in members for kind, value in m.context.attributes if kind == "birth_date"}
        assert len(dates) < 2, texts
        assert not any(m.context.joined_with & identity.mention_ids for m in members), texts
        told = {m.gender for m in members if m.name.family and m.gender is not Gender.BOTH} - {None}
        assert len(told) < 2, texts
        assert all(link.decision is not LinkDecision.LINK for link in identity.open_links), texts
