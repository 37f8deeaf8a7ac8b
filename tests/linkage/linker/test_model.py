"""The model in a folder of one's own brings the tables that it was trained with."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from linkage.clustering.rarity import COMMON_SHARE
from linkage.errors import ModelNotFoundError
from linkage.gazetteer import Gazetteer
from linkage.linker.model import ModelScorer
from linkage.records import PersonName
from linkage.settings import data_directory

GAZETTEER = Gazetteer.load()
PAIR = (PersonName(given="Fenna", family="Woudstra"), PersonName(given="Fenne", family="Woudstra"))
SHIPPED = data_directory() / "models" / "linkage"
SCORER = ModelScorer.load(GAZETTEER)


def _cosine(scorer: ModelScorer) -> float:
    values = scorer.comparer.vectors([PAIR[0]], [PAIR[1]])
    return float(values[0, scorer.comparer.feature_names.index("given_embedding")])


def test_the_tables_of_the_folder_are_used(tmp_path: Path) -> None:
    own = tmp_path / "model"
    shutil.copytree(SHIPPED, own)
    with np.load(SHIPPED / "name_vectors.npz") as arrays:
        codes, scales = arrays["codes"], arrays["scales"]
    np.savez(own / "name_vectors.npz", codes=codes[::-1], scales=scales)
    shipped = _cosine(ModelScorer.load(GAZETTEER))
    assert _cosine(ModelScorer.load(GAZETTEER, SHIPPED)) == shipped
    assert _cosine(ModelScorer.load(GAZETTEER, own)) != shipped


def test_a_folder_with_boosters_alone_goes_with_the_shipped_tables(tmp_path: Path) -> None:
    for name in ("classifier.json", "given.txt", "form.txt"):
        shutil.copy(SHIPPED / name, tmp_path / name)
    assert _cosine(ModelScorer.load(GAZETTEER, tmp_path)) == _cosine(ModelScorer.load(GAZETTEER))


@pytest.mark.parametrize(
    ("there", "missing"),
    [("name_vectors.npz", "surname_rarity.npz"), ("surname_rarity.npz", "name_vectors.npz")],
)
def test_one_table_of_two_is_told_of_and_never_completed_by_another_model(
    there: str, missing: str, tmp_path: Path
) -> None:
    for name in ("classifier.json", "given.txt", "form.txt", there):
        shutil.copy(SHIPPED / name, tmp_path / name)
    with pytest.raises(ModelNotFoundError, match=rf"has {there} but no {missing}") as raised:
        ModelScorer.load(GAZETTEER, tmp_path)
    assert tmp_path.name not in str(raised.value)


def _probability(left: PersonName, right: PersonName) -> float:
    table = SCORER.table([left, right])
    forward, back = (table.probabilities(np.array([a]), np.array([b]))[0] for a, b in ((0, 1), (1, 0)))
    assert forward == back or (np.isnan(forward) and np.isnan(back))
    return float(forward)


def test_other_further_names_are_other_people() -> None:
    one = PersonName(given="Jan Pieter", family="Woudstra")
    assert _probability(one, PersonName(given="Jan Willem", family="Woudstra")) < SCORER.review_threshold
    assert _probability(one, PersonName(initials="J.W.", family="Woudstra")) < SCORER.review_threshold
    assert _probability(one, PersonName(initials="J.P.", family="Woudstra")) > SCORER.link_threshold


def test_a_womans_and_a_mans_name_are_a_question_at_most() -> None:
    peter, petra = (PersonName(given=name, family="Woudstra") for name in ("Peter", "Petra"))
    assert SCORER.review_threshold < _probability(peter, petra) < SCORER.link_threshold
    assert _probability(peter, PersonName(given="Pieter", family="Woudstra")) > SCORER.link_threshold


def test_names_without_a_part_to_compare_have_no_probability() -> None:
    assert np.isnan(_probability(PersonName(given="Fenna"), PersonName(family="Woudstra")))
    assert not np.isnan(_probability(PersonName(given="Fenna"), PersonName(family="Fenna")))


def test_the_commonest_surnames_are_known_and_rare_ones_are_not_taken_for_them() -> None:
    common = SCORER.surname_shares(["jong", "jansen", "vries", "bakker", "visser", "smit"])
    assert min(common.values()) >= COMMON_SHARE
    openings = ("zwaag", "kwer", "qol", "hoek", "ber", "tor", "wou", "vis", "brand", "lam")
    endings = ("dijk", "baard", "stra", "mel", "ven", "inga", "zenma", "polman")
    rare = SCORER.surname_shares([first + last for first in openings for last in endings])
    assert sum(share >= COMMON_SHARE for share in rare.values()) == 0
    assert max(rare.values()) < min(common.values())


def test_a_folder_without_shares_of_its_own_goes_with_the_shipped_ones(tmp_path: Path) -> None:
    own = tmp_path / "model"
    shutil.copytree(SHIPPED, own)
    (own / "surname_shares.npz").unlink()
    names = ["jong", "zwaagdijk"]
    assert ModelScorer.load(GAZETTEER, own).surname_shares(names) == SCORER.surname_shares(names)
