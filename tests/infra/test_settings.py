"""Terraform gives each function exactly the settings that the code reads, for either way of calling Gemini."""

import re
from pathlib import Path

import pytest

from infra.bundle import ROOT, function_names
from infra.functions import declared_functions
from shared.values.wake import Queue
from shared.wiring.settings import Settings
from shared.wiring.settings.model_functions import SummarizeSettings, TickSettings
from tests.infra.given import ONLY_LOCAL, functions_of, given_to, settings_of
from tests.infra.workspace import Plan, Resource, Workspace

#: settings that exclude each other: the half that each of both plans leaves out
WITHOUT_KEY = {"GEMINI_API_KEY", "LULL_ARCHIVE_BUCKET", "LULL_LOGIN_SECRET", "LULL_PROVIDERS", "LULL_PROVIDER_KEYS"}
WITHOUT_VERTEX = {"GOOGLE_GENAI_USE_ENTERPRISE", "LULL_ARCHIVE_S3"}


@pytest.mark.parametrize("function", function_names())
def test_each_function_gets_every_setting_that_it_reads_and_no_other(
    everything: Plan, over_vertex: Plan, function: str
) -> None:
    read = set(settings_of(function).variables()) - ONLY_LOCAL
    probes = {
        name for name, one in declared_functions().items() if function in one.called_by and function == "maintain"
    }
    if not {*declared_functions()[function].enqueues, *declared_functions()[function].calls, *probes} - {
        "ticks",
        "tick",
    }:
        read -= {"LULL_ROUTES"}
    assert given_to(functions_of(everything.resources)[function]).keys() == read - WITHOUT_VERTEX
    assert given_to(functions_of(over_vertex.resources)[function]).keys() == read - WITHOUT_KEY


@pytest.mark.parametrize("function", function_names())
def test_what_each_function_gets_is_enough_for_it_to_start(
    made: list[Resource], everything: Plan, over_vertex: Plan, other_models: Plan, function: str
) -> None:
    for resources in (made, everything.resources, over_vertex.resources, other_models.resources):
        environment = given_to(functions_of(resources)[function])
        settings = settings_of(function).from_environment(environment)
        assert settings.project == "acme-lull"
        assert settings.queue.startswith("projects/acme-lull/locations/europe-west1/queues/lull-ticks-")
        assert settings.invoker == "lull-ticks@acme-lull.iam.gserviceaccount.com"


def test_the_tick_reaches_gemini_by_a_key_or_over_vertex_ai(everything: Plan, over_vertex: Plan) -> None:
    by_key = TickSettings.from_environment(given_to(functions_of(everything.resources)["tick"]))
    assert (by_key.vertex_ai, by_key.gemini_api_key.get_secret_value()) == (False, "a-key")
    by_account = TickSettings.from_environment(given_to(functions_of(over_vertex.resources)["tick"]))
    assert (by_account.vertex_ai, by_account.gemini_api_key.get_secret_value()) == (True, "")
    assert by_account.vertex_location == "global"


def test_the_tick_reaches_other_providers_and_needs_no_key_of_gemini(other_models: Plan) -> None:
    functions = functions_of(other_models.resources)
    found = TickSettings.from_environment(given_to(functions["tick"]))
    assert (found.has_gemini, found.model) == (False, "groq:openai/gpt-oss-120b")
    assert found.access_to("groq").key == "a-key-of-groq"
    home = found.access_to("home")
    assert (home.url, home.key) == ("https://llm.mail.test/v1", "a-key-of-home")
    notes = SummarizeSettings.from_environment(given_to(functions["summarize"]))
    assert (notes.has_gemini, notes.named_models) == (False, ("home:bge-m3",))


def test_terraform_knows_every_setting_that_names_models() -> None:
    text = (ROOT / "infra" / "models.tf").read_text()
    read = {name for function in function_names() for name in settings_of(function).variables()}
    assert {name for name in read if name.endswith(("_MODEL", "_MODELS"))} == set(
        re.findall(r"LULL_\w*MODELS?\b", text)
    )


def test_ticks_are_sent_to_the_tick(made: list[Resource]) -> None:
    tick = functions_of(made)["tick"].values
    urls = {given_to(function)["LULL_TICK_URL"] for function in functions_of(made).values()}
    assert urls == {tick["url"]}


def test_the_archives_are_those_that_are_wanted(made: list[Resource], everything: Plan, over_vertex: Plan) -> None:
    found = [
        SummarizeSettings.from_environment(given_to(functions_of(resources)["summarize"]))
        for resources in (made, everything.resources, over_vertex.resources)
    ]
    assert [bool(settings.archive_bucket) for settings in found] == [False, True, False]
    assert [settings.archive_s3 is not None for settings in found] == [False, False, True]


def test_one_row_of_a_declaration_leads_jobs_to_another_queue_and_function(applied: Workspace, tmp_path: Path) -> None:
    copy = applied.copied(tmp_path / "copy")
    row = (
        "    takeouts: writer\n    enqueues: [ticks, media, background]\n"
        "    calls: [tick, describe_media, summarize, erase]\n"
    )
    with copy.edited(
        "functions.yaml", row, "    takeouts: writer\n    enqueues: [background]\n    calls: [summarize]\n"
    ):
        planned = functions_of(copy.plan().resources)
    routes = SummarizeSettings.from_environment(given_to(planned["summarize"])).routes
    assert routes.functions.keys() == {"tick", "summarize"}
    assert routes.functions["summarize"] == planned["summarize"].values["url"]
    background = routes.queues[Queue.BACKGROUND]
    assert background.name.startswith("projects/acme-lull/locations/europe-west1/queues/lull-background-")
    assert background.invoker == "lull-background@acme-lull.iam.gserviceaccount.com"
    assert "LULL_ROUTES" not in given_to(planned["webhook"])


@pytest.mark.parametrize(("name", "kind"), [("tick", TickSettings), ("summarize", SummarizeSettings)])
def test_what_a_tick_sees_and_what_a_sweep_finds_is_described_from_a_queue_of_its_own(
    made: list[Resource], name: str, kind: type[Settings]
) -> None:
    found = functions_of(made)
    routes = kind.from_environment(given_to(found[name])).routes
    assert routes.queues.keys() == {Queue.TICKS, Queue.MEDIA, Queue.BACKGROUND}
    assert routes.queues[Queue.MEDIA].invoker == "lull-media@acme-lull.iam.gserviceaccount.com"
    assert routes.functions.keys() == {"tick", "describe_media", "summarize", "erase"}
    assert routes.functions["describe_media"] == found["describe_media"].values["url"]
