"""Who has another name than the one that is looked up and may be meant is told, and nobody else."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake, make_vault


def judged(name: str, others: Sequence[str]) -> list[float]:
    """One person where the given name and one family name agree."""
    first, *families = name.split()
    return [0.988 if one.split()[0] == first and set(families) & set(one.split()) else 0.02 for one in others]


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with make_vault(tmp_path / "vault")() as opened:
        project = Project.open(opened, "p", ProjectOptions(load=load_fake))
        project.pseudonymize(["Jan Tolsma belde Els Mol.", "Zoë Mulder kwam."])
        yield opened


def test_a_fuller_name_is_told_with_its_probability(vault: Vault) -> None:
    found = vault.lookup(project="p", name="Jan Visser Tolsma", purpose="inzage", judge=judged)
    assert (found.pseudonyms, found.documents) == ((), 0)
    (likely,) = found.likely
    assert (likely.probability, likely.documents, len(likely.pseudonyms)) == (0.988, 1, 1)
    exact = vault.lookup(project="p", name="Jan Tolsma", purpose="inzage", judge=judged)
    assert (exact.pseudonyms, exact.documents) == (likely.pseudonyms, likely.documents)
    assert exact.likely == ()


def test_without_a_judge_nobody_else_is_told(vault: Vault) -> None:
    assert vault.lookup(project="p", name="Jan Visser Tolsma", purpose="inzage").likely == ()


def test_whom_an_answer_tells_of_is_on_record_without_names(vault: Vault) -> None:
    found = vault.lookup(project="p", name="Jan Visser Tolsma", purpose="inzage", judge=judged)
    event = list(vault.audit_events())[-1]
    assert event.subjects == found.likely[0].pseudonyms
    assert "Tolsma" not in str(event)


def test_the_shipped_linker_knows_a_name_with_a_partner() -> None:
    judge = Project.without_vault()._judged
    likely, other = judge("Sanne Bakker", ["Sanne Bakker-de Vries", "Piet Bos"])
    assert likely > 0.9
    assert other < 0.5
