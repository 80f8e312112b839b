import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from local.credentials import Credentials
from local.model.context import NEEDED
from local.model.upstream import ModelServer
from local.parts import (
    ARCHIVE_BUCKET,
    CONTROL,
    FUNCTIONS,
    PARTS,
    PROJECT,
    QUEUE,
    SMALL_MODEL,
    VECTORS_MODEL,
    Backend,
    CloudSpec,
    Places,
    function,
    function_env,
    reached_by,
    server_settings,
    service,
)
from local.processes import ROOT
from shared.values.agent import Codec
from shared.values.capabilities import InputKind, capabilities_of
from shared.values.usage import Price, price_of
from shared.values.wake import Queue
from shared.wiring.settings import Settings, WebhookSettings
from shared.wiring.settings.model_functions import SummarizeSettings, TickSettings

PLACES = Places(folder=Path("/kept"), ports={name: 1000 + n for n, name in enumerate((*PARTS, CONTROL))})
CREDENTIALS = Credentials(webhook_secret="a-secret", console_secret="another-secret", tokens={"lull": "1:a"})


def test_the_functions_settings_are_whole() -> None:
    env = function_env(CloudSpec(), PLACES, CREDENTIALS)
    settings = TickSettings.from_environment(env)
    assert WebhookSettings.from_environment(env).webhook_secret.get_secret_value() == "a-secret"
    assert (settings.project, settings.queue) == (PROJECT, QUEUE)
    assert settings.tasks_endpoint == PLACES.address("cloud_tasks")
    assert settings.telegram_url == PLACES.url("telegram")
    assert settings.gemini_url == PLACES.url("model")
    assert settings.bot_tokens["lull"].get_secret_value() == "1:a"
    assert SummarizeSettings.from_environment(env).agent_names == {"lull"}
    assert SummarizeSettings.from_environment(env).archive_bucket == ARCHIVE_BUCKET
    assert env["STORAGE_EMULATOR_HOST"] == PLACES.url("storage")


def test_only_a_local_model_is_named() -> None:
    models = {b: function_env(CloudSpec(backend=b), PLACES, CREDENTIALS).get("LULL_MODEL") for b in Backend}
    assert models == {
        Backend.SMALL: SMALL_MODEL,
        Backend.SERVER: SMALL_MODEL,  # the chosen server's own settings go before it
        Backend.GOOGLE: None,
        Backend.SCRIPTED: None,
        Backend.PROVIDER: None,
    }


@pytest.mark.parametrize("backend", [Backend.SMALL, Backend.SERVER])
def test_functions_reach_a_local_model_without_a_key_and_without_gemini(backend: Backend) -> None:
    server = ModelServer(name="Ollama", url="http://127.0.0.1:9", model="gemma3:12b", takes_pictures=True)
    spec = CloudSpec(
        backend=backend, env=server_settings(server) if backend is Backend.SERVER else {}, provider="ollama"
    )
    env = function_env(spec, PLACES, CREDENTIALS)
    settings = TickSettings.from_environment(env)
    assert not {"GEMINI_API_KEY", "GEMINI_BASE_URL"} & env.keys()
    assert not settings.has_gemini
    models = {"ollama:gemma3:12b" if backend is Backend.SERVER else SMALL_MODEL, VECTORS_MODEL}
    assert models <= {*settings.named_models}
    assert {settings.access_to(model.partition(":")[0]).url for model in models} == {f"{PLACES.url('model')}/v1"}
    can, is_of_server = capabilities_of(settings.model), backend is Backend.SERVER
    assert (InputKind.PICTURES in can.takes, can.codec) == (is_of_server, Codec.JSON if is_of_server else Codec.TEXT)


def test_a_local_model_is_billed_nothing() -> None:
    env = function_env(CloudSpec(backend=Backend.SMALL, env={"LULL_LIMITS": "yes"}), PLACES, CREDENTIALS)
    settings = TickSettings.from_environment(env)
    assert settings.limits
    assert price_of(settings.model, datetime.now(UTC)) == Price(0.0, 0.0, 0.0)


def test_what_the_spec_gives_the_functions_wins() -> None:
    env = function_env(CloudSpec(env={"LULL_MODEL": "mine"}), PLACES, CREDENTIALS)
    assert env["LULL_MODEL"] == "mine"


def test_whoever_is_outside_reaches_what_the_functions_reach() -> None:
    env = function_env(CloudSpec(), PLACES, CREDENTIALS)
    assert reached_by(PLACES).items() <= env.items()
    routes = Settings.from_environment(env).routes
    assert routes.functions == {name: PLACES.url(name) for name in FUNCTIONS}
    assert set(routes.queues) == set(Queue)
    assert Settings.from_environment(reached_by(PLACES)).routes.queues[Queue.TICKS] == routes.queues[Queue.TICKS]


def test_a_function_is_shown_after_what_calls_it() -> None:
    assert set(FUNCTIONS) == {folder.parent.name for folder in (ROOT / "functions").glob("*/main.py")}
    assert PARTS.index("telegram") < PARTS.index("webhook") < PARTS.index("cloud_tasks") < PARTS.index("tick")
    assert PARTS.index("tick") < PARTS.index("scheduler") < PARTS.index("summarize")
    assert len(set(PARTS)) == len(PARTS)


def test_firestore_forgets_without_a_folder_and_stops_last() -> None:
    kept, forgetful = (
        service("firestore", CloudSpec(data=data), PLACES, CREDENTIALS) for data in (Path("/kept"), None)
    )
    assert ("--data" in kept.argv, "--data" in forgetful.argv) == (True, False)
    assert kept.stop_last
    assert not any(
        service(name, CloudSpec(), PLACES, CREDENTIALS).stop_last for name in ("telegram", "cloud_tasks", "model")
    )


def test_arguments_of_the_spec_reach_the_command() -> None:
    spec = CloudSpec(arguments={"telegram": ("--clock-scale", "0.01"), "tick": ("--debug",)})
    assert service("telegram", spec, PLACES, CREDENTIALS).argv[-2:] == ("--clock-scale", "0.01")
    assert function("tick", "tick", spec, PLACES, {}).argv[-1] == "--debug"


def test_the_scheduler_knows_the_functions_and_waits_to_be_asked_unless_it_is_told() -> None:
    quiet, running = (
        service("scheduler", CloudSpec(is_on_schedule=on), PLACES, CREDENTIALS).argv for on in (False, True)
    )
    assert f"summarize={PLACES.url('summarize')}" in quiet
    assert ("--paused" in quiet, "--paused" in running) == (True, False)


def test_the_page_knows_where_to_look() -> None:
    env = service("telegram", CloudSpec(), PLACES, replace(CREDENTIALS, tokens={"lull": "7:x"})).env
    assert env["FIRESTORE_EMULATOR_HOST"] == PLACES.address("firestore")
    assert env["LULL_LOCAL_MODEL_URL"] == PLACES.url("model")
    assert env["LULL_LOCAL_SCHEDULER_URL"] == PLACES.url("scheduler")
    assert json.loads(env["LULL_BOT_IDS"]) == {"lull": 7}


def test_keys_and_secrets_are_not_printed() -> None:
    spec = CloudSpec(gemini_key="a-key", env={})
    part = function("tick", "tick", spec, PLACES, {"A": json.dumps({"lull": "1:a"})})
    assert "a-key" not in repr(spec)
    assert "1:a" not in repr(part)


def test_prompt_and_reply_fit_into_the_context_that_ollama_has_if_nobody_asks_for_more() -> None:
    settings = TickSettings.from_environment(function_env(CloudSpec(backend=Backend.SERVER), PLACES, CREDENTIALS))
    assert settings.context_tokens + settings.reply_tokens <= NEEDED == 4_096


@pytest.mark.parametrize("setting", ["LULL_SPEECH_MODEL", "LULL_IMAGE_MODEL"])
def test_a_model_of_this_machine_neither_speaks_nor_draws(setting: str) -> None:
    found = {b: function_env(CloudSpec(backend=b), PLACES, CREDENTIALS).get(setting) for b in Backend}
    others = dict.fromkeys((Backend.GOOGLE, Backend.SCRIPTED, Backend.PROVIDER))
    assert found == {Backend.SMALL: "no", Backend.SERVER: "no", **others}
