"""Days on which people were last met are counted. No table changes: it keeps earlier programs away."""

revision = "vault_0006"
down_revision = "vault_0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing: the count is a row of `checkpoint`, which the next write of a project makes."""
