"""From the webhook's 200 to a command's answer in the chat: nothing rests, and no model is asked."""

import time

from benchmarks.stage import percentile, private_update, to_webhook
from benchmarks.town import town
from local.cloud import CloudSpec, LocalCloud

TIMES = 30
WARM_UP = 3


async def measure() -> dict[str, float]:
    """Milliseconds, one chat after the other, after a warm-up; `webhook` is what the webhook's own answer took."""
    took, webhooks = [], []
    with LocalCloud(CloudSpec()).running() as cloud:
        async with town(cloud) as place, to_webhook(cloud) as webhook:
            for number in range(WARM_UP + TIMES):
                person = await place.person(f"Person {number}")
                key = await place.private(person)
                update = private_update(person, "/help")
                update["message"]["entities"] = [{"type": "bot_command", "offset": 0, "length": len("/help")}]
                called, started = len(await place.calls()), time.time()
                (await webhook.post("/lull", json=update)).raise_for_status()
                answered = time.time()
                await place.answers(key, 1)
                sent = next(c for c in (await place.calls())[called:] if c["method"] == "sendMessage")
                webhooks.append((answered - started) * 1000)
                took.append((sent["at"] - answered) * 1000)
            asked = len(await place.exchanges())
    return {
        "p50_ms": round(percentile(took[WARM_UP:], 0.5), 1),
        "p95_ms": round(percentile(took[WARM_UP:], 0.95), 1),
        "webhook_p50_ms": round(percentile(webhooks[WARM_UP:], 0.5), 1),
        "model_calls": asked,
    }
