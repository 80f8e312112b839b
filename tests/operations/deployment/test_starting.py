"""Problems that would stop the functions from starting are reported before anything is built."""

from pathlib import Path

import pytest

from infra.bundle import ROOT, function_names
from operations.deployment.options import CannotDeploy
from operations.deployment.starting import (
    KINDS,
    check_agents,
    check_families,
    check_settings,
    gemini_models,
    other_usernames,
    settings_without_model,
)
from operations.deployment.terraform import Variables
from shared.values.evolve import evolve
from tests.infra.given import optional_settings, settings_of
from tests.operations.deployment.conftest import Deployed

AGENTS = ROOT / "agents"
VARIABLES = Variables(project="acme-lull", agents=("lull",), vertex_ai=False, database_location="europe-west1")
GROQ = "groq:openai/gpt-oss-120b"
#: Groq answers, and nothing is Gemini's
AT_GROQ = evolve(
    VARIABLES,
    model_providers={"groq": ""},
    uses_gemini=False,
    settings={"LULL_MODEL": GROQ, "LULL_PRICES": f'{{"{GROQ}": {{"prompt": 0.15, "output": 0.6}}}}'},
)


def complaint(settings: dict[str, str], variables: Variables = VARIABLES) -> list[str]:
    with pytest.raises(CannotDeploy) as caught:
        check_settings(evolve(variables, settings={**variables.settings, **settings}))
    return str(caught.value).splitlines()


def test_every_functions_settings_are_looked_at() -> None:
    assert set(KINDS) == {settings_of(function) for function in function_names()}


def test_agents_that_there_are_pass() -> None:
    check_agents(["lull", "moss"], AGENTS)


def test_an_agent_that_there_is_not_is_told_with_those_that_there_are() -> None:
    with pytest.raises(CannotDeploy, match=r"Unknown agent mosss. agents/ contains: .*lull, moss"):
        check_agents(["lull", "mosss"], AGENTS)


def test_an_agent_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "fern").mkdir()
    (tmp_path / "fern" / "agent.md").write_text("---\nnames: [Fern]\n---\n")
    with pytest.raises(CannotDeploy, match=r"The functions could not start: .*agent\.md"):
        check_agents(["fern"], tmp_path)


def test_another_username_in_the_persona_is_told(tmp_path: Path) -> None:
    usernames = {"lull": "my_helper_bot", "moss": "Moss_Gardener_Bot", "gone": "gone_bot"}
    (told,) = other_usernames(usernames, AGENTS)
    assert told.startswith("lull/agent.md says `username: lull_bot`, but at Telegram the bot is @my_helper_bot: ")
    assert other_usernames(usernames, tmp_path) == []


def test_settings_as_they_are_pass() -> None:
    check_settings(VARIABLES)
    check_settings(evolve(VARIABLES, settings=optional_settings()))
    check_settings(evolve(VARIABLES, vertex_ai=True))


def test_each_wrong_value_is_told_once_with_its_name_and_an_example() -> None:
    first, *lines = complaint({"LULL_QUIET_GROUP_S": "five", "LULL_MODEL_TIMEOUT_S": "-1", "LULL_MODEL": "other"})
    assert first == "The functions could not start with `settings` of terraform.tfvars:"
    group, timeout, model = sorted(lines, reverse=True)
    assert model.startswith("LULL_MODEL names a model whose price lull does not know; set its price in LULL_PRICES: ")
    assert group.startswith("LULL_QUIET_GROUP_S is wrong (")
    assert group.endswith("Example: LULL_QUIET_GROUP_S=3")
    assert timeout.startswith("LULL_MODEL_TIMEOUT_S is wrong (")


def test_models_of_another_provider_need_no_gemini() -> None:
    check_settings(AT_GROQ)
    check_families(AT_GROQ)
    assert not any(gemini_models(AT_GROQ).values())
    off = ["LULL_EMBEDDING_MODEL", "LULL_JUDGE_MODEL", "LULL_MEDIA_MODEL", "LULL_NOTES_MODEL", "LULL_SPEECH_MODEL"]
    assert [name for name in settings_without_model(AT_GROQ) if name in off] == off
    assert settings_without_model(evolve(AT_GROQ, uses_gemini=True)) == []


def test_models_of_geminis_stand_beside_those_of_others() -> None:
    both = evolve(AT_GROQ, uses_gemini=True, settings={**AT_GROQ.settings, "LULL_NOTES_MODEL": "gemini-3.6-flash"})
    check_settings(both)
    found = gemini_models(both)
    assert (found["LULL_MODEL"], found["LULL_NOTES_MODEL"]) == ([], ["gemini-3.6-flash"])
    assert found["LULL_MEDIA_MODEL"] == ["gemini-3.5-flash-lite"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"LULL_MODEL": "grok:x"}, "LULL_MODEL is wrong (there is no such provider; did you mean `groq`?)"),
        (
            {"LULL_MODELS": "mistral:a"},
            'mistral is missing in `model_providers`. Add mistral = "" there.',
        ),
        ({"LULL_NOTES_MODEL": "vllm:a"}, 'vllm is missing in `model_providers`. Add vllm = "htt'),
        ({"LULL_MODEL": "groq:other"}, "LULL_MODEL names a model whose price lull does not know; set its price in"),
        ({"LULL_SEARCH": "google"}, "LULL_SEARCH is wrong (`google` searches through Gemini, which needs a key"),
    ],
)
def test_a_model_that_cannot_answer_is_told_in_one_line(settings: dict[str, str], said: str) -> None:
    line = complaint(settings, AT_GROQ)[-1]
    assert said in line
    assert "a-key" not in line


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"agents": ["lull", "mosss"]}, "Unknown agent mosss. agents/ contains"),
        ({"settings": {"LULL_QUIET_GROUP_S": "five"}}, "LULL_QUIET_GROUP_S is wrong ("),
        ({"settings": {"LULL_QUIET_GROPU_S": "5"}}, "which no function reads"),
        (
            {"settings": {"LULL_MODEL": "groq:x"}},
            "groq is missing in `model_providers`. Add groq",
        ),
        ({"settings": {"LULL_MODEL": "grok:x"}, "model_providers": {"groq": ""}}, "did you mean `groq`?"),
    ],
)
async def test_nothing_is_built_that_could_not_start(
    deployed: Deployed, variables: dict[str, object], said: str
) -> None:
    deployed.site.write(**variables)
    code, told = await deployed.site.run("deploy", "--yes")
    deployed.site.write()
    assert (code, said in told) == (1, True), told
    assert "[2/7]" not in told
