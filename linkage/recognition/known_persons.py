"""Which person of the registry each name of a document is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from linkage.names import parse_name
from linkage.recognition.name_grammar import UnitKind
from linkage.recognition.name_judgement import JudgedName
from linkage.recognition.name_tokens import Token
from linkage.recognition.phrases import PhraseMatcher
from linkage.recognition.registry import Registry
from linkage.records import PersonName, fold


@dataclass(frozen=True, slots=True)
class Recognized:
    """person_id is None where several persons of the registry fit."""

    person_id: str | None = field(repr=False)
    confidence: float


class KnownPersons:
    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._aliases = PhraseMatcher(registry.alias_phrases)

    def aliases(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int, frozenset[str]]]:
        """(first token, token after the last, ids) of the aliases in the text."""
        for first, last, ids in self._aliases.find(tokens):
            facts = tokens[first].facts
            if last - first > 1 or facts is None or facts.is_capital or not facts.is_ordinary:
                yield first, last, ids

    def recognize(
        self, tokens: Sequence[Token], names: Sequence[JudgedName], text: str
    ) -> Mapping[tuple[int, int], Recognized]:
        """(start, end) in the view -> person, for the names that are somebody's of the registry.

        A full name decides by itself. A family name alone is the one person's who has it, unless the document
        names a stranger of that name. A given name alone is a person's whom the document names otherwise too.
        """
        readings = [tuple(_readings(self._parsed(tokens, name, text))) for name in names]
        fits = [self._fits(of_name) for of_name in readings]
        anchored = {next(iter(ids)) for ids, kind in fits if kind == "full" and len(ids) == 1}
        strangers: set[str] = set()
        for name, of_name, (ids, _) in zip(names, readings, fits, strict=True):
            if not ids and name.confidence >= 0.5:
                strangers.update(fold(p.family) for p in of_name if p.family and (p.given or p.initials))
        found: dict[tuple[int, int], Recognized] = {}
        for name, of_name, (ids, kind) in zip(names, readings, fits, strict=True):
            if not ids:
                continue
            place = (tokens[name.first].start, tokens[name.last - 1].end)
            if kind == "full":
                found[place] = Recognized(next(iter(ids)) if len(ids) == 1 else None, 0.95)
                continue
            here = ids & anchored
            if kind == "surname":
                alone = len(ids) == 1 and not any(fold(p.family or "") in strangers for p in of_name)
                who = next(iter(here)) if len(here) == 1 else (next(iter(ids)) if alone else None)
            else:
                who = next(iter(here)) if len(here) == 1 else None
            sure = name.confidence if _is_ordinary(name) and not here else 0.8
            found[place] = Recognized(who, sure)
        return found

    def _parsed(self, tokens: Sequence[Token], name: JudgedName, text: str) -> PersonName:
        surface = text[tokens[name.first].start : tokens[name.last - 1].end]
        return parse_name(surface, self._registry.gazetteer, titled=name.cue == "courtesy")

    def _fits(self, readings: Sequence[PersonName]) -> tuple[frozenset[str], str]:
        """Ids of the persons that fit, and how: "full", "surname" or "given"."""
        for name in readings:
            if ids := self._registry.matches(name):
                if not name.family:
                    return ids, "full" if " " in (name.given or "") else "given"
                return ids, "full" if name.given or name.initials else "surname"
        return frozenset(), ""


def _readings(name: PersonName) -> Iterator[PersonName]:
    """The name as it was taken apart, then other ways to take it, the likeliest first."""
    given, family = name.given or "", name.family or ""
    words = [*given.split(), *family.split()]
    if len(words) == 1 and not (name.particle or name.initials):
        yield PersonName(family=words[0])
        yield PersonName(given=words[0])
        return
    yield name
    if given and family and not name.partner_family:
        if " " in given:
            yield replace(name, given=words[0], family=" ".join(words[1:]))
        yield PersonName(given=" ".join(words))


def _is_ordinary(name: JudgedName) -> bool:
    return all(unit.is_ordinary for unit in name.units if unit.kind is UnitKind.CORE) and not name.cue
