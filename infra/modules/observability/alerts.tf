# The alerts use PromQL, not thresholds on filters, because PromQL may name a metric that has no value yet. A metric
# that is counted from logs has no value before its first log line. The alert for a rare event matches the log line
# itself: the first line begins a series, which PromQL does not see as an increase.

locals {
  in_run   = "monitored_resource=\"cloud_run_revision\""
  counted  = "logging_googleapis_com:user_${replace(var.name, "-", "_")}"
  requests = "run_googleapis_com:request"

  model_usd_per_day = "sum(increase(${local.counted}_model_usd_sum{${local.in_run}}[1d]))"
  tick_p95_ms       = "histogram_quantile(0.95, sum by (le) (rate(${local.requests}_latencies_bucket{${local.in_run},service_name=\"${var.functions.tick}\"}[10m])))"
  # not the number of tasks: the queue also contains reminders for up to 30 days, which are not late
  late_p95_ms = "histogram_quantile(0.95, sum by (le) (rate(cloudtasks_googleapis_com:queue_task_attempt_delays_bucket{monitored_resource=\"cloud_tasks_queue\",queue_id=\"${var.ticks_queue}\"}[5m])))"

  # A canary passes four times a day. If its series continues from one to the next, each canary increases it. If the
  # series ends between them, each canary begins a new one: it shows no increase, but did not exist when the window
  # began.
  canaries       = "${local.counted}_canaries_passed{${local.in_run}}"
  canary_counted = "(sum(increase(${local.canaries}[13h])) > 0)"
  canary_is_new  = "((max(max_over_time(${local.canaries}[13h])) > 0) unless on() max(${local.canaries} offset 13h))"
  alerts = {
    errors = {
      title = "errors"
      query = "sum(increase(${local.counted}_errors{${local.in_run}}[5m])) > ${var.limits.errors}"
      after = "0s"
      help  = "Functions log errors. Logs Explorer: `severity>=ERROR resource.type=\"cloud_run_revision\"`. Updates are not lost: Telegram and Cloud Tasks repeat what failed."
    }
    tick_latency = {
      title = "ticks are slow"
      query = "${local.tick_p95_ms} > ${var.limits.tick_seconds * 1000}"
      after = "300s"
      help  = "One tick in twenty takes longer than ${var.limits.tick_seconds} s. The dashboard shows whether the model is slow, or whether calls of Telegram fail."
    }
    queue_lateness = {
      title = "ticks begin late"
      query = "${local.late_p95_ms} > ${var.limits.late_seconds * 1000}"
      after = "600s"
      help  = "For 10 minutes, one tick in twenty has begun more than ${var.limits.late_seconds} s after it was due. Possible causes: more instances are needed (`instances`), Cloud Tasks slows the queue down because ticks fail (see errors), or tasks of a pause are still being processed."
    }
    canary = {
      title = "no canary has passed"
      query = "vector(1) unless on() (${local.canary_counted} or ${local.canary_is_new})"
      after = "1800s" # for some minutes after the first deployment, no canary has passed yet
      help  = "No canary has passed for 13 hours: updates may be lost, no scheduled job runs, or something that lull needs is down (a model, Telegram, reading, describing, erasing, a bucket). `jsonPayload.step` names the failed step; `make canary` sends a canary now and shows the result of each step. Logs Explorer: `jsonPayload.message=~\"^the canary failed\"`."
    }
    refused = {
      title = "the webhook refuses many requests"
      query = "sum(increase(${local.requests}_count{${local.in_run},service_name=\"${var.functions.webhook}\",response_code=\"401\"}[10m])) > ${var.limits.refused}"
      after = "0s"
      help  = "More than ${var.limits.refused} requests in 10 minutes had no secret of the webhook, or a wrong one. Either somebody is trying to guess it, which costs only requests (`max_instances` limits them), or Telegram has another secret than the function: then run `make register`."
    }
    spend = {
      title = "the model costs much"
      query = "${local.model_usd_per_day} > ${var.limits.model_usd_per_day}"
      after = "0s"
      help  = "Calls of models in the last 24 hours cost more than ${var.limits.model_usd_per_day} dollars (`shared/values/usage.py`). `paused = true` stops all answers."
    }
  }
}

resource "google_monitoring_notification_channel" "email" {
  for_each = var.alert_emails

  display_name = each.key
  type         = "email"
  labels       = { email_address = each.key }
  user_labels  = var.labels
}

resource "google_monitoring_alert_policy" "this" {
  for_each = local.alerts

  display_name          = "${var.name}: ${each.value.title}"
  enabled               = !(var.paused && each.key == "canary")
  combiner              = "OR"
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.name]
  user_labels           = var.labels

  conditions {
    display_name = each.value.title

    condition_prometheus_query_language {
      query                     = each.value.query
      duration                  = each.value.after
      evaluation_interval       = "60s" # Google charges by evaluations: docs/costs.md
      disable_metric_validation = true
    }
  }

  documentation {
    content   = each.value.help
    mime_type = "text/markdown"
  }

  alert_strategy {
    auto_close = "86400s" # an incident that nobody closes is closed after a day without a new one
  }
}

resource "google_monitoring_alert_policy" "unknown_delivery" {
  display_name          = "${var.name}: a delivery's outcome is unknown"
  combiner              = "OR"
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.name]
  user_labels           = var.labels

  conditions {
    display_name = "a delivery's outcome is unknown"

    condition_matched_log {
      filter = local.counters.unknown_deliveries.filter
    }
  }

  documentation {
    content   = "A request was sent to Telegram, but no response arrived: the message may or may not have been delivered. It is not sent again. The incident is in the collection `incidents` (`make incidents`)."
    mime_type = "text/markdown"
  }

  alert_strategy {
    auto_close = "86400s"

    notification_rate_limit {
      period = "300s"
    }
  }
}
