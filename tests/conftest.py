"""Properties are not timed: on a machine that has other work, a slow example says nothing about the code."""

from hypothesis import HealthCheck, settings

import linkage.recognition  # noqa: F401 - so that Stanza loads without what the lock files leave out

settings.register_profile("nymlink", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nymlink")
