"""One tree of errors: catch PseudonymizerError for everything that pseudonymizer raises on purpose.

Messages hold ids, counts, versions and pseudonyms; never a name, a text, a file name of the user's, or a key.
"""


class PseudonymizerError(Exception):
    """Base of every error that pseudonymizer raises on purpose."""


class InvalidRecordError(PseudonymizerError, ValueError):
    """A record breaks its own rule."""


class SettingsError(PseudonymizerError, ValueError):
    """A setting is unknown or out of range."""


class VaultError(PseudonymizerError):
    """Base of what can go wrong with a vault as a whole."""


class VaultUninitializedError(VaultError):
    """There is no vault at this address yet; `nymlink vault init` makes one."""


class VaultExistsError(VaultError):
    """There is a vault, or something else, where a new one was to be made; nothing is overwritten."""


class KeyStoreMissingError(VaultError):
    """The vault is there but its key store is not; without it nothing can be read."""


class WrongKeyError(VaultError):
    """The key or passphrase is not the one of this vault; the vault itself is unharmed."""


class KeyUnavailableError(VaultError):
    """The key source (file, variable, keyring, key service) is absent, unreadable or refused."""


class VaultDamagedError(VaultError):
    """Stored bytes are not what the vault wrote: damaged, cut off, swapped or tampered with."""


class UnsealError(VaultDamagedError):
    """A sealed value or a wrapped key does not belong to this key and row, or was altered."""


class VaultOutdatedError(VaultError):
    """The stores have another schema revision than this program; `nymlink vault migrate` brings them up to
    date.
    """


class VaultBusyError(VaultError):
    """Another process held the vault for longer than we wait; try again."""


class VaultClosedError(VaultError):
    """The vault was used outside a transaction that it needs, or after an error that rolled it back."""


class ClockAheadError(VaultError):
    """The clock is far ahead of the last event: retention might erase everybody; say that it is right."""


class KeyDestroyedError(VaultError):
    """A key version was destroyed on purpose; what it sealed cannot be read any more."""


class AuditTamperedError(VaultError):
    """The audit trail was edited, cut, reordered or extended by something other than the vault."""


class VaultPutBackError(AuditTamperedError):
    """A head kept outside knows more than the trail: an older vault was put back, or the trail was cut."""


class AuditUnavailableError(VaultError):
    """The audit trail cannot be written, so nothing is revealed."""


class UnknownProjectError(PseudonymizerError, LookupError):
    """The vault has no project of this name."""


class UnknownPseudonymError(PseudonymizerError, LookupError):
    """The pseudonym is not one of this project, or its person was erased."""


class UnknownFolderError(PseudonymizerError, LookupError):
    """The project has no key for this output folder: it was given up, or is of another project."""


class UnknownRequestError(PseudonymizerError, LookupError):
    """There is no request of this number that the actor may see."""


class LinkageOutdatedError(UnknownPseudonymError):
    """A linkage result names a person whom the project has not any more: erased since. Link again."""


class InvalidTokenError(UnknownPseudonymError):
    """Looks like a pseudonym but its check letters are wrong: mistyped, forged, or of another project."""


class AccessRefusedError(PseudonymizerError, PermissionError):
    """The policy does not let this actor do this; the refusal is in the audit."""


class PurposeRequiredError(AccessRefusedError):
    """Re-identification without a stated purpose."""


class LimitExceededError(AccessRefusedError):
    """The actor has revealed more than the project's limit allows in this time."""


class GrantInvalidError(AccessRefusedError):
    """A grant is used up, expired, not approved, altered, or for another actor, project or set."""


class ReceiptInvalidError(AccessRefusedError):
    """A receipt is expired, altered, none at all, or of another actor or project."""


class SurrogatesExhaustedError(PseudonymizerError):
    """No pseudonym can be formed that is unique; the real name is never used instead."""


class BundleError(PseudonymizerError, ValueError):
    """An export bundle or key backup is damaged, incomplete or for another key."""


class ServiceError(PseudonymizerError):
    """The vault service cannot be reached or answered out of protocol."""


class EngineError(PseudonymizerError):
    """Base of what can go wrong between the web front and its engine."""


class EngineGoneError(EngineError):
    """The engine process is not there yet, or not any more, or ended while it worked."""


class EngineBusyError(EngineError):
    """As many requests are waiting for the engine as may wait; ask again later."""


class EngineSlowError(EngineError):
    """A request took longer than requests may take; send fewer or shorter texts."""


class DeskStoreError(PseudonymizerError):
    """The file of tokens and jobs (desk.db) of `nymlink web` cannot be used."""


class UnknownWorkspaceError(PseudonymizerError, LookupError):
    """There is no workspace, file or job of this id, or it is of another account or project, or has ended."""


class NoWorkspacesError(PseudonymizerError):
    """The service was started without a folder for workspaces; --workspaces names one."""


class NoPresidioError(PseudonymizerError):
    """A request in Presidio's form came to a service without the extra nymlink[presidio]."""


class WorkspaceFullError(PseudonymizerError):
    """A bound on the files of a workspace, or on the workspaces of an account, is reached."""


class UploadRefusedError(PseudonymizerError, ValueError):
    """A file cannot be taken: its path leads elsewhere or is there already, or its bytes are not as told.

    field: the place in the request that is at fault.
    """

    field = ""


class WorkspaceStateError(PseudonymizerError):
    """The workspace is not as far as the request needs it, or a job works on it."""


class StaleRevisionError(PseudonymizerError):
    """The workspace was changed since the revision that a request names."""


class UnsealedWorkError(PseudonymizerError):
    """There is no file system in memory in which a run could work; --unsealed-work lets it work on disk."""


class RunCancelledError(PseudonymizerError):
    """Somebody cancelled the job, or the service ends; what is done stays done."""


class RestyleNeededError(SettingsError):
    """A request asks for another style or treatment than the project has; say restyle if it is meant."""


class TokenRefusedError(PseudonymizerError):
    """An API token cannot be made as asked, or there is none of this id."""


class AccountRefusedError(PseudonymizerError):
    """An account cannot be made or changed as asked, or there is none of this name."""


class LeftInOutputError(PseudonymizerError):
    """A file, once written, still says a name or a value that was replaced, in a place that nobody sees."""


class OverlappingReplacementsError(PseudonymizerError, ValueError):
    """Two replacements claim the same characters; resolve overlaps in recognition, not here."""


class RewrittenTextChangedError(PseudonymizerError, ValueError):
    """A rewritten text was edited since, so it cannot be undone edit by edit."""


class CorrectionRefusedError(PseudonymizerError, ValueError):
    """A correction of mentions cannot be made: it overlaps another mention, or changes nothing."""


class OutdatedCorrectionError(CorrectionRefusedError):
    """A correction is about a mention, a person or words that are not there by now; read the text anew."""


class WrongCorrectionsError(PseudonymizerError, ValueError):
    """A file of corrections cannot be read, or says what does not stand in the texts of the workspace."""


class BatchError(PseudonymizerError):
    """A run cannot start or go on, such as an output folder that is an input folder."""


class OutsideFolderError(PseudonymizerError, ValueError):
    """A path that was stored or derived would lead out of the folder to which it is joined."""


class UntreatedDocumentError(PseudonymizerError):
    """The output of a document was asked for that could not be treated; the text says why it was not."""


class MissingInputError(BatchError):
    """An input is not there. position: which one, from 1; whoever gave it may be shown its path."""

    def __init__(self, position: int) -> None:
        super().__init__(f"input {position} does not exist or cannot be reached")
        self.position = position


class ForeignOutputError(BatchError):
    """An output is to be restored in another project, or another vault, than the one whose it is."""


class ForeignFileError(BatchError):
    """A file of somebody else lies where an output would go."""


class WorkFileError(BatchError):
    """The work file of a run is damaged, sealed under another key, or of another version."""
