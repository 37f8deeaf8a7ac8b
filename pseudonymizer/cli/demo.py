"""demo: a folder to try things in, with invented letters, an empty vault and its key."""

import shlex
import shutil
from pathlib import Path
from typing import Annotated, Final

import typer

from pseudonymizer.cli.saying import say

_LETTERS: Final = "letters"
_THREE_THINGS: Final = """\
Three things to try, inside {folder}:
  1. pseudonymize:     nymlink run letters --out out {project}
  2. see who is meant: nymlink lookup "Jurre de Vries" {project} --purpose "trying nymlink"
  3. bring all back:   nymlink restore out --out back {project} --purpose "trying nymlink\""""
_PROJECT: Final = "--vault vault.db --key-file kek.key --project first"


def add_to(app: typer.Typer) -> None:
    """Gives the command this verb."""
    app.command()(demo)


def demo(
    place: Annotated[
        str, typer.Argument(metavar="DIR", help="A folder that is not there yet.")
    ] = "try-nymlink",
) -> None:
    """Make a folder to try things in: 64 invented letters, an empty vault, and its key."""
    from linkage.shipped_data import data_directory
    from pseudonymizer.keyring import FileKey
    from pseudonymizer.vault import Vault

    folder = Path(place)
    if folder.exists():
        raise typer.BadParameter("this folder is there already; give another one", param_hint="DIR")
    folder.mkdir(mode=0o700, parents=True)
    shutil.copytree(data_directory() / "sample" / "documents", folder / _LETTERS)
    address = f"sqlite:///{(folder / 'vault.db').as_posix()}"
    with Vault.create(address, FileKey(folder / "kek.key")) as made:
        made.commit()
    number = sum(path.is_file() for path in (folder / _LETTERS).rglob("*"))
    say(f"{number} letters about invented people, a vault and its key are made")
    say(_THREE_THINGS.format(folder=shlex.quote(str(folder)), project=_PROJECT))
