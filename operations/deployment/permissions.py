"""Permissions needed to deploy: for each kind of Terraform resource, the permission to create it."""

from collections.abc import Mapping

#: Permissions on the project by kind of resource. roles/owner has all of them
#: (cloud.google.com/iam/docs/permissions-reference).
ON_PROJECT: Mapping[str, str] = {
    "google_artifact_registry_repository": "artifactregistry.repositories.create",
    "google_artifact_registry_repository_iam_member": "artifactregistry.repositories.setIamPolicy",
    "google_cloud_run_v2_service_iam_member": "run.services.setIamPolicy",
    "google_cloud_scheduler_job": "cloudscheduler.jobs.create",
    "google_cloud_tasks_queue": "cloudtasks.queues.create",
    "google_cloud_tasks_queue_iam_member": "cloudtasks.queues.setIamPolicy",
    "google_cloudfunctions2_function": "cloudfunctions.functions.create",
    "google_firestore_backup_schedule": "datastore.backupSchedules.create",
    "google_firestore_database": "datastore.databases.create",
    "google_firestore_field": "datastore.indexes.update",
    "google_firestore_index": "datastore.indexes.create",
    "google_logging_metric": "logging.logMetrics.create",
    "google_logging_project_exclusion": "logging.exclusions.create",
    "google_monitoring_alert_policy": "monitoring.alertPolicies.create",
    "google_monitoring_dashboard": "monitoring.dashboards.create",
    "google_monitoring_notification_channel": "monitoring.notificationChannels.create",
    "google_project_iam_custom_role": "iam.roles.create",
    "google_project_iam_member": "resourcemanager.projects.setIamPolicy",
    "google_project_service": "serviceusage.services.enable",
    "google_secret_manager_secret": "secretmanager.secrets.create",
    "google_secret_manager_secret_iam_member": "secretmanager.secrets.setIamPolicy",
    "google_secret_manager_secret_version": "secretmanager.versions.add",
    "google_service_account": "iam.serviceAccounts.create",
    "google_service_account_iam_member": "iam.serviceAccounts.setIamPolicy",
    "google_storage_bucket": "storage.buckets.create",
}
#: Permissions on the billing account for a budget. The project's owner may lack them.
ON_BILLING_ACCOUNT: Mapping[str, str] = {"google_billing_budget": "billing.budgets.create"}
#: An owner of the project has these permissions on each new bucket, but not on the project, so they cannot be checked.
WITH_THE_BUCKET = frozenset({"google_storage_bucket_iam_member", "google_storage_bucket_object"})
#: lets functions, queues and schedules run as a service account
ACTING = "iam.serviceAccounts.actAs"

PROJECT_PERMISSIONS = tuple(sorted({*ON_PROJECT.values(), ACTING}))
