"""Edited and pasted text: every whole label comes back, nobody becomes somebody else, the rest is listed."""

import itertools
import json
import random
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final

import pytest

from pseudonymizer.assignment import one_person_a_key
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import BatchError
from pseudonymizer.records import LabelState, Style
from pseudonymizer.runs.edited import LabelCounts
from pseudonymizer.runs.restore import BY_LABELS, EXACT, UNTOUCHED, Restoration, RestoredText
from pseudonymizer.settings import StyleSettings
from pseudonymizer.styles.name_forms import parse_label
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, make_vault
from tests.pseudonymizer.engine.records_by_hand import mention
from tests.pseudonymizer.runs.test_styles import run
from tests.pseudonymizer.vault.rows.test_published import give

Opened = Callable[[], AbstractContextManager[Vault]]
NAMES: Final = [
    f"{given} {family}"
    for given, family in itertools.product(
        ("Sanne", "Piet", "Roelien", "Thijmen", "Marleen"),
        ("Wiersma", "Hoekstra", "Bouwma", "Tolsma", "Dijkema"),
    )
]
TEXT: Final = "Sanne de Boer belde Piet Mulder. Daarna belde Piet Mulder ook Kees Bos.\n"


@pytest.fixture
def opened(tmp_path: Path) -> Any:
    return make_vault(tmp_path / "vault")


def written(opened: Any, folder: Path, style: Style) -> bytes:
    (folder / "in").mkdir()
    (folder / "in" / "a.txt").write_text(TEXT)
    run(folder, opened, "in", "out", StyleSettings(style))
    return (folder / "out" / "a.txt").read_bytes()


def restored(opened: Any, text: str, **how: Any) -> RestoredText:
    return Restoration(opened, PROJECT, "test", **how).restored_text(text.encode())


# -- a thousand answers --------------------------------------------------------------------------------------

Alter = Callable[[str], str]
WHOLE: Final[dict[Style, dict[str, Alter]]] = {
    Style.CODE: {
        "as it is": str,
        "small": str.lower,
        "title": lambda label: label.title(),
        "without word": lambda label: label.partition("-")[2],
        "escaped": lambda label: label.replace("-", "\\-"),
        "other hyphen": lambda label: label.replace("-", "\u2011"),
        "soft hyphen": lambda label: f"{label[:10]}\u00ad{label[10:]}",
        "no width": lambda label: f"{label[:11]}\u200b{label[11:]}",
        "line end": lambda label: label.replace("-", "-\n"),
        "line end inside": lambda label: f"{label[:10]}\n{label[10:]}",
        "no hyphen": lambda label: label.replace("-", " "),
        "underscore": lambda label: label.replace("-", "_"),
    },
    Style.TOKEN: {
        "as it is": str,
        "small": str.lower,
        "escaped": lambda label: label.replace("-", "\\-"),
        "other hyphen": lambda label: label.replace("-", "\u2011"),
        "dash": lambda label: label.replace("-", "\u2013"),
        "line end": lambda label: f"{label[:10]}\n{label[10:]}",
        "no hyphen": lambda label: label.replace("-", ""),
        "underscore": lambda label: label.replace("-", "_"),
        "no width": lambda label: f"{label[:11]}\u200b{label[11:]}",
    },
    Style.TAG: {
        "as it is": str,
        "title": lambda label: label.replace("PERSOON", "Persoon"),
        "escaped": lambda label: label.replace("<", "\\<").replace(">", "\\>"),
        "html": lambda label: label.replace("<", "&lt;").replace(">", "&gt;"),
        "no brackets": lambda label: label.strip("<>"),
        "square brackets": lambda label: f"[{label.strip('<>')}]",
        "other hyphen": lambda label: label.replace("-", "\u2011"),
        "line end": lambda label: label.replace("-", "-\n"),
        "underscore": lambda label: label.replace("-", "_"),
    },
}
AROUND: Final = (
    "Dan {} en verder.", "**{}** belde", "`{}`", "({})", "Dat is {}'s auto", "_{}_", "- {}: ja", "<b>{}</b>",
    "{}",
    "Volgens {}, die kwam", '{{"wie": "{}"}}', "| {} | 3 |", "> {}\n> kwam", "Dat is {}s auto.",
)  # fmt: skip


def swapped(label: str, source: random.Random) -> str:
    places = [at for at in range(9, len(label)) if label[at].isalnum()]
    one, other = source.choice([p for p in itertools.combinations(places, 2) if label[p[0]] != label[p[1]]])
    letters = list(label)
    letters[one], letters[other] = label[other], label[one]
    return "".join(letters)


def wrong(label: str, source: random.Random) -> str:
    at = source.choice([at for at in range(9, len(label)) if label[at].isalnum()])
    return label[:at] + source.choice([c for c in "23456789ABCDEFGH" if c != label[at]]) + label[at + 1 :]


def lost(label: str, source: random.Random) -> str:
    at = source.choice([at for at in range(9, len(label)) if label[at].isalnum()])
    return label[:at] + label[at + 1 :]


def never_given(label: str, source: random.Random) -> str:
    del source
    return label.replace(label.strip("<>").rpartition("-")[2], "99")


def translated(label: str, source: random.Random) -> str:
    del source
    return label.replace("PERSOON", "PERSON")


BROKEN: Final[dict[Style, tuple[Callable[[str, random.Random], str], ...]]] = {
    Style.CODE: (wrong, swapped, lost),
    Style.TOKEN: (wrong, swapped, lost),
    Style.TAG: (never_given, translated),
}


@pytest.mark.slow  # sixty answers in every run: tests/pseudonymizer/test_thousand_answers.py
@pytest.mark.parametrize("style", [Style.CODE, Style.TOKEN, Style.TAG])
def test_a_thousand_altered_answers(opened: Any, style: Style) -> None:
    source = random.Random(str(style))  # noqa: S311  a test's
    with opened() as vault:
        labels = give(vault, style, *NAMES, project=PROJECT)
        foreign = give(vault, style, *NAMES, project="een ander") if style is Style.CODE else []
        _alter(
            lambda: nullcontext(vault), style, labels, [one for one in foreign if one not in labels], source
        )


def _alter(
    opened: Opened, style: Style, labels: list[str], foreign: list[str], source: random.Random
) -> None:
    behind = dict(zip(labels, NAMES, strict=True))
    for number in range(1_000):
        label = source.choice(labels)
        around = AROUND[number % len(AROUND)]
        if number % 4 == 3:
            if foreign and number % 8 == 3:
                altered = source.choice(foreign)
            else:
                altered = source.choice(BROKEN[style])(label, source)
            text = around.format(altered)
            back = restored(opened, text)
            assert (back.content.decode(), back.labels.restored) == (text, 0), altered
            assert back.labels.labels_left == 1, altered
            continue
        way = source.choice(sorted(WHOLE[style]))
        altered = WHOLE[style][way](label)
        if way.startswith("line end") and around.startswith(("|", '{{"wie"')):
            altered = label
        back = restored(opened, around.format(altered))
        assert back.content.decode() == around.format(behind[label]), (way, around)
        assert back.labels == LabelCounts(1), (way, around)


# -- tags and invented names ---------------------------------------------------------------------------------


def test_a_tag_that_another_project_has_issued_needs_the_users_word(opened: Any) -> None:
    with opened() as vault:
        give(vault, Style.TAG, "Sanne Wiersma", "Piet Bouwma", project=PROJECT)
        give(vault, Style.TAG, "Kees Tolsma", project="een ander")
    text = "<PERSOON-1> en <PERSOON-2>"
    back = restored(opened, text)
    assert back.content.decode() == "<PERSOON-1> en Piet Bouwma"
    assert back.labels.left == {("<PERSOON-1>", LabelState.SHARED): 1}
    assert restored(opened, text, is_confirmed=True).content.decode() == "Sanne Wiersma en Piet Bouwma"


def test_invented_names_come_back_where_the_output_is_known(opened: Any, tmp_path: Path) -> None:
    raw = written(opened, tmp_path, Style.SURROGATE)
    sanne, _, rest = raw.decode().partition(" belde ")
    piet = rest.partition(".")[0]
    given, family = sanne.split()[0], sanne.split()[-1]
    text = f"{sanne} en {piet.upper()}, X. {family}, {given[:-1]}x {family}"
    assert restored(opened, text).how == UNTOUCHED
    assert restored(opened, text, is_confirmed=True).how == UNTOUCHED
    back = restored(opened, text, made_from=[raw])
    assert back.content.decode() == f"Sanne de Boer en PIET MULDER, X. {family}, {given[:-1]}x {family}"
    assert (back.labels.restored, back.labels.unknown) == (2, (sanne,))
    with pytest.raises(BatchError, match="output 1"):
        restored(opened, text, made_from=[raw + b" "])


def test_a_real_bearer_of_an_invented_name_never_becomes_somebody_else(opened: Any, tmp_path: Path) -> None:
    raw = written(opened, tmp_path, Style.SURROGATE)
    sanne = raw.decode().partition(" belde ")[0]
    bearer = mention("d1", f"Heden kwam {sanne} langs.", sanne, name=parse_label(sanne))
    with opened() as vault:
        vault.assign(one_person_a_key([bearer], lambda one: one.mention_id), project=PROJECT)
        vault.commit()
    back = restored(opened, f"Heden kwam {sanne} langs, zei ze.", made_from=[raw])
    assert (back.how, back.labels.unknown) == (UNTOUCHED, (sanne,))


# -- what is written -----------------------------------------------------------------------------------------


def test_a_name_with_quotes_does_not_break_json(opened: Any) -> None:
    name = 'Jan "Jos" Tolsma'
    with opened() as vault:
        (label,) = give(vault, Style.CODE, name, project=PROJECT)
    for text in (f'{{"naam": "{label}"}}', f'Kijk:\n```json\n{{"naam": "{label}"}}\n```'):
        back = restored(opened, text).content.decode()
        assert json.loads(back[back.index("{") : back.rindex("}") + 1]) == {"naam": name}
    assert restored(opened, f"{label} belde").content.decode() == f"{name} belde"


def test_a_line_end_of_a_form_does_not_come_back_with_the_name(opened: Any) -> None:
    with opened() as vault:
        (label,) = give(vault, Style.CODE, "Anouk\nVisser", project=PROJECT)
        found = vault.reveal(project=PROJECT, pseudonyms=[label], purpose="test")[label]
    assert restored(opened, f"Bel {label}.").content == b"Bel Anouk Visser."
    assert (found.name, found.forms) == ("Anouk Visser", ("Anouk\nVisser",))


def test_labels_of_files_are_counted_together(opened: Any, tmp_path: Path) -> None:
    raw = written(opened, tmp_path, Style.CODE).decode()
    (tmp_path / "edited").mkdir()
    (tmp_path / "edited" / "a.txt").write_text(raw + "Zie PERSOON-22A, <PERSOON-7> en nog eens PERSOON-22A.")
    (tmp_path / "edited" / "b.txt").write_text("PERSOON-22A")
    report = Restoration(opened, PROJECT, "test").files(
        find_sources([tmp_path / "edited"]), tmp_path / "back"
    )
    assert (report.counts[BY_LABELS], report.counts[UNTOUCHED]) == (1, 1)
    assert (report.labels.restored, report.labels_left) == (4, 4)
    assert report.labels.left[("PERSOON-22A", LabelState.MALFORMED)] == 3
    assert (report.labels.unknown, report.labels.malformed) == (("<PERSOON-7>",), ("PERSOON-22A",))
    assert (tmp_path / "back" / "a.txt").read_text().startswith(TEXT)


def test_a_grant_covers_no_edited_text(opened: Any, tmp_path: Path) -> None:
    raw = written(opened, tmp_path, Style.CODE).decode()
    with opened() as vault:
        asked = vault.request_restore(project=PROJECT, outputs=[raw.encode()], purpose="test")
        vault.approve(asked.request_id)
        permit = vault.grant(asked.request_id)
    (tmp_path / "out" / "b.txt").write_text(raw + "x")
    report = Restoration(opened, PROJECT, "test", grant=permit).files(
        find_sources([tmp_path / "out"]), tmp_path / "back"
    )
    assert (report.counts[EXACT], report.counts[UNTOUCHED]) == (1, 1)
    assert (report.labels.restored, report.labels_left) == (0, 4)
