import pytest

from tests.local.telegram.scene import Scene


async def test_it_says_that_it_is_ready(stage: Scene) -> None:
    response = await stage.http.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"ready": True})


async def test_the_page_is_served_beside_it(stage: Scene) -> None:
    page = await stage.http.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert (await stage.http.get("/static/index.html")).content == page.content


@pytest.mark.parametrize("path", ["/nothing", "/static/../settings.py", "/world/nothing"])
async def test_nothing_else_is(stage: Scene, path: str) -> None:
    assert (await stage.http.get(path)).status_code == 404


async def test_a_cut_connection_leaves_the_server_whole(stage: Scene) -> None:
    for kind in ("cut_before", "cut_after") * 3:
        await stage.act("POST", "/world/faults", {"method": "getMe", "kind": kind})
        with pytest.raises(Exception, match="disconnected"):
            await stage.http.post(f"/bot{stage.bot.token}/getMe")
    assert (await stage.bot.get_me()).id == stage.marvin
