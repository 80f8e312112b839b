import pytest

from tests.local.telegram.scene import Scene


async def test_it_says_that_it_is_ready(sandbox: Scene) -> None:
    response = await sandbox.http.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"ready": True})


async def test_the_page_is_served_beside_it(sandbox: Scene) -> None:
    page = await sandbox.http.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert (await sandbox.http.get("/static/index.html")).content == page.content


@pytest.mark.parametrize("path", ["/nothing", "/static/../settings.py", "/world/nothing"])
async def test_nothing_else_is(sandbox: Scene, path: str) -> None:
    assert (await sandbox.http.get(path)).status_code == 404


async def test_a_cut_connection_leaves_the_server_whole(sandbox: Scene) -> None:
    for kind in ("cut_before", "cut_after") * 3:
        await sandbox.act("POST", "/world/faults", {"method": "getMe", "kind": kind})
        with pytest.raises(Exception, match="disconnected"):
            await sandbox.http.post(f"/bot{sandbox.bot.token}/getMe")
    assert (await sandbox.bot.get_me()).id == sandbox.marvin
