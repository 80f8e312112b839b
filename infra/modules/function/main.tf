resource "google_storage_bucket_object" "bundle" {
  bucket = var.bundle.bucket
  # the name contains the content's hash: new content under an old name would not be deployed
  name   = "${var.name}-${filesha256(var.bundle.path)}.zip"
  source = var.bundle.path
}

resource "google_cloudfunctions2_function" "this" {
  # checkov:skip=CKV_GCP_124: Telegram and Cloud Tasks call from outside the project's networks; IAM decides who may

  name        = var.name
  location    = var.region
  description = var.description
  labels      = { function = var.entry_point }

  build_config {
    runtime           = var.runtime
    entry_point       = var.entry_point
    service_account   = var.build.account
    docker_repository = var.build.repository

    source {
      storage_source {
        bucket = google_storage_bucket_object.bundle.bucket
        object = google_storage_bucket_object.bundle.name
      }
    }

    # the base image's security updates are rolled out without a deployment
    automatic_update_policy {}
  }

  service_config {
    service_account_email            = google_service_account.this.email
    available_memory                 = var.limits.memory
    available_cpu                    = "1" # a fraction would allow only one request at a time
    timeout_seconds                  = var.limits.timeout_s
    max_instance_request_concurrency = var.limits.concurrency
    min_instance_count               = var.limits.min_instances
    max_instance_count               = var.limits.max_instances
    ingress_settings                 = "ALLOW_ALL" # IAM decides who may call: see access.tf
    all_traffic_on_latest_revision   = true        # an old revision would use old settings

    environment_variables = merge(var.environment, {
      # Google's default is "true", with which functions-framework replaces lull's log format by its own
      LOG_EXECUTION_ID = "false"
    })

    dynamic "secret_environment_variables" {
      for_each = var.secrets

      content {
        key        = secret_environment_variables.key
        project_id = var.project
        secret     = secret_environment_variables.value.id
        # a number, so that a new value creates a new revision; with "latest", only new instances would read the new
        # value
        version = secret_environment_variables.value.version
      }
    }
  }

  lifecycle {
    postcondition {
      condition     = self.url == var.url
      error_message = "The function's address is ${self.url}, and the others call ${var.url}: see local.urls in functions.tf."
    }
  }

  # a revision that cannot read its secrets does not start
  depends_on = [google_secret_manager_secret_iam_member.reader, var.after]
}
