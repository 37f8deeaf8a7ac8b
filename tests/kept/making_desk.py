"""Makes tests/kept/desk.tar.xz: a vault with the desk and the workspaces of its web service, as the version
that runs this stores them. It is run once, and never again for the same archive:

    python -m tests.kept.making_desk tests/kept/desk.tar.xz
"""

import json
import sys
import tarfile
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from pseudonymizer.policy import Verb
from tests.pseudonymizer.web.served import PROJECT, fake_service, json_of
from tests.pseudonymizer.web.test_api_jobs import ended, filled

FILES: Final = {
    "brieven/Jan Tolsma.txt": b"Jan Tolsma belde Els Mol.\r\nLater kwam J. Tolsma.",
    "tweede.txt": "Els Mol zag de molenaar \U0001f44d en Jan Tolsma.".encode(),
}
NEVER_WRITTEN: Final = {"derde.txt": b"Jan Tolsma kwam niet."}


def make(archive: Path) -> None:
    """Write the archive."""
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        with fake_service(folder) as service:
            token = service.token(Verb.PSEUDONYMIZE, Verb.RESTORE, account="keeper", days=366)
            told: dict[str, object] = {"moment": datetime.now(UTC).isoformat(), "token": token}
            with service.client(token) as client:
                place, ids = filled(client, FILES)
                assert ended(client, client.post(f"{place}/analyses"))["state"] == "done"
                found = json_of(client.get(f"{place}/files/{ids['tweede.txt']}/mentions"))
                els = next(one for one in found["mentions"] if one["text"] == "Els Mol")
                start = FILES["tweede.txt"].decode().index("molenaar")
                add = {
                    "do": "add", "document": "tweede.txt", "start": start, "end": start + 8,
                    "text": "molenaar",
                }  # fmt: skip
                commands = [add, {"do": "reject", "mention": els["mention"]}]
                etag = {"If-Match": str(client.get(place).headers["etag"])}
                given = client.patch(f"{place}/mentions", json={"commands": commands}, headers=etag)
                assert given.is_success, given.text
                assert ended(client, client.post(f"{place}/runs", json={"style": "code"}))["state"] == "done"
                result = client.get(f"{place}/files/{ids['tweede.txt']}/result").content
                unread, _ = filled(client, NEVER_WRITTEN)
                told |= {
                    "workspace": place.rpartition("/")[2], "unread": unread.rpartition("/")[2], "files": ids,
                    "result": result.decode(), "report": json_of(client.get(f"{place}/report"))["report"],
                }  # fmt: skip
            revoked = service.tokens.create("keeper", PROJECT, (Verb.PSEUDONYMIZE,), days=9)
            service.tokens.revoke(revoked.token.token_id)
            told["revoked"] = revoked.written
        (folder / "told.json").write_text(json.dumps(told, indent=1))
        with tarfile.open(archive, "w:xz") as packed:
            for name in ("kek.key", "vault.db", "vault.keys.db", "vault.desk.db", "workspaces", "told.json"):
                if (folder / name).exists():
                    packed.add(folder / name, arcname=name)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
