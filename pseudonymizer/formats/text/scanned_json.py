"""JSON as a tree that knows where each string stands in the text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\]+|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


@dataclass(frozen=True, slots=True)
class JsonString:
    """Where a string stands, without its quotes."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonObject:
    """Members in order; keys are written as in the text, without quotes."""

    members: tuple[tuple[JsonString, "JsonValue"], ...]
    keys: tuple[str, ...]

    def strings(self, key: str) -> Iterator[JsonString]:
        """The string, or the strings of the array, under key."""
        for name, (_, value) in zip(self.keys, self.members, strict=True):
            if name == key:
                for item in value if isinstance(value, list) else [value]:
                    if isinstance(item, JsonString):
                        yield item


JsonValue = JsonString | JsonObject | list["JsonValue"] | str


def scan(text: str) -> JsonValue:
    """The tree of a text that is known to be valid JSON. Raises RecursionError if it is nested too deep."""
    return _Scanner(text).value()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _TOKEN.finditer(text)
        self._next = next(self._tokens, None)

    def _advance(self) -> re.Match[str]:
        current = self._next
        if current is None:
            raise ValueError("the text is no valid JSON")
        self._next = next(self._tokens, None)
        return current

    def _peek(self) -> str:
        return self._next[0] if self._next is not None else ""

    def value(self) -> "JsonValue":
        token = self._advance()
        first = token[0][0]
        if first == '"':
            return JsonString(token.start() + 1, token.end() - 1)
        if first == "[":
            items: list[JsonValue] = []
            while self._peek() != "]":
                items.append(self.value())
                if self._peek() == ",":
                    self._advance()
            self._advance()
            return items
        if first == "{":
            members: list[tuple[JsonString, JsonValue]] = []
            while self._peek() != "}":
                key = self._advance()
                self._advance()
                members.append((JsonString(key.start() + 1, key.end() - 1), self.value()))
                if self._peek() == ",":
                    self._advance()
            self._advance()
            keys = tuple(self._text[key.start : key.end] for key, _ in members)
            return JsonObject(tuple(members), keys)
        return token[0]
