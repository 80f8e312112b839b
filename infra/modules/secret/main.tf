resource "google_secret_manager_secret" "this" {
  secret_id = var.name

  # Where Google likes, also in other countries: one that is bound to a place cannot move, as its name would be taken.
  replication {
    auto {}
  }
}

resource "google_secret_manager_secret_version" "this" {
  secret                 = google_secret_manager_secret.this.id
  secret_data_wo         = var.value
  secret_data_wo_version = tostring(var.value_version)

  lifecycle {
    # the new value is there before a revision that reads it, the old one until the last that did is gone
    create_before_destroy = true
  }
}
