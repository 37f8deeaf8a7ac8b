"""The table of particles: by use, in its order."""

from pathlib import Path

import pytest

from linkage.errors import KindsError
from linkage.language import Language, ParticleUse
from linkage.language.particles import read_particles


def _table(folder: Path, *rows: str) -> Path:
    table = folder / "particles.tsv"
    table.write_text("\n".join(["particle\tcanonical\tuses", *rows, ""]), encoding="utf-8")
    return table


def test_each_use_has_its_particles_in_the_order_of_the_table(tmp_path: Path) -> None:
    found = read_particles(_table(tmp_path, "zu\tzu\tlisted glued", "z.\tzu\tlisted", "z\tzu\tinitial"))
    assert list(found[ParticleUse.LISTED].items()) == [("zu", "zu"), ("z.", "zu")]
    assert found[ParticleUse.GLUED] == {"zu": "zu"}
    assert found[ParticleUse.INITIAL] == {"z": "zu"}
    assert found[ParticleUse.SIGNATURE] == {}


def test_one_way_to_write_may_stand_for_two_in_two_uses(tmp_path: Path) -> None:
    found = read_particles(_table(tmp_path, "d\td'\tlisted", "d\tde\tinitial"))
    assert (found[ParticleUse.LISTED]["d"], found[ParticleUse.INITIAL]["d"]) == ("d'", "de")


def test_an_unknown_use_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KindsError, match=r"particles\.tsv: 'spoken'"):
        read_particles(_table(tmp_path, "zu\tzu\tspoken"))


def test_dutch_has_particles_for_every_use_and_one_usual_form_for_each() -> None:
    dutch = Language.load("nl")
    listed = dutch.particles(ParticleUse.LISTED)
    assert all(dutch.particles(use) for use in ParticleUse)
    others = {written for written, usual in listed.items() if listed[usual] != usual}
    # "v.h." should be "van 't", as "van het" is; but vaults hold people under what it is here.
    assert others == {"v.h.", "v/h", "vh"}
