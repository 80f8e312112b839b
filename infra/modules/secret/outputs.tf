output "id" {
  description = "The secret's id in its project."
  value       = google_secret_manager_secret.this.secret_id
}

output "version" {
  description = "The number of the version that has the value."
  value       = google_secret_manager_secret_version.this.version
}
