provider "google" {
  project = "acme-budget"
}

variables {
  billing_account = "012345-6789AB-CDEF01"
  project         = "acme-budget"
  name            = "lull prod"
  units           = 20
}

run "it_warns_before_the_money_is_spent" {
  assert {
    condition     = contains([for rule in google_billing_budget.this.threshold_rules : rule.threshold_percent], 0.5)
    error_message = "Nobody is warned at half of it."
  }
  assert {
    condition     = one(google_billing_budget.this.budget_filter).projects == toset(["projects/${data.google_project.this.number}"])
    error_message = "Other projects' costs count too."
  }
}

run "the_currency_is_the_accounts" {
  command = plan

  # Google refuses a budget in any other currency than the account's, and takes none for it
  assert {
    condition     = one(one(google_billing_budget.this.amount).specified_amount).units == "20"
    error_message = "It is not what was asked for."
  }
}

run "nothing_is_no_budget" {
  command = plan

  variables {
    units = 0
  }
  expect_failures = [var.units]
}
