"""Problems that would stop the functions from starting are reported before anything is built."""

from pathlib import Path

import pytest

from infra.bundle import ROOT, function_names
from operations.deployment.options import CannotDeploy
from operations.deployment.starting import KINDS, check_agents, check_settings, other_usernames
from tests.infra.given import optional_settings, settings_of
from tests.operations.deployment.conftest import Deployed

AGENTS = ROOT / "agents"


def complaint(settings: dict[str, str]) -> list[str]:
    with pytest.raises(CannotDeploy) as caught:
        check_settings(settings)
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
    check_settings({})
    check_settings(optional_settings())


def test_each_wrong_value_is_told_once_with_its_name_and_an_example() -> None:
    first, *lines = complaint({"LULL_QUIET_GROUP_S": "five", "LULL_MODEL_TIMEOUT_S": "-1", "LULL_MODEL": "other"})
    assert first == "The functions could not start with `settings` of terraform.tfvars:"
    group, timeout, model = sorted(lines, reverse=True)
    assert model.startswith("LULL_MODEL names a model whose price lull does not know; give its price in LULL_PRICES: ")
    assert group.startswith("LULL_QUIET_GROUP_S is wrong (")
    assert group.endswith("Example: LULL_QUIET_GROUP_S=3")
    assert timeout.startswith("LULL_MODEL_TIMEOUT_S is wrong (")


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"agents": ["lull", "mosss"]}, "Unknown agent mosss. agents/ contains"),
        ({"settings": {"LULL_QUIET_GROUP_S": "five"}}, "LULL_QUIET_GROUP_S is wrong ("),
        ({"settings": {"LULL_QUIET_GROPU_S": "5"}}, "settings may hold "),
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
