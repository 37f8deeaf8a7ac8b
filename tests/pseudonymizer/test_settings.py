"""The root of all settings, and docs/reference/settings.md beside it."""

import json
import re
from pathlib import Path

import pytest

from linkage.kinds import KindId
from linkage.settings import LinkageSettings, LinkingSettings
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style
from pseudonymizer.settings import (
    NEW_PROJECT_PROFILE,
    NEW_PROJECT_STYLE,
    ProjectSettings,
    Settings,
    StyleSettings,
    known_settings,
)
from pseudonymizer.treatments.asked import AskedTreatments
from pseudonymizer.treatments.treatment import Treatment, TreatmentOptions

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "settings.md"


def _read(folder: Path, text: str) -> Settings:
    place = folder / "nymlink.toml"
    place.write_text(text, encoding="utf-8")
    return Settings.from_toml(place)


def test_all_tables_are_read_at_once(tmp_path: Path) -> None:
    found = _read(
        tmp_path,
        '[linking]\nlink_threshold = 0.9\n[pseudonyms]\nstyle = "tag"\nkinds = { email = "token" }\n'
        'tag_word = "CLIENT"\n',
    )
    assert found == Settings(
        LinkageSettings(linking=LinkingSettings(link_threshold=0.9)),
        StyleSettings(Style.TAG, {"email": Style.TOKEN}, tag_word="CLIENT"),
    )


@pytest.mark.parametrize("text", ["", "[pseudonyms]\n", "[linking]\n"])
def test_without_pseudonyms_the_project_has_the_last_word(tmp_path: Path, text: str) -> None:
    assert _read(tmp_path, text).pseudonyms is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[linkng]\n", "nymlink.toml, line 1: unknown table 'linkng' of the settings; "
         "did you mean 'linking'? known: recognition, linking, kinds, pseudonyms"),
        ("[formats]\n", "nymlink.toml, line 1: unknown table 'formats' of the settings"),
        ("link_threshold = 0.9\n", "nymlink.toml, line 1: unknown table 'link_threshold' of the settings"),
        ("[pseudonyms]\nstyl = 'tag'\n", "nymlink.toml, line 2: unknown setting 'styl' of [pseudonyms]; "
         "did you mean 'style'?"),
        ("[pseudonyms]\nstyle = 'tags'\n", "nymlink.toml, line 2: style must be one of token, code, surro"),
        ("[pseudonyms]\nmark = 'yes'\n", "nymlink.toml, line 2: mark must be true or false"),
        ("[pseudonyms]\ntag_word = 'x'\n", "nymlink.toml, line 2: tag_word must be 2 to 20 capital letters"),
        ("[pseudonyms]\n[pseudonyms.kinds]\nurl = 'x'\n", "nymlink.toml, line 2: kinds.url must be one of"),
        ("[pseudonyms]\nkinds = {mail = 'tag'}\n", "nymlink.toml, line 2: unknown key 'mail' of kinds; "
         "did you mean 'email'? known: email, handle, url, path, text"),
        ("pseudonyms = 'tag'\n", "nymlink.toml, line 1: [pseudonyms] must be a table"),
        ("pseudonyms = []\n", "nymlink.toml, line 1: [pseudonyms] must be a table"),
        ("[treatments]\nprofil = 'direct'\n", "nymlink.toml, line 2: unknown setting 'profil' of "
         "[treatments]; did you mean 'profile'?"),
        ("[treatments]\nprofile = 'drect'\n", "nymlink.toml, line 2: [treatments]: unknown profile 'drect' "
         "of treatments; did you mean 'direct'? known: names, direct"),
        ("[treatments]\nage_band = 1\n", "nymlink.toml, line 2: age_band must be a whole number from"),
        ("[treatments]\nmask = 'long'\n", "nymlink.toml, line 2: mask must be one of same, fixed"),
        ("[treatments]\ntreat = 'mask'\n", "nymlink.toml, line 2: treat must be a table from kinds or"),
        ("[treatments]\n[treatments.treat]\nDATE = 'shft'\n", "nymlink.toml, line 2: [treatments]: unknown "
         "treatment 'shft' of treat; did you mean 'shift'?"),
        ("[treatments.treat]\nDTE = 'shift'\n", "nymlink.toml, line 1: unknown kind 'dte' of treat; did you "
         "mean 'date'?"),
        ("[treatments.treat]\nAGE = 'shift'\n", "nymlink.toml, line 1: treat: AGE cannot have the treatment"),
        ("[treatments.treat]\nPERSON = 'model'\n", "nymlink.toml, line 1: [treatments]: there is no "
         "treatment model: a language model"),
        ("[recognition]\nlanguage = 1\n", "nymlink.toml, line 2: language must be a language"),
        ("[linking]\nlink_threshold = 2\n", "nymlink.toml, line 2: link_threshold must be a number from 0"),
        ("[linking]\nlink_threshold = .5\n", "nymlink.toml, line 2: not TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_an_error_of_this_package_with_file_and_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        _read(tmp_path, text)
    assert str(raised.value).startswith(message)


def test_a_project_keeps_what_8952b15_stored() -> None:
    stored = (
        '{"style": "tag", "pseudonyms": {"keep_family": true, "kinds": {"url": "mask"}}, '
        '"single_approval": false, "approvals_needed": 2, "extra_approval_above": 0, "grant_minutes": 5, '
        '"limit_capacity": 3, "limit_per_hour": 4, "retention_days": null}'
    )
    found = ProjectSettings.from_mapping(json.loads(stored))
    assert found == ProjectSettings(
        Style.TAG, {"keep_family": True, "kinds": {"url": "mask"}}, single_approval=False,
        approvals_needed=2, extra_approval_above=0, grant_minutes=5, limit_capacity=3, limit_per_hour=4,
    )  # fmt: skip
    assert json.dumps(found.to_mapping()) == stored
    assert found.styles == StyleSettings(Style.TAG, {"url": Style.MASK}, keep_family=True)
    assert ProjectSettings.from_mapping(found.to_mapping()) == found


def test_a_project_stores_treatments_only_where_they_are_not_what_was_before_them() -> None:
    assert set(ProjectSettings().values()) - set(ProjectSettings().to_mapping()) == {
        "profile", "small_units", "treat", "treatments",
    }  # fmt: skip
    told = ProjectSettings(profile="clinical", treat={"ID": "mask"}, treatments={"age_band": 5})
    assert ProjectSettings.from_mapping(json.loads(json.dumps(told.to_mapping()))) == told
    new = ProjectSettings.of_new_project()
    assert (new.profile, new.style) == (NEW_PROJECT_PROFILE, NEW_PROJECT_STYLE)


def test_a_project_of_8952b15_treats_names_in_its_style() -> None:
    plan = ProjectSettings.from_mapping({"style": "tag"}).plan()
    assert plan.is_names
    assert plan.person_style is Style.TAG


def test_the_run_goes_before_the_settings_file_and_that_before_the_project() -> None:
    project = ProjectSettings(
        Style.TAG, profile="clinical", treat={"PERSON": "token", "DATE": "year"}, treatments={"age_band": 5}
    )
    assert project.plan().person_style is Style.TOKEN
    assert project.plan(StyleSettings(Style.SURROGATE)).person_style is Style.SURROGATE
    asked = AskedTreatments("hipaa", (("person", "mask"),), {"mask": "fixed"})
    plan = project.plan(StyleSettings(Style.SURROGATE), asked)
    assert plan.profile == "hipaa"
    assert plan.person_style is Style.MASK
    assert plan.of(KindId("DATE")) is Treatment.YEAR
    assert plan.options == TreatmentOptions(mask="fixed", bands="over", age_band=5, post_figures=3)


def test_persons_get_the_style_of_the_plan_and_what_else_pseudonyms_keep() -> None:
    project = ProjectSettings(Style.TAG, {"keep_family": True}, treat={"person": "surrogate"})
    assert project.styles_of(project.plan()) == StyleSettings(Style.SURROGATE, keep_family=True)
    own = StyleSettings(Style.CODE, keep_initials=True)
    assert project.styles_of(project.plan(own), own) == own


def test_a_file_says_what_it_says_of_treatments(tmp_path: Path) -> None:
    text = '[treatments]\nprofile = "direct"\nage_band = 5\ntreat = { date = "Year", ID = "mask" }\n'
    assert _read(tmp_path, text).treatments == AskedTreatments(
        "direct", (("ID", "mask"), ("date", "Year")), {"age_band": 5}
    )
    assert _read(tmp_path, "").treatments == AskedTreatments()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"approvals_neded": 2}, "unknown setting 'approvals_neded' of the project; "
         "did you mean 'approvals_needed'?"),
        ({"approvals_needed": 0}, "approvals_needed must be a whole number, 1 or more"),
        ({"single_approval": 1}, "single_approval must be true or false"),
        ({"retention_days": -1}, "retention_days must be a whole number, 0 or more"),
        ({"retention_days": True}, "retention_days must be a whole number, 0 or more"),
        ({"profile": "direkt"}, "the project: unknown profile 'direkt' of treatments; did you mean"),
        ({"profile": None}, "profile must be the name of a profile"),
        ({"treat": {"PHON": "mask"}}, "unknown kind 'phon' of treat; did you mean 'phone'?"),
        ({"treat": {"PHONE": "shift"}}, "treat: PHONE cannot have the treatment shift"),
        ({"treatments": {"age_bnd": 5}}, "unknown setting 'age_bnd' of treatments; did you mean 'age_band'?"),
        ({"treatments": {"profile": "direct"}}, "unknown setting 'profile' of treatments;"),
        ({"pseudonyms": 3}, "pseudonyms must be a table"),
        ({"pseudonyms": {"keep": True}}, "unknown setting 'keep' of pseudonyms"),
    ],
)  # fmt: skip
def test_wrong_settings_of_a_project_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        ProjectSettings.from_mapping(values)
    assert str(raised.value).startswith(message)


def test_the_page_of_settings_has_every_key_as_it_is() -> None:
    table = ""
    rows: set[tuple[str, str]] = set()
    # A link on the page stands for the file that the code names.
    page = re.sub(
        r"\[[^]]+\]\(([\w./-]+\.md)\)",
        lambda link: str((PAGE.parent / link[1]).resolve().relative_to(PAGE.parents[2])),
        PAGE.read_text(encoding="utf-8"),
    )
    for line in page.splitlines():
        if line.startswith("## "):
            heading = re.fullmatch(r"## `\[(\w+)\]`", line)
            table = heading[1] if heading else ""
        elif line.startswith("| `"):
            rows.add((table, line))
    expected = {
        (table, f"| `{s.key}` | {s.kind} | {f'`{s.default}`' if s.default else ''} | {s.meaning} |")
        for table, s in known_settings()
    }
    assert rows - expected == set()
    assert expected - rows == set()
