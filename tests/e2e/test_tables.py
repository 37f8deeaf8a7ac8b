"""Of one content, every format of tables gives the same people, whichever columns are chosen."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from linkage.records import LinkageResult
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats import FormatOptions
from pseudonymizer.project import Project, ProjectOptions
from tests.pseudonymizer.formats import made_tables as tables

GIVEN = (
    "Sanne", "Bram", "Fenna", "Youssef", "Anouk", "Thijs", "Merel", "Ruben", "Aaltje", "Sjoerd", "Noor",
)  # fmt: skip
FAMILY = (
    "Terpstra", "de Boer", "van der Meulen", "Jansen", "Wiersma", "El Amrani", "Bakker-Smit", "Postma",
    "van den Berg", "Dijkhuizen", "Kuipers", "Ter Horst", "in 't Veld", "Oosterhof",
)  # fmt: skip
TOWNS = ("Breda", "Sint Maarten", "De Lier", "Zwolle", "Anna Paulowna", "Bergen op Zoom", "Best")
STREETS = ("Willem de Zwijgerlaan", "Johannapad", "Jan van Galenstraat", "Dorpsweg")


def people(chance: random.Random, count: int) -> list[tuple[str, str, str]]:
    """Given name, family name and birth date of invented people."""
    return [
        (
            chance.choice(GIVEN),
            chance.choice(FAMILY),
            f"{chance.randint(1, 28)}-{chance.randint(1, 12)}-19{n % 100:02}",
        )
        for n in range(count)
    ]


def register(seed: int) -> tables.Rows:
    chance = random.Random(seed)  # noqa: S311  no secret
    rows = [
        (str(n), f"{given} {family}", born, f"{chance.choice(STREETS)} {n}", chance.choice(TOWNS))
        for n, (given, family, born) in enumerate(people(chance, 60), start=1)
    ]
    return [("nr", "naam", "geboortedatum", "adres", "woonplaats"), *rows]


def visits(seed: int) -> tables.Rows:
    """People who come again, in several spellings."""
    chance = random.Random(seed)  # noqa: S311  no secret
    known = people(chance, 25)
    rows = []
    for n in range(120):
        given, family, _ = chance.choice(known)
        name = chance.choice((f"{given} {family}", f"{given} {family}", f"{given[0]}. {family}", given))
        rows.append((str(n), name, chance.choice(("telefoon", "huisbezoek")), chance.choice(TOWNS)))
    return [("nr", "naam", "soort", "woonplaats"), *rows]


def parts(seed: int) -> tables.Rows:
    chance = random.Random(seed)  # noqa: S311  no secret
    rows = [(born, given, family) for given, family, born in people(chance, 60)]
    return [("geboortedatum", "voornaam", "achternaam"), *rows]


def identities(path: Path, columns: tuple[str, ...] | None = None) -> list[tuple[str, ...]]:
    """The surfaces of each identity of a file, in order."""
    options = ProjectOptions(formats=FormatOptions(columns=columns))
    result: LinkageResult = Project.without_vault(options).link([path]).result
    return sorted(
        tuple(sorted(result.mention(m).mention.surface for m in identity.mention_ids))
        for identity in result.identities
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("rows", "chosen"),
    [(register, ("naam",)), (visits, ("naam",)), (parts, ("voornaam", "achternaam"))],
    ids=["register", "visits", "parts"],
)
def test_one_content_gives_the_same_people_in_every_format(
    tmp_path: Path, rows: Callable[[int], tables.Rows], chosen: tuple[str, ...], seed: int
) -> None:
    told = {}
    for suffix, write in tables.WRITERS.items():
        path = tmp_path / f"tabel.{suffix}"
        path.write_bytes(write(rows(seed)))
        told[suffix] = identities(path)
        told[f"{suffix} {chosen}"] = identities(path, chosen)
    assert len(told["csv"]) > 15
    assert {name: found == told["csv"] for name, found in told.items()} == dict.fromkeys(told, True)


def test_a_shorter_name_is_the_only_one_of_its_table_that_it_fits(tmp_path: Path) -> None:
    whole = {"Karin de Wit": ("K. de Wit", "de Wit"), "Sietse Hoekzema": ("S. Hoekzema", "Hoekzema")}
    names = [*whole, *(short for shorts in whole.values() for short in shorts), "K. de Wit"]
    rows = "".join(f"{name};belde over mei\n" for name in names)
    (tmp_path / "lijst.csv").write_text(f"Naam;Notitie\n{rows}", encoding="utf-8")
    project = Project.without_vault(ProjectOptions())
    result = project.link(project.find_in(find_sources([tmp_path]))).result
    identities = {m.mention.surface: result.identity_of(m.mention_id).identity_id for m in result.mentions}
    assert len(set(identities.values())) == len(whole)
    for name, shorts in whole.items():
        assert {identities[short] for short in shorts} == {identities[name]}
