provider "google" {
  project = "acme-queue"
}

variables {
  region         = "europe-west1"
  name           = "lull-ticks-1a2b3c"
  caller_account = "lull-ticks"
  at_once        = 400
  retries        = { attempts = 20, for_at_least_s = 3600, first_after_s = 1, longest_after_s = 300, doublings = 8 }
}

run "a_task_is_tried_again_ever_more_slowly" {
  assert {
    condition     = one(google_cloud_tasks_queue.this.retry_config).min_backoff == "1s"
    error_message = "The first retry comes after ${one(google_cloud_tasks_queue.this.retry_config).min_backoff}."
  }
  assert {
    condition     = google_cloud_tasks_queue.this.desired_state == "RUNNING"
    error_message = "The queue does not run."
  }
  assert {
    condition     = output.id == "projects/acme-queue/locations/europe-west1/queues/lull-ticks-1a2b3c"
    error_message = "The queue's full name is ${output.id}."
  }
  assert {
    condition     = output.caller.member == "serviceAccount:lull-ticks@acme-queue.iam.gserviceaccount.com"
    error_message = "The caller is ${output.caller.member}."
  }
}

run "it_can_be_stopped" {
  command = plan

  variables {
    paused = true
  }
  assert {
    condition     = google_cloud_tasks_queue.this.desired_state == "PAUSED"
    error_message = "The queue still runs."
  }
}

run "a_task_is_not_tried_for_ever" {
  command = plan

  variables {
    retries = { attempts = -1, for_at_least_s = 0, first_after_s = 1, longest_after_s = 300, doublings = 8 }
  }
  expect_failures = [var.retries]
}
