"""Requests about texts: bounds and unknown fields are refused, and no repr holds what was sent."""

from typing import Any

import msgspec
import pytest

from pseudonymizer.desk import asked
from pseudonymizer.desk.asked import (
    LONGEST_TEXT,
    MOST_TEXTS,
    DetectTexts,
    PseudonymizeDocument,
    PseudonymizeTexts,
    RestoreDocument,
    RestoreStream,
    RestoreTexts,
    StreamPiece,
)

NAME = "Jan Tolsma"
REQUESTS = [
    kind
    for kind in vars(asked).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == asked.__name__
]


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_field_that_there_is_not_is_refused(kind: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"Jan Tolsma": 1}', type=kind)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (DetectTexts, {"texts": []}), (DetectTexts, {"texts": [{"text": "x"}] * (MOST_TEXTS + 1)}),
        (DetectTexts, {"texts": [{"text": "x" * (LONGEST_TEXT + 1)}]}),
        (DetectTexts, {"texts": [{"text": "x"}], "min_confidence": 1.5}),
        (PseudonymizeTexts, {"texts": [{"text": "x"}], "style": "none"}),
        (PseudonymizeTexts, {"texts": [{"text": "x"}], "scope": "world"}),
        (RestoreStream, {"notation": "pdf"}),
    ],
)  # fmt: skip
def test_what_is_out_of_bounds_is_refused(kind: Any, body: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(body), type=kind)


@pytest.mark.parametrize(
    "request_",
    [
        msgspec.convert({"texts": [{"text": NAME}], "always": [NAME]}, DetectTexts),
        msgspec.convert({"texts": [{"text": NAME}], "never": {"PERSON": [NAME]}}, PseudonymizeTexts),
        msgspec.convert({"texts": [{"text": NAME}], "receipt": NAME}, RestoreTexts),
        PseudonymizeDocument(name=NAME, content=NAME.encode(), options=asked.TreatOptions(always=(NAME,))),
        RestoreDocument(name=NAME, content=NAME.encode(), purpose=NAME),
        RestoreStream(receipt=NAME, made_from=(NAME,)), StreamPiece(text=NAME),
    ],
)  # fmt: skip
def test_no_request_shows_what_was_sent(request_: Any) -> None:
    assert "Tolsma" not in repr(request_)
