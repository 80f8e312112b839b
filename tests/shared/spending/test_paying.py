"""A call is paid for by whoever pays there, also if it fails; and nobody knowing what it took, it costs all."""

import pytest

from shared.models.money import Amount
from shared.models.usage import ModelCall, ModelUse, Purpose
from shared.spending.paying import Hold, Unlimited, current_wallet, paid, paying

USE = ModelUse(purpose=Purpose.PLAN, chat=None)
CALL = ModelCall(model="gemini-3.6-flash", prompt_tokens=1_000_000)


class Noting(Unlimited):
    def __init__(self) -> None:
        self.settled: list[int] = []

    async def settle(self, hold: Hold) -> None:
        self.settled.append(hold.nano_usd)


async def test_a_wallet_pays_for_what_is_called_in_its_block() -> None:
    mine, others = Noting(), Noting()
    with paying(mine):
        assert current_wallet() is mine
        async with paid(others, USE, 7) as hold:
            hold.counted(CALL)
    async with paid(others, USE, 7):
        pass
    assert (mine.settled, others.settled) == ([750_000_000], [7])


async def failing(wallet: Noting, *, is_known: bool) -> None:
    async with paid(wallet, USE, 7) as hold:
        hold.is_known = is_known
        raise RuntimeError


async def test_what_fails_is_settled_too() -> None:
    wallet = Noting()
    for is_known in (False, True):
        with pytest.raises(RuntimeError):
            await failing(wallet, is_known=is_known)
    assert wallet.settled == [7, 0]


def test_nobody_limited_keeps_nothing() -> None:
    assert Hold("", Amount(nano_usd=5), USE).nano_usd == 5
