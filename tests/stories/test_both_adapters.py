"""Stories of other modules, played again with a model behind OpenAI's protocol."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import httpx
import pytest
import pytest_asyncio
from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import LocalCloud
from local.openai.server import PREFIX
from tests.conftest import ANSWERING, HURRIED, SOON
from tests.forking import forked
from tests.stories import test_drawing, test_model, test_private_chat, test_seeing, test_tools
from tests.stories.play import Model, Sandbox

STORIES = (
    test_private_chat.test_a_person_writes_and_is_answered,
    test_private_chat.test_the_model_is_shown_what_was_said_before,
    test_private_chat.test_a_burst_becomes_one_plan,
    test_private_chat.test_a_reaction_and_silence,
    test_private_chat.test_a_long_formatted_answer_comes_in_parts,
    test_tools.test_a_sum_is_worked_out_before_it_is_answered,
    test_tools.test_a_model_that_never_stops_calculating_still_answers,
    test_model.test_a_malformed_reply_recovers,
    test_model.test_a_reply_that_was_cut_off_is_never_run_in_part,
    test_model.test_a_failing_server_is_tried_again,
    test_model.test_a_refusal_by_the_models_safety_rules_is_told,
    test_model.test_an_answer_is_shown_while_the_model_writes_it,
    test_seeing.test_a_photo_with_a_question_is_shown_byte_for_byte,
    test_drawing.test_what_is_asked_for_is_drawn_and_the_agent_knows_what_it_shows,
)


@pytest.fixture(scope="module")
def scripted_url() -> Iterator[str]:
    with LocalCloud(forked(parts=("model",))).running() as running:
        yield running.model_url


@pytest.fixture(scope="module")
def cloud(scripted_url: str) -> Iterator[LocalCloud]:
    """A cloud whose models are all behind OpenAI's protocol."""
    env = HURRIED | {
        "LULL_PROVIDERS": json.dumps({"scripted": f"{scripted_url}{PREFIX}"}),
        "LULL_MODEL": "scripted:gpt-test",
        "LULL_MODELS": "",
        "LULL_IMAGE_MODEL": "scripted:gpt-image-test",
        "LULL_JUDGE_MODEL": "no",
        "LULL_NOTES_MODEL": "no",
        "LULL_EMBEDDING_MODEL": "no",
    }
    parts = (*(part for part in ANSWERING if part != "model"), "reader")
    with LocalCloud(forked(env=env, arguments={"telegram": SOON}, parts=parts)).running() as running:
        yield running


@pytest_asyncio.fixture
async def sandbox(cloud: LocalCloud, scripted_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    async with (
        httpx.AsyncClient(base_url=cloud.telegram_url, timeout=30) as telegram,
        httpx.AsyncClient(base_url=scripted_url, timeout=30) as scripted,
    ):
        model = await Model.from_now(scripted)
        await model.clear()
        firestore = AsyncClient(project=cloud.project)
        yield Sandbox(cloud, telegram, model, firestore)
        await model.clear()
        firestore.close()  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__.removeprefix("test_"))
async def test_a_story_is_the_same_over_openais_protocol(
    story: Callable[[Sandbox], Awaitable[None]], sandbox: Sandbox
) -> None:
    await story(sandbox)
