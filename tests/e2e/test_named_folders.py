"""Who is who does not change with the name of the folder that the texts lie in."""

from pathlib import Path

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.project import Project

Texts = tuple[str, str]
JANSEN: Texts = (
    "Uw dochter Sanne Jansen en u, Fatima Jansen-van den Berg, worden uitgenodigd.\n",
    "Mijn ex-vrouw Fatima Jansen belde. Mevrouw Jansen komt met Sanne.\n",
)
BAKKER: Texts = (
    "Uw zoon Joris Bakker en u, Mohamed Bakker-de Vries, worden uitgenodigd.\n",
    "Mijn ex-man Mohamed Bakker belde. Meneer Bakker komt met Joris.\n",
)


@pytest.fixture(scope="module")
def project() -> Project:
    return Project.without_vault()


def people(project: Project, folder: Path, texts: Texts) -> set[frozenset[tuple[str, str]]]:
    """The people of the texts in folder: by person, where each mention in a text stands."""
    folder.mkdir(parents=True)
    for name, text in zip("ab", texts, strict=True):
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    documents = tuple(project.find_in(find_sources([folder.parent])))
    linked = project.link(documents)
    places = {
        m.mention_id: (document.name.rpartition("/")[2], m.mention.surface)
        for document in documents
        for m in document.mentions
        if "#" not in document.name
    }
    told = {
        frozenset(places[i] for i in identity.mention_ids if i in places)
        for identity in linked.result.identities
    }
    return told - {frozenset()}


@pytest.mark.parametrize(
    ("folder", "texts"),
    [
        ("Dossier Jansen-van den Berg, Fatima", JANSEN),
        ("Fatima_Jansen-van_den_Berg", JANSEN),
        ("Bakker-de Vries, Mohamed", BAKKER),
        ("2024 M. Bakker-de Vries intake", BAKKER),
        ("Dossier Visser, Karin", BAKKER),
        ("Dossier Sanne Visser", JANSEN),
        ("Visser, Sanne", JANSEN),
        ("Joris de Wit", BAKKER),
        ("Dossier Karin Jansen", JANSEN),
        ("Dossier Sanne Jansen", JANSEN),
    ],
)
def test_a_folder_with_a_name_changes_nobody(
    project: Project, tmp_path: Path, folder: str, texts: Texts
) -> None:
    plain = people(project, tmp_path / "plain" / "Dossier", texts)
    assert people(project, tmp_path / "named" / folder, texts) == plain
