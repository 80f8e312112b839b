"""Calls are paid for by the current budget service, also if they fail; at unknown cost, all that was reserved is
charged.
"""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable
from shared.base.model_call import ModelCall
from shared.llm.gemini.answers import join_events, parse_answer
from shared.llm.metering import (
    Reservation,
    UnlimitedBudgetService,
    current_budget_service,
    reserve_for_call,
    use_budget,
)
from shared.values.money import Amount
from shared.values.prompt import Attachment, Prompt, PromptTurn, TurnRole
from shared.values.usage import ModelUse, Purpose
from tests.shared.examples import JSON_VALUES, PROPERTY

USE = ModelUse(purpose=Purpose.PLAN, chat=None)
CALL = ModelCall(model="gemini-3.6-flash", prompt_tokens=1_000_000)


class Noting(UnlimitedBudgetService):
    """Records settlements."""

    def __init__(self) -> None:
        self.settled: list[int] = []

    async def settle(self, reservation: Reservation) -> None:
        self.settled.append(reservation.nano_usd)


async def test_a_budget_service_pays_for_the_calls_in_its_block() -> None:
    mine, others = Noting(), Noting()
    with use_budget(mine):
        assert current_budget_service() is mine
        async with reserve_for_call(others, USE, 800_000_000) as reservation:
            reservation.add_call(CALL)
    async with reserve_for_call(others, USE, 7):
        pass
    assert (mine.settled, others.settled) == ([750_000_000], [7])


async def failing(budget_service: Noting, *, is_known: bool) -> None:
    async with reserve_for_call(budget_service, USE, 7) as reservation:
        reservation.is_known = is_known
        raise RuntimeError


async def test_what_fails_is_settled_too() -> None:
    budget_service = Noting()
    for is_known in (False, True):
        with pytest.raises(RuntimeError):
            await failing(budget_service, is_known=is_known)
    assert budget_service.settled == [7, 0]


def test_nobody_limited_keeps_nothing() -> None:
    assert Reservation("", Amount(nano_usd=5), USE).nano_usd == 5


def test_a_call_that_counted_nothing_is_not_free() -> None:
    reservation = Reservation("", Amount(nano_usd=5), USE)
    reservation.add_call(ModelCall(model="gemini-3.6-flash"))
    assert reservation.nano_usd == 1


async def test_where_limits_hold_nothing_is_paid_whose_price_nobody_knows() -> None:
    budget_service = Noting()
    async with reserve_for_call(budget_service, USE, None):
        """Where none do, it costs what it costs."""
    budget_service.is_limited = True
    with pytest.raises(ModelRefused) as refused:
        async with reserve_for_call(budget_service, USE, None):
            raise AssertionError("it is not called")
    assert refused.value.trouble is ModelTrouble.MISCONFIGURED
    assert budget_service.settled == [0]


BOUND = 1_000_000


@PROPERTY
@given(usage=JSON_VALUES, version=JSON_VALUES)
@example(usage={}, version="")
@example(usage={"promptTokenCount": 1_000, "cachedContentTokenCount": 5_000_000}, version="")
@example(usage={"promptTokenCount": 10**24, "candidatesTokenCount": 1}, version="")
@example(usage={"promptTokenCount": 5.0, "candidatesTokenCount": "7"}, version="")
@example(usage={"promptTokenCount": True}, version="")
@example(usage={"promptTokenCount": 5, "candidatesTokenCount": -(10**9)}, version="")
@example(usage={"promptTokenCount": 5, "toolUsePromptTokenCount": 100_000}, version="gemini-next-preview")
@example(
    usage={"promptTokenCount": 5, "candidatesTokensDetails": [{"modality": "IMAGE", "tokenCount": 900}]}, version=""
)
def test_what_is_settled_is_something_and_never_more_than_was_reserved(usage: object, version: object) -> None:
    answer = parse_answer({"candidates": [], "usageMetadata": usage, "modelVersion": version})
    reservation = Reservation("", Amount(nano_usd=BOUND), USE)
    reservation.add_call(answer.call("gemini-3.8-flash", 5))
    assert 0 < reservation.nano_usd <= BOUND


FILES = tuple(Attachment(mime_type=one, content=b"x") for one in ("audio/ogg", "video/mp4"))
ASKED = Prompt(system="", turns=(PromptTurn(role=TurnRole.USER, attached=FILES),), searches=True)
PARTS = st.one_of(
    JSON_VALUES,
    st.fixed_dictionaries({}, optional={"text": JSON_VALUES, "thought": JSON_VALUES, "inlineData": JSON_VALUES}),
)
#: numbers that may be counts, and values that are none
COUNTS: st.SearchStrategy[object] = st.one_of(
    st.integers(-2, 5_000), st.sampled_from([10**24, 1.5, "7", None, True, [], {}])
)
USAGES = st.one_of(
    JSON_VALUES,
    st.dictionaries(
        st.sampled_from(
            [f"{name}TokenCount" for name in ("prompt", "toolUsePrompt", "cachedContent", "thoughts", "candidates")]
            + ["totalTokenCount"]
        ),
        COUNTS,
    ),
    st.fixed_dictionaries(
        {
            "promptTokenCount": COUNTS,
            "candidatesTokenCount": COUNTS,
            "promptTokensDetails": st.lists(st.fixed_dictionaries({"modality": JSON_VALUES, "tokenCount": COUNTS})),
        }
    ),
)
EVENTS = st.fixed_dictionaries(
    {},
    optional={
        "usageMetadata": USAGES,
        "modelVersion": JSON_VALUES,
        "promptFeedback": JSON_VALUES,
        "candidates": st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "content": st.fixed_dictionaries({"parts": st.lists(PARTS, max_size=3)}),
                    "finishReason": JSON_VALUES,
                    "groundingMetadata": st.one_of(JSON_VALUES, st.dictionaries(st.text(), JSON_VALUES, max_size=3)),
                },
            ),
            max_size=2,
        ),
    },
)


@PROPERTY
@given(events=st.lists(EVENTS, max_size=4), asked=st.sampled_from([None, ASKED]))
def test_whatever_a_stream_tells_something_is_settled_for_it_and_never_more_than_was_reserved(
    events: list[object], asked: Prompt | None
) -> None:
    reservation = Reservation("", Amount(nano_usd=BOUND), USE)
    with suppress(ModelUnavailable):  # the stream broke off
        reservation.add_call(join_events([parse_answer(one) for one in events]).call("gemini-3.1-flash-lite", 5, asked))
    assert 0 < reservation.nano_usd <= BOUND


def test_what_an_answer_tells_of_tools_is_part_of_the_prompt_and_the_asked_model_is_paid() -> None:
    usage = {"promptTokenCount": 1_000, "toolUsePromptTokenCount": 2_000, "candidatesTokenCount": 10}
    call = parse_answer({"usageMetadata": usage, "modelVersion": "gemini-next"}).call("gemini-3.8-flash", 5)
    assert (call.model, call.prompt_tokens, call.is_uncounted) == ("gemini-3.8-flash", 3_000, False)
