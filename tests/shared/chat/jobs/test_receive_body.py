"""Bodies are read up to their limit, and a request's trace is found."""

import re
from collections.abc import AsyncIterator

import pytest

from shared.base.logs import trace_of, traceparent_of
from shared.chat.jobs.receive import BodyTooLarge, read_body

GIVEN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


class Chunks:
    """A body in pieces. It counts how many of them were taken."""

    def __init__(self, *sizes: int) -> None:
        self.sizes, self.taken = sizes, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for size in self.sizes:
            self.taken += 1
            yield b"x" * size


async def test_a_body_is_put_together() -> None:
    assert await read_body(Chunks(3, 0, 7).__aiter__(), 10) == b"x" * 10
    assert await read_body(Chunks().__aiter__(), 10) == b""


async def test_a_body_that_is_too_long_is_read_no_further_than_its_limit() -> None:
    chunks = Chunks(6, 5, 1000, 1000)
    with pytest.raises(BodyTooLarge):
        await read_body(chunks.__aiter__(), 10)
    assert chunks.taken == 2


def test_a_given_trace_goes_on() -> None:
    assert traceparent_of(GIVEN) == GIVEN
    assert trace_of(GIVEN) == "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.mark.parametrize(
    "given", ["", "x", GIVEN[:-1], GIVEN.replace("4b", "é9"), GIVEN.upper(), f"{GIVEN}\r\nX: y", f"{GIVEN}\n"]
)
def test_replaces_a_malformed_trace(given: str) -> None:
    made = traceparent_of(given)
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-01", made)
    assert made != traceparent_of(given)
