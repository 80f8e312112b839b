output "account" {
  description = "The account that builds, as its full name. Known once it may build."
  value       = google_service_account.builder.name

  depends_on = [
    google_artifact_registry_repository_iam_member.builder,
    google_project_iam_member.copies,
    google_project_iam_member.logs,
    google_storage_bucket_iam_member.sources,
  ]
}

output "repository" {
  description = "The repository for the containers, as its full name."
  value       = google_artifact_registry_repository.containers.id
}
