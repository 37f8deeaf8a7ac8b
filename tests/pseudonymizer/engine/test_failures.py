"""Errors of one file become records without personal data; faults of the installation end the run."""

from collections.abc import Callable
from typing import NoReturn

import pytest

from linkage.errors import DocumentError
from linkage.records import DocumentId
from pseudonymizer.engine.failures import FAULTS_OF_THE_RUN, SourceChangedError, guarded
from pseudonymizer.engine.records import SourceFailure

DOC = DocumentId("d1")


def raising(error: BaseException) -> Callable[[], NoReturn]:
    def work() -> NoReturn:
        raise error

    return work


def test_a_result_comes_through_with_its_arguments() -> None:
    def work(left: int, *, right: int) -> int:
        return left - right

    assert guarded(DOC, work, 5, right=3) == 2


@pytest.mark.parametrize("fault", FAULTS_OF_THE_RUN)
def test_a_fault_of_models_lists_or_settings_is_no_fault_of_a_file(fault: type[Exception]) -> None:
    with pytest.raises(fault, match="once"):
        guarded(DOC, raising(fault("once")))


@pytest.mark.parametrize("error", [DocumentError("line 3 is no JSON"), SourceChangedError("run again")])
def test_our_own_errors_keep_their_words(error: Exception) -> None:
    assert guarded(DOC, raising(error)) == SourceFailure(DOC, type(error).__name__, str(error))


def test_an_error_of_the_system_is_told_without_its_path() -> None:
    error = FileNotFoundError(2, "No such file or directory", "brief Jan Tolsma.txt")
    assert guarded(DOC, raising(error)) == SourceFailure(
        DOC, "FileNotFoundError", "No such file or directory"
    )
    assert guarded(DOC, raising(OSError("Jan Tolsma"))) == SourceFailure(
        DOC, "OSError", "the file cannot be read"
    )


@pytest.mark.parametrize(
    "error", [ValueError("Jan Tolsma"), KeyError("Jan Tolsma"), RecursionError("Tolsma")]
)
def test_of_any_other_error_only_the_class_is_told(error: Exception) -> None:
    failure = guarded(DOC, raising(error))
    assert failure == SourceFailure(DOC, type(error).__name__, "unexpected error, so the file was left out")


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_who_ends_the_program_is_obeyed(end: type[BaseException]) -> None:
    with pytest.raises(end):
        guarded(DOC, raising(end()))
