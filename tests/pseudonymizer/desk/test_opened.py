"""Names of what is sealed in a workspace: of one file all of them, and of two files none the same."""

from pseudonymizer.desk.opened import content_of, found_of, name_place, names_of, result_of


def test_a_file_has_three_sealed_parts_and_a_sealed_name() -> None:
    assert set(names_of("f_1")) == {content_of("f_1"), found_of("f_1"), result_of("f_1")}
    assert len({*names_of("f_1"), *names_of("f_2"), name_place("f_1"), name_place("f_2")}) == 8
