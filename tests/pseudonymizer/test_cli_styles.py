"""`nymlink run` with options of styles and formats: each style, what is kept, columns, unread content."""

import json
import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pseudonymizer.cli import app, options
from pseudonymizer.records import Style
from tests.pseudonymizer.batch_fakes import load_fake

STORE = ("--vault", "sqlite:///v.db", "--key-file", "k.key", "--project", "p")
TOKEN = re.compile(r"P1-[0-9A-Z]{20}")
TAG = re.compile(r"<PERSOON-\d+>")
LETTER = "Sanne de Boer belde Piet Mulder (piet.mulder@nergenshuizen.nl).\r\nPiet Mulder belde terug.\r\n"

Nymlink = Callable[..., Result]


@pytest.fixture
def nymlink(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Nymlink:
    """Runs the command with the fake pipeline, in tmp_path with a new vault."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NYMLINK_KEY_FILE", raising=False)
    monkeypatch.setattr(options, "pipeline_loader", lambda _: load_fake)

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments], catch_exceptions=False)

    made = command("vault", "init", "--vault", "sqlite:///v.db", "--key-file", "k.key")
    assert made.exit_code == 0
    return command


def written(folder: Path, name: str, content: str | bytes) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def outputs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def one_output(folder: Path) -> str:
    (raw,) = outputs(folder).values()
    return raw.decode()


def restored(nymlink: Nymlink, tmp_path: Path) -> dict[str, bytes]:
    back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE)
    assert back.exit_code == 0
    return outputs(tmp_path / "back")


@pytest.mark.parametrize(
    ("style", "looks"),
    [
        ("token", f"({TOKEN.pattern}) belde ({TOKEN.pattern})"),
        ("tag", f"({TAG.pattern}) belde ({TAG.pattern})"),
        ("surrogate", r"([A-Z]\w+ (?:[a-z]+ )*[A-Z]\w+) belde ([A-Z]\w+ (?:[a-z]+ )*[A-Z]\w+)"),
        ("mask", r"(\[NAAM\]) belde (\[NAAM\])"),
        ("initials", r"(S\.d\.B\.) belde (P\.M\.)"),
    ],
)
def test_each_style_has_its_looks(nymlink: Nymlink, tmp_path: Path, style: str, looks: str) -> None:
    written(tmp_path / "in", "a.txt", LETTER)
    done = nymlink("run", "in", "--out", "out", "--style", style, *STORE)
    assert done.exit_code == 0, done.output
    text = one_output(tmp_path / "out")
    first = re.match(looks, text)
    assert first is not None
    assert first[2] in text.split("\r\n")[1]
    assert "ulder" not in text
    if style in ("mask", "initials"):
        back = nymlink("restore", "out", "--out", "back", "--purpose", "test", *STORE)
        assert back.stdout.strip() == "1 one-way"
    else:
        assert restored(nymlink, tmp_path) == {"a.txt": LETTER.encode()}


def test_an_unknown_style_is_wrong_usage(nymlink: Nymlink, tmp_path: Path) -> None:
    written(tmp_path / "in", "a.txt", LETTER)
    for wrong in (("--style", "rot13"), ("--keep", "everything")):
        assert nymlink("run", "in", "--out", "out", *wrong, *STORE).exit_code == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("style", ["token", "tag"])
def test_what_only_looks_like_a_tag_or_token_is_escaped_and_comes_back(
    nymlink: Nymlink, tmp_path: Path, style: str
) -> None:
    text = "Zie <PERSOON-41>, <PERSOON-1> en P1-0123456789ABCDEFGHJK: Sanne de Boer.\n"
    written(tmp_path / "in", "a.txt", text)
    done = nymlink("run", "in", "--out", "out", "--style", style, "--json", *STORE)
    report = json.loads(done.stdout)
    hidden = one_output(tmp_path / "out")
    labels = (TAG if style == "tag" else TOKEN).findall(hidden)
    assert len(labels) == len(set(labels))
    assert report["tokens"]["escaped"] if "tokens" in report else report["tokens_escaped"]
    assert "Boer" not in hidden
    assert restored(nymlink, tmp_path) == {"a.txt": text.encode()}
    again = nymlink("run", "out", "--out", "again", "--style", style, *STORE)
    assert again.exit_code == 0
    assert outputs(tmp_path / "again") == outputs(tmp_path / "out")


def test_kept_initials_begin_as_the_name_does(nymlink: Nymlink, tmp_path: Path) -> None:
    written(tmp_path / "in", "a.txt", LETTER)
    nymlink("run", "in", "--out", "out", "--style", "surrogate", "--keep", "initials", *STORE)
    words = one_output(tmp_path / "out").split(" belde ")[0].split()
    assert (words[0][0], words[-1][0]) == ("S", "B")
    assert words != ["Sanne", "de", "Boer"]


def test_relatives_keep_one_family_name(nymlink: Nymlink, tmp_path: Path) -> None:
    written(tmp_path / "in", "a.txt", "Sanne Mulder belde Piet Mulder en Els Tolsma.\n")
    keep = ("--style", "surrogate", "--keep", "family", "--keep", "domain")
    nymlink("run", "in", "--out", "out", *keep, *STORE)
    found = re.fullmatch(r"(.+) belde (.+) en (.+)\.\n", one_output(tmp_path / "out"))
    assert found is not None
    families = [person.split()[-1] for person in found.groups()]
    assert families[0] == families[1] != families[2]


@pytest.mark.parametrize(
    ("keep", "domain"), [((), "nymlink.example"), (("--keep", "domain"), "nergenshuizen.nl")]
)
def test_domains_stay_when_asked(
    nymlink: Nymlink, tmp_path: Path, keep: tuple[str, ...], domain: str
) -> None:
    written(tmp_path / "in", "a.txt", LETTER)
    nymlink("run", "in", "--out", "out", *keep, *STORE)
    assert f"@{domain})" in one_output(tmp_path / "out")


def test_only_the_columns_asked_for_are_treated(nymlink: Nymlink, tmp_path: Path) -> None:
    table = "nr;naam;notitie\r\n1;Sanne de Boer;bel Piet Mulder\r\n2;Els Tolsma;geen\r\n"
    written(tmp_path / "in", "a.csv", table)
    done = nymlink("run", "in", "--out", "out", "--column", "naam", "--json", *STORE)
    assert json.loads(done.stdout)["mentions"] == 2
    text = one_output(tmp_path / "out")
    assert text.startswith("nr;naam;notitie\r\n1;PERSOON-")
    assert ";bel Piet Mulder\r\n" in text
    assert "Boer" not in text
    assert "Tolsma" not in text
    assert restored(nymlink, tmp_path) == {"a.csv": table.encode()}


def test_what_cannot_be_read_fails_or_is_kept_and_counted(nymlink: Nymlink, tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "Sanne de Boer <x@voorbeeld.test>", "Iets"
    message.set_content("Groet, Sanne de Boer\n")
    message.add_attachment(b"\x00\x01\x02\xfe", maintype="application", subtype="x-unknown", filename="a.bin")
    raw = message.as_bytes()
    written(tmp_path / "in", "a.eml", raw)
    refused = nymlink("run", "in", "--out", "out", *STORE)
    assert refused.exit_code == 4
    assert outputs(tmp_path / "out") == {}
    kept = nymlink("run", "in", "--out", "kept", "--keep-unread", "--json", *STORE)
    assert kept.exit_code == 0, kept.output
    assert sum(json.loads(kept.stdout)["unread"].values()) == 1
    assert b"Boer" not in outputs(tmp_path / "kept")["a.eml"]
    told = nymlink("run", "in", "--out", "kept", "--keep-unread", *STORE).stdout
    assert "  a.eml: attachment (part 3)\n" in told
    back = nymlink("restore", "kept", "--out", "back", "--purpose", "test", *STORE)
    assert back.exit_code == 0
    assert outputs(tmp_path / "back") == {"a.eml": raw}


def test_senders_and_contact_cards_of_a_chat_are_names(nymlink: Nymlink, tmp_path: Path) -> None:
    """The fake detector finds pairs of names only: "Yara" is known from the format alone."""
    chat = (
        "03-05-2024 10:00 - Yara: Jan Terpstra.vcf (bestand bijgevoegd)\r\n"
        "03-05-2024 10:01 - Yara: IMG-20240503-WA0001.jpg (bestand bijgevoegd)\r\n"
        "03-05-2024 10:02 - +31 6 12345678: dank\r\n"
    )
    written(tmp_path / "in", "chat.txt", chat)
    nymlink("run", "in", "--out", "out", *STORE)
    text = one_output(tmp_path / "out")
    sender, card, same_sender = re.findall(r"PERSOON-\w{5}", text)
    (number,) = re.findall(r"TELEFOON-\w{5}", text)
    assert sender == same_sender != card
    expected = chat.replace("Yara", sender).replace("Jan Terpstra", card)
    assert text == expected.replace("+31 6 12345678", number)
    assert restored(nymlink, tmp_path) == {"chat.txt": chat.encode()}


@pytest.mark.parametrize("style", ["token", "tag", "surrogate"])
@pytest.mark.parametrize(("scope", "within", "over"), [("document", 1, 2), ("occurrence", 2, 3)])
def test_styles_in_smaller_scopes(
    nymlink: Nymlink, tmp_path: Path, *, style: str, scope: str, within: int, over: int
) -> None:
    """One person, twice in one document and once in another: as many pseudonyms as the scope says."""
    texts = {"a.txt": "Sanne de Boer; Sanne de Boer\n", "b.txt": "Sanne de Boer\n"}
    for name, text in texts.items():
        written(tmp_path / "in", name, text)
    done = nymlink("run", "in", "--out", "out", "--style", style, "--scope", scope, *STORE)
    assert done.exit_code == 0, done.output
    found = {name: raw.decode().strip() for name, raw in outputs(tmp_path / "out").items()}
    assert len(set(found["a.txt"].split("; "))) == within
    assert len({*found["a.txt"].split("; "), found["b.txt"]}) == over
    assert restored(nymlink, tmp_path) == {name: text.encode() for name, text in texts.items()}


@pytest.mark.parametrize(("flag", "marked"), [((), 1), (("--no-mark",), 0)])
def test_outputs_say_that_they_are_pseudonymized(
    nymlink: Nymlink, tmp_path: Path, flag: tuple[str, ...], marked: int
) -> None:
    page = "<html><head></head><body>Piet Mulder</body></html>\n"
    written(tmp_path / "in", "a.html", page)
    written(tmp_path / "in", "b.txt", LETTER)
    written(tmp_path / "in", "c.html", page.replace("Piet Mulder", "niemand"))
    assert nymlink("run", "in", "--out", "out", *flag, *STORE).exit_code == 0
    report = json.loads((tmp_path / "out" / ".nymlink" / "report.json").read_bytes())
    assert report["marked"] == marked
    assert report["unmarked"] == ({"txt": 1} if marked else {"html": 1, "txt": 1})
    shown = (tmp_path / "out" / ".nymlink" / "report.html").read_text()
    assert "not marked: txt" in shown
    assert (b'content="pseudonymized"' in outputs(tmp_path / "out")["a.html"]) is bool(marked)
    assert restored(nymlink, tmp_path)["a.html"] == page.encode()


def test_a_new_project_of_the_command_gets_the_style_of_new_projects(
    nymlink: Nymlink, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one switch; a project that is there keeps its style."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Jan Tolsma belde.")
    with monkeypatch.context() as before:
        before.setattr("pseudonymizer.settings.NEW_PROJECT_STYLE", Style.TOKEN)
        before.setattr("pseudonymizer.settings.NEW_PROJECT_PROFILE", "names")
        nymlink("run", "in", "--out", "old", *STORE)
    nymlink("run", "in", "--out", "again", *STORE)
    assert (tmp_path / "again" / "a.txt").read_text().startswith("P1-")
    assert (tmp_path / "again" / "a.txt").read_bytes() == (tmp_path / "old" / "a.txt").read_bytes()
    nymlink("run", "in", "--out", "new", *STORE[:-1], "new")
    assert (tmp_path / "new" / "a.txt").read_text().startswith("PERSOON-")


def test_a_deterministic_run_says_that_it_writes_tokens_for_codes(nymlink: Nymlink, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Jan Tolsma belde.")
    done = nymlink("run", "in", "--out", "out", "--style", "code", "--deterministic", *STORE)
    assert "deterministic pseudonyms cannot be codes, which count up: tokens were written" in done.output
    assert (tmp_path / "out" / "a.txt").read_text().startswith("P1-")
    done = nymlink("run", "in", "--out", "codes", "--style", "code", "--restyle", *STORE)
    assert "deterministic" not in done.output
