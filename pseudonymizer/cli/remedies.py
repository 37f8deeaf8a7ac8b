"""What the caller of the command can do about an error that ended it, by the class of the error.

A text that says so itself stands alone. Each class has a row, or one that it comes from has one.
"""

import errno
import re
from collections.abc import Mapping
from typing import Final

from pseudonymizer.engine.remedies import REMEDIES as OF_FILES

_ANEW: Final = "put the newest backup back; `nymlink vault verify` says what is wrong"
_REPORT: Final = "please report this line"
_INSTALL: Final = "install nymlink again"
_OF_CLASSES: Final[Mapping[str, str]] = {
    # linkage
    "FeatureMismatchError": f"{_INSTALL}, or train that model again",
    "GazetteerError": "mend that file, or take it out of the settings",
    "GoldFormatError": "mend the file; docs/reference/evaluation.md shows the formats",
    "InvalidRecordError": "make that input again with the verb that wrote it",
    "KindsError": _INSTALL,
    "LinkageError": _REPORT,
    "MissingPackageError": "install it with pip",
    "ModelDamagedError": _INSTALL,
    "ModelNotFoundError": f"{_INSTALL}, or fetch the model with `nymlink models install`",
    "SettingsError": "mend it; docs/reference/settings.md has every key, `nymlink VERB --help` every option",
    "TooManyMentionsError": "people stay as runs linked them: the project is too large for that",
    "ThresholdError": "mend the thresholds in [linking] of the settings",
    # the vault
    "AuditTamperedError": "keep this vault, compare it with its backups; docs/reference/vault.md, audit",
    "AuditUnavailableError": "put the newest backup of the key store back",
    "BundleError": "make the export again, or copy it again: nothing was taken in",
    "ClockAheadError": "set the clock of this machine, or say --clock-is-right",
    "KeyDestroyedError": "only a backup of the key store from before has it",
    "KeyStoreMissingError": "put the key store beside the vault, or name it with --keys",
    "KeyUnavailableError": "name the key with --key-file or NYMLINK_KEY_FILE",
    "VaultBusyError": "run the same command again in a moment",
    "VaultClosedError": _REPORT,
    "VaultDamagedError": _ANEW,
    "VaultError": "try again; if it fails again, `nymlink vault verify` says what is wrong",
    "VaultExistsError": "choose another --vault",
    "VaultOutdatedError": "run `nymlink vault migrate`, or use a newer nymlink",
    "VaultPutBackError": "put the newest backup back, or say why the older one is right: "
    "`nymlink vault accept-put-back`",
    "VaultUninitializedError": "`nymlink vault init` makes one",
    "WrongKeyError": "name the key of this vault with --key-file",
    # rights and ways back
    "AccessRefusedError": "`nymlink vault roles list` shows who may, and `nymlink request` asks for names",
    "GrantInvalidError": "`nymlink requests list` shows the requests; ask anew with `nymlink request`",
    "LimitExceededError": "ask for fewer, or later",
    "PurposeRequiredError": "say what it is done for: --purpose TEXT",
    "ReceiptInvalidError": "send the texts again, or ask for the names with a purpose",
    "UnknownFolderError": "`nymlink vault folders` lists those of the project",
    "UnknownProjectError": "`nymlink vault projects` lists the projects",
    "UnknownPseudonymError": "check --project; `nymlink lookup NAME` shows the pseudonyms of somebody",
    "UnknownRequestError": "`nymlink requests list` shows those that you may see",
    # runs
    "BatchError": "run the same command again; if it fails again, use a new --out",
    "CorrectionRefusedError": "leave that correction out",
    "NoPresidioError": "pip install 'nymlink[web,presidio]'",
    "NoWorkspacesError": "start the service with --workspaces DIR",
    "RunCancelledError": "start the job again if it is wanted",
    "StaleRevisionError": "read the workspace anew, and send the change again",
    "UnknownWorkspaceError": "list the workspaces of the account, and name one of them",
    "UnsealedWorkError": "name a folder in memory with --work-folder, or allow a disk with --unsealed-work",
    "UploadRefusedError": "send the file under another path, and as many bytes as were told",
    "WorkspaceFullError": "delete files or workspaces that are done",
    "WorkspaceStateError": "wait for the job or cancel it; analyse the files first",
    "WrongCorrectionsError": "make the file again with `nymlink review`",
    "ForeignOutputError": "give the --project and the --vault of the run that wrote it",
    "LeftInOutputError": "take that content out of the file, or save it in another format",
    "LinkageOutdatedError": "run the same command again",
    "MissingInputError": "check the path, or leave it out",
    "OutdatedCorrectionError": "make the correction again on the text as it is now",
    "OverlappingReplacementsError": _REPORT,
    "PseudonymizerError": _REPORT,
    "RestyleNeededError": "say --restyle if another style is meant",
    "RewrittenTextChangedError": "give the output as the run wrote it",
    "SurrogatesExhaustedError": "take another style, such as --style token",
    "UntreatedDocumentError": "mend that input, or leave it out",
    "WorkFileError": "use another --out",
    # services
    "DeskStoreError": "name another file with --desk",
    "EngineError": "wait until `nymlink web` has loaded its models, and ask again",
    "ServiceError": "see that `nymlink vault serve` runs, and has the same version of nymlink",
    "AccountRefusedError": "`nymlink web account --help` says what can be done with accounts",
    "TokenRefusedError": "`nymlink web token create --help` says what a token can have",
}
_OF_SYSTEM: Final[Mapping[int, str]] = {  # by number of an error of the operating system
    errno.ENOENT: "check the path, and make the folder that it is to lie in",
    errno.EACCES: "give a place that the user who runs this may read and write",
    errno.EPERM: "give a place that the user who runs this may read and write",
    errno.EISDIR: "a folder lies there: give a file",
    errno.ENOTDIR: "a file lies there: give a folder",
    errno.ENOSPC: "make room and run the same command again: what is done stays done",
    errno.EROFS: "give a place on a disk that can be written",
}
# A second half behind a semicolon ("nothing was changed" is none), a verb or an option to use, or what to
# install: it is said already.
_SAYS_WHAT_NEXT: Final = re.compile(
    r";(?! nothing )|`nymlink |(?<!\S)--[a-z]|\bpip install\b|\binstall (?:nymlink )?again\b"
)


def says_what_next(text: str) -> bool:
    """Whether an error's text says what to do."""
    return bool(_SAYS_WHAT_NEXT.search(text))


def remedy_of(error: BaseException) -> str:
    """What to do about an error; "" where its text says it, or where nothing is known."""
    if says_what_next(str(error)):
        return ""
    return what_to_do(type(error))


def what_to_do(kind: type[BaseException]) -> str:
    """What to do about errors of this class; "" where nothing is known."""
    return next((row for one in kind.__mro__ if (row := _row(one.__name__))), "")


def with_remedy(error: BaseException) -> str:
    """The text of one of our errors, and what to do about it, for one line."""
    remedy = remedy_of(error)
    return f"{str(error).rstrip('.')}; {remedy}" if remedy else str(error)


def remedy_of_system(number: int | None) -> str:
    """What to do about an error of the operating system with this number; "" where nothing is known."""
    return _OF_SYSTEM.get(number or 0, "")


def _row(name: str) -> str:
    return _OF_CLASSES.get(name) or OF_FILES.get(name, "")
