"""The tick's parts, put together in an interpreter of their own."""

import json
import shutil
from pathlib import Path

import pytest

from tests.shared.wiring.program import ROOT, TICK, run

MADE = """
import asyncio
from shared.wiring import now, tick

async def main() -> None:
    made = tick.tick_services()
    assert made is tick.tick_services()
    one = made.agents["lull"]
    print(sorted(made.agents), made.lease.total_seconds(), made.window_entries, now().tzinfo)
    retrying = one.runner.budget.tries, one.runner.budget.after.total_seconds()
    print(*retrying, one.active.total_seconds(), one.replier.format.value, one.replier.budgets is one.budgets)
    print({name: one.replier.models.by_name[name].model for name in one.replier.offered_models})
    print(one.replier.toolbox.ports)
    assert one.dispatcher.ports is one.replier.toolbox.ports
    await one.runner.channel.telegram.aclose()
    print(made, one)

asyncio.run(main())
"""


def test_it_is_made_once_of_its_settings_for_the_agents_that_have_a_token() -> None:
    own = {"LULL_LEASE_S": "7", "LULL_TASK_TRIES": "3", "LULL_PROMPT_FORMAT": "compact", "LULL_MODELS": "b"}
    done = run(MADE, TICK | own | {"LULL_PRICES": '{"b": {"prompt": 1, "output": 2}}'})
    assert done.returncode == 0, done.stderr
    models = "{'gemini-3.8-flash': 'gemini-3.8-flash', 'b': 'b'}"
    assert done.stdout.splitlines()[:3] == ["['lull'] 7.0 200 UTC", "3 10.0 120.0 compact True", models]
    assert "123:token" not in done.stdout
    assert "the-key" not in done.stdout
    assert "hush" not in done.stdout


def test_files_are_fetched_by_the_client_that_speaks() -> None:
    code = """
from shared.wiring import tick

one = tick.tick_services().agents["lull"]
print(one.replier.files.source.downloads.telegram is one.runner.channel.telegram)
"""
    done = run(code, TICK | {"LULL_READER_URL": "http://127.0.0.1:1"})
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_over_vertex_ai_no_key_is_needed() -> None:
    code = """
import asyncio
from shared.wiring import now, tick

async def main() -> None:
    api = tick.tick_services().agents["lull"].replier.models.by_name["gemini-3.8-flash"].api
    print(api.access.project, api.access.location)

asyncio.run(main())
"""
    without_key = {name: value for name, value in TICK.items() if name != "GEMINI_API_KEY"}
    done = run(code, without_key | {"GOOGLE_GENAI_USE_ENTERPRISE": "true", "GOOGLE_CLOUD_LOCATION": "europe-west1"})
    assert (done.returncode, done.stdout) == (0, "p europe-west1\n"), done.stderr
    done = run(code, without_key)
    assert done.returncode == 1
    assert "GEMINI_API_KEY is not set: it is the key of Gemini's API" in done.stderr


def test_a_deployment_without_any_token_does_not_start() -> None:
    done = run("import shared.wiring.tick", TICK | {"LULL_BOT_TOKENS": '{"nobody": "123:token"}'})
    assert done.returncode == 1
    assert "LULL_BOT_TOKENS has no token for any agent; the agents are: librarian, lull, moss, tutor" in done.stderr
    assert "123:token" not in done.stderr


def test_a_persona_that_cannot_be_read_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "agent.md").write_text("---\nname: odd\nusername: o\n---\nx")
    done = run("import shared.wiring.tick", TICK | {"LULL_AGENTS_PATH": str(tmp_path)})
    assert done.returncode == 1
    assert "agent.md:3: username: " in done.stderr


def test_lines_are_for_cloud_logging_unless_it_is_said_otherwise() -> None:
    code = "import shared.wiring.tick; from shared.base.logs import log; log('up')"
    done = run(code, TICK | {"LULL_LOG_FORMAT": "json"})
    assert json.loads(done.stdout) == {"severity": "INFO", "message": "up"}


def test_an_agent_has_a_judge_unless_the_setting_says_no(tmp_path: Path) -> None:
    agents = shutil.copytree(ROOT / "agents", tmp_path / "agents")
    persona = agents / "lull" / "agent.md"
    persona.write_text(persona.read_text().replace("username:", "judge: true\nusername:", 1))
    code = """
import asyncio
from shared.wiring import tick

async def main() -> None:
    one = tick.tick_services().agents["lull"]
    print(one.judge_settings, "judge" in one.replier.models.by_name)

asyncio.run(main())
"""
    own = TICK | {"LULL_AGENTS_PATH": str(agents)}
    done = run(code, own)
    assert done.stdout == "JudgeSettings(model='judge', timeout_s=4.0) True\n", done.stderr
    done = run(code, own | {"LULL_JUDGE_MODEL": "no"})
    assert done.stdout == "None False\n", done.stderr


def test_whatever_a_model_stands_for_its_calls_have_its_price(tmp_path: Path) -> None:
    agents = shutil.copytree(ROOT / "agents", tmp_path / "agents")
    persona = agents / "tutor" / "agent.md"
    persona.write_text(persona.read_text().replace("username:", "judge: true\nusername:", 1))
    code = """
import asyncio
from shared.wiring import now, tick
from shared.values.usage import ModelUse, Purpose, price_of

async def main() -> None:
    models = tick.tick_services().agents["tutor"].replier.models
    named = {name: models.model(name, ModelUse(purpose=Purpose.PROBE, chat=None)).name for name in models.by_name}
    print(sorted(models.by_name), [name for name in named.values() if price_of(name, now()) is None])

asyncio.run(main())
"""
    own = {"LULL_AGENTS_PATH": str(agents), "LULL_BOT_TOKENS": '{"lull": "123:token", "tutor": "124:token"}'}
    done = run(code, TICK | own | {"LULL_IMAGE_MODEL": "gemini-nano-banana-2.1"})
    wanted = ["gemini-3.5-flash-lite", "gemini-3.8-flash", "judge", "pictures", "speech"]
    assert done.stdout == f"{wanted} []\n", done.stderr


GROQ = {
    "GEMINI_API_KEY": "",
    "GROQ_API_KEY": "gsk-key",
    "LULL_MODEL": "groq:llama-3.3-70b-versatile",
    "LULL_LIMITS": "no",
}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({}, (("",), "Gemini")),
        ({"GEMINI_BASE_URL": "http://llm.example:1/v1"}, (("llm.example",), "Gemini")),
        ({"GEMINI_BASE_URL": "http://127.0.0.1:1", "LULL_MODEL_HOST": "llm.example"}, (("llm.example",), "Gemini")),
        ({"GOOGLE_GENAI_USE_ENTERPRISE": "yes"}, (("",), "Gemini (Vertex AI)")),
        (
            {"GOOGLE_GENAI_USE_ENTERPRISE": "yes", "GOOGLE_CLOUD_LOCATION": "europe-west1"},
            (("",), "Gemini (Vertex AI, europe-west1)"),
        ),
        (GROQ, (("api.groq.com",), "Gemini")),
        (GROQ | {"GEMINI_API_KEY": "key", "OPENAI_API_KEY": "sk"}, (("api.groq.com", ""), "Gemini")),
        (
            GROQ | {"GEMINI_API_KEY": "key", "GEMINI_BASE_URL": "http://127.0.0.1:1", "LULL_MODEL_HOST": "llm.example"},
            (("api.groq.com", "llm.example"), "Gemini"),
        ),
        (
            {"LULL_PROVIDERS": '{"home": "http://127.0.0.1:8000/v1"}', "LULL_PROVIDER_KEYS": '{"mistral": "key"}'},
            (("", "127.0.0.1", "api.mistral.ai"), "Gemini"),
        ),
    ],
)
def test_people_are_told_where_the_models_are(more: dict[str, str], told: tuple[tuple[str, ...], str]) -> None:
    code = """
from shared.wiring import tick

facts = tick.privacy_facts(tick.AGENTS["lull"])
print((facts.hosts, facts.gemini))
"""
    done = run(code, TICK | more)
    assert done.stdout == f"{told}\n", done.stderr


def test_a_tick_starts_with_another_provider_and_without_gemini() -> None:
    code = """
import asyncio
from shared.wiring import tick

async def main() -> None:
    one = tick.tick_services().agents["lull"]
    (name,), (notes,) = one.replier.offered_models.keys(), one.replier.offered_models.values()
    model = one.replier.models.by_name[name]
    print(name, notes.codec, sorted(one.replier.models.by_name) == [name])
    print(type(model).__name__, model.model, model.endpoint.base_url, model.endpoint.api_key == "gsk-key")

asyncio.run(main())
"""
    done = run(code, TICK | GROQ)
    assert done.stdout.splitlines() == [
        "groq:llama-3.3-70b-versatile markdown True",
        "OpenAIModel llama-3.3-70b-versatile https://api.groq.com/openai/v1 True",
    ], done.stderr
    done = run("import shared.wiring.tick", TICK | GROQ | {"GROQ_API_KEY": ""})
    assert done.returncode == 1
    assert "LULL_MODEL is wrong (`groq` needs a key: set GROQ_API_KEY, or add it to" in done.stderr
