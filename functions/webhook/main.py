"""The webhook: receives Telegram's updates, stores them, and schedules a tick. Each agent has a path: `/<agent>`.

The webhook also shows the privacy page, since this page must be public.
"""

from datetime import UTC, datetime

import functions_framework.aio
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from shared.base.errors import QueueUnavailable, StoreRefused, StoreUnavailable
from shared.base.logs import about, log_failure, trace_of, traceparent_of
from shared.chat.jobs.receive import LONGEST_BODY, BodyTooLarge, WebhookRequest, is_from_telegram, read_body, receive
from shared.privacy.jobs.privacy import PAGE_HEADERS, PAGE_PATH, privacy_page
from shared.wiring.webhook import AGENTS, SECRET, receiver


@functions_framework.aio.http
async def webhook(request: Request) -> Response:
    """Receive one update. Answers 200 once the update is stored; after any other answer, Telegram sends the update
    again.
    """
    agent = request.url.path.strip("/")
    if agent == "healthz":
        return Response("ok")
    if agent == PAGE_PATH:
        return HTMLResponse(privacy_page(), headers=PAGE_HEADERS)
    if not is_from_telegram(request.headers.get("X-Telegram-Bot-Api-Secret-Token", ""), SECRET):
        return Response(status_code=401)
    if agent not in AGENTS:
        return Response(status_code=404)
    traceparent = traceparent_of(request.headers.get("traceparent", ""))
    with about(trace=trace_of(traceparent), agent=agent):
        try:
            body = await read_body(request.stream(), LONGEST_BODY)
            call = await receive(receiver(), WebhookRequest(agent, body, datetime.now(UTC), traceparent))
        except BodyTooLarge:
            return Response(status_code=413)
        except (StoreUnavailable, StoreRefused, QueueUnavailable) as error:
            # a refused write also gets no 200, since not even a dead letter could be stored
            log_failure(error)
            return Response(status_code=500)
    return JSONResponse(call) if call else Response()
