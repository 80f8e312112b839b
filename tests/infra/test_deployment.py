"""The whole deployment, really planned and applied: what it makes, that it is stable, how it goes and comes back."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from infra.bundle import functions
from tests.infra.policy import GRANTS, PERMISSIONS, findings, grants
from tests.infra.workspace import SECRET_WORDS, Resource, TerraformFailed, Workspace, planned


def outputs(workspace: Workspace) -> dict[str, object]:
    return {name: found["value"] for name, found in json.loads(workspace.must("output", "-json")).items()}


def test_the_deployment_is_what_it_must_be(made: list[Resource]) -> None:
    assert findings(made) == []


def test_each_account_has_exactly_its_rights(made: list[Resource]) -> None:
    assert grants(made) == GRANTS


def test_no_role_lets_the_webhook_query_or_delete(applied: Workspace) -> None:
    assert not [p for p in PERMISSIONS["lull_inbox"] if p.endswith((".list", ".delete", ".*"))]


def test_every_function_is_deployed_under_its_name(made: list[Resource]) -> None:
    deployed = [r.values for r in made if r.type == "google_cloudfunctions2_function"]
    assert sorted(f["build_config"][0]["entry_point"] for f in deployed) == sorted(functions())
    assert {f["name"] for f in deployed} == {f"lull-{name.replace('_', '-')}" for name in functions()}


def test_applying_again_changes_nothing(applied: Workspace) -> None:
    ran = applied.run("plan", "-input=false", "-detailed-exitcode", "-lock=false")
    assert (ran.code, "No changes" in ran.text) == (0, True), ran.text


def test_no_secret_is_kept_by_terraform(applied: Workspace, copy: Workspace) -> None:
    plan = json.dumps(copy.plan(environment="other"))
    kept = [
        f.read_bytes() for folder in (applied.folder, copy.folder) for f in folder.rglob("*.tfstate*") if f.is_file()
    ]
    assert kept
    told = [plan.encode(), (copy.folder / "plan").read_bytes(), applied.must("show").encode(), *kept]
    assert [word for word in SECRET_WORDS if any(word.encode() in text for text in told)] == []


def test_what_is_needed_afterwards_is_told(applied: Workspace) -> None:
    told = outputs(applied)
    assert re.fullmatch(r"https://lull-webhook-[\w.-]+\.run\.app/lull", told["webhook_urls"]["lull"])  # type: ignore[index]
    assert set(told["queues"]) == {"ticks", "background"}  # type: ignore[call-overload]
    assert str(told["dashboard"]).startswith("https://console.cloud.google.com/monitoring/dashboards/")


def test_another_bundle_deploys_its_function_alone(copy: Workspace, bundles: Path, tmp_path: Path) -> None:
    others = tmp_path / "bundles"
    others.mkdir()
    for function in functions():
        changed = b"another line" if function == "tick" else b""
        (others / f"{function}.zip").write_bytes((bundles / f"{function}.zip").read_bytes() + changed)
    plan = copy.plan(bundles=str(others))
    changes = Counter(
        (found["address"], action)
        for found in plan["resource_changes"]
        for action in found["change"]["actions"]
        if action != "no-op"
    )
    # the other functions' files are read from another folder, which makes nothing new of them but the upload
    assert {(address, action) for address, action in changes if "cloudfunctions2" in address} == {
        ('module.function["tick"].google_cloudfunctions2_function.this', "update")
    }


def test_a_new_value_of_a_secret_restarts_who_reads_it(copy: Workspace) -> None:
    plan = copy.plan(secret_versions={"bot_tokens": 2})
    changed = {found["address"] for found in plan["resource_changes"] if found["change"]["actions"] != ["no-op"]}
    assert changed == {
        'module.secret["bot-tokens"].google_secret_manager_secret_version.this',
        'module.function["tick"].google_cloudfunctions2_function.this',
    }


def test_with_vertex_ai_there_is_no_key_at_all(copy: Workspace) -> None:
    resources = planned(copy.plan(vertex_ai=True, gemini_api_key=""))
    given = grants(resources)
    assert "lull-tick: roles/aiplatform.user on the project" in given
    assert not [grant for grant in given if "gemini" in grant]
    assert not [r.address for r in resources if "gemini" in r.address]
    assert 'google_project_service.api["aiplatform.googleapis.com"]' in {r.address for r in resources}


def test_a_budget_and_who_is_told_are_a_matter_of_variables(copy: Workspace) -> None:
    resources = planned(
        copy.plan(billing_account="012345-6789AB-CDEF01", alert_emails=["a@example.com", "b@example.com"])
    )
    (budget,) = (r.values for r in resources if r.type == "google_billing_budget")
    assert budget["amount"][0]["specified_amount"][0] == {"currency_code": "USD", "nanos": None, "units": "20"}
    assert len([r for r in resources if r.type == "google_monitoring_notification_channel"]) == 2


def test_destroying_keeps_the_data_unless_told_twice(fresh: Workspace) -> None:
    elsewhere = {"name": "moss-dev", "region": "us-central1", "environment": "dev"}
    two = {"agents": ["lull", "moss"], "bot_tokens": {"lull": "1:a", "moss": "2:b"}}
    fresh.apply(**elsewhere, **two)
    made = fresh.state()
    assert {r.values["location"] for r in made if r.type == "google_cloudfunctions2_function"} == {"us-central1"}
    assert all(r.values["name"].startswith("moss-dev-") for r in made if r.type == "google_cloud_tasks_queue")
    assert set(outputs(fresh)["webhook_urls"]) == {"lull", "moss"}  # type: ignore[call-overload]

    fresh.must("destroy", "-auto-approve", **elsewhere, **two)
    with pytest.raises(TerraformFailed, match=r"databases/\(default\) already exists") as failed:
        fresh.apply(**elsewhere, **two)
    assert str(failed.value).count("Error:") == 1  # queues and roles have new names

    assert "1 imported" in fresh.apply(adopt_database=True, delete_data=True, **elsewhere, **two)
    fresh.must("destroy", "-auto-approve", delete_data=True, **elsewhere, **two)
    ran = fresh.run("plan", "-input=false", adopt_database=True, **elsewhere, **two)
    assert "Cannot import non-existent remote object" in ran.sentence


def test_wrong_variables_are_refused_with_a_sentence_each(copy: Workspace) -> None:
    wrong: dict[str, tuple[object, str]] = {
        "project": ("My Project", "project is the project's id"),
        "region": ("europe-west1-b", "region is a region like europe-west1"),
        "name": ("an-overlong-name-for-lull", "name is 2 to 13"),
        "agents": (["moss"], "bot_tokens needs a token"),
        "webhook_secret": ("short", "webhook_secret is 32 to 256"),
        "vertex_ai": (True, "of no use with it"),
        "backups": ({"daily_days": 99}, "1 to 98 days"),
        "billing_account": ("mine", "billing_account looks like"),
        "alert_emails": (["nobody"], "alert_emails are e-mail addresses"),
        "runtime": ("python27", "runtime is python311"),
    }
    # what the functions are is known only once the names above are right
    of_functions: dict[str, tuple[object, str]] = {
        "settings": ({"LULL_MODLE": "x"}, "settings may hold"),
        "instances": ({"tik": {"max": 2}}, "instances knows the functions"),
    }
    for some in (wrong, of_functions):
        ran = copy.run("plan", "-input=false", "-lock=false", **{name: value for name, (value, _) in some.items()})
        assert ran.code == 1
        assert [name for name, (_, sentence) in some.items() if sentence not in ran.sentence] == []
