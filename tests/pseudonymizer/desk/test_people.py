"""People and open questions of a corrected state."""

from linkage.judgement import MentionPlace
from linkage.kinds import Kinds
from pseudonymizer.desk.commands import Judge, Step
from pseudonymizer.desk.corrected import corrected
from pseudonymizer.desk.correcting import Correcting
from pseudonymizer.desk.people import Link, mentions_of, open_links, people, unsure

TEXTS = {"a": "Jan Bos, J. Bos, Els Mol. 06-12345678", "b": "Jan Bos en J. Bos"}
PLACES = {"a": [(0, 7, 0.5), (9, 15, 0.8), (17, 24, 0.99)], "b": [(0, 7, 0.6), (11, 17, 0.95)]}
LINES = [
    {
        "doc_id": document,
        "mentions": [
            {
                "start": start,
                "end": end,
                "text": TEXTS[document][start:end],
                "confidence": sure,
                "detector": "ner",
            }
            for start, end, sure in found
        ],
    }
    for document, found in PLACES.items()
]
PERSONS = {
    MentionPlace("a", 0, 7): "jan", MentionPlace("b", 0, 7): "jan", MentionPlace("a", 9, 15): "j",
    MentionPlace("b", 11, 17): "j", MentionPlace("a", 17, 24): "els",
}  # fmt: skip
LINKS: list[Link] = [
    (("a", 0, 7), ("a", 9, 15), 0.8), (("b", 0, 7), ("b", 11, 17), 0.7), (("a", 9, 15), ("a", 17, 24), 0.2),
    (("a", 0, 7), ("gone", 0, 1), 0.9),
]  # fmt: skip
STATE = corrected(LINES, PERSONS)
CORRECTING = Correcting(TEXTS, Kinds.load())


def test_people_have_their_forms_files_and_links() -> None:
    found = people(STATE, LINKS, {"f_1": ["a"], "f_2": ["b"]})
    assert [one.person for one in found] == ["j", "jan", "els"]
    jan = found[1]
    assert [(form.text, form.count) for form in jan.forms] == [("Jan Bos", 2)]
    assert (jan.count, jan.files, jan.open_links) == (2, ("f_1", "f_2"), 1)
    assert found[0].open_links == 2


def test_a_pair_of_persons_is_asked_once_until_it_is_judged() -> None:
    asked = list(open_links(STATE, LINKS))
    assert [one.match_probability for one in asked] == [0.8, 0.2]
    link = asked[0]
    step = Step(Judge(link.left.mention, link.right.mention, "reject"), "2026-01-02T03:04:05+00:00")
    rejected, _ = CORRECTING.applied(STATE, step)
    assert [one.match_probability for one in open_links(rejected, LINKS)] == [0.2]
    step = Step(Judge(link.left.mention, link.right.mention, "accept"), "2026-01-02T03:04:05+00:00")
    joined, count = CORRECTING.applied(STATE, step)
    assert count == 2
    assert [one.match_probability for one in open_links(joined, LINKS)] == [0.2]
    assert len(people(joined, LINKS, {})) == 2


def test_the_least_sure_is_asked_first() -> None:
    assert [one.confidence for one in unsure(STATE, sure_from=0.9)] == [0.5, 0.6, 0.8]
    assert unsure(STATE, sure_from=0.0) == []


def test_mentions_come_in_the_order_of_documents_and_places() -> None:
    found = mentions_of(STATE, ["b", "a"])
    assert [(one.document, one.span.start) for one in found] == [
        ("b", 0), ("b", 11), ("a", 0), ("a", 9), ("a", 17),
    ]  # fmt: skip
