"""The way back of a text that comes in pieces, such as the answer of a language model while it is written.

It is read as edited text: by its labels. Cut into pieces in whatever way, a text comes back as it does in one
piece. What cannot be told yet is held back, and that is never more than the longest label with what stands
around it, or one address.
"""

import html
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from linkage.records import EntityId, Span
from pseudonymizer.engine.pasted import LabelFinder, ReadText
from pseudonymizer.errors import SettingsError, VaultClosedError
from pseudonymizer.runs.edited import LabelCounts, counted, replaced_labels
from pseudonymizer.runs.label_names import Names, NameSource, issued_labels
from pseudonymizer.styles.readable_text import ReadableText

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

_CONTEXT: Final = 256  # characters of what was given out that later ones are read with
_MOST_HELD: Final = 4_096  # characters; one address or number that is longer is cut


class StreamNotation(StrEnum):
    """What a text is, so that a name in it is written as it needs."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"

    def written(self, name: str, span: Span) -> str:
        """The name as it has to be written in such a text."""
        del span
        if self is StreamNotation.JSON:
            return json.dumps(name, ensure_ascii=False)[1:-1]
        return html.escape(name) if self is StreamNotation.HTML else name


def stream_notation(named: str) -> StreamNotation:
    """Raises SettingsError for a notation that there is not."""
    try:
        return StreamNotation(named)
    except ValueError:
        raise SettingsError(f"a text is {', '.join(StreamNotation)}") from None


class RestoringStream:
    """Takes pieces of a text and gives pieces with names in place of labels. For one text and one thread.

    Before the first piece with the name of a label is given out, that it is given stands on record.
    """

    def __init__(
        self,
        open_vault: "Callable[[], AbstractContextManager[VaultApi]]",
        source: NameSource,
        notation: StreamNotation = StreamNotation.TEXT,
    ) -> None:
        self._open_vault, self._source, self._notation = open_vault, source, notation
        self._finder: LabelFinder | None = None
        self._asked: set[tuple[str, str]] = set()
        self._names = Names()
        self._persons: frozenset[EntityId] = frozenset()
        self._before, self._held = "", ""
        self._counts: list[LabelCounts] = []
        self._sequence = 0
        self._is_ended = False

    @property
    def labels(self) -> LabelCounts:
        """What was restored and left in what was given out so far."""
        return LabelCounts.sum(self._counts)

    @property
    def audit_sequence(self) -> int:
        """The number, in the trail, of the last event that says what was given; 0 where nothing was."""
        return self._sequence

    @property
    def held(self) -> int:
        """How many characters are held back."""
        return len(self._held)

    def feed(self, piece: str) -> str:
        """What can be given out, with names in it, after this piece of the text.

        Raises:
            AccessRefusedError and its children: on record; nothing of the piece is given out.
            VaultClosedError: the text has ended.
        """
        return self._given(piece, is_last=False)

    def end(self) -> str:
        """The rest. Raises as feed."""
        rest = self._given("", is_last=True)
        self._is_ended = True
        return rest

    def restored(self, pieces: Iterable[str]) -> Iterator[str]:
        """The pieces with names in them, and the rest; none is empty."""
        for piece in pieces:
            if given := self.feed(piece):
                yield given
        if rest := self.end():
            yield rest

    def _given(self, piece: str, *, is_last: bool) -> str:
        if self._is_ended:
            raise VaultClosedError("this text has ended; begin another one")
        self._held += piece
        if not self._held:
            return ""
        with self._open_vault() as vault:
            if self._finder is None:
                self._finder = self._source.finder(vault)
            limit = len(self._held) if is_last else _safe_end(self._held, self._finder.longest)
            if limit <= 0:
                return ""
            window = self._finder.find_window(self._before, self._held)
            end = len(self._held) if is_last else _cut(limit, window.stretches)
            if end <= 0:
                return ""
            read = self._named(vault, _until(window.read, end), end)
        return self._written(read, end)

    def _named(self, vault: "VaultApi", read: ReadText, end: int) -> ReadText:
        """What was read, once the names of its labels are known."""
        finder = self._finder
        assert finder is not None  # noqa: S101  for the type checker
        fresh = self._source.fresh(read, self._asked)
        if not issued_labels([fresh]):
            return read
        names, origin = self._source.behind(vault, finder, [fresh])
        self._sequence = vault.last_event
        self._names = Names(
            {**self._names.forms, **names.forms}, {**self._names.addresses, **names.addresses}
        )
        if origin is None:
            return read
        self._persons |= origin.persons or frozenset()
        self._finder = finder.of_origin(replace(origin, persons=self._persons))
        return _until(self._finder.find_window(self._before, self._held).read, end)

    def _written(self, read: ReadText, end: int) -> str:
        places, left = replaced_labels(read, self._names, self._notation)
        self._counts = [LabelCounts.sum([*self._counts, counted(places, (*read.left, *left))])]
        text, self._held = self._held[:end], self._held[end:]
        self._before = (self._before + text)[-_CONTEXT:]
        return _replaced(text, places)


def _safe_end(text: str, longest: int) -> int:
    """Where the last so many characters that are read begin: what stands before can be told by now."""
    view = ReadableText.of(text)
    at = len(view.text) - longest
    return view.span(at, at + 1).start if at > 0 else 0


def _cut(limit: int, stretches: Iterable[Span]) -> int:
    """The last place up to limit that lies inside none of the stretches; 0: there is none."""
    merged: list[list[int]] = []
    for span in sorted(stretches):
        if merged and span.start < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], span.end)
        else:
            merged.append([span.start, span.end])
    number = bisect_right([start for start, _ in merged], limit - 1) - 1
    if number < 0:
        return limit
    start, end = merged[number]
    return start if start < limit < end and limit - start < _MOST_HELD else limit


def _until(read: ReadText, end: int) -> ReadText:
    """What was read before this place."""
    return ReadText(
        tuple(one for one in read.labels if one.span.end <= end),
        tuple(one for one in read.addresses if one.span.end <= end),
        tuple(one for one in read.left if one.span.end <= end),
    )


def _replaced(text: str, places: Mapping[Span, str]) -> str:
    pieces, at = [], 0
    for span in sorted(places):
        pieces += [text[at : span.start], places[span]]
        at = span.end
    return "".join((*pieces, text[at:]))
