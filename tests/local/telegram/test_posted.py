import httpx
import pytest

from local.telegram.faults import TelegramFault, TelegramFaultKind
from local.telegram.people import BotWebhook
from local.telegram.posted import Poster, PostOutcome, outcome_of
from local.telegram.updates import LocalUpdate
from tests.local.telegram.receiver import Receiver

UPDATE = LocalUpdate(serial=1, bot_id=7, update_id=5, raw={"update_id": 5, "poll": {"q": "é"}}, lane=1, expires_at=0.0)


async def posted(url: str, fault: TelegramFault | None = None, silence: float = 60.0) -> PostOutcome:
    poster = Poster(BotWebhook(url=url, secret_token="s-1"), silence)
    try:
        return await poster.post(UPDATE, fault)
    finally:
        await poster.close()


async def test_an_update_is_posted_with_the_secret(webhook: Receiver) -> None:
    outcome = await posted(webhook.url)
    assert (outcome.status, outcome.error, outcome.is_reusable) == (200, None, True)
    assert webhook.updates == [UPDATE.raw]
    assert webhook.headers[0]["x-telegram-bot-api-secret-token"] == "s-1"
    assert webhook.headers[0]["content-type"] == "application/json"


async def test_nobody_there_is_an_error() -> None:
    assert (await posted("http://127.0.0.1:9/hook")).error == "Connection refused"


async def test_silence_is_an_error(webhook: Receiver) -> None:
    webhook.gate.clear()
    assert (await posted(webhook.url, silence=0.05)).error == "Read timeout expired"


@pytest.mark.parametrize(
    ("kind", "came", "error"),
    [
        (TelegramFaultKind.CUT_BEFORE, 0, "Webhook connection closed"),
        (TelegramFaultKind.CUT_AFTER, 1, "Webhook connection closed"),
        (TelegramFaultKind.SERVER_ERROR, 0, "Wrong response from the webhook: 500 Internal Server Error"),
        (TelegramFaultKind.BAD_GATEWAY, 0, "Wrong response from the webhook: 502 Bad Gateway"),
        (TelegramFaultKind.TOO_MANY, 0, "Wrong response from the webhook: 429 Too Many Requests"),
        (TelegramFaultKind.SLOW, 1, None),
    ],
)
async def test_faults_on_demand(webhook: Receiver, kind: TelegramFaultKind, came: int, error: str | None) -> None:
    outcome = await posted(webhook.url, TelegramFault(method="webhook", kind=kind, seconds=0.01, retry_after=4))
    assert (len(webhook.updates), outcome.error) == (came, error)
    assert outcome.retry_after == (4 if kind is TelegramFaultKind.TOO_MANY else 0)


def answered(body: object) -> PostOutcome:
    return outcome_of(httpx.Response(200, json=body))


@pytest.mark.parametrize("method", ["sendChatAction", "sendMessage"])
def test_an_answer_may_ask_for_a_method(method: str) -> None:
    call = {"method": method, "chat_id": 1}
    assert answered(call).call == call
    form = httpx.Response(200, headers={"content-type": "application/x-www-form-urlencoded"}, text=f"method={method}")
    assert outcome_of(form).call == {"method": method}


@pytest.mark.parametrize(
    "body", [{"method": "getMe"}, {"method": "setWebhook"}, {"method": "LOGOUT"}, {"method": ""}, {"method": 5}, [], {}]
)
def test_but_not_for_every_one(body: object) -> None:
    assert answered(body).call is None


@pytest.mark.parametrize("kind", ["text/plain", "application/json"])
def test_an_answer_of_nonsense_asks_for_nothing(kind: str) -> None:
    response = httpx.Response(
        200, headers={"content-type": kind}, text='{"method": "sendMessage"' + "}" * (kind == "text/plain")
    )
    assert outcome_of(response) == PostOutcome(status=200, is_reusable=True)


def test_a_refusal_says_how_long_to_wait_and_whether_to_stay() -> None:
    response = httpx.Response(503, headers={"retry-after": "17", "connection": "close"})
    outcome = outcome_of(response)
    assert outcome.error == "Wrong response from the webhook: 503 Service Unavailable"
    assert (outcome.retry_after, outcome.is_reusable) == (17, False)
    assert outcome_of(httpx.Response(302, headers={"location": "/x"})).error is not None
    assert outcome_of(httpx.Response(429, headers={"retry-after": "soon"})).retry_after == 0
