"""An HTTP endpoint that answers a text with its pseudonymized text: an example, without accounts or TLS.

python docs/endpoint.py vault.db kek.key study-12, then: curl --data-binary @letter.txt http://127.0.0.1:8000
"""

import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from pseudonymizer.project import Project, open_vault


def server(project: Project, port: int) -> HTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            (answer,) = project.pseudonymize(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200 if answer.failure is None else 422)
            self.end_headers()
            self.wfile.write(answer.content)

    return HTTPServer(("127.0.0.1", port), Handler)


if __name__ == "__main__":
    with open_vault(sys.argv[1], Path(sys.argv[2])) as vault:
        server(Project.open(vault, sys.argv[3]), 8000).serve_forever()
