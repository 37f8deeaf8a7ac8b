"""Facts of people as typed records. No table changes: the revision keeps earlier programs away from them."""

revision = "vault_0004"
down_revision = "vault_0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing: rows of the earlier form stay and are read as they are."""
