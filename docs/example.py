"""Letters and a table through the Python API: who is who, pseudonyms, rewritten texts, and the names back.

Run it in a folder with `letters/*.txt`: python docs/example.py
"""

from pathlib import Path

import pandas as pd

from linkage import Document, LinkagePipeline, LinkageSettings, read_document
from linkage.records import DocumentId
from pseudonymizer import FileKey, Vault, assign, rewrite


def letters(folder: Path, out: Path, vault_url: str, key: Path) -> pd.DataFrame:
    """Pseudonymize all letters of a folder into another one; returns the table of mentions."""
    documents = [read_document(path) for path in sorted(folder.glob("*.txt"))]
    pipeline = LinkagePipeline.load(LinkageSettings())  # networks, name lists, classifier
    with Vault.open(vault_url, FileKey(key)) as vault:
        result = pipeline.link(documents, known=vault.known_identities("study-12"))
        print(result.summary())  # 2 documents with names, 5 mentions, 3 identities, 0 open links
        for link in result.open_links():  # for clerical review; shows ids and probabilities
            print(link.pair, f"{link.match_probability:.2f}")
        pseudonyms = assign(result, vault, project="study-12")
        vault.commit()  # pseudonyms are durable before any text carries them
    out.mkdir(exist_ok=True)
    for document in documents:
        labels = {m.span: pseudonyms[m.mention_id].label for m in result.mentions_in(document)}
        rewritten = rewrite(document, labels)
        (out / f"{rewritten.doc_id}.txt").write_text(rewritten.text, encoding="utf-8", newline="")
    return result.to_pandas()["mentions"]


def column(table: pd.DataFrame, vault_url: str, key: Path) -> pd.DataFrame:
    """The same for the column "note" of a table; people of the letters keep their pseudonyms."""
    documents = [Document(DocumentId(f"row {i}"), note) for i, note in enumerate(table["note"])]
    pipeline = LinkagePipeline.load(LinkageSettings())
    with Vault.open(vault_url, FileKey(key)) as vault:
        result = pipeline.link(documents, known=vault.known_identities("study-12"))
        pseudonyms = assign(result, vault, project="study-12")
        vault.commit()
    texts = [
        rewrite(d, {m.span: pseudonyms[m.mention_id].label for m in result.mentions_in(d)}).text
        for d in documents
    ]
    return table.assign(note=texts)


if __name__ == "__main__":
    with Vault.create("sqlite:///example.db", FileKey(Path("example.key"))) as made:
        made.commit()
    print(letters(Path("letters"), Path("letters-out"), "sqlite:///example.db", Path("example.key")))
    notes = pd.DataFrame({"note": ["Jan Tolsma belde.", "Niets bijzonders."]})
    print(column(notes, "sqlite:///example.db", Path("example.key")))
