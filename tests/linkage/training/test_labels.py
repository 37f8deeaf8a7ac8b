"""Labels of networks and of sources."""

from linkage.training.labels import LABELS, has_strict_tags, may_follow, tags_of


def test_a_network_of_many_kinds_has_strict_tags() -> None:
    assert has_strict_tags(tags_of(LABELS))
    assert not has_strict_tags(tags_of(("PER", "NAME")))


def test_a_name_goes_on_only_behind_its_beginning() -> None:
    assert may_follow("E-PER", "B-PER")
    assert not may_follow("E-PER", "B-NAME")
    assert not may_follow("O", "B-PER")
