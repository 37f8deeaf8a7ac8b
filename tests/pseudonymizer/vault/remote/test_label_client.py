"""Labels through a vault service: many texts go in several messages."""

from typing import Any

from pseudonymizer.records import LabelState, ReadLabel
from pseudonymizer.vault.remote.label_client import LabelClient


def test_many_texts_are_asked_in_several_messages_and_answered_in_order() -> None:
    asked: list[int] = []

    class Client(LabelClient):
        def __init__(self) -> None:
            pass

        def ask(self, verb: Any, message: Any) -> Any:
            del verb
            asked.append(len(message.texts))
            return tuple(ReadLabel(LabelState.ISSUED, text) for text in message.texts)

    texts = [f"PERSOON-{number}" for number in range(10_000)]
    assert [one.label for one in Client().read_labels("p", texts)] == texts
    assert asked == [4_096, 4_096, 1_808]
