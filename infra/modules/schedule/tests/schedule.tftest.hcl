provider "google" {
  project = "acme-schedule"
}

variables {
  region  = "europe-west1"
  callers = { summarize = "lull-clock-summarize", maintain = "lull-clock-maintain" }
  jobs = {
    lull-sweep = {
      description      = "Wakes what no tick came for."
      schedule         = "*/5 * * * *"
      time_zone        = "Etc/UTC"
      function         = "summarize"
      url              = "https://europe-west1-acme.cloudfunctions.net/lull-summarize"
      body             = "{\"job\":\"sweep\"}"
      attempt_deadline = "180s"
    }
  }
}

run "a_job_calls_with_a_token_for_what_it_calls" {
  assert {
    condition     = one(one(google_cloud_scheduler_job.this["lull-sweep"].http_target).oidc_token).audience == var.jobs["lull-sweep"].url
    error_message = "The token is for somebody else."
  }
  assert {
    condition     = base64decode(one(google_cloud_scheduler_job.this["lull-sweep"].http_target).body) == "{\"job\":\"sweep\"}"
    error_message = "The body is not what was asked for."
  }
  assert {
    condition     = !google_cloud_scheduler_job.this["lull-sweep"].paused
    error_message = "It waits."
  }
}

run "a_job_calls_in_the_name_that_its_function_lets_in" {
  assert {
    condition     = startswith(one(one(google_cloud_scheduler_job.this["lull-sweep"].http_target).oidc_token).service_account_email, "lull-clock-summarize@")
    error_message = "Each function that is called by the clock has an account of its own."
  }
}

run "a_function_without_an_account_is_not_called" {
  command = plan

  variables {
    jobs = { x = merge(var.jobs["lull-sweep"], { function = "tick" }) }
  }
  expect_failures = [var.jobs]
}

run "what_is_no_cron_is_refused" {
  command = plan

  variables {
    jobs = { x = merge(var.jobs["lull-sweep"], { schedule = "every 5 minutes" }) }
  }
  expect_failures = [var.jobs]
}

run "a_token_leaves_encrypted_only" {
  command = plan

  variables {
    jobs = { x = merge(var.jobs["lull-sweep"], { url = "http://europe-west1-acme.cloudfunctions.net/lull-summarize" }) }
  }
  expect_failures = [var.jobs]
}

run "nothing_waits_longer_than_the_scheduler_does" {
  command = plan

  variables {
    jobs = { x = merge(var.jobs["lull-sweep"], { attempt_deadline = "3600s" }) }
  }
  expect_failures = [var.jobs]
}
