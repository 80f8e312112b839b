output "database" {
  description = "The database's name. Known once its indexes are built."
  value       = google_firestore_database.this.name

  depends_on = [google_firestore_index.this, google_firestore_index.vectors]
}

output "roles" {
  description = "The roles for documents: inbox (create, read), canary (also update), sweep and describe (also query), user (also delete)."
  value       = local.roles
}

output "condition" {
  description = "The IAM condition that limits such a role to this database."
  value       = local.condition
}
