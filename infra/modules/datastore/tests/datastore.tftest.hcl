provider "google" {
  project = "acme-datastore"
}

variables {
  project  = "acme-datastore"
  name     = "lull"
  location = "eur3"
  suffix   = "1a2b3c"
  backups  = { daily_days = 7, weekly_days = 56 }
}

run "the_data_is_kept" {
  command = plan

  assert {
    condition     = google_firestore_database.this.delete_protection_state == "DELETE_PROTECTION_ENABLED"
    error_message = "The database can be deleted."
  }
  assert {
    condition     = google_firestore_database.this.deletion_policy == "ABANDON"
    error_message = "The database goes with the deployment."
  }
  assert {
    condition     = toset([for field in google_firestore_field.expires_at : field.deletion_policy]) == toset(["ABANDON"])
    error_message = "What is kept would be kept for ever."
  }
  assert {
    condition     = google_firestore_backup_schedule.weekly.retention == "4838400s"
    error_message = "Weekly backups are kept for ${google_firestore_backup_schedule.weekly.retention}."
  }
}

run "a_role_is_for_this_database_alone" {
  command = plan

  assert {
    condition     = output.condition.expression == "resource.name == \"projects/acme-datastore/databases/(default)\""
    error_message = "The condition is ${output.condition.expression}."
  }
  assert {
    condition     = !contains(google_project_iam_custom_role.this["inbox"].permissions, "datastore.entities.list")
    error_message = "Who only stores updates may query."
  }
}

run "told_so_it_lets_the_data_go" {
  variables {
    delete_data = true
  }
  assert {
    condition     = google_firestore_database.this.deletion_policy == "DELETE"
    error_message = "The database would stay."
  }
  assert {
    condition     = toset([for field in google_firestore_field.expires_at : field.deletion_policy]) == toset(["DELETE"])
    error_message = "What expires would stay without a database."
  }
  assert {
    condition     = output.roles.inbox == "projects/acme-datastore/roles/lull_inbox_1a2b3c"
    error_message = "The role is ${output.roles.inbox}."
  }
}

run "it_cannot_move" {
  command = plan

  variables {
    delete_data = true
    location    = "nam5"
  }
  expect_failures = [google_firestore_database.this]
}

run "a_zone_is_no_location" {
  command = plan

  variables {
    location = "europe-west1-b"
  }
  expect_failures = [var.location]
}
