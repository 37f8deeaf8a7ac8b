"""Runs in every style: nothing of a name stays, the way back holds, a second run changes nothing."""

import re
from pathlib import Path
from typing import Any

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.records import Style
from pseudonymizer.runs.restore import BY_LABELS, ONE_WAY, Restoration
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.verification import verify
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch

TEXTS = {
    "a.txt": "Sanne de Boer belde Piet Mulder (piet.mulder@voorbeeld.test).\r\n",
    "Brief Piet Mulder.txt": "hallo Piet Mulder,\nGroet, Sanne de Boer\n",
}
NAMES = ("Sanne", "Boer", "Piet", "Mulder", "mulder")


def run(folder: Path, opened: Any, source: str, target: str, styles: StyleSettings, **more: Any) -> Any:
    settings = BatchSettings(PROJECT, styles=styles, **more)
    sources = find_sources([folder / source], output=folder / target)
    return new_batch(sources, folder / target, settings, load=load_fake, open_vault=opened).run()


def outputs(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def write(folder: Path) -> None:
    (folder / "in").mkdir()
    for name, text in TEXTS.items():
        (folder / "in" / name).write_bytes(text.encode())


@pytest.mark.parametrize("style", list(Style))
def test_every_style_hides_restores_and_repeats(tmp_path: Path, style: Style) -> None:
    write(tmp_path)
    opened = make_vault(tmp_path / "vault")
    report = run(tmp_path, opened, "in", "out", StyleSettings(style))
    found = outputs(tmp_path / "out")
    assert len(found) == 2
    for name, raw in found.items():
        hidden = name + raw.decode()
        assert not [real for real in NAMES if real in hidden]
    run(tmp_path, opened, "out", "again", StyleSettings(style))
    assert outputs(tmp_path / "again") == found
    back = Restoration(opened, PROJECT, "test").files(find_sources([tmp_path / "out"]), tmp_path / "back")
    if StyleSettings(style).is_one_way:
        assert report.way_back.startswith("none")
        assert back.counts[ONE_WAY] == 2
        assert outputs(tmp_path / "back") == found
        with opened() as vault:
            assert isinstance(vault, Vault)
            assert vault.known_identities(PROJECT) == ()
    else:
        assert outputs(tmp_path / "back") == {name: text.encode() for name, text in TEXTS.items()}


def test_codes_of_the_project_stay_and_foreign_ones_are_text(tmp_path: Path) -> None:
    write(tmp_path)
    opened = make_vault(tmp_path / "vault")
    run(tmp_path, opened, "in", "out", StyleSettings(Style.CODE))
    text = outputs(tmp_path / "out")["a.txt"].decode()
    sanne = text.split(" belde ")[0]
    assert re.fullmatch("PERSOON-[0-9A-Z]{5}", sanne)
    wrong = sanne[:-1] + ("2" if sanne[-1] != "2" else "3")
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "b.txt").write_text(f"{sanne} en {wrong} en Piet Mulder.")
    for style in (Style.CODE, Style.TOKEN):
        report = run(tmp_path, opened, "later", f"later-{style}", StyleSettings(style))
        (again,) = outputs(tmp_path / f"later-{style}").values()
        assert again.decode().startswith(f"{sanne} en {wrong} en P")
        assert (report.tokens_kept, report.tokens_escaped) == (1, 0)
        assert "Piet" not in again.decode()


def test_a_word_of_ones_own(tmp_path: Path) -> None:
    write(tmp_path)
    opened = make_vault(tmp_path / "vault")
    styles = StyleSettings(Style.CODE, tag_word="CLIENT")
    run(tmp_path, opened, "in", "out", styles)
    found = outputs(tmp_path / "out")
    assert found["a.txt"].startswith(b"CLIENT-")
    run(tmp_path, opened, "out", "again", styles)
    assert outputs(tmp_path / "again") == found


@pytest.mark.parametrize("kinds", [{}, {"email": Style.CODE}])
def test_deterministic_pseudonyms_are_tokens_in_place_of_codes(
    tmp_path: Path, kinds: dict[str, Style]
) -> None:
    write(tmp_path)
    opened = make_vault(tmp_path / "vault")
    styles = StyleSettings(Style.CODE, kinds)
    report = run(tmp_path, opened, "in", "out", styles, deterministic=True)
    assert outputs(tmp_path / "out")["a.txt"].startswith(b"P1-")
    assert report.tokens_for_codes
    assert report.styles["style"] == "token"
    assert not run(tmp_path, opened, "in", "two", StyleSettings(), deterministic=True).tokens_for_codes


@pytest.mark.parametrize("style", [Style.TAG, Style.CODE, Style.SURROGATE])
def test_pasted_text_comes_back(tmp_path: Path, style: Style) -> None:
    write(tmp_path)
    opened = make_vault(tmp_path / "vault")
    run(tmp_path, opened, "in", "out", StyleSettings(style))
    text = next(raw for raw in outputs(tmp_path / "out").values() if b"Groet" in raw)
    pasted = b"In een mail: " + text.split(b"Groet, ")[1].strip() + b" zei dat."
    origin = [text] if style is Style.SURROGATE else []
    how, back = Restoration(opened, PROJECT, "test", made_from=origin).text(pasted)
    assert (how, back) == (BY_LABELS, b"In een mail: Sanne de Boer zei dat.")


def test_kinds_may_have_a_style_of_their_own(tmp_path: Path) -> None:
    write(tmp_path)
    opened = make_vault(tmp_path / "vault")
    styles = StyleSettings(Style.SURROGATE, {"email": Style.TOKEN}, keep_domain=True)
    run(tmp_path, opened, "in", "out", styles)
    written = b"".join(outputs(tmp_path / "out").values()).decode()
    assert "(P1-" in written
    assert "@voorbeeld.test)" in written


def test_deterministic_surrogates_are_the_same_in_any_order(tmp_path: Path) -> None:
    write(tmp_path)
    opened = make_vault(tmp_path / "vault")
    run(tmp_path, opened, "in", "out", StyleSettings(Style.SURROGATE), deterministic=True)
    first = outputs(tmp_path / "out")
    run(tmp_path, opened, "in", "other", StyleSettings(Style.SURROGATE), deterministic=True)
    assert outputs(tmp_path / "other") == first


def test_surrogates_that_became_real_names_are_counted(tmp_path: Path) -> None:
    write(tmp_path)
    opened = make_vault(tmp_path / "vault")
    run(tmp_path, opened, "in", "out", StyleSettings(Style.SURROGATE))
    text = outputs(tmp_path / "out")["a.txt"].decode()
    invented = text.split(" belde ")[0].split()[-1]
    with opened() as vault:
        assert isinstance(vault, Vault)
        before = verify(vault)
    assert before.checked["surrogate_clashes"] == 0
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "b.txt").write_text(f"Kees {invented} kwam langs.")
    report = run(tmp_path, opened, "later", "out2", StyleSettings(Style.SURROGATE))
    with opened() as vault:
        assert isinstance(vault, Vault)
        after = verify(vault)
    assert report.surrogate_clashes == after.checked["surrogate_clashes"] == 1
    assert after.findings == before.findings == ()


@pytest.mark.parametrize("style", [Style.TOKEN, Style.TAG, Style.CODE, Style.SURROGATE])
def test_addresses_in_pasted_text_come_back(tmp_path: Path, style: Style) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(
        b"Piet Mulder (p.mulder@ergens.nl) en Sanne de Boer, sanne.de.boer@een.nl of s.deboer@twee.nl"
    )
    opened = make_vault(tmp_path / "vault")
    run(tmp_path, opened, "in", "out", StyleSettings(style))
    raw = outputs(tmp_path / "out")["a.txt"]
    text = raw.decode()
    piet, sanne = text.split("(")[1].split(")")[0], text.split(", ")[1].split(" of")[0]
    assert piet.endswith("@nymlink.example")
    how, back = Restoration(opened, PROJECT, "test", made_from=[raw]).text(
        f"Mail {piet}, niet {sanne}.".encode()
    )
    assert how == BY_LABELS
    assert back.startswith(b"Mail p.mulder@ergens.nl, niet ")
    assert b"@een.nl" not in back  # two addresses are behind it: which one, nobody can tell
