"""Relations of the mentions of a text. All names are invented."""

from linkage.context.relations import NamedText, Relation, RelationKind, relations_of
from linkage.language import Language
from linkage.records import PersonName
from tests.linkage.context.marked import mentions_of

_DUTCH = Language.load("nl")


def _relations(text: str, **names: PersonName) -> tuple[Relation, ...]:
    surfaces = [surface.replace("_", " ") for surface in names]
    named = NamedText(text, mentions_of(text, *surfaces), list(names.values()), ())
    return relations_of(named, str.islower, _DUTCH)


def test_each_kind_is_told() -> None:
    fenna, marit = PersonName(given="Fenna"), PersonName(given="Marit")
    assert _relations("Fenna en Marit", Fenna=fenna, Marit=marit) == (Relation(0, 1, RelationKind.APART),)
    text = "Fenna is de zus van Marit"
    assert _relations(text, Fenna=fenna, Marit=marit) == (Relation(0, 1, RelationKind.KIN),)
    assert _relations("Fenna, alias Marit", Fenna=fenna, Marit=marit) == (Relation(0, 1, RelationKind.SAME),)
    assert _relations("Fenna zag Marit", Fenna=fenna, Marit=marit) == ()


def test_what_says_one_person_counts_more() -> None:
    fenna, marit = PersonName(given="Fenna"), PersonName(given="Marit")
    told = _relations("Fenna en Marit zijn dezelfde.", Fenna=fenna, Marit=marit)
    assert told == (Relation(0, 1, RelationKind.SAME),)


def test_the_record_shows_no_text() -> None:
    text = "Fenna belde."
    named = NamedText(text, mentions_of(text, "Fenna"), [PersonName(given="Fenna")], ())
    assert "Fenna" not in repr(named)
