output "account" {
  description = "The full name of the account that builds. It is known once the account has its permissions."
  value       = google_service_account.builder.name

  depends_on = [
    google_artifact_registry_repository_iam_member.builder,
    google_project_iam_member.copies,
    google_project_iam_member.logs,
    google_storage_bucket_iam_member.sources,
  ]
}

output "repository" {
  description = "The full name of the repository for the containers."
  value       = google_artifact_registry_repository.containers.id
}
