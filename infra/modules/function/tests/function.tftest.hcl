provider "google" {
  project = "acme-function"
}

variables {
  project     = "acme-function"
  region      = "europe-west1"
  name        = "lull-webhook"
  entry_point = "webhook"
  description = "Stores what Telegram sends."
  url         = "https://europe-west1-acme-function.cloudfunctions.net/lull-webhook"
  runtime     = "python313"
  bundle      = { path = abspath("main.tf"), bucket = "acme-function-lull-sources" }
  build       = { account = "projects/acme-function/serviceAccounts/b@x", repository = "projects/acme-function/locations/europe-west1/repositories/r" }
  environment = { LULL_LOG_FORMAT = "json" }
  limits      = { memory = "512Mi", timeout_s = 30, concurrency = 80, min_instances = 0, max_instances = 10 }
}

run "setup" {
  module {
    source = "./tests/setup"
  }
}

run "a_public_function_reads_its_secret_and_makes_tasks" {
  variables {
    is_public = true
    secrets   = { LULL_WEBHOOK_SECRET = run.setup.secret }
    enqueues  = { ticks = run.setup.queue }
  }
  assert {
    condition     = google_cloud_run_v2_service_iam_member.invoker["everyone"].member == "allUsers"
    error_message = "Telegram cannot call it."
  }
  assert {
    condition     = google_service_account_iam_member.lends_name["ticks"].service_account_id == run.setup.queue.caller.name
    error_message = "It may not make tasks in the name of the queue's caller."
  }
  assert {
    condition     = one(one(google_cloudfunctions2_function.this.service_config).secret_environment_variables).version == "1"
    error_message = "The secret is not read at a number."
  }
  assert {
    condition     = endswith(google_storage_bucket_object.bundle.name, "${filesha256(var.bundle.path)}.zip")
    error_message = "The bundle is called ${google_storage_bucket_object.bundle.name}."
  }
}

run "a_private_function_is_called_by_whom_it_names" {
  command = plan

  variables {
    callers = { ticks = run.setup.queue.caller.member }
  }
  assert {
    condition     = [for grant in google_cloud_run_v2_service_iam_member.invoker : grant.member] == [run.setup.queue.caller.member]
    error_message = "Others may call it."
  }
}

run "everybody_is_no_caller" {
  command = plan

  variables {
    callers = { everyone = "allUsers" }
  }
  expect_failures = [var.callers]
}

run "it_ends_before_its_task_does" {
  command = plan

  variables {
    limits = { memory = "512Mi", timeout_s = 600, concurrency = 80, min_instances = 0, max_instances = 10 }
  }
  expect_failures = [var.limits]
}

run "it_serves_more_than_one_at_a_time" {
  command = plan

  variables {
    limits = { memory = "512Mi", timeout_s = 30, concurrency = 1, min_instances = 0, max_instances = 10 }
  }
  expect_failures = [var.limits]
}

run "more_instances_than_cloud_run_starts_are_refused" {
  command = plan

  variables {
    limits = { memory = "512Mi", timeout_s = 30, concurrency = 80, min_instances = 0, max_instances = 101 }
  }
  expect_failures = [var.limits]
}

run "an_address_that_is_not_its_own_is_noticed" {
  command = plan

  variables {
    url = "https://europe-west1-acme-function.cloudfunctions.net/lull-webhooks"
  }
  expect_failures = [google_cloudfunctions2_function.this]
}

run "a_function_uses_the_buckets_that_it_is_given_and_no_others" {
  command = plan

  variables {
    buckets = { archive = { name = "acme-function-archive", role = "roles/storage.objectCreator" } }
  }
  assert {
    condition = [for grant in google_storage_bucket_iam_member.user : [grant.bucket, grant.role]] == [
      ["acme-function-archive", "roles/storage.objectCreator"],
    ]
    error_message = "Its rights on buckets are others than those that are given."
  }
}
