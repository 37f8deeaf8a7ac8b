"""What a run would make of mentions, told without a vault: it agrees with what a run then writes."""

import re
from pathlib import Path

import pytest

from linkage.kinds import LITERAL
from linkage.records import KindId
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.project_options import RunOptions
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.treatments.treatment import Treatment
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault

TEXT = (
    "Els Douma (geboren 12-03-1951) mailt els.douma@ziggo.nl of info@garage-bakker.nl, belt 06-12345678, "
    "betaalt \u20ac 1.250,00 met NL91 ABNA 0417 1643 00 op 5 augustus 2024 en woont op 8933 KT."
)
PLANS = [
    {"profile": "direct"},
    {"profile": "names"},
    {"profile": "everything", "treat": {"DATE": "month", "MONEY": "round", "POSTCODE": "first_figures"}},
    {"profile": "direct", "treat": {"PERSON": "keep", "EMAIL": "keep"}},
    {"profile": "direct", "treat": {"PERSON": "mask", "PHONE": "tag", "BANK_ACCOUNT": "category"}},
]


@pytest.mark.parametrize("asked", PLANS, ids=str)
def test_what_is_foreseen_is_what_a_run_writes(asked: dict[str, object], tmp_path: Path) -> None:
    options = ProjectOptions(load=load_fake, new_project=ProjectSettings.of_new_project())
    with make_vault(tmp_path)() as vault:
        project = Project.open(vault, PROJECT, options, **asked)  # type: ignore[arg-type]
        linked = project.link(TEXT)
        preview = project.preview(linked.result)
        written = {one.span: one for one in project.pseudonymize(TEXT)[0].mentions}
    (document,) = [one for one in linked.documents if one.is_prose]
    persons = {m.mention.span: preview.person() for m in document.mentions if m.mention.inside is None}
    values = {v.mention.span: preview.value(v) for v in document.values if v.kind != LITERAL}
    for span, foreseen in (persons | values).items():
        assert foreseen.stays == (span not in written), span.cut(TEXT)
        if foreseen.text is not None:
            pattern = re.escape(foreseen.text).replace("\u2026", "[0-9A-Z]+")
            assert re.fullmatch(pattern, written[span].label), span.cut(TEXT)


def test_kinds_are_counted_with_what_stays_of_them() -> None:
    project = Project.without_vault(
        ProjectOptions(load=load_fake, new_project=ProjectSettings.of_new_project())
    )
    linked = project.link(TEXT)
    preview = project.preview(linked.result)
    persons = [m.mention for document in linked.documents for m in document.mentions]
    kinds = preview.by_kind(persons, [v for document in linked.documents for v in document.values])
    assert {(one.kind, one.treatment, one.found, one.left_in) for one in kinds} >= {
        (KindId("PERSON"), Treatment.CODE, 2, 0),
        (KindId("EMAIL"), Treatment.FOLLOW, 2, 0),
        (KindId("DATE"), Treatment.KEEP, 1, 1),
        (KindId("MONEY"), Treatment.KEEP, 1, 1),
        (KindId("PHONE"), Treatment.CODE, 1, 0),
    }


def test_no_value_is_in_the_repr() -> None:
    project = Project.without_vault(ProjectOptions(load=load_fake))
    linked = project.link(TEXT)
    preview = project.preview(linked.result)
    told = [preview.value(value) for document in linked.documents for value in document.values]
    assert not re.search("Douma|ziggo|1951|0417", repr([preview, told, preview.person()]))


@pytest.mark.parametrize("asked", PLANS, ids=str)
def test_a_dry_run_counts_by_kind_what_a_run_then_replaces(asked: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.txt").write_text(TEXT, encoding="utf-8")
    options = ProjectOptions(load=load_fake, new_project=ProjectSettings.of_new_project())
    with make_vault(tmp_path)() as vault:
        project = Project.open(vault, PROJECT, options, **asked)  # type: ignore[arg-type]
        foreseen = project.pseudonymize_folder(tmp_path / "in", tmp_path / "out", RunOptions(dry_run=True))
        assert not (tmp_path / "out").exists()
        written = project.pseudonymize_folder(tmp_path / "in", tmp_path / "out")
    assert foreseen.kinds == written.kinds
    assert foreseen.identifiers_left_in == written.identifiers_left_in
    assert any(one.replaced for one in written.kinds)
