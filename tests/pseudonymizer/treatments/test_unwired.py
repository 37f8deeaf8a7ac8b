"""Plans that runs do not obey yet."""

import pytest

from linkage.kinds import PERSON, KindId
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import Style
from pseudonymizer.treatments.plan import Plan
from pseudonymizer.treatments.treatment import Treatment
from pseudonymizer.treatments.unwired import refuse_unwired


@pytest.mark.parametrize("style", Style)
def test_names_run_in_every_style(style: Style) -> None:
    refuse_unwired(Plan.of_names(style))


@pytest.mark.parametrize(
    "plan",
    [
        Plan.made("direct"),
        Plan.made("names", {KindId("PHONE"): Treatment.MASK}),
        Plan.made("names", {KindId("EMAIL"): Treatment.KEEP}),
        Plan.made("names", {PERSON: Treatment.KEEP}),
    ],
)
def test_everything_else_is_refused(plan: Plan) -> None:
    with pytest.raises(SettingsError, match="runs cannot treat other kinds yet"):
        refuse_unwired(plan)
