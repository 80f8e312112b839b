# Metrics that are counted from the functions' log lines. A test compares the texts here with those in the code.

locals {
  of_webhook   = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${var.functions.webhook}\""
  of_tick      = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${var.functions.tick}\""
  of_keeper    = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${var.functions.keeper}\""
  of_askers    = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=(${join(" OR ", [for f in sort(var.functions.askers) : "\"${f}\""])})"
  of_functions = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=(${join(" OR ", [for f in sort(var.functions.all) : "\"${f}\""])})"

  incident = { for kind in ["dead_letter", "dropped_plan", "unknown_delivery"] :
    kind => "${local.of_tick} AND jsonPayload.message=\"an incident\" AND jsonPayload.kind=\"${kind}\""
  }

  counters = {
    updates = {
      description = "Updates that were stored."
      # lull's own test updates do not count as traffic
      filter = "${local.of_webhook} AND jsonPayload.message=\"stored an update\" AND jsonPayload.kind!=\"canary\""
      labels = ["agent", "kind"]
    }
    repeats = {
      description = "Updates that Telegram sent again."
      filter      = "${local.of_webhook} AND jsonPayload.message=\"met an update again\""
      labels      = ["agent"]
    }
    dead_letters = {
      description = "Requests and updates that were set aside because they could not be processed: invalid, too large, or fatal to ticks."
      filter      = "(${local.of_webhook} AND jsonPayload.message=\"an incident\" AND jsonPayload.kind=\"dead_letter\") OR (${local.incident.dead_letter})"
      labels      = ["agent"]
    }
    refused_wakes = {
      description = "Stored updates for which Cloud Tasks refused the task that wakes the chat; the sweep wakes these chats."
      filter      = "${local.of_webhook} AND jsonPayload.message=\"an incident\" AND jsonPayload.kind=\"refused_wake\""
      labels      = ["agent"]
    }
    decisions = {
      description = "Decisions whether to answer messages, with the reason."
      filter      = "${local.of_tick} AND jsonPayload.message=\"decided\""
      labels      = ["agent", "respond", "reason"]
    }
    answers = {
      description = "Sent messages and other deliveries; one in several parts counts once."
      filter      = "${local.of_tick} AND jsonPayload.message=\"delivered\" AND jsonPayload.part=0"
      labels      = ["agent"]
    }
    undelivered = {
      description = "Failed calls of Telegram; most are retried."
      filter      = "${local.of_tick} AND jsonPayload.message=~\"^not delivered: \""
      labels      = ["agent"]
    }
    unknown_deliveries = {
      description = "Deliveries whose outcome is unknown; they are not repeated."
      filter      = local.incident.unknown_delivery
      labels      = ["agent"]
    }
    dropped_plans = {
      description = "Answers that were given up before they were sent completely."
      filter      = local.incident.dropped_plan
      labels      = ["agent"]
    }
    plans_missing = {
      description = "Batches of messages for which the model returned no usable plan."
      filter      = "${local.of_tick} AND jsonPayload.message=~\"^no plan: \""
      labels      = ["agent"]
    }
    canaries_passed = {
      description = "Canaries that passed every step."
      filter      = "${local.of_keeper} AND jsonPayload.message=\"the canary passed\""
      labels      = []
    }
    errors = {
      description = "Errors in the functions' logs."
      filter      = "${local.of_functions} AND severity>=ERROR"
      labels      = []
    }
  }

  # measurements of each call of a model; values below `smallest` are not told apart
  model_fields = {
    prompt_tokens  = { description = "Tokens of prompts, including cached ones.", smallest = 1 }
    cached_tokens  = { description = "Cached tokens of prompts.", smallest = 1 }
    thought_tokens = { description = "Tokens of the model's thoughts.", smallest = 1 }
    output_tokens  = { description = "Tokens of replies.", smallest = 1 }
    ms             = { description = "Duration of a call in milliseconds.", smallest = 1 }
    usd            = { description = "Cost of a call in US dollars, if the model's price is known.", smallest = 0.00001 }
  }
}

resource "google_logging_metric" "counter" {
  for_each = local.counters

  name             = "${var.name}/${each.key}"
  description      = each.value.description
  filter           = each.value.filter
  label_extractors = { for label in each.value.labels : label => "EXTRACT(jsonPayload.${label})" }

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"

    dynamic "labels" {
      for_each = each.value.labels

      content {
        key        = labels.value
        value_type = "STRING"
      }
    }
  }
}

resource "google_logging_metric" "model" {
  for_each = local.model_fields

  name             = "${var.name}/model_${each.key}"
  description      = each.value.description
  filter           = "${local.of_askers} AND jsonPayload.message=\"the model was asked\""
  value_extractor  = "EXTRACT(jsonPayload.${each.key})"
  label_extractors = { model = "EXTRACT(jsonPayload.model)" }

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "DISTRIBUTION"

    labels {
      key        = "model"
      value_type = "STRING"
    }
  }

  bucket_options {
    # the buckets reach 11 million times `smallest`, with an error of at most a fifth
    exponential_buckets {
      num_finite_buckets = 40
      growth_factor      = 1.5
      scale              = each.value.smallest
    }
  }
}

# Cloud Run logs every request, and each log line costs money. Anybody can send any number of requests that the webhook
# refuses, so these are not logged. The metric request_count still counts them, and an alert is raised if there are
# many.
resource "google_logging_project_exclusion" "refused" {
  name        = "${var.name}-refused-requests"
  description = "Requests that the webhook refuses are counted, not logged one by one."
  filter      = "${local.of_webhook} AND log_id(\"run.googleapis.com/requests\") AND httpRequest.status=401"
}
