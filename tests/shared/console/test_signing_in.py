"""Signing in from a Mini App, and what is refused."""

from base64 import urlsafe_b64encode
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode

import httpx
import pytest
from starlette.responses import Response

from shared.chat.store import paths
from shared.chat.store.bots import FirestoreOwners
from shared.console.headers import HEADERS, HEADERS_OF_ERRORS, SecureHeaders
from tests.shared.console.harness import BOTS, DOOR, HOST, OTHER, OWN_PAGE, OWNER, ConsoleHarness, Telegram
from tests.shared.examples import NOW

NOTHING = (404, "Not Found")


def said(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.text


async def test_the_owner_signs_in_from_telegram_and_sees_their_agents(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await console.claim("moss", OTHER)
    assert (await console.enter()).status_code == 200
    session = (await console.http.get("/api/session")).json()
    assert (session["owner"], session["agents"], session["language"]) == (OWNER, ["lull"], "de")


async def test_nobody_else_sees_that_there_is_a_console(console: ConsoleHarness) -> None:
    await console.claim("lull")
    wrong = await console.http.get("/nothing/of/this/name")
    assert said(wrong) == NOTHING
    for path in ("/", "/api/session", "/api/words", "/web-1/console/main.js", "/door", f"/{DOOR}x", "/api/session/"):
        shown = await console.http.get(path)
        assert said(shown) == NOTHING
        assert shown.headers == wrong.headers
    assert said(await console.enter(person=OTHER)) == NOTHING
    assert said(await console.http.get("/api/session")) == NOTHING


@pytest.mark.parametrize(
    ("accepted", "language", "button"),
    [
        ("", "en", "Sign in with Telegram"),
        ("de-CH,de;q=0.9,en;q=0.8", "de-CH", "Mit Telegram anmelden"),
        ("sv, ja;q=0.4, uk;q=0.7, *;q=0.1", "uk", "Увійти через Telegram"),
        ("ar", "ar", "تسجيل الدخول عبر تيليجرام"),
        ("fr;q=0", "en", "Sign in with Telegram"),
        ('"><script>,../../en,' + "x" * 5_000, "en", "Sign in with Telegram"),
    ],
)
async def test_the_door_speaks_the_browsers_language(
    console: ConsoleHarness, accepted: str, language: str, button: str
) -> None:
    headers = {"Accept-Language": accepted}
    page = (await console.http.get(f"/{DOOR}", headers=headers)).text
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}"' in page
    assert f">{button}</a>" in page
    assert "{{" not in page
    assert said(await console.http.get(f"/{DOOR}x", headers=headers)) == NOTHING


async def test_the_door_has_its_words_in_the_language_of_the_telegram_app(console: ConsoleHarness) -> None:
    found = (await console.http.get(f"/{DOOR}/words/pt-br")).json()
    assert (found["language"], found["direction"], found["words"]["sign_in"]) == ("pt-br", "ltr", "Entrar")
    unknown = (await console.http.get(f"/{DOOR}/words/xx")).json()
    assert (unknown["language"], unknown["words"]["sign_in"]) == ("en", "Sign in")
    for path in (f"/{DOOR}x/words/de", f"/{DOOR}/words/de/more", f"/{DOOR}/words/"):
        assert said(await console.http.get(path)) == NOTHING


async def test_every_answer_has_the_headers_that_forbid(console: ConsoleHarness) -> None:
    for path in (f"/{DOOR}", f"/{DOOR}/file/door.js"):
        shown = await console.http.get(path)
        assert {name: shown.headers.get(name) for name in HEADERS} == dict(HEADERS)
        assert "unsafe" not in shown.headers["Content-Security-Policy"]
    for path in ("/", "/nothing", f"/{DOOR}/nothing"):
        shown = await console.http.get(path)
        assert {name: shown.headers.get(name) for name in HEADERS_OF_ERRORS} == dict(HEADERS_OF_ERRORS)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
async def test_no_answer_tells_a_stranger_what_is_here(console: ConsoleHarness, method: str) -> None:
    await console.claim("lull")
    for path in (
        "/",
        "/api/session",
        "/api/live",
        f"/web-{console.door.files.version}/console/main.js",
        f"/{DOOR}/login/x",
    ):
        for cookie in ("", "__Host-lull-session=x", "__Host-lull-session=[];__Host-lull-login=x"):
            shown = await console.http.request(method, path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
            told = f"{shown.headers} {shown.text}".lower()
            assert shown.status_code == 404
            assert not [word for word in ("telegram", "console", "lull", "agent", "robots") if word in told]


async def test_altered_data_is_refused(console: ConsoleHarness) -> None:
    await console.claim("lull")
    real = dict(parse_qsl(console.telegram.init_data(OTHER, BOTS["lull"], console.now)))
    forged = [
        real | {"user": real["user"].replace(str(OTHER), str(OWNER))},
        real | {"user": real["user"].replace(str(OTHER), str(OWNER)), "signature": "A" * 86},
        real | {"signature": ""},
        {name: value for name, value in real.items() if name != "signature"},
        real | {"auth_date": "9" * 12},
        real | {"auth_date": "-1"},
        {},
    ]
    for fields in forged:
        assert said(await console.send_data(urlencode(fields))) == NOTHING
    twice = urlencode(real) + "&" + urlencode({"user": real["user"].replace(str(OTHER), str(OWNER))})
    for text in (twice, "", "user", "%ff=1", "a=1&" * 100, "x" * 10_000):
        assert said(await console.send_data(text)) == NOTHING


async def test_data_that_somebody_else_signed_is_refused(console: ConsoleHarness) -> None:
    await console.claim("lull")
    assert said(await console.send_data(Telegram().init_data(OWNER, BOTS["lull"], console.now))) == NOTHING


async def test_data_of_a_bot_that_is_not_this_deployments_is_refused(console: ConsoleHarness) -> None:
    await console.claim("lull")
    assert said(await console.send_data(console.telegram.init_data(OWNER, 666, console.now))) == NOTHING


async def test_data_of_a_former_bot_is_refused(console: ConsoleHarness) -> None:
    await console.claim("lull")
    newer = {"username": "new_bot", "at": NOW + timedelta(hours=1), "in_persona": ""}
    await console.client.document(paths.bot_path("lull")).set({"names": {"99": newer}}, merge=True)
    assert said(await console.enter()) == NOTHING
    data = console.telegram.init_data(OWNER, 99, console.now)
    assert (await console.send_data(data)).status_code == 200


async def test_data_of_another_owners_bot_is_refused(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await console.claim("moss", OTHER)
    assert said(await console.enter(OWNER, "moss")) == NOTHING
    assert (await console.enter(OWNER, "lull")).status_code == 200


@pytest.mark.parametrize(("age_s", "status"), [(0, 200), (299, 200), (301, 404), (-29, 200), (-60, 404)])
async def test_only_fresh_data_is_accepted(console: ConsoleHarness, age_s: int, status: int) -> None:
    await console.claim("lull")
    data = console.telegram.init_data(OWNER, BOTS["lull"], console.now)
    console.wait(seconds=age_s)
    assert (await console.send_data(data)).status_code == status


async def test_the_same_data_signs_in_once(console: ConsoleHarness) -> None:
    await console.claim("lull")
    data = console.telegram.init_data(OWNER, BOTS["lull"], console.now)
    assert (await console.send_data(data)).status_code == 200
    assert said(await console.send_data(data)) == NOTHING
    # the hash is not signed by this key, so that it must make no difference
    fields = dict(parse_qsl(data)) | {"hash": "0" * 64}
    assert said(await console.send_data(urlencode(dict(reversed(fields.items()))))) == NOTHING


async def test_data_of_another_owner_leaves_one_in_ones_own_session(console: ConsoleHarness) -> None:
    await console.claim()
    await console.claim("moss", OTHER)
    await console.enter()
    others = console.telegram.init_data(OTHER, BOTS["moss"], console.now)
    assert (await console.send_data(others)).status_code == 404
    assert (await console.http.get("/api/session")).json()["owner"] == OWNER
    assert (await console.enter()).status_code == 200, "the owner's own data is taken"
    await console.post("/api/sign-out")
    assert (await console.send_data(others)).status_code == 200, "it was not used up"


async def test_a_sign_in_of_another_sites_page_is_refused(console: ConsoleHarness) -> None:
    await console.claim("lull")
    for headers in (
        {},
        OWN_PAGE | {"Origin": "https://evil.example"},
        OWN_PAGE | {"Origin": "null"},
        OWN_PAGE | {"Sec-Fetch-Site": "cross-site"},
        OWN_PAGE | {"Sec-Fetch-Site": "same-site"},
        {name: value for name, value in OWN_PAGE.items() if name != "X-Lull-Console"},
    ):
        data = console.telegram.init_data(OWNER, BOTS["lull"], console.now)
        assert said(await console.send_data(data, headers=headers)) == NOTHING


async def test_the_cookie_is_strict_on_a_desk_and_the_frames_own_inside_telegram(console: ConsoleHarness) -> None:
    await console.claim("lull")
    desk = (await console.enter()).headers["Set-Cookie"]
    frame = (await console.enter(framed=True)).headers["Set-Cookie"]
    for cookie in (desk, frame):
        assert cookie.startswith("__Host-lull-session=")
        assert {"Path=/", "HttpOnly", "Secure", "Max-Age=3600"} <= set(cookie.split("; "))
    assert desk.count("SameSite=Strict") == 1
    assert "SameSite=None; Partitioned" in frame


async def test_a_cookie_ends_after_an_hour_without_use_and_after_a_day_with_it(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await console.enter()
    for _ in range(47):
        console.wait(minutes=30)
        assert (await console.http.get("/api/session")).status_code == 200
    console.wait(minutes=31)
    assert said(await console.http.get("/api/session")) == NOTHING
    await console.enter()
    console.wait(minutes=61)
    assert said(await console.http.get("/api/session")) == NOTHING


async def test_an_altered_cookie_is_worth_nothing(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await console.enter()
    value = console.http.cookies["__Host-lull-session"]
    forged = urlsafe_b64encode(f'[{OWNER},0,99999999999,"",false]'.encode()).decode().rstrip("=")
    for cookie in (value[:-1], value + "x", forged, forged + value[value.index(".") :], "", "x.y"):
        async with console.browser() as browser:
            shown = await browser.get("/api/session", headers={"Cookie": f"__Host-lull-session={cookie}"})
            assert said(shown) == NOTHING


async def test_a_revoked_sign_in_is_over_at_once(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await console.enter()
    console.wait(seconds=5)
    await FirestoreOwners(console.client).end_console("lull", console.now)
    assert said(await console.http.get("/api/session")) == NOTHING
    console.wait(seconds=1)
    assert (await console.enter()).status_code == 200
    assert (await console.http.get("/api/session")).status_code == 200


async def test_who_is_no_owner_any_more_is_out_at_once(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await console.enter()
    await console.claim("lull", OTHER)
    assert said(await console.http.get("/api/session")) == NOTHING


async def test_signing_out_deletes_the_cookie(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await console.enter()
    assert said(await console.post("/api/sign-out", headers={"Origin": f"https://{HOST}"})) == NOTHING
    assert (await console.post("/api/sign-out")).status_code == 200
    assert said(await console.http.get("/api/session")) == NOTHING


async def test_a_sign_in_is_recorded(console: ConsoleHarness) -> None:
    await console.claim("lull")
    await console.enter()
    records = [one.to_dict() or {} async for one in console.client.collection("console_records").stream()]
    assert [(one["person"], one["action"], one["agents"]) for one in records] == [(OWNER, "sign-in", ["lull"])]
    assert (records[0]["expires_at"] - records[0]["at"]).days == 90


async def test_a_response_may_have_a_stricter_policy() -> None:
    strict = "default-src 'none'; sandbox"
    app = SecureHeaders(Response(headers={"Content-Security-Policy": strict}))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=f"https://{HOST}") as browser:
        shown = await browser.get("/")
    assert shown.headers.get_list("Content-Security-Policy") == [strict]
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
