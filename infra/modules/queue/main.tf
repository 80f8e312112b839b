resource "google_cloud_tasks_queue" "this" {
  name          = var.name
  location      = var.region
  desired_state = var.paused ? "PAUSED" : "RUNNING"

  rate_limits {
    max_concurrent_dispatches = var.at_once
    max_dispatches_per_second = 500 # the maximum; max_concurrent_dispatches limits the load
  }

  retry_config {
    max_attempts       = var.retries.attempts
    max_retry_duration = "${var.retries.for_at_least_s}s"
    min_backoff        = "${var.retries.first_after_s}s"
    max_backoff        = "${var.retries.longest_after_s}s"
    max_doublings      = var.retries.doublings
  }
}

# The queue delivers its tasks with the identity of this account, which may do nothing but call functions.
resource "google_service_account" "caller" {
  account_id   = var.caller_account
  display_name = var.caller_account
  description  = "Delivers the tasks of the queue ${var.name}."
}
