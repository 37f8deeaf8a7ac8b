"""The socket of a vault service: who connects is told by the kernel, what is sent is checked, all is bounded.

Each connection has a thread and an opened vault of its own, in the caller's name; the key is opened once.
"""

import logging
import os
import socket
import stat
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pseudonymizer.service.curation_verbs
import pseudonymizer.service.folder_verbs
import pseudonymizer.service.known_verbs
import pseudonymizer.service.receipt_verbs
import pseudonymizer.service.request_verbs
import pseudonymizer.service.review_verbs
import pseudonymizer.service.value_verbs  # noqa: F401  serves its verbs
from linkage.gazetteer import Gazetteer
from pseudonymizer.audit import Entry
from pseudonymizer.errors import AccessRefusedError, ServiceError
from pseudonymizer.keyring import KeyEncryptionKey, KeyProvider
from pseudonymizer.keyring.protocol import Parameters
from pseudonymizer.policy import Role
from pseudonymizer.records import ServiceStatus
from pseudonymizer.service.admission import Connections, Shares
from pseudonymizer.service.callers import Callers as Callers
from pseudonymizer.service.callers import group_id
from pseudonymizer.service.callers import user_name as user_name
from pseudonymizer.service.hardening import Hardening
from pseudonymizer.service.verbs import Session, run_verb
from pseudonymizer.styles.name_pool import InventedNames, ShippedLists
from pseudonymizer.vault import Vault, access, wire
from pseudonymizer.vault.api import MentionLinker
from pseudonymizer.vault.known import KnownPeople
from pseudonymizer.vault.linker_api import CandidateLinker, PeopleIndex
from pseudonymizer.vault.remote.greeting import own_greeting, read_greeting, refusal

log = logging.getLogger(__name__)

_CREDENTIALS: Final = struct.Struct("3i")  # struct ucred: process, user, group
_LONGEST_PATH: Final = 100  # the kernel takes 107 bytes
_SMALL_MESSAGE: Final = 1 << 16  # for callers without any role
_GREETING_SECONDS: Final = 10.0
_TICK_SECONDS: Final = 0.2


class HeldKey:
    """A key that is open already, for further connections to the same vault."""

    def __init__(self, provider: KeyProvider) -> None:
        self._provider = provider
        self._opened: KeyEncryptionKey | None = None
        self._lock = threading.Lock()

    @property
    def kind(self) -> str:
        return self._provider.kind

    def create(self) -> KeyEncryptionKey:
        raise ServiceError("a service opens a vault and makes none; `nymlink vault init` makes one")

    def open(self, parameters: Parameters, /) -> KeyEncryptionKey:
        with self._lock:
            if self._opened is None:
                self._opened = self._provider.open(parameters)
            return self._opened


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a service.

    largest_message: in bytes. most_connections, most_a_user, kept_free: see admission.Shares. most_of_front:
    connections of the web front, which speaks for many accounts; they come on top of most_connections.
    idle_seconds: how long a connection may wait for its next call; clients connect again by themselves.
    most_faults: refusals and broken calls of a connection before it ends, each answered after fault_seconds.
    """

    largest_message: int = wire.LARGEST_FRAME
    most_connections: int = 32
    most_a_user: int = 8
    kept_free: int = 8
    most_of_front: int = 24
    idle_seconds: float = 900.0
    most_faults: int = 20
    fault_seconds: float = 0.05


class VaultService:
    """Listens at a socket until stop is called.

    open_vault opens the vault for an actor (with a HeldKey, so that a passphrase is asked once). linker
    decides who is who for callers that may not see names; without it they cannot link against known people.
    lists: what invented names are made of, read when a caller first asks for some.
    """

    def __init__(
        self,
        place: Path,
        open_vault: Callable[[str], Vault],
        *,
        linker: MentionLinker | None = None,
        lists: Callable[[], ShippedLists] = Gazetteer.load,
        callers: Callers | None = None,
        hardening: Hardening | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._place = place
        self._open_vault = open_vault
        self._linker = None if linker is None else _one_at_a_time(linker)
        self._invented = InventedNames(lists)
        self._known = KnownPeople()
        self._callers = callers or Callers()
        group = self._callers.group
        self._group = None if group is None else group_id(group)
        self._hardening = hardening or Hardening(core_dumps_off=False, memory_locked=False)
        self._limits = limits or Limits()
        self._stopping = threading.Event()
        self._open = Connections(_shares(self._limits, self._callers.front))
        self._lock = threading.Lock()  # of the threads
        self._threads: set[threading.Thread] = set()

    # -- life ------------------------------------------------------------------------------------------------

    def serve(self, *, ready: Callable[[], None] = lambda: None) -> None:
        """Accept until stop; then let running verbs end, and take the socket away.

        Raises:
            ServiceError: nobody has a role, so that everyone would have all; or the socket's place is not
            safe, or another service listens there.
        """
        if not hasattr(socket, "SO_PEERCRED"):
            raise ServiceError(
                "this system does not say who connects (SO_PEERCRED); a vault service needs Linux"
            )
        with self._open_vault(user_name(os.getuid())) as vault:
            if not access.stored_roles(vault):
                raise ServiceError(
                    "nobody has a role yet, so that whoever connects would have all of them; give them out "
                    "first: nymlink vault roles give ACTOR ROLE"
                )
            self._vault_id = vault.keystore.vault_id.hex()
        listener = self._listen()
        mine = self._place.stat()
        try:
            log.info("vault service is up")
            ready()
            self._accept(listener)
        finally:
            listener.close()
            if self._place.exists() and self._place.stat().st_ino == mine.st_ino:
                self._place.unlink()
            self._end_connections()
            log.info("vault service is down")

    def stop(self) -> None:
        """From a signal's handler or another thread."""
        self._stopping.set()

    def _listen(self) -> socket.socket:
        self._check_place()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            before = os.umask(0o177)
            try:
                listener.bind(os.fspath(self._place))
            finally:
                os.umask(before)
            if self._group is not None:
                os.chown(self._place, -1, self._group)
                self._place.chmod(0o660)
            listener.listen(16)
            listener.settimeout(_TICK_SECONDS)
        except OSError as error:
            listener.close()
            raise ServiceError(
                f"the socket cannot be made ({os.strerror(error.errno or 0)}); take a "
                "path in a folder of this user"
            ) from None
        return listener

    def _check_place(self) -> None:
        if len(os.fsencode(self._place)) > _LONGEST_PATH:
            raise ServiceError(f"the socket's path is longer than {_LONGEST_PATH} bytes; take a shorter one")
        folder = self._place.parent
        mode = 0o700 if self._group is None else 0o710
        if not folder.exists():
            folder.mkdir(mode=0o700)
            if self._group is not None:
                os.chown(folder, -1, self._group)
            folder.chmod(mode)
        found = folder.stat()
        if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & ~mode & 0o077:
            raise ServiceError(
                f"the socket's folder must belong to this user with mode {mode:04o}, and has "
                f"{stat.S_IMODE(found.st_mode):04o}: others could put their own socket there"
            )
        if not self._place.is_symlink() and not self._place.exists():
            return
        if not stat.S_ISSOCK(self._place.lstat().st_mode):
            raise ServiceError(
                "a file that is no socket lies at the socket's place, and was left alone; take another path"
            )
        probe = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            probe.connect(os.fspath(self._place))
        except ConnectionRefusedError:
            self._place.unlink()  # left by a service that was killed
        except OSError as error:
            raise ServiceError(
                f"the old socket cannot be tried ({os.strerror(error.errno or 0)}); "
                "take it away, or take another path"
            ) from None
        else:
            raise ServiceError(
                "another vault service listens at this socket; end it first, or take another path"
            )
        finally:
            probe.close()

    def _accept(self, listener: socket.socket) -> None:
        while not self._stopping.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            except OSError as error:  # too many open files: wait for some to close
                log.warning("a connection could not be accepted: %s", type(error).__name__)
                self._stopping.wait(_TICK_SECONDS)
                continue
            user = _CREDENTIALS.unpack(
                connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
            )[1]
            is_admitted, gone = self._open.admit(connection, user, time.monotonic())
            if gone is not None:
                _shut(gone)
                log.info("an idle connection made room for another")
            if not is_admitted:
                connection.close()
                log.warning("a connection was refused: %d are open", len(self._open))
                continue
            thread = threading.Thread(target=self._attend, args=(connection, user), daemon=True)
            with self._lock:
                self._threads.add(thread)
            thread.start()

    def _end_connections(self) -> None:
        for connection in self._open.idle():
            _shut(connection)
        with self._lock:
            threads = list(self._threads)
        for thread in threads:
            thread.join()

    # -- one connection --------------------------------------------------------------------------------------

    def _attend(self, connection: socket.socket, user: int) -> None:
        try:
            self._converse(connection, user)
        except ServiceError as error:
            log.info("a connection ended: %s", type(error).__name__)
        except Exception as error:  # noqa: BLE001  one caller's failure must not end the others'
            log.error("a connection failed: %s", type(error).__name__)  # noqa: TRY400  a trace may hold names
        finally:
            self._open.leave(connection)
            with self._lock:
                self._threads.discard(threading.current_thread())
            connection.close()

    def _converse(self, connection: socket.socket, user: int) -> None:
        raw = wire.receive_frame(connection, largest=wire.LARGEST_GREETING, idle_seconds=_GREETING_SECONDS)
        greeting = read_greeting(raw)
        if refused := refusal(greeting, own_greeting()):
            self._send(connection, wire.failure(ServiceError(refused)))
            return
        try:
            actor = self._callers.actor(user, greeting.acting_for)
        except (ServiceError, AccessRefusedError) as error:
            if isinstance(error, AccessRefusedError):
                self._note_refused(user)
            time.sleep(self._limits.fault_seconds)
            self._send(connection, wire.failure(error))
            return
        with self._open_vault(actor) as vault:
            vault.trail.via = user if greeting.acting_for else None
            roles = access.roles_of(vault, actor) if access.stored_roles(vault) else frozenset[Role]()
            status = ServiceStatus(
                self._vault_id, actor, tuple(sorted(map(str, roles))), self._hardening.memory_locked,
                self._hardening.core_dumps_off, self._limits.largest_message,
            )  # fmt: skip
            self._send(connection, wire.answered(wire.encode(status)))
            largest = self._limits.largest_message if roles else _SMALL_MESSAGE
            vault.share_known(self._known)
            session, faults = Session(vault, self._linker, self._invented), 0
            while not self._stopping.is_set() and faults < self._limits.most_faults:
                raw = wire.receive_frame(
                    connection, largest=largest, idle_seconds=self._limits.idle_seconds
                )  # fmt: skip
                answer = self._answered(connection, session, raw)
                faults += bool(answer.error)
                if answer.error:
                    time.sleep(self._limits.fault_seconds)  # who tries things out must be slow
                self._send(connection, answer)

    def _note_refused(self, user: int) -> None:
        """Put on record that a user wanted to speak for another actor, without that actor's name."""
        with self._open_vault(self._callers.actor_of(user)) as vault:
            vault.record(Entry("acting-for", outcome="refused:front"))
            vault.commit()

    def _answered(self, connection: socket.socket, session: Session, raw: bytes) -> wire.Answer:
        self._open.begin(connection)
        try:
            if not access.stored_roles(session.vault):
                raise AccessRefusedError(
                    "nobody has a role any more; the service gives nothing until someone has"
                )
            result = run_verb(session, wire.decode(raw, wire.Call))
            if len(result) > self._limits.largest_message:
                raise ServiceError("the answer is larger than one message may be; ask for less at a time")
            return wire.answered(result, session.vault.last_event)
        except Exception as error:  # noqa: BLE001  it is told to the caller, without what it may hold
            return wire.failure(error)
        finally:
            self._open.end(connection, time.monotonic())

    def _send(self, connection: socket.socket, answer: wire.Answer) -> None:
        connection.settimeout(wire.FRAME_SECONDS)
        wire.send_frame(
            connection, wire.encode(answer), largest=self._limits.largest_message + _SMALL_MESSAGE
        )


def _shares(limits: Limits, front: int | None) -> Shares:
    most = limits.most_connections + (0 if front is None else limits.most_of_front)
    return Shares(most, limits.most_a_user, limits.kept_free, front, limits.most_of_front)


class _OneAtATime:
    """A linker for several threads."""

    def __init__(self, linker: MentionLinker) -> None:
        self._linker = linker
        self._lock = threading.Lock()

    def link(self, mentions: Any, *, known: Any = (), judgements: Any = ()) -> Any:
        with self._lock:
            return self._linker.link(mentions, known=known, judgements=judgements)


class _CandidatesOneAtATime(_OneAtATime):
    """A linker for several threads that takes the candidates of its index."""

    def __init__(self, linker: CandidateLinker) -> None:
        super().__init__(linker)
        self._fetching = linker

    def people_index(self) -> PeopleIndex:
        return self._fetching.people_index()

    def link(self, mentions: Any, *, known: Any = (), judgements: Any = (), beyond: Any = None) -> Any:
        with self._lock:
            return self._fetching.link(mentions, known=known, judgements=judgements, beyond=beyond)


def _one_at_a_time(linker: MentionLinker) -> _OneAtATime:
    return _CandidatesOneAtATime(linker) if isinstance(linker, CandidateLinker) else _OneAtATime(linker)


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        log.debug("a connection was gone already")
