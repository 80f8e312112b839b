provider "google" {
  project = "acme-bucket"
}

variables {
  name     = "acme-bucket-lull-archive"
  location = "europe-west1"
}

run "nobody_else_reads_it_and_nothing_is_lost" {
  command = plan

  assert {
    condition     = google_storage_bucket.this.public_access_prevention == "enforced"
    error_message = "The bucket may be made public."
  }
  assert {
    condition     = one(google_storage_bucket.this.versioning).enabled && !google_storage_bucket.this.force_destroy
    error_message = "What is written over or destroyed is lost."
  }
  assert {
    condition     = one(google_storage_bucket.this.soft_delete_policy).retention_duration_seconds == 604800
    error_message = "What somebody deletes by mistake is gone."
  }
  assert {
    condition     = !contains([for rule in google_storage_bucket.this.lifecycle_rule : one(rule.action).type], "Delete")
    error_message = "Old versions are deleted."
  }
}

run "what_was_replaced_may_go_after_a_while" {
  command = plan

  variables {
    keep_replaced_days = 30
  }
  assert {
    condition     = one(google_storage_bucket.this.lifecycle_rule[0].condition).days_since_noncurrent_time == 30
    error_message = "Old versions stay."
  }
}

run "what_is_kept_for_some_days_only_has_no_versions" {
  command = plan

  variables {
    delete_after_days = 30
  }
  assert {
    condition     = one(google_storage_bucket.this.lifecycle_rule[0].action).type == "Delete" && one(google_storage_bucket.this.lifecycle_rule[0].condition).age == 30
    error_message = "Files stay."
  }
  assert {
    condition     = !one(google_storage_bucket.this.versioning).enabled
    error_message = "A version outlives its file."
  }
}

run "what_is_to_be_deleted_is_gone" {
  command = plan

  variables {
    delete_files = true
  }
  assert {
    condition     = google_storage_bucket.this.force_destroy && one(google_storage_bucket.this.soft_delete_policy).retention_duration_seconds == 0
    error_message = "Google would keep it for a week."
  }
}

run "a_name_with_capitals_is_refused" {
  command = plan

  variables {
    name = "Archive"
  }
  expect_failures = [var.name]
}
