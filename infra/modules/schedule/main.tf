# One for each function that is called: none may call what only another job needs.
resource "google_service_account" "caller" {
  for_each = var.callers

  account_id   = each.value
  display_name = each.value
  description  = "Calls ${each.key} when it is due by the clock."
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

  # not at once, and all before the next turn
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
