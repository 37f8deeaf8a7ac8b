"""What labels of networks stand for, against the table of kinds."""

from linkage.kinds import PERSON, Kinds
from linkage.network_kinds import NAME_KINDS, PERSON_LABELS, WORD_KINDS, kind_of_label


def test_every_label_of_persons_stands_for_persons() -> None:
    assert {kind_of_label(label) for label in PERSON_LABELS} == {PERSON}


def test_every_kind_of_a_network_is_a_shipped_kind() -> None:
    kinds = Kinds.load()
    assert {kind_of_label(label) for label in (*NAME_KINDS, *WORD_KINDS)} <= set(kinds)
    assert not {*NAME_KINDS} & {*WORD_KINDS}


def test_labels_of_networks_that_tell_fewer_kinds_stand_for_no_kind() -> None:
    assert [kind_of_label(label) for label in ("LOC", "ORG", "MISC", "NAME")] == [None] * 4
