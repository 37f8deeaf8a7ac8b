"""Values of other kinds than persons. No table changes: the revision keeps earlier programs away."""

revision = "vault_0005"
down_revision = "vault_0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing: values have rows in the tables that people have."""
