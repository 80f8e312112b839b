"""The time from a request to the webhook until the call to Telegram with the answer, without the model's time. The
quiet time and lull's own time remain.

The model's server measures the model's time. Everything else counts, including the overhead of the model's client.
"""

import time

from benchmarks.stage import percentile, private_update, to_webhook
from benchmarks.town import town
from local.cloud import CloudSpec, LocalCloud
from shared.wiring.settings import Settings

MESSAGES = 20


async def measure() -> dict[str, float]:
    """Return milliseconds. After a warm-up, the chats are measured one after the other."""
    took = []
    with LocalCloud(CloudSpec()).running() as cloud:
        async with town(cloud) as place, to_webhook(cloud) as webhook:
            for number in range(MESSAGES + 3):
                person = await place.person(f"Person {number}")
                key = await place.private(person)
                asked, called = len(await place.exchanges()), len(await place.calls())
                started = time.time()
                (await webhook.post("/lull", json=private_update(person, "hello"))).raise_for_status()
                await place.answers(key, 1)
                model_ms = sum(e["ms"] for e in (await place.exchanges())[asked:])
                sent = next(c for c in (await place.calls())[called:] if c["method"] == "sendMessage")
                took.append((sent["at"] - started) * 1000 - model_ms)
    took = took[3:]
    quiet_ms = Settings.model_fields["quiet_private_s"].default * 1000
    p50 = percentile(took, 0.5)
    return {
        "p50_ms": round(p50, 1),
        "p95_ms": round(percentile(took, 0.95), 1),
        "quiet_ms": quiet_ms,
        "over_quiet_p50_ms": round(p50 - quiet_ms, 1),
    }
