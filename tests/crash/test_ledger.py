import asyncio

from benchmarks.relay.ledger import Blow, Ledger, Moment, Request, Step


class Hits:
    """Records the struck requests."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    async def strike(self, request: Request) -> None:
        await asyncio.sleep(0)
        self.requests.append(request)


def test_requests_are_numbered_in_the_order_in_which_they_come() -> None:
    ledger = Ledger()
    entered = [ledger.enter(*call) for call in (("webhook", "a"), ("tick", "a"), ("webhook", "b"), ("webhook", "a"))]
    assert entered == ledger.requests
    assert [request.number for request in entered] == [1, 2, 3, 4]
    assert [request.step for request in entered] == [
        Step("webhook", "a", 1),
        Step("tick", "a", 1),
        Step("webhook", "b", 1),
        Step("webhook", "a", 2),
    ]
    ledger.start_over()
    assert ledger.enter("webhook", "a") == Request(1, Step("webhook", "a", 1))


async def test_the_blow_falls_on_one_request_at_one_moment() -> None:
    ledger, hits = Ledger(), Hits()
    ledger.start_over(Blow(Step("tick", "a", 2), Moment.AFTER, hits.strike))
    fell = []
    for maker, what in (("tick", "a"), ("webhook", "a"), ("tick", "b"), ("tick", "a"), ("tick", "a")):
        request = ledger.enter(maker, what)
        fell += [(request.number, moment) for moment in Moment if await ledger.falls(request, moment)]
    assert fell == [(4, Moment.AFTER)]
    assert hits.requests == [Request(4, Step("tick", "a", 2))]
    assert await ledger.struck() == Request(4, Step("tick", "a", 2))


async def test_a_request_from_before_the_start_is_not_struck() -> None:
    ledger, hits = Ledger(), Hits()
    old = ledger.enter("tick", "a")
    ledger.start_over(Blow(Step("tick", "a"), Moment.AFTER, hits.strike))
    assert not await ledger.falls(old, Moment.AFTER)
    assert await ledger.struck() is None


async def test_the_blow_is_finished_though_whoever_waits_for_it_is_cancelled() -> None:
    ledger, begun, may_end, done = Ledger(), asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def strike(_: Request) -> None:
        begun.set()
        await may_end.wait()
        done.set()

    ledger.start_over(Blow(Step("tick", "a"), Moment.BEFORE, strike))
    request = ledger.enter("tick", "a")
    handler = asyncio.create_task(ledger.falls(request, Moment.BEFORE))
    await begun.wait()
    handler.cancel()
    await asyncio.wait({handler})
    assert handler.cancelled()
    may_end.set()
    assert await ledger.struck() == request
    assert done.is_set()
