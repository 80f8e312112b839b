"""Calls of models are counted under their use, whoever makes them."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from shared.base.errors import ModelRefused, ModelUnavailable
from shared.base.model_call import ModelCall
from shared.llm.cost_bounds import cost_at_most, cost_of_texts
from shared.llm.gemini.errors import maybe_paid_error
from shared.llm.metering import MeteredEmbedder, MeteredModels, Reservation, UnlimitedBudgetService, count_embedding
from shared.llm.ports.embedding import EmbeddingTask
from shared.llm.ports.world import LanguageModel
from shared.values.money import Amount
from shared.values.prompt import ModelReply, Prompt
from shared.values.usage import ModelUse, Purpose
from tests.shared.examples import KEY

PROMPT = Prompt(system="", turns=())
LITE = "gemini-3.5-flash-lite"


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


def lines_of_calls(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [vars(line)["fields"] for line in caplog.records if line.getMessage() == "the model was asked"]


@pytest.mark.parametrize("purpose", list(Purpose))
async def test_a_call_is_counted_once_with_its_cost_and_purpose(
    caplog: pytest.LogCaptureFixture, purpose: Purpose
) -> None:
    known = ModelCall(model=LITE, prompt_tokens=100, output_tokens=1_000)
    models = MeteredModels({LITE: Answering(known), "unknown": Answering(ModelCall(model="some-other"))})
    use = ModelUse(purpose=purpose, chat=KEY)
    with caplog.at_level(logging.INFO, "lull"):
        assert (await models.model(LITE, use).generate(PROMPT, None)).text == "ok"
        await models.model("unknown", use).generate(PROMPT, None)
    first, second = lines_of_calls(caplog)
    assert (first["usd"], first["output_tokens"], first["purpose"]) == (pytest.approx(0.00253), 1_000, purpose.value)
    assert "usd" not in second


@pytest.mark.parametrize(
    ("answering", "is_error"),
    [
        (lambda: Answering(ModelCall(model=LITE, is_uncounted=True)), True),
        (lambda: Answering(ModelCall(model=LITE, output_tokens=9_000_000)), True),
        (lambda: Failing(maybe_paid_error("no answer")), False),
        (lambda: Failing(asyncio.CancelledError()), False),
    ],
    ids=["counts nothing", "counts more than it may", "answers nothing", "is called off"],
)
async def test_what_the_log_tells_of_a_call_is_what_was_settled_for_it(
    caplog: pytest.LogCaptureFixture, answering: Callable[[], LanguageModel], is_error: bool
) -> None:
    payer = Payer()
    models = MeteredModels({LITE: answering()}, fallback=payer)
    with caplog.at_level(logging.INFO, "lull"), suppress(ModelUnavailable, asyncio.CancelledError):
        await models.model(LITE, ModelUse(purpose=Purpose.PLAN, chat=KEY)).generate(PROMPT, None)
    (line,) = lines_of_calls(caplog)
    bound = cost_at_most(PROMPT, LITE, datetime.now(UTC))
    assert payer.settled == [bound]
    assert line["usd"] == Amount(nano_usd=bound or 0).usd > 0
    assert any(one.levelno >= logging.ERROR for one in caplog.records) is is_error


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
    (line,) = lines_of_calls(caplog)
    assert line["prompt_tokens"] == 7


def test_an_unknown_model_is_an_error() -> None:
    with pytest.raises(KeyError):
        MeteredModels({}).model("none", ModelUse(purpose=Purpose.PLAN, chat=KEY))


@dataclass
class Failing:
    """A model that never answers."""

    error: BaseException

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        raise self.error


class Payer(UnlimitedBudgetService):
    """A budget service that records settlements."""

    def __init__(self) -> None:
        self.settled: list[int] = []

    async def settle(self, reservation: Reservation) -> None:
        self.settled.append(reservation.nano_usd)


async def test_a_server_that_fails_is_not_paid_and_one_that_says_nothing_may_have_to_be() -> None:
    payer, use = Payer(), ModelUse(purpose=Purpose.PLAN, chat=KEY)
    for error in (ModelUnavailable("Gemini answered 500"), maybe_paid_error("no answer")):
        models = MeteredModels({LITE: Failing(error)}, fallback=payer)
        with pytest.raises(ModelUnavailable):
            await models.model(LITE, use).generate(PROMPT, None)
    failed, silent = payer.settled
    assert failed == 0
    assert silent > 0


class Limited(Payer):
    """A budget service with limits."""

    is_limited = True


async def test_where_limits_hold_a_model_under_another_name_is_paid_by_its_own_price() -> None:
    payer, use = Limited(), ModelUse(purpose=Purpose.JUDGE, chat=KEY)
    behind = {"judge": Failing(maybe_paid_error("no answer"))}
    known = MeteredModels(behind, payer, {"judge": LITE})
    with pytest.raises(ModelUnavailable):
        await known.model("judge", use).generate(PROMPT, None)
    assert payer.settled[0] > 0
    with pytest.raises(ModelRefused, match="price is unknown"):
        await MeteredModels(behind, payer).model("judge", use).generate(PROMPT, None)


@dataclass
class Batches:
    """A model of embeddings that answers one batch, with the result of the next."""

    then: BaseException | None = None
    model: str = field(default="gemini-embedding-2@768")

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        count_embedding(ModelCall(model="gemini-embedding-2", prompt_tokens=100))
        if self.then is not None:
            raise self.then
        return [(1.0,) for _ in texts]


@pytest.mark.parametrize(
    ("then", "is_known"),
    [
        (None, True),
        (ModelUnavailable("Gemini answered 503"), True),
        (maybe_paid_error("no answer"), False),
        (asyncio.CancelledError(), False),
    ],
    ids=["answered", "refused", "in doubt", "called off"],
)
async def test_of_several_batches_one_in_doubt_is_not_paid_by_those_before_it(
    then: BaseException | None, is_known: bool
) -> None:
    payer, texts = Payer(), ["a text of some words"] * 150
    embedder = MeteredEmbedder(
        Batches(then), "gemini-embedding-2", ModelUse(purpose=Purpose.EMBED, chat=KEY), fallback=payer
    )
    with suppress(ModelUnavailable, asyncio.CancelledError):
        await embedder.embed(texts, EmbeddingTask.DOCUMENT)
    bound = cost_of_texts(texts, "gemini-embedding-2", datetime.now(UTC))
    assert payer.settled == [20_000 if is_known else bound]
