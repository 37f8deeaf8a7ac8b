"""The rules of the house hold, but for known exceptions: test modules, parameters, floats, docstrings."""

import pytest

from tests.house import RIDDLES, ROOT, Found, found, listed, lowered, many_parameters, riddles, tuned_floats

FOUND = found()
MEND = {
    "floats outside data": "put the number into a table of data/ or a setting, with unit, range and source",
    "functions above 7 parameters": "make a record of what belongs together",
    "modules above 400 lines": "divide the module by ideas",
    "modules without a test module": "add the test module that mirrors it",
    "openings of docstrings": f"open with what is returned or done, and not with {', '.join(RIDDLES)}",
}


@pytest.mark.parametrize("rule", sorted(MEND))
def test_nothing_new_breaks_a_rule(rule: str) -> None:
    known = listed()[rule]
    worse = {place: count for place, count in FOUND[rule].items() if count > known.get(place, 0)}
    assert worse == {}, MEND[rule]


@pytest.mark.parametrize("rule", sorted(MEND))
def test_what_was_mended_is_off_the_list(rule: str) -> None:
    assert listed()[rule] == lowered(listed(), FOUND)[rule], "run: python -m tests.house"


def test_each_rule_has_its_list() -> None:
    assert set(listed()) == set(FOUND) == set(MEND)


@pytest.mark.parametrize("module", ["project", "answers", "engine/engine", "engine/file_work"])
def test_modules_of_the_engine_and_the_facade_are_tested(module: str) -> None:
    """The rule would not see a package that was moved out of its sight."""
    folder, _, name = module.rpartition("/")
    assert (ROOT / "pseudonymizer" / folder / f"{name}.py").is_file()
    assert (ROOT / "tests" / "pseudonymizer" / folder / f"test_{name}.py").is_file()


@pytest.mark.parametrize(
    ("source", "floats", "openings", "parameters"),
    [
        ("X = 0.5", 1, 0, {}),
        ("X = 0.0 + 1.0 + 3", 0, 0, {}),
        ('def f():\n    """What it is."""\n', 0, 1, {}),
        ('def f():\n    """Whatever it is, and What."""\n', 0, 0, {}),
        ('class C:\n    """The same, later."""\n', 0, 1, {}),
        ("def f(a, b, c, d, e, f, *, g, h): ...", 0, 0, {"f": 8}),
        ("def f(self, a, b, c, d, e, f, *, g): ...", 0, 0, {}),
    ],
)
def test_what_counts(source: str, floats: int, openings: int, parameters: Found) -> None:
    assert (tuned_floats(source), riddles(source), many_parameters(source)) == (floats, openings, parameters)


def test_a_list_is_lowered_and_never_raised() -> None:
    known = {"rule": {"a": 3, "b": 1, "c": 2}}
    assert lowered(known, {"rule": {"a": 2, "c": 5, "d": 1}}) == {"rule": {"a": 2, "c": 2}}
