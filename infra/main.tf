# What is deployed, from the outside in: functions.tf (what runs and what it may do), queues.tf and schedules.tf (what
# calls it), datastore.tf, secrets.tf and buckets.tf (what is kept), watching.tf (what is measured), build.tf (how a
# bundle becomes a container).

locals {
  labels = merge(var.labels, {
    app         = var.name
    environment = var.environment
    managed_by  = "terraform"
  })
}

# A project's first IAM change, queue or database fails for some minutes after its API was switched on: apply again.
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

  # other things in the project may use them
  disable_on_destroy = false
}

# The names of deleted queues stay taken for 7 days, those of custom roles for up to 37. This id lives as long as the
# deployment, so that what is made again after a destroy has names of its own.
resource "terraform_data" "deployment" {
  triggers_replace = [var.project, var.region]
}

locals {
  suffix = substr(terraform_data.deployment.id, 0, 6)
}
