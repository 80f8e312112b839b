"""The deployed settings of the queue that starts ticks. In the local cloud this queue has the defaults of a new
queue.
"""

from benchmarks.town import Town

#: number of concurrent ticks in each instance of the tick function (infra/functions.yaml)
AT_ONCE = 40
#: number of attempts at a tick that fails (infra/queues.tf)
ATTEMPTS = 20
FOR_AT_LEAST_S = 3600
FIRST_AFTER_S = 1
LONGEST_AFTER_S = 300
DOUBLINGS = 8


async def make_as_deployed(place: Town, instances: int = 1) -> None:
    """Give the running cloud's queue the deployed retries, and the limits for this many instances of the tick
    function.
    """
    queue = {
        "rateLimits": {"maxConcurrentDispatches": AT_ONCE * instances, "maxDispatchesPerSecond": 500},
        "retryConfig": {
            "maxAttempts": ATTEMPTS,
            "maxRetryDuration": f"{FOR_AT_LEAST_S}s",
            "minBackoff": f"{FIRST_AFTER_S}s",
            "maxBackoff": f"{LONGEST_AFTER_S}s",
            "maxDoublings": DOUBLINGS,
        },
    }
    mask = {"updateMask": "rateLimits,retryConfig"}
    (await place.tasks.patch(f"/v2/{place.cloud.queue}", params=mask, json=queue)).raise_for_status()
