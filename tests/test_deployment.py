"""Container, services, units of systemd and proxies follow the rules of docs/how-to/deploy.md."""

import configparser
import http.server
import re
import subprocess
import sys
import threading
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest
import yaml
from typer.main import get_command

from pseudonymizer.cli import app

ROOT: Final = Path(__file__).resolve().parents[1]
DEPLOY: Final = ROOT / "deploy"
IMAGE: Final = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
UNITS: Final = sorted((DEPLOY / "systemd").glob("*.service"))
_SECRET: Final = re.compile(r"(?i)(password|secret|token|api_?key)\s*=\s*[^$\s{][^\s]{7,}")


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Containerfile with what stands behind them, lines that go on joined."""
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines if line and line[0] != "#"]


def unit(path: Path) -> dict[str, str]:
    """The settings of [Service] of a unit."""
    read = configparser.RawConfigParser(strict=True)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(path.read_text(encoding="utf-8"))
    return dict(read["Service"])


def called(arguments: list[str]) -> tuple[list[str], set[str]]:
    """(verbs, long options) of a call of nymlink."""
    verbs = [one for one in arguments if not one.startswith("-")]
    return verbs, {one.partition("=")[0] for one in arguments if one.startswith("--")}


def known_options(verbs: list[str]) -> set[str]:
    """The long options of a verb of the command as it is.

    Raises KeyError: there is no such verb.
    """
    command: Any = get_command(app)
    for verb in verbs:
        command = command.commands[verb]
    return {name for parameter in command.params for name in parameter.opts}


def test_the_image_says_which_base_it_was_built_on() -> None:
    steps = instructions(IMAGE)
    assert ("ARG", "PYTHON_IMAGE") in steps  # no default: a build without a base ends at once
    assert [text.split()[0] for name, text in steps if name == "FROM"] == ["${PYTHON_IMAGE}"] * 2
    assert ":latest" not in IMAGE


def test_packages_are_installed_by_their_hashes_and_torch_as_by_the_scripts() -> None:
    installs = [text for name, text in instructions(IMAGE) if name == "RUN" and "pip install" in text]
    by_hash, own = installs[1:]
    assert installs[0].count("pip install --quiet --no-deps ") == installs[0].count("pip install") == 2
    assert "--hash=sha256:$TORCH_SHA256" in installs[0]  # for whoever gives it
    assert "--require-hashes" in by_hash
    assert "--no-deps" in own
    version = re.search(r"^TORCH_VERSION=(\S+)", (ROOT / "scripts/environment.sh").read_text(), re.MULTILINE)
    assert version is not None
    assert f"torch=={version[1]}" in installs[0]


def test_nobody_runs_the_image_as_root_and_nothing_secret_is_in_it() -> None:
    steps = instructions(IMAGE)
    assert [text for name, text in steps if name == "USER"] == ["10001:10003"]
    assert [name for name, _ in steps][-3:] == ["USER", "ENTRYPOINT", "CMD"]
    assert not {name for name, _ in steps} & {"ADD", "SHELL", "ONBUILD", "VOLUME"}
    assert not re.search(r"curl|wget|sudo|apt-get", IMAGE)
    assert "pip uninstall --quiet --yes hatchling editables pip" in IMAGE  # what runs installs nothing
    for file in (DEPLOY / "Containerfile", DEPLOY / "compose.yaml", *UNITS):
        assert not _SECRET.search(file.read_text(encoding="utf-8")), file.name


def test_only_what_is_needed_reaches_the_build() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    wanted = {rule[1:] for rule in rules if rule.startswith("!")}
    assert {"linkage", "pseudonymizer", "data", "alembic", "requirements", "pyproject.toml"} <= wanted
    assert all((ROOT / one).exists() for one in wanted)
    assert not wanted & {"tests", ".git", ".venv", "scripts"}


@pytest.mark.parametrize("name", ["vault", "engine", "front"])
def test_each_service_has_what_it_needs_and_no_more(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["ulimits"]["core"] == 0
    assert int(service["user"].partition(":")[0]) >= 10001
    assert service["image"].startswith("${NYMLINK_IMAGE:?")
    assert ("network_mode" in service) is (name != "front")
    assert service.get("network_mode", "none") == "none"
    assert ("secrets" in service) is (name == "vault")
    for mount in service["tmpfs"]:  # an owner of it is an option that not every program takes
        place, _, options = mount.partition(":")
        assert place in {"/tmp", "/run/nymlink/work"}  # noqa: S108  of a container
        assert {one.partition("=")[0] for one in options.split(",")} == {"mode", "size"}


def test_a_secret_is_named_and_nothing_else() -> None:
    assert COMPOSE["services"]["vault"]["secrets"] == ["nymlink_key"]  # its owner is that of the file


def test_the_engine_has_a_project_to_make_and_a_place_for_workspaces() -> None:
    _, *unit_words = unit(DEPLOY / "systemd" / "nymlink-engine.service")["ExecStart"].split()
    for words in (COMPOSE["services"]["engine"]["command"], unit_words):
        assert {"--project", "--workspaces", "--vault", "--socket"} <= called(words)[1]


class _Front(http.server.BaseHTTPRequestHandler):
    """Answers /ready as a front does: to its public host alone, with 200 or 503."""

    status = 200
    hosts: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.hosts.append(self.headers["Host"])
        is_right = (self.path, self.headers["Host"]) == ("/ready", "names.example")
        self.send_response(self.status if is_right else 400)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is written to the terminal."""


@pytest.mark.parametrize(("status", "is_healthy"), [(200, True), (503, False)])
def test_the_health_check_asks_as_the_front_wants_to_be_asked(
    monkeypatch: pytest.MonkeyPatch, status: int, *, is_healthy: bool
) -> None:
    monkeypatch.setattr(_Front, "status", status)
    check, program, flag, code = COMPOSE["services"]["front"]["healthcheck"]["test"]
    assert (check, program, flag) == ("CMD", "python3", "-c")
    with http.server.HTTPServer(("127.0.0.1", 0), _Front) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            told = code.replace("${NYMLINK_PUBLIC_URL}", "https://names.example")
            done = subprocess.run(  # noqa: S603  our own interpreter
                [sys.executable, "-I", "-c", told.replace(":8650", f":{server.server_port}")],
                capture_output=True, text=True, check=False, env={}, timeout=30,
            )  # fmt: skip
        finally:
            server.shutdown()
            thread.join()
    assert (done.returncode == 0) is is_healthy, done.stderr
    assert set(_Front.hosts) == {"names.example"}


@pytest.mark.parametrize("words", [["--help"], *(one["command"] for one in COMPOSE["services"].values())])
def test_entry_points_run_with_an_empty_environment(tmp_path: Path, words: list[str]) -> None:
    (entry,) = metadata.entry_points(group="console_scripts", name="nymlink")
    call = f"from {entry.module} import {entry.attr} as main; main()"
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {call}"
    verbs, _ = called(words)
    done = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-I", "-c", code, *verbs, "--help"], capture_output=True, text=True, check=False,
        env={}, cwd=tmp_path, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Usage: " in done.stdout
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


def test_the_vault_runs_as_another_user_and_the_front_reaches_neither_it_nor_its_key() -> None:
    services = COMPOSE["services"]
    users = {name: service["user"].partition(":")[0] for name, service in services.items()}
    assert users["engine"] == users["front"] != users["vault"]
    mounted = {name: {v.partition(":")[0] for v in one["volumes"]} for name, one in services.items()}
    assert mounted["front"] == {"desk-data", "engine-socket"}
    assert "vault-data" not in mounted["engine"]
    assert services["front"]["ports"] == ["127.0.0.1:8650:8650"]
    assert "curl" not in str(services["front"]["healthcheck"])
    assert set().union(*mounted.values()) == set(COMPOSE["volumes"])


@pytest.mark.parametrize("name", ["vault", "engine", "front"])
def test_services_call_verbs_and_options_that_there_are(name: str) -> None:
    verbs, options = called(COMPOSE["services"][name]["command"])
    assert options <= known_options(verbs)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_units_call_verbs_and_options_that_there_are(path: Path) -> None:
    program, *arguments = unit(path)["ExecStart"].split()
    assert program == "/opt/nymlink/bin/nymlink"
    verbs, options = called(arguments)
    assert options <= known_options(verbs)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_units_are_closed_in(path: Path) -> None:
    said = unit(path)
    for wanted in (
        "NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes",
        "PrivateDevices=yes", "CapabilityBoundingSet=", "RestrictNamespaces=yes", "LimitCORE=0", "UMask=0077",
    ):  # fmt: skip
        key, _, value = wanted.partition("=")
        assert said[key] == value
    assert said["User"] not in ("", "root")
    assert "MemoryMax" in said
    is_front = path.stem.endswith("front")
    assert (said.get("PrivateNetwork") == "yes") is not is_front
    assert (said["RestrictAddressFamilies"] == "AF_UNIX") is not is_front
    assert ("LoadCredential" in said) is path.stem.endswith("vault")


def test_the_proxies_keep_no_bodies_and_no_log_of_requests() -> None:
    nginx = (DEPLOY / "proxy" / "nginx.conf").read_text(encoding="utf-8")
    for line in ("access_log off;", "proxy_request_buffering off;", "proxy_max_temp_file_size 0;"):
        assert line in nginx
    assert "proxy_set_header Host $host;" in nginx
    caddy = (DEPLOY / "proxy" / "Caddyfile").read_text(encoding="utf-8")
    assert "log" not in caddy
    assert "flush_interval -1" in caddy


def test_the_folder_of_the_vault_has_the_mode_that_the_service_takes() -> None:
    """0710, or it refuses to start: its group enters the folder, and does not read it."""
    assert unit(DEPLOY / "systemd" / "nymlink-vault.service")["RuntimeDirectoryMode"] == "0710"
    (made,) = [line for line in IMAGE.splitlines() if line.endswith(" /run/nymlink/vault")]
    assert "--mode=0710" in made
