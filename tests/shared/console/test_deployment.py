"""The deployment in the console: its functions, their logs, and settings without secrets."""

from dataclasses import replace

import pytest

from infra.functions import declared_functions
from shared.console.deployment import FUNCTIONS, DeploymentFacts
from shared.console.route import NotFound
from shared.console.views.deployment import check_setting, read_deployment
from shared.wiring.console_views import deployment_of
from shared.wiring.settings.console import ConsoleSettings
from tests.shared.console.harness import ConsoleHarness

SECRETS = {"LULL_CONSOLE_SECRET": "cookie-words", "LULL_LOGIN_SECRET": "login-words", "LULL_CONSOLE_DOOR": "d" * 12}
#: optional settings of every function (`settings_of_all` in `infra/functions.tf`)
SETTINGS_OF_ALL = {"LULL_LATER_S", "LULL_LOG_FORMAT", "LULL_QUIET_GROUP_S", "LULL_QUIET_PRIVATE_S"}
RUN = {"K_SERVICE": "my-console", "K_REVISION": "my-console-00007-abc"}


def settings(**more: str) -> ConsoleSettings:
    return ConsoleSettings.from_environment({**ConsoleSettings.needed_examples(), **SECRETS, **more})


def test_the_functions_are_those_of_the_deployment() -> None:
    assert sorted(FUNCTIONS) == sorted(declared_functions())


def test_settings_are_shown_with_what_was_changed_and_without_secrets() -> None:
    facts = deployment_of(settings(LULL_DAY_USD="2.5", LULL_OPEN="yes"), {})
    shown = {one.name: one for one in facts.settings}
    assert (shown["LULL_DAY_USD"].value, shown["LULL_DAY_USD"].is_default) == ("2.5", False)
    assert (shown["LULL_OPEN"].value, shown["LULL_OPEN"].is_default) == ("yes", False)
    assert shown["LULL_MONTH_USD"].is_default
    assert shown["LULL_DAY_USD"].purpose
    told = str(facts)
    assert not [secret for secret in SECRETS.values() if secret in told]
    assert (facts.region, facts.revision) == ("", "")


def test_the_logs_of_each_function_are_where_cloud_run_shows_them() -> None:
    facts = deployment_of(settings(LULL_QUEUE="projects/p/locations/europe-west1/queues/ticks"), RUN)
    assert facts.revision == "my-console-00007-abc"
    assert facts.logs_of("describe_media", "p") == (
        "https://console.cloud.google.com/run/detail/europe-west1/my-describe-media/logs?project=p"
    )
    assert DeploymentFacts().logs_of("tick", "p") == ""


async def test_the_settings_are_for_whoever_owns_all_agents(console: ConsoleHarness) -> None:
    services = replace(console.services, deployment=lambda: deployment_of(settings(), RUN))
    whole = await read_deployment(services, console.request("lull", "moss"))
    part = await read_deployment(services, console.request("lull"))
    assert whole["is_whole"]
    assert whole["settings"]
    assert (part["is_whole"], part["settings"], part["agents"]) == (False, [], ["lull"])


def test_settings_that_the_deployment_sets_itself_cannot_be_chosen() -> None:
    given = {one.name for one in deployment_of(settings(), {}).settings if one.is_given}
    chosen = {*declared_functions()["console"].optional, *SETTINGS_OF_ALL}
    assert {one.name for one in deployment_of(settings(), {}).settings} - given == chosen


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("LULL_DAY_USD", "3.5", ""),
        ("LULL_DAY_USD", "a lot", "LULL_DAY_USD is wrong ("),
        ("LULL_OPEN", "perhaps", "LULL_OPEN is wrong (write `yes` or `no`)"),
        ("LULL_SOFT_SHARE", "7", "LULL_SOFT_SHARE is wrong (write a number from 0.1 to 1)"),
        ("LULL_NOTES_MODEL", '"no"', "LULL_NOTES_MODEL is wrong (write it without quotes)"),
    ],
)
async def test_a_new_value_is_checked_as_at_the_start_of_a_function(
    console: ConsoleHarness, name: str, value: str, problem: str
) -> None:
    env = {**ConsoleSettings.needed_examples(), **SECRETS}
    services = replace(console.services, deployment=lambda: deployment_of(settings(), env))
    request = console.request("lull", "moss", body={"name": name, "value": value})
    found = (await check_setting(services, request))["problem"]
    assert found.startswith(problem)
    assert bool(found) is bool(problem)


@pytest.mark.parametrize(
    ("agents", "name"), [(("lull",), "LULL_DAY_USD"), (("lull", "moss"), "LULL_QUEUE"), (("lull", "moss"), "PATH")]
)
async def test_only_known_settings_are_checked_and_only_for_who_owns_all_agents(
    console: ConsoleHarness, agents: tuple[str, ...], name: str
) -> None:
    services = replace(console.services, deployment=lambda: deployment_of(settings(), RUN))
    with pytest.raises(NotFound):
        await check_setting(services, console.request(*agents, body={"name": name, "value": "1"}))
