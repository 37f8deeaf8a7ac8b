"""The start page: it takes the one-time code from its own address and begins a session with it.

The pages of the application take its place.
"""

from typing import Final

from litestar import MediaType, Router, get

from pseudonymizer.web.guards import is_public

_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>nymlink</title>
<meta name="viewport" content="width=device-width"><script src="/static/start.js" defer></script></head>
<body><main><h1>nymlink</h1><p id="state" role="status">One moment</p>
<p>The API is described at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></main></body></html>
"""
_SCRIPT: Final = """const say = (text) => { document.getElementById("state").textContent = text; };
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const code = location.hash.slice(1);
history.replaceState(null, "", "/");
const begin = async () => {
  if (code) {
    const body = JSON.stringify({ code });
    const headers = { "Content-Type": "application/json" };
    await fetch("/api/v1/session", { method: "POST", headers, body });
  }
  const session = await fetch("/api/v1/session");
  if (!session.ok) { say("Nobody is logged in. Start nymlink web again, open its line."); return; }
  while (!(await fetch("/ready")).ok) { say("The model is loading."); await wait(500); }
  say("Ready.");
};
begin();
"""


@get("/", media_type=MediaType.HTML, opt=is_public(), include_in_schema=False)
async def start() -> str:
    """The start page."""
    return _PAGE


@get("/static/start.js", media_type="text/javascript", opt=is_public(), include_in_schema=False)
async def script() -> str:
    """The script of the start page."""
    return _SCRIPT


router = Router("/", route_handlers=[start, script])
