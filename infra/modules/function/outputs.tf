output "uri" {
  description = "The address of the function's Cloud Run service, which receives every path unchanged."
  value       = google_cloudfunctions2_function.this.service_config[0].uri
}

output "account" {
  description = "The function's service account, as an IAM member."
  value       = google_service_account.this.member
}

output "identity" {
  description = "The number of the function's service account, by which other clouds identify it."
  value       = google_service_account.this.unique_id
}
