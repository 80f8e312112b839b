# All permissions of this function, and all its callers.

resource "google_service_account" "this" {
  account_id   = var.name
  display_name = var.name
  description  = var.description
}

resource "google_project_iam_member" "this" {
  for_each = var.project_roles

  project = var.project
  role    = each.value.role
  member  = google_service_account.this.member

  dynamic "condition" {
    for_each = each.value.condition == null ? [] : [each.value.condition]

    content {
      title       = condition.value.title
      description = condition.value.description
      expression  = condition.value.expression
    }
  }
}

resource "google_secret_manager_secret_iam_member" "reader" {
  for_each = var.secrets

  secret_id = each.value.id
  role      = "roles/secretmanager.secretAccessor"
  member    = google_service_account.this.member
}

resource "google_cloud_tasks_queue_iam_member" "enqueuer" {
  for_each = var.enqueues

  location = var.region
  name     = each.value.name
  role     = "roles/cloudtasks.enqueuer"
  member   = google_service_account.this.member
}

# Tasks are delivered with the identity of the queue's account; whoever creates a task must be allowed to use that
# account.
resource "google_service_account_iam_member" "lends_name" {
  for_each = var.enqueues

  service_account_id = each.value.caller.name
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.this.member
}

resource "google_storage_bucket_iam_member" "user" {
  for_each = var.buckets

  bucket = each.value.name
  role   = each.value.role
  member = google_service_account.this.member
}

# The role belongs on the function's Cloud Run service: Google refuses it on the function itself.
resource "google_cloud_run_v2_service_iam_member" "invoker" {
  for_each = merge(var.callers, var.is_public ? { everyone = "allUsers" } : {})

  location = var.region
  name     = google_cloudfunctions2_function.this.name
  role     = "roles/run.invoker"
  member   = each.value

  lifecycle {
    # the grant is lost with the service when the function is replaced
    replace_triggered_by = [google_cloudfunctions2_function.this.id]
  }
}
