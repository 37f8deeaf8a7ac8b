"""Errors of single files as records: the class of the error, and words without names or paths."""

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from linkage.errors import (
    FeatureMismatchError,
    GazetteerError,
    LinkageError,
    ModelDamagedError,
    ModelNotFoundError,
    SettingsError,
)
from linkage.records import DocumentId
from pseudonymizer.engine.records import SourceFailure
from pseudonymizer.errors import PseudonymizerError

_Result = TypeVar("_Result")
_Arguments = ParamSpec("_Arguments")
# Faults of the installation: no file can be treated, so the run ends, and no file counts as failed.
FAULTS_OF_THE_RUN: Final = (
    ModelNotFoundError,
    ModelDamagedError,
    FeatureMismatchError,
    GazetteerError,
    SettingsError,
)


class SourceChangedError(PseudonymizerError):
    """A file is not the one whose mentions were found: it was changed before its labels were written."""


def guarded(
    doc_id: DocumentId,
    work: Callable[_Arguments, _Result],
    *args: _Arguments.args,
    **kwargs: _Arguments.kwargs,
) -> _Result | SourceFailure:
    """The result of work(*args, **kwargs), or a failure of this document that holds no personal data.

    Raises:
        LinkageError: models, lists or settings are at fault, so that every other file would fail too.
    """
    try:
        return work(*args, **kwargs)
    except FAULTS_OF_THE_RUN:
        raise
    except (LinkageError, PseudonymizerError) as error:
        return SourceFailure(doc_id, type(error).__name__, str(error))
    except OSError as error:  # its text holds the path
        return SourceFailure(doc_id, type(error).__name__, error.strerror or "the file cannot be read")
    except Exception as error:  # noqa: BLE001  a fault of a parser or model must not end the run; its text may hold a name
        return SourceFailure(doc_id, type(error).__name__, "unexpected error, so the file was left out")
