"""What was found by kind, and what a run would leave in, as lines without a name or a value."""

from typing import TYPE_CHECKING

from pseudonymizer.cli.saying import say

if TYPE_CHECKING:
    from pseudonymizer.answers import LinkedDocuments
    from pseudonymizer.preview import Preview


def print_found(linked: "LinkedDocuments", preview: "Preview") -> None:
    """Print the kinds of all mentions, with what the plan makes of them and how many would stay."""
    persons = [one.mention for document in linked.documents for one in document.mentions]
    kinds = preview.by_kind(persons, (value for document in linked.documents for value in document.values))
    if not kinds:
        say("found: nothing of any kind")
        return
    rows = [("found by kind", "treatment", "found", "would stay")]
    rows += [
        (str(one.kind), one.treatment.value.replace("_", " "), f"{one.found:,}", f"{one.left_in:,}")
        for one in kinds
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for kind, treatment, found, left_in in rows:
        say(f"{kind:<{widths[0]}}  {treatment:<{widths[1]}}  {found:>{widths[2]}}  {left_in:>{widths[3]}}")
