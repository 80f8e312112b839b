# The path of a message, tile by tile: from Telegram's request to the sent answer and its cost.

locals {
  per_function = { for part in ["webhook", "tick"] : part => "${local.in_run},service_name=\"${var.functions[part]}\"" }

  tiles = [
    {
      title = "1 Telegram calls the webhook (requests a second)"
      lines = { "{{response_code_class}}" = "sum by (response_code_class) (rate(${local.requests}_count{${local.per_function.webhook}}[5m]))" }
    },
    {
      title = "The webhook answers (ms)"
      lines = { for q in ["0.5", "0.99"] : "p${q * 100}" =>
        "histogram_quantile(${q}, sum by (le) (rate(${local.requests}_latencies_bucket{${local.per_function.webhook}}[5m])))"
      }
    },
    {
      title = "2 Updates are stored"
      lines = { for name in ["updates", "repeats", "dead_letters", "refused_wakes"] : replace(name, "_", " ") =>
        "sum(increase(${local.counted}_${name}{${local.in_run}}[5m]))"
      }
    },
    {
      title = "3 Ticks begin late (ms, 95 of 100 are earlier)"
      lines = { p95 = local.late_p95_ms }
    },
    {
      title = "4 Ticks run (requests a second)"
      lines = { "{{response_code_class}}" = "sum by (response_code_class) (rate(${local.requests}_count{${local.per_function.tick}}[5m]))" }
    },
    {
      title = "A tick takes (ms, 95 of 100 are faster)"
      lines = { p95 = local.tick_p95_ms }
    },
    {
      title = "5 Messages are decided on"
      lines = { "{{respond}}: {{reason}}" = "sum by (respond, reason) (increase(${local.counted}_decisions{${local.in_run}}[5m]))" }
    },
    {
      title = "6 The model answers (ms)"
      lines = { for q in ["0.5", "0.95"] : "p${q * 100}" =>
        "histogram_quantile(${q}, sum by (le) (rate(${local.counted}_model_ms_bucket{${local.in_run}}[5m])))"
      }
    },
    {
      title = "The model's tokens"
      lines = { for field in ["prompt", "cached", "thought", "output"] : field =>
        "sum(increase(${local.counted}_model_${field}_tokens_sum{${local.in_run}}[5m]))"
      }
    },
    {
      title = "The model costs (dollars in 24 hours)"
      lines = { dollars = local.model_usd_per_day }
    },
    {
      title = "7 Answers are sent"
      lines = { for name in ["answers", "undelivered", "unknown_deliveries", "dropped_plans", "plans_missing"] : replace(name, "_", " ") =>
        "sum(increase(${local.counted}_${name}{${local.in_run}}[5m]))"
      }
    },
    {
      title = "Errors"
      lines = { errors = "sum(increase(${local.counted}_errors{${local.in_run}}[5m]))" }
    },
  ]
}

resource "google_monitoring_dashboard" "this" {
  dashboard_json = jsonencode({
    displayName = "${var.name}: the way of a message"
    gridLayout = {
      columns = "2"
      widgets = [for tile in local.tiles : {
        title = tile.title
        xyChart = {
          dataSets = [for legend, query in tile.lines : {
            legendTemplate  = legend
            plotType        = "LINE"
            targetAxis      = "Y1"
            timeSeriesQuery = { prometheusQuery = query }
          }]
        }
      }]
    }
  })
}
