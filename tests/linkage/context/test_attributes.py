"""Whose a value of a text is, by the structure around it. All people are invented."""

import pytest

from linkage.context.attributes import attach_attributes
from linkage.context.facts import facts_of
from linkage.detection.values import value_mentions
from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.names import parse_name
from linkage.records import Document, DocumentId
from tests.linkage.context.marked import mentions_of

_DUTCH = Language.load("nl")


def owned(text: str, *surfaces: str) -> list[set[str]]:
    """The kinds of facts that each of these names has."""
    mentions = mentions_of(text, *surfaces)
    document = Document(DocumentId("d"), text)
    facts = facts_of(text, value_mentions(document, persons=[m.span for m in mentions]), _DUTCH)
    names = [parse_name(surface, Gazetteer.load()) for surface in surfaces]
    return [{kind for kind, _ in found} for found in attach_attributes(text, mentions, names, facts, _DUTCH)]


@pytest.mark.parametrize(
    "text",
    [
        "Overgemaakt op NL91ABNA0417164300 t.n.v. J. Bosma.",
        "Rekeningnummer: NL91 ABNA 0417 1643 00\nTen name van: dhr. J. Bosma\n",
        "De heer J. Bosma heeft rekening NL91ABNA0417164300.",
    ],
)
def test_an_account_is_its_holders(text: str) -> None:
    assert owned(text, "J. Bosma") == [{"iban"}]


def test_the_holder_behind_an_account_outweighs_the_name_before_it() -> None:
    text = "Piet Kuper stortte op NL91ABNA0417164300 t.n.v. J. Bosma."
    assert owned(text, "Piet Kuper", "J. Bosma") == [set(), {"iban"}]


def test_a_value_is_that_of_the_name_alone_in_brackets_behind_it() -> None:
    assert owned("Bel 06-12345678 (Piet Kuper).", "Piet Kuper") == [{"phone"}]
    assert owned("Bel 06-12345678 (Piet Kuper en co).", "Piet Kuper") == [set()]


def test_lines_below_a_name_that_tell_of_somebody_are_its_own() -> None:
    text = "Verdachte: Piet Kuper\ngeboren te Hoorn op 2 mei 1985\nwonende te Grou, Kanaalstraat 12\n"
    assert owned(text, "Piet Kuper") == [{"birth_date", "address"}]
    running = "Gisteren belde Piet Kuper\nover iemand van 2 mei 1985 in de Kanaalstraat 12\n"
    assert owned(running, "Piet Kuper") == [set()]


FORM = (
    "Naam: Piet Kuper\nGeboorteplaats: Hoorn\nNationaliteit: Nederlandse\nBurgerlijke staat: ongehuwd\n"
    "BSN: 111222333\n{}Telefoon: 06-12345678\n"
)


def test_a_labelled_form_is_of_the_name_at_its_top_down_to_a_line_of_another_person() -> None:
    assert owned(FORM.format(""), "Piet Kuper") == [{"bsn", "phone"}]
    assert owned(FORM.format("Huisarts: 030-2345678\n"), "Piet Kuper") == [{"bsn"}]
    assert owned(FORM.format("\n"), "Piet Kuper") == [{"bsn"}]


def test_what_a_label_gives_to_a_relative_is_not_that_of_the_name_above() -> None:
    text = "Naam: Piet Kuper\nTelefoon moeder: 06-12345678\n"
    assert owned(text, "Piet Kuper") == [set()]


def test_of_two_one_below_the_other_nobody_has_the_address() -> None:
    text = "Huurder: A. Kuper\nHuurder: B. Bosma\nSoort: woning\nIngang: mei\nDuur: jaar\nAdres: Kerkpad 5\n"
    assert owned(text, "A. Kuper", "B. Bosma") == [set(), set()]
