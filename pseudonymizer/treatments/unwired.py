"""A refusal for as long as runs treat persons alone, and other kinds as the profile `names` does."""

from pseudonymizer.errors import SettingsError
from pseudonymizer.treatments.plan import Plan


def refuse_unwired(plan: Plan) -> None:
    """Raises SettingsError for a plan that runs do not obey yet."""
    if not plan.is_names or plan.person_style is None:
        raise SettingsError(
            f"runs cannot treat other kinds yet, as the profile {plan.profile} or a treatment asks: "
            "take the profile names and treatments of PERSON alone"
        )
