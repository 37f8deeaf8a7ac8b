"""What the trail tells of the key store: a store that is behind it is an older copy that was put back."""

from collections.abc import Iterator

from pseudonymizer.audit import Entry
from pseudonymizer.errors import AuditTamperedError, UnsealError, VaultDamagedError
from pseudonymizer.vault.store.heads import PUT_BACK, TOLD_KEYS
from pseudonymizer.vault.store.keyrows import KEYS_REVISION, KeyRows
from pseudonymizer.vault.store.trail import Trail


class ToldKeys:
    """Compares both, in the caller's unit of work."""

    def __init__(self, rows: KeyRows, trail: Trail) -> None:
        self._rows, self._trail = rows, trail
        self._told = (0, 0)  # the last event that tells a revision, and the revision

    def count_first(self) -> None:
        """Count a key store that was never counted. Needs a transaction of the key store.

        Raises:
            VaultDamagedError: it was counted, and the counts are gone or altered.
        """
        if not self._rows.states():
            self._refuse_lost()
            self._rows.count_anew()

    def count_accepted(self) -> None:
        """Count the key store as it stands, after somebody who governs the vault accepted an older copy."""
        try:
            now = self._rows.revision()
        except UnsealError:
            now = 0
        self._rows.count_anew(told=max(now, self.told()))

    def put_back(self) -> Entry | None:
        """The event that tells that the key store is an older copy; None where it is not.

        Raises:
            VaultDamagedError: the counts of the key store are gone or altered.
        """
        if not self._rows.states():
            self._refuse_lost()
        told = self.told()
        return Entry(PUT_BACK, counts={TOLD_KEYS: told}) if self._rows.revision() < told else None

    def untold(self) -> int | None:
        """The revision of the key store, where the trail does not tell it yet. Call it before a commit."""
        self._rows.write_counts()
        now = self._rows.revision()
        return None if now == self.told() else now

    def told(self) -> int:
        """The revision that the trail told last; 0 where it told none."""
        last = self._trail.last_count(KEYS_REVISION, after=self._told[0])
        self._told = last or self._told
        return self._told[1]

    def findings(self) -> tuple[int, list[str]]:
        """The number of counted rows of the key store, and what is wrong with them."""
        checked, found = self._rows.findings()
        return checked, [*found, *self._behind()]

    def _behind(self) -> Iterator[str]:
        try:
            now, told = self._rows.revision(), self.told()
        except (UnsealError, AuditTamperedError):
            return  # told already
        if now < told:
            yield (
                f"the rows of the key store are at revision {now}, the audit trail says {told}: an older "
                "copy was put back"
            )

    def _refuse_lost(self) -> None:
        if self.told():
            raise VaultDamagedError(
                "the counts of the rows of the key store are gone; run `nymlink vault verify`, and put its "
                "newest backup back"
            )
