"""Mentions that a person has looked over are never dropped in silence: they are taken, or the file fails."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from linkage.records import Span
from pseudonymizer.engine.records import GivenMention
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.formats import FormatOptions
from pseudonymizer.mention_lines import given_mentions, mention_line
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.runs import units
from pseudonymizer.runs.report import BatchReport
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch
from tests.pseudonymizer.runs.test_run import fill, outputs

OpenVault = Callable[[], AbstractContextManager[Vault]]
Given = dict[str, tuple[GivenMention, ...]]
TABLE = b"nr;naam;opm\n1;Jan de Vries;Zwoitek belde met Sanne Bakker\n"

NOWHERE = Project.without_vault(ProjectOptions(load=load_fake))


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def run(
    open_vault: OpenVault,
    inputs: Sequence[Path],
    out: Path,
    given: Given,
    options: FormatOptions | None = None,
) -> BatchReport:
    return new_batch(
        find_sources(inputs, output=out), out, BatchSettings(PROJECT), load=load_fake, open_vault=open_vault,
        given=given, formats=options,
    ).run()  # fmt: skip


def test_mentions_of_a_whole_table_go_with_chosen_columns(tmp_path: Path, open_vault: OpenVault) -> None:
    source = fill(tmp_path / "in", {"a.csv": b"naam;opm\nJan Tolsma;Zwoitek kwam\n"})
    text = "naam; opm\nnaam: Jan Tolsma; opm: Zwoitek kwam\n"
    given = {
        "a.csv": tuple(
            GivenMention(Span(text.index(name), text.index(name) + len(name)), name)
            for name in ("Jan Tolsma", "Zwoitek")
        )
    }
    report = run(open_vault, [source], tmp_path / "out", given, FormatOptions(columns=("opm",)))
    assert (report.errors, report.mentions) == ({}, 1)
    (written,) = outputs(tmp_path / "out").values()
    assert b"Jan Tolsma" in written
    assert b"Zwoitek" not in written


def test_and_in_the_units_of_a_large_table(
    tmp_path: Path, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "UNIT_BYTES", 2_000)
    rows = "".join(f"{n};Jan Tolsma;Els Mol belde {n}\n" for n in range(300))
    source = fill(tmp_path / "in", {"a.csv": f"nr;naam;opm\n{rows}".encode()})
    given = given_mentions([mention_line(one) for one in NOWHERE.find_in(find_sources([source]))])
    assert len(given) > 3
    chosen = run(open_vault, [source], tmp_path / "rows", given, FormatOptions(columns=("opm",)))
    assert (chosen.errors, chosen.mentions) == ({}, 300)
    given = {name: mentions[:1] for name, mentions in given.items()}
    report = run(open_vault, [source], tmp_path / "out", given)
    assert (report.documents["ok"], report.mentions) == (1, len(given))


def test_the_only_text_of_a_file_has_the_name_of_the_file(tmp_path: Path, open_vault: OpenVault) -> None:
    line = b'{"text": "Zwoitek belde Els Mol"}\n'
    source = fill(tmp_path / "in", {"a.jsonl": line, "a.jsonl#b": b"Els Mol"})
    (name, _) = [one.name for one in NOWHERE.find_in(find_sources([source]))]
    assert name == "a.jsonl"
    given = {name: (GivenMention(Span(0, 7), "Zwoitek"),), "a.jsonl#b": ()}
    assert run(open_vault, [source], tmp_path / "out", given).documents["ok"] == 2
    written = outputs(tmp_path / "out")
    assert b"Zwoitek" not in written["a.jsonl"]
    assert b"Els Mol" in written["a.jsonl"]
    assert written["a.jsonl#b"] == b"Els Mol"
