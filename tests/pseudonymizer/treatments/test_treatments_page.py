"""docs/reference/treatments.md beside the table of profiles."""

import re
import tomllib
from pathlib import Path

from linkage.kinds import Kinds
from linkage.settings import data_directory
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.profiles import FILE_NAME, Profiles
from pseudonymizer.treatments.treatment import Treatment, WayBack

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "treatments.md").read_text(
    encoding="utf-8"
)
TABLE = tomllib.loads((data_directory() / FILE_NAME).read_text(encoding="utf-8"))
WORDS = {WayBack.TEXT: "files, pasted text", WayBack.FILE: "files", WayBack.NONE: "none"}


def table_below(heading: str) -> list[list[str]]:
    """The rows of the first table of a section, its head among them."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows if not set("".join(row)) <= {"-", " "}]


def test_the_table_of_treatments_has_every_treatment_with_its_kinds_and_its_way_back() -> None:
    found = {row[0].strip("`"): (row[1], row[3]) for row in table_below("Treatments")[1:]}
    assert list(found) == [str(treatment) for treatment in Treatment]
    for treatment in Treatment:
        row = TABLE["treatments"][treatment]
        kinds = ", ".join(row["kinds"]) + (f" but {', '.join(row['but'])}" if "but" in row else "")
        back = "it stays" if treatment is Treatment.KEEP else WORDS[treatment.way_back]
        assert found[treatment] == (kinds, back)


def test_the_table_of_profiles_is_what_their_plans_say() -> None:
    head, *rows = table_below("Profiles")
    assert [cell.strip("`") for cell in head[1:]] == list(Profiles.load().profiles)
    plans = [Plan.made(name) for name in Profiles.load().profiles]
    expected = [
        [kind, *("" if plan.of(kind) is Treatment.KEEP else str(plan.of(kind)) for plan in plans)]
        for kind in Kinds.load()
    ]
    assert rows == expected


def test_every_profile_is_told_in_the_words_of_its_table() -> None:
    told = dict(re.findall(r"^- `(\w+)`: (.+)$", PAGE, re.MULTILINE))
    assert told == {profile.name: profile.about for profile in Profiles.load().profiles.values()}
