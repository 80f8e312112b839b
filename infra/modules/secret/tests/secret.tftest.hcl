provider "google" {
  project = "acme-secret"
}

variables {
  name          = "lull-webhook-secret"
  value         = "a value that is written and not kept"
  value_version = 1
}

run "its_value_is_written_and_not_kept" {
  assert {
    condition     = google_secret_manager_secret_version.this.secret_data == null
    error_message = "The value is in the state."
  }
  assert {
    condition     = output.version == "1"
    error_message = "The version is ${output.version}."
  }
}

run "it_is_in_no_place_that_it_would_have_to_leave" {
  command = plan

  assert {
    condition     = length(one(google_secret_manager_secret.this.replication).auto) == 1
    error_message = "Another region would need another secret under the same name."
  }
}

run "another_number_writes_it_anew" {
  variables {
    value_version = 2
  }
  assert {
    condition     = output.version == "2"
    error_message = "The version is ${output.version}."
  }
}

run "an_empty_value_is_refused" {
  command = plan

  variables {
    value = ""
  }
  expect_failures = [var.value]
}
