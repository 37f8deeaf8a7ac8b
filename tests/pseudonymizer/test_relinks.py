"""Records of a relinked project."""

from pseudonymizer.relinks import ChangeKind, RelinkChange, Relinked, RelinkedPerson


def test_changes_are_counted_by_kind_and_names_are_not_shown() -> None:
    person = RelinkedPerson(("P-1",), "Jan Tolsma")
    found = Relinked((RelinkChange(ChangeKind.MERGE, (person, person)),), 2, 5)
    assert list(found.counts.values()) == [1, 0, 0, 0]
    assert "Tolsma" not in repr(found)
