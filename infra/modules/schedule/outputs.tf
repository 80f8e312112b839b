output "jobs" {
  description = "The full name of each job, by its name."
  value       = { for name, job in google_cloud_scheduler_job.this : name => job.id }
}

output "callers" {
  description = "The accounts with which jobs call functions, by function: IAM member and e-mail address."
  value       = { for function, account in google_service_account.caller : function => { member = account.member, email = account.email } }
}
