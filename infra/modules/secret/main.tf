resource "google_secret_manager_secret" "this" {
  secret_id = var.name

  # Google chooses the locations, also in other countries. A secret with a fixed location could not move: its name would
  # already be taken.
  replication {
    auto {}
  }
}

resource "google_secret_manager_secret_version" "this" {
  secret                 = google_secret_manager_secret.this.id
  secret_data_wo         = var.value
  secret_data_wo_version = tostring(var.value_version)

  lifecycle {
    # the new version exists before a revision reads it, and the old version until no revision reads it
    create_before_destroy = true
  }
}
