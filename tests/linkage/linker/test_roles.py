"""Two names alone are judged as given names and as surnames, whatever the lists make of each by itself."""

from collections.abc import Sequence

import numpy as np
import pytest

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.linker.model import ModelScorer
from linkage.linker.roles import LoneName, LonePair, Role, probabilities_of_roles
from linkage.linker.scoring import Indexes, Probabilities
from linkage.names import parse_name
from linkage.records import LinkDecision, PersonName
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, FakeTable

GAZETTEER = Gazetteer.load()
SCORER = ModelScorer.load(GAZETTEER)
LINKER = Linker(LinkingSettings(), GAZETTEER, SCORER)
ROLES = {"given": 1.0, "family": 0.0, "either": 0.5}


def _lone(text: str, share: float = 0.5) -> LoneName | None:
    return LoneName.of(text, parse_name(text, GAZETTEER), lambda _: share)


class _ByRole(FakeTable):
    def every_probability(self, left: Indexes, right: Indexes) -> Probabilities:
        given = np.array([self._names[a].given is not None for a in left.tolist()])
        return np.where(given, 0.9, np.where(right >= 0, 0.1, np.nan))


class _ScorerByRole(FakeScorer):
    def table(self, names: Sequence[PersonName]) -> FakeTable:
        return _ByRole(names)


@pytest.mark.parametrize(
    ("left", "right", "probability"),
    [
        (1.0, 1.0, 0.9),
        (0.0, 0.0, 0.1),
        (0.5, 0.5, 0.5),
        (0.9, 0.1, 0.5),  # one name, one role: both readings are as likely
        (1.0, 0.1, 0.9),
        (0.0, 0.9, 0.1),
    ],
)
def test_a_role_weighs_as_much_as_both_names_are_borne_in_it(
    left: float, right: float, probability: float
) -> None:
    pair = LonePair(LoneName("Aart", left), LoneName("Aert", right))
    assert probabilities_of_roles([pair], _ScorerByRole())[0] == pytest.approx(probability)
    back = LonePair(pair.right, pair.left)
    assert probabilities_of_roles([back], _ScorerByRole())[0] == pytest.approx(probability)


@pytest.mark.parametrize(
    ("left", "right", "is_patronymic"),
    [
        (("Jan", 0.98), ("Jansen", 0.2), True),
        (("jan", 0.98), ("JANSEN", 0.2), True),
        (("Jan", 0.98), ("Jansen", 0.6), False),  # rather a given name: "Jan" and "Jans" may be one
        (("Mol", 0.2), ("Mols", 0.1), False),  # two surnames
        (("Jan", 0.98), ("Jansma", 0.1), False),
        (("Jan", 0.98), ("Jan", 0.98), False),
    ],
)
def test_a_surname_made_of_a_given_name_shares_no_role_with_it(
    left: tuple[str, float], right: tuple[str, float], is_patronymic: bool
) -> None:
    endings = GAZETTEER.language.grammar.patronymic_endings
    for a, b in ((left, right), (right, left)):
        pair = LonePair.of(LoneName(*a), LoneName(*b), endings)
        assert pair.is_patronymic is is_patronymic
    if is_patronymic:
        by_both = 0.98 * 0.2 * 0.9 + 0.02 * 0.8 * 0.1
        assert probabilities_of_roles([pair], _ScorerByRole())[0] == pytest.approx(by_both)


def test_names_that_have_no_role_in_common_have_no_probability() -> None:
    pair = LonePair(LoneName("Jan Pieter", 1.0), LoneName("Thomas", 0.0))
    assert [pair.weight(role) for role in Role] == [0.0, 0.0]
    assert np.isnan(probabilities_of_roles([pair], _ScorerByRole())[0])
    assert not len(probabilities_of_roles([], _ScorerByRole()))


@pytest.mark.parametrize(
    ("text", "share"),
    [("Aert", 0.3), ("mevrouw Thomas", 0.0), ("Jan Pieter", 1.0), ("Jan de Boer", None), ("J. Mol", None)],
)
def test_a_word_has_a_role_by_its_share_and_a_told_name_its_own(text: str, share: float | None) -> None:
    lone = _lone(text, 0.3)
    assert (None if lone is None else lone.given_share) == share


def test_no_list_is_certain_of_a_word() -> None:
    for share in (0.0, 1.0):
        lone = _lone("Aert", share)
        assert lone is not None
        assert 0 < lone.given_share < 1


@pytest.mark.parametrize(("left", "right"), [("Aart", "Aert"), ("Aaltje", "Aal"), ("Sijbrand", "Syb")])
def test_given_names_of_which_lists_read_one_as_a_surname_are_no_strangers(left: str, right: str) -> None:
    for a, b in ((left, right), (right, left)):
        link = LINKER.compare(a, b)
        assert link.decision is not LinkDecision.NON_LINK
        explanation = LINKER.explain(a, b)
        assert explanation.match_probability == link.match_probability
        assert "ruled out" not in explanation.waterfall_text()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Jan", "Jansen"),
        ("Willem", "Willems"),
        ("Klaassen", "Klaas"),
        ("Bakker", "Mulder"),
        ("Aart", "Mulder"),
        ("Piet", "Klaas"),
    ],
)
def test_other_names_alone_are_two(left: str, right: str) -> None:
    assert LINKER.compare(left, right).decision is LinkDecision.NON_LINK


def test_a_title_tells_the_role() -> None:
    as_surname = SCORER.table([PersonName(family="Aart"), PersonName(family="Aert")])
    told = LINKER.compare("mevrouw Aart", "Aert").match_probability
    assert told == pytest.approx(as_surname.every_probability(np.array([0]), np.array([1]))[0])


def test_pairs_among_others_are_judged_as_by_themselves() -> None:
    pairs = [("Aart", "Aert"), ("Jan de Boer", "J. de Boer"), ("Sijbrand", "Syb"), ("Jan", "Jan Mol")]
    assert list(LINKER.compare_many(pairs)) == [LINKER.compare(*pair) for pair in pairs]
    assert LINKER.compare_many([]) == ()
