"""A project's keys, opened: wrapping, blind index, tokens, records; every version that still lives.

Departure from the design: a fourth purpose, `record`. It binds rows, counts them for checkpoints and makes
the ids of documents and mentions. It is not rotated, because mentions are not stored and their ids could not
be made anew.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from pseudonymizer.crypto import Binder, BlindIndex, KeyWrapper, Sealer, derive_key, key_id_of, unseal_each
from pseudonymizer.errors import KeyDestroyedError
from pseudonymizer.records import KeyState
from pseudonymizer.styles.code import CodeMaker
from pseudonymizer.styles.labels import TokenMaker
from pseudonymizer.vault.store.contexts import ProjectContexts

PURPOSES: Final = ("wrap", "index", "token", "record")


@dataclass(frozen=True, slots=True)
class KeyVersion:
    version: int
    state: KeyState
    key: bytes = field(repr=False)


class ProjectKeys:
    """What a project's keys can do; the bytes themselves are not handed out."""

    def __init__(
        self,
        vault_id: bytes,
        project_id: int,
        name: str,
        versions: Mapping[str, Mapping[int, KeyVersion]],
        record_of_vault: Callable[[], bytes],
    ) -> None:
        """record_of_vault: gives the record key of the whole vault."""
        self.project_id = project_id
        self.name = name
        self.contexts = ProjectContexts(vault_id, project_id)
        self._versions = versions
        self._wrappers = {n: KeyWrapper(v.key, key_id=n) for n, v in versions["wrap"].items()}
        self.indexes = {n: BlindIndex(v.key, version=n) for n, v in versions["index"].items()}
        self.tokens = {n: TokenMaker(v.key, version=n) for n, v in versions["token"].items()}
        self._record_of_vault = record_of_vault
        self._codes: CodeMaker | None = None
        record = versions["record"][self.active("record")].key
        self._record = record
        self.state_sealer = Sealer(derive_key(record, b"nymlink/record/state"), key_id=1)
        self.work_sealer = Sealer(derive_key(record, b"nymlink/record/work"), key_id=1)
        self._binders: dict[str, Binder] = {}

    def work_key_of(self, actor: str) -> bytes:
        """The key of one actor's work files, for a client of the service. It opens nothing of the vault."""
        return derive_key(self._record, b"nymlink/record/work-of/" + actor.encode())

    def receipt_sealer_of(self, actor: str) -> Sealer:
        """Seals what one actor is given for what he sent. It is not rotated: receipts are stored nowhere."""
        return Sealer(derive_key(self._record, b"nymlink/record/receipts-of/" + actor.encode()), key_id=1)

    def treatment_key(self) -> bytes:
        """The secret of the project that treatments work with. It opens nothing of the vault."""
        return derive_key(self._record, b"nymlink/record/treatments")

    def parcel_key_of(self, run: str) -> bytes:
        """The private key under which workers of a run seal what they found; its public half goes to them."""
        return derive_key(self._record, b"nymlink/record/parcels-of/" + run.encode())

    def active(self, purpose: str) -> int:
        """The version that new values are made with."""
        return max(n for n, v in self._versions[purpose].items() if v.state is KeyState.ACTIVE)

    def versions(self, purpose: str) -> tuple[int, ...]:
        return tuple(sorted(self._versions[purpose]))

    def binder(self, table: str) -> Binder:
        if (found := self._binders.get(table)) is None:
            found = self._binders[table] = Binder(self._record, table.encode()[:16])
        return found

    @property
    def wrapper(self) -> KeyWrapper:
        return self._wrappers[self.active("wrap")]

    def unwrap(self, wrapped: bytes, *, context: bytes) -> bytes:
        """Raises UnsealError for altered bytes, KeyDestroyedError where the version is gone."""
        version = key_id_of(wrapped)
        wrapper = self._wrappers.get(version)
        if wrapper is None:
            raise KeyDestroyedError(f"version {version} of the project's wrapping key was destroyed")
        return wrapper.unwrap(wrapped, context=context)

    def unseal_each(self, items: Iterable[tuple[bytes, bytes, int, bytes, bytes]]) -> list[bytes]:
        """As crypto.unseal_each. Raises UnsealError, KeyDestroyedError."""
        try:
            return list(unseal_each(self._wrappers, items))
        except KeyError as error:
            raise KeyDestroyedError(
                f"version {error.args[0]} of the project's wrapping key was destroyed"
            ) from None

    @property
    def index(self) -> BlindIndex:
        return self.indexes[self.active("index")]

    @property
    def token(self) -> TokenMaker:
        return self.tokens[self.active("token")]

    @property
    def codes(self) -> CodeMaker:
        """Makes and checks the codes of the project.

        Their order has a key that is never rotated, and that the vault makes of the project's name: where an
        older vault makes the project again, with new keys, codes go on in the same order.
        """
        if self._codes is None:
            order = derive_key(self._record_of_vault(), b"nymlink/vault/codes/" + self.name.encode())
            checks = {n: derive_key(v.key, b"nymlink/token/code") for n, v in self._versions["token"].items()}
            self._codes = CodeMaker(order, checks)
        return self._codes


class WorkSealer:
    """Seals what a run keeps between its passes, under the project's key."""

    def __init__(self, keys: ProjectKeys) -> None:
        self._sealer = keys.work_sealer
        self._context = keys.contexts.work

    def seal(self, plaintext: bytes, *, context: bytes) -> bytes:
        return self._sealer.seal(plaintext, context=self._context(context))

    def unseal(self, sealed: bytes, *, context: bytes) -> bytes:
        """Raises UnsealError for another project, another context or altered bytes."""
        return self._sealer.unseal(sealed, context=self._context(context))
