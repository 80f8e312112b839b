"""No address of the console carries words of people, since every address is logged."""

import itertools
import re

import pytest

from shared.console.request import PARAMETERS, BadRequest, NotFound, check_path, check_query
from shared.console.route import console_routes
from shared.console.views.deployment import check_setting
from tests.shared.console.harness import OWN_PAGE, OWNER, ConsoleHarness

WORDS = ("my dog bit Ann", "Zürich", "Вася", "was it you?", "ann@example.org", "a, b", "多谢")
READS = [one for one in console_routes() if one.method == "GET"]
SEARCHES = [one for one in console_routes() if one.only_reads]
#: a path with ids that name nothing, but have the form of ids
_NAMED = {"agent": "lull", "kind": "people"}


def filled(path: str, text: str = "x1") -> str:
    return re.sub(r"\{(\w+)\}", lambda name: _NAMED.get(name[1], text), path)


@pytest.mark.parametrize("text", WORDS)
def test_no_parameter_of_an_address_may_be_words(text: str) -> None:
    for name in PARAMETERS:
        with pytest.raises(BadRequest):
            check_query({name: text})
    with pytest.raises(NotFound):
        check_path({"conversation": text})


async def test_no_address_takes_words(console: ConsoleHarness) -> None:
    await console.claim()
    await console.enter()
    text, names = WORDS[0], itertools.cycle(PARAMETERS)
    for route in READS:
        refused = await console.http.get(filled(route.path), params={next(names): text})
        assert refused.status_code == 400, route.path
        assert text not in refused.text
    for route in console_routes():
        if "{" in route.path:
            path = re.sub(r"\{\w+\}", "{}", route.path).format(*[text] * route.path.count("{"))
            refused = await console.http.request(route.method, path, headers=OWN_PAGE)
            assert refused.status_code == 404, route.path


def test_an_unknown_parameter_is_refused() -> None:
    assert check_query({"agent": "lull"}) == {"agent": "lull"}
    for name in ("q", "text", "reason"):
        with pytest.raises(BadRequest):
            check_query({"agent": "lull", name: "lull"})
    with pytest.raises(BadRequest):
        check_query({"agent": "two words"})


async def test_words_in_the_address_of_a_search_are_not_used(console: ConsoleHarness) -> None:
    await console.claim()
    await console.enter()
    assert (await console.http.get("/api/search", params={"q": "dog"})).status_code == 404
    in_address = await console.http.post("/api/search", params={"since": "no day"}, json={}, headers=OWN_PAGE)
    in_body = await console.http.post("/api/search", json={"since": "no day"}, headers=OWN_PAGE)
    assert (in_address.status_code, in_body.status_code) == (200, 400)


async def test_a_search_writes_nothing_and_is_protected_against_forgery(console: ConsoleHarness) -> None:
    await console.claim()
    await console.enter()
    before = await documents(console)
    assert len(SEARCHES) >= 3
    for route in SEARCHES:
        found = await console.http.post(filled(route.path), json={"q": "dog", "agent": "lull"}, headers=OWN_PAGE)
        known = 404 if route.handler is check_setting else 200  # this deployment has no settings
        assert found.status_code == known, (route.path, found.text)
        for forged in (
            {},
            {**OWN_PAGE, "Origin": "https://evil.example"},
            {**OWN_PAGE, "Sec-Fetch-Site": "cross-site"},
        ):
            refused = await console.http.post(filled(route.path), json={}, headers=forged)
            assert refused.status_code == 404, route.path
    assert await documents(console) == before
    assert f"{OWNER}" in str(before), "the sign-in is a record"
    assert await console.queue.tasks() == []


async def documents(console: ConsoleHarness) -> dict[str, object]:
    """Return all documents at the top of the database."""
    found = dict[str, object]()
    async for collection in console.client.collections():
        async for one in collection.stream():
            found[one.reference.path] = one.to_dict()
    return found
