"""Which texts of waiting calls the network reads in one go, before each call is answered by itself."""

import contextlib
from collections.abc import Sequence
from typing import Final

import msgspec

from pseudonymizer.desk.asked import DetectTexts, PseudonymizeTexts
from pseudonymizer.desk.frames import Call

_ASKED: Final = {"detect": DetectTexts, "pseudonymize": PseudonymizeTexts}
MOST_LETTERS: Final = 10_000  # of a call whose texts are read with those of others: a longer one delays them


def texts_read_together(calls: Sequence[bytes]) -> tuple[str, ...]:
    """The texts of short calls about texts; () where these are fewer than two."""
    texts: list[str] = []
    for raw in calls:
        with contextlib.suppress(msgspec.MsgspecError):  # it is told when the call is answered
            call = msgspec.msgpack.decode(raw, type=Call)
            if (type_asked := _ASKED.get(call.verb)) is not None:
                asked = msgspec.msgpack.decode(call.arguments, type=type_asked)
                given = [one.text for one in asked.texts]
                texts += given if sum(map(len, given)) <= MOST_LETTERS else ()
    return tuple(texts) if len(texts) > 1 else ()
