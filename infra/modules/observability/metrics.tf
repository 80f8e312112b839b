# Counted from the functions' log lines: the texts are those of shared/ and functions/, and a test compares them.

locals {
  of_webhook   = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${var.functions.webhook}\""
  of_tick      = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=\"${var.functions.tick}\""
  of_functions = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=(${join(" OR ", [for f in sort(var.functions.all) : "\"${f}\""])})"

  counters = {
    updates = {
      description = "Updates that were stored."
      filter      = "${local.of_webhook} AND jsonPayload.message=\"stored an update\""
      labels      = ["agent", "kind"]
    }
    repeats = {
      description = "Updates that Telegram sent again."
      filter      = "${local.of_webhook} AND jsonPayload.message=\"met an update again\""
      labels      = ["agent"]
    }
    dead_letters = {
      description = "Bodies that are no updates, kept as incidents."
      filter      = "${local.of_webhook} AND jsonPayload.message=\"kept a body that is no update\""
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
      filter      = "${local.of_tick} AND (jsonPayload.message=\"a delivery's outcome is unknown; it is not sent again\" OR jsonPayload.message=~\"^not delivered: .*it may have been carried out\")"
      labels      = ["agent"]
    }
    plans_missing = {
      description = "Messages for which the model gave no plan that could be read."
      filter      = "${local.of_tick} AND jsonPayload.message=~\"^no plan: \""
      labels      = ["agent"]
    }
    errors = {
      description = "Errors in the functions' logs."
      filter      = "${local.of_functions} AND severity>=ERROR"
      labels      = []
    }
  }

  # what is measured of each call of the model
  model_fields = {
    prompt_tokens  = "Tokens of prompts, with those that were cached."
    cached_tokens  = "Tokens of prompts that were cached."
    thought_tokens = "Tokens that the model thought with."
    output_tokens  = "Tokens of replies."
    ms             = "Milliseconds of a call."
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
  description      = each.value
  filter           = "${local.of_tick} AND jsonPayload.message=\"the model answered\""
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
    exponential_buckets {
      num_finite_buckets = 40
      growth_factor      = 1.5
      scale              = 1
    }
  }
}
