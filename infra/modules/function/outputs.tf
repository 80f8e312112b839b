output "uri" {
  description = "The address of its Cloud Run service, where any path arrives as it is."
  value       = google_cloudfunctions2_function.this.service_config[0].uri
}

output "account" {
  description = "The account that it runs as, as an IAM member."
  value       = google_service_account.this.member
}

output "identity" {
  description = "The number of its account, by which other clouds know it."
  value       = google_service_account.this.unique_id
}
