"""Calls of models: counted for what they were made for, whoever makes them."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from shared.adapters.gemini.failures import in_doubt
from shared.errors import ModelError, ModelRefused, ModelUnavailable
from shared.models.prompt import ModelReply, Prompt
from shared.models.usage import ModelCall, ModelUse, Purpose
from shared.planning.model_calls import MeteredModels
from shared.spending.paying import Hold, Unlimited
from tests.shared.values import KEY

PROMPT = Prompt(system="", turns=())


@dataclass
class Answering:
    """A model that answers with one call, or refuses after it."""

    call: ModelCall | None
    is_refusing: bool = False

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        if self.is_refusing or self.call is None:
            raise ModelRefused("blocked", self.call)
        return ModelReply(text="ok", is_complete=True, call=self.call)


def counted(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [vars(line)["fields"] for line in caplog.records if line.getMessage() == "the model answered"]


@pytest.mark.parametrize("purpose", list(Purpose))
async def test_a_call_is_counted_once_with_its_cost_and_purpose(
    caplog: pytest.LogCaptureFixture, purpose: Purpose
) -> None:
    known = ModelCall(model="gemini-3.5-flash-lite", prompt_tokens=1_000_000, output_tokens=1_000_000)
    models = MeteredModels({"known": Answering(known), "unknown": Answering(ModelCall(model="some-other"))})
    use = ModelUse(purpose=purpose, chat=KEY)
    with caplog.at_level(logging.INFO, "lull"):
        assert (await models.model("known", use).generate(PROMPT, None)).text == "ok"
        await models.model("unknown", use).generate(PROMPT, None)
    first, second = counted(caplog)
    assert (first["usd"], first["output_tokens"], first["purpose"]) == (pytest.approx(2.80), 1_000_000, purpose.value)
    assert "usd" not in second


async def test_a_refused_answer_that_was_paid_for_is_counted_and_one_that_was_not_is_not(
    caplog: pytest.LogCaptureFixture,
) -> None:
    paid, unpaid = Answering(ModelCall(model="some", prompt_tokens=7), is_refusing=True), Answering(None)
    models = MeteredModels({"paid": paid, "unpaid": unpaid})
    told = []
    with caplog.at_level(logging.INFO, "lull"):
        for name in ("paid", "unpaid"):
            with pytest.raises(ModelRefused) as refusal:
                await models.model(name, ModelUse(purpose=Purpose.PLAN, chat=KEY)).generate(PROMPT, None)
            failed = refusal.value.call
            assert failed is not None
            told.append((failed.model, failed.prompt_tokens, failed.problem))
    assert told == [("some", 7, "blocked"), ("unpaid", 0, "blocked")]
    (line,) = counted(caplog)
    assert line["prompt_tokens"] == 7


def test_an_unknown_model_is_an_error() -> None:
    with pytest.raises(KeyError):
        MeteredModels({}).model("none", ModelUse(purpose=Purpose.PLAN, chat=KEY))


@dataclass
class Failing:
    """A model that never answers."""

    error: ModelError

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        raise self.error


class Payer(Unlimited):
    """A wallet that tells what was settled."""

    def __init__(self) -> None:
        self.settled: list[int] = []

    async def settle(self, hold: Hold) -> None:
        self.settled.append(hold.nano_usd)


async def test_a_server_that_fails_is_not_paid_and_one_that_says_nothing_may_have_to_be() -> None:
    payer, use = Payer(), ModelUse(purpose=Purpose.PLAN, chat=KEY)
    for error in (ModelUnavailable("Gemini answered 500"), in_doubt("no answer")):
        models = MeteredModels({"gemini-3.5-flash-lite": Failing(error)}, otherwise=payer)
        with pytest.raises(ModelUnavailable):
            await models.model("gemini-3.5-flash-lite", use).generate(PROMPT, None)
    failed, silent = payer.settled
    assert failed == 0
    assert silent > 0


class Limited(Payer):
    """A wallet for which limits hold."""

    is_limited = True


async def test_where_limits_hold_a_model_under_another_name_is_paid_by_its_own_price() -> None:
    payer, use = Limited(), ModelUse(purpose=Purpose.JUDGE, chat=KEY)
    behind = {"judge": Failing(in_doubt("no answer"))}
    known = MeteredModels(behind, payer, {"judge": "gemini-3.5-flash-lite"})
    with pytest.raises(ModelUnavailable):
        await known.model("judge", use).generate(PROMPT, None)
    assert payer.settled[0] > 0
    with pytest.raises(ModelRefused, match="no price"):
        await MeteredModels(behind, payer).model("judge", use).generate(PROMPT, None)
