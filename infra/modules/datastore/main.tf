# The location in which the database was created. It keeps its value when the variable changes.
resource "terraform_data" "location" {
  input = var.location

  lifecycle {
    ignore_changes = [input]
  }
}

resource "google_firestore_database" "this" {
  name                              = "(default)" # only this database has the free quota, and clients use it by default
  location_id                       = var.location
  type                              = "FIRESTORE_NATIVE"
  database_edition                  = "STANDARD"
  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"
  delete_protection_state           = var.delete_data ? "DELETE_PROTECTION_DISABLED" : "DELETE_PROTECTION_ENABLED"
  deletion_policy                   = var.delete_data ? "DELETE" : "ABANDON"

  lifecycle {
    precondition {
      # Terraform would keep this database and create another with the same name, which Google refuses
      condition     = var.location == terraform_data.location.output
      error_message = "The database is in ${terraform_data.location.output} and cannot move: set database_location = \"${terraform_data.location.output}\" in terraform.tfvars. Only the rest can be in another region."
    }
  }
}

# Backups, for damage that is noticed too late for point-in-time recovery (seven days).
resource "google_firestore_backup_schedule" "daily" {
  database  = google_firestore_database.this.name
  retention = "${var.backups.daily_days * 86400}s"

  daily_recurrence {}
}

resource "google_firestore_backup_schedule" "weekly" {
  database  = google_firestore_database.this.name
  retention = "${var.backups.weekly_days * 86400}s"

  weekly_recurrence {
    day = "SUNDAY"
  }
}
