"""The names of a text, as known people are looked for by them."""

from linkage.records import DocumentId, PersonName
from linkage.text_forms import TextForms
from tests.linkage.linker.test_index_counts import mention

ELS = PersonName(given="els", family="kok")


def test_names_of_a_text_go_with_its_documents() -> None:
    text = TextForms.of([mention(ELS, "x"), mention(ELS, "y")], [DocumentId("z")])
    assert text.names == {ELS: {"x", "y"}}
    assert text.marks == {"zaak 7": {"x", "y"}}
    assert text.documents == {"x", "y"}
    assert text.again == {"z"}
    assert not text.everybody


def test_its_repr_shows_no_name_and_no_mark() -> None:
    shown = repr(TextForms.of([mention(ELS, "x")]))
    assert "els" not in shown
    assert "zaak" not in shown
