"""What all servers of the local cloud have in common."""

import httpx
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from local.guest_server import GuestServer, serving
from local.ports import HOST, listen
from local.server_config import server_config


def test_clients_drop_idle_connections_before_the_server_does() -> None:
    # httpx has no public name for its limits
    drops_after = httpx._config.DEFAULT_LIMITS.keepalive_expiry
    assert drops_after is not None
    assert server_config(Starlette()).timeout_keep_alive > 2 * drops_after


async def test_a_server_answers_programs_and_refuses_pages_of_others() -> None:
    app = Starlette(routes=[Route("/", lambda _: PlainTextResponse("hello"))])
    listener = listen(HOST, 0)
    async with (
        serving(GuestServer(server_config(app)), listener),
        httpx.AsyncClient(base_url=f"http://{HOST}:{listener.getsockname()[1]}") as client,
    ):
        assert (await client.get("/")).text == "hello"
        assert (await client.get("/", headers={"Origin": "https://example.com"})).status_code == 403
