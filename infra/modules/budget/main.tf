data "google_project" "this" {
  project_id = var.project
}

resource "google_billing_budget" "this" {
  billing_account = var.billing_account
  display_name    = var.name

  budget_filter {
    projects        = ["projects/${data.google_project.this.number}"]
    calendar_period = "MONTH"
  }

  amount {
    specified_amount {
      # the default currency is the billing account's; Google accepts no other
      units = tostring(var.units)
    }
  }

  dynamic "threshold_rules" {
    for_each = [0.5, 0.9, 1]

    content {
      threshold_percent = threshold_rules.value
    }
  }
  threshold_rules {
    threshold_percent = 1
    spend_basis       = "FORECASTED_SPEND"
  }
}
