output "jobs" {
  description = "The jobs' full names, by their names."
  value       = { for name, job in google_cloud_scheduler_job.this : name => job.id }
}

output "callers" {
  description = "The accounts that the jobs call with, by the function: as an IAM member, and its address."
  value       = { for function, account in google_service_account.caller : function => { member = account.member, email = account.email } }
}
