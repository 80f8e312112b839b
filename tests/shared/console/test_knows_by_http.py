"""The views of what the agents know, by HTTP as the page asks for them."""

import pytest

from tests.shared.console.harness import OTHER, ConsoleHarness

READS = (
    "/api/memories",
    "/api/memories/agent:lull",
    "/api/summaries",
    "/api/rebuild",
    "/api/rebuild/size",
    "/api/media/overview",
    "/api/media/export?agent=lull",
    "/api/personas",
    "/api/personas/lull",
)
CHANGES = ("/api/memories/delete", "/api/summaries/again", "/api/rebuild/start", "/api/media/edit", "/api/media/again")


async def test_the_owner_reads_them_and_nobody_else(console: ConsoleHarness) -> None:
    await console.claim()
    strange = {path: (await console.http.get(path)).content for path in (*READS, "/nowhere")}
    assert len(set(strange.values())) == 1, "a stranger cannot tell them from what does not exist"
    await console.enter()
    assert {path: (await console.http.get(path)).status_code for path in READS} == dict.fromkeys(READS, 200)
    for path in ("/api/memories/agent:moss", "/api/personas/moss", "/api/media/export?agent=moss"):
        assert (await console.http.get(path)).status_code == 404


@pytest.mark.parametrize("path", CHANGES)
async def test_no_other_page_and_nobody_else_changes_them(console: ConsoleHarness, path: str) -> None:
    await console.claim()
    await console.claim("moss", OTHER)
    assert (await console.post(path)).status_code == 404
    await console.enter()
    foreign = await console.post(path, headers={"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 404
    records = [one.get("action") async for one in console.client.collection("console_records").stream()]
    assert not any(action.startswith(("memory.", "summary.", "rebuild.", "media.")) for action in records)
