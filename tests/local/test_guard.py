"""Requests to every port of a cloud: from other origins, under a foreign name for this machine, and valid ones."""

from collections.abc import Iterator

import httpx
import psutil
import pytest

from local.cloud import LocalCloud
from local.guard import refusal
from local.parts import CONTROL, PARTS
from local.ports import HOST
from tests.forking import forked
from tests.local.watching import family_of

FOREIGN = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Host": "evil.example"},
    {"Host": "127.0.0.1.evil.example:8080"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
)
HONEST: tuple[dict[str, str], ...] = (
    {},
    {"Host": "localhost:8080"},
    {"Host": "[::1]:8080", "Origin": "http://[::1]:8080"},
    {"Host": "LOCALHOST", "Origin": "http://localhost:80"},
    {"Host": "localhost", "Origin": "https://localhost"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    # a link to this machine, as a mail may have it
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
)
#: they only use gRPC, which no browser does without TLS
GRPC = "cloud_tasks"


@pytest.fixture(scope="module")
def whole() -> Iterator[LocalCloud]:
    with LocalCloud(forked(has_own_firestore=True)).running() as running:
        yield running


def asked(url: str, headers: dict[str, str], method: str = "GET") -> int:
    return httpx.request(method, url, headers=headers, trust_env=False, timeout=30).status_code


@pytest.mark.parametrize("part", [*(part for part in PARTS if part != GRPC), CONTROL])
def test_no_part_answers_a_page_of_another_origin(whole: LocalCloud, part: str) -> None:
    url = whole.url(part)
    health = url if part in ("firestore", "storage") else f"{url}/healthz"
    assert {asked(health, headers, method) for headers in FOREIGN for method in ("GET", "POST", "OPTIONS")} == {403}
    assert {asked(health, headers) for headers in HONEST} == {200}


def test_the_one_part_that_speaks_grpc_answers_no_browser(whole: LocalCloud) -> None:
    with pytest.raises(httpx.TransportError):
        asked(whole.url(GRPC), {})


def test_what_listens_beside_the_parts_is_hidden_or_speaks_no_http(whole: LocalCloud) -> None:
    known = {int(whole.url(name).rpartition(":")[2]) for name in (*PARTS, CONTROL)}
    listens = set[tuple[str, int]]()
    for pid in [process for name in PARTS for process in (whole.pid(name), *family_of(whole.pid(name)))]:
        try:
            found = psutil.Process(pid).net_connections("inet")
        except psutil.NoSuchProcess:
            continue
        listening = (one.laddr for one in found if one.status == psutil.CONN_LISTEN)
        listens |= {(place.ip.removeprefix("::ffff:"), place.port) for place in listening}
    for host, port in [place for place in listens if place[1] not in known]:
        assert host.startswith("127."), "only this machine reaches it"
        if host == HOST:
            with pytest.raises(httpx.TransportError):
                asked(f"http://{HOST}:{port}/", {"Origin": "https://evil.example"})
        else:  # on that address another program may have the same port
            assert (HOST, port) not in listens, "nobody finds it at the address that everybody knows"


def test_a_page_cannot_read_or_write_a_document(whole: LocalCloud) -> None:
    url = f"{whole.firestore_url}/v1/projects/{whole.project}/databases/(default)/documents"
    write = {"writes": [{"update": {"name": f"{url.partition('/v1/')[2]}/bots/nobody", "fields": {}}}]}
    page = {"Origin": "https://evil.example", "Content-Type": "text/plain"}
    told = httpx.post(f"{url}:commit", json=write, headers=page, timeout=30)
    assert (told.status_code, "access-control-allow-origin" in told.headers) == (403, False)
    assert httpx.get(f"{url}/bots/nobody", timeout=30).status_code == 404
    assert httpx.post(f"{url}:commit", json=write, timeout=30).is_success
    assert httpx.get(f"{url}/bots/nobody", timeout=30).is_success


@pytest.mark.parametrize("host", ["", "evil@localhost.example", "[::1", "0.0.0.0:80", "10.0.0.1", "localhost.example"])
def test_an_odd_host_is_none_of_this_machine(host: str) -> None:
    assert "localhost" in refusal("GET", [("Host", host)])


def test_a_link_is_followed_and_nothing_is_sent_by_it() -> None:
    by_link = [("Host", "localhost:1"), *HONEST[-1].items()]
    assert not refusal("GET", by_link)
    assert refusal("POST", by_link)
