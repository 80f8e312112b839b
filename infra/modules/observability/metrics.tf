# Counted from the functions' log lines: the texts are those of shared/ and functions/, and a test compares them.

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
      # what lull itself sends is no traffic
      filter = "${local.of_webhook} AND jsonPayload.message=\"stored an update\" AND jsonPayload.kind!=\"canary\""
      labels = ["agent", "kind"]
    }
    repeats = {
      description = "Updates that Telegram sent again."
      filter      = "${local.of_webhook} AND jsonPayload.message=\"met an update again\""
      labels      = ["agent"]
    }
    dead_letters = {
      description = "What is kept because it could not be handled: no updates, too large ones, and those that ticks died of."
      filter      = "(${local.of_webhook} AND jsonPayload.message=\"an incident\" AND jsonPayload.kind=\"dead_letter\") OR (${local.incident.dead_letter})"
      labels      = ["agent"]
    }
    refused_wakes = {
      description = "Stored updates whose wake Cloud Tasks will never take; the sweep wakes their chats."
      filter      = "${local.of_webhook} AND jsonPayload.message=\"an incident\" AND jsonPayload.kind=\"refused_wake\""
      labels      = ["agent"]
    }
    decisions = {
      description = "Messages by whether they are answered, and why."
      filter      = "${local.of_tick} AND jsonPayload.message=\"decided\""
      labels      = ["agent", "respond", "reason"]
    }
    answers = {
      description = "What was sent; an answer in several parts is one."
      filter      = "${local.of_tick} AND jsonPayload.message=\"delivered\" AND jsonPayload.part=0"
      labels      = ["agent"]
    }
    undelivered = {
      description = "Calls of Telegram that failed; most are tried again."
      filter      = "${local.of_tick} AND jsonPayload.message=~\"^not delivered: \""
      labels      = ["agent"]
    }
    unknown_deliveries = {
      description = "Deliveries of which nobody knows whether they arrived; they are not sent again."
      filter      = local.incident.unknown_delivery
      labels      = ["agent"]
    }
    dropped_plans = {
      description = "Answers that were given up before they were sent whole."
      filter      = local.incident.dropped_plan
      labels      = ["agent"]
    }
    plans_missing = {
      description = "Messages for which the model gave no plan that could be read."
      filter      = "${local.of_tick} AND jsonPayload.message=~\"^no plan: \""
      labels      = ["agent"]
    }
    canaries_passed = {
      description = "Canaries that went the whole way."
      filter      = "${local.of_keeper} AND jsonPayload.message=\"the canary passed\""
      labels      = []
    }
    errors = {
      description = "Errors in the functions' logs."
      filter      = "${local.of_functions} AND severity>=ERROR"
      labels      = []
    }
  }

  # what is measured of each call of the model, and how large the smallest is that is told from nothing
  model_fields = {
    prompt_tokens  = { description = "Tokens of prompts, with those that were cached.", smallest = 1 }
    cached_tokens  = { description = "Tokens of prompts that were cached.", smallest = 1 }
    thought_tokens = { description = "Tokens that the model thought with.", smallest = 1 }
    output_tokens  = { description = "Tokens of replies.", smallest = 1 }
    ms             = { description = "Milliseconds of a call.", smallest = 1 }
    usd            = { description = "US dollars that were settled for a call, where the model's price is known.", smallest = 0.00001 }
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
    # they reach to 11 million times the smallest, with an error of at most a fifth
    exponential_buckets {
      num_finite_buckets = 40
      growth_factor      = 1.5
      scale              = each.value.smallest
    }
  }
}

# Cloud Run logs every request. Those that the webhook refuses anybody can send without end, and each line costs; how many
# there are is counted by request_count all the same, and many of them are an alert.
resource "google_logging_project_exclusion" "refused" {
  name        = "${var.name}-refused-requests"
  description = "Requests that the webhook refuses are counted, not logged one by one."
  filter      = "${local.of_webhook} AND log_id(\"run.googleapis.com/requests\") AND httpRequest.status=401"
}
