"""The deployment in the console: its functions, their logs, and settings without secrets."""

from dataclasses import replace

from infra.functions import declared_functions
from shared.console.deployment import FUNCTIONS, DeploymentFacts
from shared.console.views.deployment import read_deployment
from shared.wiring.console_views import deployment_of
from shared.wiring.settings.console import ConsoleSettings
from tests.shared.console.harness import ConsoleHarness

SECRETS = {"LULL_CONSOLE_SECRET": "cookie-words", "LULL_LOGIN_SECRET": "login-words", "LULL_CONSOLE_DOOR": "d" * 12}
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
