# Where things are: functions.tf (functions and their permissions), queues.tf and schedules.tf (their callers),
# datastore.tf, secrets.tf and buckets.tf (storage), watching.tf (metrics and alerts), build.tf (how a bundle becomes a
# container).

locals {
  labels = merge(var.labels, {
    app         = var.name
    environment = var.environment
    managed_by  = "terraform"
  })
}

# For some minutes after an API is enabled, IAM changes, queues or the database may fail in a new project: apply again.
resource "google_project_service" "api" {
  for_each = toset(concat(
    [
      "artifactregistry.googleapis.com",
      "cloudbuild.googleapis.com",
      "cloudfunctions.googleapis.com",
      "cloudresourcemanager.googleapis.com",
      "cloudscheduler.googleapis.com",
      "cloudtasks.googleapis.com",
      "firestore.googleapis.com",
      "iam.googleapis.com",
      "logging.googleapis.com",
      "monitoring.googleapis.com",
      "run.googleapis.com",
      "secretmanager.googleapis.com",
      "storage.googleapis.com",
    ],
    var.vertex_ai ? ["aiplatform.googleapis.com"] : [],
    var.billing_account == null ? [] : ["billingbudgets.googleapis.com"],
  ))

  service = each.key

  # other software in the project may use these APIs
  disable_on_destroy = false
}

# The names of deleted queues stay reserved for 7 days, the ids of deleted custom roles for up to 37. A destroy ends
# this id, so that resources of the next deployment get new names.
resource "terraform_data" "deployment" {
  triggers_replace = [var.project, var.region]
}

locals {
  suffix = substr(terraform_data.deployment.id, 0, 6)
}
