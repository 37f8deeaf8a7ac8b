"""A person confirms, rejects, widens and adds mentions. All names are invented."""

from hypothesis import given
from hypothesis import strategies as st

from linkage.mention_review import MentionReview, ReviewedMention
from linkage.records import Span

TEXT = "Jan Tolsma en Els belden Tolsma. Elsje niet."


def mention(text: str, *, confidence: float = 0.5) -> ReviewedMention:
    start = TEXT.index(text)
    return ReviewedMention("a", Span(start, start + len(text)), text, confidence=confidence)


def session(*mentions: ReviewedMention) -> MentionReview:
    return MentionReview({"a": TEXT}, mentions)


def test_only_what_is_not_sure_is_shown_and_everything_is_kept() -> None:
    review = session(mention("Jan Tolsma", confidence=0.99), mention("Els"))
    assert len(review) == 1
    review.confirm()
    assert review.current() is None
    assert [(m.text, m.confidence, m.judged) for m in review.mentions] == [
        ("Jan Tolsma", 0.99, False),
        ("Els", 1.0, True),
    ]


def test_what_is_rejected_is_gone_until_it_is_undone() -> None:
    review = session(mention("Els"))
    review.reject()
    assert list(review.mentions) == []
    assert review.undo()
    assert [m.text for m in review.mentions] == ["Els"]
    assert review.current() == mention("Els")
    assert not review.undo()


def test_a_wider_mention_swallows_what_it_covers() -> None:
    review = session(mention("Jan"), mention("Tolsma"))
    assert review.widen("Jan Tolsma")
    assert [m.text for m in review.mentions] == ["Jan Tolsma"]
    assert review.current() is None


def test_a_mention_is_not_widened_to_what_does_not_hold_it() -> None:
    review = session(mention("Els"))
    assert not review.widen("Jan Tolsma")
    assert review.current() == mention("Els")


def test_every_free_place_is_added_but_no_part_of_a_word() -> None:
    review = session(mention("Jan Tolsma", confidence=1.0))
    assert review.add("a", "Tolsma") == 1
    assert review.add("a", "Els") == 1
    assert review.add("a", "Els") == 0
    assert [m.text for m in review.mentions] == ["Jan Tolsma", "Els", "Tolsma"]
    assert TEXT[review.mentions[2].span.start :].startswith("Tolsma.")


def test_a_mention_that_does_not_stand_in_the_text_is_kept_and_not_shown() -> None:
    other = ReviewedMention("b", Span(0, 3), "Els", confidence=0.1)
    review = session(other)
    assert len(review) == 0
    assert review.mentions == (other,)


@given(st.lists(st.sampled_from(["confirm", "reject", "skip", "widen", "add"]), max_size=12))
def test_undoing_everything_gives_what_was_found(steps: list[str]) -> None:
    found = (mention("Jan"), mention("Els"), mention("Elsje"))
    review = session(*found)
    for step in steps:
        if step == "add":
            review.add("a", "Tolsma")
        elif review.current() is not None:
            if step == "widen":
                review.widen("Jan Tolsma")
            else:
                getattr(review, step)()
    while review.undo():
        pass
    assert set(review.mentions) == set(found)
    assert review.position == 0


def test_a_name_is_added_in_documents_where_nothing_was_found() -> None:
    review = MentionReview({"a": TEXT, "b": "Els kwam, Elsje niet.", "c": "niemand"}, [mention("Els")])
    assert review.add_everywhere("Els") == 1  # that of a is a mention already
    assert [(m.document, m.span, m.judged) for m in review.mentions] == [
        ("a", Span(14, 17), False),
        ("b", Span(0, 3), True),
    ]
    assert review.undo()
    assert len(review.mentions) == 1
    assert review.add_everywhere("") == 0
