"""The services of Google that must be enabled for the resources."""

from tests.infra.workspace import Plan, Resource

#: the beginning of a resource's type → the service that makes it
SERVICES = {
    "google_artifact_registry_": "artifactregistry",
    "google_billing_budget": "billingbudgets",
    "google_cloud_run_": "run",
    "google_cloud_scheduler_": "cloudscheduler",
    "google_cloud_tasks_": "cloudtasks",
    "google_cloudfunctions2_": "cloudfunctions",
    "google_firestore_": "firestore",
    "google_logging_": "logging",
    "google_monitoring_": "monitoring",
    "google_project_iam_custom_role": "iam",
    "google_project_iam_member": "cloudresourcemanager",
    "google_secret_manager_": "secretmanager",
    "google_service_account": "iam",
    "google_storage_": "storage",
}
#: Cloud Functions uses it for builds
BESIDES = {"cloudbuild"}
#: types of Terraform itself, and the type that enables services
NO_SERVICE = {"terraform_data", "google_project_service"}


def switched_on(resources: list[Resource]) -> set[str]:
    """List the enabled services."""
    names = (str(r.values["service"]) for r in resources if r.type == "google_project_service")
    return {name.removesuffix(".googleapis.com") for name in names}


def needed(resources: list[Resource]) -> set[str]:
    """List the services that the resources need."""
    kinds = {r.type for r in resources} - NO_SERVICE
    return BESIDES | {next(service for start, service in SERVICES.items() if kind.startswith(start)) for kind in kinds}


def test_what_is_needed_is_switched_on_and_nothing_else(made: list[Resource], everything: Plan) -> None:
    assert switched_on(made) == needed(made)
    assert switched_on(everything.resources) == needed(everything.resources) == needed(made) | {"billingbudgets"}


def test_vertex_ai_is_switched_on_where_it_is_asked(made: list[Resource], over_vertex: Plan) -> None:
    assert switched_on(over_vertex.resources) - switched_on(made) == {"aiplatform"}
