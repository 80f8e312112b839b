"""The canary proves models of other providers by real completions, and names one that fails."""

from collections.abc import AsyncIterator, Mapping

import pytest

from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.openai.model import OpenAIModel
from shared.upkeep.jobs.probe import ProbeFailed, ask_models
from shared.values.canary import PROBE_WORDS
from shared.values.model_name import split_model_name
from shared.values.usage import ModelUse
from tests.shared.llm.openai.player import Json, Player, playing

#: a reasoning model that spends the few tokens of a probe on thoughts
CUT: Json = {
    "json": {
        "choices": [{"finish_reason": "length", "message": {"role": "assistant", "content": "", "reasoning": "Well"}}],
        "usage": {"prompt_tokens": 30, "completion_tokens": 64, "total_tokens": 94},
    }
}
WELL: Json = {"json": {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "well"}}]}}
REFUSED: Json = {"status": 401, "json": {"error": {"message": "Incorrect API key provided: a-secret-key."}}}
ANSWERS: Mapping[str, Json] = {"home": CUT, "groq": WELL, "mistral": REFUSED}


class Providers:
    """The models of three providers at a local server."""

    def __init__(self, url: str, player: Player) -> None:
        self.player = player
        self.models = {
            provider: OpenAIModel("", OpenAIEndpoint(provider, f"{url}/{provider}", "a-secret-key"), 10.0, 1)
            for provider in ANSWERS
        }

    def model(self, name: str, use: ModelUse) -> OpenAIModel:
        parts = split_model_name(name)
        return self.models[parts.provider].named(parts.name)


@pytest.fixture
async def providers() -> AsyncIterator[Providers]:
    with playing() as (url, player):
        player.answers |= {provider: [answer] for provider, answer in ANSWERS.items()}
        made = Providers(url, player)
        yield made
        for model in made.models.values():
            await model.aclose()


async def test_models_of_other_providers_are_asked_for_a_few_tokens(providers: Providers) -> None:
    said = await ask_models(providers, ("home:qwen3:8b", "groq:llama"))
    assert said == "home:qwen3:8b answered; groq:llama answered"
    (asked,) = providers.player.asked["home"]
    assert (asked["path"], asked["body"]["model"]) == ("chat/completions", "qwen3:8b")
    assert PROBE_WORDS in str(asked["body"]["messages"])


async def test_the_one_that_fails_is_named_without_what_its_server_said(providers: Providers) -> None:
    with pytest.raises(ProbeFailed, match=r"^mistral:small: mistral answered 401: check") as caught:
        await ask_models(providers, ("groq:llama", "mistral:small", "home:qwen3:8b"))
    assert "a-secret-key" not in str(caught.value)
