"""What known people are asked for by, and who they are, arrive as they were sent. All names are invented."""

from hypothesis import given
from hypothesis import strategies as st

from linkage.records import Beyond, DocumentId, KnownIdentity, NormalizedMention, PersonName
from linkage.text_forms import TextForms
from pseudonymizer.records import KnownCandidates
from pseudonymizer.vault import wire
from pseudonymizer.vault.remote.known_messages import OfForms, SentCandidates
from tests.linkage.test_codec import known_people, mentions
from tests.pseudonymizer.vault.remote.test_sent_records import sendable

COUNTS = st.dictionaries(st.text("abc", min_size=1), st.integers(0, 1 << 40), max_size=3)
NAMES = st.builds(PersonName, given=st.sampled_from(["jan", "els"]), family=st.sampled_from(["kok", None]))
BEYOND = st.builds(
    Beyond,
    bearers=st.dictionaries(NAMES, st.integers(1, 99), max_size=2),
    words=COUNTS, marks=COUNTS, given=COUNTS, families=COUNTS,
    given_trigrams=st.none() | COUNTS, family_trigrams=st.none() | COUNTS,
)  # fmt: skip


@given(st.lists(mentions(), max_size=3), st.sets(st.sampled_from("xyz")), st.booleans())
def test_forms_arrive(some: list[NormalizedMention], again: set[str], everybody: bool) -> None:
    forms = TextForms.of(some, map(DocumentId, again), everybody=everybody)
    if sendable(sent := OfForms.of("p", forms)):
        assert wire.decode(wire.encode(sent), OfForms).forms() == forms
        assert repr(sent) == "OfForms(...)"


@given(st.lists(known_people, max_size=3), st.none() | BEYOND, st.integers(0, 9))
def test_candidates_arrive(people: list[KnownIdentity], beyond: Beyond | None, seen_through: int) -> None:
    found = KnownCandidates(tuple(people), beyond, seen_through)
    if sendable(sent := SentCandidates.of(found)):
        assert wire.decode(wire.encode(sent), SentCandidates).candidates() == found
