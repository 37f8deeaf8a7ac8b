"""Whether a written file still says what this run replaced: then it fails, and nothing is written.

Looked for are full names of the people of the run, and values of treated kinds of this file. What the texts
of the file say once the labels are in them may stay: names that the user keeps, columns that are left out,
surrogates.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from linkage.kinds import Kinds
from linkage.recognition.name_runs import NameRun, name_key, windows
from linkage.records import Span
from pseudonymizer.engine.known_names import NameWords, is_telling, written
from pseudonymizer.engine.records import LabelledPerson, Replacement
from pseudonymizer.engine.same_values import replaced_values
from pseudonymizer.errors import LeftInOutputError
from pseudonymizer.formats import ParsedFile, TextPart
from pseudonymizer.formats.records import ReadAgain
from pseudonymizer.leaks import Search

_MOST_PLACES: Final = 3  # places that an error tells
# Places as pseudonymizer.leaks tells them: words of ours, numbers, members that Office programs name.
_PLACE: Final = re.compile(
    r"its text|(?:page|part|member|stream|column) \d{1,7}|a (?:header|stream|packed part|name of a member)|"
    r"the (?:metadata|names of columns|comment of the archive|data around the picture)|an attached file|"
    r"a property, title, note or form field|(?:document|styles|settings|comments|header|footer|footnotes|"
    r"endnotes|core|app|custom|item|itemProps|workbook|sheet|sharedStrings|slide|notesSlide|presentation|content|meta)"
    r"\d{0,4}\.xml(?:\.rels)?"
)


class FullNames:
    """The full names of the people of a run, by the keys of name runs."""

    def __init__(self, people: Iterable[LabelledPerson], lists: Callable[[], NameWords]) -> None:
        """lists: reads the lists of names, which are needed only where there are people."""
        self._keys: set[str] = set()
        for person in people:
            for name in person.names:
                if is_telling(name, lists()) and (key := name_key(written(name))) is not None:
                    self._keys.add(key)

    def among(self, runs: Iterable[str]) -> dict[str, str]:
        """The names in these runs: by key, the run that has it first."""
        found: dict[str, str] = {}
        if self._keys:
            for run in runs:
                for window in windows(NameRun(0, run)):
                    if window.key in self._keys:
                        found.setdefault(window.key, run)
        return found


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What a file may not say any more. values: replaced values, as they were written."""

    names: FullNames
    values: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(
        cls, replacements: Iterable[Replacement], parsed: ParsedFile, names: FullNames, kinds: Kinds
    ) -> Self:
        return cls(names, tuple(sorted(replaced_values(replacements, parsed, kinds))))

    def refuse(
        self, again: ReadAgain, parts: Sequence[TextPart], texts: Mapping[str, Mapping[Span, str]]
    ) -> None:
        """Nothing, where what was written says none of it, or only what its texts say with their labels.

        again: what was written. parts, texts: the texts of the file, and what is written in them.

        Raises:
            LeftInOutputError: it says more.
        """
        place_of = dict(again.runs)
        names = self.names.among(place_of)
        if not names and not again.values:
            return
        intended = Search(self.values)
        for part in parts:
            intended.look_into("", _with_texts(part.text, texts.get(part.part_id, {})))
        allowed = intended.found
        kept = self.names.among(run for run, _ in allowed.runs)
        kept_values = {number for number, _ in allowed.values}
        places = [place_of[run] for key, run in names.items() if key not in kept]
        places += [place for number, place in again.values if number not in kept_values]
        if places:
            # The process that read the file may have been taken over: not every word of it is shown.
            told = ", ".join(sorted({_told(place) for place in places})[:_MOST_PLACES])
            raise LeftInOutputError(
                f"the output would still hold {len(places)} names or values that were replaced (in {told}): "
                "it is not written; take that content out of the file, or save it in another format"
            )


def _told(place: str) -> str:
    return place if _PLACE.fullmatch(place) else "its content"


def _with_texts(text: str, texts: Mapping[Span, str]) -> str:
    pieces: list[str] = []
    read_to = 0
    for span in sorted(texts):
        pieces += [text[read_to : span.start], texts[span]]
        read_to = span.end
    return "".join([*pieces, text[read_to:]])
