"""Letters, a table and single texts through the Python API: pseudonyms, who is who, and the names back.

Run it in a folder with `letters/*.txt`: python docs/example.py
"""

from pathlib import Path

import pandas as pd

from pseudonymizer import FileKey, Vault
from pseudonymizer.project import Project, open_vault


def letters(project: Project, folder: Path, out: Path) -> None:
    """Pseudonymize all files of a folder into another one. Run again it goes on, or treats what is new."""
    report = project.pseudonymize_folder(folder, out)
    print(f"{report.mentions} mentions, {report.identities} identities, {report.open_links} open links")


def column(project: Project, table: pd.DataFrame) -> pd.DataFrame:
    """The table with pseudonyms in its column "note"; people of the letters keep theirs."""
    answer = project.pseudonymize(table["note"])
    for person in answer.identities:
        print(person.label, person.mentions)
    return table.assign(note=[document.text for document in answer])


def names(project: Project, notes: pd.Series) -> list[str]:
    """The notes with their names again; the vault asks for a purpose and keeps a record."""
    return [project.restore(note, purpose="showing the way back").decode() for note in notes]


if __name__ == "__main__":
    key = FileKey(Path("example.key"))
    with Vault.create("sqlite:///example.db", key) as made:
        made.commit()
    with open_vault("example.db", key) as vault:
        study = Project.open(vault, "study-12")
        letters(study, Path("letters"), Path("letters-out"))
        notes = column(study, pd.DataFrame({"note": ["Jan Tolsma belde.", "Niets bijzonders."]}))
        print(notes)
        print(names(study, notes["note"]))
