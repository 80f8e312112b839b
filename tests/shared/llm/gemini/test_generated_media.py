"""Speech and pictures over Gemini's API: requests and results."""

import base64
from collections.abc import AsyncIterator

import pytest
from google.genai import types

from local.gemini.samples import blob, picture, tone
from shared.base.errors import ModelRefused
from shared.llm.gemini.generated_media import generation_body
from shared.llm.gemini.model import GeminiModel
from shared.values.capabilities import OutputKind
from shared.values.prompt import Attachment, Prompt, PromptTurn, TurnRole
from tests.shared.conftest import model_at
from tests.stories.play import Model

WORDS = "what is made in this test"


@pytest.fixture
async def model(model_url: str) -> AsyncIterator[GeminiModel]:
    async with model_at(model_url, 30.0, 1) as found:
        yield found


def prompt(makes: OutputKind, voice: str = "") -> Prompt:
    turn = PromptTurn(role=TurnRole.USER, parts=(WORDS,))
    return Prompt(system="", turns=(turn,), makes=makes, voice=voice)


def test_what_is_answered_with_text_is_no_such_request() -> None:
    assert generation_body(prompt(OutputKind.TEXT)) is None


@pytest.mark.parametrize("makes", [OutputKind.SPEECH, OutputKind.PICTURES])
def test_a_request_is_one_that_the_api_knows_and_has_no_instruction(makes: OutputKind) -> None:
    body = generation_body(prompt(makes, "Kore"))
    assert body is not None
    assert body.keys() == {"contents", "generationConfig"}
    assert body["contents"] == [{"role": "user", "parts": [{"text": WORDS}]}]
    config = types.GenerationConfig.model_validate(body["generationConfig"])
    if makes is OutputKind.SPEECH:
        assert config.response_modalities == ["AUDIO"]
        speech = config.speech_config
        assert speech is not None
        assert speech.voice_config is not None
        assert speech.voice_config.prebuilt_voice_config is not None
        assert speech.voice_config.prebuilt_voice_config.voice_name == "Kore"
    else:
        assert (config.response_modalities, config.speech_config) == (["TEXT", "IMAGE"], None)


async def test_speech_comes_as_it_was_made(model: GeminiModel, script: Model) -> None:
    samples = {"mime_type": "audio/L16;codec=pcm;rate=24000", "data": base64.b64encode(b"\1\0" * 9).decode()}
    usage = {"promptTokenCount": 7, "candidatesTokenCount": 50, "totalTokenCount": 57}
    await script.will({"inline": [blob("audio/wav", tone())], "usage": usage}, {"inline": [samples]})
    reply = await model.generate(prompt(OutputKind.SPEECH, "Kore"), None)
    assert reply.files == (Attachment(mime_type="audio/wav", content=tone()),)
    assert (reply.call.prompt_tokens, reply.call.output_tokens, reply.text) == (7, 50, "")
    older = await model.generate(prompt(OutputKind.SPEECH, "Kore"), None)
    assert older.files == (Attachment(mime_type="audio/L16;codec=pcm;rate=24000", content=b"\1\0" * 9),)
    asked = (await script.asked(WORDS))[-1]["request"]
    voice = {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": "Kore"}}}
    assert asked["generationConfig"] == {"responseModalities": ["AUDIO"], "speechConfig": voice}


async def test_a_picture_comes_with_what_is_said_of_it_and_its_tokens(model: GeminiModel, script: Model) -> None:
    details = [{"modality": "TEXT", "tokenCount": 5}, {"modality": "IMAGE", "tokenCount": 1120}]
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 1125, "candidatesTokensDetails": details}
    await script.will({"text": "Here.", "inline": [blob("image/png", picture())], "usage": usage})
    reply = await model.generate(prompt(OutputKind.PICTURES), None)
    assert (reply.text, reply.files) == ("Here.", (Attachment(mime_type="image/png", content=picture()),))
    assert (reply.call.output_tokens, reply.call.picture_tokens) == (1125, 1120)


async def test_what_is_not_drawn_for_safety_is_refused(model: GeminiModel, script: Model) -> None:
    await script.will({"finish_reason": "IMAGE_SAFETY"})
    with pytest.raises(ModelRefused, match="IMAGE_SAFETY"):
        await model.generate(prompt(OutputKind.PICTURES), None)
