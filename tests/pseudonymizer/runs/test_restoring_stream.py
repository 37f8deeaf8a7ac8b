"""Streams: however a text is cut, it comes back as in one piece; little is held; the record comes first."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pseudonymizer.errors import PurposeRequiredError, ReceiptInvalidError, SettingsError, VaultClosedError
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import LabelState, Style
from pseudonymizer.runs.restoring_stream import RestoringStream, StreamNotation
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake, make_vault
from tests.pseudonymizer.runs.test_edited import AROUND, WHOLE

TEXT = "Sanne Wiersma belde Piet Douma. Daarna belde Piet Douma ook Kees Tolsma. Mail sanne.wiersma@zorg.nl."
STYLES = (Style.CODE, Style.TOKEN, Style.TAG, Style.SURROGATE)
NOISE = (
    " ", "\n", "\r\n", " \n > ", "Dat was zo. ", "P1-", "PERSOON", "PERSOON-", "<", "&lt;", "<br />",
    "\u00ad", "-", "persoon 3 ", "7KQM3 ", "Q2", "Aan de heer ", "x" * 70, "https://a.nl/?b=", "@", "J. ",
    ", J. ", "\\", "&shy;", "[PERSOON-", "ABCDEFGHJKMNPQRSTVWX", "P1 Q2ABCDEFGHJKMNPQRSTV ", "=\n", "<wbr/>",
    "é", "1", "s ", "'s ", "`",
)  # fmt: skip


class Sent:
    """A project with what was sent in one request, its labels, and the receipt of it."""

    def __init__(self, vault: Vault, style: Style) -> None:
        options = ProjectOptions(load=load_fake, styles=StyleSettings(style))
        self.project = Project.open(vault, f"study-{style}", options)
        answer = self.project.pseudonymize(TEXT)
        self.labels = list(dict.fromkeys(one.label for one in answer[0].mentions if one.kind == "PERSON"))
        self.address = next(one.label for one in answer[0].mentions if one.kind == "EMAIL")
        self.receipt = self.project.receipt(TEXT, answer)
        self.output = answer[0].content
        other = self.project.pseudonymize("Otto Mol kwam.")
        self.other = other[0].mentions[0].label


@pytest.fixture(scope="module")
def all_sent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Style, Sent]]:
    with make_vault(tmp_path_factory.mktemp("vault"))() as vault:
        yield {style: Sent(vault, style) for style in STYLES}


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with make_vault(tmp_path / "vault")() as opened:
        yield opened


@st.composite
def answers(draw: st.DrawFn, sent: Sent, style: Style) -> str:
    """Text with labels as people and programs write them, and what looks like labels."""
    alter = [*WHOLE.get(style, {"as it is": str}).values()]
    pieces = []
    for _ in range(draw(st.integers(1, 12))):
        if draw(st.booleans()):
            label = draw(
                st.sampled_from([*sent.labels, sent.other, sent.address, sent.labels[0].split(" ")[-1]])
            )
            written = draw(st.sampled_from(alter))(label)
            pieces.append(draw(st.sampled_from([*AROUND, "{}"])).format(written))
        else:
            pieces.append(draw(st.sampled_from(NOISE)))
    return "Antwoord: " + "".join(pieces)


def cut(draw: st.DrawFn, text: str) -> list[str]:
    places = sorted(draw(st.sets(st.integers(0, len(text)), max_size=30)))
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("way", ["receipt", "purpose"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_however_a_text_is_cut_it_comes_back_as_in_one_piece(
    all_sent: dict[Style, Sent], style: Style, way: str, data: st.DataObject
) -> None:
    sent = all_sent[style]
    text = data.draw(answers(sent, style))
    pieces = data.draw(st.composite(cut)(text))
    if way == "receipt":
        whole = sent.project.restore_text(text, receipt=sent.receipt)
        stream = sent.project.restore_stream(receipt=sent.receipt)
    else:
        whole = sent.project.restore_text(text, purpose="test", made_from=[sent.output])
        stream = sent.project.restore_stream(purpose="test", made_from=[sent.output])
    assert "".join(stream.restored(pieces)) == whole.content.decode()
    assert stream.labels == whole.labels


def test_what_marks_join_to_a_label_stays(all_sent: dict[Style, Sent]) -> None:
    sent = all_sent[Style.SURROGATE]
    label = sent.labels[0]
    for text in ("_{}_Dan {} kwam.", "{}_Dan {} kwam.", "P-**{}** kwam.", "__{}__ kwam."):
        whole = sent.project.restore_text(text.replace("{}", label), receipt=sent.receipt)
        assert whole.content.decode() == text.replace("{}", "Sanne Wiersma")


def letters(stream: RestoringStream, text: str) -> list[str]:
    return [stream.feed(letter) for letter in text]


def test_no_more_than_the_longest_label_is_held_back(all_sent: dict[Style, Sent]) -> None:
    sent = all_sent[Style.CODE]
    stream = sent.project.restore_stream(receipt=sent.receipt)
    text = f"{'Dit is een lang verhaal over niets. ' * 20}{sent.labels[0]} {'en meer. ' * 40}"
    given_out, held = "", 0
    for letter in text:
        given_out += stream.feed(letter)
        held = max(held, stream.held)
    assert held <= 160
    assert "Sanne Wiersma" in given_out
    assert (given_out + stream.end()).startswith("Dit is")
    assert stream.held == 0


def test_a_long_piece_is_cut_only_where_it_may_be(all_sent: dict[Style, Sent]) -> None:
    sent = all_sent[Style.CODE]
    text = f"{sent.labels[0]} en {sent.labels[1]}. " * 400
    stream = sent.project.restore_stream(receipt=sent.receipt)
    assert "".join(stream.restored([text[:7_777], text[7_777:]])) == "Sanne Wiersma en Piet Douma. " * 400
    assert stream.labels.restored == 800


def test_text_without_any_end_is_given_out_at_last(all_sent: dict[Style, Sent]) -> None:
    sent = all_sent[Style.CODE]
    stream = sent.project.restore_stream(receipt=sent.receipt)
    text = "https://" + "a" * 20_000
    assert len("".join(letters(stream, text[:9_000]))) > 4_000
    assert stream.held < 4_400


def test_the_record_comes_before_the_first_name(vault: Vault) -> None:
    sent = Sent(vault, Style.CODE)
    for stream in (
        sent.project.restore_stream(receipt=sent.receipt),
        sent.project.restore_stream(purpose="klacht 7"),
    ):
        before = vault.last_event
        text = f"Bel {sent.labels[0]}, ja? {'Zo is het. ' * 30}"
        seen = [(stream.feed(letter), len(list(vault.trail.events()))) for letter in text]
        event = list(vault.trail.events())[-1]
        first = next(count for piece, count in seen if "Sanne" in piece)
        assert first > before
        assert event.subjects == (sent.labels[0],)
        assert stream.audit_sequence == event.sequence
        stream.end()
        assert len(list(vault.trail.events())) == event.sequence  # a label is asked for once


def test_whoever_may_not_gets_no_name_and_the_text_before_it_is_whole(vault: Vault) -> None:
    sent = Sent(vault, Style.CODE)
    for stream, error in (
        (sent.project.restore_stream(receipt="nyr_AAAA"), ReceiptInvalidError),
        (sent.project.restore_stream(), PurposeRequiredError),
    ):
        out = stream.feed("Geen naam. " * 20)
        with pytest.raises(error):
            stream.feed(f"{sent.labels[0]} {'en verder. ' * 20}")
        assert set(out) <= set("Geen naam. ")
        assert stream.labels.restored == 0


def test_names_are_written_as_the_text_needs_it(vault: Vault) -> None:
    project = Project.open(vault, "p", ProjectOptions(load=load_fake))
    text = "Els de Mol en Jan Douma."
    answer = project.pseudonymize(text)
    receipt = project.receipt(text, answer)
    label = answer[0].mentions[0].label
    given_names = {
        notation: "".join(
            project.restore_stream(receipt=receipt, notation=notation).restored([f'{{"a": "{label}"}}'])
        )
        for notation in StreamNotation
    }
    assert set(given_names.values()) == {'{"a": "Els de Mol"}'}
    assert StreamNotation.JSON.written('Jan "Jo"\n', None) == 'Jan \\"Jo\\"\\n'  # type: ignore[arg-type]
    assert StreamNotation.HTML.written("Jan & Jo", None) == "Jan &amp; Jo"  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="text, json, html"):
        project.restore_stream(receipt=receipt, notation="xml")


def test_a_text_ends_once(all_sent: dict[Style, Sent]) -> None:
    stream = all_sent[Style.CODE].project.restore_stream(purpose="test")
    assert list(stream.restored([])) == []
    with pytest.raises(VaultClosedError):
        stream.feed("x")


def test_labels_of_other_requests_stay_and_are_told(all_sent: dict[Style, Sent]) -> None:
    sent = all_sent[Style.CODE]
    stream = sent.project.restore_stream(receipt=sent.receipt)
    pieces: Sequence[str] = [sent.other, " en ", sent.labels[0]]
    assert "".join(stream.restored(pieces)) == f"{sent.other} en Sanne Wiersma"
    assert stream.labels.left == {(sent.other, LabelState.UNKNOWN): 1}
