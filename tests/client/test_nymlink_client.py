"""nymlink-client: the method names of Project over HTTP; a stub for what goes wrong, and the real front."""

import ast
import asyncio
import inspect
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import nymlink_client
import pytest
from nymlink_client import (
    AccessRefusedError,
    AsyncJob,
    AsyncProject,
    AsyncWorkspace,
    BusyError,
    InsecureAddressError,
    Job,
    NotFoundError,
    NymlinkError,
    Project,
    ServiceFailedError,
    UnreachableError,
    UntreatedTextError,
    Workspace,
    WrongRequestError,
    calls,
)

from pseudonymizer.policy import Verb
from pseudonymizer.project import Project as Whole
from tests.pseudonymizer.web.served import PROJECT, Service, fake_service

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = "http://127.0.0.1:8650"
TOKEN: Final = "nym_geheim"  # noqa: S105  a test's
Answer = Callable[[httpx.Request], httpx.Response]


def problem(status: int, kind: str, headers: dict[str, str] | None = None, **more: str) -> httpx.Response:
    body = {
        "type": f"urn:nymlink:problem:{kind}",
        "title": "t",
        "status": status,
        "detail": "Doe iets.",
        **more,
    }
    return httpx.Response(status, json=body, headers=headers)


def stub(*answers: httpx.Response | Answer) -> tuple[Project, list[httpx.Request]]:
    """A project whose service gives these answers, one after the other; and what it was sent."""
    sent: list[httpx.Request] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        one = left.pop(0)
        return one if isinstance(one, httpx.Response) else one(request)

    return Project.open(HERE, token=TOKEN, name="p", transport=httpx.MockTransport(answer)), sent


# -- what it is ----------------------------------------------------------------------------------------------


def test_it_needs_neither_models_nor_the_project() -> None:
    code = "import sys, nymlink_client; print(sorted(m.partition('.')[0] for m in sys.modules))"
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60,
        env={"PYTHONPATH": str(ROOT / "client")},
    )  # fmt: skip
    loaded = set(ast.literal_eval(done.stdout))
    assert not loaded & {"torch", "linkage", "pseudonymizer", "numpy", "sqlalchemy", "cryptography"}


def test_its_distribution_names_what_it_imports_and_has_the_version_of_the_project() -> None:
    own = tomllib.loads((ROOT / "client" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert own["version"] == whole["version"]
    imported = set[str]()
    for file in (ROOT / "client" / "nymlink_client").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    foreign = imported - set(sys.stdlib_module_names) - {"nymlink_client"}
    assert foreign == {one.partition(">")[0] for one in own["dependencies"]}


@pytest.mark.parametrize(
    "method",
    [
        "find", "pseudonymize", "receipt", "restore_text", "restore", "give_back", "name", "restore_stream",
        "reveal", "lookup",
    ],
)  # fmt: skip
def test_its_methods_are_named_as_those_of_a_project(method: str) -> None:
    assert hasattr(Whole, method) or method == "name"
    assert hasattr(Project, method)
    assert hasattr(AsyncProject, method)


@pytest.mark.parametrize(
    ("waiting", "asynchronous"), [(Project, AsyncProject), (Workspace, AsyncWorkspace), (Job, AsyncJob)]
)
def test_both_clients_have_the_same_methods_with_the_same_arguments(
    waiting: type, asynchronous: type
) -> None:
    def shown(kind: type) -> dict[str, str]:
        return {
            name: str(inspect.signature(member)).replace("Async", "").replace("async_", "")
            for name, member in vars(kind).items()
            if inspect.isfunction(member) and not name.startswith("_")
        }

    assert shown(waiting) == shown(asynchronous)


def test_the_page_of_the_client_names_every_public_method() -> None:
    page = (ROOT / "client" / "README.md").read_text(encoding="utf-8")
    methods = [
        name
        for kind in (Project, Workspace, Job)
        for name in vars(kind)
        if not name.startswith("_") and name not in {"open", "close", "name"}
    ]
    assert [name for name in methods if f"`{name}`" not in page] == []


# -- a stub --------------------------------------------------------------------------------------------------


def test_a_request_has_the_token_in_its_header_and_the_texts_in_its_body() -> None:
    project, sent = stub(httpx.Response(200, json={"texts": [], "receipt": None}))
    project.pseudonymize(
        ["Jan kwam.", "Els ook."],
        kinds=("PERSON",),
        style="code",
        always={"PERSON": ("Jan",)},
        min_confidence=0.5,
    )
    (request,) = sent
    assert request.headers["Authorization"] == f"Bearer {TOKEN}"
    assert request.url == f"{HERE}/api/v1/text/pseudonymize"
    assert json.loads(request.content) == {
        "texts": [{"id": "1", "text": "Jan kwam."}, {"id": "2", "text": "Els ook."}], "receipt": True,
        "kinds": ["PERSON"], "style": "code", "always": {"PERSON": ["Jan"]}, "min_confidence": 0.5,
        "project": "p",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (401, AccessRefusedError), (403, AccessRefusedError), (404, NotFoundError), (409, WrongRequestError),
        (413, WrongRequestError), (422, WrongRequestError), (500, ServiceFailedError),
        (302, ServiceFailedError),
    ],
)  # fmt: skip
def test_problems_are_errors_of_their_own_without_a_second_try(
    status: int, expected: type[NymlinkError]
) -> None:
    project, sent = stub(problem(status, "some-kind", field="texts[0].text"))
    with pytest.raises(expected) as found:
        project.find("Jan Tolsma kwam.")
    assert (found.value.status, found.value.kind, found.value.field) == (status, "some-kind", "texts[0].text")
    assert "Doe iets." in str(found.value)
    assert len(sent) == 1


def test_a_busy_service_is_asked_again_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    good = httpx.Response(200, json={"projects": []})
    project, sent = stub(problem(503, "loading", {"Retry-After": "3"}), problem(429, "too-many"), good)
    assert project.projects() == ()
    assert (waited, len(sent)) == ([3.0, 2.0], 3)
    project, sent = stub(*[problem(503, "busy", {"Retry-After": "1"})] * 3)
    with pytest.raises(BusyError):
        project.projects()
    assert len(sent) == 3
    project, sent = stub(problem(429, "limit-exceeded", {"Retry-After": "600"}))
    with pytest.raises(BusyError):
        project.projects()
    assert len(sent) == 1


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(200, text="<html>"), httpx.Response(200, json={"texts": 5}), httpx.Response(502)],
)
def test_what_is_no_answer_of_a_service_is_said_to_be_none(answer: httpx.Response) -> None:
    project, _ = stub(answer)
    with pytest.raises(ServiceFailedError):
        project.find("Jan")


def test_fields_of_later_services_are_passed_over() -> None:
    later = {"texts": [{"id": "1", "text": "x", "how": "exact", "audit_sequence": 9, "new": {}}], "more": 1}
    project, _ = stub(httpx.Response(200, json=later))
    assert project.restore_text("x", receipt="nyr_x").audit_sequence == 9


def test_a_text_that_was_not_treated_says_why_when_it_is_asked_for() -> None:
    failed: dict[str, Any] = {"id": "1", "text": None, "mentions": [], "open_links": 0, "left_in": {}}
    failed["failure"] = {"error": "UnsupportedInputError", "detail": "no text"}
    project, _ = stub(httpx.Response(200, json={"texts": [failed]}))
    answer = project.pseudonymize("x")
    assert answer.failures == 1
    with pytest.raises(UntreatedTextError, match="UnsupportedInputError: no text"):
        _ = answer[0].text
    with pytest.raises(ServiceFailedError):
        project.receipt(answer)


def test_nothing_that_is_shown_holds_a_text_or_the_token() -> None:
    def lost(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(f"no way to {request.content!r}")

    project, _ = stub(lost)
    with pytest.raises(UnreachableError) as found:
        project.pseudonymize("Jan Tolsma kwam.")
    text = {"id": "1", "text": "Jan Tolsma", "how": "exact", "mentions": [], "open_links": 0, "left_in": {}}
    answer = stub(httpx.Response(200, json={"texts": [text], "receipt": "nyr_geheim"}))[0].pseudonymize("x")
    back = stub(httpx.Response(200, json={"texts": [text]}))[0].restore_text("x", purpose="t")
    call = calls.find("Jan Tolsma", {})
    for shown in (found.value, project, answer, answer[0], back, call):
        assert "Tolsma" not in f"{shown!r} {shown}"
        assert "geheim" not in f"{shown!r} {shown}"
    assert found.value.__cause__ is None
    assert found.value.__suppress_context__


@pytest.mark.parametrize(
    "address",
    ["http://example.org", "http://10.0.0.1:8650", "http://localhost.example.org", "http://0.0.0.0:1"],
)
def test_a_token_never_crosses_a_network_without_https(address: str) -> None:
    with pytest.raises(InsecureAddressError):
        Project.open(address, token=TOKEN)


@pytest.mark.parametrize("address", ["ftp://x", "localhost:8650", "", "https://", "https://a:b@example.org"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(WrongRequestError):
        Project.open(address, token=TOKEN)


@pytest.mark.parametrize("address", ["https://example.org/", "http://[::1]:8650", "http://127.9.8.7:1", HERE])
def test_addresses_of_this_machine_and_https_are_taken(address: str) -> None:
    Project.open(address, token=TOKEN).close()


@pytest.mark.parametrize("texts", [[], [b"x"], ["half \ud800"]])
def test_what_cannot_be_sent_is_refused_here(texts: Any) -> None:
    project, sent = stub()
    with pytest.raises(WrongRequestError):
        project.pseudonymize(texts)
    with pytest.raises(WrongRequestError):
        project.restore_text("x", receipt="nyr_x", grant="G1")
    assert sent == []


# -- the real front, with a real vault and a fake pipeline ---------------------------------------------------


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with fake_service(tmp_path_factory.mktemp("service")) as made:
        yield made


TEXTS: Final = ["Jan Tolsma belde Els Wiersma.", "Els Wiersma zweeg."]


def test_a_program_gets_its_own_names_back(service: Service) -> None:
    token = service.token(Verb.PSEUDONYMIZE, Verb.GIVE_BACK)
    with Project.open(service.url, token=token, name=PROJECT) as project:
        assert project.is_ready()
        answer = project.pseudonymize(TEXTS)
        assert [one.kind for one in answer[0].mentions] == ["PERSON", "PERSON"]
        jan, els = (one.label for one in answer[0].mentions)
        assert answer[0].text == f"{jan} belde {els}."
        for one, text in zip(answer, TEXTS, strict=True):
            for mention in one.mentions:
                assert one.text[mention.new_start : mention.new_end] == mention.label
                assert text[mention.start : mention.end].istitle()
        receipt = project.receipt(answer)
        whole = project.restore_text(answer[0].text, receipt=receipt)
        assert (whole.text, whole.how) == (TEXTS[0], "exact")
        back = project.give_back(f"**{jan.lower()}** en PERSOON-ZZZZ9", receipt)
        assert back.text == "**Jan Tolsma** en PERSOON-ZZZZ9"
        assert back.labels.restored == 1
        assert [*back.labels.unknown, *back.labels.malformed] == ["PERSOON-ZZZZ9"]
        with pytest.raises(AccessRefusedError):
            project.restore(answer[0].text, purpose="test")
        with pytest.raises(AccessRefusedError) as refused:
            project.give_back(jan, "nyr_AAAA")
        assert refused.value.kind == "receipt-invalid"


def test_who_may_restore_says_why(service: Service) -> None:
    with Project.open(service.url, token=service.token()) as project:
        answer = project.pseudonymize(TEXTS[0])
        assert project.restore(answer[0].text, purpose="ticket 88").decode() == TEXTS[0]
        with pytest.raises(AccessRefusedError) as refused:
            project.restore_text(answer[0].text)
        assert refused.value.kind == "purpose-required"


def test_what_there_is(service: Service) -> None:
    with Project.open(service.url, token=service.token(), name=PROJECT) as project:
        found = project.find(["Jan Tolsma kwam.", "Niemand."])
        assert found.persons == 1
        assert [len(one.mentions) for one in found] == [1, 0]
        assert PROJECT in {one.project for one in project.projects()}
        assert "PERSON" in {one.kind for one in project.kinds()}
        assert {one.style: one.comes_back for one in project.styles()}["mask"] is False
        assert "direct" in {one.profile for one in project.profiles()}
    stranger = Project.open(service.url, token="nym_nergens", name=PROJECT)  # noqa: S106
    with stranger, pytest.raises(AccessRefusedError):
        stranger.find("Jan")
    foreign = Project.open(service.url, token=service.token(), name="another")
    with foreign, pytest.raises(NotFoundError):
        foreign.pseudonymize("Jan Tolsma kwam.")


def test_kinds_are_asked_of_the_project() -> None:
    project, sent = stub(httpx.Response(200, json={"kinds": []}))
    assert project.kinds() == ()
    assert sent[0].url == f"{HERE}/api/v1/kinds?project=p"


def test_the_same_for_async_code(service: Service) -> None:
    async def work() -> tuple[str, str]:
        token = service.token(Verb.PSEUDONYMIZE, Verb.GIVE_BACK)
        async with AsyncProject.open(service.url, token=token, name=PROJECT) as project:
            assert await project.is_ready()
            answer = await project.pseudonymize(TEXTS)
            back = await project.restore_text(answer[1].text, receipt=project.receipt(answer))
            found = await project.find(TEXTS[0])
            assert found.persons == 2
            return answer[1].text, back.text

    written, back = asyncio.run(work())
    assert "Wiersma" not in written
    assert back == TEXTS[1]


def test_public_names_are_those_of_the_package() -> None:
    assert {"Project", "AsyncProject", "NymlinkError"} <= set(vars(nymlink_client))
