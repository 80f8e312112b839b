output "caller" {
  description = "The account that the jobs call with, as an IAM member."
  value       = { member = google_service_account.caller.member }
}
