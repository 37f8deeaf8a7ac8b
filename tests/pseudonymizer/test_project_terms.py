"""What holds in a project: its own settings, and what is asked beside them."""

from dataclasses import replace
from pathlib import Path

import pytest

from pseudonymizer.errors import BatchError
from pseudonymizer.project import Project
from pseudonymizer.project_options import ProjectOptions
from pseudonymizer.project_terms import ProjectTerms
from pseudonymizer.records import Style
from pseudonymizer.settings import ProjectSettings, StyleSettings
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault

OPTIONS = ProjectOptions(load=load_fake)


def asking(style: Style) -> ProjectOptions:
    return replace(OPTIONS, styles=StyleSettings(style))


def test_without_a_vault_they_are_those_of_a_new_project() -> None:
    terms = ProjectTerms(None, "", OPTIONS)
    assert not terms.is_stored
    assert terms.stored() == ProjectSettings()
    assert terms.asked()[0].style is Style.TOKEN
    assert ProjectTerms(None, "", asking(Style.CODE)).asked()[0].style is Style.CODE
    terms.refuse_asked_style()
    terms.refuse_second_pseudonyms()


def test_a_new_project_gets_a_style_with_a_way_back_as_its_own() -> None:
    assert ProjectTerms(None, "", OPTIONS).new_project() is None
    assert ProjectTerms(None, "", asking(Style.MASK)).new_project() is None
    usual = ProjectSettings.of_new_project()
    made = ProjectTerms(None, "", replace(asking(Style.SURROGATE), new_project=usual)).new_project()
    assert made == replace(usual, style=Style.SURROGATE)


def test_what_people_have_is_kept_to(tmp_path: Path) -> None:
    with make_vault(tmp_path)() as vault:
        Project.open(vault, PROJECT, asking(Style.CODE)).pseudonymize("Jan Tolsma belde.")
        ProjectTerms(vault, PROJECT, asking(Style.CODE)).refuse_asked_style()
        ProjectTerms(vault, PROJECT, asking(Style.INITIALS)).refuse_asked_style()
        with pytest.raises(BatchError, match="two pseudonyms"):
            ProjectTerms(vault, PROJECT, asking(Style.TOKEN)).refuse_asked_style()
        vault.rollback()
