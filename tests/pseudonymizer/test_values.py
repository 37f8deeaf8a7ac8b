"""Values on their way to a vault: what they are, how they are labelled, and that they show nothing."""

import pytest

from linkage.records import Detector, Document, DocumentId, Mention, Span, ValueMention
from linkage.texts import KindId
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style
from pseudonymizer.values import AssignedValues, Candidate, MetValue, Value, ValueLabels

FOUND = ValueMention(
    Mention.at(
        Document(DocumentId("d"), "bel 020-1234567", "nl"), Span(4, 15), detector=Detector.PATTERN,
        confidence=1.0, kind=KindId("PHONE"),
    ),
    "0201234567",
)  # fmt: skip


def test_what_was_found_in_a_document_is_a_met_value() -> None:
    met = MetValue.of(FOUND)
    assert met == MetValue(FOUND.mention_id, DocumentId("d"), "PHONE", "0201234567", "020-1234567")
    assert met.value == Value("PHONE", "0201234567")
    assert str(met.mention_id).endswith(":PHONE")


def test_nothing_shows_in_a_repr() -> None:
    shown = f"{MetValue.of(FOUND)} {Value('PHONE', '0201234567')} {Candidate('0200000001', '0200000001')}"
    assert "020" not in shown
    assert repr(AssignedValues({}, {}))


@pytest.mark.parametrize(
    "labels",
    [
        {"style": Style.MASK}, {"style": Style.INITIALS}, {"style": Style.TOKEN, "word": "FAX"},
        {"style": Style.TOKEN, "letter": "f"}, {"style": Style.TAG, "letter": "F"},
        {"style": Style.CODE, "word": "fax"}, {"style": Style.CODE},
    ],
)  # fmt: skip
def test_a_style_without_a_way_back_or_without_its_word_is_refused(labels: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        ValueLabels(**labels)  # type: ignore[arg-type]
    assert ValueLabels(Style.SURROGATE).apart_from == ()
