"""The texts of waiting calls that the network reads together."""

from typing import Any

import msgspec

from pseudonymizer.desk import frames
from pseudonymizer.desk.asked import DetectTexts, GivenText, OfProject, PseudonymizeTexts
from pseudonymizer.desk.frames import Call, Caller
from pseudonymizer.desk.reading_ahead import MOST_LETTERS, texts_read_together


def call(verb: str, asked: Any) -> bytes:
    return frames.encode(Call(verb, Caller("web:anna"), msgspec.Raw(frames.encode(asked))))


def test_short_texts_of_all_callers_are_read_together() -> None:
    detect = call("detect", DetectTexts(texts=(GivenText("Jan"), GivenText("Els"))))
    write = call("pseudonymize", PseudonymizeTexts(texts=(GivenText("Bram"),)))
    long = call("pseudonymize", PseudonymizeTexts(texts=(GivenText("x" * (MOST_LETTERS + 1)),)))
    others = [call("projects", OfProject()), b"no frame", call("detect", {"texts": 5})]
    assert texts_read_together([detect, *others, long, write]) == ("Jan", "Els", "Bram")
    assert texts_read_together([write, long]) == ()  # one text gains nothing
    assert texts_read_together([]) == ()
