# One account for each called function, so that a job may call only its own function.
resource "google_service_account" "caller" {
  for_each = var.callers

  account_id   = each.value
  display_name = each.value
  description  = "Runs scheduled jobs of ${each.key}."
}

resource "google_cloud_scheduler_job" "this" {
  for_each = var.jobs

  region           = var.region
  name             = each.key
  description      = each.value.description
  schedule         = each.value.schedule
  time_zone        = each.value.time_zone
  attempt_deadline = each.value.attempt_deadline
  paused           = var.paused

  # retries after a pause, all before the next scheduled run
  retry_config {
    retry_count          = 3
    min_backoff_duration = "10s"
  }

  http_target {
    http_method = "POST"
    uri         = each.value.url
    headers     = { "Content-Type" = "application/json" }
    body        = base64encode(each.value.body)

    oidc_token {
      service_account_email = google_service_account.caller[each.value.function].email
      audience              = each.value.url
    }
  }
}
