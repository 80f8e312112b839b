provider "google" {
  project = "acme-observability"
}

variables {
  project      = "acme-observability"
  name         = "lull-dev"
  functions    = { webhook = "lull-dev-webhook", tick = "lull-dev-tick", keeper = "lull-dev-maintain", askers = ["lull-dev-describe-media"], all = ["lull-dev-webhook", "lull-dev-tick", "lull-dev-describe-media", "lull-dev-maintain"] }
  ticks_queue  = "lull-dev-ticks-1a2b3c"
  alert_emails = ["ops@example.com"]
  limits       = { errors = 3, tick_seconds = 120, late_seconds = 60, model_usd_per_day = 5, refused = 100 }
}

run "alerts_tell_people_and_count_this_deployments_metrics" {
  assert {
    condition     = alltrue([for policy in google_monitoring_alert_policy.this : length(policy.notification_channels) == 1])
    error_message = "Somebody is not told."
  }
  assert {
    condition     = strcontains(local.alerts.errors.query, "logging_googleapis_com:user_lull_dev_errors{")
    error_message = "The alert asks for ${local.alerts.errors.query}."
  }
  assert {
    condition     = length(google_monitoring_alert_policy.unknown_delivery.notification_channels) == 1
    error_message = "Nobody is told of an unknown delivery."
  }
  assert {
    condition     = strcontains(local.alerts.tick_latency.query, "> 120000")
    error_message = "The alert asks for ${local.alerts.tick_latency.query}."
  }
  assert {
    condition     = strcontains(local.alerts.queue_lateness.query, "queue_id=\"lull-dev-ticks-1a2b3c\"}[5m]))) > 60000")
    error_message = "The alert asks for ${local.alerts.queue_lateness.query}."
  }
  assert {
    condition     = length(jsondecode(google_monitoring_dashboard.this.dashboard_json).gridLayout.widgets) == 12
    error_message = "The dashboard does not show the whole way."
  }
}

run "silence_of_the_canary_is_told_unless_everything_is_paused" {
  command = plan

  assert {
    condition     = google_monitoring_alert_policy.this["canary"].enabled
    error_message = "A dead man's switch that is off tells nothing."
  }
  assert {
    condition     = startswith(local.alerts.canary.query, "vector(1) unless on() (")
    error_message = "What is not there is the alert: ${local.alerts.canary.query}."
  }
}

run "a_pause_is_no_silence" {
  command = plan

  variables {
    paused = true
  }
  assert {
    condition     = !google_monitoring_alert_policy.this["canary"].enabled && google_monitoring_alert_policy.this["errors"].enabled
    error_message = "While schedules wait no canary goes; everything else is told as ever."
  }
}

run "all_functions_are_all" {
  command = plan

  variables {
    functions = { webhook = "lull-dev-webhook", tick = "lull-dev-tick", keeper = "lull-dev-maintain", askers = ["lull-dev-describe-media"], all = ["lull-dev-tick", "lull-dev-describe-media", "lull-dev-maintain"] }
  }
  expect_failures = [var.functions]
}
