"""Terraform gives each function exactly the settings that the code reads."""

from typing import Any

import pytest

import shared.settings
from infra.bundle import functions
from shared.settings import Settings, settings_from
from tests.infra.workspace import Resource, Workspace, planned

#: what only makes sense on one's own machine: another Cloud Tasks, and folders that no bundle has
ONLY_LOCAL = {"CLOUD_TASKS_ENDPOINT", "LULL_AGENTS_PATH"}
#: set by variables of their own, which give the rights too
ARCHIVES = {"LULL_ARCHIVE_BUCKET", "LULL_ARCHIVE_S3"}
S3 = {"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}
SECRETS = {
    "LULL_WEBHOOK_SECRET": "x" * 32,
    "LULL_BOT_TOKENS": '{"lull": "123456:ABC"}',
    "GEMINI_API_KEY": "a-key",
}


def settings_of(function: str) -> type[Settings]:
    """The settings class of a function, by its name: of describe_media DescribeMediaSettings."""
    found: type[Settings] = getattr(shared.settings, f"{function.title().replace('_', '')}Settings")
    return found


def default_of(value: Any) -> str:
    """A default as the environment spells it."""
    return str(getattr(value, "value", value))


@pytest.fixture(scope="module")
def with_everything(applied: Workspace, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Resource]:
    """The functions by name, with every setting set that there is, to its default where it has one."""
    fields = [field for name in functions() for field in settings_of(name).model_fields.values()]
    optional = {str(f.alias): default_of(f.default) for f in fields if not f.is_required()}
    given = {name: value for name, value in optional.items() if name not in ONLY_LOCAL | ARCHIVES | {"LULL_INVOKER"}}
    copy = applied.copied(tmp_path_factory.mktemp("settings") / "copy")
    return functions_of(planned(copy.plan(settings=given, archive=True, archive_s3=S3)))


def functions_of(resources: list[Resource]) -> dict[str, Resource]:
    return {
        r.values["build_config"][0]["entry_point"]: r for r in resources if r.type == "google_cloudfunctions2_function"
    }


def given_to(function: Resource) -> dict[str, str]:
    """A function's environment; what is secret is made up."""
    service = function.values["service_config"][0]
    secrets = {secret["key"]: SECRETS[secret["key"]] for secret in service["secret_environment_variables"]}
    return {**service["environment_variables"], **secrets}


@pytest.mark.parametrize("function", functions())
def test_each_function_gets_every_setting_that_it_reads_and_no_other(
    with_everything: dict[str, Resource], function: str
) -> None:
    read = {str(field.alias) for field in settings_of(function).model_fields.values()}
    assert given_to(with_everything[function]).keys() == read - ONLY_LOCAL


@pytest.mark.parametrize("function", functions())
def test_what_each_function_gets_is_enough_for_it_to_start(made: list[Resource], function: str) -> None:
    environment = given_to(functions_of(made)[function])
    settings = settings_from(settings_of(function), environment)
    assert settings.project == "acme-lull"
    assert settings.queue.startswith("projects/acme-lull/locations/europe-west1/queues/lull-ticks-")
    assert settings.invoker == "lull-ticks@acme-lull.iam.gserviceaccount.com"


def test_ticks_are_sent_to_the_tick(made: list[Resource]) -> None:
    tick = functions_of(made)["tick"].values
    urls = {given_to(function)["LULL_TICK_URL"] for function in functions_of(made).values()}
    assert urls == {tick["url"]}
