"""Names that are not full, of thousands of documents: invented people."""

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import NormalizedMention, PersonName
from linkage.settings import LinkingSettings
from tests.linkage.clustering.counting import calls
from tests.linkage.linker.linker_fakes import FakeScorer, Writer


def test_thousands_who_stand_beside_somebody_take_no_square_time() -> None:
    linker = Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())

    def mentions(count: int) -> list[NormalizedMention]:
        write = Writer()
        found: list[NormalizedMention] = []
        for number in range(count + 3):
            document = f"d{number:05d}"
            name = (
                PersonName(given="Inge", family="Zandvliet")
                if number < 3
                else PersonName(initials="I.", family="Zandvliet")
            )
            beside = write(document, PersonName(given="Kees", family="Woudstra"))
            found += [
                beside,
                write(document, name, joined_with=frozenset({beside.mention_id})),
            ]
        return found

    few, many = mentions(100), mentions(800)
    linker.link(few)
    assert calls(lambda: linker.link(many)) < 16 * calls(lambda: linker.link(few))
