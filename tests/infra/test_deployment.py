"""The whole deployment, really planned and applied: its resources, its stability, its removal and return."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from infra.bundle import function_names
from tests.infra.inventory.scenarios import PROVIDER_KEYS
from tests.infra.policy import GRANTS, PERMISSIONS, findings, grants, wanted_grants
from tests.infra.workspace import SECRET_WORDS, Plan, Resource, Workspace


def outputs(workspace: Workspace) -> dict[str, object]:
    return {name: found["value"] for name, found in json.loads(workspace.must("output", "-json")).items()}


def test_the_deployment_is_what_it_must_be(made: list[Resource]) -> None:
    assert findings(made) == []


def test_each_account_has_exactly_its_rights(made: list[Resource]) -> None:
    assert grants(made) == GRANTS


def test_no_role_lets_the_webhook_query_change_or_delete() -> None:
    assert {p.rpartition(".")[2] for p in PERMISSIONS["lull_inbox"]} == {"create", "get"}


def test_every_function_is_deployed_under_its_name(made: list[Resource]) -> None:
    deployed = [r.values for r in made if r.type == "google_cloudfunctions2_function"]
    assert sorted(f["build_config"][0]["entry_point"] for f in deployed) == sorted(function_names())
    assert {f["name"] for f in deployed} == {f"lull-{name.replace('_', '-')}" for name in function_names()}


def test_applying_again_changes_nothing(plan_scenario: Callable[[str], Plan]) -> None:
    changes = plan_scenario("usual").told["resource_changes"]
    assert {action for found in changes for action in found["change"]["actions"]} == {"no-op"}


def test_no_secret_is_kept_by_terraform(applied: Workspace, everything: Plan) -> None:
    kept = [f.read_bytes() for f in applied.folder.rglob("*.tfstate*") if f.is_file()]
    assert kept
    told = [json.dumps(everything.told).encode(), everything.file.read_bytes(), applied.must("show").encode(), *kept]
    assert [word for word in SECRET_WORDS if any(word.encode() in text for text in told)] == []


def test_what_is_needed_afterwards_is_told(applied: Workspace) -> None:
    told = outputs(applied)
    assert re.fullmatch(r"https://lull-webhook-[\w.-]+\.run\.app/lull", told["webhook_urls"]["lull"])  # type: ignore[index]
    assert set(told["queues"]) == {"ticks", "media", "background"}  # type: ignore[call-overload]
    assert str(told["dashboard"]).startswith("https://console.cloud.google.com/monitoring/dashboards/")


def test_another_bundle_deploys_its_function_alone(planning: Workspace, bundles: Path, tmp_path: Path) -> None:
    others = tmp_path / "bundles"
    others.mkdir()
    for function in function_names():
        changed = b"another line" if function == "tick" else b""
        (others / f"{function}.zip").write_bytes((bundles / f"{function}.zip").read_bytes() + changed)
    plan = planning.plan(bundles=str(others)).told
    changes = Counter(
        (found["address"], action)
        for found in plan["resource_changes"]
        for action in found["change"]["actions"]
        if action != "no-op"
    )
    # bundles of the other functions come from another folder, which changes only their upload
    assert {(address, action) for address, action in changes if "cloudfunctions2" in address} == {
        ('module.function["tick"].google_cloudfunctions2_function.this', "update")
    }


def test_a_new_value_of_a_secret_restarts_who_reads_it(planning: Workspace) -> None:
    plan = planning.plan(secret_versions={"bot_tokens": 2}).told
    changed = {found["address"] for found in plan["resource_changes"] if found["change"]["actions"] != ["no-op"]}
    assert changed == {
        'module.secret["bot-tokens"].google_secret_manager_secret_version.this',
        'module.function["describe_media"].google_cloudfunctions2_function.this',
        'module.function["tick"].google_cloudfunctions2_function.this',
        "module.maintain.google_cloudfunctions2_function.this",
    }


def test_with_vertex_ai_there_is_no_key_at_all(over_vertex: Plan) -> None:
    resources = over_vertex.resources
    assert grants(resources) == wanted_grants(has_key=False, has_vertex_ai=True)
    assert not [r.address for r in resources if "gemini" in r.address]
    assert not [
        word for word in ("GEMINI_API_KEY", "gemini-api-key") if word in json.dumps([r.values for r in resources])
    ]
    assert 'google_project_service.api["aiplatform.googleapis.com"]' in {r.address for r in resources}


def test_without_gemini_there_is_no_key_of_gemini_and_those_that_ask_models_have_the_other_keys(
    other_models: Plan,
) -> None:
    resources = other_models.resources
    assert grants(resources) == wanted_grants(has_key=False, has_providers=True)
    functions = [r.values for r in resources if r.type == "google_cloudfunctions2_function"]
    for function in functions:
        service = function["service_config"][0]
        secrets = {secret["key"]: secret["secret"] for secret in service["secret_environment_variables"]}
        asks = function["build_config"][0]["entry_point"] in {"describe_media", "summarize", "tick"}
        assert secrets.get("LULL_PROVIDER_KEYS") == ("lull-provider-keys" if asks else None)
        assert ("LULL_PROVIDERS" in service["environment_variables"]) == asks
        assert "GEMINI_API_KEY" not in secrets


def test_no_key_of_a_provider_is_kept_by_terraform(other_models: Plan) -> None:
    told = [json.dumps(other_models.told).encode(), other_models.file.read_bytes()]
    assert b"lull-provider-keys" in told[0]
    assert [key for key in PROVIDER_KEYS.values() if any(key.encode() in text for text in told)] == []


def test_names_and_region_are_a_matter_of_variables(planning: Workspace) -> None:
    there = {"name": "moss-dev", "region": "us-central1", "database_location": "europe-west1"}
    resources = planning.plan(environment="dev", **there).resources
    functions_there = {r.values["name"]: r.values for r in resources if r.type == "google_cloudfunctions2_function"}
    assert {f["location"] for f in functions_there.values()} == {"us-central1"}
    assert functions_there.keys() == {f"moss-dev-{name.replace('_', '-')}" for name in function_names()}
    labels = {r.values["effective_labels"]["environment"] for r in resources if r.values.get("effective_labels")}
    assert labels == {"dev"}
    accounts = [r.values["account_id"] for r in resources if r.type == "google_service_account"]
    assert [name for name in accounts if not name.startswith("moss-dev-")] == []
