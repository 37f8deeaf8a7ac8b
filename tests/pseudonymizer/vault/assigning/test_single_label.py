"""Labels of decoys and of the second one of a split."""

import pytest

from linkage.records import PersonName
from pseudonymizer.records import Style
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.styles.code import code_of
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.splitting import Part, split
from tests.fakes import linkage_result
from tests.pseudonymizer.vault.rows.test_published import give


@pytest.mark.parametrize("style", [Style.CODE, Style.TOKEN, Style.TAG])
def test_they_look_as_those_of_other_people_where_the_project_has_codes(vault: Vault, style: Style) -> None:
    vault.ensure_project("p", ProjectSettings(style=style))
    vault.commit()
    (other,) = give(vault, style, "Jan Tolsma")
    decoy = vault.add_decoy(project="p", name=PersonName(given="Otto", family="Lok"), surface="Otto Lok")
    vault.commit()
    result = linkage_result({"d": "Els Kok en Els Mol"}, [[("d", "Els Kok"), ("d", "Els Mol")]])
    pseudonyms = vault.assign(result, project="p")
    vault.commit()
    label = next(iter(pseudonyms.values())).label
    new = split(vault, project="p", pseudonym=label, part=Part(["Els Mol"]), purpose="toets").label
    assert [code_of(one) is not None for one in (decoy, new)] == [style is Style.CODE] * 2
    assert len({other, decoy, new}) == 3
    (later,) = give(vault, style, "Piet Smit")
    assert later not in {other, decoy, new}
    assert vault.verify().findings == ()
